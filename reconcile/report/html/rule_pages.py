"""The questions whose pages a report has, each with the answers that differ and who gives them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from reconcile.gap.comparison import Comparison
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS

if TYPE_CHECKING:
    from reconcile.diagnosis.investigation import Explanation

MET_QUESTION = "Q11"

Rule = tuple[str, dict[str, list[str]]]
"""Code of a question, and for every answer the names of those who give it."""


def rules_of(comparison: Comparison, labels: tuple[str, str], linked: Iterable[str]) -> Iterator[Rule]:
    """The questions that the sides answer differently, and any other that a step or a row links to."""
    sides = [
        {**statistics.rules.answers, MET_QUESTION: side.met}
        for statistics, side in zip(comparison.statistics, (comparison.left, comparison.right), strict=True)
    ]
    return answered(labels, sides, {step.code for bridge in comparison.bridges for step in bridge.steps} | set(linked))


def answered(labels: Sequence[str], sides: Sequence[Mapping[str, str]], linked: Container[str] = ()) -> Iterator[Rule]:
    """The questions that these answers, by side, differ in, and any other that is linked to."""
    for code in QUESTIONS:
        given: dict[str, list[str]] = {}
        for label, answers in zip(labels, sides, strict=True):
            given.setdefault(answers[code], []).append(label)
        if len(given) > 1 or code in linked:
            yield code, given


def rules_changed(explanations: Iterable[Explanation]) -> Iterator[Rule]:
    """The questions that explanations answer differently than the rule sets they start from, or than the file's own."""
    differences = [one for explanation in explanations for one in (*explanation.differences, *explanation.own_differences)]
    for code in QUESTIONS:
        names = dict.fromkeys(name for one in differences if one.question == code for name in (one.answer_from, one.answer_to))
        if names:
            yield code, {name: [rules.name for rules in RULE_SETS.values() if rules.answers[code] == name] for name in names}


def paragraphs(page: str) -> list[str]:
    """The paragraphs of a docstring, a line each."""
    blocks = (" ".join(block.split()) for block in re.split(r"\n\s*\n", page.strip()))
    return [block for block in blocks if block]
