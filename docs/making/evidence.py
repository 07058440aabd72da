"""The table of programs: every answer of every rule set with its evidence, as `docs/evidence.json`
and as tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from docs.making.markdown import code, prose, table
from reconcile.rules.catalogue import Question
from reconcile.rules.evidence import Cell, Status
from reconcile.rules.rulesets import RULE_SETS, RuleSet

FILE: Final = Path(__file__).parents[1] / "evidence.json"
COLUMNS: Final = ("answer", "status", "source", "quote", "date", "separates")


def cells() -> Iterator[tuple[RuleSet, str, Cell]]:
    """Every row of the table, in the order of the rule sets."""
    for rules in RULE_SETS.values():
        for question, cell in rules.evidence.items():
            yield rules, question, cell


def rows() -> list[dict[str, str | None]]:
    """The table as it is published."""
    return [
        {
            "program": rules.program,
            "version": rules.version,
            "question": question,
            "answer": cell.answer,
            "status": cell.status.value if cell.status else None,
            "source": cell.source,
            "quote": cell.quote,
            "date": cell.date,
            "separates": cell.separates,
        }
        for rules, question, cell in cells()
    ]


def evidence_json() -> str:
    """The file."""
    return json.dumps(rows(), indent=1, ensure_ascii=False) + "\n"


def counts() -> str:
    """How many answers have each status."""
    numbers = Counter(cell.status for _, _, cell in cells())
    listed = [(status.value, status.words, numbers[status]) for status in Status]
    return table(
        ("status", "what it means", "answers"), [*listed, ("", "", sum(numbers.values()))], "llr"
    )


def answer_of(cell: Cell, question: str, folder: str) -> str:
    """The answer as a link; of an unknown one what is used meanwhile."""
    link = f"[{code(cell.used)}]({folder}{question}.md#{cell.used})"
    return (
        link
        if cell.answer
        else f"{'not applicable' if cell.status is Status.NOT_APPLICABLE else 'unknown'}, "
        f"{link} is used"
    )


def of_program(rules: RuleSet) -> str:
    """The rows of one rule set."""
    listed = [
        (
            f"[{question}](questions/{question}.md)",
            answer_of(cell, question, "questions/"),
            cell.status_words,
            _grounds(cell),
            cell.date or "",
            prose(cell.separates or "–"),
        )
        for question, cell in rules.evidence.items()
    ]
    return table(
        (
            "question",
            "answer",
            "status",
            "what is known, and where",
            "looked up",
            "what distinguishes it from the next answer",
        ),
        listed,
    )


def of_question(question: Question[Any]) -> str:
    """The rows of one question."""
    listed = [
        (
            f"[{code(rules.name)}](../rules.md#{rules.name})",
            _marked(
                rules, question.code, answer_of(rules.evidence[question.code], question.code, "")
            ).replace(f"({question.code}.md#", "(#"),
            rules.evidence[question.code].status_words,
            _grounds(rules.evidence[question.code]),
        )
        for rules in RULE_SETS.values()
    ]
    return table(("rule set", "answer", "status", "what is known, and where"), listed)


def _marked(rules: RuleSet, question: str, text: str) -> str:
    return (
        f"{text} [?](../open-points.md#{rules.name}-{question})" if question in rules.open else text
    )


def _grounds(cell: Cell) -> str:
    return "; ".join(prose(text) for text in (cell.quote, cell.source) if text) or "–"
