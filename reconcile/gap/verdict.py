"""The figures of two files side by side, and what a tolerance says of each gap and its shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from reconcile.document import HIDDEN, LEFT_OUT, Amount, Document, Ends, Key, within
from reconcile.gap.bounds import ROUNDING, FailLevel, Gate, KnownGap, Override, Table
from reconcile.gap.bridge import SHARES, shares
from reconcile.gap.pairing import Pairing
from reconcile.gap.walk import Walk
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.metrics import METRICS, MetricName, short_metric
from reconcile.scoring.open_rules import gap_range, open_range
from reconcile.scoring.statistics import Coverage, Statistics, lacking

Verdict = Literal["within", "outside", "open", "incomplete", "ungated"]
"""Of a figure; `open` where a range reaches across the bound."""
PairVerdict = Literal["within", "outside", "incomparable"]
"""Of two files, or of two folders."""
Shared = Annotated[str, within(pattern=r"^[a-z_]+(\.[a-z]+)?@(rules|engine|coverage|reporting)$")]
"""A share of a gap."""
WITHIN: Final = "within"
OUTSIDE: Final = "outside"
OPEN: Final = "open"
INCOMPLETE: Final = "incomplete"
UNGATED: Final = "ungated"
INCOMPARABLE: Final = "incomparable"
DECIDED: Final = frozenset({WITHIN, OUTSIDE, OPEN})
"""The verdicts of figures that a tolerance judged."""
_NUMBERS: Final = ("left", "right", "gap", "tolerance", "known_gap")
FIGURE_COLUMNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        name: "float64" if name in _NUMBERS else "object"
        for name in (
            "player",
            "metric",
            "left",
            "right",
            "gap",
            "tolerance",
            "level",
            "verdict",
            "known_gap",
            "note",
        )
    }
)
"""The columns of a table of figures, and their types."""


@dataclass(frozen=True, slots=True)
class PlainFigure(Document):
    """One figure of one player on both sides."""

    metric: Annotated[MetricName, Key(by=short_metric)]
    """The name of a figure; totals have their short name."""
    player: str
    """The player, under the left file's name."""
    left: float | None
    """The left figure; null where unknown."""
    right: float | None
    """The right figure; null where unknown."""
    gap: float | None = None
    """Right minus left; null if a side is unknown."""


@dataclass(frozen=True, slots=True)
class Figure(PlainFigure):
    """One figure of one player on both sides, and what the tolerance says of the gap."""

    metric: Annotated[MetricName | Shared, Key(shown="name", by=short_metric)]
    """The name of a figure, or a share of its gap, for example `pr@engine`. A share has no left and right value, and a part of the gap."""
    tolerance: Amount | None = None
    """How large the gap may be, in the unit of the figure; null for a figure without tolerance."""
    level: FailLevel | None = None
    """Whether a gap beyond the tolerance fails."""
    verdict: Verdict = UNGATED
    """The verdict on the gap, or on all of `gap_range`: `open` if only a part of it is within the tolerance. Incomplete figures are not
    judged."""
    coverage: str = ""
    """What is missing, in words, if the figure is incomplete; otherwise empty."""
    share: Annotated[str, HIDDEN] = ""
    """`rules`, `engine`, `coverage` or `reporting` where this is that share of the gap of `metric`."""
    known_gap: float | None = None
    """The signed part of the gap that is expected; the rest is judged. Null if none is known."""
    overridden: Annotated[bool, HIDDEN] = False
    """Whether the tolerance is an override, for this match or player alone."""
    left_range: Annotated[Ends | None, LEFT_OUT] = None
    """Lowest and highest left figure where a rule of the left tool is not known and moves it; absent where none does."""
    right_range: Annotated[Ends | None, LEFT_OUT] = None
    """The same of the right figure."""
    gap_range: Annotated[Ends | None, LEFT_OUT] = None
    """Lowest and highest gap where a side has such a range. Two files that are counted by one tool's rules have its answers in common."""
    note: str = ""
    """Anything special about this figure, in words: an override, a known gap, or why nothing judges it; otherwise empty."""

    @property
    def name(self) -> str:
        """The metric, or its share as tolerances write it: `pr@engine`."""
        return f"{self.metric}@{self.share}" if self.share else self.metric

    @property
    def title(self) -> str:
        """The figure in words: `PR`, or of a share `PR, analysis`."""
        title = METRICS[self.metric].title
        return f"{title}, {SHARES[self.share]}" if self.share else title

    @property
    def unexplained(self) -> float | None:
        """The gap without its known part, which the tolerance judges."""
        return None if self.gap is None else self.gap - (self.known_gap or 0.0)

    @property
    def excess(self) -> float:
        """How many tolerances wide the gap is that is judged; 0 where there is none."""
        gap = abs(self.unexplained or 0.0)
        return (
            0.0
            if self.tolerance is None or not gap
            else gap / self.tolerance
            if self.tolerance
            else inf
        )

    @property
    def unexplained_range(self) -> tuple[float, float]:
        """The lowest and the highest gap that the tolerance judges; one number if no rule is open."""
        low, high = self.gap_range or (self.gap or 0.0, self.gap or 0.0)
        known = self.known_gap or 0.0
        return low - known, high - known

    def failing(self, *, strict: bool = False, fail_on: str = "error") -> bool:
        """Whether it makes the exit code 1: `strict` counts incomplete and open figures, `fail_on="warn"` those of level warn."""
        return (
            strict
            if self.verdict in (INCOMPLETE, OPEN)
            else self.verdict == OUTSIDE and self.level in ("error", fail_on)
        )


