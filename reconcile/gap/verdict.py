"""What a comparison of two files found, and the judging of a figure: the frozen values that every output renders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from reconcile.gap.bridge import SHARES
from reconcile.gap.pairing import Pairing
from reconcile.gap.tolerances import ROUNDING, Gate, KnownGap, Override, Table
from reconcile.notebook import Shown, frame_of, one_line, short
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.findings import Finding, found
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics
from reconcile.tools import SHORT_NAMES

if TYPE_CHECKING:
    import pandas as pd

WITHIN, OUTSIDE, INCOMPLETE, UNGATED = "within", "outside", "incomplete", "ungated"
INCOMPARABLE = "incomparable"
TOTALS = "figures"
"""The format of a side that is a list of figures, without decisions."""


FIGURE_COLUMNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "player": "object",
        "metric": "object",
        "left": "float64",
        "right": "float64",
        "gap": "float64",
        "tolerance": "float64",
        "level": "object",
        "verdict": "object",
        "known_gap": "float64",
        "note": "object",
    }
)
"""The columns of a table of figures, and their types."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two files, as reports show it."""

    path: str
    sha256: str
    """Empty in an anonymised comparison."""
    format: str
    tool: str
    tool_version: str | None
    rules: str
    met: str
    level: str
    players: tuple[str, str]
    """In the order of the left file's seats, under the names of this file."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of one player on both sides, and what the tolerance says of the gap."""

    metric: str
    player: str
    """The left file's name."""
    left: float | None
    right: float | None
    gap: float | None
    """Right minus left."""
    tolerance: float | None
    level: str | None
    verdict: str
    """`within`, `outside`, `incomplete` or `ungated`."""
    coverage: str = ""
    """What is missing, in words, where a figure is incomplete."""
    share: str = ""
    """`rules`, `engine`, `coverage` or `reporting` where this is that share of the gap of `metric`: it has no left and no right."""
    known_gap: float | None = None
    """The part of the gap that is expected, signed: what is left of the gap is judged."""
    note: str = ""
    """What holds here in particular, in words: an override, a known gap."""

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
        """The gap without its known part: what the tolerance is held against."""
        return None if self.gap is None else self.gap - (self.known_gap or 0.0)


def figure_row(figure: Figure) -> dict[str, object]:
    """A figure as a row of a table with `FIGURE_COLUMNS`."""
    return {name: getattr(figure, name) for name in FIGURE_COLUMNS} | {"metric": figure.name}


@dataclass(frozen=True, slots=True)
class Comparison(Shown):
    """Everything a comparison found."""

    left: Side
    right: Side
    length: int | None
    games: int
    figures: tuple[Figure, ...]
    by_game: tuple[tuple[int, tuple[Figure, ...]], ...]
    """Game number and its figures; never judged."""
    pairing: Pairing
    paired: tuple[int, int]
    """Decisions paired, and decisions of the longer side."""
    findings: tuple[Finding, ...]
    table: str
    """Id of the table of tolerances."""
    statistics: tuple[Statistics, Statistics]
    """Left and right, for those who want to look deeper."""
    asked_rules: tuple[RuleSet, RuleSet]
    """The rule sets asked for; a file may not bear every answer, see `Scored.replaced`."""
    shares: tuple[Figure, ...] = ()
    """Shares of gaps that have a tolerance of their own."""
    reported: Mapping[tuple[str, str], tuple[float | None, float | None]] = field(default_factory=dict)
    """What the tools themselves reported, left and right, by player and metric: where a bridge starts and ends in place of our figures."""

    def __repr__(self) -> str:
        names = [SHORT_NAMES.get(side.tool, side.tool) for side in (self.left, self.right)]
        left, right = names if names[0] != names[1] else (f"left {names[0]}", f"right {names[1]}")
        pr = METRICS["pr"]
        figures = [
            f"{left} {pr.shown(figure.left)}, {right} {pr.shown(figure.right)} for {short(figure.player)}"
            for figure in self.figures
            if figure.metric == "pr"
        ]
        return one_line(self, f"{self.verdict}: PR {'; '.join(figures)}")

    def to_frame(self) -> pd.DataFrame:
        """A row for every figure of every player, each followed by the shares of its gap that have a tolerance.

        - `player`: as the left file has the name
        - `metric`: its name, `pr@engine` for a share
        - `left`, `right`, `gap`: the figures and right minus left, in the unit of the metric; missing where unknown
        - `tolerance`, `level`: how far the gap may go, and how bad it is beyond; missing where nothing judges it
        - `verdict`: `within`, `outside`, `incomplete` or `ungated`
        - `known_gap`, `note`: the part of the gap that is expected, and what holds here in particular
        """
        return frame_of(map(figure_row, self._with_shares()), FIGURE_COLUMNS)

    def ledger(self) -> pd.DataFrame:
        """A row for every contribution of every decision to the gap of every figure: the changes of a figure add up to its gap.

        - `player`, `metric`: whose figure is moved, and which
        - `step`, `cause`: the step of the bridge (`Q01`, `engine`, `coverage-left`...), and why the decision moves the figure in it
        - `game`, `turn`, `kind`, `decider`: the decision, numbers from 1
        - `change`: by how much it moves the figure, in the unit of the metric
        - `xgid`, `gnubg_id`: the decision as either tool takes it; empty where there is no such ID
        """
        # By name, since walks are typed by this class.
        ledger, walk = import_module("reconcile.gap.ledger"), import_module("reconcile.gap.walk")
        frame: pd.DataFrame = ledger.ledger_frame(walk.Walk(self))
        return frame

    def _small_frame(self) -> pd.DataFrame:
        return frame_of(map(figure_row, self.judged), {name: FIGURE_COLUMNS[name] for name in list(FIGURE_COLUMNS)[:8]})

    @property
    def totals_alone(self) -> bool:
        """Whether the right side gave figures and no decisions: its decisions here are the left file's, under the rules nearest to it."""
        return self.right.format == TOTALS

    @property
    def judged(self) -> tuple[Figure, ...]:
        """The figures that have a tolerance, each followed by its shares."""
        return tuple(figure for figure in self._with_shares() if figure.verdict != UNGATED)

    def _with_shares(self) -> Iterator[Figure]:
        for figure in self.figures:
            yield figure
            yield from (part for part in self.shares if (part.metric, part.player) == (figure.metric, figure.player))

    @property
    def verdict(self) -> str:
        """`within`, `outside` or `incomparable`."""
        if any(figure.verdict == OUTSIDE and figure.level == "error" for figure in self.judged):
            return OUTSIDE
        if not any(figure.verdict in (WITHIN, OUTSIDE) for figure in self.judged):
            return INCOMPARABLE
        return WITHIN

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """0 within tolerance, 1 not. `strict` makes incomplete figures count, `fail_on="warn"` those of level warn."""
        levels = ("error", "warn") if fail_on == "warn" else ("error",)
        failing = any(figure.verdict == OUTSIDE and figure.level in levels for figure in self.judged)
        return int(failing or (strict and any(figure.verdict == INCOMPLETE for figure in self.judged)))


