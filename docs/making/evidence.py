"""The table of programs: every answer of every rule set with its evidence, as `docs/evidence.json`,
and how the pages show a row of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from docs.making.markdown import code, prose
from reconcile.rules.catalogue import Cell, Status
from reconcile.rules.rulesets import RULE_SETS, RuleSet

FILE = Path(__file__).parents[1] / "evidence.json"


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


def linked(question: str) -> str:
    """A question as a link."""
    return f"[{question}](questions/{question}.md)"


def answer_of(cell: Cell, page: str) -> str:
    """The answer as a link to its section of a page; of an unknown one what is used meanwhile."""
    link = f"[{code(cell.used)}]({page}#{cell.used})"
    if cell.answer:
        return link
    unknown = "not applicable" if cell.status is Status.NOT_APPLICABLE else "unknown"
    return f"{unknown}, {link} is used"


def grounds(cell: Cell) -> str:
    """What is known of an answer, and where."""
    return "; ".join(prose(text) for text in (cell.quote, cell.source) if text) or "–"
