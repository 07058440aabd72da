"""The matrix of programs: what was probed agrees with the rule set of the program, and the page
shows it."""

import json
from typing import Any

import pytest

from docs.making.rules import PROBED
from reconcile.rules.catalogue import Status
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS

PROGRAMS: list[dict[str, Any]] = json.loads(PROBED.read_text("utf-8"))
of_each_program = pytest.mark.parametrize(
    "program", PROGRAMS, ids=lambda program: program["program"]
)


@of_each_program
def test_probed_program_has_the_answers_of_its_rule_set(program):
    assert program["differing"] == []
    rules, tool = RULE_SETS[program["nearest"]], (program["program"], program["version"])
    assert set(program["answers"]) == set(QUESTIONS)
    for code, finding in program["answers"].items():
        cell, answer = rules.evidence[code], finding["answer"]
        fallback = QUESTIONS[code].answers[cell.used].fallback  # which some files cannot show
        assert answer in (None, cell.answer, fallback)
        assert (cell.status is Status.PROBED) == (answer is not None)
        if answer is not None:
            assert (rules.program, rules.version) == tool
            assert (cell.source or "").startswith(" ".join(tool))
            assert (cell.date or "") <= program["probed"]
