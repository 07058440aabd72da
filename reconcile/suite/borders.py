"""The numbers at which a program's figures change, found by matches that differ in one number only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final

from reconcile.document import HIDDEN, Document, Text, within
from reconcile.formats.written import WrittenMatch
from reconcile.suite.answers import EQUITY, Given
from reconcile.suite.synthetic import match_of


@dataclass(frozen=True, slots=True)
class Series:
    """Matches that differ in one number only, to find the border at which a program changes its figures."""

    key: str
    title: str
    """What the number is, in words."""
    question: str
    low: float
    high: float
    step: float
    """How far apart the closest two matches are."""
    match: Callable[[float], WrittenMatch]
    figures: tuple[str, ...] = EQUITY

    @property
    def steps(self) -> int:
        """From the low to the high end."""
        return round((self.high - self.low) / self.step)

    def at(self, step: int) -> float:
        """The number in the middle of a step: a border at a round number is never hit."""
        return round(self.low + (step + 0.5) * self.step, 6)


def _with(**turn: Any) -> WrittenMatch:
    """The opening errors, one turn of the studied player, and one of the other."""
    return match_of(turns=("opened", turn, "turn"))


def _grade(name: str) -> Series:
    title = f"the error from which a decision is among the {name if name != 'doubtful' else 'doubtful ones'}"
    return Series(
        name,
        title,
        "Q12",
        0.001,
        high=0.301,
        step=1e-4,
        match=lambda x: _with(costs=(0.0, x, 0.9), made=1),
        figures=(f"{name}.total",),
    )


SERIES: Final = (
    Series(
        "close-no-double",
        "what a double may cost for the no-double to count",
        "Q02",
        0.01,
        high=0.51,
        step=1e-5,
        match=lambda x: _with(no_double=(0.5, 0.5 - x)),
    ),
    Series(
        "losing-side",
        "the equity above which a losing side's no-double counts",
        "Q03",
        -1.2,
        high=0.1,
        step=1e-4,
        match=lambda x: _with(no_double=(x, x - 0.05)),
    ),
    Series(
        "made-double",
        "what a made double must change to count",
        "Q04",
        0.0,
        high=0.003,
        step=1e-5,
        match=lambda x: _with(double=(0.5, 0.5 + x)),
    ),
    Series(
        "optional-double",
        "what doubling must change for a no-double to count",
        "Q04",
        0.0,
        high=0.003,
        step=1e-5,
        match=lambda x: _with(no_double=(0.5, 0.5 - x)),
    ),
    Series(
        "spread",
        "how far candidates must differ for the play to count",
        "Q01",
        0.0,
        high=0.003,
        step=1e-5,
        match=lambda x: _with(costs=(0.0, x)),
    ),
    *(_grade(name) for name in ("doubtful", "errors", "blunders")),
)
"""The borders that a probe looks for."""


@dataclass(frozen=True, slots=True)
class Border(Document):
    """The number at which the program's figures change."""

    key: Annotated[str, HIDDEN]
    """The key of its series."""
    title: Text
    """What the number is."""
    question: Annotated[str, within(pattern="^Q[0-9]{2}$")]
    """The question that it is about."""
    low: float | None
    """The last number with the figures of the low end; null where there is no border."""
    high: float | None
    """The first number with the figures of the high end; null where there is no border."""
    note: str = ""
    """Why there is no border; empty where there is one."""

    @property
    def words(self) -> str:
        """Where it is: `between 0.19999 and 0.2`."""
        return (
            self.note
            if self.low is None or self.high is None
            else f"between {_plain_number(self.low)} and {_plain_number(self.high)}"
        )


def border(
    series: Series, given: Callable[[float], Given], names: tuple[str, ...]
) -> Border | None:
    """The border of a series by bisection; `None` where the program prints none of its figures."""

    def figures(step: int) -> tuple[tuple[str, str], ...]:
        found = given(series.at(step))
        return tuple(
            (name, one.text)
            for name, one in found.items()
            if name in series.figures and name in names
        )

    low, high = 0, series.steps
    first, last = figures(low), figures(high)
    if not first and not last:
        return None
    found_at = partial(Border, series.key, series.title, series.question)
    if first == last:
        return found_at(
            None, None, f"none from {_plain_number(series.low)} to {_plain_number(series.high)}"
        )
    while high - low > 1:
        middle = (low + high) // 2
        found = figures(middle)
        if found == first:
            low = middle
        elif found == last:
            high = middle
        else:
            return found_at(None, None, f"no single border: other figures at {series.at(middle):g}")
    return found_at(series.at(low), series.at(high))


def _plain_number(number: float) -> str:
    """Without an exponent."""
    return f"{number:.7f}".rstrip("0").rstrip(".").replace("-", "\N{MINUS SIGN}")
