"""Keys of gnuBG's benchmark databases, and gnuBG's class of a position.

A key is the ten bytes of a Position ID as 20 letters A to P, high half first, and has a player on
roll: before a roll the mover, after a play the opponent.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable

from reconcile.match.board.play import LegalPlay
from reconcile.match.board.position import (
    KEY_BYTES,
    Counts,
    Position,
    from_position_id,
    position_id,
    swap,
)

KEY_LETTERS = 2 * KEY_BYTES
_LETTERS = "ABCDEFGHIJKLMNOP"
CLASSES = ("contact", "crashed", "race")
_ACTIVE = 6
"""A side with no more active checkers is crashed. Source: gnuBG 1.07.001, `ClassifyPosition`."""


def position_key(position: Position) -> str:
    """The key of a position, the own player on roll; gnuBG accepts the letters in `set board`."""
    key = b64decode(position_id(position) + "==")
    return "".join([_LETTERS[byte >> 4] + _LETTERS[byte & 15] for byte in key])


def from_position_key(text: str) -> Counts:
    """The position of a key in the view of the player on roll. Raises `ValueError`."""
    digits = [_LETTERS.find(letter) for letter in text]
    if len(digits) != KEY_LETTERS or min(digits) < 0:
        raise ValueError(f"a benchmark key is {KEY_LETTERS} letters A-P, not {text!r}")
    key = bytes([high << 4 | low for high, low in zip(digits[::2], digits[1::2], strict=True)])
    return from_position_id(b64encode(key).decode("ascii").rstrip("="))


def result_key(result: Counts) -> str:
    """The key of a position after a play, in the view of the player who moved."""
    return position_key(swap(result))


def result_keys(plays: Iterable[LegalPlay]) -> dict[str, LegalPlay]:
    """Legal plays by the key of their result, as a benchmark file has it."""
    return {result_key(play.result): play for play in plays}


def position_class(position: Counts) -> str | None:
    """gnuBG's class of a position, its bearoff classes as `race`; `None` when the game is over.

    In a race the hindmost checkers have passed each other. Otherwise a side with at most six active
    checkers is crashed: those on the ace point do not count if there are several, nor those on the
    two point, apart from one spare there. Source: gnuBG 1.07.001, `ClassifyPosition` in eval.c.
    """
    sides = [[max(count, 0) for count in view[1:]] for view in (position, swap(position))]
    if not all(map(any, sides)):
        return None
    hindmost = [max(place for place, count in enumerate(side, 1) if count) for side in sides]
    if sum(hindmost) < len(sides[0]):
        return "race"
    return "crashed" if any(map(_is_crashed, sides)) else "contact"


def _is_crashed(side: list[int]) -> bool:
    total, ace, two = sum(side), side[0], side[1]
    if total <= _ACTIVE:
        return True
    if ace > 1:
        return total <= _ACTIVE + ace or (two > 1 and 1 + total - (ace + two) <= _ACTIVE)
    return total <= _ACTIVE + two - 1
