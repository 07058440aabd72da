"""A position as 26 signed counts in one player's view, and its spelling as a gnuBG Position ID.

The player whose view it is ("own") has positive counts: index 0 is the opponent's bar (<= 0), 1..24
are the points in this player's numbering, from the ace point, 25 is this player's bar (>= 0).
Missing checkers are borne off. Functions accept NumPy rows as well as tuples and return tuples of
`int`, which can be compared and hashed. An impossible position or text raises `ValueError`.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Counts = tuple[int, ...]
Position = Sequence[int] | npt.NDArray[np.integer[Any]]
"""Any sequence of the 26 counts."""

PLACES = 26
BAR = 25
"""Index of the own bar; as the start of a move, the bar."""
CHECKERS = 15
"""Checkers of each player, except in hypergammon."""


def _start(own: Mapping[int, int]) -> Counts:
    """A first position, the same for both players, from the own checkers by point."""
    return tuple(own.get(place, 0) - own.get(BAR - place, 0) for place in range(PLACES))


START = _start({24: 2, 13: 5, 8: 3, 6: 5})
NACKGAMMON = _start({24: 2, 23: 2, 13: 4, 8: 3, 6: 4})
HYPERGAMMON: dict[int, Counts] = {
    checkers: _start(dict.fromkeys(range(BAR - checkers, BAR), 1)) for checkers in (1, 2, 3)
}
"""By the number of checkers of each player."""
STARTS: dict[str, Counts] = {
    "backgammon": START,
    "nackgammon": NACKGAMMON,
    "longgammon": _start({24: 15}),
    **{f"hypergammon{checkers}": start for checkers, start in HYPERGAMMON.items()},
}
"""By the name of the variation."""

KEY_BYTES = 10
POSITION_ID_LENGTH = 14
_HALF_PLACES = 25


def counts(position: Position) -> Counts:
    """The position as a plain tuple of `int`."""
    if isinstance(position, tuple) and {*map(type, position)} == {int}:  # nearly always the case
        plain = position
    else:
        plain = (
            tuple(map(int, position))
            if isinstance(position, (list, tuple, Sequence))
            else tuple(position.tolist())
        )
    if len(plain) != PLACES:
        raise ValueError(f"a position has {PLACES} counts, not {len(plain)}")
    return plain


def checkers_of(variation: str) -> int:
    """The checkers of each player in a variation; in one that is not known as in backgammon."""
    return sum(count for count in STARTS.get(variation, START) if count > 0)


def checked(position: Position, checkers: int = CHECKERS) -> Counts:
    """The same. Raises `ValueError` if a bar has the wrong player's checkers or a player has more
    than `checkers`."""
    plain = counts(position)
    if plain[0] > 0 or plain[BAR] < 0:
        raise ValueError(
            f"a bar has the other player's checkers: {plain[0]} on the opponent's, {plain[BAR]} on "
            "the own"
        )
    if min(borne_off(plain, checkers)) < 0:
        raise ValueError(f"a player has more than {checkers} checkers")
    return plain


def swap(position: Position) -> Counts:
    """The same position in the other player's view."""
    return tuple([-count for count in reversed(counts(position))])


def borne_off(position: Position, checkers: int = CHECKERS) -> tuple[int, int]:
    """Checkers borne off, (own, opponent), of `checkers` each."""
    plain = counts(position)
    own = sum([count for count in plain if count > 0])
    return checkers - own, checkers - own + sum(plain)


def size_of_win(loser: Position, checkers: int = CHECKERS, *, gammons: bool = True) -> int:
    """What bearing off the last checker wins, in cubes: 1, a gammon 2, a backgammon 3.

    `loser` is the position in the loser's view. Without `gammons` a game is one, as by the Jacoby
    rule before a double.
    """
    plain = counts(loser)
    if not gammons or borne_off(plain, checkers)[0] > 0:
        return 1
    return 3 if any(count > 0 for count in plain[19:]) else 2


