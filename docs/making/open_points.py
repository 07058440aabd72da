"""The open points: every answer and every cell of the matrix that is marked open, and what would settle it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import yaml

from docs.making import public
from docs.making.markdown import code, heading, page, paragraphs, prose, table
from docs.making.rules import users
from reconcile.rules.catalogue import Evidence
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS

SETTLED_BY: Final = Path(__file__).parents[1] / "settled_by.yaml"
OTHERWISE: Final = (
    "A match with the program's own figures in which this answer and another answer to its question count differently; "
    "`reconcile investigate` lists the decisions on which they differ."
)


@cache
def settled_by() -> Mapping[str, Mapping[str, str]]:
    """What would settle an open point, by `cells` and `answers`."""
    texts: Mapping[str, Mapping[str, str]] = yaml.safe_load(SETTLED_BY.read_text("utf-8"))
    return texts


def losing_side() -> str:
    """Public files on which the clauses of Q03 count differently."""
    answers = list(QUESTIONS["Q03"].answers)
    rows = []
    for name, kept in public.measured().items():
        for player in kept["players"] if kept["format"] == "xg" else ():
            counts = [player["double_decisions"].get(answer, "–") for answer in answers]
            if len(set(counts)) > 1:
                rows.append((code(name), player["name"], *counts))
    listed = table(["file", "player", *(f"doubles by {code(answer)}" for answer in answers)], rows, "ll" + "r" * len(answers))
    address = "[errors in published descriptions](errors-in-published-descriptions.md#files)"
    return f"{listed}\n\nThe SHA-256 of the files and where they are public: {address}."


def open_cells() -> list[tuple[str, str]]:
    """Rule set and question of every cell marked open."""
    return [(rules.name, question) for rules in RULE_SETS.values() for question in QUESTIONS if question in rules.open]


def open_answers() -> list[tuple[str, str]]:
    """Question and answer of every answer whose evidence is open."""
    return [
        (code_, name) for code_, question in QUESTIONS.items() for name, answer in question.answers.items() if _is(answer, Evidence.OPEN)
    ]


def _is(answer: object, evidence: Evidence) -> bool:
    return getattr(answer, "evidence", None) is evidence


def open_points_page() -> str:
    """The page of everything open."""
    parts = [
        "Some answers are not known outside a program. They are marked, never silently guessed: the best attested answer is used, the "
        "others "
        "are tried by `reconcile investigate`, and this page says which file would settle the matter. If you have one, please open an "
        "issue.",
        heading(2, "Cells of the matrix", "cells"),
        "It is not known what a program does; the answer named here is used until somebody proves another.",
    ]
    for name, question in open_cells():
        answer = RULE_SETS[name].answers[question]
        parts += [
            heading(3, f"{code(name)}, {question}", f"{name}-{question}"),
            f"[{QUESTIONS[question].title}](questions/{question}.md) Used until then: [{code(answer)}](questions/{question}.md#{answer}).",
            f"What would settle it: {settled_by()['cells'].get(f'{name} {question}', OTHERWISE)}",
        ]
        if (name, question) == ("xg", "Q03"):
            parts.append(losing_side())
    parts += [
        heading(2, "Answers", "answers"),
        "The exact definition of the answer is open.",
    ]
    for question, answer in open_answers():
        used = ", ".join(f"[{code(rules.name)}](rules.md#{rules.name})" for rules in users(question, answer)) or "no rule set"
        parts += [
            heading(3, f"{question}, {code(answer)}", f"{question}-{answer}"),
            paragraphs(QUESTIONS[question].answers[answer].page),
            f"[{QUESTIONS[question].title}](questions/{question}.md#{answer}) Used by {used}. "
            f"Source: {prose(QUESTIONS[question].answers[answer].source)}.",
            f"What would settle it: {settled_by()['answers'].get(f'{question} {answer}', OTHERWISE)}",
        ]
    parts += [
        heading(2, "Attested, not verified", "attested"),
        "These answers come from a third party's description of a program, or from an interpretation of its text. No file with the "
        "program's own figures has confirmed them yet; one on which the answer makes a difference would.",
        table(
            ["question", "answer", "source", "used by"],
            (
                (
                    f"[{code_}](questions/{code_}.md)",
                    f"[{code(name)}](questions/{code_}.md#{name})",
                    prose(answer.source),
                    ", ".join(code(rules.name) for rules in users(code_, name)) or "no rule set",
                )
                for code_, question in QUESTIONS.items()
                for name, answer in question.answers.items()
                if _is(answer, Evidence.ATTESTED)
            ),
        ),
    ]
    return page("Open points", *parts)
