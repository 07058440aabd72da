"""Pictures of answers as SVG: the elements, the scale of an axis, and charts of rates with their
intervals, of scores and of courses over time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

from reconcile.report import numbers
from reconcile.wording import plural

if TYPE_CHECKING:
    from reconcile.scoring.rates import Score

WIDTH, HEIGHT = 640.0, 220.0
LEFT, RIGHT, TOP, FLOOR = 44.0, 616.0, 16.0, 186.0
ROW: Final = 26.0
LABELS: Final = 150.0
"""Room for the names of rows."""
CELL: Final = 40.0
DARKEST: Final = 0.75
"""Opacity of the highest PR in the picture of scores."""
BELOW: Final = 'class="axis" text-anchor="middle"'
"""Numbers and names below a chart."""
XMLNS = "http://www.w3.org/2000/svg"


def coordinate(value: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{value:z.1f}".removesuffix(".0")


def text(content: str, x: float, y: float, attributes: str = "") -> str:
    """A text element; the content is escaped, attributes are SVG already."""
    more = f" {attributes}" if attributes else ""
    return f'<text x="{coordinate(x)}" y="{coordinate(y)}"{more}>{escape(content)}</text>'


def texts(attributes: str, *lines: str) -> str:
    """A group of text elements that look alike."""
    return f"<g {attributes}>{''.join(lines)}</g>"


def rect(x: float, y: float, width: float, height: float, attributes: str) -> str:
    """A rectangle; attributes are SVG already."""
    place = f'x="{coordinate(x)}" y="{coordinate(y)}"'
    size = f'width="{coordinate(width)}" height="{coordinate(height)}"'
    return f"<rect {place} {size} {attributes}/>"


def dot(x: float, y: float, radius: float = 4.5, attributes: str = 'class="total left"') -> str:
    """A point of a chart."""
    return f'<circle cx="{coordinate(x)}" cy="{coordinate(y)}" r="{radius:g}" {attributes}/>'


def title(content: str) -> str:
    """What a pointer shows, and a screen reader says, of the element around it."""
    return f"<title>{escape(content)}</title>"


def mark(hint: str, *shapes: str) -> str:
    """Shapes of a chart with what a pointer shows of them."""
    return f'<g class="bar">{title(hint)}{"".join(shapes)}</g>'


def picture(
    key: str,
    width: float,
    height: float,
    name: str,
    description: str,
    *content: str,
    look: str = "chart",
) -> str:
    """A picture with its name and description; `key` must be unique on the page."""
    key = escape(key)
    box = f"0 0 {coordinate(width)} {coordinate(height)}"
    return (
        f'<svg xmlns="{XMLNS}" viewBox="{box}" role="img" aria-labelledby="{key}-t {key}-d" '
        f'class="{look}"><title id="{key}-t">{escape(name)}</title>'
        f'<desc id="{key}-d">{escape(description)}</desc>{"".join(content)}</svg>'
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
        """The coordinate of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def clipped(self, value: float) -> float:
        """The coordinate of the value, or of the nearest end."""
        return self(min(max(value, self.low), self.high))


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


def rising(up: Scale, left: float, right: float) -> list[str]:
    """Horizontal lines with their numbers at the left."""
    lines = "".join(f"M{left:g} {coordinate(up(tick))}H{right:g}" for tick in up.ticks)
    labels = [text(f"{tick:g}", left - 6, up(tick) + 4) for tick in up.ticks]
    return [f'<path d="{lines}" class="grid"/>', texts('class="axis" text-anchor="end"', *labels)]


def upright(across: Scale, top: float, floor: float, names: Sequence[str]) -> list[str]:
    """Vertical lines at the ticks, with their names below."""
    places = [across(tick) for tick in across.ticks]
    lines = "".join(f"M{coordinate(x)} {top:g}V{coordinate(floor)}" for x in places)
    labels = [text(name, x, floor + 18) for x, name in zip(places, names, strict=True)]
    return [f'<path d="{lines}" class="grid"/>', texts(BELOW, *labels)]


@dataclass(frozen=True, slots=True)
class Point:
    """A value in a row of a chart."""

    value: float
    hint: str
    low: float | None = None
    """With `high` its interval, drawn as a line through it."""
    high: float | None = None
    shape: int = 0
    """A circle, a square or a triangle."""