def figure_row(figure: Figure) -> dict[str, object]:
    """A figure as a row of a table with `FIGURE_COLUMNS`."""
    return {name: getattr(figure, name) for name in FIGURE_COLUMNS} | {"metric": figure.name}


def judged(figure: Figure, gate: Table | Gate, missing: str = "", half: float = 0.0) -> Figure:
    """A figure with its gap and the verdict of what judges it; one with missing analysis is incomplete, never judged.

    `half` is half of the last digit of a printed figure, for bounds of that width.
    """
    gap = (
        figure.right - figure.left if figure.left is not None and figure.right is not None else None
    )
    known = (figure.left is not None) + (figure.right is not None)
    return _judged(
        figure, gate, figure.left or 0.0, missing, known, half, gap=gap, coverage=missing
    )


def judged_share(
    whole: Figure,
    share: str,
    change: float | None,
    gate: Table | Gate,
    reason: str = "",
    gaps: tuple[float, float] | None = None,
) -> Figure:
    """A share of a figure's gap: `change`, or `None` with the reason why it is unknown; `gaps` are its lowest and highest, if known."""
    coverage = whole.coverage or reason
    part = Figure(
        whole.metric,
        whole.player,
        None,
        None,
        change,
        coverage=coverage,
        share=share,
        gap_range=gaps,
    )
    known = (whole.left is not None) + (whole.right is not None)
    return _judged(
        part,
        gate,
        whole.left or 0.0,
        whole.coverage or ("" if change is not None else reason),
        known,
    )


def _judged(
    figure: Figure,
    gate: Table | Gate,
    left: float,
    missing: str,
    known: int,
    half: float = 0.0,
    **made: Any,
) -> Figure:
    """The figure with its verdict and what is `made` of it already; `known` is on how many sides the figure is known."""
    gate = Gate(gate) if isinstance(gate, Table) else gate
    tolerance = gate.of(figure.name, figure.player)
    if tolerance is None or tolerance.level == "off":
        return replace(figure, **made)
    bound = tolerance.bound(left, half)
    made |= {"tolerance": bound, "level": tolerance.level}
    if isinstance(tolerance, Override):
        made |= {
            "overridden": True,
            "note": f"override until {tolerance.until}: {tolerance.reason}",
        }
    figure = replace(figure, **made)
    if missing or figure.gap is None:
        # Nothing to judge where neither side has the figure at all, as MWC in money play.
        return replace(figure, verdict=INCOMPLETE if missing or known else UNGATED)
    expected = gate.known_gap(figure.name, figure.player)
    if expected is not None and not expected.gone(figure.gap, bound):
        text = f"known gap {expected.gap:+g} ({expected.cause}) until {expected.until}: {expected.reason}"
        figure = replace(
            figure, known_gap=expected.gap, note="; ".join(filter(None, (figure.note, text)))
        )
    return replace(figure, verdict=_held(figure.unexplained_range, bound + ROUNDING))


