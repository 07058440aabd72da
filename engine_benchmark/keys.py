"""Keys and positions of many lines at once, and gnuBG's class of a position.

A key is the ten bytes of a Position ID, see `reconcile.match.board.position`; here they are rows of `uint8`, positions are rows of
26 counts in the view of the player on roll. After a play the opponent is on roll: the key of a result is that of the swapped position.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from reconcile.match.board.play import LegalPlay
from reconcile.match.board.position import (
    CHECKERS,
    KEY_BYTES,
    PLACES,
    Counts,
    Position,
    from_position_id,
    position_id,
    swap,
)

Keys = npt.NDArray[np.uint8]
"""(n, 10): the bytes of the keys."""
Boards = npt.NDArray[np.int8]
"""(n, 26): counts in the view of the player on roll."""

KEY_LETTERS: Final = 2 * KEY_BYTES
_LETTERS: Final = "ABCDEFGHIJKLMNOP"
CLASSES: Final = ("contact", "crashed", "race", "over")
"""The classes that `classes` distinguishes; each published database contains one of the first three."""
CONTACT, CRASHED, RACE, OVER = range(len(CLASSES))
_HALF: Final = 25
_BITS: Final = 8 * KEY_BYTES
_BLOCK: Final = 4096
"""Keys that are decoded at once."""
_ACTIVE: Final = 6
"""gnuBG 1.07.001, `ClassifyPosition` in eval.c: a side with no more than this many active checkers is crashed."""


def position_key(position: Position) -> str:
    """The key of gnuBG's benchmark databases: the bytes of the Position ID as 20 letters A-P, high half first.

    The own player is on roll. Source: `sagnubg`, whose databases these are; gnuBG 1.07 accepts the letters in `set board`.
    """
    key = b64decode(position_id(position) + "==")
    return "".join([_LETTERS[byte >> 4] + _LETTERS[byte & 15] for byte in key])


def from_position_key(text: str) -> Counts:
    """The position of a 20-letter key in the view of the player on roll. Raises `ValueError`."""
    digits = [_LETTERS.find(letter) for letter in text]
    if len(digits) != KEY_LETTERS or min(digits) < 0:
        raise ValueError(f"a benchmark key is {KEY_LETTERS} letters A-P, not {text!r}")
    key = bytes([high << 4 | low for high, low in zip(digits[::2], digits[1::2], strict=True)])
    return from_position_id(b64encode(key).decode("ascii").rstrip("="))


def from_letters(letters: bytes) -> Keys:
    """The keys from their concatenated letters. Raises `ValueError` for letters other than A-P."""
    digits = np.frombuffer(letters, np.uint8) - np.uint8(ord("A"))
    if len(letters) % KEY_LETTERS or (digits > 15).any():
        raise ValueError(f"a benchmark key is {KEY_LETTERS} letters A-P")
    pairs = digits.reshape(-1, KEY_BYTES, 2)
    keys: Keys = np.bitwise_or(pairs[:, :, 0] << 4, pairs[:, :, 1])
    return keys


def to_letters(keys: Keys) -> list[str]:
    """The keys as 20 letters each."""
    digits = np.empty((len(keys), KEY_BYTES, 2), np.uint8)
    digits[:, :, 0], digits[:, :, 1] = keys >> 4, keys & 15
    text = (digits + np.uint8(ord("A"))).tobytes().decode("ascii")
    return [text[start : start + KEY_LETTERS] for start in range(0, len(text), KEY_LETTERS)]


def boards_of(keys: Keys) -> tuple[Boards, npt.NDArray[np.bool_]]:
    """The positions of keys, and which are possible: no place with both players, no player with more than 15 checkers."""
    if len(keys) > _BLOCK:
        blocks = [boards_of(keys[start : start + _BLOCK]) for start in range(0, len(keys), _BLOCK)]
        return np.concatenate([boards for boards, _ in blocks]), np.concatenate(
            [can_be for _, can_be in blocks]
        )
    bits = np.unpackbits(keys, axis=1, bitorder="little").astype(bool)
    place = np.cumsum(~bits, axis=1, dtype=np.int32)
    beyond = bits & (place >= 2 * _HALF)
    row = np.broadcast_to(np.arange(len(keys), dtype=np.int32)[:, None], bits.shape)
    inside = bits & ~beyond
    flat = np.bincount((row * 2 * _HALF + place)[inside], minlength=len(keys) * 2 * _HALF)
    halves = flat.reshape(len(keys), 2, _HALF).astype(np.int8)
    boards = np.zeros((len(keys), PLACES), np.int8)
    boards[:, :_HALF] -= halves[:, 0, ::-1]
    boards[:, 1:] += halves[:, 1]
    shared = (halves[:, 0, ::-1][:, 1:] > 0) & (halves[:, 1, :-1] > 0)
    can_be = (
        ~beyond.any(axis=1) & (halves.sum(axis=2) <= CHECKERS).all(axis=1) & ~shared.any(axis=1)
    )
    return boards, can_be


def swapped(boards: Boards) -> Boards:
    """The positions in the other player's view."""
    return -boards[:, ::-1]


def result_keys(plays: Iterable[LegalPlay]) -> dict[str, LegalPlay]:
    """Legal plays by the key of their result, as written in a benchmark file."""
    return {result_key(play.result): play for play in plays}


def result_key(result: Counts) -> str:
    """The key of a position after a play, given in the view of the player who moved."""
    return position_key(swap(result))


def classes(boards: Boards) -> npt.NDArray[np.uint8]:
    """gnuBG's class of each position, as an index into `CLASSES`; its four kinds of bearoff positions are races here.

    In a race the hindmost checkers have passed each other. Otherwise a side with at most six active checkers is crashed: those on
    the ace point do not count if there are several, nor those on the two point, apart from one spare there; without several on
    the ace point all but one on the two point are dead. Source: gnuBG 1.07.001, `ClassifyPosition` in eval.c.
    """
    sides = np.maximum(boards[:, 1:], 0), np.maximum(swapped(boards)[:, 1:], 0)
    hindmost = [
        np.where(side.any(axis=1), _HALF - np.argmax(side[:, ::-1] > 0, axis=1), 0)
        for side in sides
    ]
    crashed = np.zeros(len(boards), bool)
    for side in sides:
        total, ace, two = (
            side.sum(axis=1, dtype=np.int64),
            side[:, 0].astype(np.int64),
            side[:, 1].astype(np.int64),
        )
        heavy = (total <= _ACTIVE + ace) | ((1 + total - (ace + two) <= _ACTIVE) & (two > 1))
        crashed |= (total <= _ACTIVE) | np.where(ace > 1, heavy, total <= _ACTIVE + two - 1)
    found = np.where(crashed, CRASHED, CONTACT)
    found[hindmost[0] + hindmost[1] <= _HALF - 1] = RACE
    found[(hindmost[0] == 0) | (hindmost[1] == 0)] = OVER
    return found.astype(np.uint8)
