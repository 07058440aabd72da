"""What a question and an answer are, and the register of all of them.

A question is a point on which programs differ. An answer is a small pure function
over columns, or a value; its docstring or text is its page, with its source.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, TypeVar

import numpy as np

from reconcile.match.match import Match
from reconcile.rules.evidence import Status

Value = TypeVar("Value")
"""What answers a question: a function over columns or a constant."""


class Effect(Enum):
    """What another answer to a question changes."""

    DECISIONS = "which decisions count, or what they cost"
    RATE = "a rate, but no decision"
    TABLE = "what an equity is worth in match winning chance"
    NAMES = "how figures are named or graded, but no figure"


def _always(_match: Match) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Answer(Generic[Value]):
    """One way to answer a question."""

    name: str
    value: Value
    page: str
    status: Status | None = None
    """How it is known that somebody counts so, for an answer that no rule set gives; of the others
    the table in `programs/` says it."""
    source: str = ""
    """Who counts so, or who says so, likewise."""
    applies: Callable[[Match], bool] = _always
    """Whether the file has what this answer needs."""
    fallback: str = ""
    """The answer used instead if it does not."""


@dataclass(frozen=True, slots=True)
class Question(Generic[Value]):
    """One point on which programs differ."""

    code: str
    page: str
    """Its first line is the title."""
    effect: Effect = Effect.DECISIONS
    matters: Callable[[Match], bool] = _always
    """Whether another answer can change any figure of a match, by its nature."""
    answers: dict[str, Answer[Value]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "page", self.page or self.code)  # `python -OO` drops docstrings

    @property
    def title(self) -> str:
        """The question in one line."""
        return self.page.partition("\n")[0]

    @property
    def is_varied(self) -> bool:
        """Whether another answer can change the PR of a file whose match equity table is given."""
        return self.effect in (Effect.DECISIONS, Effect.RATE)

    def answer(self, name: str, **more: Any) -> Callable[[Value], Value]:
        """Register a function over columns as an answer; its docstring is the page, `more` are
        fields of `Answer`."""

        def register(function: Value) -> Value:
            self.constant(name, function, page=function.__doc__ or "", **more)
            return function

        return register

    def constant(self, name: str, value: Value, *, page: str, **more: Any) -> None:
        """Register a value as an answer; `more` are fields of `Answer`."""
        self.answers[name] = Answer(name, value, page, **more)


def has_equities(match: Match) -> bool:
    """Whether the analysed cube decisions have their equities; a database may store only the
    errors."""
    cubes = match.cubes
    return bool(np.count_nonzero(cubes.no_double == cubes.no_double)) or not cubes.analysed.any()


def has_candidates(match: Match) -> bool:
    """Whether the analysed plays have the equities of their candidates."""
    plays = match.plays
    return bool(np.count_nonzero(plays.best == plays.best)) or not plays.analysed.any()


def has_marks(match: Match) -> bool:
    """Whether the file marks which no-doubles count."""
    return bool(np.count_nonzero(match.cubes.flag >= 0))
