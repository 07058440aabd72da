"""One judged figure as text: the verdict line and the steps of its gap, used by JUnit, annotations and others."""

from __future__ import annotations

from collections.abc import Iterator

from reconcile.files.wording import plural
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE, Figure
from reconcile.gate.judged_figures import Case, Part, comparison_part
from reconcile.report import numbers
from reconcile.report.text.columns import aligned
from reconcile.report.words import WHY_OPEN, bridge_of, file_name, side_labels, step_name


def part_of(comparison: Comparison) -> Part:
    """The judged figures of two files outside any pack, named after the files and their tools."""
    files = [file_name(side.path) for side in (comparison.left, comparison.right)]
    return comparison_part(comparison, " against ".join(files), " against ".join(side_labels(comparison)))


def line(case: Case) -> str:
    """The expected and the found value, in one line."""
    figure = case.figure
    start = f"{figure.title}  {figure.player}"
    if figure.verdict == INCOMPLETE:
        return f"{start}  not judged: {figure.coverage or 'unknown on one side'}"
    if case.unjudged:
        return numbers.ascii_minus(f"{start}  given {numbers.figure(figure.metric, figure.right)}, not judged: {figure.note}")
    if case.comparison is None:
        return failure_line(figure)
    gap, bound = numbers.gap_and_bound(figure.metric, abs(figure.unexplained or 0.0), figure.tolerance)
    gap = gap.lstrip("+")
    left, right = side_labels(case.comparison)
    ends = (left, figure.left, figure.left_range), (right, figure.right, figure.right_range)
    both = f"({', '.join(f'{name} {numbers.ranged(figure.metric, value, span)}' for name, value, span in ends)})"
    if figure.verdict == OPEN:
        gap = f"{numbers.gap_between(figure.metric, figure.unexplained_range)}, {WHY_OPEN}"
    known = "" if figure.known_gap is None else f" beyond the known gap {numbers.change(figure.metric, figure.known_gap)}"
    return numbers.ascii_minus(f"{start}  expected <= {bound}  found {gap}{known}  {'of the gap' if figure.share else both}")


def failure_line(figure: Figure) -> str:
    """The expected and the found value of a figure out of tolerance; for a share of a gap only the bound is expected."""
    start = f"{figure.title}  {figure.player}"
    known = "" if figure.known_gap is None else f", known {figure.known_gap:+.4g}"
    if figure.verdict == OPEN:
        gaps = numbers.gap_between(figure.metric, figure.gap_range or (0.0, 0.0))
        if figure.share:
            return numbers.ascii_minus(f"{start}  expected <= {figure.tolerance:g}, found {gaps} of the gap{known}, {WHY_OPEN}")
        sides = ((figure.left, figure.left_range), (figure.right, figure.right_range))
        left, right = (numbers.ranged(figure.metric, value, span) for value, span in sides)
        return numbers.ascii_minus(f"{start}  expected {left} within {figure.tolerance:g}, found {right} (gap {gaps}{known}, {WHY_OPEN})")
    if figure.left is None or figure.right is None:
        return f"{start}  expected <= {figure.tolerance:g}, found {figure.gap:+.4g} of the gap{known}"
    return f"{start}  expected {figure.left:g} within {figure.tolerance:g}, found {figure.right:.6g} (gap {figure.gap:+.4g}{known})"


def steps(case: Case) -> Iterator[str]:
    """The bridge from the left to the right figure, one line per step; empty if the figure has no bridge."""
    if case.comparison is None or case.figure.verdict not in (OUTSIDE, OPEN):
        return
    bridge = bridge_of(case.comparison, case.figure)
    if bridge is None:
        return
    if not bridge.steps:
        yield f"no bridge: {bridge.reason}"
        return
    left, right = side_labels(case.comparison)
    metric = case.figure.metric
    rows = [(left, numbers.figure(metric, bridge.start), "", "")]
    rows += [
        (step_name(step.code), numbers.change(metric, step.change), plural(step.decisions, "decision"), step.title)
        for step in bridge.steps
        if step.change
    ]
    rows.append((right, numbers.figure(metric, bridge.end), "", ""))
    yield from (numbers.ascii_minus(row) for row in aligned(rows, right=(1,)))
