"""Figures out of pasted text: gnuBG's own tables explain themselves; the lines of XG's window are understood in four languages."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from reconcile.adapters import load_match
from reconcile.adapters.printed import Pasted, read_pasted
from reconcile.cli import main
from reconcile.diagnosis.investigation import investigate
from reconcile.diagnosis.reported import EXPLORED, reported_by
from reconcile.errors import InvalidConfiguration, NothingToCompare, UnknownName
from reconcile.files.bundled import bundled
from reconcile.match import Match
from reconcile.report.html.investigation_page import investigation_page
from reconcile.report.text.investigation import headline, paste_notes
from reconcile.scoring.statistics import statistics
from tests.report.markup import Page
from tests.scoring.test_gnubg_figures import met_of
from tests.scoring.test_xg_figures import WINDOW, match_file
from tests.support.data import cases, label, matching, skipped_if_empty

XG_FILE = str(bundled("reference_matches") / "demonstration" / "nora-lindqvist-tomas-beck.xg")


@cache
def loaded(path: Path) -> Match:
    return load_match(str(path))


@cache
def tables(path: Path) -> tuple[str, ...]:
    """The tables of a file of gnuBG's: of the match, then of each game."""
    return tuple(re.split(r"(?m)^(?=Player {3,})", path.read_text("utf-8"))[1:])


def values(pasted: Pasted, column: int = 0) -> dict[str, float]:
    return {one.metric: one.value for one in pasted.columns[column]}


# -- gnuBG's tables ----------------------------------------------------------------------------------------------------


MOST_TABLES = 2
"""The match and its first game."""


def columns() -> list[Any]:
    found = []
    for index, path in enumerate(matching("gnubg/*.stats.txt")):
        for number in range(min(MOST_TABLES, len(tables(path)))):
            seat = (index + number) % 2
            found.append(pytest.param(path, number, seat, id=f"{label(path)}-{number or 'match'}-{seat}"))
    return skipped_if_empty(found, 3)


@pytest.mark.parametrize(("path", "number", "seat"), columns())
def test_table_of_gnubg_explains_itself(path: Path, number: int, seat: int) -> None:
    match = loaded(path.with_name(path.name.replace(".stats.txt", ".sgf")))
    pasted = read_pasted(path.name, tables(path)[number].encode())
    assert (pasted.program, pasted.players) == ("gnuBG", match.players)
    game = int(match.games.number[number - 1]) if number else None
    reported = reported_by(pasted, match, match.players[seat])
    assert len(reported) >= 11
    try:
        found = investigate(match, match.players[seat], reported, met=met_of(path), game=game)
    except NothingToCompare:
        computed = statistics(match, "gnubg").completeness(seat, None if game is None else number - 1)
        assert computed["checker"].analysed == computed["cube"].analysed == 0
        return
    first = found.explanations[0]
    assert (first.nearest, first.differences, first.decisions) == ("gnubg", (), ())


@pytest.mark.parametrize("path", cases("gnubg/*.stats.txt"))
def test_whole_file_is_the_table_of_the_match(path: Path) -> None:
    assert read_pasted("", path.read_bytes()) == read_pasted("", tables(path)[0].encode())


@pytest.mark.parametrize("path", cases("gnubg/m04*.stats.txt"))
def test_every_figure_of_the_table_is_read(path: Path) -> None:
    pasted = read_pasted("", path.read_bytes())
    assert set(values(pasted)) == set(EXPLORED) - {"pr", "snowie_er"}
    assert values(pasted, 1)["error_rate_memg"] == 21.6
    assert values(pasted, 1)["decisions.counted"] == 145
    # Only totals of all moves, marked moves, luck, results and ratings are left.
    assert pasted.ignored == 19


def exports() -> list[Path]:
    return matching("gnubg-text/*/*.txt")


@pytest.mark.parametrize("path", cases("gnubg-text/*/*.txt"))
def test_statistics_of_a_text_export_are_chosen_by_their_title(path: Path) -> None:
    text = path.read_text("utf-8")
    numbers = [int(word) for word in re.findall(r"Game statistics for game (\d+)", text)]
    assert numbers
    for number in numbers:
        pasted = read_pasted("", path.read_bytes(), number)
        assert len(pasted.columns) == 2
        assert len(pasted.columns[0]) >= 15
    with pytest.raises(InvalidConfiguration, match="say which game with --game"):
        read_pasted("", path.read_bytes(), 99)
    if "Match statistics" in text:
        total = read_pasted("", path.read_bytes())
        moves = re.search(r"Unforced moves +(\d+)", text.partition("Match statistics")[2])
        assert moves is not None
        assert values(total)["decisions.checker"] == int(moves[1])
    else:
        with pytest.raises(InvalidConfiguration, match="statistics of the match, found: Game statistics for game"):
            read_pasted("", path.read_bytes())


