"""Bridges as the page shows them: a waterfall and a table for every judged figure, a table for the others."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from reconcile.gap.bridge import Bridge, Step
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import UNGATED
from reconcile.report.html.figures import RATE
from reconcile.report.html.waterfall import waterfall_svg


class Walk(NamedTuple):
    """A bridge and what is shown beside it."""

    key: str
    """Its anchor on the page."""
    bridge: Bridge
    gap: float | None
    moving: list[tuple[Step, float]]
    """The steps that change the figure, each with the figure after it."""
    svg: str


def walks(comparison: Comparison, labels: tuple[str, str]) -> tuple[list[Walk], list[Walk]]:
    """The bridges in the order of the figures: of the rate and of what is judged, then of the others."""
    figures = {(figure.player, figure.metric): figure for figure in comparison.figures}
    order = {key: index for index, key in enumerate(figures)}
    wanted = sorted(comparison.bridges, key=lambda bridge: (bridge.metric != RATE, order.get((bridge.player, bridge.metric), len(order))))
    shown: list[Walk] = []
    others: list[Walk] = []
    for index, bridge in enumerate(wanted, start=1):
        figure = figures.get((bridge.player, bridge.metric))
        important = bridge.metric == RATE or (figure is not None and figure.verdict != UNGATED)
        gap = bridge.end - bridge.start if bridge.start is not None and bridge.end is not None else None
        levels = list(accumulate([bridge.start or 0.0, *[step.change for step in bridge.steps]]))[1:]
        moving = [(step, level) for step, level in zip(bridge.steps, levels, strict=True) if step.change]
        drawn = important and bool(bridge.steps) and gap is not None
        svg = ""
        if drawn:
            ranges = (figure.left_range, figure.right_range) if figure else (None, None)
            svg = waterfall_svg(bridge, labels, figure.tolerance if figure else None, f"bridge-{index}-chart", ranges)
        (shown if important else others).append(Walk(f"bridge-{index}", bridge, gap, moving, svg))
    return shown, others
