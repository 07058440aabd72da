"""Why a figure differs, as facts: parts that add up, the same from either side, and causes with a page of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reconcile.errors import NotTheSameMatch
from reconcile.gap.bridge import CAUSES, RULE_CAUSES
from reconcile.gap.comparison import compare
from reconcile.gap.explanation import EXPLAINED
from reconcile.gap.story import explanations
from reconcile.report.explain import page, table_of_contents
from reconcile.rules.rulesets import QUESTIONS
from tests.support.balance import compared, ledger_of
from tests.support.bridged_pairs import read, real_pairs
from tests.support.data import label, skipped_if_empty
from tests.support.examples import examples
from tests.support.hand_made import cubes
from tests.support.hand_made_levels import two_opinions
from tests.support.loaded import DEMONSTRATION, loaded
from tests.support.strategies import matches, second_opinions


def test_causes_of_the_demonstration() -> None:
    """That parts add up and decisions are those of the ledger is claimed of every document by the judge of sentences."""
    found = explanations(
        compare(loaded(DEMONSTRATION.with_suffix(".xg")), loaded(DEMONSTRATION.with_suffix(".sgf")))
    )
    assert [(one.player, one.metric, one.cause) for one in found] == [
        ("Nora Lindqvist", "pr", "decisions"),
        ("Tomas Beck", "pr", "decisions"),
    ]
    assert all(
        {part.cause for part in one.parts} == {"decisions", "rest", "rules"} for one in found
    )


@settings(
    max_examples=examples(5),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.data())
def test_exchanged_files_have_the_same_parts_with_the_other_sign(data: st.DataObject) -> None:
    match = data.draw(matches())
    left, right = read(match), read(data.draw(second_opinions(match)))
    try:
        one, other = explanations(compared(left, right)), explanations(compared(right, left))
    except NotTheSameMatch:
        return
    by_player = {again.player: again for again in other}
    assert len(one) == len(by_player) == 2
    for there in one:
        back = by_player[there.player]
        assert (there.start, there.end, there.cause) == (back.end, back.start, back.cause)
        changes = [
            {part.cause: (part.change, part.count) for part in side.parts} for side in (there, back)
        ]
        assert changes[0].keys() == changes[1].keys()
        for cause, (change, count) in changes[0].items():
            assert changes[1][cause][0] == pytest.approx(-change, abs=1e-9)
            assert changes[1][cause][1] == count


def test_checker_plays_are_explained_where_a_pr_is_unknown() -> None:
    left, right = two_opinions(0.3)
    part = replace(right, cubes=cubes(2, turn=[1, 2], analysed=[False, False]))
    comparison = compared(replace(left, cubes=cubes(2, turn=[1, 2])), part, "xg", "xg")
    ann = explanations(comparison)[0]
    assert ann.cause == "incomplete"
    assert ann.metric == ("pr" if comparison.walk.bridge("pr", 0).end is not None else "checker_pr")
    assert ann.start is not None
    assert ann.end is not None
    assert sum(one.change for one in ann.parts) == pytest.approx(ann.end - ann.start, abs=1e-9)


# -- causes ------------------------------------------------------------------------------------------------------------


def test_every_cause_has_a_page_and_those_of_decisions_stand_in_the_table_of_contents() -> None:
    contents = table_of_contents()
    for code, cause in {**CAUSES, **EXPLAINED}.items():
        text = page(code)
        assert text.startswith(f"{code}: {cause.title}")
        assert len(text) > len(code) + len(cause.title) + 40
        assert code in EXPLAINED or f"  {code} " in contents


def test_every_question_that_changes_figures_has_a_cause() -> None:
    assert set(RULE_CAUSES) == set(QUESTIONS) - {"Q08", "Q12"}
    assert set(RULE_CAUSES.values()) <= set(CAUSES)


@pytest.mark.parametrize(
    ("left", "right"),
    skipped_if_empty([pytest.param(*pair, id=label(pair[0])) for pair in real_pairs()[1:2]], 2),
)
def test_engine_contributions_have_finer_causes(left: Path, right: Path) -> None:
    walk = compared(loaded(left), loaded(right)).walk
    ledger = ledger_of(walk, walk.bridges())
    causes = set(ledger["cause"][ledger["step"] == "engine"])
    assert {"engine.other-best-move", "engine.error-size", "engine.other-cube-verdict"} <= causes
