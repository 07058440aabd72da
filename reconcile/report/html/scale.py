"""Round numbers for the axis of a chart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

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
