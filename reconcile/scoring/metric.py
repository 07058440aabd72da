"""One figure of a player: its name, unit and digits, and what it is called in a heading, in a
sentence and as a count."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from reconcile.language import Number
from reconcile.scoring.sums import DecisionClass
from reconcile.wording import capital

ALL_CLASSES: Final = "all classes"
"""The part of a figure that is about the whole play; sentences leave it out."""


class Form(Enum):
    """How a figure is composed."""

    ERROR = "sum of errors"
    COUNT = "number of decisions"
    RATE = "errors per decision"


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure of a player, for a match or a game: a row of `figures.csv`."""

    name: str
    noun: str
    """What it is called inside a sentence, without the part of the play that it is about."""
    singular: str
    """The noun of a count of 1."""
    part: str
    """The part of the play that it is about, in words."""
    unit: str
    decimals: int
    """Digits shown to people; comparisons never round."""
    parts: tuple[str, ...]
    """The analysis it is based on: `checker`, `cube`, `luck`; if that is incomplete, so is the
    figure."""
    page: str
    form: Form | None
    """`None` if it is not made of decisions, so that no bridge can be built for it."""
    classes: tuple[DecisionClass, ...]
    """The classes of decisions it is made of; empty for all."""
    factor: float
    per_move: bool
    """Whether a rate is divided by the moves of both players instead of the player's counted
    decisions."""

    @property
    def least_shown(self) -> float:
        """The smallest change that is reported: half a printed digit."""
        return float(0.5 * 10.0**-self.decimals)

    @property
    def in_mwc(self) -> bool:
        """Whether it is in match winning chance, which money sessions do not have."""
        return "percent" in self.name

    @property
    def title(self) -> str:
        """Its heading: `Equity lost, checker plays`."""
        return f"{capital(self.noun)}, {self.part}" if self.part else capital(self.noun)

    @property
    def is_signed(self) -> bool:
        """Whether it can be below 0; only luck can."""
        return self.parts == ("luck",)

    @property
    def is_whole(self) -> bool:
        """Whether it is a count."""
        return self.decimals == 0

    @property
    def words(self) -> str:
        """What it is called inside a sentence, without a comma: `equity lost (checker plays)`."""
        return self._with_part(self.noun)

    def number_in_words(self, text: str) -> str:
        """A count in words: `1 error (checker plays)`, `31 decisions`."""
        return f"{text} {self._with_part(self.singular if text == '1' else self.noun)}"

    def _with_part(self, noun: str) -> str:
        return f"{noun} ({self.part})" if self.part not in ("", ALL_CLASSES) else noun

    @property
    def label(self) -> str:
        """The title with the unit, where the title does not name it."""
        with_unit = self.unit and self.unit not in self.title
        return f"{self.title} ({self.unit})" if with_unit else self.title

    def shown(self, value: float | None) -> str:
        """A figure with the digits of this metric; a dash where it is unknown."""
        return "-" if value is None else Number(f"{value:.{self.decimals}f}")
