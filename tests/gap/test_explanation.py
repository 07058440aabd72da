"""Why a figure differs, as rows: they add up, nothing large is left out, the same from either side; and each kind of row."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reconcile.errors import NotTheSameMatch
from reconcile.gap.bridge import CAUSES, RULE_CAUSES
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.explanation import EXPLAINED, Explanation, explanations
from reconcile.gap.notes import notes, story
from reconcile.gap.rows import Rows
from reconcile.match.match import Level, Match
from reconcile.match.tools import BGSAGE, GNUBG, XG
from reconcile.report.explain import page, table_of_contents
from reconcile.rules.rulesets import QUESTIONS
from tests.support.balance import ANY_GAP, compared, ledger_of
from tests.support.bridged_pairs import read, real_pairs
from tests.support.data import label, skipped_if_empty
from tests.support.examples import examples
from tests.support.hand_made import cubes, plays, resignations
from tests.support.hand_made_levels import turned, two_opinions, with_levels
from tests.support.loaded import DEMONSTRATION, beginning, loaded
from tests.support.rows import faults, unmirrored
from tests.support.several import bundled_sgf, bundled_xg
from tests.support.strategies import matches, second_opinions

# -- laws --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right"),
    skipped_if_empty([pytest.param(*pair, id=label(pair[0])) for pair in real_pairs()], 2),
)
def test_rows_of_real_pairs_keep_the_laws_from_either_side(left: Path, right: Path) -> None:
    there, back = (
        compared(loaded(one), loaded(two)) for one, two in ((left, right), (right, left))
    )
    assert faults(there) == faults(back) == []
    assert unmirrored(there, replace_names(back, there)) == []


def replace_names(comparison: Comparison, other: Comparison) -> Comparison:
    """The same where either file may spell the players otherwise: only one spelling is compared."""
    if set(comparison.left.players) == set(other.left.players):
        return comparison
    pytest.skip("the files spell the players differently")


@settings(
    max_examples=examples(30),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.data())
def test_rows_of_generated_pairs_keep_the_laws_from_either_side(data: st.DataObject) -> None:
    match = data.draw(matches())
    left, right = read(match), read(data.draw(second_opinions(match)))
    rules = [data.draw(st.sampled_from(["xg", "gnubg", "blunderdb", "gammonview"])) for _ in "lr"]
    try:
        there = compared(left, right, *rules)
        back = compared(right, left, *reversed(rules))
    except NotTheSameMatch:
        return
    assert faults(there) == faults(back) == []
    assert unmirrored(there, back) == []


CHANGES = st.floats(-3, 3, allow_nan=False).map(lambda change: round(change, 3))


@settings(max_examples=examples(300))
@given(st.lists(CHANGES, max_size=30), st.sampled_from([0.02, 0.1, 0.25]))
def test_rows_of_any_changes_keep_the_laws(changes: list[float], error: float) -> None:
    left, right = two_opinions(*(max(change, -5 * error) for change in changes), error=error)
    there, back = compared(left, right, "xg", "gnubg"), compared(right, left, "gnubg", "xg")
    assert faults(there) == faults(back) == []
    assert unmirrored(there, back) == []


# -- what stands in them -----------------------------------------------------------------------------------------------


def two(*changes: float, **given: Any) -> Comparison:
    """Two opinions of one match, in which Ann's PR is 50 on the left."""
    return compared(*two_opinions(*changes, **given), "xg", "xg")


def of_ann(comparison: Comparison) -> Explanation:
    return next(one for one in explanations(comparison) if one.player == "Ann")


def shown(comparison: Comparison) -> list[str]:
    rows: Rows = of_ann(comparison).shown()
    return list(rows.story())


