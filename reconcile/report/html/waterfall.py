"""A bridge as a picture: a waterfall from one figure to the other."""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from typing import Final

from reconcile.gap.bridge import Bridge
from reconcile.report import numbers
from reconcile.report.html.charts import Scale, coordinate, picture, rect, scale, text, texts, title
from reconcile.report.words import step_label, step_name
from reconcile.scoring.metrics import METRICS
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


Ends = tuple[float, float]


def waterfall_svg(
    bridge: Bridge,
    labels: tuple[str, str],
    tolerance: float | None,
    key: str,
    ranges: tuple[Ends | None, Ends | None] = (None, None),
) -> str:
    """The picture of a bridge; steps too small to be seen are left to the table. `ranges` are those
    of both figures where a rule of the tool is not known; they are hatched."""
    start, end = bridge.start or 0.0, bridge.end or 0.0
    metric, figure = bridge.metric, partial(numbers.figure, bridge.metric)
    every = [(step, numbers.change(metric, step.change)) for step in bridge.steps]
    steps = [(step, change) for step, change in every if change.strip("0.")]
    levels = list(accumulate([start, *[step.change for step, _ in steps]]))
    axis, cut = _axis([*levels, end, *(value for ends in ranges if ends for value in ends)])
    columns = max(len(steps) + 2, FEWEST_COLUMNS)
    width = SIDE + columns * COLUMN
    offset = SIDE + (columns - len(steps) - 2) * COLUMN / 2
    parts = [*_grid(axis, width), *_band(axis, width, start, tolerance)]
    parts.append(_total(axis, offset, start, labels[0], "left", metric, cut))
    parts += _hatched(axis, offset, ranges[0], metric)
    x = offset
    for (step, change), before, after in zip(steps, levels, levels[1:], strict=False):
        x += COLUMN
        hint = (
            f"{step_name(step.code)}: {step.title}: {change} "
            f"({plural(step.decisions, 'decision')}), from {figure(before)} to {figure(after)}"
        )
        parts.append(_connector(axis, x, before))
        parts.append(_step(axis, x, before, after, step_label(step.code), change, hint))
    x += COLUMN
    parts.append(_connector(axis, x, levels[-1]))
    parts.append(_total(axis, x, end, labels[1], "right", metric, cut))
    parts += _hatched(axis, x, ranges[1], metric)
    moved = ", ".join(f"{step_name(step.code)} {change}" for step, change in steps)
    ends = f"from {figure(start)} ({labels[0]}) to {figure(end)} ({labels[1]})"
    name = f"{METRICS[metric].title} of {bridge.player} {ends}"
    summary = f"Waterfall: {moved or 'no step changes it'}."
    return picture(key, width, HEIGHT, name, summary, *parts)


def _axis(levels: list[float]) -> tuple[Scale, bool]:
    low, high = min(levels), max(levels)
    cut = low > 0 and low > CUT * high
    if cut:
        room = max((high - low) * 0.35, high * 0.004)
        low, high = max(low - room, 0.0), high + room * 0.3
    else:
        low, high = min(low, 0.0), max(high, 0.0)
        if high == low:
            high = low + 1
    return scale(low, high, FLOOR, TOP + 14), cut


def _grid(axis: Scale, width: float) -> list[str]:
    lines = "".join(
        f"M{SIDE - 4:g} {coordinate(axis(tick))}H{coordinate(width)}" for tick in axis.ticks
    )
    names = [
        text(numbers.number(tick, axis.decimals), SIDE - 8, axis(tick) + 4) for tick in axis.ticks
    ]
    return [f'<path d="{lines}" class="grid"/>', texts('class="axis" text-anchor="end"', *names)]


def _band(axis: Scale, width: float, start: float, tolerance: float | None) -> list[str]:
    if tolerance is None:
        return []
    high, low = axis.clipped(start + tolerance), axis.clipped(start - tolerance)
    hint = title(f"allowed: {numbers.number(tolerance, 2)} to either side of the left figure")
    shape = rect(SIDE, high, width - SIDE, max(low - high, 1), 'class="band"')
    return [f"{shape.removesuffix('/>')}>{hint}</rect>"]


def _total(
    axis: Scale, x: float, value: float, label: str, side: str, metric: str, cut: bool
) -> str:
    left = x + (COLUMN - BAR) / 2
    top, floor = axis(value), FLOOR if cut else axis(0.0)
    upper, lower = min(top, floor), max(top, floor)
    shape = f"M{coordinate(left)} {coordinate(upper)}h{BAR:g}V{coordinate(lower)}"
    if cut:
        teeth = "".join(f"l{-BAR / 8:g} {4 if index % 2 else -4}" for index in range(8))
        shape += teeth
    else:
        shape += f"h{-BAR:g}"
    shown = numbers.figure(metric, value)
    middle = x + COLUMN / 2
    return texts(
        'text-anchor="middle"',
        title(f"{label}: {shown}"),
        f'<path d="{shape}Z" class="total {side}"/>',
        text(shown, middle, upper - 7, 'class="value"'),
        text(label if len(label) <= 10 else label[:9] + "…", middle, FLOOR + 20, 'class="label"'),
        text(side, middle, FLOOR + 34, 'class="axis"'),
    )


def _hatched(axis: Scale, x: float, ends: Ends | None, metric: str) -> list[str]:
    """Where a figure may lie that depends on a rule that is not known."""
    if ends is None:
        return []
    left, upper, lower = x + (COLUMN - BAR) / 2, axis(ends[1]), axis(ends[0])
    height = lower - upper
    lines = []
    for start in range(-int(height) // 6 * 6, int(BAR), 6):
        first, last = max(start, 0.0), min(start + height, BAR)
        ends_of_line = [(left + along, lower - (along - start)) for along in (first, last)]
        lines.append("M" + "L".join(f"{coordinate(x)} {coordinate(y)}" for x, y in ends_of_line))
    hint = title(f"{numbers.between(metric, ends)}: a rule of the tool is not known")
    box = rect(left, upper, BAR, height, "").replace(" /", "/")
    return [f'<g class="open">{hint}{box}<path d="{"".join(lines)}"/></g>']


def _step(
    axis: Scale, x: float, before: float, after: float, label: str, change: str, hint: str
) -> str:
    upper, lower = min(axis(before), axis(after)), max(axis(before), axis(after))
    kind = "up" if after > before else "down"
    middle = x + COLUMN / 2
    height = max(lower - upper, 1.5)
    below = kind == "down" and lower + 18 < FLOOR
    return texts(
        'text-anchor="middle" class="bar"',
        title(hint),
        rect(x, TOP, COLUMN, HEIGHT - TOP, 'fill="transparent"'),
        rect(x + (COLUMN - BAR) / 2, upper, BAR, height, f'rx="1.5" class="step {kind}"'),
        text(change, middle, lower + 16 if below else upper - 7, 'class="value"'),
        text(label, middle, FLOOR + 20, 'class="label"'),
    )


def _connector(axis: Scale, x: float, level: float) -> str:
    gap = (COLUMN - BAR) / 2
    start = f"M{coordinate(x - gap)} {coordinate(axis(level))}"
    return f'<path d="{start}h{2 * gap:g}" class="connector"/>'
