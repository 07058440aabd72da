"""A match equity table and its lookup."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reconcile.match.met.extension import LONGEST_MATCH, projected_chances
from reconcile.match.values import Value

_KEPT = 64
"""Tables whose arrays stay in memory; the matches of an archive may each show one of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Met(Value):
    """The chance of winning the match at every score. Player 0 is gnuBG's player 0: White, `PW` in
    a file."""

    name: str
    """The stem of the file, as used by gnuBG and the command line."""
    title: str
    """The name inside the file."""
    source: str
    explicit_length: int | None
    """Points of the longest match that the file lists; `None` if it has only parameters."""
    listed: NDArray[np.float32]
    """The pre-Crawford chances listed in the file, `explicit_length` rows and columns."""
    post: NDArray[np.float32]
    """`post[p, a - 1]`: chance of player `p`, who trails and is `a` away, against 1-away after the
    Crawford game."""

    is_partial: bool = False
    """Whether some scores are unknown (NaN)."""

    def __repr__(self) -> str:
        return f"<Met {self.name}>"

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def pre(self) -> NDArray[np.float32]:
        """`pre[a - 1, b - 1]`: chance of player 0, `a` away against `b`; 1-away means that the
        Crawford game is next.

        Beyond the listed scores gnuBG projects. A table of parameters lists none, and so `zadeh`
        and `mec` are the same table before the Crawford game: gnuBG computes their formulas and
        then overwrites the results.
        """
        return _pre(self)

    def chance(
        self, away0: ArrayLike, away1: ArrayLike, post_crawford: ArrayLike
    ) -> NDArray[np.float32]:
        """Return player 0's chance of winning the match when the players are `away0` and `away1`
        points away.

        Zero or less means that this player has won. `post_crawford` says whether the next game
        comes after the Crawford game. The arguments broadcast against each other, and may be whole
        numbers as well as arrays.

        Raises:
            ValueError: a player is more than 64 away, or both have won.
        """
        points0 = np.maximum(away0, 0, dtype=np.intp)
        points1 = np.maximum(away1, 0, dtype=np.intp)
        farther = np.maximum(points0, points1)
        farthest = int(farther.max(initial=0))
        if farthest > LONGEST_MATCH:
            raise ValueError(
                f"score: a player is {farthest} points away, expected at most {LONGEST_MATCH}"
            )
        if farther.min(initial=1) < 1:
            raise ValueError("score: both players have won the match")
        # Projecting costs more than reading a table, and most matches do not need it.
        chances = _lookup(
            self, extended=self.explicit_length is None or farthest > self.explicit_length
        )
        side = chances.shape[1]
        index = np.asarray(post_crawford, np.bool_) * (side * side) + points0 * side + points1
        looked_up: NDArray[np.float32] = chances.ravel().take(index)
        return looked_up


@lru_cache(_KEPT)
def _pre(met: Met) -> NDArray[np.float32]:
    """Overwrite the projected chances with the listed ones."""
    chances = projected_chances().copy()
    chances[: len(met.listed), : len(met.listed)] = met.listed
    chances.flags.writeable = False
    return chances


@lru_cache(_KEPT)
def _lookup(met: Met, *, extended: bool) -> NDArray[np.float32]:
    """Return chances by [post-Crawford, away of player 0, away of player 1], where 0 away has
    won."""
    pre = met.pre if extended else met.listed
    size = len(pre)
    chances = np.empty((2, size + 1, size + 1), np.float32)
    chances[0, 1:, 1:] = pre
    # gnuBG checks player 0 first, so at 1-away each it is player 1 who "trails".
    chances[1, 1:, 1:] = met.post[0, :size, np.newaxis]
    chances[1, 1, 1:] = np.float32(1) - met.post[1, :size]
    chances[:, :, 0] = 0
    chances[:, 0, :] = 1
    return chances
