"""What our reader makes of small `.xg` files that the tests' own writer wrote, and of their damaged
bytes."""

from dataclasses import replace

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import read_match
from reconcile.formats.xg import read as read_xg
from reconcile.match.board.position import START
from reconcile.scoring.statistics import statistics
from tests.support.small_files import PASSED, POINT, SPLIT, TAKEN, WRITTEN, after, game_of, match_of
from tests.support.written import (
    Cube,
    Double,
    Ending,
    Move,
    Take,
    Termination,
    Turn,
)
from tests.support.xg_writer import write

NORA, TOMAS = 0, 1
"""The seats of the players."""


def opening(move):
    """A match of nothing but this opening move."""
    return match_of(game_of(Turn(1, START, move=move)))


def of_turns(*turns, **header):
    """A match of one game."""
    return match_of(game_of(*turns), **header)


CANDIDATES = {"POINT": POINT, "SPLIT": SPLIT}
DESCRIBED = {
    "two games": WRITTEN,
    "two games without an end": replace(
        WRITTEN, games=tuple(replace(game, ending=None) for game in WRITTEN.games)
    ),
    "the winner's game": match_of(
        game_of(
            Turn(1, START, move=Move((3, 1), (POINT, SPLIT))), score=(3, 4), ending=Ending(2, 1)
        )
    ),
    "an unscored double": of_turns(Turn(2, START, Cube(Double.YES, Take.TAKE))),
    "a dance": opening(Move((6, 6), (replace(POINT, play=(), position=START),))),
    "a resignation": match_of(
        game_of(
            Turn(1, START, move=Move((3, 1), (POINT, SPLIT))),
            ending=Ending(
                2, 1, Termination.RESIGNED_SINGLE, resign_error=-0.125, take_resign_error=0.0
            ),
        )
    ),
    "errors of either sign": of_turns(
        Turn(1, START, replace(PASSED, error=0.125, take_error=-0.5))
    ),
    "no access": of_turns(Turn(1, START, Cube()), Turn(2, START, Cube(Double.ENDED_BEFORE))),
    "a beaver": of_turns(
        Turn(1, START, replace(TAKEN, take=Take.BEAVER)), length=None, beaver=True
    ),
}


def described(words):
    """A match by its name, or an opening roll by the names of its candidates and the fields of its
    `Move`; a `play` that is not among them by its name or its steps."""
    if isinstance(words, str):
        return DESCRIBED[words]
    names, fields = words
    if play := fields.pop("play", None):
        steps = CANDIDATES[play].play if isinstance(play, str) else tuple(map(tuple, play))
        fields |= {"played": None, "play": steps, "after": after(*steps)}
    return opening(Move((3, 1), tuple(CANDIDATES[name] for name in names), **fields))


def read(written):
    """The match as it is read back from a file."""
    return read_xg("nora.xg", write(written))


def refused(content):
    """The one line with which these bytes are refused."""
    with pytest.raises(UnreadableFile) as caught:
        statistics(read_match("nora.xg", content))
    message = str(caught.value)
    assert message.startswith("nora.xg: ")
    assert "\n" not in message
    return message
