"""A bridge as a picture: a waterfall from one figure to the other."""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from typing import Final

from reconcile.gap.walk import Bridge
from reconcile.report import numbers
from reconcile.report.html.charts import Scale, coordinate, mark, picture, rect, rising, scale, text
from reconcile.report.words import step_label, step_name
from reconcile.scoring.figures import METRICS
from reconcile.wording import plural

COLUMN: Final = 70.0
BAR: Final = 44.0
SIDE: Final = 44.0
"""Room for the axis."""
TOP: Final = 26.0
FLOOR: Final = 276.0
HEIGHT: Final = 316.0
FEWEST_COLUMNS: Final = 7
CUT: Final = 0.45
"""The axis starts at zero unless all values lie above this share of the highest."""
LONGEST: Final = 8
"""Letters of a label."""


Ends = tuple[float, float]


def waterfall_svg(
    bridge: Bridge,
    labels: tuple[str, str],
    tolerance: float | None,
    key: str,
    ranges: tuple[Ends | None, Ends | None] = (None, None),
) -> str:
    """The picture of a bridge; steps too small to be seen are left to the table. `ranges` are those
    of both figures where a rule of the tool is not known."""
    start, end = bridge.start or 0.0, bridge.end or 0.0
    figure = partial(numbers.figure, bridge.metric)
    every = [(step, numbers.change(bridge.metric, step.change)) for step in bridge.steps]
    steps = [(step, change) for step, change in every if change.strip("0.")]
    levels = list(accumulate([start, *[step.change for step, _ in steps]]))
    axis, is_cut = _axis([*levels, end, *(value for ends in ranges if ends for value in ends)])
    columns = max(len(steps) + 2, FEWEST_COLUMNS)
    width, x = SIDE + columns * COLUMN, SIDE + (columns - len(steps) - 2) * COLUMN / 2
    parts = [rising(axis, SIDE - 2, width)]
    if tolerance is not None:
        hint = f"allowed: {numbers.number(tolerance, 2)} to either side of the left figure"
        high, low = axis(start + tolerance), axis(start - tolerance)
        band = rect(SIDE, high, width - SIDE, max(low - high, 1), 'class="band"')
        parts.append(mark(hint, band, look='class="allowed"'))
    parts.append(_total(axis, x, (figure(start), start, ranges[0]), labels[0], "left", is_cut))
    for (step, change), before, after in zip(steps, levels, levels[1:], strict=False):
        x += COLUMN
        hint = (
            f"{step_name(step.code)}: {step.title}: {change} "
            f"({plural(step.decisions, 'decision')}), from {figure(before)} to {figure(after)}"
        )
        parts.append(_connector(axis, x, before))
        parts.append(_step(axis, x, (before, after), step_label(step.code), change, hint))
    x += COLUMN
    parts.append(_connector(axis, x, levels[-1]))
    parts.append(_total(axis, x, (figure(end), end, ranges[1]), labels[1], "right", is_cut))
    moved = ", ".join(f"{step_name(step.code)} {change}" for step, change in steps)
    ends = f"from {figure(start)} ({labels[0]}) to {figure(end)} ({labels[1]})"
    name = f"{METRICS[bridge.metric].title} of {bridge.player} {ends}"
    summary = f"Waterfall: {moved or 'no step changes it'}."
    return picture(key, width, HEIGHT, name, summary, parts)


def _axis(levels: list[float]) -> tuple[Scale, bool]:
    low, high = min(levels), max(levels)
    is_cut = low > 0 and low > CUT * high
    if is_cut:
        room = max((high - low) * 0.35, high * 0.004)
        low, high = max(low - room, 0.0), high + room * 0.3
    else:
        low, high = min(low, 0.0), max(high, 0.0)
        if high == low:
            high = low + 1
    return scale(low, high, FLOOR, TOP + 14), is_cut


def _total(
    axis: Scale,
    x: float,
    total: tuple[str, float, Ends | None],
    label: str,
    side: str,
    is_cut: bool,
) -> str:
    """A figure, from the axis up; a line through its end is the range of one that is not
    decided."""
    shown, value, ends = total
    middle, left = x + COLUMN / 2, x + (COLUMN - BAR) / 2
    top, floor = axis(value), FLOOR if is_cut else axis(0.0)
    teeth = "".join(f"l{-BAR / 8:g} {4 if index % 2 else -4}" for index in range(8))
    shape = f"M{coordinate(left)} {coordinate(min(top, floor))}h{BAR:g}"
    shape += f"V{coordinate(max(top, floor))}{teeth if is_cut else f'h{-BAR:g}'}Z"
    parts = [f'<path d="{shape}" class="total {side}"/>']
    hint = f"{label}: {shown}"
    if ends:
        low, high = map(axis, ends)
        line = f"M{coordinate(left - 6)} {coordinate(low)}V{coordinate(high)}"
        parts.append(f'<path d="{line}" class="stem whisker"/>')
        low_high = " to ".join(numbers.number(value, 2) for value in ends)
        hint += f", {low_high}: a rule of the tool is not known"
    short = label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"
    parts += [
        text(shown, middle, min(top, floor) - 7, 'class="value"'),
        text(short, middle, FLOOR + 20, 'class="label"'),
        text(side, middle, FLOOR + 34, 'class="axis"'),
    ]
    return mark(hint, *parts, look='text-anchor="middle"')


def _step(axis: Scale, x: float, ends: Ends, label: str, change: str, hint: str) -> str:
    before, after = map(axis, ends)
    upper, lower, middle = min(before, after), max(before, after), x + COLUMN / 2
    kind = "up" if ends[1] > ends[0] else "down"
    look = f'rx="1.5" class="step {kind}"'
    beside = lower + 16 if kind == "down" and lower + 18 < FLOOR else upper - 7
    return mark(
        hint,
        rect(x, TOP, COLUMN, HEIGHT - TOP, 'fill="transparent"'),
        rect(x + (COLUMN - BAR) / 2, upper, BAR, max(lower - upper, 1.5), look),
        text(change, middle, beside, 'class="value"'),
        text(label, middle, FLOOR + 20, 'class="label"'),
        look='text-anchor="middle" class="bar"',
    )


def _connector(axis: Scale, x: float, level: float) -> str:
    gap = (COLUMN - BAR) / 2
    start = f"M{coordinate(x - gap)} {coordinate(axis(level))}"
    return f'<path d="{start}h{2 * gap:g}" class="connector"/>'
