"""The matrix of programs: what was probed agrees with the rule set of the program, and the page shows it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docs.making.programs import KEPT, PROBED, programs_page
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS

FOUND: list[dict[str, Any]] = json.loads(KEPT.read_text("utf-8"))


@pytest.mark.parametrize("one", FOUND, ids=[one["program"] for one in FOUND])
def test_probed_program_has_the_answers_of_its_rule_set(one: dict[str, Any]) -> None:
    assert one["differing"] == []
    rules = RULE_SETS[one["nearest"]]
    assert set(one["answers"]) == set(QUESTIONS)
    for code, found in one["answers"].items():
        assert found["answer"] in (None, rules.answers[code])


def test_page_has_a_row_for_every_question_and_marks_what_was_probed() -> None:
    rows = {line[3:6]: line.split(" | ") for line in programs_page().splitlines() if line.startswith("| [Q") and len(line.split(" | ")) > 4}
    assert set(rows) == set(QUESTIONS)
    for column, one in enumerate(FOUND, start=1):
        for code, found in one["answers"].items():
            assert rows[code][column].endswith(f" {PROBED}") == (found["answer"] is not None), code
