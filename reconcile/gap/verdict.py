"""The figures of two files side by side, and what a tolerance says of each gap and its shares.

The gap of a figure as a range, where what is not known of a tool or not in a file moves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf
from types import MappingProxyType
from typing import Annotated, Final, Literal

from reconcile.document import HIDDEN, LEFT_OUT, Amount, Document, Ends, Key, within
from reconcile.gap.bounds import ROUNDING, FailLevel, Gate, KnownGap, Override
from reconcile.gap.pairing import Pairing
from reconcile.gap.walk import SHARES, Walk, shares
from reconcile.rules.rulesets import Q12
from reconcile.scoring.figures import GRADES, METRICS, MetricName, short_metric
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.open_rules import (
    Answers,
    Range,
    is_printed,
    known_values,
    open_range,
    unseen,
)
from reconcile.scoring.statistics import Coverage, Statistics, lacking


def gap_range(
    left: Statistics, right: Statistics, seats: tuple[int, int], name: str
) -> Range | None:
    """The lowest and the highest gap of a figure whose answers are not known on a side; `None`
    where none is open, or a side unknown.

    Two files under the same rules are counted by one tool: whatever its answers are, they are the
    same for both. So are the dead cubes that neither file shows: either both have them all, or both
    have none.
    """
    sides: list[list[tuple[Answers, Range]]] = []
    is_open = False
    for statistics, seat in zip((left, right), seats, strict=True):
        undecided, value = open_range(statistics), statistics.figures(seat)[name]
        if value is None:
            return None
        options: list[tuple[Answers, Range]] = [({}, (value, value))]
        if name in undecided.figures[seat]:
            is_open = True
            spans = [(each[0], known_values([each], seat, name)) for each in undecided.possible]
            options = [(answers, (ends[0], ends[-1])) for answers, ends in spans if ends]
        sides.append(options)
    if not is_open:
        return None
    one_tool = _asked(left) == _asked(right)
    together = one_tool and _same_unknown(left, right)
    gaps: list[float] = []
    for (answers, here), (theirs, there) in product(*sides):
        if not one_tool or {**answers, **theirs} == {**theirs, **answers}:
            # What is not known of both moves them together, from end to end.
            other_way = here if together else here[::-1]
            gaps += [there[end] - other_way[end] for end in (0, 1)]
    return min(gaps), max(gaps)


def _asked(statistics: Statistics) -> tuple[str, str, Mapping[str, tuple[str, ...]]]:
    """Whose rules count a file, whatever answers it can support."""
    rules = statistics.rules
    return rules.name, rules.file, rules.alternatives


def _same_unknown(left: Statistics, right: Statistics) -> bool:
    """Whether two files under the same rules leave the same open: the same dead cubes, and printed
    digits only where they are one file."""
    printed = is_printed(left.match) or is_printed(right.match)
    return unseen(left.scored) == unseen(right.scored) and (
        not printed or left.match.source.sha256 == right.match.source.sha256
    )


Verdict = Literal["within", "outside", "open", "incomplete", "ungated"]
"""Of a figure; `open` where a range reaches across the bound."""
PairVerdict = Literal["within", "outside", "incomparable"]
"""Of two analyses."""
Shared = Annotated[str, within(pattern=r"^[a-z_]+(\.[a-z]+)?@(rules|engine|coverage|reporting)$")]
"""A share of a gap."""
WITHIN: Final = "within"
OUTSIDE: Final = "outside"
OPEN: Final = "open"
INCOMPLETE: Final = "incomplete"
UNGATED: Final = "ungated"
INCOMPARABLE: Final = "incomparable"
DECIDED = frozenset({WITHIN, OUTSIDE, OPEN})
"""The verdicts of figures that a tolerance judged."""
FIGURE_COLUMNS: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(("player", "metric"), "object")
    | dict.fromkeys(("left", "right", "gap", "tolerance"), "float64")
    | {"level": "object", "verdict": "object", "known_gap": "float64", "note": "object"}
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
    """The name of a figure, or a share of its gap, for example `pr@engine`. A share has no left and
    right value, and a part of the gap."""
    tolerance: Amount | None = None
    """How large the gap may be, in the unit of the figure; null for a figure without tolerance."""
    level: FailLevel | None = None
    """Whether a gap beyond the tolerance fails."""
    verdict: Verdict = UNGATED
    """The verdict on the gap, or on all of `gap_range`: `open` if only a part of it is within the
    tolerance. Incomplete figures are not judged."""
    coverage: str = ""
    """What is missing, in words, if the figure is incomplete; otherwise empty."""
    share: Annotated[str, HIDDEN] = ""
    """`rules`, `engine`, `coverage` or `reporting` where this is that share of the gap of
    `metric`."""
    known_gap: float | None = None
    """The signed part of the gap that is expected; the rest is judged. Null if none is known."""
    overridden: Annotated[bool, HIDDEN] = False
    """Whether the tolerance is an override, for this match or player alone."""
    left_range: Annotated[Ends | None, LEFT_OUT] = None
    """Lowest and highest left figure where a rule of the left tool is not known and moves it;
    absent where none does."""
    right_range: Annotated[Ends | None, LEFT_OUT] = None
    """The same of the right figure."""
    gap_range: Annotated[Ends | None, LEFT_OUT] = None
    """Lowest and highest gap where a side has such a range. Two files that are counted by one
    tool's rules have its answers in common."""
    note: str = ""
    """Anything special about this figure, in words: an override, a known gap, or why nothing judges
    it; otherwise empty."""

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
        if self.tolerance is None or not gap:
            return 0.0
        return gap / self.tolerance if self.tolerance else inf

    @property
    def unexplained_range(self) -> tuple[float, float]:
        """The lowest and the highest gap that the tolerance judges; one number if no rule is
        open."""
        low, high = self.gap_range or (self.gap or 0.0, self.gap or 0.0)
        expected = self.known_gap or 0.0
        return low - expected, high - expected

    def failing(self, *, strict: bool = False, fail_on: str = "error") -> bool:
        """Whether it makes the exit code 1: `strict` counts incomplete and open figures,
        `fail_on="warn"` those of level warn."""
        if self.verdict in (INCOMPLETE, OPEN):
            return strict
        return self.verdict == OUTSIDE and self.level in ("error", fail_on)


