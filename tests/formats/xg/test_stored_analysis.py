"""What XG decided, seen by the player who decides: its first candidate is the best, its stored
errors and flags count."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reconcile.formats.written import (
    UNSCORED,
    Cube,
    Double,
    Ending,
    Move,
    Take,
    Termination,
    Turn,
    WrittenMatch,
)
from reconcile.formats.xg import read as read_xg
from reconcile.formats.xg import records as at
from reconcile.formats.xg.writer import write
from reconcile.match.board.position import START
from reconcile.scoring.statistics import statistics
from tests.formats.facts import fact
from tests.support.small_files import (
    CLOSE,
    MADE,
    PASSED,
    POINT,
    SPLIT,
    TAKEN,
    WRITTEN,
    after,
    game_of,
    match_of,
)
from tests.support.small_xg import NORA, opening, read
from tests.support.xg_tampering import changed

BOTH = (POINT, SPLIT)


def elsewhere(play: tuple[tuple[int, int], ...], error: float) -> Move:
    """A play that is not among the candidates."""
    return Move((3, 1), (POINT,), played=None, play=play, after=after(*play), error=error)


def of_turns(*turns: Turn, **header: Any) -> WrittenMatch:
    return match_of(game_of(*turns), **header)


RESIGNED = Ending(2, 1, Termination.RESIGNED_SINGLE, resign_error=-0.125, take_resign_error=0.0)
FACTS: dict[str, tuple[WrittenMatch, dict[str, Any]]] = {
    "the best is candidate 0 even when another is worth more": (
        opening(Move((3, 1), (SPLIT, POINT), played=0)),
        {
            "plays.best": [0.125],
            "plays.played": [0.125],
            "plays.highest": [0.25],
            "plays.spread": [0.125],
        },
    ),
    "the play made is found by the position after it": (
        opening(
            Move((3, 1), BOTH, played=None, play=SPLIT.play, after=SPLIT.position, error=-0.125)
        ),
        {"plays.played": [0.125], "plays.play": [[[24, 21], [6, 5]]]},
    ),
    "or has no equity but its stored error": (
        opening(elsewhere(((13, 10), (13, 12)), -0.5)),
        {"plays.played": [None], "plays.stored_error": [0.5]},
    ),
    "the stored error counts and not the difference of equities": (
        opening(Move((3, 1), BOTH, played=1, error=-0.0625)),
        {"figures.0.equity_error.checker": 0.0625, "figures.0.pr": 31.25},
    ),
    "a play counts where its byte says so": (
        opening(Move((3, 1), (POINT,), irrelevant=False)),
        {"figures.0.decisions.checker": 1},
    ),
    "and does not where it does not": (
        opening(Move((3, 1), BOTH, irrelevant=True)),
        {"figures.0.decisions.checker": 0},
    ),
    "the error of a play that does not count still adds to the total": (
        opening(Move((3, 1), BOTH, played=1, irrelevant=True)),
        {
            "figures.0.decisions.counted": 0,
            "figures.0.equity_error.total": 0.125,
            "figures.0.pr": None,
        },
    ),
    "-1000 is unknown and not an error of 1000": (
        opening(Move((3, 1), BOTH, error=UNSCORED)),
        {
            "plays.analysed": [False],
            "plays.stored_error": [None],
            "counts.0.checker": [1, 0],
            "figures.0.equity_error.total": None,
        },
    ),
    "a cube without a score is unknown": (
        of_turns(Turn(2, MADE, Cube(Double.YES, Take.TAKE))),
        {
            "cubes.kind": ["double", "take"],
            "cubes.analysed": [False, False],
            **{
                f"cubes.{name}": [None, None]
                for name in ("no_double", "double_take", "double_pass", "stored_error")
            },
            "counts.1.cube": [1, 0],
        },
    ),
    "a file without any analysis has no rate": (
        opening(Move((3, 1), (), played=None, play=POINT.play, after=POINT.position)),
        {
            "figures.0.pr": None,
            "figures.0.equity_error.total": None,
            "figures.0.snowie_er": None,
            "figures.0.moves.total": 1,
        },
    ),
    "an illegal play is neither counted nor expected": (
        opening(Move((3, 1), BOTH, invalid=2)),
        {
            "plays.validity": ["illegal"],
            "figures.0.decisions.checker": 0,
            "figures.0.moves.total": 1,
            "counts.0.checker": [0, 0],
        },
    ),
    "a roll that was not played is no move": (
        opening(Move((3, 1), BOTH, played=None, was_played=False)),
        {
            "plays.validity": ["unplayed"],
            "plays.moved": [False],
            "plays.play": [[]],
            "figures.0.moves.total": 0,
            "figures.0.decisions.counted": 0,
            **{f"counts.0.{part}": [0, 0] for part in ("checker", "cube", "luck")},
        },
    ),
    "a dance is a forced move that moves nothing": (
        opening(Move((6, 6), (replace(POINT, play=(), position=START),))),
        {"plays.moved": [False], "plays.play": [[]], "figures.0.moves.forced": 1},
    ),
    "a resignation error adds without a decision": (
        match_of(game_of(Turn(1, START, move=Move((3, 1), BOTH)), ending=RESIGNED)),
        {
            "resignations.kind": ["resign", "accept-resign"],
            "resignations.player": [0, 1],
            "figures.0.equity_error.total": 0.125,
            "figures.0.decisions.counted": 1,
            "figures.0.pr": 62.5,
        },
    ),
    "positions are the decider's own, the owner of the cube the doubler's in cubes": (
        WRITTEN,
        {
            "plays.position.0": list(START),
            "plays.position.1": list(MADE),
            "cubes.kind": ["double", "no-double", "double", "no-double", "take", "pass"],
            "cubes.position.0": list(MADE),
            "cubes.position.4": [-count for count in reversed(MADE)],
            "plays.owner": [0, -1, 1, -1, 0, 0],
            "plays.cube": [1, 2, 2, 2, 1, 1],
            "cubes.owner.2": 1,
            "cubes.cube.2": 2,
            "plays.luck.0": 0.5,
            "plays.luck.2": -0.25,
            "candidates.0.play": [[[8, 5], [6, 5]], [[24, 21], [6, 5]]],
            "candidates.0.equity": [0.25, 0.125],
            "candidates.0.level": ["3-ply", "3-ply"],
            "candidates.0.made": [False, True],
            "candidates.0.probabilities": [[0.5, 0.0, 0.0, 0.0, 0.0]] * 2,
        },
    ),
    "errors are positive whatever sign XG stores": (
        of_turns(Turn(1, START, replace(PASSED, error=0.125, take_error=-0.5))),
        {"cubes.stored_error": [0.125, 0.5]},
    ),
    "luck of a file with none but zeros is unknown": (
        opening(Move((3, 1), BOTH)),
        {"plays.luck": [None]},
    ),
    "no access to the cube is no decision": (
        of_turns(Turn(1, START, Cube()), Turn(2, START, Cube(Double.ENDED_BEFORE))),
        {"cubes.kind": []},
    ),
    "a beaver is a response of its own kind": (
        of_turns(Turn(1, START, replace(TAKEN, take=Take.BEAVER)), length=None, beaver=True),
        {"cubes.kind": ["double", "beaver"]},
    ),
}


@pytest.mark.parametrize("claim", FACTS)
def test_what_xg_stored_is_read(claim: str) -> None:
    written, facts = FACTS[claim]
    match = read(written)
    assert {path: fact(match, path) for path in facts} == facts


def test_user_s_bookmarks_change_nothing() -> None:
    plain = write(of_turns(Turn(1, START, CLOSE, Move((3, 1), BOTH))))
    marked = changed(
        changed(plain, 2, at.CUBE_LAYOUT, bookmarked=1), 3, at.MOVE_LAYOUT, bookmarked=1
    )
    assert marked != plain
    first, second = (statistics(read_xg("nora.xg", content)) for content in (marked, plain))
    assert first.figures(NORA) == second.figures(NORA)
