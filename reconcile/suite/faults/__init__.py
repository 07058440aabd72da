"""The faults that the suite knows by name: what a program may do otherwise than its rules say, as changes to our own scoring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from reconcile.rules.rulesets import QUESTIONS, RuleSet
from reconcile.suite.faults.counting import COUNTING
from reconcile.suite.faults.errors import ERRORS
from reconcile.suite.faults.luck import LUCK_AND_GRADES
from reconcile.suite.faults.shown import SHOWN
from reconcile.suite.scorer import Fault


@cache
def known() -> tuple[Fault, ...]:
    """All faults; those with the same code differ in a number."""
    return (*COUNTING, *ERRORS, *SHOWN, *LUCK_AND_GRADES)


@cache
def answers() -> Mapping[str, tuple[str, str, Fault]]:
    """Every answer to every question, as a fault of a program that follows other rules; with its question and name."""
    return {
        f"{code}={name}": (
            code,
            name,
            Fault(f"{code}={name}", f"it answers {code} with {name}: {question.title}", of_rules=_answering(code, name)),
        )
        for code, question in QUESTIONS.items()
        for name in question.answers
    }


def _answering(code: str, name: str) -> Callable[[RuleSet], RuleSet]:
    return lambda rules: rules.switched(code, name)
