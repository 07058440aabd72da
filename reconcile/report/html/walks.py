"""Bridges as the page shows them: a waterfall and a table for every judged figure, a table for the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from reconcile.gap.bridge import SHARES, Bridge, Contribution, Step, share_of
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import UNGATED
from reconcile.report import numbers
from reconcile.report.html.figures import RATE
from reconcile.report.html.waterfall import waterfall_svg
from reconcile.report.story import story
from reconcile.report.words import STEPS
from reconcile.scoring.metrics import METRICS


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step of a bridge in the table."""

    code: str
    title: str
    share: str
    change: str
    after: str
    """The figure after this step."""
    decisions: str
    link: str
    range: str
    """What other orders of the rules would make of it, where that is something else."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A bridge."""

    key: str
    player: str
    metric: str
    unit: str
    start: str
    end: str
    gap: str
    svg: str
    rows: tuple[StepRow, ...]
    still: tuple[StepRow, ...]
    """The steps that change nothing, apart."""
    reason: str
    open: bool
    story: tuple[str, ...]
    """The gap in sentences, for the figure that is shown first."""


@dataclass(frozen=True, slots=True)
class Walks:
    """All bridges of a comparison."""

    judged: tuple[Walk, ...]
    others: tuple[Walk, ...]
    anchors: dict[tuple[str, str], str]
    """Anchor by player and metric."""


def walks(comparison: Comparison, contributions: Sequence[Contribution], labels: tuple[str, str]) -> Walks:
    """The bridges in the order of the figures."""
    figures = {(figure.player, figure.metric): figure for figure in comparison.figures}
    order = {key: index for index, key in enumerate(figures)}
    wanted = sorted(comparison.bridges, key=lambda bridge: (bridge.metric != RATE, order.get((bridge.player, bridge.metric), len(order))))
    judged: list[Walk] = []
    others: list[Walk] = []
    for index, bridge in enumerate(wanted, start=1):
        figure = figures.get((bridge.player, bridge.metric))
        important = bridge.metric == RATE or (figure is not None and figure.verdict != UNGATED)
        tolerance = figure.tolerance if figure is not None else None
        told = story(comparison, bridge, contributions, labels) if bridge.metric == RATE else ()
        walk = _walk(bridge, f"bridge-{index}", labels, tolerance, important, told)
        (judged if important else others).append(walk)
    anchors = {(bridge.player, bridge.metric): f"bridge-{index}" for index, bridge in enumerate(wanted, start=1)}
    return Walks(tuple(judged), tuple(others), anchors)


def _walk(bridge: Bridge, key: str, labels: tuple[str, str], tolerance: float | None, important: bool, told: tuple[str, ...]) -> Walk:
    metric = METRICS[bridge.metric]
    gap = bridge.end - bridge.start if bridge.start is not None and bridge.end is not None else None
    drawn = important and bool(bridge.steps) and gap is not None
    levels = list(accumulate([bridge.start or 0.0, *[step.change for step in bridge.steps]]))[1:]
    return Walk(
        key=key,
        player=bridge.player,
        metric=metric.title,
        unit=metric.unit,
        start=numbers.figure(bridge.metric, bridge.start),
        end=numbers.figure(bridge.metric, bridge.end),
        gap=numbers.change(bridge.metric, gap),
        svg=waterfall_svg(bridge, labels, tolerance, f"{key}-chart") if drawn else "",
        rows=tuple(_row(bridge, step, level) for step, level in zip(bridge.steps, levels, strict=True) if step.change),
        still=tuple(_row(bridge, step, level) for step, level in zip(bridge.steps, levels, strict=True) if not step.change),
        reason=bridge.reason,
        open=bridge.metric == RATE,
        story=told,
    )


def _row(bridge: Bridge, step: Step, after: float) -> StepRow:
    decimals = METRICS[bridge.metric].decimals
    return StepRow(
        code=step.code,
        title=step.title,
        share=SHARES[share_of(step)],
        change=numbers.change(bridge.metric, step.change),
        after=numbers.number(after, decimals + 1 if decimals else 2),
        decisions=str(step.decisions),
        link=step_link(step.code),
        range=_range(bridge.metric, step),
    )


def _range(metric: str, step: Step) -> str:
    if step.low is None or step.high is None:
        return ""
    low, high = numbers.change(metric, step.low), numbers.change(metric, step.high)
    return f"in other orders {low} to {high}" if low != high else ""


def step_link(code: str) -> str:
    """Where the page explains a step."""
    return f"step-{code}" if code in STEPS else f"rule-{code}"
