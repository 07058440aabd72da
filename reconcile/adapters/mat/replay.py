"""Plays a written play on a position: whether the dice allow it, and the position afterwards.

Transcripts differ in how much of a play they write: some mark hits, some only the last one, some none; a checker's
path may be written as one step or several. So a play is legal if it leads to the result of a legal play.
"""

from __future__ import annotations

from typing import NamedTuple

from reconcile.board.play import Effort, Play, carried_out, count_legal_plays, legal_play_meant, parse_play
from reconcile.board.position import Counts
from reconcile.columns import UNKNOWN_COUNT, Validity


class Made(NamedTuple):
    """A roll as it was played."""

    validity: Validity
    legal: int
    """Number of different positions the roll can lead to, as in `Plays.legal`."""
    play: Play
    after: Counts
    """The mover's view; after an illegal play, with its possible steps carried out."""


def make(board: Counts, dice: tuple[int, int], text: str, *, last: bool, effort: Effort | None = None) -> Made:
    """Make the play written as `text`; `last` means that only the result of the game follows."""
    if text and not text.strip("?"):
        return Made(Validity.UNPLAYED, UNKNOWN_COUNT, (), board)
    try:
        play = parse_play(text, dice, board)
    except ValueError:
        return Made(Validity.ILLEGAL, count_legal_plays(board, *dice, effort=effort), (), board)
    if not play:
        possible = count_legal_plays(board, *dice, effort=effort)
        if possible and last and not text:
            return Made(Validity.UNPLAYED, UNKNOWN_COUNT, (), board)
        return Made(Validity.ILLEGAL if possible else Validity.VALID, possible, (), board)
    found, legal = legal_play_meant(board, *dice, play, effort)
    if found is None:
        return Made(Validity.ILLEGAL, legal, play, carried_out(board, play))
    return Made(Validity.VALID, legal, found.play, found.result)
