"""What was measured on a pack, a line for each table and figure: what to base tolerances on, and which of them are far too wide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_UP, Context, Decimal
from typing import Final

import numpy as np

from reconcile.gap.tolerances import DEFAULT_TABLE
from reconcile.gap.verdict import OUTSIDE, WITHIN, Figure
from reconcile.scoring.findings import Finding, found

TOO_WIDE: Final = 10
"""How many times the widest gap measured a bound may be before it is told. An engine's noise rarely doubles from match to match, and
a bound of one more digit than anything seen notices nothing of what is seen."""
FEWEST: Final = 10
"""How many figures must have been measured before one says anything about a bound."""
SUGGESTED_DIGITS: Final = 2


@dataclass(frozen=True, slots=True)
class Sample:
    """A figure of a pack that may be measured."""

    match: str
    table: str
    """Empty where nothing judges it."""
    figure: Figure
    resolution: float = 0.0
    """Half of the last digit in which it was printed: no bound can be tighter."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The gaps of one figure under one table."""

    table: str
    metric: str
    """Or a share of it, `pr@engine`."""
    count: int
    widest: float
    """Largest gap without sign and without its known part."""
    percentile_95: float
    """95 of 100 gaps are no wider; one of those measured, not a value between two."""
    match: str
    player: str
    """Where the widest gap is."""
    tolerance: float | None
    """The widest bound that judged one of them, overrides apart; `None` where the table has none."""
    resolution: float

    @property
    def ratio(self) -> float | None:
        """How many times the widest gap is allowed; `None` without a bound or without a gap."""
        return self.tolerance / self.widest if self.tolerance is not None and self.widest else None

    @property
    def suggested(self) -> Decimal:
        """The widest gap, rounded up to two digits, or to half of the last printed digit: the tightest bound that would have passed."""
        widest = Decimal(repr(max(self.widest, self.resolution)))
        return Context(prec=SUGGESTED_DIGITS, rounding=ROUND_UP).plus(widest)


def half_a_digit(printed: str) -> float:
    """Half of the last digit of a number as printed: 0.005 for "0.39"; 0 for a count, which is exact."""
    exponent = Decimal(printed).as_tuple().exponent
    return float(Decimal(5).scaleb(exponent - 1)) if isinstance(exponent, int) and exponent < 0 else 0.0


def measured(samples: Iterable[Sample]) -> tuple[Measured, ...]:
    """The gaps by table and figure, in order of first appearance; incomplete figures are not measured."""
    groups: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in samples:
        if sample.figure.gap is not None and not sample.figure.coverage:
            groups[sample.table, sample.figure.name].append(sample)
    return tuple(_measured(table, name, group) for (table, name), group in groups.items())


def _measured(table: str, name: str, group: list[Sample]) -> Measured:
    gaps = np.array([abs(sample.figure.unexplained or 0.0) for sample in group])
    widest = group[int(gaps.argmax())]
    bounds = [_bound(sample.figure) for sample in group if table]
    return Measured(
        table=table,
        metric=name,
        count=len(group),
        widest=float(gaps.max()),
        percentile_95=float(np.percentile(gaps, 95, method="higher")),
        match=widest.match,
        player=widest.figure.player,
        tolerance=max((bound for bound in bounds if bound is not None), default=None),
        resolution=max(sample.resolution for sample in group),
    )


def _bound(figure: Figure) -> float | None:
    return figure.tolerance if figure.verdict in (WITHIN, OUTSIDE) and not figure.note.startswith("override") else None


def too_wide(rows: Iterable[Measured]) -> Iterator[Finding]:
    """A finding for each table with bounds far wider than anything measured."""
    wide: dict[str, list[Measured]] = defaultdict(list)
    for row in rows:
        if row.tolerance is not None and row.count >= FEWEST and row.tolerance > TOO_WIDE * max(row.widest, row.resolution):
            wide[row.table].append(row)
    for table, found_here in wide.items():
        worst = sorted(found_here, key=lambda row: (row.widest / (row.tolerance or 1.0), row.metric))
        cases = [f"{row.metric} allows {row.tolerance:g}, the widest of {row.count} gaps is {row.widest:.2g}" for row in worst[:3]]
        more = f"; {len(worst) - 3} more" if len(worst) > 3 else ""
        severity = "info" if table == DEFAULT_TABLE else None
        yield found("tolerance-too-wide", f"table {table}: {'; '.join(cases)}{more}", severity=severity)
