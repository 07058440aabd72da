"""The diagnosis of a program as a document."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from reconcile.columns import KindName
from reconcile.diagnosis.checks import CheckCode
from reconcile.results.models.shared import Count, Positive, Text

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
