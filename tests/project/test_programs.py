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

FOUND: list[dict[str, Any]] = json.loads(KEPT.read_text("utf-8"))


@pytest.mark.parametrize("one", FOUND, ids=[one["program"] for one in FOUND])
def test_probed_program_has_the_answers_of_its_rule_set(one: dict[str, Any]) -> None:
    assert one["differing"] == []
    rules = RULE_SETS[one["nearest"]]
    assert set(one["answers"]) == set(QUESTIONS)
    for code, found in one["answers"].items():
        cell, answers = rules.evidence[code], QUESTIONS[code].answers
        assert found["answer"] in (
            None,
            cell.answer,
            answers[cell.used].fallback,
        )  # which some files cannot show
        assert (cell.status is Status.PROBED) == (found["answer"] is not None)
        if cell.status is Status.PROBED:
            assert (rules.program, rules.version) == (one["program"], one["version"])
            assert (cell.source or "").startswith(f"{one['program']} {one['version']}")
            assert (cell.date or "") <= one["probed"]


def test_page_has_a_row_for_every_question_and_marks_what_was_probed() -> None:
    matrix = programs_page().partition("| question | `xg`")[2].partition("\n## ")[0]
    rows = {
        line[3:6]: line.strip(" |").split(" | ")[1:]
        for line in matrix.splitlines()
        if line.startswith("| [Q")
    }
    assert set(rows) == set(QUESTIONS)
    for code, row in rows.items():
        for cell, rules in zip(row, RULE_SETS.values(), strict=True):
            status = rules.evidence[code].status
            assert status
            assert cell.endswith(f" {MARKS[status]}"), (rules.name, code)


def test_page_says_of_what_could_not_be_probed_that_it_is_unknown_and_why() -> None:
    text = programs_page()
    reasons = [
        seen["evidence"]
        for one in FOUND
        for seen in one["answers"].values()
        if seen["answer"] is None
    ]
    assert "no .sgf file can show it" in reasons
    for reason in reasons:
        assert f"unknown: {reason}" in text


@pytest.mark.parametrize("one", FOUND, ids=[one["program"] for one in FOUND])
def test_probe_puts_its_version_and_day_on_what_it_found_and_names_what_differs(
    tmp_path: Path, one: dict[str, Any]
) -> None:
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    assert dated({**one, "version": "9.9", "probed": "2027-01-02"}, tmp_path) == []
    table = json.loads((tmp_path / f"{one['nearest']}.json").read_text("utf-8"))
    probed = [row for row in table["cells"].values() if row["status"] == "probed"]
    assert len(probed) > 10
    assert {row["date"] for row in probed} == {"2027-01-02"}
    assert all(f"{one['program']} 9.9" in row["source"] for row in probed)
    assert table["version"] == "9.9"
    other = {
        **one,
        "answers": {**one["answers"], "Q03": {**one["answers"]["Q03"], "answer": "minus-0.5"}},
    }
    assert dated(other, tmp_path) == ["Q03"]
