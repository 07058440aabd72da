"""Which match and player a candidate is about, what judges its figures or its decisions; nothing is
guessed."""

import json
import re

import pytest
import yaml

from reconcile.errors import InvalidConfiguration, NothingToCompare
from reconcile.gap.verdict import INCOMPLETE, OUTSIDE, WITHIN
from reconcile.gate.candidates.reading import read_candidates
from reconcile.gate.pack_results import pack_parts
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    DEMONSTRATION,
    PACK,
    RICH,
    ZERO_PLY,
    candidates_of,
    cases,
    file_of,
    loaded,
    make_pack,
    of_figures,
    only,
    own,
    plain,
    refused,
    run,
    validate,
    written,
)
from tests.support import blunderdb_writer, command_line, small_bgf
from tests.support.balance import ledger_of
from tests.support.data import PROJECT
from tests.support.long import long_but_first
from tests.support.ogxm import analyses, encode, needs_ogxm

SGF = file_of(ZERO_PLY)
FIGURES = {
    ALICE: {"pr": 20.13, "snowie_er": "21.08", "decisions": 55},
    BOB: {"mwc_loss_percent": "-1.5%", "luck.equity": -0.25},
}
LINES = [
    f'"{player}",{metric},"{figure}"\n'
    for player, printed in FIGURES.items()
    for metric, figure in printed.items()
]
TABLE = "player,metric,figure\n" + "".join(LINES)
FORMS = {
    "json": json.dumps(plain({"match": ZERO_PLY.name, "players": FIGURES})),
    "csv": TABLE,
    "csv with a mark and other line ends": "\ufeff" + TABLE.replace("\n", "\r\n"),
}


def candidate(folder, figures):
    return written(folder / "a.json", plain({"players": {ALICE: figures}}))


def judged_matches(result):
    return [match.id for match in result.matches if match.candidates]


@pytest.mark.parametrize("form", FORMS)
def test_json_and_csv_say_the_same(form, tmp_path):
    result = validate(ZERO_PLY, candidates=[written(tmp_path / "a", FORMS[form])])
    assert [(entry.metric, entry.player, entry.right) for entry in only(result).figures] == [
        ("pr", ALICE, 20.13),
        ("snowie_er", ALICE, 21.08),
        ("decisions.counted", ALICE, 55),
        ("mwc_loss_percent.total", BOB, 1.5),
        ("luck.equity", BOB, -0.25),
    ]


# -- what judges ----------------------------------------------------------------------------------


def test_null_is_incomplete_and_never_zero(tmp_path):
    right = own(SGF, 0, metrics=("checker_pr",))
    result = of_figures(tmp_path, {ALICE: {"snowie_er": None, **right}})
    verdicts = {entry.metric: entry.verdict for entry in only(result).figures}
    assert verdicts == {"snowie_er": INCOMPLETE, "checker_pr": WITHIN}
    assert only(result).figures[0].coverage == "missing in the candidate"
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)


@pytest.mark.parametrize(
    ("digits", "off", "code"),
    [(2, 0.0, 0), (2, 0.01, 1), (1, 0.0, 0), (5, 0.0, 0), (5, 0.001, 1)],
)
def test_figure_is_bounded_by_the_digits_with_which_it_is_given(digits, off, code, tmp_path):
    rate = own(SGF, 0, metrics=("checker_pr",))["checker_pr"]
    result = of_figures(tmp_path, {ALICE: {"checker_pr": f"{rate + off:.{digits}f}"}})
    assert (only(result).table, result.exit_code()) == ("printed", code)


def test_candidate_without_one_figure_that_is_judged_is_nothing_to_compare(tmp_path):
    path = candidate(tmp_path, {"pr": 3.5})
    for table, words in (
        ("gnubg-blunderdb", "a.json: table gnubg-blunderdb has no bound for pr"),
        ("snowflake", "snowflake"),
    ):
        options = ("--candidate", path, "--candidate-table", table, "--exit-zero")
        assert words in command_line.refused("validate", ZERO_PLY, *options)


def blocks(kind, begin, page="candidates"):
    """Examples of the documentation."""
    text = (PROJECT / "docs" / f"{page}.md").read_text("utf-8")
    every = re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)
    return [block for block in every if block.startswith(begin)]


@pytest.mark.parametrize(
    ("page", "kind", "begin"),
    [
        ("candidates", "json", "{"),
        ("candidates", "csv", "match,player"),
        ("decision-lists", "csv", "match,game"),
    ],
)
def test_examples_of_the_documentation_are_right(tmp_path, page, kind, begin):
    (text,) = blocks(kind, begin, page)
    result = validate(PACK, candidates=[written(tmp_path / f"example.{kind}", text)])
    assert result.not_compared == ()
    for candidate in (entry for match in result.matches for entry in match.candidates):
        if candidate.decisions is None:
            assert OUTSIDE not in {figure.verdict for figure in candidate.judged}
        else:
            assert candidate.decisions.unpaired == ()


def test_settings_of_the_documentation_are_those_of_a_manifest(tmp_path):
    (text,) = blocks("yaml", "candidates:")
    files = {"one": {"xg": file_of(DEMONSTRATION, ".xg")}}
    pack = make_pack(tmp_path / "pack", files, **yaml.safe_load(text))
    outcome = only(validate(pack, candidates=[str(file_of(DEMONSTRATION))]))
    facts = outcome.file, outcome.table, outcome.rules
    assert facts == ("xg", "xg-blunderdb", "blunderdb-2026")


