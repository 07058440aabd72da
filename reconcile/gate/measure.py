"""The gaps measured on a pack, one row per table and figure: what tolerances are based on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
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
from reconcile.gap.tolerances import DEFAULT_TABLE, Tolerances
from reconcile.gap.verdict import DECIDED, INCOMPLETE, UNGATED, Figure, Shared, Verdict
from reconcile.gate.manifest import half_a_digit
from reconcile.scoring.findings import Finding, Severity, new_finding
from reconcile.scoring.metrics import MetricName, short_metric

if TYPE_CHECKING:
    from reconcile.gate.match_results import MatchResult
    from reconcile.gate.pack_results import PackResult

TOO_WIDE: Final = 10
"""A bound more than this many times the widest measured gap is reported. An engine's noise rarely
doubles from match to match, and a bound ten times wider than anything measured catches nothing."""
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
    """What `reconcile validate --measure --json` writes: how wide the gaps of a pack are."""

    schema_version: Version = SCHEMA_VERSION
    pack: Text
    """Name of the pack's folder."""
    measured: Annotated[tuple[Measured, ...], within(min_length=1)]
    """A row for each tolerance table and figure."""


def measured(samples: Iterable[Sample]) -> tuple[Measured, ...]:
    """The gaps by table and figure, in order of first appearance, without incomplete figures."""
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
        sample.figure.tolerance or 0.0
        for sample in group
        if table and sample.figure.verdict in DECIDED and not sample.figure.overridden
    ]
    tolerance = max(bounds, default=None)
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


def samples(matches: Iterable[MatchResult], *, explained: bool = False) -> Iterator[Sample]:
    """Every gap of a pack that can be measured, with the tolerance table that judged it.

    With `explained`, also figures without a bound from pairs of real matches, under the table `""`
    if no table judges the pair.
    """
    for match in matches:
        for reported in match.reported:
            players = match.manifest.reported[reported.entry].players
            printed = [text for figures in players.values() for text in figures.values()]
            for figure, text in zip(reported.figures, printed, strict=True):
                yield Sample(match.id, reported.table, figure, half_a_digit(text))
            yield from (Sample(match.id, reported.table, share) for share in reported.shares)
        for pair in match.pairs:
            table, figures = pair.pair.judged_by or "", pair.judged if pair.gates else ()
            if explained and not match.synthetic:
                figures = *pair.comparison.figures, *pair.comparison.shares
            yield from (Sample(match.id, table, figure) for figure in figures)
        for candidate in match.candidates:
            yield from (Sample(match.id, candidate.table, figure) for figure in candidate.judged)


def tolerance_findings(matches: Sequence[MatchResult], tolerances: Tolerances) -> Iterator[Finding]:
    """Findings about bounds far too wide, and exceptions that apply to nothing that was judged."""
    judged = tuple(samples(matches))
    yield from too_wide(row for row in measured(judged) if not _as_printed(tolerances, row))
    incomplete = {match.id for match in matches if match.not_compared}
    for entry in (*tolerances.overrides, *tolerances.known_gaps):
        is_used = any(
            entry.table == sample.table
            and entry.match in (None, sample.match)
            and entry.concerns(sample.figure.name, sample.figure.player)
            for sample in judged
        )
        if not is_used and entry.match not in incomplete:
            text = f"{entry.whose}, table {entry.table}: {entry.reason}"
            yield new_finding("exception-unused", text)


def _as_printed(tolerances: Tolerances, row: Measured) -> bool:
    """Whether a figure is bounded by the digits with which it is given, which can be no tighter."""
    table = tolerances.tables.get(row.table or "")
    bound = table.of(row.metric) if table else None
    return bound is not None and bound.within is not None


def too_wide(rows: Iterable[Measured]) -> Iterator[Finding]:
    """A finding for each table with bounds far wider than anything measured."""
    wide: dict[str | None, list[Measured]] = defaultdict(list)
    for row in rows:
        is_wide = (row.tolerance or 0.0) > TOO_WIDE * max(row.widest, row.resolution)
        if row.count >= FEWEST and is_wide:
            wide[row.table].append(row)
    for table, bounds in wide.items():
        bounds.sort(key=lambda row: (row.widest / (row.tolerance or 1.0), row.metric))
        cases = [
            f"{row.metric} allows {row.tolerance:g}, the widest of {row.count} gaps is "
            f"{row.widest:.2g}"
            for row in bounds[:3]
        ]
        more = f"; {len(bounds) - 3} more" if len(bounds) > 3 else ""
        severity: Severity | None = "info" if table == DEFAULT_TABLE else None
        words = f"table {table}: {'; '.join(cases)}{more}"
        yield new_finding("tolerance-too-wide", words, severity=severity)


def candidate_samples(result: PackResult) -> Iterator[Sample]:
    """Every gap of a program under test, for a table that is named after the program.

    `result` is judged by the table `printed`, which bounds every figure by the precision with which
    it is given. Synthetic matches are left out.
    """
    for match in result.matches:
        for candidate in match.candidates if not match.synthetic else ():
            table = legal_stem(candidate.candidate)
            for figure in candidate.stated:
                verdict: Verdict = INCOMPLETE if figure.verdict == INCOMPLETE else UNGATED
                bare = replace(figure, tolerance=None, verdict=verdict)
                yield Sample(match.id, table, bare, figure.tolerance or 0.0)
