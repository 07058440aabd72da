"""The gaps measured on a pack, one row per table and figure: what tolerances are based on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_UP, Context, Decimal
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from reconcile.document import (
    HIDDEN,
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
from reconcile.gate.match_results import MatchResult
from reconcile.match.values import grouped
from reconcile.scoring.figures import MetricName, short_metric
from reconcile.scoring.findings import Finding, Severity, new_finding
from reconcile.wording import plural

if TYPE_CHECKING:
    from reconcile.gate.pack_results import PackResult

TOO_WIDE = 10
"""A bound more than this many times the widest measured gap is reported. An engine's noise rarely
doubles from match to match, and a bound ten times wider than anything measured catches nothing."""
FEWEST = 10
"""How many figures must be measured before a bound is called too wide."""
ROUNDED_UP = Context(prec=2, rounding=ROUND_UP)
"""How a suggested bound is rounded."""


class Sample(NamedTuple):
    """A figure of a pack that a table judges, or could."""

    match: str
    table: str
    """Empty if no table judges it."""
    metric: str
    player: str
    gap: float
    """Its size without the known part; NaN if it is incomplete or unknown."""
    bound: float
    """NaN if there is none."""
    resolution: float
    """Half of the last printed digit, of a program also its noise: no bound can be tighter."""

    @classmethod
    def of(cls, match: str, table: str, figure: Figure, resolution: float = 0.0) -> Sample:
        """A figure as it is measured."""
        is_known = figure.gap is not None and not figure.coverage
        is_bound = table and figure.verdict in DECIDED and not figure.overridden
        gap = abs(figure.unexplained or 0.0) if is_known else math.nan
        bound = figure.tolerance or 0.0 if is_bound else math.nan
        return cls(match, table, figure.name, figure.player, gap, bound, resolution)


FEW = 5
"""A bound that rests on fewer matches says little about the next one."""


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
    """Half of the last printed digit of the figures, of a program also its noise; 0 if they are
    exact."""
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

    matches: Annotated[Sequence[MatchResult], HIDDEN]
    of_program: Annotated[bool, HIDDEN] = False
    inputs: Annotated[Sequence[str], HIDDEN] = ()
    failed: Annotated[Sequence[str], HIDDEN] = ()
    """What keeps the program from being measured, a line for each reason."""
    declares: Annotated[str, HIDDEN] = ""
    """What the program gives, as the lines of a `pack.yaml`."""

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """0, since nothing is judged; 2 if the program failed."""
        return 2 if self.failed else 0

    def remarks(self, *, quiet: bool = False) -> Iterator[str]:
        """What was not measured, and on how few matches the bounds rest; if `quiet` only what
        failed."""
        yield from () if quiet else self._unmeasured()
        yield from (f"error: {failure}" for failure in self.failed)

    def _unmeasured(self) -> Iterator[str]:
        for match in self.matches:
            for part in match.not_compared:
                if not part.is_failure:
                    yield f"not measured: {match.id}: {part}"
            if self.of_program and match.synthetic:
                yield f"not measured: {match.id}: the match is synthetic"
        most = max(row.matches for row in self.measured)
        if self.of_program and most < FEW:
            yield (
                f"these bounds rest on {plural(most, 'match', 'matches')}: add more, of players of "
                "every strength, before you rely on them"
            )


def measured(samples: Iterable[Sample]) -> tuple[Measured, ...]:
    """The gaps by table and figure, in order of first appearance, without incomplete figures."""
    gaps = [sample for sample in samples if not math.isnan(sample.gap)]
    if not gaps:
        return ()
    import pandas as pd

    frame = pd.DataFrame(gaps)
    rows = frame.groupby(["table", "metric"], sort=False).agg(
        count=("gap", "size"),
        matches=("match", "nunique"),
        widest=("gap", "max"),
        percentile_95=("gap", lambda own: own.quantile(0.95, interpolation="higher")),
        tolerance=("bound", "max"),
        resolution=("resolution", "max"),
        at=("gap", "idxmax"),
    )
    rows = rows.reset_index().join(frame[["match", "player"]], on="at").drop(columns="at")
    return tuple(map(_measured, rows.to_dict("records")))


def _measured(row: Mapping[Any, Any]) -> Measured:
    widest, bound = row["widest"], row["tolerance"]
    tightest = Decimal(repr(max(widest, row["resolution"])))
    return Measured(
        **{
            **row,
            "table": row["table"] or None,
            "tolerance": None if math.isnan(bound) else bound,
            "ratio": None if math.isnan(bound) or not widest else bound / widest,
            "suggested": float(ROUNDED_UP.plus(tightest)),
        }
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
                yield Sample.of(match.id, reported.table, figure, half_a_digit(text))
            yield from (Sample.of(match.id, reported.table, share) for share in reported.shares)
        for pair in match.pairs:
            table, figures = pair.pair.judged_by or "", pair.judged if pair.gates else ()
            if explained and not match.synthetic:
                figures = *pair.comparison.figures, *pair.comparison.shares
            yield from (Sample.of(match.id, table, figure) for figure in figures)
        for candidate in match.candidates:
            yield from (Sample.of(match.id, candidate.table, figure) for figure in candidate.judged)


def tolerance_findings(matches: Sequence[MatchResult], tolerances: Tolerances) -> Iterator[Finding]:
    """Findings about bounds far too wide, and exceptions that apply to nothing that was judged."""
    judged = tuple(samples(matches))
    counts = Counter((sample.table, sample.metric) for sample in judged)
    many = (
        sample
        for sample in judged
        if counts[sample.table, sample.metric] >= FEWEST and not _as_printed(tolerances, sample)
    )
    yield from too_wide(measured(many))
    incomplete = {match.id for match in matches if match.not_compared}
    for entry in (*tolerances.overrides, *tolerances.known_gaps):
        is_used = any(
            entry.table == sample.table
            and entry.match in (None, sample.match)
            and entry.concerns(sample.metric, sample.player)
            for sample in judged
        )
        if not is_used and entry.match not in incomplete:
            text = f"{entry.whose}, table {entry.table}: {entry.reason}"
            yield new_finding("exception-unused", text)


def _as_printed(tolerances: Tolerances, sample: Sample) -> bool:
    """Whether a figure is bounded by the digits with which it is given, which can be no tighter."""
    table = tolerances.tables.get(sample.table or "")
    bound = table.of(sample.metric) if table else None
    return bound is not None and bound.within is not None


def too_wide(rows: Iterable[Measured]) -> Iterator[Finding]:
    """A finding for each table with bounds far wider than anything measured."""
    wide = (
        row
        for row in rows
        if row.count >= FEWEST
        and (row.tolerance or 0.0) > TOO_WIDE * max(row.widest, row.resolution)
    )
    for table, bounds in grouped(wide, lambda row: row.table).items():
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
                yield Sample.of(match.id, table, bare, figure.tolerance or 0.0)
