"""Positions, owners, errors and luck are told from the player who decides, whatever seat or sign XG stores them for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reconcile.formats.written import Cube, Double, Move, Take, Turn
from reconcile.match.board.position import START, swap
from reconcile.match.columns import Kind
from tests.support.small_files import MADE, PASSED, POINT, SPLIT, TAKEN, game_of, match_of
from tests.support.small_files import WRITTEN as USUAL
from tests.support.small_xg import NORA, TOMAS, opening, read


def test_positions_are_the_decider_s_own() -> None:
    match = read(USUAL)
    assert tuple(match.plays.position[0]) == START
    assert tuple(match.plays.position[1]) == MADE  # the second player's view
    offered, answered = (int(np.flatnonzero(match.cubes.kind == kind)[0]) for kind in (Kind.DOUBLE, Kind.TAKE))
    assert tuple(match.cubes.position[offered]) == MADE
    assert tuple(match.cubes.position[answered]) == swap(MADE)


def test_response_belongs_to_the_opponent_of_the_player_on_roll() -> None:
    cubes = read(USUAL).cubes
    rows = list(zip(map(Kind, cubes.kind.tolist()), cubes.player.tolist(), cubes.turn.tolist(), strict=True))
    assert rows == [
        (Kind.DOUBLE, TOMAS, 2),
        (Kind.NO_DOUBLE, NORA, 3),
        (Kind.DOUBLE, NORA, 5),
        (Kind.NO_DOUBLE, NORA, 2),
        (Kind.TAKE, NORA, 2),
        (Kind.PASS, TOMAS, 5),
    ]


def test_owner_of_the_cube_is_told_from_the_decider_in_plays_and_from_the_doubler_in_cubes() -> None:
    match = read(USUAL)
    assert match.plays.owner.tolist()[:4] == [0, -1, 1, -1]
    assert match.plays.cube.tolist()[:4] == [1, 2, 2, 2]
    redouble = int(np.flatnonzero(match.cubes.kind == Kind.DOUBLE)[1])
    assert (match.cubes.owner[redouble], match.cubes.cube[redouble]) == (1, 2)


def test_errors_are_positive_whatever_sign_xg_stores() -> None:
    doubled = replace(PASSED, error=0.125, take_error=-0.5)
    cubes = read(match_of(game_of(Turn(1, START, doubled)))).cubes
    assert cubes.stored_error.tolist() == [0.125, 0.5]


def test_luck_of_a_file_with_none_but_zeros_is_unknown() -> None:
    assert np.isnan(read(opening(Move((3, 1), (POINT, SPLIT)))).plays.luck).all()
    assert read(USUAL).plays.luck.tolist()[:3] == [0.5, 0.0, -0.25]


def test_turns_count_from_1_in_every_game_and_a_cube_has_the_number_of_the_roll_it_precedes() -> None:
    match = read(USUAL)
    assert match.plays.turn.tolist() == [1, 2, 3, 4, 1, 2]
    assert match.plays.game.tolist() == [0, 0, 0, 0, 1, 1]
    assert match.games.number.tolist() == [1, 2]


def test_no_access_to_the_cube_is_no_decision() -> None:
    cubes = read(match_of(game_of(Turn(1, START, Cube()), Turn(2, START, Cube(Double.ENDED_BEFORE))))).cubes
    assert len(cubes) == 0


def test_beaver_is_a_response_of_its_own_kind() -> None:
    beavered = replace(TAKEN, take=Take.BEAVER)
    cubes = read(match_of(game_of(Turn(1, START, beavered)), length=None, beaver=True)).cubes
    assert cubes.kind.tolist() == [Kind.DOUBLE, Kind.BEAVER]


def test_candidates_of_a_row_tell_plays_chances_and_which_was_made() -> None:
    best, made = read(USUAL).candidates(0)
    assert (best.play, best.equity, best.level, best.made) == (POINT.play, 0.25, "3-ply", False)
    assert (made.play, made.equity, made.made) == (SPLIT.play, 0.125, True)
    assert best.probabilities == (0.5, 0.0, 0.0, 0.0, 0.0)
