"""The map between equity (EMG) and match winning chance, and what an error costs."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.match.columns import Games
from reconcile.match.met import load_met
from reconcile.match.met.equity import (
    HIGHEST_POWER,
    chance_at_score,
    chance_of,
    cost,
    equity_of,
    stakes,
)
from tests.support.claims import some
from tests.support.hand_made import columns
from tests.support.hand_made import match_of as hand_made_match

KAZAROSS = load_met("Kazaross-XG2")
LEADER, TRAILER = 0, 1


def match_of(length, *scores, crawford=()):
    """A match of games with nothing in them but their scores; `crawford` names the Crawford
    game."""
    rows = len(scores)
    marked = [game in crawford for game in range(rows)]
    games = Games(rows, columns("games", rows, {"score": scores, "crawford": marked}))
    return replace(hand_made_match(length=length), games=games, cube_unit="mwc")


def at_stake(actual, game=0, seat=0, cube=1):
    """Chance after winning and after losing the cube."""
    win, lose = actual.of(np.array([game]), np.array([seat]), np.array([cube]))
    return float(win[0]), float(lose[0])


# Guido Flohr on bug-gnubg, 22 August 2012, "SGF Double Analysis Format": a leader at 7-away/6-away
# doubles a centred cube, Rockwell-Kazaross. (In his match the doubler needs six points, his
# opponent seven.)

EXAMPLE = match_of(7, (1, 0))
"""A 7-point match in which seat 0 leads 1-0."""
NO_DOUBLE, DOUBLE_TAKE = 0.615284, 0.631003


def test_worked_example_of_the_double_analysis_format():
    win, lose = at_stake(stakes(EXAMPLE, load_met("Rockwell-Kazaross"), 2), seat=LEADER)
    assert (round(win, 6), lose) == (0.626658, 0.5)
    w, el = np.array(win), np.array(lose)
    equities = [
        float(equity_of(np.array(chance), w, el)) for chance in (DOUBLE_TAKE, NO_DOUBLE, win)
    ]
    assert equities == pytest.approx([1.068610, 0.820398, 1.0], abs=2e-6)
    chances = [
        round(100 * float(chance_of(np.array(equity), w, el)), 2)
        for equity in (1.0, equities[0], equities[1])
    ]
    assert chances == [62.67, 63.10, 61.53]


chances = st.floats(0, 1, allow_subnormal=False)
equities = st.floats(-4, 4, allow_subnormal=False)
ENDS = st.tuples(chances, chances).filter(lambda ends: ends[0] - ends[1] > 1e-3)


@given(chances, equities, ENDS)
def test_chance_and_equity_there_and_back_and_at_the_ends_and_the_middle(chance, equity, ends):
    win, lose = map(np.array, ends)
    assert float(chance_of(equity_of(np.array(chance), win, lose), win, lose)) == pytest.approx(
        chance, abs=1e-9
    )
    assert float(equity_of(chance_of(np.array(equity), win, lose), win, lose)) == pytest.approx(
        equity, abs=1e-9
    )
    result = [float(equity_of(at, win, lose)) for at in (win, lose, (win + lose) / 2)]
    assert result == pytest.approx([1, -1, 0], abs=1e-9)


@given(equities, equities, ENDS)
def test_cost_is_the_difference_of_two_chances_and_not_the_chance_of_a_difference(a, b, ends):
    win, lose = map(np.array, ends)
    difference = float(chance_of(np.array(a), win, lose) - chance_of(np.array(b), win, lose))
    assert float(cost(np.array(a - b), win, lose)) == pytest.approx(difference, abs=1e-12)
    assert float(cost(np.array(0.0), win, lose)) == 0


@given(st.integers(1, 64), st.integers(1, 64), st.integers(0, 6), st.booleans())
def test_stakes_are_the_chances_at_the_scores_that_a_game_leads_to(away0, away1, power, crawford):
    """After the Crawford game, or where somebody needs one point, the game is post-Crawford; points
    beyond the match are worth nothing, so a dead cube changes nothing."""
    length, cube = max(away0, away1), 2**power
    score = length - away0, length - away1
    result = stakes(
        match_of(length, (0, 0), score, crawford=(1,) if crawford else ()), KAZAROSS, 64
    )
    after = crawford or 1 in (away0, away1)
    win = float(KAZAROSS.chance(away0 - cube, away1, after))
    lose = float(KAZAROSS.chance(away0, away1 - cube, after))
    assert at_stake(result, 1, 0, cube) == (win, lose)
    assert at_stake(result, 1, 1, cube) == pytest.approx((1 - lose, 1 - win), abs=1e-6)


def test_money_stakes_are_the_points_of_the_cube_so_that_an_error_costs_points():
    result = stakes(match_of(None, (3, 8)), KAZAROSS, 2**HIGHEST_POWER)
    for cube in some(2**power for power in range(HIGHEST_POWER + 1)):
        win, lose = at_stake(result, seat=1, cube=cube)
        assert (win, lose) == (cube, -cube)
        assert float(cost(np.array(0.25), np.array(win), np.array(lose))) == 0.25 * cube


def test_game_at_match_point_without_the_mark_is_post_crawford():
    marked, unmarked = (
        stakes(match_of(5, (4, 2), crawford=crawford), KAZAROSS, 1) for crawford in ((0,), ())
    )
    assert at_stake(marked, seat=TRAILER) == at_stake(
        unmarked, seat=TRAILER
    )  # what follows is the same
    chance = chance_at_score(match_of(5, (4, 2), (4, 2), crawford=(0,)), KAZAROSS)
    assert chance[0] == KAZAROSS.chance(1, 3, False)  # but it does not begin so
    assert chance[1] == KAZAROSS.chance(1, 3, True)


def test_equities_stay_in_the_precision_they_come_in():
    win, lose = stakes(match_of(7, (0, 0)), KAZAROSS, 1).of(
        np.array([0]), np.array([0]), np.array([1])
    )
    assert equity_of(np.array([0.5], np.float32), win, lose).dtype == np.float32
    assert cost(np.array([0.5], np.float32), win, lose).dtype == np.float32
