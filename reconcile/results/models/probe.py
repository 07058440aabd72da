"""Which rules a program follows, as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from reconcile.results.models.shared import Text, Version, with_keys
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS

if TYPE_CHECKING:
    Answers = dict[str, "Answer"]
    RuleSetName = str
else:
    RuleSetName = Literal[tuple(RULE_SETS)]


class Answer(TypedDict):
    """What was found for a question."""

    answer: str | None
    """Name of the answer; null where it cannot be said."""
    possible: list[Text]
    """Every answer that gives the program's figures."""
    evidence: Text
    """How it is known, or why it cannot be said."""


class Border(TypedDict):
    """The number at which the program's figures change."""

    title: Text
    """What the number is."""
    question: Annotated[str, Field(pattern="^Q[0-9]{2}$", description="The question that it is about.")]
    low: float | None
    """The last number with the figures of the low end; null where there is no border."""
    high: float | None
    """The first number with the figures of the high end; null where there is no border."""
    note: str
    """Why there is no border; empty where there is one."""


if not TYPE_CHECKING:
    Answers = with_keys("Answers", {code: (Answer, one.title) for code, one in QUESTIONS.items()}, "Every question by its code.")


class Probe(TypedDict):
    """What `reconcile probe --json` writes: the answers of a program, read back from its figures of synthetic matches."""

    schema_version: Version
    program: Text
    """Its name."""
    format: Literal["xg", "sgf"]
    """Format of the synthetic matches."""
    sentence: Text
    """The result in words."""
    figures: Annotated[list[Text], Field(min_length=1)]
    """The figures that it gives and that were used."""
    other_figures: list[Text]
    """Figures that mean something else than their names say; they were not used."""
    answers: Answers
    """By question."""
    borders: dict[str, Border]
    """Numbers at which its figures change."""
    nearest: RuleSetName
    """The known rule set with the fewest other answers."""
    equally_near: list[RuleSetName]
    """Every rule set as near as that one, itself among them."""
    differing: list[Text]
    """The questions to which the program has another answer than `nearest`."""
