"""The matrix of programs: what was probed agrees with the rule set of the program, and the page
shows it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from benchmarks.programs import dated
from docs.making.programs import KEPT, MARKS, programs_page
from reconcile.rules.evidence import FOLDER, Status
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS

PROBED: list[dict[str, Any]] = json.loads(KEPT.read_text("utf-8"))


@pytest.mark.parametrize("program", PROBED, ids=[program["program"] for program in PROBED])
def test_probed_program_has_the_answers_of_its_rule_set(program: dict[str, Any]) -> None:
    assert program["differing"] == []
    rules = RULE_SETS[program["nearest"]]
    assert set(program["answers"]) == set(QUESTIONS)
    for code, finding in program["answers"].items():
        cell, answers = rules.evidence[code], QUESTIONS[code].answers
        assert finding["answer"] in (
            None,
            cell.answer,
            answers[cell.used].fallback,
        )  # which some files cannot show
        assert (cell.status is Status.PROBED) == (finding["answer"] is not None)
        if cell.status is Status.PROBED:
            assert (rules.program, rules.version) == (program["program"], program["version"])
            assert (cell.source or "").startswith(f"{program['program']} {program['version']}")
            assert (cell.date or "") <= program["probed"]


def test_page_has_a_row_for_every_question_and_marks_what_was_probed_or_is_unknown() -> None:
    text = programs_page()
    matrix = text.partition("| question | `xg`")[2].partition("\n## ")[0]
    rows = {
        line[3:6]: line.strip(" |").split(" | ")[1:]
        for line in matrix.splitlines()
        if line.startswith("| [Q")
    }
    assert set(rows) == set(QUESTIONS)
    for code, row in rows.items():
        statuses = [rules.evidence[code].status for rules in RULE_SETS.values()]
        marks = [MARKS[status] for status in statuses if status]
        assert [cell.rpartition(" ")[2] for cell in row] == marks, code
    answers = [answer for program in PROBED for answer in program["answers"].values()]
    reasons = [answer["evidence"] for answer in answers if answer["answer"] is None]
    assert "no .sgf file can show it" in reasons
    assert all(f"unknown: {reason}" in text for reason in reasons)


@pytest.mark.parametrize("program", PROBED, ids=[program["program"] for program in PROBED])
def test_probe_puts_its_version_and_day_on_what_it_found_and_names_what_differs(
    tmp_path: Path, program: dict[str, Any]
) -> None:
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    assert dated({**program, "version": "9.9", "probed": "2027-01-02"}, tmp_path) == []
    table = json.loads((tmp_path / f"{program['nearest']}.json").read_text("utf-8"))
    probed = [row for row in table["cells"].values() if row["status"] == "probed"]
    assert len(probed) > 10
    assert {row["date"] for row in probed} == {"2027-01-02"}
    assert all(f"{program['program']} 9.9" in row["source"] for row in probed)
    assert table["version"] == "9.9"
    other = {
        **program,
        "answers": {
            **program["answers"],
            "Q03": {**program["answers"]["Q03"], "answer": "minus-0.5"},
        },
    }
    assert dated(other, tmp_path) == ["Q03"]
