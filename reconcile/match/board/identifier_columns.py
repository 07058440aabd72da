"""XGIDs of many situations and keys of many positions at once: what `identifiers.xgid` and `position.position_id` give for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.match.board.identifiers import LARGEST_CUBE_OF_XG, XG_DOUBLED, letter
from reconcile.match.board.position import BAR, CHECKERS, KEY_BYTES

LARGEST_CUBE: Final = 1 << 15
_LETTERS: Final = np.frombuffer("".join(letter(count) for count in range(-CHECKERS, CHECKERS + 1)).encode(), np.uint8)
"""By the signed count, from -15 on."""

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class Situations:
    """Decisions as columns, in the deciders' views; the meaning of each is that of the field of `identifiers.Situation`."""

    position: Ints
    """Shape (rows, 26)."""
    dice: Ints
    """Shape (rows, 2)."""
    cube: Ints
    owner: Ints
    length: Ints
    """0 for money."""
    score: Ints
    """Shape (rows, 2): points won by (decider, opponent)."""
    rules: Ints
    """In a match 1 for the Crawford game; for money 1 Jacoby + 2 beavers."""
    double_offered: Bools
    decider_is_top: Bools

    def possible(self) -> Bools:
        """Whether each can be: what `identifiers.Situation` refuses cannot."""
        cube, owner = self.cube, self.owner
        rolled = (self.dice != 0).any(axis=1)
        dice = ((self.dice >= 1) & (self.dice <= 6)).all(axis=1) & ~self.double_offered
        possible = possible_positions(self.position)
        possible &= (cube >= 1) & (cube & (cube - 1) == 0) & (cube <= LARGEST_CUBE) & (dice | ~rolled)
        possible &= (np.abs(owner) <= 1) & ~(self.double_offered & (owner == 1))
        return possible & ((self.score >= 0) & (self.score < 1 << 15)).all(axis=1)


def possible_positions(positions: Ints) -> Bools:
    """Whether each can be, shape (rows, 26): at most 15 checkers a player, and on each bar only its owner's."""
    own, other = np.maximum(positions, 0).sum(axis=1), np.minimum(positions, 0).sum(axis=1)
    possible: Bools = (positions[:, 0] <= 0) & (positions[:, BAR] >= 0) & (own <= CHECKERS) & (other >= -CHECKERS)
    return possible


def position_keys(positions: Ints) -> npt.NDArray[np.uint8]:
    """The ten bytes of the Position ID of every possible position, shape (rows, 10)."""
    checkers = np.maximum(np.concatenate((-positions[:, BAR - 1 :: -1], positions[:, 1:]), axis=1), 0)
    ends = np.cumsum(checkers + 1, axis=1, dtype=np.int16) - 1  # the zero after the ones of each place
    bits = np.arange(8 * KEY_BYTES) < ends[:, -1:]
    np.put_along_axis(bits, ends, values=False, axis=1)
    return np.packbits(bits, axis=1, bitorder="little")


def xgids(rows: Situations) -> list[str | None]:
    """The XGID of every row; `None` for a situation that cannot be, as in a damaged game."""
    possible = rows.possible()
    top = rows.decider_is_top
    position = np.where(top[:, np.newaxis], -rows.position[:, ::-1], rows.position)
    boards = _LETTERS[np.where(possible[:, np.newaxis], position, 0) + CHECKERS].tobytes().decode("ascii")
    side = np.where(top, -1, 1)
    columns = (
        (np.frexp(rows.cube)[1] - 1),
        side * rows.owner,
        np.where(top != rows.double_offered, -1, 1),
        rows.dice.max(axis=1) * 10 + rows.dice.min(axis=1),
        np.where(top, rows.score[:, 1], rows.score[:, 0]),
        np.where(top, rows.score[:, 0], rows.score[:, 1]),
        rows.rules,
        rows.length,
    )
    found: list[str | None] = []
    width = position.shape[1]
    given = zip(possible.tolist(), rows.double_offered.tolist(), *(column.tolist() for column in columns), strict=True)
    for at, (can_be, offered, cube, owner, turn, dice, bottom, above, rules, length) in enumerate(given):
        board = boards[at * width : (at + 1) * width]
        roll = XG_DOUBLED if offered else f"{dice:02}"
        text = f"XGID={board}:{cube}:{owner}:{turn}:{roll}:{bottom}:{above}:{rules}:{length}:{LARGEST_CUBE_OF_XG}"
        found.append(text if can_be else None)
    return found
