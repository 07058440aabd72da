"""The pages of the rules that differ between the two sides."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from reconcile.gap.comparison import Comparison
from reconcile.rules.rulesets import QUESTIONS

MET_QUESTION = "Q11"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text; code is what stands between backticks."""

    text: str
    code: bool


Paragraph = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """An answer to a question and who gives it."""

    name: str
    given_by: str
    """Labels of the sides, or nothing where neither gives it."""
    page: tuple[Paragraph, ...]
    source: str
    evidence: str


@dataclass(frozen=True, slots=True)
class RulePage:
    """A question with the answers of both sides."""

    code: str
    title: str
    left: str
    right: str
    page: tuple[Paragraph, ...]
    answers: tuple[AnswerPage, ...]


def rule_pages(comparison: Comparison, labels: tuple[str, str], linked: Iterable[str] = ()) -> tuple[RulePage, ...]:
    """The questions that the sides answer differently, and any other that a step or a row points to."""
    sides = [dict(statistics.rules.answers) for statistics in comparison.statistics]
    for answers, side in zip(sides, (comparison.left, comparison.right), strict=True):
        answers[MET_QUESTION] = side.met
    linked = {step.code for bridge in comparison.bridges for step in bridge.steps} | set(linked)
    return tuple(
        _page(code, sides[0][code], sides[1][code], labels)
        for code in QUESTIONS
        if sides[0].get(code) != sides[1].get(code) or code in linked
    )


def _page(code: str, left: str, right: str, labels: tuple[str, str]) -> RulePage:
    question = QUESTIONS[code]
    given = {
        name: " and ".join(label for label, answer in zip(labels, (left, right), strict=True) if answer == name) for name in (left, right)
    }
    answers = []
    for name in dict.fromkeys((left, right)):
        answer = question.answers.get(name)
        if answer is not None:
            answers.append(AnswerPage(name, given[name], paragraphs(answer.page), answer.source, answer.evidence.value))
        else:
            answers.append(AnswerPage(name, given[name], (), "", ""))
    return RulePage(code, question.title, left, right, paragraphs(question.page.partition("\n\n")[2] or question.page), tuple(answers))


def paragraphs(page: str) -> tuple[Paragraph, ...]:
    """A docstring as paragraphs of text and code."""
    blocks = [" ".join(block.split()) for block in re.split(r"\n\s*\n", page.strip())]
    return tuple(tuple(Piece(text, index % 2 == 1) for index, text in enumerate(block.split("`")) if text) for block in blocks if block)