@pytest.mark.parametrize("path", cases("gnubg-text/0-ply/*.txt", "gnubg-text/2-ply/*.txt"))
def test_counts_of_a_text_export_fit_the_same_match_analysed_again(path: Path) -> None:
    """The equities are of another analysis, by another machine, so sums differ in the last digits; decisions do not."""
    stem, _, number = path.stem.partition("_")
    game = int(number or 1)
    match = loaded(path.with_name(f"{stem}.sgf"))
    pasted = read_pasted("", path.read_bytes(), game)
    for seat, player in enumerate(match.players):
        own = statistics(match, "gnubg").figures(seat, match.games.number.tolist().index(game))
        reported = reported_by(pasted, match, player)
        for one in reported:
            assert own[one.metric] == (one.value if not one.half else pytest.approx(one.value, rel=0.06, abs=0.01)), one
        counts = [one for one in reported if not one.half]
        assert investigate(match, player, counts, game=game).explanations[0].differences == ()


HEAD = "Player                                   Ann B                   Ben\n\nChequerplay statistics\n\n"


def test_table_without_a_head_and_with_other_blanks_is_read() -> None:
    text = "Chequerplay statistics\nUnforced moves   49   51\nError total EMG (MWC)   -4.978 (-29.680%)   -0.660 ( -3.933%)"
    pasted = read_pasted("", text.encode())
    assert pasted.players == ()
    assert values(pasted) == {"equity_error.checker": 4.978, "mwc_loss_percent.checker": 29.680, "decisions.checker": 49}
    assert values(pasted, 1) == {"equity_error.checker": 0.660, "mwc_loss_percent.checker": 3.933, "decisions.checker": 51}


def test_points_of_a_money_session_are_no_chances() -> None:
    text = HEAD + "Error total EMG (Points)                      -5.146 (-11.741)        -8.047 (-19.674)  \n"
    assert values(read_pasted("", text.encode())) == {"equity_error.checker": 5.146}


def test_rate_of_no_decision_is_no_rate() -> None:
    text = HEAD + "Unforced moves    0    3\nError rate mEMG (MWC)    -0.0   ( -0.000%)   -4.0   ( -0.010%)\n"
    pasted = read_pasted("", text.encode())
    assert values(pasted) == {"decisions.checker": 0}
    assert values(pasted, 1) == {"decisions.checker": 3, "checker_pr": 2.0}


def test_parts_that_are_printed_apart_add_up_with_their_digits() -> None:
    text = (
        "Cube statistics\nClose or actual cube decisions   9   1\nTakes   1   0\nPasses   2   0\n"
        "Missed doubles below CP (EMG (MWC))   2 (-0.255 ( -1.598%))   0\nMissed doubles above CP (EMG (MWC))   1 (-0.100 ( -0.500%))   0\n"
        "Wrong doubles below DP (EMG (MWC))   0   0\nWrong doubles above TG (EMG (MWC))   0   0\n"
        "Error total EMG (MWC)   -0.355 ( -2.098%)   -0.000 ( -0.000%)\nSnowie error rate   -1.0 ( +0.000%)   -0.0 ( +0.000%)\n"
    )
    found = {one.metric: one for one in read_pasted("", text.encode()).columns[0]}
    assert found["equity_error.double"].value == pytest.approx(0.355)
    assert found["equity_error.double"].half == pytest.approx(0.001)
    assert found["mwc_loss_percent.double"].value == pytest.approx(2.098)
    assert (found["decisions.take"].value, found["decisions.double"].value) == (3, 6)


def test_column_is_found_by_name_and_never_by_seat(data: Path) -> None:
    path = data / "gnubg" / "m04_7pt_0ply.stats.txt"
    match = loaded(path.with_name("m04_7pt_0ply.sgf"))
    lines = path.read_text("utf-8").splitlines()
    pasted = read_pasted("", "\n".join(lines).encode())
    swapped = read_pasted(
        "", "\n".join([lines[0].replace("Alice", "xxx").replace("Bob", "Alice").replace("xxx", "Bob"), *lines[1:]]).encode()
    )
    assert reported_by(pasted, match, "alice") == reported_by(swapped, match, "bob")
    assert reported_by(pasted, match, "alice") != reported_by(swapped, match, "alice")
    strangers = read_pasted("", "\n".join([lines[0].replace("Alice", "Carol"), *lines[1:]]).encode())
    with pytest.raises(UnknownName, match="Carol"):
        reported_by(strangers, match, "alice")


# -- XG's window -------------------------------------------------------------------------------------------------------

