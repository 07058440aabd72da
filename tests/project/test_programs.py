"""The matrix of programs: what was probed agrees with the rule set of the program, and the page shows it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docs.making.programs import KEPT, MARKS, programs_page
from reconcile.rules.evidence import Status
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS

FOUND: list[dict[str, Any]] = json.loads(KEPT.read_text("utf-8"))


@pytest.mark.parametrize("one", FOUND, ids=[one["program"] for one in FOUND])
def test_probed_program_has_the_answers_of_its_rule_set(one: dict[str, Any]) -> None:
    assert one["differing"] == []
    rules = RULE_SETS[one["nearest"]]
    assert set(one["answers"]) == set(QUESTIONS)
    for code, found in one["answers"].items():
        cell = rules.evidence[code]
        assert found["answer"] in (None, cell.answer)
        assert (cell.status is Status.PROBED) == (found["answer"] is not None)
        if cell.status is Status.PROBED:
            assert (rules.program, rules.version) == (one["program"], one["version"])
            assert (cell.source or "").startswith(f"{one['program']} {one['version']}")
            assert (cell.date or "") <= one["probed"]


def test_page_has_a_row_for_every_question_and_marks_what_was_probed() -> None:
    matrix = programs_page().partition("| question | `xg`")[2].partition("\n## ")[0]
    rows = {line[3:6]: line.strip(" |").split(" | ")[1:] for line in matrix.splitlines() if line.startswith("| [Q")}
    assert set(rows) == set(QUESTIONS)
    for code, row in rows.items():
        for cell, rules in zip(row, RULE_SETS.values(), strict=True):
            assert cell.endswith(f" {MARKS[rules.evidence[code].status]}"), (rules.name, code)


def test_page_says_of_what_could_not_be_probed_that_it_is_unknown_and_why() -> None:
    text = programs_page()
    reasons = [seen["evidence"] for one in FOUND for seen in one["answers"].values() if seen["answer"] is None]
    assert "no .sgf file can show it" in reasons
    for reason in reasons:
        assert f"unknown: {reason}" in text