def figure_row(figure: Figure) -> dict[str, object]:
    """A figure as a row of a table with `FIGURE_COLUMNS`."""
    return {name: getattr(figure, name) for name in FIGURE_COLUMNS} | {"metric": figure.name}


def judged(figure: Figure, gate: Gate, missing: str = "", half: float = 0.0) -> Figure:
    """A figure with its gap and the verdict of what judges it; one with missing analysis is
    incomplete, never judged.

    `half` is half of the last digit of a printed figure, for bounds of that width.
    """
    gap = _difference(figure.left, figure.right)
    return _judged(replace(figure, gap=gap, coverage=missing), figure, gate, missing, half)


def _difference(left: float | None, right: float | None) -> float | None:
    return right - left if left is not None and right is not None else None


def judged_share(
    figure: Figure,
    share: str,
    change: float | None,
    gate: Gate,
    reason: str = "",
    gaps: tuple[float, float] | None = None,
) -> Figure:
    """A share of a figure's gap: `change`, or `None` with the reason why it is unknown; `gaps` are
    its lowest and highest, if known."""
    coverage = figure.coverage or reason
    part = Figure(figure.metric, figure.player, None, None, change, coverage=coverage, share=share)
    missing = figure.coverage or ("" if change is not None else reason)
    return _judged(replace(part, gap_range=gaps), figure, gate, missing)


def _judged(
    figure: Figure, ends: PlainFigure, gate: Gate, missing: str, half: float = 0.0
) -> Figure:
    """The figure with its verdict; `ends` has the values on the two sides."""
    tolerance = gate.of(figure.name, figure.player)
    if tolerance is None or tolerance.level == "off":
        return figure
    bound = tolerance.bound(ends.left or 0.0, half)
    figure = replace(figure, tolerance=bound, level=tolerance.level)
    if isinstance(tolerance, Override):
        note = f"override until {tolerance.until}: {tolerance.reason}"
        figure = replace(figure, overridden=True, note=note)
    if missing or figure.gap is None:
        # Nothing to judge where neither side has the figure at all, as MWC in money play.
        nowhere = ends.left is None and ends.right is None
        return replace(figure, verdict=UNGATED if nowhere and not missing else INCOMPLETE)
    expected = gate.known_gap(figure.name, figure.player)
    if expected is not None and not expected.gone(figure.gap, bound):
        note = f"known gap {expected} until {expected.until}: {expected.reason}"
        note = "; ".join(filter(None, (figure.note, note)))
        figure = replace(figure, known_gap=expected.gap, note=note)
    return replace(figure, verdict=_within(figure.unexplained_range, bound + ROUNDING))


