"""Each kind of row of a gap, and the notes beside the rows."""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter
from typing import Any

import numpy as np
import pytest

from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.explanation import ExplainedGap, explanations, notes
from reconcile.match.match import Level, Match
from reconcile.match.tools import BGSAGE, GNUBG, XG
from reconcile.wording import plural
from tests.support.balance import ANY_GAP, compared
from tests.support.hand_made import cubes, plays, resignations
from tests.support.hand_made_levels import turned, two_opinions, with_levels
from tests.support.loaded import beginning
from tests.support.several import bundled_sgf, bundled_xg
from tests.support.tables import cases_of

# -- rows ------------------------------------------------------------------------------------------


def two(*changes: float, **options: Any) -> Comparison:
    """Two opinions of one match, in which Ann's PR is 50 on the left."""
    return compared(*two_opinions(*changes, **options), "xg", "xg")


def of_ann(comparison: Comparison) -> ExplainedGap:
    return next(each for each in explanations(comparison) if each.player == "Ann")


def shown(comparison: Comparison) -> list[str]:
    return list(of_ann(comparison).shown().story())


@pytest.mark.parametrize("case", cases_of(__file__, "rows_of_changes_are"), ids=itemgetter("claim"))
def test_rows_of_changes_are(case: dict[str, Any]) -> None:
    changes = [change for change, times in case["changes"].items() for _ in range(times)]
    rows = shown(two(*changes, error=case["error"]))
    assert rows == [f"Ann: {case['headline']}", *case["rows"]]


def test_names_may_hold_anything() -> None:
    assert shown(two(0.3, tools=("XG", "Bot {x} {} of it."))) == [
        "Ann: PR 50.00 by XG, 50.30 by Bot {x} {} of it. (+0.30)",
        "+0.30 play, game 1 turn 1: XG 0.100, Bot {x} {} of it. 0.160",
    ]


@pytest.mark.parametrize(("rules", "sign"), [(("xg", "gnubg"), "+"), (("gnubg", "xg"), "−")])
def test_counting_rules_say_who_counts_a_decision_alone(rules: tuple[str, str], sign: str) -> None:
    """A no-double 0.18 short of a double is close to XG (0.200) and not to gnuBG (0.16): 101
    decisions that cost 10, or 100."""
    cube = cubes(no_double=[0.5], double_take=[0.32])
    left, right = (replace(side, cubes=cube) for side in two_opinions())
    label = "XG" if rules[0] == "xg" else "gnuBG"
    row = f"{sign}0.50 counting rules (1): {label} alone counts 1"
    assert shown(compared(left, right, *rules))[1:] == [row]


def test_cap_factor_and_resignations_are_rows_of_the_rules() -> None:
    match = two_opinions(error=0.3)[0]
    (row,) = of_ann(compared(match, match, "xg", "gnubg")).rows
    assert (row.kind, row.printed, row.left) == ("cap", "+50.00", "150.00 without it")
    match = with_levels(plays(stored_error=[0.125], played=[0.375]), length=1)
    row = of_ann(compared(match, match, "xg", "gnubg")).rows[0]
    words = "factor of a one-point match", "multiplies by 1.5", "multiplies by 1"
    assert (row.kind, row.text, row.left, row.right) == ("rules", *words)
    left, right = (
        replace(side, source=replace(side.source, tool=BGSAGE.name), resignations=resignations(0.0))
        for side in two_opinions()
    )
    resigned = of_ann(compared(left, right, "gnubg", "gammonview")).rows
    assert [row.kind for row in resigned] == ["rules"]


@pytest.mark.parametrize("errors", [[0.6], [0.6, 0.7]])
def test_decisions_that_one_file_has_are_a_row_of_their_own(errors: list[float]) -> None:
    number = len(errors)
    left, right = two_opinions(plays_of_the_second=100 - number)
    every = np.array([0.1] * (100 - number) + errors)
    dear = replace(left, plays=left.plays.replaced(stored_error=every))
    words = "decisions only one file has", f"alone has {plural(number, 'decision')}"
    for pair, side in (((dear, right), "left"), ((right, dear), "right")):
        (row,) = of_ann(compared(*pair, "xg", "xg")).rows
        assert (row.count, row.text, getattr(row, side)) == (number, *words)


def test_game_that_one_file_lacks_is_named() -> None:
    comparison = compared(beginning(".xg", 3), beginning(".sgf", 2))
    rows = [row for each in explanations(comparison) for row in each.rows]
    alone = [row.left for row in rows if row.kind == "coverage"]
    assert alone
    assert all(words.startswith("alone has game 3") for words in alone)


