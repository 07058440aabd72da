"""Which match and player a claim is about, what judges its figures; nothing is guessed."""

import json
import re

import pytest
import yaml

from reconcile.errors import NothingToCompare
from reconcile.gap.verdict import INCOMPLETE, OUTSIDE, WITHIN
from reconcile.gate.pack_results import pack_parts
from tests.gate.candidates.judging import of_figures, only, refused, run, validate
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    DEMONSTRATION,
    PACK,
    ZERO_PLY,
    file_of,
    make_pack,
    own,
    plain,
    written,
)
from tests.gate.cases import cases
from tests.support import command_line
from tests.support.data import PROJECT

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
