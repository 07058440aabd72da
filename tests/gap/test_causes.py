"""Every row of a ledger has a cause with a page of its own, and the causes are as fine as the files allow."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.gap.bridge import CAUSES, RULE_CAUSES
from reconcile.report.explain import page, table_of_contents
from reconcile.rules.rulesets import QUESTIONS
from tests.support.balance import compared, ledger_of
from tests.support.bridged_pairs import real_pairs
from tests.support.data import label, skipped_if_empty
from tests.support.loaded import loaded


def test_every_cause_has_a_page_and_stands_in_the_table_of_contents() -> None:
    contents = table_of_contents()
    for code, cause in CAUSES.items():
        text = page(code)
        assert text.startswith(f"{code}: {cause.title}")
        assert len(text) > len(code) + len(cause.title) + 40
        assert f"  {code} " in contents


def test_every_question_that_changes_figures_has_a_cause() -> None:
    assert set(RULE_CAUSES) == set(QUESTIONS) - {"Q08", "Q12"}
    assert set(RULE_CAUSES.values()) <= set(CAUSES)


@pytest.mark.parametrize(("left", "right"), skipped_if_empty([pytest.param(*pair, id=label(pair[0])) for pair in real_pairs()[1:2]], 2))
def test_engine_contributions_have_finer_causes(left: Path, right: Path) -> None:
    walk = compared(loaded(left), loaded(right)).walk
    ledger = ledger_of(walk, walk.bridges())
    causes = set(ledger["cause"][ledger["step"] == "engine"])
    assert {"engine.other-best-move", "engine.error-size", "engine.other-cube-verdict"} <= causes
