"""The synthetic matches of a probe (`contrasts.yaml`): each has one decision, or a few of a kind, on which rules differ.

Every match begins with an error of 0.07 of the studied player that counts under all rules, so that every rate has something to divide by.
Then comes what the match is about. `Contrast.about` names every question whose answer can change its figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from reconcile.files.kept import made_of
from reconcile.files.yaml_file import read_tree
from reconcile.formats.written import WrittenMatch
from reconcile.probe.synthetic import FORMATS, match_of
from reconcile.scoring.metrics import METRICS

EQUITY: Final = tuple(
    name for name, one in METRICS.items() if name.startswith(("decisions.", "equity_error.")) or (one.factor != 1 and not one.in_mwc)
)
"""Figures of decisions, errors and rates, by which most questions are answered."""
CHANCE: Final = tuple(name for name in METRICS if name.startswith("mwc_loss_percent."))
GRADES: Final = tuple(name for name in METRICS if name.startswith(("errors.", "blunders.", "doubtful.")))
NOUNS: Final = {EQUITY: "decisions, errors or rates", CHANCE: "losses in match winning chance", GRADES: "numbers of errors and blunders"}
READ: Final = {"equity": EQUITY, "chance": CHANCE, "grades": GRADES, "all": (*EQUITY, *CHANCE)}
"""By what the data say, the figures that are read."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A synthetic match on which rules differ."""

    key: str
    """Names its file."""
    title: str
    """What it has, in words: `a no-double that costs 0.161`."""
    about: tuple[str, ...]
    """Every question whose answer can change its figures."""
    match: WrittenMatch
    plural: bool = False
    """Whether the title names several decisions."""
    figures: tuple[str, ...] = EQUITY
    """The metrics that are read; no other question than those in `about` can change them."""
    formats: tuple[str, ...] = FORMATS
    """The formats that can hold it."""


@cache
def _all() -> Mapping[str, Contrast]:
    return {key: _contrast(key, **one) for key, one in made_of(Path(__file__).with_name("contrasts.yaml"), read_tree).items()}


def _contrast(
    key: str,
    title: str,
    about: list[str],
    figures: str = "equity",
    formats: tuple[str, ...] = FORMATS,
    plural: bool = False,
    **match: Any,
) -> Contrast:
    return Contrast(key, title, tuple(about), match_of(**match), plural, READ[figures], tuple(formats))


def plain() -> Contrast:
    """The match on which all rules agree: it shows which figures of a program mean what they are called."""
    return _all()["plain"]


def contrasts(form: str) -> tuple[Contrast, ...]:
    """All contrasts that a format can hold, without the plain one."""
    return tuple(one for one in _all().values() if one.about and form in one.formats)


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
        name, title, "Q12", 0.001, high=0.301, step=1e-4, match=lambda x: _with(costs=(0.0, x, 0.9), made=1), figures=(f"{name}.total",)
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
