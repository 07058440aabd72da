"""The number at which a program changes its figures, between two synthetic matches that differ in nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reconcile.probe.contrasts import Series
from reconcile.probe.inference import Given


@dataclass(frozen=True, slots=True)
class Border:
    """Where a series changes."""

    series: Series
    low: float | None
    """The last number with the figures of the low end; `None` where there is no single border."""
    high: float | None
    """The first number with the figures of the high end."""
    note: str = ""
    """Why there is none."""

    @property
    def words(self) -> str:
        """Where it is: `between 0.19999 and 0.2`."""
        return self.note if self.low is None or self.high is None else f"between {_plain(self.low)} and {_plain(self.high)}"


def border(series: Series, given: Callable[[float], Given], names: frozenset[str]) -> Border | None:
    """The border of a series by bisection; `None` where the program prints none of its figures."""

    def figures(step: int) -> tuple[tuple[str, str], ...]:
        found = given(series.at(step))
        return tuple((name, one.text) for name, one in found.items() if name in series.figures and name in names)

    low, high = 0, series.steps
    first, last = figures(low), figures(high)
    if not first and not last:
        return None
    if first == last:
        return Border(series, None, None, f"none from {_plain(series.low)} to {_plain(series.high)}")
    while high - low > 1:
        middle = (low + high) // 2
        found = figures(middle)
        if found == first:
            low = middle
        elif found == last:
            high = middle
        else:
            return Border(series, None, None, f"no single border: other figures at {series.at(middle):g}")
    return Border(series, series.at(low), series.at(high))


def _plain(number: float) -> str:
    """Without an exponent."""
    return f"{number:.7f}".rstrip("0").rstrip(".").replace("-", "\N{MINUS SIGN}")
