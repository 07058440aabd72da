"""The table of figures as players know it, and the summary of the rate on the first screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from reconcile.gap.bridge import SHARES, shares
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import OUTSIDE, UNGATED, WITHIN, Figure
from reconcile.report import numbers
from reconcile.report.html.groups import grouped
from reconcile.report.words import players, skill, verdict_words
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.skill import colour

RATE: Final = "pr"
WORDS: Final = {WITHIN: "within", OUTSIDE: "outside", "incomplete": "incomplete", UNGATED: "not judged"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of one player."""

    left: str
    right: str
    gap: str
    level: bool
    """Whether there is no gap to speak of."""
    allowed: str
    """Empty where there is no tolerance."""
    verdict: str
    """`within`, `outside`, `warned`, `incomplete` or `ungated`: also the icon."""
    word: str
    coverage: str
    left_skill: str = ""
    right_skill: str = ""
    left_colour: str = ""
    right_colour: str = ""
    bridge: str = ""
    """Anchor of the bridge that explains the gap."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of all players."""

    title: str
    unit: str
    page: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Figures under one heading."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a gap in words: `analysis +0.22`."""

    title: str
    change: str


@dataclass(frozen=True, slots=True)
class Glance:
    """A player's rate on the first screen."""

    player: str
    cell: Cell
    shares: tuple[Share, ...]


def figure_groups(comparison: Comparison, anchors: dict[tuple[str, str], str]) -> tuple[Group, ...]:
    """All figures in groups; `anchors` are those of the bridges by player and metric."""
    names = players(comparison)
    by_key = {(figure.player, figure.metric): figure for figure in comparison.figures}
    groups = []
    for title, metrics in grouped({figure.metric for figure in comparison.figures}):
        rows = []
        for name in metrics:
            cells = tuple(cell(comparison, by_key[player, name], anchors.get((player, name), "")) for player in names)
            metric = METRICS[name]
            rows.append(Row(metric.title, "" if metric.unit in metric.title else metric.unit, metric.page, cells))
        groups.append(Group(title, tuple(rows)))
    if comparison.shares:
        groups.append(Group("Shares of a gap", tuple(_share_rows(comparison, names, anchors))))
    return tuple(groups)


def _share_rows(comparison: Comparison, names: Sequence[str], anchors: dict[tuple[str, str], str]) -> Iterator[Row]:
    parts = {(part.name, part.player): part for part in comparison.shares}
    for name in dict.fromkeys(part.name for part in comparison.shares):
        own = [parts[name, player] for player in names]
        cells = tuple(cell(comparison, part, anchors.get((part.player, part.metric), "")) for part in own)
        yield Row(own[0].title, METRICS[own[0].metric].unit, "The part of the gap that this share makes.", cells)


def cell(comparison: Comparison, figure: Figure, anchor: str = "") -> Cell:
    """A figure as the table shows it."""
    gap, allowed = numbers.gap_and_bound(figure.metric, figure.gap, figure.tolerance)
    warned = figure.verdict == OUTSIDE and figure.level == "warn"
    words = [_skill(comparison, figure.player, index) for index in (0, 1)] if figure.name == RATE else ["", ""]
    return Cell(
        left=numbers.figure(figure.metric, figure.left),
        right=numbers.figure(figure.metric, figure.right),
        gap=gap,
        level=not gap.strip("0.") or gap == numbers.UNKNOWN,
        allowed="" if figure.tolerance is None else allowed,
        verdict="warned" if warned else figure.verdict,
        word=verdict_words(figure, "outside (warning)" if warned else WORDS[figure.verdict]),
        coverage="; ".join(filter(None, (figure.coverage, figure.note))),
        left_skill=words[0],
        right_skill=words[1],
        left_colour=colour(words[0]),
        right_colour=colour(words[1]),
        bridge=anchor,
    )


def _skill(comparison: Comparison, player: str, index: int) -> str:
    rates = {
        figure.metric: (figure.left, figure.right)[index]
        for figure in comparison.figures
        if figure.player == player and figure.metric in (RATE, "error_rate_memg")
    }
    return skill((comparison.left, comparison.right)[index], rates.get(RATE), rates.get("error_rate_memg"))


def glances(comparison: Comparison, anchors: dict[tuple[str, str], str]) -> tuple[Glance, ...]:
    """The rate of each player that has one, with what its gap is made of."""
    found = []
    for figure in comparison.figures:
        if figure.metric != RATE or (figure.left is None and figure.right is None):
            continue
        bridge = next((one for one in comparison.bridges if (one.player, one.metric) == (figure.player, RATE)), None)
        parts = shares(bridge).items() if bridge else ()
        told = tuple(Share(SHARES[key], numbers.signed(change, 2)) for key, change in parts if numbers.signed(change, 2).strip("0.+"))
        found.append(Glance(figure.player, cell(comparison, figure, anchors.get((figure.player, RATE), "")), told))
    return tuple(found)
