"""The gaps measured on a pack, one row per table and figure: a basis for tolerances, and a check for those far too wide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_UP, Context, Decimal
from typing import TYPE_CHECKING, Annotated, Final

import numpy as np

from reconcile.document import (
    SCHEMA_VERSION,
    Amount,
    Document,
    Key,
    Positive,
    Text,
    Version,
    within,
)
from reconcile.files.output import legal_stem
from reconcile.gap.tolerances import DEFAULT_TABLE
from reconcile.gap.verdict import DECIDED, INCOMPLETE, UNGATED, Figure, Shared
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.metrics import METRICS, MetricName, short_metric

if TYPE_CHECKING:
    from reconcile.gate.pack_results import PackResult

TOO_WIDE: Final = 10
"""A bound more than this many times the widest measured gap is reported. An engine's noise rarely doubles from match to match, and a
bound ten times wider than anything measured catches nothing."""
FEWEST: Final = 10
"""How many figures must be measured before a bound is called too wide."""
ROUNDED_UP: Final = Context(prec=2, rounding=ROUND_UP)
"""How a suggested bound is rounded."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A figure of a pack that can be measured."""

    match: str
    table: str
    """Empty if no table judges it."""
    figure: Figure
    resolution: float = 0.0
    """Half of the last printed digit: no bound can be tighter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Document):
    """The gaps of one figure under one table."""

    table: str | None
    """The tolerance table; null for pairs without one."""
    metric: Annotated[MetricName | Shared, Key(by=short_metric)]
    """The name of a figure, or a share of its gap, for example `pr@engine`."""
    count: Positive
    """How many figures were measured."""
    matches: Positive
    """In how many matches."""
    widest: Amount
    """The largest absolute gap, without its known part."""
    percentile_95: Amount
    """95 of 100 gaps are no wider."""
    match: str
    """Id of the match with the widest gap."""
    player: str
    """Whose figure has the widest gap."""
    tolerance: Amount | None
    """The widest bound that judged one of them; null if there is none."""
    resolution: Amount
    """Half of the last printed digit of the reported figures; 0 if they are exact."""
    ratio: Amount | None
    """The bound divided by the widest gap; null without a bound or a gap."""
    suggested: Amount
    """The tightest bound that all of them would have passed, rounded up to two digits."""

    @property
    def is_exact(self) -> bool:
        """Whether no gap is wider than half of the last printed digit."""
        return "@" not in self.metric and self.widest <= self.resolution * (1 + 1e-9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement(Document):
    """What `reconcile validate --measure --json` writes: how wide the gaps of a pack of reference matches are."""

    schema_version: Version = SCHEMA_VERSION
    pack: Text
    """Name of the pack's folder."""
    measured: Annotated[tuple[Measured, ...], within(min_length=1)]
    """A row for each tolerance table and figure."""


def half_a_digit(printed: str) -> float:
    """Half of the last digit of a number as printed: 0.005 for "0.39"; 0 for a count, which is exact."""
    exponent = Decimal(printed).as_tuple().exponent
    return (
        float(Decimal(5).scaleb(exponent - 1))
        if isinstance(exponent, int) and exponent < 0
        else 0.0
    )


def half_of_tool(printed: str) -> float:
    """The same and, but for a count, the last place in single precision, in which the tools add up what they print."""
    half = half_a_digit(printed)
    return half + float(np.spacing(np.float32(abs(float(printed))))) if half else 0.0


def measured(samples: Iterable[Sample]) -> tuple[Measured, ...]:
    """The gaps by table and figure, in order of first appearance; incomplete figures are not measured."""
    groups: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in samples:
        if sample.figure.gap is not None and not sample.figure.coverage:
            groups[sample.table, sample.figure.name].append(sample)
    return tuple(_measured(table, name, group) for (table, name), group in groups.items())


def _measured(table: str, name: str, group: list[Sample]) -> Measured:
    gaps = np.array([abs(sample.figure.unexplained or 0.0) for sample in group])
    at = int(gaps.argmax())
    widest, resolution = float(gaps.max()), max(sample.resolution for sample in group)
    bounds = [
        one.figure.tolerance
        for one in group
        if table and one.figure.verdict in DECIDED and not one.figure.overridden
    ]
    tolerance = max((bound for bound in bounds if bound is not None), default=None)
    return Measured(
        table=table or None,
        metric=name,
        count=len(group),
        matches=len({sample.match for sample in group}),
        widest=widest,
        percentile_95=float(np.percentile(gaps, 95, method="higher")),
        match=group[at].match,
        player=group[at].figure.player,
        tolerance=tolerance,
        resolution=resolution,
        ratio=tolerance / widest if tolerance is not None and widest else None,
        suggested=float(ROUNDED_UP.plus(Decimal(repr(max(widest, resolution))))),
    )


def too_wide(rows: Iterable[Measured]) -> Iterator[Finding]:
    """A finding for each table with bounds far wider than anything measured."""
    wide: dict[str | None, list[Measured]] = defaultdict(list)
    for row in rows:
        if (
            row.tolerance is not None
            and row.count >= FEWEST
            and row.tolerance > TOO_WIDE * max(row.widest, row.resolution)
        ):
            wide[row.table].append(row)
    for table, found_here in wide.items():
        worst = sorted(
            found_here, key=lambda row: (row.widest / (row.tolerance or 1.0), row.metric)
        )
        cases = [
            f"{row.metric} allows {row.tolerance:g}, the widest of {row.count} gaps is {row.widest:.2g}"
            for row in worst[:3]
        ]
        more = f"; {len(worst) - 3} more" if len(worst) > 3 else ""
        yield new_finding(
            "tolerance-too-wide",
            f"table {table}: {'; '.join(cases)}{more}",
            severity="info" if table == DEFAULT_TABLE else None,
        )


def figures_line(result: PackResult) -> str:
    """What a program gives of every player whose reference has it, as the lines of a `pack.yaml`; empty if it gives nothing."""
    given = [(one, player) for one in result.given for player in one.expected]
    figures = [
        name
        for name in METRICS
        if any(name in one.figures.get(player, ()) for one, player in given)
        and all(
            name in one.figures.get(player, ()) or name not in one.expected[player]
            for one, player in given
        )
    ]
    listed = ", ".join(figures)
    return f"\nFor pack.yaml:\ncandidates:\n  figures: [{listed}]\n" if figures else ""


def candidate_samples(result: PackResult) -> Iterator[Sample]:
    """Every gap of a program under test that can be measured, for a table that is named after the program.

    `result` is judged by the table `printed`, which bounds every figure by the precision with which it is given. Synthetic matches are
    left out.
    """
    for match in result.matches:
        for candidate in match.candidates if not match.synthetic else ():
            for figure in candidate.given:
                bare = replace(
                    figure,
                    tolerance=None,
                    verdict=UNGATED if figure.verdict != INCOMPLETE else INCOMPLETE,
                )
                yield Sample(
                    match.id, legal_stem(candidate.candidate), bare, figure.tolerance or 0.0
                )
