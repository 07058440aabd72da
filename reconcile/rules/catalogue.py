"""What a question and an answer are, and the register of all of them.

A question is a point on which programs differ; its module's docstring is its page. An answer is a small pure function
over columns, or a value; its docstring or text is its page, with its source.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

import numpy as np

from reconcile.match import Match


class Evidence(Enum):
    """How we know a program's answer."""

    VERIFIED = "verified on files with the program's own figures, or against the program itself"
    DOCUMENTED = "documented by the program's author"
    ATTESTED = "attested by a third party only"
    OPEN = "open: nobody outside the program knows; this is the best attested answer"


class Effect(Enum):
    """What another answer to a question changes."""

    DECISIONS = "which decisions count, or what they cost"
    RATE = "a rate, but no decision"
    TABLE = "what an equity is worth in match winning chance"
    NAMES = "how figures are named or graded, but no figure"


def _always(_match: Match) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Answer:
    """One way to answer a question."""

    name: str
    value: Any
    """A function over columns or a constant, depending on the question."""
    page: str
    source: str
    evidence: Evidence
    applies: Callable[[Match], bool] = _always
    """Whether the file has what this answer needs."""
    fallback: str = ""
    """The answer used instead if it does not."""


@dataclass(frozen=True, slots=True)
class Question:
    """One point on which programs differ."""

    code: str
    title: str
    page: str
    effect: Effect = Effect.DECISIONS
    matters: Callable[[Match], bool] = _always
    """Whether another answer can change any figure of a match, by its nature."""
    answers: dict[str, Answer] = field(default_factory=dict)

    @property
    def is_varied(self) -> bool:
        """Whether another answer can change the PR of a file whose match equity table is given."""
        return self.effect in (Effect.DECISIONS, Effect.RATE)

    def answer(
        self, name: str, *, source: str, evidence: Evidence, applies: Callable[[Match], bool] = _always, fallback: str = ""
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register a function over columns as an answer; its docstring is the page."""

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self.answers[name] = Answer(name, function, function.__doc__ or "", source, evidence, applies, fallback)
            return function

        return register

    def constant(
        self,
        name: str,
        value: Any,
        *,
        page: str,
        source: str,
        evidence: Evidence,
        applies: Callable[[Match], bool] = _always,
        fallback: str = "",
    ) -> None:
        """Register a value as an answer."""
        self.answers[name] = Answer(name, value, page, source, evidence, applies, fallback)


def has_equities(match: Match) -> bool:
    """Whether the analysed cube decisions have their equities; a database may store only the errors."""
    cubes = match.cubes
    return bool(np.count_nonzero(cubes.no_double == cubes.no_double)) or not cubes.analysed.any()


def has_candidates(match: Match) -> bool:
    """Whether the analysed plays have the equities of their candidates."""
    plays = match.plays
    return bool(np.count_nonzero(plays.best == plays.best)) or not plays.analysed.any()


def has_marks(match: Match) -> bool:
    """Whether the file marks which no-doubles count."""
    return bool(np.count_nonzero(match.cubes.flag >= 0))


XG_WINDOW: Final = "XG's own statistics window (file versions 30 and 32) on two matches, every figure after rounding"
GAMMONVIEW_ITSELF: Final = "GammonView 3.1.0 (PyPI `gammonview`), every count equal to the program's own on ten real `.xg` files"
BGBLITZ_TOTALS: Final = "BGBlitz's own totals and verdicts in 11 files, every one equal"
GNUBG_RECOUNT: Final = "gnuBG 1.07.001 and 1.08.003, every counter equal to the program's own on 35 matches"