SHOWN: dict[str, tuple[list[float], float, list[str]]] = {
    "large decisions are named, the largest first, and the others counted": (
        [-0.5, -0.49, 0.79, *[0.01] * 10],
        0.1,
        [
            "Ann: PR 50.00 by XG, 49.90 by gnuBG (−0.10)",
            "+0.79 play, game 1 turn 3: XG 0.100, gnuBG 0.258",
            "−0.50 play, game 1 turn 1: XG 0.100, gnuBG 0.000",
            "−0.49 play, game 1 turn 2: XG 0.100, gnuBG 0.002",
            "+0.10 10 other decisions: largest +0.01",
        ],
    ),
    "what makes half of a small gap is named, and so is the only other one": (
        [0.04, 0.02],
        0.1,
        [
            "Ann: PR 50.00 by XG, 50.06 by gnuBG (+0.06)",
            "+0.04 play, game 1 turn 1: XG 0.100, gnuBG 0.108",
            "+0.02 play, game 1 turn 2: XG 0.100, gnuBG 0.104",
        ],
    ),
    "many small ones have one row": (
        [-0.05] * 20,
        0.1,
        ["Ann: PR 50.00 by XG, 49.00 by gnuBG (−1.00)", "−1.00 20 decisions: largest −0.05"],
    ),
    "no more than five are named": (
        [-0.3] * 7,
        0.1,
        [
            "Ann: PR 50.00 by XG, 47.90 by gnuBG (−2.10)",
            *(f"−0.30 play, game 1 turn {turn}: XG 0.100, gnuBG 0.040" for turn in range(1, 6)),
            "−0.60 2 other decisions: largest −0.30",
        ],
    ),
    "causes that cancel are named where there is no gap": (
        [0.3, -0.3],
        0.1,
        [
            "Ann: PR 50.00 by XG, 50.00 by gnuBG (0.00)",
            "+0.30 play, game 1 turn 1: XG 0.100, gnuBG 0.160",
            "−0.30 play, game 1 turn 2: XG 0.100, gnuBG 0.040",
        ],
    ),
    "printed rows add up: 0.434 and 0.434 are 0.868": (
        [0.434, 0.434],
        0.1,
        [
            "Ann: PR 50.00 by XG, 50.87 by gnuBG (+0.87)",
            "+0.43 play, game 1 turn 1: XG 0.100, gnuBG 0.187",
            "+0.43 play, game 1 turn 2: XG 0.100, gnuBG 0.187",
            "+0.01 rounding",
        ],
    ),
    # 100 plays of 1.25 would be 125, of which each has 1 in the 100 that is shown; 40 cost nothing to gnuBG, 60 have 1.25 of its 75.
    "the same decisions are no differences where the figure is capped": (
        [-1.25] * 40,
        0.25,
        [
            "Ann: PR 100.00 by XG, 75.00 by gnuBG (−25.00)",
            "+15.00 cap of PR at 100: XG 125.00 without it",
            *(f"−1.00 play, game 1 turn {turn}: XG 0.250, gnuBG 0.000" for turn in range(1, 6)),
            "−35.00 35 other decisions: largest −1.00",
        ],
    ),
    "nothing differs": ([], 0.1, ["Ann: PR 50.00 by XG, 50.00 by gnuBG (0.00)"]),
}
"""Changes of the single decisions, the error of each on the left, and the rows of Ann."""


@pytest.mark.parametrize("what", SHOWN)
def test_rows_of_changes_are(what: str) -> None:
    changes, error, rows = SHOWN[what]
    assert shown(two(*changes, error=error)) == rows


def test_names_may_hold_anything() -> None:
    rows = shown(two(0.3, tools=("XG", "Bot {x} {} of it.")))
    assert rows == [
        "Ann: PR 50.00 by XG, 50.30 by Bot {x} {} of it. (+0.30)",
        "+0.30 play, game 1 turn 1: XG 0.100, Bot {x} {} of it. 0.160",
    ]


@pytest.mark.parametrize(("rules", "sign"), [(("xg", "gnubg"), "+"), (("gnubg", "xg"), "−")])
def test_counting_rules_say_who_counts_a_decision_alone(rules: tuple[str, str], sign: str) -> None:
    """A no-double 0.18 short of a double is close to XG (0.200) and not to gnuBG (0.16): 101 decisions that cost 10, or 100."""
    left, right = (
        replace(one, cubes=cubes(no_double=[0.5], double_take=[0.32])) for one in two_opinions()
    )
    label = "XG" if rules[0] == "xg" else "gnuBG"
    assert shown(compared(left, right, *rules))[1:] == [
        f"{sign}0.50 counting rules (1): {label} alone counts 1"
    ]


