"""Checks that a table read from a file is possible: its chances fall with the points still needed, and those of both players add up to 1.

In any other an equity has no meaning: an error would gain winning chances, or nothing would be at stake at a score.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from reconcile.errors import At, UnreadableFile
from reconcile.match.met.assembly import Listed, TableFile
from reconcile.match.met.table import Met

ROUNDING: Final = 0.005
"""How far both players' chances at one score may be from 1 together. Measured in the tables of gnuBG 1.07: `ortega`, which lists tenths of
a percent, is off by 0.002 at four scores; the others are exact, but for jac050 and jac100, which are for unequal players."""
DECIDED: Final = 0.01
"""A chance of so little, or of so little less than 1, may be rounded to that of a better score. In jac050 and jac100 all that is 0.999."""
SLACK: Final = 1e-9
"""Of the sum of two decimal fractions."""


def check(path: str, file: TableFile, met: Met) -> None:
    """Raise `UnreadableFile` unless the table is one of a game that both players want to win."""
    post = file["post_crawford"]
    unequal = "both" not in post
    if not isinstance(file["pre_crawford"], Mapping):
        chances = np.array(file["pre_crawford"], float)
        _check_falling(path, chances)
        if not unequal:
            _check_sums(path, chances)
        _check_stakes(path, met.listed)
    for player, listed in post.items():
        if not isinstance(listed, Mapping):
            _check_trailer(At(path, key=f"post-Crawford table {player}"), listed)
    trailers = [row for row in (post.get("0", post.get("both")), post.get("1", post.get("both"))) if row and not isinstance(row, Mapping)]
    if len(trailers) == 2 and not _is_one(even := trailers[0][0] + trailers[1][0]):
        _refuse(At(path, key="post-Crawford table: figure 1"), "both players' chances at 1-away each to add up to 1", f"{even:g}")
    beyond = met.post[~((met.post > 0) & (met.post < 1))]
    if len(beyond):
        _refuse(At(path, key="post-Crawford table"), "chances between 0 and 1 at every score", f"{beyond[0]:g}")


def _refuse(where: At, expected: str, found: str) -> NoReturn:
    raise UnreadableFile(f"expected {expected}, found {found}; correct the file or use the name of a known table", where)


def _is_one(both: float) -> bool:
    return abs(both - 1) <= ROUNDING + SLACK


def _check_falling(path: str, chances: NDArray[np.float64]) -> None:
    """A row down a player needs one point more, a column to the right the opponent does."""
    for axis, away, change in ((0, "player", "higher"), (1, "opponent", "lower")):
        step = np.diff(chances, axis=axis) * (1 if axis == 0 else -1)
        if (step > 0).any():
            row, column = (int(index) for index in np.argwhere(step > 0)[0])
            before = chances[row, column]
            row, column = row + (axis == 0), column + (axis == 1)
            expected = f"a chance not {change} than {before:g}, that of the score where the {away} needs one point less"
            _refuse(_place(path, row, column), expected, f"{chances[row, column]:g}")


def _check_sums(path: str, chances: NDArray[np.float64]) -> None:
    """Where one table serves both players, what one wins the other loses."""
    for row, column in np.argwhere(np.abs(chances + chances.T - 1) > ROUNDING + SLACK).tolist():
        other = f"row {column + 1}, figure {row + 1}"
        expected = f"{1 - chances[column, row]:g}, since the opponent has {chances[column, row]:g} ({other}), to within {ROUNDING:g}"
        _refuse(_place(path, row, column), expected, f"{chances[row, column]:g}")


def _check_stakes(path: str, listed: NDArray[np.float32]) -> None:
    """A point won leads to a better score than a point lost, unless the match is as good as decided."""
    chances = np.pad(listed, ((1, 0), (1, 0)))
    chances[0] = 1
    after = chances[:-1, 1:]
    for row, column in np.argwhere((after <= chances[1:, :-1]) & (after > DECIDED) & (after < 1 - DECIDED)).tolist():
        won, lost = chances[row, column + 1], chances[row + 1, column]
        expected = "the player to have more after winning a point than after losing one"
        _refuse(_place(path, row, column), expected, f"{won:g} and {lost:g}")


def _check_trailer(where: At, listed: Listed) -> None:
    """The chances of the trailer, who needs one point more with every figure."""
    for index, (before, chance) in enumerate(pairwise(listed), 2):
        if chance > before:
            _refuse(where.under(f"figure {index}"), f"a chance not higher than {before:g}, that of one point less to go", f"{chance:g}")


def _place(path: str, row: int, column: int) -> At:
    return At(path, key=f"pre-Crawford table: row {row + 1}, figure {column + 1}")
