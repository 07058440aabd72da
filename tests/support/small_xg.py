"""What our reader makes of small `.xg` files that the tests' own writer wrote, and of their damaged
bytes."""

from __future__ import annotations

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import read_match
from reconcile.formats.written import Move, Turn, WrittenMatch
from reconcile.formats.xg import read as read_xg
from reconcile.formats.xg.writer import write
from reconcile.match.board.position import START
from reconcile.match.match import Match
from reconcile.scoring.statistics import Statistics, statistics
from tests.support.small_files import game_of, match_of

NORA, TOMAS = 0, 1
"""The seats of the players."""


def opening(move: Move) -> WrittenMatch:
    """A match of nothing but this opening move."""
    return match_of(game_of(Turn(1, START, move=move)))


def read(written: WrittenMatch) -> Match:
    """The match as it is read back from a file."""
    return read_xg("nora.xg", write(written))


def score(written: WrittenMatch) -> Statistics:
    """Its statistics under XG's rules."""
    return statistics(read(written), "xg")


def refused(content: bytes) -> str:
    """The one line with which these bytes are refused."""
    with pytest.raises(UnreadableFile) as caught:
        statistics(read_match("nora.xg", content))
    message = str(caught.value)
    assert message.startswith("nora.xg: ")
    assert "\n" not in message
    return message
