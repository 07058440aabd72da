"""Pictures: the elements of an SVG and the scale of an axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Final

XMLNS = "http://www.w3.org/2000/svg"


def coordinate(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}"
    return (
        text.removesuffix(".0").replace("-0", "0")
        if text in ("-0.0", "0.0")
        else text.removesuffix(".0")
    )


def tag(name: str, *content: str, **attributes: str | float | None) -> str:
    """An element; `_` in the name of an attribute becomes `-`, and one that is `None` is left out. Content is SVG already."""
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else coordinate(value)
            words.append(f'{key.rstrip("_").replace("_", "-")}="{escape(text)}"')
    opening = " ".join(words)
    return f"<{opening}>{''.join(content)}</{name}>" if content else f"<{opening}/>"


def text(content: str, x: float, y: float, **attributes: str | float | None) -> str:
    """A text element; the content is escaped."""
    return tag("text", escape(content), x=x, y=y, **attributes)


def title(content: str) -> str:
    """What a pointer shows, and a screen reader says, of the element around it."""
    return tag("title", escape(content))


def picture(
    key: str,
    width: float,
    height: float,
    name: str,
    description: str,
    *content: str,
    class_: str = "",
    role: str = "img",
) -> str:
    """A whole picture with its name and description; `key` must be unique on the page. One with links inside is a `group`, no `img`."""
    head = tag("title", escape(name), id=f"{key}-t") + (
        tag("desc", escape(description), id=f"{key}-d") if description else ""
    )
    labels = f"{key}-t {key}-d" if description else f"{key}-t"
    return tag(
        "svg",
        head,
        *content,
        xmlns=XMLNS,
        viewBox=f"0 0 {coordinate(width)} {coordinate(height)}",
        role=role,
        aria_labelledby=labels,
        class_=class_ or None,
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
