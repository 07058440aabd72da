"""The rules that give figures somebody saw, and the diagnosis of a program, as documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from reconcile.diagnosis.checks import CHECKS
from reconcile.diagnosis.reported import EXPLORED
from reconcile.results.models.shared import Amount, Count, KindName, Positive, Source, Text, Version, with_keys
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


class RuleSetCount(TypedDict):
    """How many figures of a program a known rule set gives."""

    name: Text
    """The rule set; `own` for the rules of each reference, where these differ."""
    explained: Count
    """Figures that it gives, within their printed digits."""
    given: Count
    """Figures of the program that depend on rules."""


class BestRules(TypedDict):
    """The rules by which a program counts, or comes closest to."""

    rules: Text
    """A known rule set; `own` for the rules of each reference."""
    differences: list[RuleDifference]
    """The one or two questions that it answers otherwise; empty where no change proves itself."""
    explained: Count
    """Figures that these rules give, with the differences."""
    given: Count
    """Figures of the program that depend on rules."""
    also: list[Text]
    """Other rules, in words, that give the same figures in these matches."""


class DiagnosedDecision(TypedDict):
    """A decision of a match."""

    match: Text
    """Id of the match."""
    player: Text
    """Who decided."""
    game: Positive
    """Number of the game, from 1."""
    turn: Count
    """Number of the turn, from 1."""
    kind: KindName
    """What was decided."""
    error: float
    """Equity lost (EMG)."""
    xgid: str
    """As XG takes it; empty where there is no such ID."""
    gnubg_id: str
    """gnuBG's `Position ID:Match ID`; empty where there is no such ID."""


class DecidingDecision(DiagnosedDecision):
    """A decision that would account for the figures of a player if it counted otherwise."""

    counted: Literal["without", "twice", "with"]
    """How: if it did not count, counted twice, or counted."""


class DiagnosedFault(TypedDict):
    """An ordinary mistake that a program makes."""

    code: CheckCode
    """Its code; `reconcile explain CODE` prints its page."""
    sentence: Text
    """In which matches, and an example."""
    rules: Text
    """The rule set under which it accounts for most figures."""
    matches: list[Text]
    """Ids of the matches in which it shows."""
    explained: Count
    """Figures that the rules give with it."""
    decisions: list[DiagnosedDecision]
    """The decisions that may be missing, or counted twice, as far as the figures tell them apart."""


class AgainstDiagnosis(TypedDict):
    """A match that speaks against a diagnosis."""

    match: Text
    """Id of the match."""
    explained: Count
    """Figures that the rules give here."""
    given: Count
    """Figures of the program that depend on rules."""
    sentence: str
    """The figures that they do not give, and what they are by these rules."""
    decisions: list[DecidingDecision]
    """Single decisions that would account for a player's figures."""


class Diagnosis(TypedDict):
    """What a program under test does, by all its matches in the run."""

    candidate: Text
    """The program, the command or the files."""
    matches: list[Text]
    """Ids of the matches."""
    sentence: Text
    """The answer in a sentence or two."""
    rule_sets: list[RuleSetCount]
    """Every known rule set, the one that gives most figures first."""
    best: BestRules
    """The rules by which it counts."""
    sure: Literal["certain", "likely", "open", "none"]
    """`certain`: several matches show it; `likely`: only one does; `open`: other rules give the same; `none`: no rules give the figures."""
    why: Text
    """How sure that is, in words."""
    faults: list[DiagnosedFault]
    """Ordinary mistakes, the one that accounts for most figures first; where there is one, it comes before the rules."""
    against: list[AgainstDiagnosis]
    """Matches whose figures these rules do not give; empty where a fault accounts for all."""
