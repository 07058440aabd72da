"""A candidate with decisions, an analysed file or a database, is compared one decision at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.errors import InvalidConfiguration, NothingToCompare
from reconcile.gap.verdict import WITHIN
from reconcile.gate.candidates.read import read_candidates
from reconcile.gate.judged_figures import pack_cases
from tests.gate.candidates.judging import only, refused, told, validate
from tests.gate.candidates.samples import DEMONSTRATION, RICH, ZERO_PLY, file_of, loaded, make_pack
from tests.support import blunderdb_writer, small_bgf
from tests.support.balance import ledger_of
from tests.support.command_line import run
from tests.support.long import long_but_first
from tests.support.ogxm import analyses, encode, needs_ogxm


def test_file_is_held_against_the_file_of_its_own_tool_with_which_it_agrees_and_has_no_diagnosis() -> (
    None
):
    result = validate(DEMONSTRATION, candidates=[str(file_of(DEMONSTRATION))])
    candidate = only(result)
    assert (candidate.file, result.diagnoses) == ("gnubg", ())
    assert candidate.comparison is not None
    assert {(one.gap, one.verdict) for one in candidate.figures} == {(0.0, WITHIN)}


def test_decisions_of_another_analysis_are_explained_one_by_one(tmp_path: Path) -> None:
    pack = make_pack(tmp_path / "pack", {"one": {"xg": file_of(DEMONSTRATION, ".xg")}})
    result = validate(pack, candidates=[str(file_of(DEMONSTRATION))])
    candidate = only(result)
    assert (candidate.file, candidate.table, candidate.rules) == ("xg", "xg-blunderdb", "xg")
    assert candidate.comparison is not None
    walk = candidate.comparison.walk
    ledger = ledger_of(walk, walk.bridges(("pr",)))
    assert set(ledger["step"]) >= {"engine", "Q02"}
    assert {case.suite for case in pack_cases(result)} == {
        f"candidate {file_of(DEMONSTRATION).name}"
    }


def test_transcript_has_nothing_to_judge(tmp_path: Path) -> None:
    given = tmp_path / "a.mat"
    assert run("convert", file_of(ZERO_PLY), "-o", given).exit_code == 0
    assert "could be judged" in refused(str(given), NothingToCompare)
    result = validate(ZERO_PLY, candidates=[str(file_of(ZERO_PLY)), str(given)])
    left_out = [
        *result.not_compared,
        *(one for match in result.matches for one in match.not_compared),
    ]
    assert [one.candidate for one in left_out] == ["a.mat"]


@pytest.mark.parametrize("packed", [True, False])
def test_match_of_bgblitz_is_read_as_one(tmp_path: Path, packed: bool) -> None:
    (tmp_path / "a.bgf").write_bytes(
        small_bgf.written(small_bgf.match(), smile=packed, packed=packed)
    )
    (candidate,) = read_candidates([str(tmp_path / "a.bgf")])
    assert [match.source.format for match in candidate.matches] == ["bgf"]


def test_figures_with_a_word_that_begins_a_match_of_bgblitz_are_figures(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(
        '{"schema_version": 1, "format": "xg", "matches": [{"players": {"Ann": {"pr": 1}}}]}'
    )
    assert "format" in refused(str(tmp_path / "a.json"), InvalidConfiguration)


@needs_ogxm
def test_one_analysis_of_an_ogxm_document_is_selected(tmp_path: Path) -> None:
    given, document = tmp_path / "two.ogxm", analyses(2)
    document["analyses_info"][1]["model_id"] = "gnubg"
    given.write_bytes(encode(document))
    for number, tool in ((1, "eXtreme Gammon"), (2, "GNU Backgammon")):
        (candidate,) = read_candidates([f"{given}#{number}"])
        assert [match.source.tool for match in candidate.matches] == [tool]
        assert not candidate.about
    assert "one of its 2 analyses" in refused(str(given))


def test_file_of_another_match_is_told() -> None:
    assert "no available reference match has the same rolls" in refused(
        str(file_of(RICH)), NothingToCompare
    )


SCHEMAS = (
    blunderdb_writer.TEXTS,
    blunderdb_writer.CODES,
    blunderdb_writer.LATER_RULES,
    blunderdb_writer.PER_MOVE,
)


@pytest.mark.parametrize("schema", long_but_first(SCHEMAS))
def test_database_is_judged_by_its_decisions(tmp_path: Path, schema: str) -> None:
    matches = [loaded(file_of(DEMONSTRATION, ".xg")), loaded(file_of(ZERO_PLY))]
    blunderdb_writer.write(tmp_path / "all.db", matches, schema=schema)
    pack = make_pack(
        tmp_path / "pack",
        {"one": {"xg": file_of(DEMONSTRATION, ".xg")}, "two": {"gnubg": file_of(ZERO_PLY)}},
    )
    result = validate(pack, candidates=[str(tmp_path / "all.db")])
    assert result.not_compared == ()
    for name, files in (("one", {"xg"}), ("two", {"gnubg"})):
        (decisions,) = told(result, name)
        assert {decisions.file} == files
        assert decisions.comparison is not None
        assert decisions.comparison.right.format == "blunderdb"
