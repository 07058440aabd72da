"""Pictures: the elements of an SVG and the scale of an axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Final

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