def _within(gaps: tuple[float, float], bound: float) -> Verdict:
    """Whether all, nothing or a part of a range of gaps is within a bound."""
    low, high = gaps
    if max(-low, high) <= bound:
        return WITHIN
    return OUTSIDE if low > bound or high < -bound else OPEN


def gate_findings(figures: Sequence[Figure], gate: Gate) -> Iterator[Finding]:
    """What judged figures show of the overrides and known gaps: those whose day has passed, and
    gaps that are gone."""
    for entry in gate.expired:
        if any(entry.concerns(figure.name, figure.player) for figure in figures):
            code = "known-gap-expired" if isinstance(entry, KnownGap) else "override-expired"
            terms = f"a gap of {entry}" if isinstance(entry, KnownGap) else str(entry)
            until = f"held until {entry.until}: {entry.reason}"
            yield new_finding(code, f"{entry.whose}: {terms}, {until}")
    for figure in figures:
        expected = gate.known_gap(figure.name, figure.player)
        if expected is not None and figure.verdict in DECIDED and figure.known_gap is None:
            whose = f"{figure.name} of {figure.player}"
            evidence = f"{whose}: expected a gap of {expected}, found {figure.gap:+.4g}"
            yield new_finding("known-gap-gone", evidence, player=figure.player)


def figures_of(
    scored: tuple[Statistics, Statistics], pairing: Pairing, gate: Gate, seats: tuple[int, ...]
) -> Iterator[Figure]:
    """Every figure of the players at these seats of the left file, judged."""
    left, right = scored
    ranges = open_range(left).figures, open_range(right).figures
    same_borders = left.rules.value(Q12) == right.rules.value(Q12)
    for seat in seats:
        other = pairing.seats[seat]
        here, there = left.figures(seat), right.figures(other)
        covered = left.completeness(seat), right.completeness(other)
        for name in METRICS:
            figure = Figure(
                metric=name,
                player=left.match.names[seat],
                left=here[name],
                right=there[name],
                left_range=ranges[0][seat].get(name),
                right_range=ranges[1][other].get(name),
                gap_range=gap_range(left, right, (seat, other), name),
            )
            if name.partition(".")[0] in GRADES and not same_borders:
                yield replace(figure, gap_range=None, note="counted by different borders")
                continue
            yield judged(figure, gate, _missing(name, covered))


def shares_of(walk: Walk, figures: Sequence[Figure], gate: Gate) -> Iterator[Figure]:
    """The shares of gaps that the table bounds, from the bridges of their figures."""
    for figure in figures:
        parts = [share for share in SHARES if f"{figure.metric}@{share}" in gate.table.entries]
        if parts:
            bridge = walk.bridge(figure.metric, walk.left.match.names.index(figure.player))
            changes = shares(bridge)
            for share in parts:
                change = None if bridge.reason else changes.get(share, 0.0)
                yield judged_share(figure, share, change, gate, bridge.reason)


def _missing(name: str, covered: tuple[dict[str, Coverage], dict[str, Coverage]]) -> str:
    return "; ".join(
        f"{side}: {words}"
        for part in METRICS[name].parts
        for side, coverage in zip(("left", "right"), covered, strict=True)
        for words in lacking(coverage, (part,))
    )


def figures_by_game(
    scored: tuple[Statistics, Statistics], pairing: Pairing, seats: tuple[int, ...]
) -> Iterator[tuple[int, tuple[PlainFigure, ...]]]:
    """The figures of every game by its number; never judged."""
    left, right = scored
    rows = {number: row for row, number in enumerate(right.match.games.number.tolist())}
    for row, number in enumerate(left.match.games.number.tolist()):
        figures = []
        for seat in seats:
            here = left.figures_at(seat, row)
            there = dict.fromkeys(METRICS)
            if number in rows:
                there = right.figures_at(pairing.seats[seat], rows[number])
            for name in METRICS:
                ends = here[name], there[name]
                figures.append(PlainFigure(name, left.match.names[seat], *ends, _difference(*ends)))
        yield number, tuple(figures)
