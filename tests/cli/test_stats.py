"""`reconcile stats`: tables, JSON and CSV of one match, of several and of a pool; `reconcile
convert`: what is printed and saved."""

import csv
import io
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from reconcile import load_match, statistics
from reconcile.match.match import Level
from reconcile.match.names import load_aliases
from reconcile.report.blocks import text
from reconcile.report.text.statistics import pool_blocks, pool_csv
from reconcile.results.statistics import statistics_document
from reconcile.scoring.figures import METRICS
from reconcile.scoring.pool import pool
from tests.support.claims import some
from tests.support.command_line import (
    ERROR,
    SGF,
    WITHIN,
    XG,
    csv_of,
    json_of,
    refused,
    run,
    strict,
)
from tests.support.hand_made import match_of, plays
from tests.support.long import long_but_first

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_table_shows_both_players_what_is_analysed_and_no_games():
    result = run("stats", XG)
    assert result.exit_code == WITHIN
    assert all(words in result.stdout for words in ("Nora Lindqvist", "PR  ", "101 of 101"))
    assert "Game" not in result.stdout


def test_one_file_is_an_object_and_several_are_a_list():
    item = json_of("stats", "--format", "json", XG)
    assert (item["rules"], item["match"]["players"]) == ("xg", ["Nora Lindqvist", "Tomas Beck"])
    assert all("games" not in player for player in item["players"])
    several = json_of("stats", "--format", "json", XG, SGF)
    assert several[0] == item
    assert [each["rules"] for each in several] == ["xg", "gnubg"]


def test_games_are_a_row_each_in_a_table_of_every_player():
    document = json_of("stats", "--format", "json", "--per-game", XG)
    lines = run("stats", "--per-game", XG).stdout.splitlines()
    heads = [index for index, line in enumerate(lines) if line.startswith("Game ")]
    for head, player in zip(heads, document["players"], strict=True):
        for line, game in some(zip(lines[head + 1 :], player["games"], strict=False)):
            number, _, *figures = line.split()
            shown = [
                game["pr"],
                game["decisions"]["counted"],
                game["equity_error"]["total"],
                game["luck"]["equity"],
            ]
            assert int(number) == game["game"]
            assert [float(text) for text in figures] == pytest.approx(shown, abs=0.006)


def test_tables_fit_a_terminal_of_80_columns():
    for arguments in (("stats", "--per-game", XG), ("explain", "xg"), ("explain", "Q03")):
        table = run(*arguments).stdout.partition("\n\n")[2].partition("\nwarning")[0]
        assert table
        assert [line for line in table.splitlines() if len(line) > 80] == []


def test_transcript_has_moves_and_no_other_number_in_its_table(tmp_path):
    transcript = tmp_path / "match.mat"
    assert run("convert", SGF, "-o", transcript).exit_code == WITHIN
    _, _, table = run("stats", transcript).stdout.partition("Match")
    numbers = {
        line.strip().partition("  ")[0]
        for line in table.splitlines()
        if re.search(r"\d$", line) and " of " not in line
    }
    assert numbers == {"Moves", "Unforced moves", "Forced moves"}


def test_gnubg_s_own_table_comes_with_its_rules_alone():
    for rules, there in (("gnubg", True), ("xg", False)):
        document = json_of("stats", "--format", "json", "--rules", rules, SGF)
        assert all(("gnubg" in player) == there for player in document["players"])


def test_csv_has_a_row_per_player_and_game():
    rows = csv_of("stats", "--per-game", XG)
    assert list(rows[0]) == ["path", "rules", "met", "player", "game", *METRICS]
    assert [(row["player"], row["game"]) for row in rows[:6]] == [
        ("Nora Lindqvist", game) for game in ("", "1", "2", "3", "4", "5")
    ]
    assert len(rows) == 12
    document = json_of("stats", "--format", "json", XG)
    assert float(rows[0]["pr"]) == document["players"][0]["pr"]


def test_unanalysed_match_is_no_failure_and_its_unknown_figures_are_empty(data):
    path = data / "gnubg" / "m14_5pt_unanalysed.sgf"
    result = run("stats", "--format", "json", path)
    assert result.exit_code == WITHIN
    assert "not-analysed" in {finding["code"] for finding in strict(result.stdout)["findings"]}
    assert "not analysed" in result.stderr
    (row, _) = csv_of("stats", path)
    assert (row["pr"], row["luck.equity"]) == ("", "")


def test_money_session_has_no_measure_of_who_played_better():
    document = statistics_document(
        statistics(replace(match_of(plays(), length=None), levels=(Level("2-ply", 2.0),)))
    )
    assert [player.skill for player in document.players] == [None, None]


def test_pool_is_a_table_that_fits_a_terminal_and_csv_as_well():
    lines = run("stats", "--pool", XG, SGF).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    rows = [line for line in lines if line.startswith("Nora Lindqvist  xg")]
    assert " ".join(rows[1].split()).endswith(" 1 5 152 of 152")
    assert len(csv_of("stats", "--pool", XG, SGF)) == 4, "two players under two rule sets"


