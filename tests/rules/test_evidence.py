"""The table of programs: every answer says how it is known, and none says more than its source
bears out."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from docs.making.evidence import FILE, rows
from reconcile.rules import QUESTIONS, RULE_SETS, Cell, RuleSet, Status
from reconcile.rules.evidence import standing, weakest
from tests.support.claims import some

EVERY = [
    (rules, code, cell) for rules in RULE_SETS.values() for code, cell in rules.evidence.items()
]
STATUSES = [
    "probed",
    "verified",
    "source-code",
    "documented",
    "attested",
    "inferred",
    "assumed",
    "unknown",
    "not-applicable",
]
COLUMNS = {
    "program",
    "version",
    "question",
    "answer",
    "status",
    "source",
    "quote",
    "date",
    "separates",
}


def unsupported(rules: RuleSet, cell: Cell) -> str:
    """What a row claims beyond its source; empty if nothing."""
    source = cell.source or ""
    if cell.status and cell.status.value in ("probed", "verified", "source-code", "documented"):
        missing = [part for part in (rules.program, rules.version) if part not in source]
        return f"{cell.status.value} by a source without {', '.join(missing)}" if missing else ""
    if cell.status is Status.ATTESTED and not source:
        return "attested by nobody"
    if cell.status is Status.INFERRED and not source:
        return "inferred from nothing"
    return ""


def test_status_from_the_program_needs_a_source_that_names_program_and_version() -> None:
    rules = RULE_SETS["gnubg"]
    for status in (Status.PROBED, Status.VERIFIED, Status.SOURCE_CODE, Status.DOCUMENTED):
        assert (
            unsupported(rules, Cell("all", status, "all", "GNU Backgammon, its own table"))
            == f"{status.value} by a source without 1.07.001"
        )
        assert unsupported(rules, Cell("all", status, "all")) != ""
        assert (
            unsupported(rules, Cell("all", status, "all", "GNU Backgammon 1.07.001, probed")) == ""
        )
        assert status.needs_source


def test_no_answer_has_a_status_beyond_its_source_and_an_unknown_one_names_what_is_used() -> None:
    for rules, code, cell in some(EVERY):
        where = f"{rules.name}-{code}"
        assert unsupported(rules, cell) == "", where
        assert (cell.answer is None) == (cell.status in (Status.UNKNOWN, Status.NOT_APPLICABLE)), (
            where
        )
        assert cell.answer in (None, cell.used), where
        assert rules.answers[code] == cell.used, where
        assert cell.open or cell.status is not Status.UNKNOWN, where
        assert cell.quote, f"{where}: the few words that it rests on, or why it is not known"
        assert date.fromisoformat(cell.date or "") >= date(2026, 1, 1), where
        assert cell.separates or not (cell.status and cell.status.needs_source), where


def test_alternatives_hold_the_answer_and_are_answers_of_the_question() -> None:
    result = {(rules.name, code): cell.possible for rules, code, cell in EVERY if cell.possible}
    assert set(result) == {("xg", "Q03"), ("xg", "Q07"), ("xg", "Q09")}
    for (name, code), possible in result.items():
        assert RULE_SETS[name].answers[code] in possible
        assert set(possible) <= set(QUESTIONS[code].answers)


def test_published_table_has_every_cell_once_in_the_columns_agreed() -> None:
    published = json.loads(FILE.read_text("utf-8"))
    assert published == rows()
    assert (
        len(published)
        == 144
        == len({(cell["program"], cell["version"], cell["question"]) for cell in published})
    )
    for cell in published:
        assert set(cell) == COLUMNS
        assert cell["status"] in STATUSES
    assert Counter(cell["question"] for cell in published) == Counter(
        {code: len(RULE_SETS) for code in QUESTIONS}
    )


def test_only_the_formula_of_snowie_is_known() -> None:
    expected = {
        code: cell.answer for code, cell in RULE_SETS["snowie4"].evidence.items() if cell.answer
    }
    assert expected == {"Q01": "all-plies", "Q08": "snowie"}
    assert {cell.status for cell in RULE_SETS["snowie4"].evidence.values() if cell.answer} == {
        Status.ATTESTED
    }


def test_rule_set_says_how_far_it_is_known_by_what_is_known_least() -> None:
    assert RULE_SETS["xg"].standing == (
        "verified on the windows of two matches and six sides of pasted summaries; Q03, Q07, Q09 "
        "and Q13 attested, Q14 unknown"
    )
    probed, attested = Cell("a", Status.PROBED, "a"), Cell("a", Status.ATTESTED, "a")
    none = Cell(None, Status.NOT_APPLICABLE, "a")
    assert standing("probed", {"Q01": probed, "Q13": none}) == "probed"
    assert (
        standing("probed", {"Q01": probed, "Q02": attested, "Q13": none}) == "probed; Q02 attested"
    )
    assert weakest({"Q01": probed, "Q02": attested, "Q13": none}) is Status.ATTESTED


def test_losing_a_file_of_the_table_is_not_silent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from reconcile.rules import evidence

    monkeypatch.setattr(evidence, "FOLDER", tmp_path)
    with pytest.raises(FileNotFoundError):
        evidence.known_program("xg")
