"""What XG decided stands, told from the player who decides: its first candidate is the best, its
stored errors and flags count."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from reconcile.formats.written import UNSCORED, Cube, Double, Ending, Move, Take, Termination, Turn
from reconcile.formats.xg import read as read_xg
from reconcile.formats.xg import records as at
from reconcile.formats.xg.writer import write
from reconcile.match.board.position import START, swap
from reconcile.match.columns import Kind, Validity
from reconcile.scoring.statistics import Coverage, statistics
from tests.support.small_files import (
    CLOSE,
    MADE,
    PASSED,
    POINT,
    SPLIT,
    TAKEN,
    after,
    game_of,
    match_of,
)
from tests.support.small_files import WRITTEN as USUAL
from tests.support.small_xg import NORA, TOMAS, opening, read, score
from tests.support.xg_tampering import changed


def test_best_is_candidate_0_even_when_another_is_worth_more() -> None:
    plays = read(opening(Move((3, 1), (SPLIT, POINT), played=0))).plays
    assert (plays.best[0], plays.played[0], plays.highest[0], plays.spread[0]) == (
        0.125,
        0.125,
        0.25,
        0.125,
    )


def test_play_made_is_found_by_the_position_after_it_or_has_no_equity_but_its_stored_error() -> (
    None
):
    plays = read(
        opening(
            Move(
                (3, 1),
                (POINT, SPLIT),
                played=None,
                play=SPLIT.play,
                after=SPLIT.position,
                error=-0.125,
            )
        )
    ).plays
    assert (plays.played[0], plays.play[0]) == (0.125, SPLIT.play)
    elsewhere = after((13, 10), (13, 12))
    plays = read(
        opening(
            Move(
                (3, 1),
                (POINT,),
                played=None,
                play=((13, 10), (13, 12)),
                after=elsewhere,
                error=-0.5,
            )
        )
    ).plays
    assert math.isnan(plays.played[0])
    assert plays.stored_error[0] == 0.5


def test_stored_error_counts_and_not_the_difference_of_equities() -> None:
    figures = score(opening(Move((3, 1), (POINT, SPLIT), played=1, error=-0.0625))).figures(NORA)
    assert figures["equity_error.checker"] == 0.0625
    assert figures["pr"] == 500 * 0.0625


@pytest.mark.parametrize(("irrelevant", "decisions"), [(True, 0), (False, 1)])
def test_byte_that_says_a_play_does_not_count_decides(irrelevant: bool, decisions: int) -> None:
    spread = score(opening(Move((3, 1), (POINT, SPLIT), irrelevant=irrelevant)))
    single = score(opening(Move((3, 1), (POINT,), irrelevant=irrelevant)))
    assert (
        spread.figures(NORA)["decisions.checker"]
        == single.figures(NORA)["decisions.checker"]
        == decisions
    )


def test_error_of_a_play_that_does_not_count_still_adds_to_the_total() -> None:
    figures = score(opening(Move((3, 1), (POINT, SPLIT), played=1, irrelevant=True))).figures(NORA)
    assert (figures["decisions.counted"], figures["equity_error.total"], figures["pr"]) == (
        0,
        0.125,
        None,
    )


def test_minus_1000_is_unknown_and_not_an_error_of_1000() -> None:
    computed = score(opening(Move((3, 1), (POINT, SPLIT), error=UNSCORED)))
    plays = computed.match.plays
    assert not plays.analysed[0]
    assert math.isnan(plays.stored_error[0])
    assert computed.completeness(NORA)["checker"] == Coverage(1, 0)
    assert computed.figures(NORA)["equity_error.total"] is None


def test_cube_without_a_score_is_unknown() -> None:
    unscored = Cube(Double.YES, Take.TAKE)
    cubes = read(match_of(game_of(Turn(2, MADE, unscored)))).cubes
    assert cubes.kind.tolist() == [Kind.DOUBLE, Kind.TAKE]
    assert not cubes.analysed.any()
    for column in (cubes.no_double, cubes.double_take, cubes.double_pass, cubes.stored_error):
        assert np.isnan(column).all()
    assert statistics(read(match_of(game_of(Turn(2, MADE, unscored))))).completeness(TOMAS)[
        "cube"
    ] == Coverage(1, 0)


def test_file_without_any_analysis_has_no_rate() -> None:
    bare = match_of(
        game_of(
            Turn(
                1, START, move=Move((3, 1), (), played=None, play=POINT.play, after=POINT.position)
            )
        )
    )
    figures = score(bare).figures(NORA)
    assert (figures["pr"], figures["equity_error.total"], figures["snowie_er"]) == (
        None,
        None,
        None,
    )
    assert figures["moves.total"] == 1


def test_illegal_play_is_neither_counted_nor_expected() -> None:
    computed = score(opening(Move((3, 1), (POINT, SPLIT), invalid=2)))
    assert computed.match.plays.validity.tolist() == [Validity.ILLEGAL]
    assert computed.figures(NORA)["decisions.checker"] == 0
    assert computed.figures(NORA)["moves.total"] == 1
    assert computed.completeness(NORA)["checker"] == Coverage(0, 0)


def test_roll_that_was_not_played_is_no_move() -> None:
    computed = score(opening(Move((3, 1), (POINT, SPLIT), played=None, was_played=False)))
    plays = computed.match.plays
    assert (plays.validity.tolist(), plays.moved.tolist(), plays.play) == (
        [Validity.UNPLAYED],
        [False],
        [()],
    )
    figures = computed.figures(NORA)
    assert (figures["moves.total"], figures["decisions.counted"]) == (0, 0)
    assert computed.completeness(NORA) == dict.fromkeys(("checker", "cube", "luck"), Coverage(0, 0))


def test_dance_is_a_forced_move_that_moves_nothing() -> None:
    figures = score(opening(Move((6, 6), (replace(POINT, play=(), position=START),))))
    assert figures.match.plays.moved.tolist() == [False]
    assert figures.match.plays.play == [()]
    assert figures.figures(NORA)["moves.forced"] == 1


def test_user_s_bookmarks_change_nothing() -> None:
    plain = write(match_of(game_of(Turn(1, START, CLOSE, Move((3, 1), (POINT, SPLIT))))))
    marked = changed(
        changed(plain, 2, at.CUBE_LAYOUT, bookmarked=1), 3, at.MOVE_LAYOUT, bookmarked=1
    )
    assert marked != plain
    assert (
        len(
            {
                tuple(statistics(read_xg("nora.xg", each)).figures(NORA).items())
                for each in (marked, plain)
            }
        )
        == 1
    )


def test_resignation_error_adds_without_a_decision() -> None:
    resigned = Ending(
        winner=2,
        points=1,
        termination=Termination.RESIGNED_SINGLE,
        resign_error=-0.125,
        take_resign_error=0.0,
    )
    computed = score(
        match_of(game_of(Turn(1, START, move=Move((3, 1), (POINT, SPLIT))), ending=resigned))
    )
    figures = computed.figures(NORA)
    assert computed.match.resignations.kind.tolist() == [Kind.RESIGN, Kind.ACCEPT_RESIGN]
    assert computed.match.resignations.player.tolist() == [NORA, TOMAS]
    assert (figures["equity_error.total"], figures["decisions.counted"], figures["pr"]) == (
        0.125,
        1,
        62.5,
    )


def test_positions_are_the_decider_s_own() -> None:
    match = read(USUAL)
    assert tuple(match.plays.position[0]) == START
    assert tuple(match.plays.position[1]) == MADE  # the second player's view
    offered, answered = (
        int(np.flatnonzero(match.cubes.kind == kind)[0]) for kind in (Kind.DOUBLE, Kind.TAKE)
    )
    assert tuple(match.cubes.position[offered]) == MADE
    assert tuple(match.cubes.position[answered]) == swap(MADE)


def test_response_belongs_to_the_opponent_of_the_player_on_roll() -> None:
    cubes = read(USUAL).cubes
    rows = list(
        zip(map(Kind, cubes.kind.tolist()), cubes.player.tolist(), cubes.turn.tolist(), strict=True)
    )
    assert rows == [
        (Kind.DOUBLE, TOMAS, 2),
        (Kind.NO_DOUBLE, NORA, 3),
        (Kind.DOUBLE, NORA, 5),
        (Kind.NO_DOUBLE, NORA, 2),
        (Kind.TAKE, NORA, 2),
        (Kind.PASS, TOMAS, 5),
    ]


def test_owner_of_the_cube_is_told_from_the_decider_in_plays_and_from_the_doubler_in_cubes() -> (
    None
):
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


def test_turns_count_from_1_in_every_game_and_a_cube_has_the_number_of_the_roll_it_precedes() -> (
    None
):
    match = read(USUAL)
    assert match.plays.turn.tolist() == [1, 2, 3, 4, 1, 2]
    assert match.plays.game.tolist() == [0, 0, 0, 0, 1, 1]
    assert match.games.number.tolist() == [1, 2]


def test_no_access_to_the_cube_is_no_decision() -> None:
    cubes = read(
        match_of(game_of(Turn(1, START, Cube()), Turn(2, START, Cube(Double.ENDED_BEFORE))))
    ).cubes
    assert len(cubes) == 0


def test_beaver_is_a_response_of_its_own_kind() -> None:
    beavered = replace(TAKEN, take=Take.BEAVER)
    cubes = read(match_of(game_of(Turn(1, START, beavered)), length=None, beaver=True)).cubes
    assert cubes.kind.tolist() == [Kind.DOUBLE, Kind.BEAVER]


def test_candidates_of_a_row_tell_plays_chances_and_which_was_made() -> None:
    best, built = read(USUAL).candidates(0)
    assert (best.play, best.equity, best.level, best.made) == (POINT.play, 0.25, "3-ply", False)
    assert (built.play, built.equity, built.made) == (SPLIT.play, 0.125, True)
    assert best.probabilities == (0.5, 0.0, 0.0, 0.0, 0.0)
