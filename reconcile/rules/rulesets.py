"""Rule sets: one answer to every question, under the name of the program that counts so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from reconcile.errors import UnknownName
from reconcile.match import Match
from reconcile.rules import (
    q01_play_counts,
    q02_close_no_double,
    q03_losing_side,
    q04_optional_double,
    q05_not_analysed,
    q06_error_size,
    q07_resignations,
    q08_rate,
    q09_one_point,
    q10_response_cube,
    q11_match_equity_table,
    q12_thresholds,
    q13_cap,
    q14_beaver,
)
from reconcile.rules.catalogue import Answer, Question

QUESTIONS: Final[Mapping[str, Question]] = MappingProxyType(
    {
        module.QUESTION.code: module.QUESTION
        for module in (
            q01_play_counts,
            q02_close_no_double,
            q03_losing_side,
            q04_optional_double,
            q05_not_analysed,
            q06_error_size,
            q07_resignations,
            q08_rate,
            q09_one_point,
            q10_response_cube,
            q11_match_equity_table,
            q12_thresholds,
            q13_cap,
            q14_beaver,
        )
    }
)
"""Every question by code, in the order in which a bridge switches them."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One answer to every question."""

    name: str
    title: str
    answers: Mapping[str, str]
    """Question code -> name of the answer."""

    def answer(self, code: str) -> Answer:
        """The answer to a question."""
        return QUESTIONS[code].answers[self.answers[code]]

    def value(self, code: str) -> Any:
        """The function or constant that answers a question."""
        return QUESTIONS[code].answers[self.answers[code]].value

    def switched(self, code: str, answer: str) -> RuleSet:
        """The same rules with one answer changed. Raises `UnknownName`."""
        if answer not in QUESTIONS[code].answers:
            raise UnknownName(f"{code} has no answer {answer!r}; it has {', '.join(QUESTIONS[code].answers)}")
        return replace(self, answers=MappingProxyType({**self.answers, code: answer}))

    def for_match(self, match: Match) -> tuple[RuleSet, tuple[tuple[str, str, str], ...]]:
        """The rules as far as a file can bear them, and what was replaced: (question, wanted, used)."""
        replaced = []
        rules = self
        for code, name in self.answers.items():
            answer = QUESTIONS[code].answers[name]
            if answer.fallback and not answer.applies(match):
                rules = rules.switched(code, answer.fallback)
                replaced.append((code, name, answer.fallback))
        return rules, tuple(replaced)


def _rule_set(name: str, title: str, **answers: str) -> RuleSet:
    given = {code.upper(): answer for code, answer in answers.items()}
    if list(given) != list(QUESTIONS) or any(given[code] not in QUESTIONS[code].answers for code in given):
        raise ValueError(f"rule set {name} must answer every question with one of its answers")
    return RuleSet(name, title, MappingProxyType(given))


RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            _rule_set(
                "xg",
                "eXtreme Gammon's statistics window",
                q01="xg-flag",
                q02="xg",
                q03="nd-positive",
                q04="yes",
                q05="left-out",
                q06="stored",
                q07="yes-without-decision",
                q08="500/counted",
                q09="x1.5",
                q10="before-double",
                q11="Kazaross-XG2",
                q12="xg",
                q13="100",
                q14="as-played",
            ),
            _rule_set(
                "gnubg",
                "GNU Backgammon's statistics of a saved match",
                q01="gnubg",
                q02="gnubg",
                q03="all",
                q04="yes",
                q05="left-out",
                q06="candidate-0",
                q07="no",
                q08="1000/counted",
                q09="x1",
                q10="before-double",
                q11="Kazaross-XG2",
                q12="gnubg",
                q13="none",
                q14="gnubg-recount",
            ),
        )
    }
)

OWN_RULES: Final[Mapping[str, str]] = MappingProxyType({"eXtreme Gammon": "xg", "GNU Backgammon": "gnubg"})
"""The rule set a tool counts by."""


@cache
def rule_set(name: str) -> RuleSet:
    """A rule set by name. Raises `UnknownName`."""
    if name not in RULE_SETS:
        raise UnknownName(f"no rule set {name!r}; there are {', '.join(RULE_SETS)}")
    return RULE_SETS[name]


def own_rules(match: Match) -> RuleSet:
    """The rule set of the tool that wrote the file; `gnubg` for a tool without rules of its own."""
    return RULE_SETS[OWN_RULES.get(match.source.tool, "gnubg")]
