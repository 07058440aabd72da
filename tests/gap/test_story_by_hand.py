"""What a story says of counting, of what is missing, of open rules and of shallow analyses: on matches made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.story import led_by_cause, one_analysis, stories
from reconcile.match.match import Level, Match
from reconcile.match.tools import BGSAGE, GNUBG, XG
from tests.support.balance import ANY_GAP, compared
from tests.support.hand_made import cubes, plays, resignations
from tests.support.hand_made_levels import turned, two_opinions, with_levels


def of_ann(comparison: Comparison) -> tuple[str, ...]:
    return next(story.sentences for story in stories(comparison) if story.player == "Ann")


def causes(comparison: Comparison) -> set[str]:
    return {story.cause for story in stories(comparison)}


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (("xg", "gnubg"), ("0.50 more", "+0.50 of it: gnuBG counts 1 fewer double or no-double")),
        (("gnubg", "xg"), ("0.50 less", "−0.50 of it: gnuBG counts 1 more double or no-double")),
    ],
)
def test_counting_says_what_the_right_side_counts_more_or_fewer(rules: tuple[str, str], said: tuple[str, str]) -> None:
    """A no-double 0.18 short of a double is close to XG (0.200) and not to gnuBG (0.16): 101 decisions that cost 10, or 100."""
    left, right = (replace(one, cubes=cubes(no_double=[0.5], double_take=[0.32])) for one in two_opinions())
    first, second = of_ann(compared(left, right, *rules))
    assert first.endswith(f"gnuBG charges Ann {said[0]}.")
    assert second == f"Counting makes {said[1]}."


@pytest.mark.parametrize(("errors", "said"), [((0.0,), "1 more resignation"), ((0.0, 0.0), "2 more resignations")])
def test_counting_says_how_many_resignations_count(errors: tuple[float, ...], said: str) -> None:
    left, right = (replace(one, source=replace(one.source, tool=BGSAGE.name), resignations=resignations(*errors)) for one in two_opinions())
    assert of_ann(compared(left, right, "gnubg", "gammonview"))[-1].endswith(f"counts {said}.")


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("seats", [False, True])
def test_what_a_side_has_not_analysed_is_said_of_the_player_in_whichever_seat(exchanged: bool, seats: bool) -> None:
    left, right = two_opinions(0.3)
    whole = replace(left, cubes=cubes(2, turn=[1, 2]))
    part = replace(right, cubes=cubes(2, turn=[1, 2], analysed=[True, False]))
    part = turned(part) if seats else part
    sides = (part, whole) if exchanged else (whole, part)
    assert of_ann(compared(*sides, "xg", "xg"))[0] == ("gnuBG analysed only 1 of 2 cube decisions of Ann, so the two PRs do not compare.")


def test_checker_plays_are_not_compared_either_where_some_are_not_analysed() -> None:
    left, right = two_opinions(0.3)
    analysed = np.array([True] * 99 + [False])
    part = replace(right, plays=right.plays.replaced(analysed=analysed), cubes=cubes(2, turn=[1, 2], analysed=[False] * 2))
    assert of_ann(compared(replace(left, cubes=cubes(2, turn=[1, 2])), part, "xg", "xg")) == (
        "gnuBG analysed only 99 of 100 checker plays and 0 of 2 cube decisions of Ann, so the two PRs do not compare.",
    )


@pytest.mark.parametrize(("lookahead", "shallow"), [(0.0, True), (0.5, True), (1.0, False), (None, False)])
def test_analysis_that_looks_a_whole_ply_ahead_is_not_shallow(lookahead: float | None, shallow: bool) -> None:
    left, right = two_opinions(0.3)
    right = replace(right, levels=(Level("some", lookahead), right.levels[1]))
    assert ("shallow" in causes(compared(left, right))) == shallow


def losing(tool: str, more: int = 0) -> Match:
    """Plays of Ann, and a close no-double of hers while she is losing: XG may count it or not."""
    made = plays(1 + more, turn=list(range(1, 2 + more)))
    return with_levels(made, cubes(no_double=[-0.7], double_take=[-0.75]), tool=tool)


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("seats", [False, True])
def test_open_rule_is_told_where_it_moves_the_figure_of_a_player_that_is_shown(exchanged: bool, seats: bool) -> None:
    xg, gnubg = losing(XG.name), losing(GNUBG.name)
    for open_side in (turned(xg) if seats else xg, xg):
        other = turned(gnubg) if seats and open_side is xg else gnubg
        sides = (other, open_side) if exchanged else (open_side, other)
        for player, told in (("Ann", True), ("Ben", False)):
            comparison = compare(*sides, ANY_GAP, player=player, need_verdict=False)
            found = [story for story in stories(comparison) if "losing" in " ".join(story.sentences)]
            assert bool(found) == told, (player, stories(comparison))


def errors(*left: float) -> Match:
    rows = len(left)
    best = [0.5] * rows
    made = plays(rows, turn=list(range(1, rows + 1)), stored_error=list(left), best=best, played=[0.5 - one for one in left])
    return with_levels(made)


def test_analyses_that_agree_only_on_what_costs_nothing_are_two() -> None:
    right_plays = [0.0] * 20
    one, other = errors(*right_plays, 0.1, 0.2, 0.05), errors(*right_plays, 0.15, 0.1, 0.09)
    assert not one_analysis(compared(one, other))
    assert one_analysis(compared(one, errors(*right_plays, 0.1, 0.2, 0.09)))  # two of three errors are the same


def test_files_without_an_error_are_one_analysis_if_one_tool_made_both() -> None:
    one = errors(0.0, 0.0)
    other = replace(one, source=replace(one.source, tool=GNUBG.name))
    assert one_analysis(compared(one, one))
    assert not one_analysis(compared(one, other))
    assert not led_by_cause(compared(one, one))


def test_decision_that_makes_less_than_half_of_the_gap_is_not_its_cause() -> None:
    assert of_ann(compared(*two_opinions(0.47, *[0.01] * 53), "xg", "xg"))[1:] == (
        "54 differences of the analysis make +1.00 of it, the largest of them +0.47.",
    )


def test_decision_that_a_side_does_not_count_is_not_called_right_by_it() -> None:
    """XG: 99 plays of 0.1 and one of 0.3, PR 51; gnuBG: 99 plays of 0.1, and one that does not count."""
    left, right = two_opinions()
    dear, free = left.plays.stored_error.copy(), right.plays.stored_error.copy()
    dear[0], free[0] = 0.3, 0.0
    flag = np.array([1] + [0] * 99)
    left = replace(left, plays=left.plays.replaced(stored_error=dear, best=dear))
    right = replace(right, plays=right.plays.replaced(stored_error=free, best=free, flag=flag))
    assert of_ann(compared(left, right, "xg", "xg")) == (
        "XG 51.00, gnuBG 50.00: gnuBG charges Ann 1.00 less.",
        "One play (game 1, turn 1) makes −1.00 of it: XG calls it a blunder (0.300), gnuBG does not count it.",
    )


def test_single_decision_that_only_one_file_has_is_given_with_its_reason() -> None:
    left, right = two_opinions(plays_of_the_second=99)
    dear = replace(left, plays=left.plays.replaced(stored_error=np.array([0.1] * 99 + [0.6])))
    assert of_ann(compared(dear, right, "xg", "xg")) == (
        "XG 52.50, gnuBG 50.00: gnuBG charges Ann 2.50 less.",
        "1 decision that only one file has makes −2.50 of it: 1 where the files record different games.",
    )


def test_decisions_that_are_the_same_are_no_differences_where_the_figure_is_capped() -> None:
    """100 plays of 1.25 would be 125, of which each has 1 in the 100 that is shown; 40 cost nothing to gnuBG, 60 have 1.25 of its 75."""
    assert of_ann(compared(*two_opinions(*[-1.25] * 40, error=0.25), "xg", "xg")) == (
        "XG 100.00, gnuBG 75.00: gnuBG charges Ann 25.00 less.",
        "40 differences of the analysis make −40.00, the largest of them −1.00.",
        "The cap of PR makes +15.00.",
    )


def test_only_other_decision_is_named_with_the_first() -> None:
    assert of_ann(compared(*two_opinions(0.6, 0.2), "xg", "xg"))[1:] == (
        "Two decisions make +0.80 of it: game 1, turn 1 (+0.60) and game 1, turn 2 (+0.20).",
    )