def test_checker_plays_are_explained_where_a_pr_is_unknown() -> None:
    left, right = two_opinions(0.3)
    part = replace(right, cubes=cubes(2, turn=[1, 2], analysed=[False, False]))
    ann = of_ann(compared(replace(left, cubes=cubes(2, turn=[1, 2])), part, "xg", "xg"))
    assert ann.metric == "checker_pr"
    assert "none by gnuBG (0 of 2 cube decisions analysed)" in ann.headline
    assert ann.headline.endswith("; in checker plays 50.00 by XG, 50.30 by gnuBG (+0.30)")
    assert [row.printed for row in ann.rows] == ["+0.30"]


def test_decision_that_a_side_does_not_count_is_not_called_right_by_it() -> None:
    """XG: 99 plays of 0.1 and one of 0.3, PR 51; gnuBG: 99 plays of 0.1, and one that does not
    count."""
    sides = []
    for match, error, flag in zip(two_opinions(), (0.3, 0.0), (0, 1), strict=True):
        errors = np.array([error, *[0.1] * 99])
        columns = {"stored_error": errors, "best": errors, "flag": np.array([flag, *[0] * 99])}
        sides.append(replace(match, plays=match.plays.replaced(**columns)))
    assert shown(compared(*sides, "xg", "xg")) == [
        "Ann: PR 51.00 by XG, 50.00 by gnuBG (−1.00)",
        "−1.00 play, game 1 turn 1: XG 0.300, gnuBG not counted",
    ]


# -- notes and the story ---------------------------------------------------------------------------


def test_notes_are_findings_said_once_the_most_important_first() -> None:
    left, right = bundled_xg(), bundled_sgf()
    dice = right.plays.dice.copy()
    dice[5] = (6, 6) if tuple(dice[5].tolist()) != (6, 6) else (5, 5)
    other = turned(replace(right, plays=right.plays.replaced(dice=dice)))
    first, *rest = notes(compared(left, other))
    assert first.startswith("The files record different games: ")
    assert any(note.startswith("The files list the players in differ") for note in rest)
    assert len({first, *rest}) == 1 + len(rest)


@pytest.mark.parametrize("lookahead", [0.0, 0.5, None])
def test_analysis_that_does_not_look_ahead_is_noted(lookahead: float | None) -> None:
    left, right = two_opinions(0.3)
    right = replace(right, levels=(Level("some", lookahead), right.levels[1]))
    text = " ".join(notes(compared(left, right)))
    assert ("does not look ahead (gnuBG)" in text) == (lookahead == 0)


def losing(tool: str) -> Match:
    """A play of Ann, and a close no-double of hers while she is losing: XG may count it or not."""
    return with_levels(plays(), cubes(no_double=[-0.7], double_take=[-0.75]), tool=tool)


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("seats", [False, True])
def test_open_rule_is_noted_where_it_moves_the_figure_of_a_player_that_is_shown(
    exchanged: bool, seats: bool
) -> None:
    xg, gnubg = losing(XG.name), losing(GNUBG.name)
    for sides in ((turned(xg) if seats else xg, gnubg), (xg, turned(gnubg) if seats else gnubg)):
        left, right = sides[::-1] if exchanged else sides
        for player, noted in (("Ann", True), ("Ben", False)):
            comparison = compare(left, right, ANY_GAP, player=player, need_verdict=False)
            assert ("losing" in " ".join(notes(comparison))) == noted, (player, notes(comparison))


def costing(*errors: float) -> Match:
    """Twenty plays that cost nothing, and some that do."""
    every = [*[0.0] * 20, *errors]
    rows, played = len(every), [0.5 - error for error in every]
    turns = list(range(1, rows + 1))
    table = plays(rows, turn=turns, stored_error=every, best=[0.5] * rows, played=played)
    return with_levels(table)


def test_analyses_are_one_where_most_of_what_costs_something_agrees() -> None:
    match, free = costing(0.1, 0.2, 0.05), costing()
    other = replace(free, source=replace(free.source, tool=GNUBG.name))
    assert [
        compared(*sides).is_one_analysis
        for sides in (
            (match, costing(0.15, 0.1, 0.09)),
            (match, costing(0.1, 0.2, 0.09)),
            (free, free),
            (free, other),
        )
    ] == [False, True, True, False]
