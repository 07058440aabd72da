"""The gaps measured on a pack, one row per table and figure: a basis for tolerances, and a check for those far too wide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_UP, Context, Decimal
from typing import TYPE_CHECKING, Final

import numpy as np

from reconcile.files.output import legal_stem
from reconcile.gap.tolerances import DEFAULT_TABLE
from reconcile.gap.verdict import DECIDED, INCOMPLETE, UNGATED, Figure
from reconcile.scoring.findings import Finding, new_finding

if TYPE_CHECKING:
    from reconcile.gate.pack_results import PackResult

TOO_WIDE: Final = 10
"""A bound more than this many times the widest measured gap is reported. An engine's noise rarely doubles from match to match, and a
bound ten times wider than anything measured catches nothing."""
FEWEST: Final = 10
"""How many figures must be measured before a bound is called too wide."""
SUGGESTED_DIGITS: Final = 2


@dataclass(frozen=True, slots=True)
class Sample:
    """A figure of a pack that can be measured."""

    match: str
    table: str
    """Empty if no table judges it."""
    figure: Figure
    resolution: float = 0.0
    """Half of the last printed digit: no bound can be tighter."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The gaps of one figure under one table."""

    table: str
    metric: str
    """Or a share of a metric, for example `pr@engine`."""
    count: int
    """How many figures."""
    matches: int
    """Of how many matches."""
    widest: float
    """Largest absolute gap, without its known part."""
    percentile_95: float
    """95 of 100 gaps are no wider than this one; a measured gap, not an interpolated value."""
    match: str
    player: str
    """Where the widest gap is."""
    tolerance: float | None
    """The widest bound that judged one of them, overrides excluded; `None` if the table has none."""
    resolution: float

    @property
    def ratio(self) -> float | None:
        """The bound divided by the widest gap; `None` without a bound or a gap."""
        return self.tolerance / self.widest if self.tolerance is not None and self.widest else None

    @property
    def is_exact(self) -> bool:
        """Whether no gap is wider than half of the last printed digit."""
        return "@" not in self.metric and self.widest <= self.resolution * (1 + 1e-9)

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
    bounds = [one.figure.tolerance for one in group if table and one.figure.verdict in DECIDED and not one.figure.overridden]
    return Measured(
        table=table,
        metric=name,
        count=len(group),
        matches=len({sample.match for sample in group}),
        widest=float(gaps.max()),
        percentile_95=float(np.percentile(gaps, 95, method="higher")),
        match=widest.match,
        player=widest.figure.player,
        tolerance=max((bound for bound in bounds if bound is not None), default=None),
        resolution=max(sample.resolution for sample in group),
    )


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
        yield new_finding(
            "tolerance-too-wide", f"table {table}: {'; '.join(cases)}{more}", severity="info" if table == DEFAULT_TABLE else None
        )


def candidate_samples(result: PackResult) -> Iterator[Sample]:
    """Every gap of a program under test that can be measured, for a table that is named after the program.

    `result` is judged by the table `printed`, which bounds every figure by the precision with which it is given. Synthetic matches are
    left out.
    """
    for match in result.matches:
        for candidate in match.candidates if not match.manifest.synthetic else ():
            for figure in candidate.given:
                bare = replace(figure, tolerance=None, verdict=UNGATED if figure.verdict != INCOMPLETE else INCOMPLETE)
                yield Sample(match.manifest.id, legal_stem(candidate.candidate), bare, figure.tolerance or 0.0)
