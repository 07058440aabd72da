"""Pictures of answers as SVG: the elements, the scale of an axis, charts of rates with their
intervals, of scores, of courses over time, and a bridge as a waterfall from one figure to the
other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import accumulate, groupby
from typing import Any

from reconcile.gap.walk import Bridge
from reconcile.match.board.drawing import board_svg
from reconcile.match.board.position import from_xgid
from reconcile.report import numbers
from reconcile.report.blocks import Picture
from reconcile.report.words import step_label, step_name
from reconcile.scoring.figures import METRICS
from reconcile.wording import plural

WIDTH, HEIGHT = 640.0, 220.0
LEFT, RIGHT, TOP = 44.0, 616.0, 16.0
ROW = 26.0
CELL = 40.0
DARKEST = 0.75
"""Opacity of the highest PR in the picture of scores."""
BELOW = 'class="axis" text-anchor="middle"'
"""Numbers and names below a chart."""
BESIDE = 'class="axis" text-anchor="end"'
SHAPES = (
    '<circle cx="0" cy="0" r="4.5" class="total left"/>',
    '<rect x="-4" y="-4" width="8" height="8" class="total right"/>',
    '<path d="M0 -5l5 9h-10z" class="total left"/>',
)
"""Around a point: a circle, a square, a triangle."""


def coordinate(value: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{value:z.1f}".removesuffix(".0")


def text(content: str, x: float, y: float, attributes: str = "") -> str:
    """A text element; the content is escaped, attributes are SVG already."""
    more = f" {attributes}" if attributes else ""
    return f'<text x="{coordinate(x)}" y="{coordinate(y)}"{more}>{escape(content)}</text>'


def rect(x: float, y: float, width: float, height: float, attributes: str) -> str:
    """A rectangle; attributes are SVG already."""
    place = f'x="{coordinate(x)}" y="{coordinate(y)}"'
    size = f'width="{coordinate(width)}" height="{coordinate(height)}"'
    return f"<rect {place} {size} {attributes}/>"


def mark(hint: str, *shapes: str, look: str = 'class="bar"') -> str:
    """Shapes of a chart with what a pointer shows, and a screen reader says, of them."""
    return f"<g {look}><title>{escape(hint)}</title>{''.join(shapes)}</g>"


def picture(
    key: str, width: float, height: float, name: str, description: str, content: Iterable[str]
) -> str:
    """A chart with its name and description; `key` must be unique on the page."""
    key = escape(key)
    box = f"0 0 {coordinate(width)} {coordinate(height)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" '
        f'aria-labelledby="{key}-t {key}-d" class="chart"><title id="{key}-t">{escape(name)}'
        f'</title><desc id="{key}-d">{escape(description)}</desc>{"".join(content)}</svg>'
    )


ROUND_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
SMALLEST_SPAN = 1e-6


@dataclass(frozen=True, slots=True)
class Scale:
    """A straight line from values to coordinates, with ticks at round values."""

    low: float
    high: float
    start: float
    """Coordinate of `low`."""
    end: float
    """Coordinate of `high`."""
    ticks: tuple[float, ...]
    decimals: int
    """Of the ticks."""

    def __call__(self, value: float) -> float:
        """The coordinate of a value, or of the nearest end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def scale(low: float, high: float, start: float, end: float, wanted: int = 4) -> Scale:
    """A scale whose ends are round and hold `low` and `high`, with about `wanted` ticks."""
    span = max(high - low, SMALLEST_SPAN, abs(high) * SMALLEST_SPAN)
    power = 10.0 ** math.floor(math.log10(span / wanted))
    step = next(power * factor for factor in ROUND_STEPS if power * factor >= span / wanted * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    last = max(last, first + 1)
    decimals = 0
    while decimals < 6 and abs(round(step, decimals) - step) > step * 1e-6:
        decimals += 1
    ticks = tuple(index * step for index in range(first, last + 1))
    return Scale(first * step, last * step, start, end, ticks, decimals)


def rising(up: Scale, left: float, right: float) -> str:
    """Horizontal lines with their numbers at the left."""
    lines = "".join(f"M{left:g} {coordinate(up(tick))}H{coordinate(right)}" for tick in up.ticks)
    names = [
        text(numbers.number(tick, up.decimals), left - 6, up(tick) + 4, BESIDE) for tick in up.ticks
    ]
    return f'<path d="{lines}" class="grid"/>{"".join(names)}'


@dataclass(frozen=True, slots=True)
class Point:
    """A value of a chart."""

    value: float
    hint: str
    low: float | None = None
    """With `high` its interval, drawn as a line through it."""
    high: float | None = None
    shape: int = 0
    """In `SHAPES`."""


def _marked(point: Point, x: float, y: float, along: Scale, *, is_upright: bool) -> str:
    whisker = ""
    if point.low is not None and point.high is not None:
        low, high = (coordinate(along(end)) for end in (point.low, point.high))
        line = f"{coordinate(x)} {low}V{high}" if is_upright else f"{low} {coordinate(y)}H{high}"
        whisker = f'<path d="M{line}" class="stem whisker"/>'
    return mark(point.hint, whisker, _shape(point.shape, x, y))


def _shape(number: int, x: float, y: float) -> str:
    return f'<g transform="translate({coordinate(x)} {coordinate(y)})">{SHAPES[number]}</g>'


def points(
    rows: Sequence[tuple[str, Sequence[Point]]],
    key: str,
    name: str,
    summary: str,
    legend: Sequence[str],
    labels: float,
    right: float,
) -> str:
    """Rows of points on a common axis from `labels` to `right`, with their names before it; the
    `legend` above it names the shapes."""
    every = [point for _, inside in rows for point in inside]
    ends = [end for each in every for end in (each.value, each.low, each.high) if end is not None]
    across = scale(min(0.0, *ends), max(ends), labels, right, 5)
    top = TOP + ROW
    floor = top + ROW * len(rows)
    places = [(tick, across(tick)) for tick in across.ticks]
    lines = "".join(f"M{coordinate(x)} {top:g}V{coordinate(floor)}" for _, x in places)
    parts = [f'<path d="{lines}" class="grid"/>']
    parts += [text(numbers.number(n, across.decimals), x, floor + 18, BELOW) for n, x in places]
    for shape, title in enumerate(legend):
        x = labels + shape * (right - labels) / len(legend)
        parts += [_shape(shape, x + 6, TOP), text(title, x + 16, TOP + 4)]
    for index, (label, inside) in enumerate(rows):
        y = top + ROW * (index + 0.5)
        parts.append(text(label, labels - 10, y + 4, 'text-anchor="end"'))
        parts += [
            _marked(point, across(point.value), y, across, is_upright=False) for point in inside
        ]
    return picture(key, right + 24, floor + 30, name, summary, parts)


def scores(rows: Sequence[Mapping[str, Any]], key: str) -> str:
    """PR of cube decisions by score: a row for the points that the decider needs, a column for the
    opponent's."""
    most = max(row["pr"] or 0.0 for row in rows) or 1.0
    down, across = (max(row[name] for row in rows) for name in ("away", "opponent_away"))
    start = 84.0
    parts = [text("opponent needs", start + across * CELL / 2, 14, BELOW)]
    parts += [text(str(n), start + (n - 0.5) * CELL, 32, BELOW) for n in range(1, across + 1)]
    for n in range(1, down + 1):
        label = str(n) if n > 1 else "needs 1"
        parts.append(text(label, start - 8, 42 + (n - 0.5) * CELL, BESIDE))
    for row in rows:
        away, other, rate = row["away"], row["opponent_away"], row["pr"]
        x, y = start + (other - 1) * CELL, 38 + (away - 1) * CELL
        hint = (
            f"{away}-away against {other}-away: PR {numbers.number(rate, 2)}, "
            f"{plural(row['decisions'], 'decision')}"
        )
        opacity, style = "0", 'text-anchor="middle" class="axis"'
        if rate is not None:
            opacity = f"{math.sqrt(min(rate / most, 1.0)) * DARKEST:.2f}"
            style = 'text-anchor="middle"'
        look = f'class="total right" fill-opacity="{opacity}"'
        shown = numbers.number(rate, 1 if (rate or 0.0) < 9.95 else 0)
        label = text(shown, x + CELL / 2, y + CELL / 2 + 4, style)
        parts.append(mark(hint, rect(x + 1, y + 1, CELL - 2, CELL - 2, look), label))
    summary = "The darker, the higher; a dash is a score with too few decisions for a rate."
    width, height = start + across * CELL + 8, 46 + down * CELL
    return picture(key, width, height, "PR of cube decisions by score", summary, parts)


def over_time(
    course: Mapping[float, Point | None],
    names: Iterable[tuple[float, str, str]],
    key: str,
    name: str,
    highest: float,
) -> str:
    """Points at their places on the axis, `None` where there is none; a line joins neighbours.
    `names` below it have a place and where they are anchored."""
    floor = HEIGHT - 34
    up = scale(0.0, highest, floor, TOP, 4)
    parts = [rising(up, LEFT, WIDTH - 24)]
    for x, words, anchor in names:
        parts.append(text(words, x, floor + 18, f'text-anchor="{anchor}" class="axis"'))
    for is_known, run in groupby(course.items(), lambda place: place[1] is not None):
        ends = [f"{coordinate(x)} {coordinate(up(point.value))}" for x, point in run if point]
        if is_known and len(ends) > 1:
            parts.append(f'<path d="M{"L".join(ends)}" class="line" stroke="var(--left)"/>')
    for x, point in course.items():
        if point:
            parts.append(_marked(point, x, up(point.value), up, is_upright=True))
    summary = "Each point is a PR; a line joins neighbours with the same kind of analysis."
    return picture(key, WIDTH, HEIGHT, name, summary, parts)


COLUMN = 70.0
BAR = 44.0
SIDE = 44.0
"""Room for the axis."""
HIGHEST_BAR = 26.0
FLOOR = 276.0
WATERFALL_HEIGHT = 316.0
FEWEST_COLUMNS = 7
CUT = 0.45
"""The axis starts at zero unless all values lie above this share of the highest."""
LONGEST = 8
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
    return picture(key, width, WATERFALL_HEIGHT, name, summary, parts)


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
    return scale(low, high, FLOOR, HIGHEST_BAR + 14), is_cut


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
        rect(x, HIGHEST_BAR, COLUMN, WATERFALL_HEIGHT - HIGHEST_BAR, 'fill="transparent"'),
        rect(x + (COLUMN - BAR) / 2, upper, BAR, max(lower - upper, 1.5), look),
        text(change, middle, beside, 'class="value"'),
        text(label, middle, FLOOR + 20, 'class="label"'),
        look='text-anchor="middle" class="bar"',
    )


def _connector(axis: Scale, x: float, level: float) -> str:
    gap = (COLUMN - BAR) / 2
    start = f"M{coordinate(x - gap)} {coordinate(axis(level))}"
    return f'<path d="{start}h{2 * gap:g}" class="connector"/>'


def board_of(xgid: str, key: str, name: str, caption: str) -> Picture:
    """The board of a decision; `key` must be unique on the page."""
    draw = partial(board_svg, from_xgid(xgid), key=key, name=name, shared=True)
    return Picture(name, draw, caption)