ENGLISH = """
Performance Rating          0.39      0.42
Total decisions             90        79
Checker decisions           85        64
Double decisions            3         13
Take decisions              2         2
Total error (EMG)           -0.070 (-0.76%)     -0.066 (-0.91%)
Checker play error (EMG)    -0.070 (-0.76%)     -0.058 (-0.85%)
Double error (EMG)          0.000 (0.00%)       -0.008 (-0.05%)
Take error (EMG)            0.000 (0.00%)       0.000 (0.00%)
"""
GERMAN = """
PR                          0,39      0,42
Entscheidungen gesamt       90        79
Zugentscheidungen           85        64
Doppelentscheidungen        3         13
Annahmeentscheidungen       2         2
Fehler gesamt               \N{MINUS SIGN}0,070 (\N{MINUS SIGN}0,76 %)   -0,066 (-0,91%)
Fehler Züge                 -0,070    -0,058
Fehler Doppeln              0,000     -0,008
Fehler Annehmen/Ablehnen    0,000     0,000
"""
FRENCH = """
PR                          0,39      0,42
Décisions (total)           90        79
Décisions de coups          85        64
Décisions de double         3         13
Décisions de prise          2         2
Erreur totale (EMG)         -0,070    -0,066
Erreurs de coups            -0,070    -0,058
Erreurs de double           0,000     -0,008
Erreurs prend/passe         0,000     0,000
MWC perdue, total           0,76%     0,91%
"""
JAPANESE = """
PR                          0.39      0.42
合計ディシジョン              90        79
ムーブ ディシジョン           85        64
ダブル ディシジョン           3         13
テイク ディシジョン           2         2
合計エラー                   -0.070 (-0.76%)   -0.066 (-0.91%)
ムーブ エラー                -0.070    -0.058
ダブル エラー                0.000     -0.008
テイク エラー                0.000     0.000
"""
WINDOWS = {"English": ENGLISH, "German": GERMAN, "French": FRENCH, "Japanese": JAPANESE}


@pytest.mark.parametrize("language", WINDOWS)
def test_lines_of_xg_s_window_are_understood(language: str) -> None:
    pasted = read_pasted("", WINDOWS[language].encode())
    assert (pasted.program, pasted.ignored, len(pasted.columns)) == ("XG", 0, 2)
    first, second = values(pasted), values(pasted, 1)
    assert first == first | {"pr": 0.39, "decisions.counted": 90, "decisions.checker": 85, "decisions.double": 3, "decisions.take": 2}
    assert second == second | {"pr": 0.42, "decisions.counted": 79, "decisions.checker": 64, "decisions.double": 13, "decisions.take": 2}
    assert second == second | {
        "equity_error.total": 0.066,
        "equity_error.checker": 0.058,
        "equity_error.double": 0.008,
        "equity_error.take": 0,
        "mwc_loss_percent.total": 0.91,
    }


@pytest.mark.parametrize("language", WINDOWS)
def test_window_of_a_real_match_needs_no_difference(data: Path, language: str) -> None:
    (path,) = data.glob("real/charlot1*.xg")
    match = loaded(path)
    pasted = read_pasted("", WINDOWS[language].encode())
    for player in match.players:
        first = investigate(match, player, reported_by(pasted, match, player)).explanations[0]
        assert (first.nearest, first.differences) == ("xg", ())


def reported_windows() -> list[Any]:
    found = []
    for path in matching("real/*.xg-reported.json"):
        for name, window in json.loads(path.read_text("utf-8"))["xg"].items():
            found.append(pytest.param(match_file(path), name, window, id=f"{label(path)}-{name}"))
    return skipped_if_empty(found, 3)


@pytest.mark.parametrize(("path", "name", "window"), reported_windows())
def test_field_names_of_blunderdb_are_understood_as_well(path: Path, name: str, window: dict[str, float]) -> None:
    text = "\n".join(f'"{key}": {value}' for key, value in window.items())
    pasted = read_pasted("", text.encode())
    (column,) = pasted.columns
    assert {one.metric: one.value for one in column} == {WINDOW[key][0]: value for key, value in window.items()}
    match = loaded(path)
    assert investigate(match, name, reported_by(pasted, match, name)).explanations[0].differences == ()


@pytest.mark.parametrize(
    "line",
    [
        "Snowie error rate 4.31",
        "Luck total (EMG) 1.25",
        "Joker decisions 3",
        "Blunders 2 (0.31)",
        "Player 1 2",
        "Double 3",
        "Total decisions 90.5",
        "Total error 1.0 2.0 3.0",
        "Date 2024-08-10",
        "7 point match",
    ],
)
def test_line_that_is_not_understood_is_counted_and_not_guessed_at(line: str) -> None:
    pasted = read_pasted("", f"PR 3.1\n{line}\n".encode())
    assert (values(pasted), pasted.ignored) == ({"pr": 3.1}, 1)