def test_cap_alone_is_no_matter_of_counting() -> None:
    match = two_opinions(error=0.3)[0]
    rows = of_ann(compared(match, match, "xg", "gnubg")).rows
    assert [(row.kind, row.printed, row.left) for row in rows] == [
        ("cap", "+50.00", "150.00 without it")
    ]


def test_factor_of_a_one_point_match_is_what_decisions_cost() -> None:
    match = with_levels(plays(stored_error=[0.125], played=[0.375]), length=1)
    (row,) = of_ann(compared(match, match, "xg", "gnubg")).rows[:1]
    assert (row.kind, row.text) == ("rules", "factor of a one-point match")
    assert (row.left, row.right) == ("multiplies by 1.5", "multiplies by 1")


@pytest.mark.parametrize("errors", [[0.6], [0.6, 0.7]])
def test_decisions_that_one_file_has_are_a_row_of_their_own(errors: list[float]) -> None:
    number = len(errors)
    left, right = two_opinions(plays_of_the_second=100 - number)
    every = np.array([0.1] * (100 - number) + errors)
    dear = replace(left, plays=left.plays.replaced(stored_error=every))
    for pair, side in (((dear, right), "left"), ((right, dear), "right")):
        (row,) = of_ann(compared(*pair, "xg", "xg")).rows
        assert (row.kind, row.text, row.count) == (
            "coverage",
            "decisions only one file has",
            number,
        )
        words = "decision" if number == 1 else "decisions"
        assert getattr(row, side) == f"alone has {number} {words}"


def test_game_that_one_file_lacks_is_named() -> None:
    comparison = compared(beginning(".xg", 3), beginning(".sgf", 2))
    rows = [row for one in explanations(comparison) for row in one.rows if row.kind == "coverage"]
    assert rows
    assert all(row.left.startswith("alone has game 3") for row in rows)


def test_decision_that_one_side_does_not_count_or_analyse_is_said_so() -> None:
    rows = [
        row
        for one in explanations(compare(bundled_xg(), bundled_sgf()))
        for row in one.rows
        if row.kind == "decision"
    ]
    assert all(row.left and row.right for row in rows)


def test_checker_plays_are_explained_where_a_pr_is_unknown() -> None:
    left, right = two_opinions(0.3)
    part = replace(right, cubes=cubes(2, turn=[1, 2], analysed=[False, False]))
    ann = of_ann(compared(replace(left, cubes=cubes(2, turn=[1, 2])), part, "xg", "xg"))
    assert ann.metric == "checker_pr"
    assert "none by gnuBG (0 of 2 cube decisions analysed)" in ann.headline
    assert ann.headline.endswith("; in checker plays 50.00 by XG, 50.30 by gnuBG (+0.30)")
    assert [row.printed for row in ann.rows] == ["+0.30"]


def test_resignations_that_count_are_counting_rules() -> None:
    left, right = (
        replace(one, source=replace(one.source, tool=BGSAGE.name), resignations=resignations(0.0))
        for one in two_opinions()
    )
    rows = of_ann(compared(left, right, "gnubg", "gammonview")).rows
    assert [row.kind for row in rows] == ["rules"]


# -- notes and the whole as strings ------------------------------------------------------------------------------------


def test_story_is_the_headlines_with_their_rows_and_then_the_notes() -> None:
    comparison = compare(bundled_xg(), bundled_sgf())
    rows = [words for one in explanations(comparison) for words in one.shown().story()]
    assert list(story(comparison)) == [*rows, *notes(comparison)]
    assert [one.player for one in explanations(comparison)] == list(comparison.left.players)


def test_notes_are_findings_said_once_the_most_important_first() -> None:
    left, right = bundled_xg(), bundled_sgf()
    dice = right.plays.dice.copy()
    dice[5] = (6, 6) if tuple(dice[5].tolist()) != (6, 6) else (5, 5)
    other = replace(right, plays=right.plays.replaced(dice=dice))
    comparison = compared(left, turned(other))
    found = notes(comparison)
    assert found[0].startswith("The files record different games: ")
    assert any(one.startswith("The files list the players in different order: ") for one in found)
    assert len(found) == len(set(found))