def points(
    rows: Sequence[tuple[str, Sequence[Point]]],
    key: str,
    name: str,
    summary: str,
    *,
    labels: float = LABELS,
    right: float = RIGHT,
    unit: str = "",
    legend: Sequence[str] = (),
) -> str:
    """Rows of points on a common axis from `labels` to `right`, with their names before it; `unit`
    follows the numbers of the axis, and a `legend` above it names the shapes."""
    every = [point for _, inside in rows for point in inside]
    ends = [
        value
        for point in every
        for value in (point.value, point.low, point.high)
        if value is not None
    ]
    across = scale(min(0.0, *ends), max(ends), labels, right, 5)
    top = TOP + ROW * bool(legend)
    floor = top + ROW * len(rows)
    names = [numbers.number(tick, across.decimals) + unit for tick in across.ticks]
    parts = upright(across, top, floor, names)
    for shape, title in enumerate(legend):
        x = labels + shape * (right - labels) / len(legend)
        parts += [_shape(shape, x + 6, TOP), text(title, x + 16, TOP + 4)]
    for index, (label, inside) in enumerate(rows):
        y = top + ROW * (index + 0.5)
        parts.append(text(label, labels - 10, y + 4, 'text-anchor="end"'))
        for point in inside:
            whisker = ""
            if point.low is not None and point.high is not None:
                low, high = (coordinate(across(end)) for end in (point.low, point.high))
                whisker = f'<path d="M{low} {coordinate(y)}H{high}" class="stem whisker"/>'
            parts.append(mark(point.hint, whisker, _shape(point.shape, across(point.value), y)))
    return picture(key, right + 24, floor + 30, name, summary, *parts)


def _shape(number: int, x: float, y: float) -> str:
    if number == 0:
        return dot(x, y)
    if number == 1:
        return rect(x - 4, y - 4, 8, 8, 'class="total right"')
    return f'<path d="M{coordinate(x)} {coordinate(y - 5)}l5 9h-10z" class="total left"/>'


def scores(cells: Sequence[Score], key: str = "cube-by-score") -> str:
    """PR of cube decisions by score: a row for the points that the decider needs, a column for the
    opponent's."""
    most = max((cell.rate.value or 0.0 for cell in cells), default=0.0) or 1.0
    down, across = max(cell.away for cell in cells), max(cell.opponent_away for cell in cells)
    start = 84.0
    parts = [text("opponent needs", start + across * CELL / 2, 14, BELOW)]
    parts += [text(str(n), start + (n - 0.5) * CELL, 32, BELOW) for n in range(1, across + 1)]
    parts += [
        text(
            str(n) if n > 1 else "needs 1",
            start - 8,
            42 + (n - 0.5) * CELL,
            'class="axis" text-anchor="end"',
        )
        for n in range(1, down + 1)
    ]
    for cell in cells:
        x, y = start + (cell.opponent_away - 1) * CELL, 38 + (cell.away - 1) * CELL
        value = cell.rate.value
        opacity = "0" if value is None else f"{math.sqrt(min(value / most, 1.0)) * DARKEST:.2f}"
        hint = (
            f"{cell.away}-away against {cell.opponent_away}-away: "
            f"PR {numbers.number(cell.rate.value, 2)}, {plural(cell.rate.number, 'decision')}"
        )
        look = f'class="total right" fill-opacity="{opacity}"'
        label = text(
            numbers.number(value, 1 if (value or 0.0) < 9.95 else 0),
            x + CELL / 2,
            y + CELL / 2 + 4,
            'text-anchor="middle"' + (' class="axis"' if value is None else ""),
        )
        parts.append(mark(hint, rect(x + 1, y + 1, CELL - 2, CELL - 2, look), label))
    summary = "The darker, the higher; a dash is a score with too few decisions for a rate."
    width, height = start + across * CELL + 8, 46 + down * CELL
    return picture(key, width, height, "PR of cube decisions by score", summary, *parts)


def over_time(
    runs: Sequence[tuple[str, Sequence[tuple[float, Point]]]],
    names: Iterable[tuple[float, str, str]],
    key: str,
    name: str,
    summary: str,
    highest: float,
) -> str:
    """Runs of points that a line joins, each in a colour of the page and with its place on the
    axis; `names` below it have a place and where they are anchored."""
    floor = HEIGHT - 34
    up = scale(0.0, highest, floor, TOP, 4)
    parts = rising(up, LEFT, WIDTH - 24)
    for x, words, anchor in names:
        parts.append(text(words, x, floor + 18, f'text-anchor="{anchor}" class="axis"'))
    for colour, run in runs:
        path = "L".join(
            f"{coordinate(x)} {coordinate(up.clipped(point.value))}" for x, point in run
        )
        parts.append(f'<path d="M{path}" class="line" stroke="var(--{colour})"/>' * (len(run) > 1))
    for colour, run in runs:
        for x, point in run:
            whisker = ""
            if point.low is not None and point.high is not None:
                low, high = (coordinate(up.clipped(end)) for end in (point.low, point.high))
                whisker = f'<path d="M{coordinate(x)} {low}V{high}" class="stem whisker"/>'
            spot = dot(x, up.clipped(point.value), 4, f'fill="var(--{colour})"')
            parts.append(mark(point.hint, whisker, spot))
    return picture(key, WIDTH, HEIGHT, name, summary, *parts)
