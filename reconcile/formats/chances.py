"""Chances of winning, of gammons and of backgammons: win, win gammon, win backgammon, lose gammon,
lose backgammon, each gammon including backgammons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from reconcile.match.columns import WIDTHS, Bools, Floats

UNKNOWN_CHANCES: Final = (float("nan"),) * 5
OPPONENT: Final = [0, 3, 4, 1, 2]
"""Where the chances of one player are among those of the other; of the first, what is left of 1."""


def turned(chances: npt.NDArray[np.floating], rows: Bools) -> Floats:
    """Chances of cube decisions, shape (rows, 2, 5), in the other player's view for some rows."""
    other = chances[..., OPPONENT]
    other[..., 0] = 1 - other[..., 0]
    return np.where(rows[:, None, None], other, chances)


def cube_chances(pairs: Sequence[Sequence[Sequence[float]]]) -> npt.NDArray[np.float64]:
    """The column of `Cubes`, from the chances of no double, and of double and take, of every
    row."""
    return np.array(pairs, np.float64).reshape(-1, *WIDTHS["chances"])