# -- which match, which player --------------------------------------------------------------------


@pytest.mark.parametrize(
    "names", [(ALICE, BOB), (BOB, ALICE), ("ALICE_M04", "bob  M04"), ("Àlice m04", "Bob")]
)
def test_players_are_found_in_either_order_and_without_case_and_accents(names, tmp_path, two):
    seats = {name: int(name[0] not in "AÀ") for name in names}
    players = {name: own(SGF, seat, metrics=("snowie_er",)) for name, seat in seats.items()}
    result = of_figures(tmp_path, players, two)
    assert [entry.verdict for entry in only(result).figures] == [WITHIN, WITHIN]
    assert judged_matches(result) == [ZERO_PLY.name]


def test_beginning_of_two_players_names_is_neither(tmp_path):
    alike = tmp_path / "alike.sgf"
    alike.write_text(SGF.read_text("utf-8").replace(BOB, "Alice m05"), "utf-8")
    pack = make_pack(tmp_path / "pack", {"alike": {"gnubg": alike}})
    with pytest.raises(NothingToCompare, match="no reference match has 'Alice m0'"):
        of_figures(tmp_path, {"Alice m0": {"snowie_er": 1}}, pack)
    result = of_figures(tmp_path, {"Alice m05": {"snowie_er": 1.5}}, pack)
    assert [entry.player for entry in only(result).figures] == ["Alice m05"]


def test_alias_finds_a_player(tmp_path):
    word = written(tmp_path / "a.json", plain({"players": {"Wonderland": own(SGF, 0)}}))
    assert "no reference match has 'Wonderland'" in refused(word, NothingToCompare)
    text = 'schema_version: 1\nplayers: {"Alice m04": [Wonderland]}\n'
    aliases = written(tmp_path / "aliases.yaml", text)
    assert run(ZERO_PLY, "--candidate", word, "--aliases", aliases).exit_code == 0


@pytest.mark.parametrize("whose", cases("matches"))
def test_candidate_of_no_reference_match_is_refused(tmp_path, whose):
    match, words = cases("matches")[whose]
    assert words in refused(written(tmp_path / "a.json", plain(match)), NothingToCompare)


def test_candidate_that_fits_two_matches_is_not_guessed_at(tmp_path):
    files = {name: {"gnubg": SGF} for name in ("first", "second")}
    pack = make_pack(tmp_path / "two", files)
    word = candidate(tmp_path, own(SGF, 0))
    assert "fits 2 reference matches (first, second)" in refused(word, NothingToCompare, pack)
    assert judged_matches(validate(pack, candidates=[f"{word}#second"])) == ["second"]


def test_part_that_fits_no_match_is_not_compared_and_fails_with_strict(tmp_path):
    matches = [{"players": {name: own(SGF, 0)}} for name in (ALICE, "Cleo")]
    result = validate(ZERO_PLY, candidates=[written(tmp_path / "a.json", plain(*matches))])
    (row,) = result.unjudged
    assert row.reason.startswith("a.json: matches.1: no reference match has 'Cleo'")
    assert (row.match, row.player, row.value) == ("Cleo", None, None)
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)
    lacking = [cell.reason for part in pack_parts(result) for cell in part.lacking]
    assert lacking == ["", row.reason]


# -- candidates with decisions: an analysed file or a database

BY_GNUBG, BY_XG = file_of(DEMONSTRATION), file_of(DEMONSTRATION, ".xg")


def test_file_is_held_against_the_file_of_its_own_tool_and_has_no_diagnosis():
    result = validate(DEMONSTRATION, candidates=[str(BY_GNUBG)])
    candidate = only(result)
    assert (candidate.file, result.diagnoses) == ("gnubg", ())
    assert candidate.comparison is not None
    assert {(entry.gap, entry.verdict) for entry in candidate.figures} == {(0.0, WITHIN)}


def test_decisions_of_another_analysis_are_explained_one_by_one(tmp_path):
    pack = make_pack(tmp_path / "pack", {"one": {"xg": BY_XG}})
    result = validate(pack, candidates=[str(BY_GNUBG)])
    candidate = only(result)
    assert (candidate.file, candidate.table, candidate.rules) == ("xg", "xg-blunderdb", "xg")
    assert candidate.comparison is not None
    walk = candidate.comparison.walk
    assert set(ledger_of(walk, walk.bridges(("pr",)))["step"]) >= {"engine", "Q02"}
    assert {case.suite for part in pack_parts(result) for case in part.cases} == {
        f"candidate {BY_GNUBG.name}"
    }


def test_transcript_has_nothing_to_judge(tmp_path):
    transcript = tmp_path / "a.mat"
    assert command_line.run("convert", file_of(ZERO_PLY), "-o", transcript).exit_code == 0
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
    path, files = tmp_path / "all.db", {"one": {"xg": BY_XG}, "two": {"gnubg": file_of(ZERO_PLY)}}
    blunderdb_writer.write(path, [loaded(BY_XG), loaded(file_of(ZERO_PLY))], schema=schema)
    result = validate(make_pack(tmp_path / "pack", files), candidates=[str(path)])
    assert result.not_compared == ()
    for name, handles in files.items():
        (candidate,) = candidates_of(result, name)
        assert {candidate.file} == handles.keys()
        assert candidate.comparison is not None
        assert candidate.comparison.right.format == "blunderdb"
