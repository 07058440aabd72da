"""Every row of a ledger has a cause with a page of its own, and the causes are as fine as the files allow."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.formats import read_match
from reconcile.gap.bridge import CAUSES, RULE_CAUSES
from reconcile.report.explain import page, table_of_contents
from reconcile.rules.rulesets import QUESTIONS
from tests.support.balance import compared, ledger_of, unbalanced
from tests.support.bridged_pairs import real_pairs
from tests.support.data import label, skipped_if_empty
from tests.support.loaded import DEMONSTRATION, loaded


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


def test_deeper_look_of_the_same_tool_is_a_cause_of_its_own(data: Path) -> None:
    deep, shallow = (loaded(data / "real" / f"test_{plies}ply.sgf") for plies in (2, 0))
    comparison = compared(deep, shallow)
    walk = comparison.walk
    assert "engine.level" in set(ledger_of(walk, walk.bridges())["cause"])
    findings = {finding.code: finding.evidence for finding in comparison.findings}
    assert findings["levels-differ"] == "GNU Backgammon, most plays: left 2-ply cubeful, right 0-ply cubeful"


def test_turn_that_one_file_lacks_is_a_coverage_cause() -> None:
    games = Path(f"{DEMONSTRATION}.sgf").read_text("utf-8").split("(;FF[4]")[1:]
    without = read_match("without.sgf", "".join("(;FF[4]" + game for index, game in enumerate(games) if index != 2).encode())
    comparison = compared(loaded(Path(f"{DEMONSTRATION}.xg")), without)
    assert unbalanced(comparison) == []
    ledger = ledger_of(comparison.walk, comparison.bridges)
    third = ledger[(ledger["game"] == 3) & (ledger["step"] == "coverage-left")]
    assert len(third)
    assert set(third["cause"]) == {"coverage.transcript"}
