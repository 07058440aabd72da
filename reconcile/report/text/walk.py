"""The bridge of a figure in one line."""

from __future__ import annotations

from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import OPEN, OUTSIDE, Figure
from reconcile.report import numbers
from reconcile.report.text.columns import GAP
from reconcile.report.words import bridge_of, step_name


def walk(comparison: Comparison, figure: Figure) -> list[str]:
    """The bridge of a figure in parts of one line: `7.16`, `Q01 +0.03`, `analysis -2.3`, `= 4.85`; empty where there is none."""
    bridge = bridge_of(comparison, figure)
    if bridge is None or figure.share:
        return []
    if not bridge.steps:
        return [f"no bridge: {bridge.reason}" if bridge.reason else "no bridge"]
    parts = [f"{step_name(step.code)} {numbers.change(figure.metric, step.change)}" for step in bridge.steps if step.change]
    return [numbers.figure(figure.metric, bridge.start), *parts, f"= {numbers.figure(figure.metric, bridge.end)}"]


def walk_line(comparison: Comparison | None, figure: Figure) -> str:
    """The bridge of a figure out of tolerance in one line; empty where there is none."""
    if comparison is None or figure.verdict not in (OUTSIDE, OPEN):
        return ""
    return numbers.ascii_minus(GAP.join(walk(comparison, figure)))
