"""What a written play does to a position: whether the dice allow it, and what the position is afterwards.

Transcripts differ in how much of a play they write: some mark hits, some only the last one, some none; a checker's
way may be written as one step or as several. So a play is legal when it leads where a legal play leads.
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
    """Number of different positions the roll can lead to, as `Plays.legal` has it."""
    play: Play
    after: Counts
    """The mover's view; after a play that is not legal, what could be carried out of it."""


def make(board: Counts, dice: tuple[int, int], text: str, *, last: bool, effort: Effort | None = None) -> Made:
    """Make the play that is written as `text`; `last` tells that nothing but the result of the game follows."""
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
