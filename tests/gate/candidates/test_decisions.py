"""A candidate with decisions, an analysed file or a database, is compared decision by decision."""

import pytest

from reconcile.errors import InvalidConfiguration, NothingToCompare
from reconcile.gap.verdict import WITHIN
from reconcile.gate.candidates.reading import read_candidates
from reconcile.gate.pack_results import pack_parts
from tests.gate.candidates.judging import candidates_of, only, refused, validate
from tests.gate.candidates.samples import DEMONSTRATION, RICH, ZERO_PLY, file_of, loaded, make_pack
from tests.support import blunderdb_writer, small_bgf
from tests.support.balance import ledger_of
from tests.support.command_line import run
from tests.support.long import long_but_first
from tests.support.ogxm import analyses, encode, needs_ogxm

SGF, XG = file_of(DEMONSTRATION), file_of(DEMONSTRATION, ".xg")


def test_file_is_held_against_the_file_of_its_own_tool_and_has_no_diagnosis():
    result = validate(DEMONSTRATION, candidates=[str(SGF)])
    candidate = only(result)
    assert (candidate.file, result.diagnoses) == ("gnubg", ())
    assert candidate.comparison is not None
    assert {(entry.gap, entry.verdict) for entry in candidate.figures} == {(0.0, WITHIN)}


def test_decisions_of_another_analysis_are_explained_one_by_one(tmp_path):
    pack = make_pack(tmp_path / "pack", {"one": {"xg": XG}})
    result = validate(pack, candidates=[str(SGF)])
    candidate = only(result)
    assert (candidate.file, candidate.table, candidate.rules) == ("xg", "xg-blunderdb", "xg")
    assert candidate.comparison is not None
    walk = candidate.comparison.walk
    assert set(ledger_of(walk, walk.bridges(("pr",)))["step"]) >= {"engine", "Q02"}
    assert {case.suite for part in pack_parts(result) for case in part.cases} == {
        f"candidate {SGF.name}"
    }


def test_transcript_has_nothing_to_judge(tmp_path):
    transcript = tmp_path / "a.mat"
    assert run("convert", file_of(ZERO_PLY), "-o", transcript).exit_code == 0
    assert "could be judged" in refused(transcript, NothingToCompare)
    result = validate(ZERO_PLY, candidates=[str(file_of(ZERO_PLY)), str(transcript)])
    assert [row.candidate for row in result.unjudged] == ["a.mat"]


@pytest.mark.parametrize("packed", [True, False])
def test_match_of_bgblitz_is_read_as_one_and_figures_that_begin_like_it_are_figures(
    tmp_path, packed
):
    content = small_bgf.written(small_bgf.match(), smile=packed, packed=packed)
    (tmp_path / "a.bgf").write_bytes(content)
    (candidate,) = read_candidates([str(tmp_path / "a.bgf")])
    assert [match.source.format for match in candidate.matches] == ["bgf"]
    text = '{"schema_version": 1, "format": "xg", "matches": [{"players": {"Ann": {"pr": 1}}}]}'
    (tmp_path / "a.json").write_text(text)
    assert "format" in refused(tmp_path / "a.json", InvalidConfiguration)


@needs_ogxm
def test_one_analysis_of_an_ogxm_document_is_selected(tmp_path):
    path, document = tmp_path / "two.ogxm", analyses(2)
    document["analyses_info"][1]["model_id"] = "gnubg"
    path.write_bytes(encode(document))
    for number, tool in ((1, "eXtreme Gammon"), (2, "GNU Backgammon")):
        (candidate,) = read_candidates([f"{path}#{number}"])
        assert [match.source.tool for match in candidate.matches] == [tool]
        assert not candidate.about
    assert "one of its 2 analyses" in refused(path)


def test_file_of_another_match_is_refused():
    words = "no available reference match has the same rolls"
    assert words in refused(file_of(RICH), NothingToCompare)


SCHEMAS = (
    blunderdb_writer.TEXTS,
    blunderdb_writer.CODES,
    blunderdb_writer.LATER_RULES,
    blunderdb_writer.PER_MOVE,
)


@pytest.mark.parametrize("schema", long_but_first(SCHEMAS))
def test_database_is_judged_by_its_decisions(tmp_path, schema):
    path, files = tmp_path / "all.db", {"one": {"xg": XG}, "two": {"gnubg": file_of(ZERO_PLY)}}
    blunderdb_writer.write(path, [loaded(XG), loaded(file_of(ZERO_PLY))], schema=schema)
    result = validate(make_pack(tmp_path / "pack", files), candidates=[str(path)])
    assert result.not_compared == ()
    for name, handles in files.items():
        (candidate,) = candidates_of(result, name)
        assert {candidate.file} == handles.keys()
        assert candidate.comparison is not None
        assert candidate.comparison.right.format == "blunderdb"
