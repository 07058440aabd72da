"""What XG decided, seen by the player who decides: its first candidate is the best, its stored
errors and flags count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

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
WRITTEN_FOR: dict[str, WrittenMatch] = {
    "the best is candidate 0 even when another is worth more": opening(
        Move((3, 1), (SPLIT, POINT), played=0)
    ),
    "the play made is found by the position after it": opening(
        Move((3, 1), BOTH, played=None, play=SPLIT.play, after=SPLIT.position, error=-0.125)
    ),
    "or has no equity but its stored error": opening(elsewhere(((13, 10), (13, 12)), -0.5)),
    "the stored error counts and not the difference of equities": opening(
        Move((3, 1), BOTH, played=1, error=-0.0625)
    ),
    "a play counts where its byte says so": opening(Move((3, 1), (POINT,), irrelevant=False)),
    "and does not where it does not": opening(Move((3, 1), BOTH, irrelevant=True)),
    "the error of a play that does not count still adds to the total": opening(
        Move((3, 1), BOTH, played=1, irrelevant=True)
    ),
    "-1000 is unknown and not an error of 1000": opening(Move((3, 1), BOTH, error=UNSCORED)),
    "a cube without a score is unknown": of_turns(Turn(2, MADE, Cube(Double.YES, Take.TAKE))),
    "a file without any analysis has no rate": opening(
        Move((3, 1), (), played=None, play=POINT.play, after=POINT.position)
    ),
    "an illegal play is neither counted nor expected": opening(Move((3, 1), BOTH, invalid=2)),
    "a roll that was not played is no move": opening(
        Move((3, 1), BOTH, played=None, was_played=False)
    ),
    "a dance is a forced move that moves nothing": opening(
        Move((6, 6), (replace(POINT, play=(), position=START),))
    ),
    "a resignation error adds without a decision": match_of(
        game_of(Turn(1, START, move=Move((3, 1), BOTH)), ending=RESIGNED)
    ),
    "positions are the decider's own, the owner of the cube the doubler's in cubes": WRITTEN,
    "errors are positive whatever sign XG stores": of_turns(
        Turn(1, START, replace(PASSED, error=0.125, take_error=-0.5))
    ),
    "luck of a file with none but zeros is unknown": opening(Move((3, 1), BOTH)),
    "no access to the cube is no decision": of_turns(
        Turn(1, START, Cube()), Turn(2, START, Cube(Double.ENDED_BEFORE))
    ),
    "a beaver is a response of its own kind": of_turns(
        Turn(1, START, replace(TAKEN, take=Take.BEAVER)), length=None, beaver=True
    ),
}
FACTS: dict[str, dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("stored.yaml").read_text("utf-8")
)


@pytest.mark.parametrize("claim", FACTS)
def test_what_xg_stored_is_read(claim: str) -> None:
    match = read(WRITTEN_FOR[claim])
    assert {path: fact(match, path) for path in FACTS[claim]} == FACTS[claim]


def test_user_s_bookmarks_change_nothing() -> None:
    plain = write(of_turns(Turn(1, START, CLOSE, Move((3, 1), BOTH))))
    marked = changed(
        changed(plain, 2, at.CUBE_LAYOUT, bookmarked=1), 3, at.MOVE_LAYOUT, bookmarked=1
    )
    assert marked != plain
    first, second = (statistics(read_xg("nora.xg", content)) for content in (marked, plain))
    assert first.figures(NORA) == second.figures(NORA)