def test_same_figure_with_two_values_is_refused() -> None:
    assert values(read_pasted("", b"PR 3.10\nPerformance rating: 3.1\n")) == {"pr": 3.1}
    with pytest.raises(InvalidConfiguration, match="twice"):
        read_pasted("", b"PR 3.10\nPR 3.20\n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_is_read_in_the_encodings_of_clipboards(encoding: str) -> None:
    assert values(read_pasted("", "Décisions de prise 7".encode(encoding))) == {"decisions.take": 7}


@pytest.mark.parametrize("content", [b"", b"hello", b"\x00\xff\xfe", b"Chequerplay statistics\n", b"PR -\n"])
def test_text_without_a_figure_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidConfiguration, match="found no figure"):
        read_pasted("notes.txt", content)


@given(st.text(alphabet=st.sampled_from(" \n\t.,-+%()0123456789PRprTotal decisionsErrorEMGmovesSnowie"), max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    for head in ("", "Cube statistics\nClose or actual cube decisions "):
        try:
            pasted = read_pasted("", (head + text).encode())
        except InvalidConfiguration:
            continue
        assert {one.metric for column in pasted.columns for one in column} <= set(EXPLORED)


# -- the command line --------------------------------------------------------------------------------------------------


def ran(*arguments: str, text: str = "") -> Any:
    return CliRunner().invoke(main, ["investigate", XG_FILE, "--player", "nora", *arguments], input=text)


def test_pasted_figures_come_from_standard_input_and_join_typed_ones() -> None:
    result = ran("--paste", "-", "--reported", "decisions=105", text="PR 7,09\nElo 1900\n")
    assert result.exit_code == 0
    assert "PR 7.09" in result.stdout
    assert "with Q01" in result.stdout
    assert "1 figures were read" not in result.stdout
    assert "1 figure was read from the pasted text of XG; 1 other line with a number was not used." in result.stdout
    assert "known from descriptions, not from samples" in result.stdout


def test_page_says_where_pasted_figures_come_from(tmp_path: Path) -> None:
    (tmp_path / "window.txt").write_text("PR 7.09 5.00\nTotal decisions 105 100\n", encoding="utf-8")
    result = ran("--paste", str(tmp_path / "window.txt"), "--html", str(tmp_path / "page.html"))
    assert result.exit_code == 0
    head = Page((tmp_path / "page.html").read_text("utf-8"))
    assert "known from descriptions, not from samples" in head.find("header")[0].text
    assert "the first is taken for Nora Lindqvist, the second for Tomas Beck" in head.find("header")[0].text
    assert "--paste window.txt" in head.by_id("method").text
    assert str(tmp_path) not in head.root.text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--paste", "-"], "nothing here"),
        (["--paste", "absent.txt"], ""),
        (["--paste", "-", "--reported", "pr=7.16"], "PR 7.09"),
        (["--paste", "-"], HEAD + "Unforced moves   4   5\n"),
        ([], ""),
    ],
    ids=["no figure", "no file", "twice", "others", "nothing"],
)
def test_paste_that_cannot_be_used_is_exit_code_2(arguments: list[str], text: str) -> None:
    result = ran(*arguments, text=text)
    assert (result.exit_code, result.stdout) == (2, "")


def test_only_one_of_match_and_paste_is_standard_input() -> None:
    result = CliRunner().invoke(main, ["investigate", "-", "--player", "nora", "--paste", "-"])
    assert result.exit_code == 2
    assert "only one of FILE and --paste" in result.stderr


def test_headline_of_many_figures_stays_a_line(data: Path) -> None:
    path = data / "gnubg" / "m04_7pt_0ply.stats.txt"
    match = loaded(path.with_name("m04_7pt_0ply.sgf"))
    pasted = read_pasted("", path.read_bytes())
    found = investigate(match, "bob", reported_by(pasted, match, "bob"))
    assert "and 12 more figures" in headline(found)
    assert len(headline(found)) < 300
    notes = paste_notes(pasted, match.players)
    assert notes == ("32 figures were read from the pasted text of gnuBG; 19 other lines with numbers were not used.",)
    assert Page(investigation_page(found, notes=notes)).problems == []


@pytest.mark.parametrize("digits", [25, 400, 5000])
def test_run_of_digits_that_no_figure_has_is_passed_over(digits: int) -> None:
    damaged = read_pasted("", ENGLISH.replace("90        79", f"{'9' * digits}   79").replace("0.39", "9" * digits).encode())
    metrics = [[figure.metric for figure in column] for column in damaged.columns]
    assert all("decisions.counted" not in column for column in metrics)
    assert all("equity_error.total" in column for column in metrics)
    gnubg = "Chequerplay statistics\n\nTotal moves              61   60\nUnforced moves           " + "9" * digits + "   50\n"
    with pytest.raises(InvalidConfiguration):
        read_pasted("", gnubg.encode())
