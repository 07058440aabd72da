"""Pictures of answers as SVG: the elements, the scale of an axis, and charts of rates with their
intervals, of scores and of courses over time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Any, Final

from reconcile.report import numbers
from reconcile.wording import plural

WIDTH, HEIGHT = 640.0, 220.0
LEFT, RIGHT, TOP = 44.0, 616.0, 16.0
ROW: Final = 26.0
CELL: Final = 40.0
DARKEST: Final = 0.75
"""Opacity of the highest PR in the picture of scores."""
BELOW: Final = 'class="axis" text-anchor="middle"'
"""Numbers and names below a chart."""
BESIDE: Final = 'class="axis" text-anchor="end"'
SHAPES: Final = (
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


ROUND_STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)
SMALLEST_SPAN: Final = 1e-6


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
