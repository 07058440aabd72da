"""Q15 and Q16: right cube actions, and turns with a dead cube, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reconcile.match.columns import Kind, Plays
from reconcile.scoring.dead_cubes import is_dead, with_dead_cubes
from reconcile.scoring.statistics import statistics
from tests.support.hand_made import cubes, judged, match_of, plays


def test_right_action_counts_everywhere_but_in_bgblitz() -> None:
    kinds = [Kind.DOUBLE, Kind.DOUBLE, Kind.TAKE, Kind.TAKE, Kind.PASS, Kind.PASS]
    right_to_double, right_to_take = [0.1, 0.9] * 3, [0.5, 0.5, 0.5, 1.5, 1.5, 0.5]
    rows = cubes(
        6,
        kind=kinds,
        no_double=right_to_double,
        double_take=right_to_take,
        stored_error=[np.nan] * 6,
    )
    assert judged(match_of(cube=rows), "Q15", "yes").counted.tolist() == [True] * 6
    # No double 0.1 against 0.5: right; 0.9 against 0.5: wrong. A take of 0.5 is right, of 1.5
    # wrong; a pass the other way round.
    assert judged(match_of(cube=rows), "Q15", "only-errors").counted.tolist() == [
        False,
        True,
        False,
        True,
        False,
        True,
    ]


def test_right_action_of_a_database_is_one_without_a_stored_error() -> None:
    unknown = [np.nan] * 2
    rows = cubes(
        2,
        kind=[Kind.TAKE] * 2,
        no_double=unknown,
        double_take=unknown,
        double_pass=unknown,
        stored_error=[0.0, 0.1],
    )
    assert judged(match_of(cube=rows), "Q15", "only-errors").counted.tolist() == [False, True]


def turns(count: int, **arguments: Any) -> Plays:
    return plays(
        count,
        turn=list(range(1, count + 1)),
        player=[index % 2 for index in range(count)],
        **arguments,
    )


def test_every_turn_at_a_dead_cube_becomes_a_row_but_the_first() -> None:
    match = match_of(turns(4, cube=[2] * 4, owner=[1, -1, 1, 1]), length=2)
    shown = with_dead_cubes(match)
    assert list(zip(shown.cubes.turn.tolist(), shown.cubes.player.tolist(), strict=True)) == [
        (3, 0),
        (4, 1),
    ]
    assert is_dead(shown).all()
    assert not shown.cubes.analysed.any()
    assert not shown.cubes.expected.any()
    assert (shown.cubes.position == match.plays.position[2:]).all()
    assert with_dead_cubes(shown).cubes is shown.cubes


def test_live_cube_a_double_and_money_play_give_no_row() -> None:
    assert (
        len(with_dead_cubes(match_of(turns(3, cube=[2] * 3, owner=[0] * 3), length=3)).cubes) == 0
    )
    doubled = cubes(1, kind=[Kind.DOUBLE], turn=[2], player=[1], cube=[2])
    assert (
        with_dead_cubes(match_of(turns(2, cube=[2, 2], owner=[0, 0]), doubled, length=2)).cubes
        is doubled
    )
    assert (
        len(with_dead_cubes(match_of(turns(3, cube=[2] * 3, owner=[0] * 3), length=None)).cubes)
        == 0
    )


def test_double_that_was_passed_hides_no_other_turn() -> None:
    passed = cubes(1, kind=[Kind.DOUBLE], turn=[9], player=[0])
    shown = with_dead_cubes(match_of(turns(4, cube=[2] * 4, owner=[1] * 4), passed, length=2))
    assert shown.cubes.turn.tolist() == [2, 3, 4, 9]


@pytest.mark.parametrize(("answer", "counted"), [("no", 0), ("with-the-play", 1)])
def test_dead_cube_counts_with_its_play(answer: str, counted: int) -> None:
    match = match_of(
        turns(3, cube=[2] * 3, owner=[1] * 3, legal=[5, 5, 1], flag=[0, 0, 1]), length=2
    )
    assert (
        statistics(match, judged(match, "Q16", answer).rules).figures(1)["decisions.double"]
        == counted
    )
    assert statistics(match, judged(match, "Q16", answer).rules).figures(0)["decisions.double"] == 0
