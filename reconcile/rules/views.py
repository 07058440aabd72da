"""The columns that rules use, with cube values converted to equities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from reconcile.match.columns import Bools, Cubes, Floats, Ints, Kind
from reconcile.match.values import Value

DIGITS = 4
"""Of an equity in GammonView's own format."""
NO_ERROR = 0.001
"""EMG; to GammonView a cube decision that cost less has no error."""


@dataclass(frozen=True, eq=False)
class CubeView(Value):
    """Cube rows in equities (EMG, player on roll's view), as the rules of cube decisions need them.

    All columns have the rows of `Match.cubes`; NaN where not analysed. Comparisons with NaN are
    false. What follows from the three equities is computed when a rule needs it.
    """

    no_double: Floats
    double_take: Floats
    double_pass: Floats
    access: Bools
    """Whether a double was allowed, as Q14 answers it."""
    cubes: Cubes
    """The rows as the file has them."""
    find_play_counts: Callable[[], Bools] = field(repr=False, compare=False)
    """Finds `play_counts`."""

    def __reduce__(self) -> tuple[Any, ...]:
        columns = self.no_double, self.double_take, self.double_pass, self.access
        return type(self), (*columns, self.cubes, partial(np.asarray, self.play_counts))

    @property
    def kind(self) -> Ints:
        """`Kind` of each row."""
        return self.cubes.kind

    @property
    def acted(self) -> Bools:
        """Whether the row is a double, take or pass, and not a turn without a double."""
        acted: Bools = self.kind != Kind.NO_DOUBLE.value
        return acted

    @cached_property
    def play_counts(self) -> Bools:
        """Whether the play of the same roll counts, as Q01 answers it."""
        return self.find_play_counts()

    @cached_property
    def least(self) -> Floats:
        """The equity of a double: the opponent chooses the smaller of double/take and
        double/pass."""
        return np.minimum(self.double_take, self.double_pass)

    @cached_property
    def best(self) -> Floats:
        """Equity of the right cube action; that of no double if doubling was not allowed."""
        return np.where(self.access & (self.least >= self.no_double), self.least, self.no_double)

    @cached_property
    def rounded(self) -> tuple[Floats, Floats, Floats]:
        """No double, double/take and double/pass to the ten-thousandth, as GammonView keeps them of
        a turn without a double."""
        no_double, double_take, double_pass = (
            np.round(equity.astype(float), DIGITS)
            for equity in (self.no_double, self.double_take, self.double_pass)
        )
        return no_double, double_take, double_pass