def test_few_decisions_are_said_in_a_comparison() -> None:
    left, right = (with_levels(plays(stored_error=[error])) for error in (0.125, 0.25))
    assert any("of whom 1 decision counts" in note for note in notes(compared(left, right)))


@pytest.mark.parametrize(
    ("lookahead", "shallow"), [(0.0, True), (0.5, False), (1.0, False), (None, False)]
)
def test_analysis_that_does_not_look_ahead_is_noted(lookahead: float | None, shallow: bool) -> None:
    left, right = two_opinions(0.3)
    right = replace(right, levels=(Level("some", lookahead), right.levels[1]))
    found = [one for one in notes(compared(left, right)) if "does not look ahead (gnuBG)" in one]
    assert bool(found) == shallow


def test_decision_that_a_side_does_not_count_is_not_called_right_by_it() -> None:
    """XG: 99 plays of 0.1 and one of 0.3, PR 51; gnuBG: 99 plays of 0.1, and one that does not count."""
    left, right = two_opinions()
    dear, free = left.plays.stored_error.copy(), right.plays.stored_error.copy()
    dear[0], free[0] = 0.3, 0.0
    flag = np.array([1] + [0] * 99)
    left = replace(left, plays=left.plays.replaced(stored_error=dear, best=dear))
    right = replace(right, plays=right.plays.replaced(stored_error=free, best=free, flag=flag))
    assert shown(compared(left, right, "xg", "xg")) == [
        "Ann: PR 51.00 by XG, 50.00 by gnuBG (−1.00)",
        "−1.00 play, game 1 turn 1: XG 0.300, gnuBG not counted",
    ]


def losing(tool: str, more: int = 0) -> Match:
    """Plays of Ann, and a close no-double of hers while she is losing: XG may count it or not."""
    made = plays(1 + more, turn=list(range(1, 2 + more)))
    return with_levels(made, cubes(no_double=[-0.7], double_take=[-0.75]), tool=tool)


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("seats", [False, True])
def test_open_rule_is_told_where_it_moves_the_figure_of_a_player_that_is_shown(
    exchanged: bool, seats: bool
) -> None:
    xg, gnubg = losing(XG.name), losing(GNUBG.name)
    for open_side in (turned(xg) if seats else xg, xg):
        other = turned(gnubg) if seats and open_side is xg else gnubg
        sides = (other, open_side) if exchanged else (open_side, other)
        for player, told in (("Ann", True), ("Ben", False)):
            comparison = compare(*sides, ANY_GAP, player=player, need_verdict=False)
            found = [note for note in notes(comparison) if "losing" in note]
            assert bool(found) == told, (player, notes(comparison))


def errors(*left: float) -> Match:
    rows = len(left)
    best = [0.5] * rows
    made = plays(
        rows,
        turn=list(range(1, rows + 1)),
        stored_error=list(left),
        best=best,
        played=[0.5 - one for one in left],
    )
    return with_levels(made)


def test_analyses_that_agree_only_on_what_costs_nothing_are_two() -> None:
    right_plays = [0.0] * 20
    one, other = errors(*right_plays, 0.1, 0.2, 0.05), errors(*right_plays, 0.15, 0.1, 0.09)
    assert not compared(one, other).is_one_analysis
    two_of_three = errors(*right_plays, 0.1, 0.2, 0.09)
    assert compared(one, two_of_three).is_one_analysis


def test_files_without_an_error_are_one_analysis_if_one_tool_made_both() -> None:
    one = errors(0.0, 0.0)
    other = replace(one, source=replace(one.source, tool=GNUBG.name))
    assert compared(one, one).is_one_analysis
    assert not compared(one, other).is_one_analysis
    assert compared(one, one).is_alarm


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


def test_rows_of_the_demonstration_are_those_of_the_page() -> None:
    left, right = (loaded(DEMONSTRATION.with_suffix(ending)) for ending in (".xg", ".sgf"))
    kinds = [[row.kind for row in one.rows] for one in explanations(compare(left, right))]
    assert all(found[-1] == "rest" and found.count("decision") == 5 for found in kinds)
