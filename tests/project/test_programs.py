"""The matrix of programs: what was probed agrees with the rule set of the program, and the page
shows it."""

import json
import shutil
from typing import Any

import pytest

from benchmarks.programs import dated
from docs.making.programs import KEPT
from reconcile.rules.evidence import FOLDER, Status
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS

PROBED: list[dict[str, Any]] = json.loads(KEPT.read_text("utf-8"))
of_each_program = pytest.mark.parametrize("program", PROBED, ids=lambda program: program["program"])


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


@of_each_program
def test_probe_puts_its_version_and_day_on_its_evidence_and_names_what_differs(tmp_path, program):
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    assert dated({**program, "version": "9.9", "probed": "2027-01-02"}, tmp_path) == []
    table = json.loads((tmp_path / f"{program['nearest']}.json").read_text("utf-8"))
    probed = [row for row in table["cells"].values() if row["status"] == "probed"]
    assert len(probed) > 10
    assert {(row["date"], f"{program['program']} 9.9" in row["source"]) for row in probed} == {
        ("2027-01-02", True)
    }
    assert table["version"] == "9.9"
    other = {**program["answers"]["Q03"], "answer": "minus-0.5"}
    answers = program["answers"] | {"Q03": other}
    assert dated({**program, "answers": answers}, tmp_path) == ["Q03"]