def pip_count(position: Position) -> tuple[int, int]:
    """Pips still to go, (own, opponent); a checker on the bar has 25."""
    own = opponent = 0
    for place, count in enumerate(counts(position)):
        if count > 0:
            own += place * count
        else:
            opponent -= (BAR - place) * count
    return own, opponent


def position_id(position: Position) -> str:
    """gnuBG's Position ID (14 characters) with the own player on roll."""
    key = position_keys(np.array([checked(position)]))
    return b64encode(key.tobytes()).decode("ascii").rstrip("=")


def possible_positions(positions: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Whether each can be, shape (rows, 26): at most 15 checkers a player, and on each bar only its
    owner's."""
    own, other = np.maximum(positions, 0).sum(axis=1), np.minimum(positions, 0).sum(axis=1)
    possible: npt.NDArray[np.bool_] = (
        (positions[:, 0] <= 0) & (positions[:, BAR] >= 0) & (own <= CHECKERS) & (other >= -CHECKERS)
    )
    return possible


_FIRST, _SECOND, _THIRD = np.indices((16,) * 3, np.uint64).reshape(3, -1)
_ONES = (np.uint64(1) << np.arange(16, dtype=np.uint64)) - np.uint64(1)
_RUNS = (
    _ONES[_FIRST]
    | _ONES[_SECOND] << _FIRST + np.uint64(1)
    | _ONES[_THIRD] << _FIRST + _SECOND + np.uint64(2)
)
"""What three places are in a key, by their counts, four bits each: a bit for every checker, and a
zero after those of each place."""
_SIZES = _FIRST + _SECOND + _THIRD + np.uint64(3)


def position_keys(positions: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The ten bytes of the Position ID of every possible position, shape (rows, 10).

    The 80 bits of the key, lowest bit of each byte first, contain two halves of 25 places: the
    player NOT on roll, then the player on roll, each from that player's ace point to the bar; n
    checkers are n ones and a zero. The ID is the ten bytes in base 64. Source: gnuBG's manual, "A
    technical description of the Position ID".
    """
    places = np.zeros((27, 2, len(positions)), np.int16)  # of each side, with two that do not exist
    places[:BAR] = np.maximum(
        np.stack((-positions[:, BAR - 1 :: -1].T, positions[:, 1:].T), axis=1), 0
    )
    bits, size = np.zeros((2, 2, len(positions)), np.uint64)
    for three in places[::3] << 8 | places[1::3] << 4 | places[2::3]:
        bits |= _RUNS.take(three) << size
        size += _SIZES.take(three)
    size -= 2
    keys = np.empty(len(positions), [("low", "<u8"), ("high", "<u2")])
    keys["low"], keys["high"] = bits[0] | bits[1] << size[0], bits[1] >> np.uint64(64) - size[0]
    return keys.view(np.uint8).reshape(-1, KEY_BYTES)


def from_position_id(text: str) -> Counts:
    """The position of a Position ID in the view of the player on roll."""
    try:
        if len(text) != POSITION_ID_LENGTH:
            raise ValueError
        bits = int.from_bytes(b64decode(text + "==", validate=True), "little")
    except ValueError:
        raise ValueError(
            f"a Position ID is {POSITION_ID_LENGTH} characters of base 64, not {text!r}"
        ) from None
    halves = [0] * (2 * _HALF_PLACES)
    for place in range(2 * _HALF_PLACES):
        while bits & 1:
            halves[place] += 1
            bits >>= 1
        bits >>= 1
    waiting, rolling = halves[:_HALF_PLACES], halves[_HALF_PLACES:]
    position = [-count for count in reversed(waiting)] + [0]
    for place, count in enumerate(rolling, start=1):
        if count and position[place]:
            raise ValueError(f"{text!r} puts both players on point {place}")
        position[place] += count
    if bits or sum(waiting) > CHECKERS or sum(rolling) > CHECKERS:
        raise ValueError(f"{text!r} has more than {CHECKERS} checkers of a player")
    return tuple(position)
