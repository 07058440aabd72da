"""The rules that give figures somebody saw, and the diagnosis of a program, as documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from reconcile.columns import KindName
from reconcile.diagnosis.checks import CHECKS
from reconcile.diagnosis.reported import EXPLORED
from reconcile.document import with_keys
from reconcile.results.models.shared import Amount, Count, Positive, Source, Text, Version
from reconcile.scoring.metrics import METRICS, SHORT

if TYPE_CHECKING:
    AnyMetric = str
    CheckCode = str
    CheckedFigures = dict[str, float | None]
    ExploredFigures = dict[str, float | None]
else:
    CheckCode = Literal[tuple(CHECKS)]
    CheckedFigures = dict[Literal[tuple(SHORT.get(name, name) for name in EXPLORED)], float | None]
    AnyMetric = Literal[tuple(SHORT.get(name, name) for name in METRICS)]
    ExploredFigures = with_keys(
        "ExploredFigures",
        {name: (float | None, f"{METRICS[name].label}. {METRICS[name].page}") for name in EXPLORED},
        "Figures by name; null where unknown.",
    )

RuleDifference = TypedDict(
    "RuleDifference",
    {
        "question": Annotated[str, Field(pattern="^Q[0-9]{2}$", description="Its code.")],
        "from": Annotated[Text, Field(description="The answer of the rule set that is changed.")],
        "to": Annotated[Text, Field(description="The answer that gives the figures.")],
        "title": Annotated[str, Field(description="The question.")],
    },
)
RuleDifference.__doc__ = "A question answered differently."


class TurningDecision(TypedDict):
    """A decision on which an explanation turns."""

    game: Positive
    """Number of the game, from 1."""
    turn: Count
    """Number of the turn, from 1."""
    kind: KindName
    """What was decided."""
    counted_from: bool
    """Whether it counts under the rules of the file's own tool."""
    counted_to: bool
    """Whether it counts by the explanation."""
    error_from: float | None
    """Equity lost (EMG) under the rules of the file's own tool."""
    error_to: float | None
    """Equity lost (EMG) by the explanation."""
    mwc_from: float | None
    """Match winning chance lost (percent) under the rules of the file's own tool; null in money play."""
    mwc_to: float | None
    """The same by the explanation."""
    xgid: str
    """The position for eXtreme Gammon; empty if no ID describes it (a resignation)."""
    gnubg_id: str
    """The position for GNU Backgammon; empty if no ID describes it."""


class Check(TypedDict):
    """An ordinary mistake that accounts for the reported figures."""

    code: CheckCode
    """Its code; `reconcile explain CODE` prints its page."""
    sentence: Text
    """What was found."""
    figures: CheckedFigures
    """The figures that it accounts for, as this file has them."""


class RuleSet(TypedDict):
    """A known rule set."""

    name: Text
    """Its name."""
    reproduces: bool
    """Whether it gives all reported figures."""
    figures: ExploredFigures
    """Its figures."""


class Explanation(TypedDict):
    """Rules that give all reported figures."""

    nearest: Text
    """The known rule set with the fewest differences."""
    differences: list[RuleDifference]
    """The questions answered differently."""
    also: list[Text]
    """Known rule sets that give the same reported figures."""
    figures: ExploredFigures
    """What these rules give."""
    own_differences: list[RuleDifference]
    """The questions answered otherwise than by the rules of the file's own tool, as far as the figures turn on them."""
    decisions: list[TurningDecision]
    """Decisions that count or cost otherwise than by the rules of the file's own tool; what moves PR most comes first."""


class NearMiss(Explanation):
    """Rules that nearly give the reported figures."""

    off_by_digits: Amount
    """How far the worst figure is off, in halves of its last digit."""


class Investigation(TypedDict):
    """What `reconcile investigate --json` writes: the rules that give figures somebody saw."""

    schema_version: Version
    source: Source
    """The file, so that anyone can check a figure against the same bytes."""
    player: str
    """Whose figures they are."""
    game: Positive | None
    """Number of their game; null for the match."""
    reported: Annotated[dict[AnyMetric, str], Field(min_length=1)]
    """The figures as they were printed."""
    rule_sets: Annotated[list[RuleSet], Field(min_length=1)]
    """Every known rule set and its figures."""
    checks: list[Check]
    """The ordinary mistakes that account for the figures, the most obvious first."""
    explanations: list[Explanation]
    """Rules that give all reported figures, the fewest differences first."""
    closest: list[NearMiss]
    """The nearest misses, if nothing fits."""
    tried: Positive
    """Combinations of answers that were scored."""
