"""The columns that rules use, with cube values converted to equities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reconcile.columns import Bools, Floats, Ints


@dataclass(frozen=True)
class CubeView:
    """Cube rows in equities (EMG, player on roll's view), as the rules of cube decisions need them.

    All columns have the rows of `Match.cubes`; NaN where not analysed. Comparisons with NaN are false. What follows from the three
    equities is computed when a rule needs it.
    """

    no_double: Floats
    double_take: Floats
    double_pass: Floats
    access: Bools
    """Whether a double was allowed, as Q14 answers it."""
    stored_error: Floats
    """Equity lost as stored by the tool, NaN if it stored none."""
    flag: Ints
    """The file's own mark of a no-double, see `Cubes.flag`."""
    find_play_counts: Callable[[], Bools]
    """Finds `play_counts`."""

    @cached_property
    def play_counts(self) -> Bools:
        """Whether the play of the same roll counts, as Q01 answers it."""
        return self.find_play_counts()

    @cached_property
    def least(self) -> Floats:
        """The equity of a double: the opponent chooses the smaller of double/take and double/pass."""
        return np.minimum(self.double_take, self.double_pass)

    @cached_property
    def best(self) -> Floats:
        """Equity of the right cube action; that of no double if doubling was not allowed."""
        return np.where(self.access & (self.least >= self.no_double), self.least, self.no_double)