def judged(figure: Figure, gate: Table | Gate, missing: str = "") -> Figure:
    """A figure with its gap and the verdict of what judges it; one with missing analysis is incomplete, never judged."""
    gap = figure.right - figure.left if figure.left is not None and figure.right is not None else None
    known = (figure.left is not None) + (figure.right is not None)
    return _judged(replace(figure, gap=gap, coverage=missing), gate, figure.left or 0.0, missing, known)


def judged_share(whole: Figure, share: str, change: float | None, gate: Table | Gate, reason: str = "") -> Figure:
    """A share of a figure's gap: `change`, or `None` with the reason why it is unknown."""
    part = Figure(whole.metric, whole.player, None, None, change, None, None, UNGATED, whole.coverage or reason, share=share)
    known = (whole.left is not None) + (whole.right is not None)
    return _judged(part, gate, whole.left or 0.0, whole.coverage or ("" if change is not None else reason), known)


def _judged(figure: Figure, gate: Table | Gate, left: float, missing: str, known: int) -> Figure:
    """`known` is on how many sides the figure is known."""
    gate = Gate(gate) if isinstance(gate, Table) else gate
    tolerance = gate.of(figure.name, figure.player)
    if tolerance is None or tolerance.level == "off":
        return figure
    bound = tolerance.bound(left)
    figure = replace(figure, tolerance=bound, level=tolerance.level)
    if isinstance(tolerance, Override):
        figure = replace(figure, note=f"override until {tolerance.until}: {tolerance.reason}")
    if missing or figure.gap is None:
        # Nothing to judge where neither side has the figure at all, as MWC in money play.
        return replace(figure, verdict=INCOMPLETE if missing or known else UNGATED)
    expected = gate.known_gap(figure.name, figure.player)
    if expected is not None and not expected.gone(figure.gap, bound):
        told = f"known gap {expected.gap:+g} ({expected.cause}) until {expected.until}: {expected.reason}"
        figure = replace(figure, known_gap=expected.gap, note="; ".join(filter(None, (figure.note, told))))
    return replace(figure, verdict=WITHIN if abs(figure.unexplained or 0.0) <= bound + ROUNDING else OUTSIDE)


def gate_findings(figures: Sequence[Figure], gate: Gate) -> Iterator[Finding]:
    """What judged figures show of the overrides and known gaps: those whose day has passed, and gaps that are gone."""
    for entry in gate.expired:
        if any(entry.concerns(figure.name, figure.player) for figure in figures):
            what = f"{entry.whose}: {_said(entry)}, held until {entry.until}: {entry.reason}"
            yield found("known-gap-expired" if isinstance(entry, KnownGap) else "override-expired", what)
    for figure in figures:
        expected = gate.known_gap(figure.name, figure.player)
        if expected is None or figure.verdict not in (WITHIN, OUTSIDE) or figure.known_gap is not None:
            continue
        evidence = f"{figure.name} of {figure.player}: expected a gap of {expected.gap:+g} ({expected.cause}), found {figure.gap:+.4g}"
        yield found("known-gap-gone", evidence, player=figure.player)


def _said(entry: Override | KnownGap) -> str:
    if isinstance(entry, KnownGap):
        return f"a gap of {entry.gap:+g} ({entry.cause})"
    return f"{entry.abs:g} allowed" if entry.abs is not None else f"{entry.rel:%} allowed"