def _held(gaps: tuple[float, float], bound: float) -> Verdict:
    """Whether all, nothing or a part of a range of gaps is within a bound."""
    low, high = gaps
    if max(-low, high) <= bound:
        return WITHIN
    return OUTSIDE if low > bound or high < -bound else OPEN


def gate_findings(figures: Sequence[Figure], gate: Gate) -> Iterator[Finding]:
    """What judged figures show of the overrides and known gaps: those whose day has passed, and gaps that are gone."""
    for entry in gate.expired:
        if any(entry.concerns(figure.name, figure.player) for figure in figures):
            what = f"{entry.whose}: {_said(entry)}, held until {entry.until}: {entry.reason}"
            yield new_finding(
                "known-gap-expired" if isinstance(entry, KnownGap) else "override-expired", what
            )
    for figure in figures:
        expected = gate.known_gap(figure.name, figure.player)
        if expected is None or figure.verdict not in DECIDED or figure.known_gap is not None:
            continue
        evidence = f"{figure.name} of {figure.player}: expected a gap of {expected.gap:+g} ({expected.cause}), found {figure.gap:+.4g}"
        yield new_finding("known-gap-gone", evidence, player=figure.player)


def _said(entry: Override | KnownGap) -> str:
    if isinstance(entry, KnownGap):
        return f"a gap of {entry.gap:+g} ({entry.cause})"
    if entry.within is not None:
        return "half of the last printed digit allowed"
    return (
        f"{entry.abs:g} allowed"
        if entry.abs is not None
        else f"{100 * (entry.rel or 0.0):g} % of the left figure allowed"
    )


def figures_of(
    scored: tuple[Statistics, Statistics], pairing: Pairing, gate: Gate, seats: tuple[int, ...]
) -> Iterator[Figure]:
    """Every figure of the players at these seats of the left file, judged."""
    left, right = scored
    undecided = open_range(left).figures, open_range(right).figures
    for seat in seats:
        sides = (left.figures(seat), right.figures(pairing.seats[seat]))
        covered = (left.completeness(seat), right.completeness(pairing.seats[seat]))
        for name in METRICS:
            figure = Figure(
                metric=name,
                player=left.match.names[seat],
                left=sides[0][name],
                right=sides[1][name],
                left_range=undecided[0][seat].get(name),
                right_range=undecided[1][pairing.seats[seat]].get(name),
                gap_range=gap_range(left, right, (seat, pairing.seats[seat]), name),
            )
            yield judged(figure, gate, _missing(name, covered))


def shares_of(walk: Walk, figures: Sequence[Figure], gate: Gate) -> Iterator[Figure]:
    """The shares of gaps that the table bounds, from the bridges of their figures."""
    wanted = {name for name in gate.table.entries if "@" in name}
    for figure in figures if wanted else ():
        parts = [share for share in SHARES if f"{figure.metric}@{share}" in wanted]
        if not parts:
            continue
        bridge = walk.bridge(figure.metric, walk.left.match.names.index(figure.player))
        changes = shares(bridge)
        for share in parts:
            yield judged_share(
                figure,
                share,
                None if bridge.reason else changes.get(share, 0.0),
                gate,
                bridge.reason,
            )


def _missing(name: str, covered: tuple[dict[str, Coverage], dict[str, Coverage]]) -> str:
    sides = list(zip(("left", "right"), covered, strict=True))
    return "; ".join(
        f"{side}: {words}"
        for part in METRICS[name].parts
        for side, each in sides
        for words in lacking(each, (part,))
    )


def figures_by_game(
    scored: tuple[Statistics, Statistics], pairing: Pairing, seats: tuple[int, ...]
) -> Iterator[tuple[int, tuple[PlainFigure, ...]]]:
    """The figures of every game by its number; never judged."""
    left, right = scored
    others = {number: index for index, number in enumerate(right.match.games.number.tolist())}
    for index, number in enumerate(left.match.games.number.tolist()):
        other = others.get(number)
        figures = []
        for seat in seats:
            one = left.figures_at(seat, index)
            two = (
                right.figures_at(pairing.seats[seat], other)
                if other is not None
                else dict.fromkeys(METRICS)
            )
            for name in METRICS:
                here, there = one[name], two[name]
                gap = there - here if here is not None and there is not None else None
                figures.append(PlainFigure(name, left.match.names[seat], here, there, gap))
        yield number, tuple(figures)
