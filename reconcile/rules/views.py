"""The columns that rules look at, with cube values turned into equities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reconcile.match import Bools, Floats, Ints


@dataclass(frozen=True, slots=True)
class CubeView:
    """Cube rows in equities (EMG, player on roll's view), as the rules of cube decisions need them.

    All columns have the rows of `Match.cubes`; NaN where not analysed. Comparisons with NaN are false.
    """

    no_double: Floats
    double_take: Floats
    double_pass: Floats
    access: Bools
    """Whether a double was allowed, as Q14 answers it."""
    least: Floats
    """What a double is worth: the opponent chooses the smaller of double/take and double/pass."""
    best: Floats
    """Equity of the right cube action; that of no double where no double was allowed."""
    stored_error: Floats
    """Equity lost as the tool stored it, NaN where it stored none."""
    flag: Ints
    """The file's own mark of a no-double, see `Cubes.flag`."""


def cube_view(
    no_double: Floats,
    double_take: Floats,
    double_pass: Floats,
    access: Bools,
    stored_error: Floats | None = None,
    flag: Ints | None = None,
) -> CubeView:
    """Add what follows from the three equities; no stored errors are NaN, no marks are -1."""
    least = np.minimum(double_take, double_pass)
    best = np.where(access & (least >= no_double), least, no_double)
    stored = np.full(len(no_double), np.nan) if stored_error is None else stored_error
    marks = np.full(len(no_double), -1) if flag is None else flag
    return CubeView(no_double, double_take, double_pass, access, least, best, stored, marks)