@pytest.mark.parametrize(
    ("options", "mixed"),
    [
        ((XG,), "All rates are of XG 2 plies ahead; counting rules: xg."),
        (
            (XG, SGF),
            "Analyses are mixed: gnuBG 0 plies ahead 1 match, XG 2 plies ahead 1 match; "
            "counting rules: gnubg for gnuBG, xg for XG.",
        ),
        (
            (XG, SGF, "--rules", "gnubg"),
            "Analyses are mixed: gnuBG 0 plies ahead 1 match, XG 2 plies ahead 1 match; "
            "counting rules: gnubg.",
        ),
    ],
)
def test_pool_says_once_what_is_mixed_in_its_rates(options, mixed):
    first, table, *_ = run("stats", "--pool", *options).stdout.split("\n\n")
    assert " ".join(first.split()) == mixed
    assert ("rules" in table.split()) is (" for " in mixed)


@pytest.mark.parametrize("options", [(), ("--format", "csv")])
def test_folder_stands_for_the_matches_in_it(options, tmp_path):
    files = [Path(shutil.copy(path, tmp_path)) for path in (SGF, XG)]
    (tmp_path / "notes.txt").write_text("No transcript.", "utf-8")
    named = run("stats", *files, *options)
    assert run("stats", tmp_path, *options).stdout == named.stdout


@pytest.mark.parametrize("ending", ["zip", "tar"])
def test_archive_is_a_folder(ending, tmp_path):
    folder = tmp_path / "matches"
    folder.mkdir()
    files = [Path(shutil.copy(path, folder)) for path in (SGF, XG)]
    archive = shutil.make_archive(str(folder), ending, folder)
    named = run("stats", *files, "--pool").stdout
    assert run("stats", archive, "--pool").stdout == named
    assert run("stats", archive, "--decisions").exit_code == ERROR
    Path(files[0]).unlink()
    alone = shutil.make_archive(str(folder), ending, folder)
    listed = [run("stats", each, "--decisions").stdout for each in (alone, files[1])]
    assert listed[0] == listed[1] != ""


def test_pool_without_one_of_its_intervals_leaves_its_fields_empty():
    """A player who rolled, but made no decision that counts, has a Snowie error rate alone."""
    (item, *_) = pool([statistics(load_match(XG))], load_aliases(None))
    alone = replace(item, intervals={"snowie_er": (1.0, 2.0)})
    (row,) = csv.DictReader(io.StringIO(pool_csv([alone])))
    ends = [row[f"{name}.{end}"] for name in ("pr", "snowie_er") for end in ("low", "high")]
    assert ends == ["", "", "1.0", "2.0"]
    printed = text(pool_blocks([alone])).splitlines()[3]
    assert " ".join(printed.split()).endswith(" 7.16 - 3.68 1.00 to 2.00")


@pytest.mark.long
@pytest.mark.parametrize("arguments", ["--per-game", "--format json --per-game"])
def test_files_are_described_alike_by_any_number_of_processes(arguments):
    files = [XG, SGF] * 10
    here = run("stats", "--jobs", "1", *arguments.split(), *files)
    there = run("stats", "--jobs", "2", *arguments.split(), *files)
    assert (there.exit_code, there.stdout, there.stderr) == (WITHIN, here.stdout, here.stderr)
    assert here.stdout.count("Lindqvist") >= len(files)


@pytest.mark.parametrize("jobs", long_but_first(["1", "2"]))
def test_first_file_that_cannot_be_read_ends_the_run_before_anything_is_shown(jobs, tmp_path):
    cut, empty = tmp_path / "cut.xg", tmp_path / "empty.sgf"
    cut.write_bytes(Path(XG).read_bytes()[:9000])
    empty.write_bytes(b"")
    line = refused("stats", "--jobs", jobs, *[XG] * 20, cut, empty, XG)
    assert "cut.xg: damaged XG file" in line


def test_standard_input_is_a_file_unless_it_is_empty():
    document = json_of("stats", "--format", "json", "-", stdin=Path(XG).read_bytes())
    named = json_of("stats", "--format", "json", XG)
    assert document["source"].pop("path") == "-"
    named["source"].pop("path")
    assert document == named
    assert "an empty file" in refused("stats", "-")


# -- convert


def test_match_that_no_other_format_holds_is_not_promised_to_come_back():
    set_up = (
        "(;FF[4]GM[6]CA[UTF-8]PW[Ann]PB[Ben]MI[length:3][game:0][ws:0][bs:0]"
        ";AE[a:x]AW[f][f][h]AB[s][s];PL[W];W[31ab])"
    )
    Path("set-up.sgf").write_text(set_up, "utf-8")
    line = refused("convert", "set-up.sgf", "-o", "out.mat")
    assert "`reconcile stats FILE --decisions --format json` lists its decisions" in line


@pytest.mark.parametrize(
    ("rules", "called"),
    [
        ("gnubg", "gnuBG's rules"),
        ("blunderdb", "the rules blunderdb"),
        ("snowie4", "Snowie's rules"),
    ],
)
@pytest.mark.parametrize("name", [XG, SGF])
def test_headline_names_the_rules_where_they_are_not_the_program_s_own(name, rules, called):
    program, own = ("XG", "xg") if name == XG else ("gnuBG", "gnubg")
    headlines = run("stats", name, "--rules", rules).stdout.split("\n\n")[1:3]
    for headline in headlines:
        words = " ".join(headline.split())
        assert f" by {program} under {called}" in words or rules == own
        assert (" under " in words) == (rules != own)
    assert " under " not in run("stats", name).stdout


def test_so_many_costliest_decisions_are_named_the_costliest_first():
    stdout = run("stats", XG, "--costliest", 2).stdout
    for block in stdout.split("\n\n")[1:3]:
        costs = re.findall(r"^ +(0\.\d{3}) EMG  ", block, re.MULTILINE)
        assert len(costs) == 2
        assert costs == sorted(costs, reverse=True)
