"""Figures that gnuBG and XG print, pasted or exported: read whole, explained by the match, and
never the other player's."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from reconcile.cli import main
from reconcile.errors import InvalidConfiguration, NothingToCompare, UnknownName
from reconcile.formats.printed import read_pasted
from reconcile.infer.investigation import investigate
from reconcile.infer.reported import EXPLORED, reported_by
from reconcile.report.answer import headline
from reconcile.report.html.investigation_page import investigation_page
from reconcile.report.text.investigation import paste_notes
from reconcile.scoring.figures import CUBE_PARTS
from reconcile.scoring.statistics import statistics
from tests.report.markup import Page
from tests.support.claims import some
from tests.support.command_line import XG
from tests.support.data import cases, label, matching, skipped_if_empty
from tests.support.gnubg import needs_gnubg, terminal
from tests.support.loaded import loaded
from tests.support.long import long_but_first
from tests.support.pasted import HEAD, SUMMARY, tables, values
from tests.support.reported import met_of

MOST_TABLES = 2
"""The match and its first game."""


def columns() -> list[Any]:
    outcome = []
    for index, path in enumerate(matching("gnubg/*.stats.txt")):
        for number in range(min(MOST_TABLES, len(tables(path)))):
            seat = (index + number) % 2
            outcome.append(
                pytest.param(path, number, seat, id=f"{label(path)}-{number or 'match'}-{seat}")
            )
    return skipped_if_empty(outcome, 3)


@pytest.mark.parametrize(("path", "number", "seat"), long_but_first(columns(), 2, 10))
def test_table_of_gnubg_explains_itself(path: Path, number: int, seat: int) -> None:
    match = loaded(path.with_name(path.name.replace(".stats.txt", ".sgf")))
    game = int(match.games.number[number - 1]) if number else None
    computed = statistics(match, "gnubg").completeness(seat, game)
    other = statistics(match, "gnubg").completeness(1 - seat, game)
    if not any(part[name].analysed for part in (computed, other) for name in ("checker", "cube")):
        with pytest.raises(InvalidConfiguration, match="analyse the match first"):
            read_pasted(path.name, tables(path)[number].encode())
        return
    pasted = read_pasted(path.name, tables(path)[number].encode())
    assert (pasted.program, pasted.players) == ("gnuBG", match.players)
    reported = reported_by(pasted, match, match.players[seat])
    assert len(reported) >= 8
    try:
        result = investigate(match, match.players[seat], reported, met=met_of(path), game=game)
    except NothingToCompare:
        assert computed["checker"].analysed == computed["cube"].analysed == 0
        return
    if statistics(match, "gnubg").figures(seat, game)["equity_error.total"] is None:
        assert result.explanations == ()  # too little is analysed
        return
    first = result.explanations[0]
    assert (first.nearest, first.differences, first.decisions) == ("gnubg", (), ())


@pytest.mark.parametrize("path", cases("gnubg/*.stats.txt"))
def test_whole_file_is_the_table_of_the_match(path: Path) -> None:
    if "unanalysed" not in path.name:
        assert read_pasted("", path.read_bytes()) == read_pasted("", tables(path)[0].encode())


@pytest.mark.parametrize("path", cases("gnubg/m04*.stats.txt"))
def test_every_figure_of_the_table_is_read(path: Path) -> None:
    pasted = read_pasted("", path.read_bytes())
    parts = {
        f"{group}.{part}" for group in ("equity_error", "mwc_loss_percent") for part in CUBE_PARTS
    }
    assert set(values(pasted)) == set(EXPLORED) - {"pr", "snowie_er"} | parts
    assert values(pasted, 1)["error_rate_memg"] == 21.6
    assert values(pasted, 1)["decisions.counted"] == 145
    # Only marked moves, luck, doubles made, results and ratings are left.
    assert pasted.ignored == 17


@pytest.mark.parametrize("path", cases("gnubg-text/*/*.txt"))
def test_statistics_of_a_text_export_are_chosen_by_their_title(path: Path) -> None:
    text = path.read_text("utf-8")
    numbers = [int(word) for word in re.findall(r"Game statistics for game (\d+)", text)]
    assert numbers
    for number in numbers:
        pasted = read_pasted("", path.read_bytes(), number)
        assert len(pasted.columns) == 2
        assert len(pasted.columns[0]) >= (15 if not pasted.notes else 9)
    with pytest.raises(InvalidConfiguration, match="say which game with --game"):
        read_pasted("", path.read_bytes(), 99)
    if "Match statistics" in text:
        total = read_pasted("", path.read_bytes())
        moves = re.search(r"Unforced moves +(\d+)", text.partition("Match statistics")[2])
        assert moves is not None
        assert values(total)["decisions.checker"] == int(moves[1])
    else:
        with pytest.raises(
            InvalidConfiguration, match="statistics of the match, found: Game statistics for game"
        ):
            read_pasted("", path.read_bytes())


@pytest.mark.parametrize(
    "path", cases("gnubg-text/0-ply/*.txt", "gnubg-text/2-ply/*.txt", short=0, most=2)
)
def test_counts_of_a_text_export_fit_the_same_match_analysed_again(path: Path) -> None:
    """The equities are of another analysis, by another machine, so sums differ in the last digits;
    decisions do not."""
    stem, _, number = path.stem.partition("_")
    game = int(number or 1)
    match = loaded(path.with_name(f"{stem}.sgf"))
    pasted = read_pasted("", path.read_bytes(), game)
    for seat, player in some(enumerate(match.players)):
        own = statistics(match, "gnubg").figures(seat, game)
        reported = reported_by(pasted, match, player)
        for each in reported:
            assert own[each.metric] == (
                each.value if not each.half else pytest.approx(each.value, rel=0.06, abs=0.01)
            ), each
        counts = [each for each in reported if not each.half]
        assert investigate(match, player, counts, game=game).explanations[0].differences == ()


LOST_OF_BOTH = "Error total EMG (MWC)   -4.978 (-29.680%)   -0.660 ( -3.933%)"
POINTS = (
    "Error total EMG (Points)                      -5.146 (-11.741)        -8.047 (-19.674)  \n"
)


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        # Without a head and with other blanks, and with points of a money session, which are no
        # chances.
        (
            f"Chequerplay statistics\nUnforced moves   49   51\n{LOST_OF_BOTH}",
            [
                {
                    "equity_error.checker": 4.978,
                    "mwc_loss_percent.checker": 29.680,
                    "decisions.checker": 49,
                },
                {
                    "equity_error.checker": 0.660,
                    "mwc_loss_percent.checker": 3.933,
                    "decisions.checker": 51,
                },
            ],
        ),
        (HEAD + POINTS, [{"equity_error.checker": 5.146}, {"equity_error.checker": 8.047}]),
    ],
)
def test_table_is_read_in_whatever_form(text: str, figures: list[dict[str, float]]) -> None:
    pasted = read_pasted("", text.encode())
    assert bool(pasted.players) == text.startswith(HEAD)
    assert [values(pasted, column) for column in (0, 1)] == figures


def test_rate_of_no_decision_is_no_rate() -> None:
    text = HEAD + (
        "Unforced moves    0    3\nError rate mEMG (MWC)    -0.0   ( -0.000%)   -4.0   ( -0.010%)\n"
    )
    pasted = read_pasted("", text.encode())
    assert values(pasted) == {}
    assert values(pasted, 1) == {"decisions.checker": 3, "checker_pr": 2.0}
    assert "no checker play of Ann B" in pasted.notes[0]


def test_parts_that_are_printed_apart_add_up_with_their_digits() -> None:
    text = (
        "Cube statistics\nClose or actual cube decisions   9   1\nTakes   1   0\nPasses   2   0\n"
        "Missed doubles below CP (EMG (MWC))   2 (-0.255 ( -1.598%))   0\nMissed doubles above CP "
        "(EMG (MWC))   1 (-0.100 ( -0.500%))   0\n"
        "Wrong doubles below DP (EMG (MWC))   0   0\nWrong doubles above TG (EMG (MWC))   0   0\n"
        "Error total EMG (MWC)   -0.355 ( -2.098%)   -0.000 ( -0.000%)\nSnowie error rate   -1.0 "
        "( +0.000%)   -0.0 ( +0.000%)\n"
    )
    result = {figure.metric: figure for figure in read_pasted("", text.encode()).columns[0]}
    assert result["equity_error.double"].value == pytest.approx(0.355)
    assert result["equity_error.double"].half == pytest.approx(0.001)
    assert result["mwc_loss_percent.double"].value == pytest.approx(2.098)
    assert (result["decisions.take"].value, result["decisions.double"].value) == (3, 6)


def test_column_is_found_by_name_and_never_by_seat(data: Path) -> None:
    path = data / "gnubg" / "m04_7pt_0ply.stats.txt"
    match = loaded(path.with_name("m04_7pt_0ply.sgf"))
    lines = path.read_text("utf-8").splitlines()
    pasted = read_pasted("", "\n".join(lines).encode())
    swapped = read_pasted(
        "",
        "\n".join(
            [
                lines[0].replace("Alice", "xxx").replace("Bob", "Alice").replace("xxx", "Bob"),
                *lines[1:],
            ]
        ).encode(),
    )
    assert reported_by(pasted, match, "alice") == reported_by(swapped, match, "bob")
    assert reported_by(pasted, match, "alice") != reported_by(swapped, match, "alice")
    strangers = read_pasted(
        "", "\n".join([lines[0].replace("Alice", "Carol"), *lines[1:]]).encode()
    )
    with pytest.raises(UnknownName, match="Carol"):
        reported_by(strangers, match, "alice")


@pytest.mark.parametrize("path", cases("gnubg/m04_7pt_0ply.stats.txt"))
def test_zeros_of_a_part_that_is_not_analysed_are_no_figures(path: Path) -> None:
    """As gnuBG prints a match that was analysed for checker plays only."""
    text = tables(path)[0]
    head, mark, cube = text.partition("Cube statistics")
    cube, overall, rest = cube.partition("Overall statistics")
    zeros = re.sub(r"\d+ \( *-\d+\.\d+ \( *-\d+\.\d+%\)\)", "0", cube)
    zeros = re.sub(
        r"(?m)^((?:Total|Close|Doubles|Takes|Passes)[^\d]*)\d+( +)\d+", r"\g<1>0\g<2>0", zeros
    )
    lost = r"-\d+\.\d+( +)\( *-\d+\.\d+%\)"
    zeros = re.sub(
        rf"(?m)^(Error [^-]*){lost}( +){lost}", r"\1-0.0 ( -0.000%)\3-0.0 ( -0.000%)", zeros
    )
    pasted = read_pasted("", (head + mark + zeros + overall + rest).encode())
    for column in (0, 1):
        figures = values(pasted, column)
        assert figures["decisions.checker"] == figures["decisions.counted"]
        assert not {
            name
            for name in figures
            if name.endswith((".double", ".take", "_double", "_take", "_pass")) or name == "cube_pr"
        }
    assert pasted.notes == (
        "gnuBG's table counts no cube decision of Alice m04 and Bob m04: not analysed, or there "
        "was none; "
        "the zeros that gnuBG prints there are not taken as figures",
    )


@pytest.mark.long
@needs_gnubg
def test_match_analysed_for_moves_only_explains_its_own_table(data: Path, tmp_path: Path) -> None:
    analysed = (
        "set analysis cube off\nset analysis luck off\nset analysis chequerplay evaluation plies "
        "0\nanalyse match\n"
    )
    terminal(
        f'load match "{data / "gnubg" / "m14_5pt_unanalysed.sgf"}"\n{analysed}save match '
        f'"{tmp_path / "m.sgf"}"\n',
        tmp_path,
    )
    # Only gnuBG with other settings than those of the analysis prints the part that is not
    # analysed.
    exported = "".join(
        f'export match {kind} "{tmp_path / "m"}.{suffix}"\n'
        for kind, suffix in (("text", "txt"), ("html", "html"))
    )
    printed = terminal(
        f'load match "{tmp_path / "m.sgf"}"\n{exported}show statistics match\n', tmp_path
    )
    (tmp_path / "shown").write_bytes(printed)
    match = loaded(tmp_path / "m.sgf")
    assert any("no cube decision" in note for note in read_pasted("", printed).notes)
    second = int(match.games.number[1])
    # One file per game: the first is given, the others are found beside it.
    for name, game, player in (
        ("m.txt", None, 0),
        ("m.txt", second, 1),
        ("m.html", second, 0),
        ("shown", None, 1),
    ):
        path = tmp_path / name
        figures = reported_by(
            read_pasted(str(path), path.read_bytes(), game), match, match.players[player]
        )
        first = investigate(match, match.players[player], figures, game=game).explanations[0]
        assert (first.nearest, first.differences) == ("gnubg", ())


CASES = yaml.safe_load(Path(__file__).with_name("summaries.yaml").read_text("utf-8"))


def changed(case: dict[str, str]) -> str:
    """The summary with the change of a case."""
    assert case["old"] in SUMMARY
    return SUMMARY.replace(case["old"], case["new"])


def both(text: str | bytes) -> list[dict[str, float]]:
    pasted = read_pasted("", text.encode() if isinstance(text, str) else text)
    assert [name.lower() for name in pasted.players] == ["ann", "ben"]
    assert pasted.notes == ()
    return [values(pasted, column) for column in (0, 1)]


@pytest.mark.parametrize("path", cases("xg-summary/*.xg-summary.txt"))
def test_every_figure_of_a_real_summary_is_read(path: Path) -> None:
    pasted = read_pasted(path.name, path.read_bytes())
    reported = json.loads(
        path.with_name(path.name.replace("-summary.txt", "-reported.json")).read_text("utf-8")
    )["xg"]
    assert pasted.players == tuple(reported)
    assert (pasted.program, pasted.ignored, pasted.notes) == ("XG", 0, ())
    for column, figures in enumerate(reported.values()):
        own = values(pasted, column)
        assert len(own) == 38
        for key, (metric, factor) in CASES["cells"].items():
            assert own[metric] == pytest.approx(factor * figures[key], abs=1e-9), key
    elo = [figures["luck_based_elo"] for figures in reported.values()]
    assert [values(pasted, column)["luck.elo"] for column in (0, 1)] == [
        (elo[0] - elo[1]) / 2,
        (elo[1] - elo[0]) / 2,
    ]
    assert [figure.text for figure in pasted.columns[0] if figure.metric == "luck.elo"] == [
        f"{(elo[0] - elo[1]) / 2:.1f}"
    ]


@pytest.mark.parametrize("path", cases("xg-summary/*.xg-summary.txt"))
def test_column_is_found_by_name_and_not_by_seat(path: Path) -> None:
    match = loaded(path.with_name(path.name.replace(".xg-summary.txt", "_0ply.sgf")))
    pasted = read_pasted("", path.read_bytes())
    for name in match.players:
        assert {each.metric: each.value for each in reported_by(pasted, match, name)} == values(
            pasted, pasted.players.index(name)
        )
    renamed = path.read_text("utf-8").replace("lasse", "somebody", 1)
    with pytest.raises(UnknownName, match="somebody"):
        reported_by(read_pasted("", renamed.encode()), match, "lasse")


@pytest.mark.parametrize("path", cases("xg-summary/composed/*.txt", short=1))
def test_summary_of_a_file_at_hand_needs_no_difference(data: Path, path: Path) -> None:
    (file,) = data.glob("real/charlot1*.xg")
    match, pasted = loaded(file), read_pasted("", path.read_bytes())
    for player in some(match.players):
        first = investigate(match, player, reported_by(pasted, match, player)).explanations[0]
        assert (first.nearest, first.differences) == ("xg", ())


FORMS = {
    "crlf": SUMMARY.replace("\n", "\r\n"),
    "no-break spaces": SUMMARY.replace(" (", "\N{NO-BREAK SPACE}(").replace(
        "   ", 3 * "\N{NO-BREAK SPACE}"
    ),
    "decimal points": re.sub(r"(\d),(\d)", r"\1.\2", SUMMARY),
    "lower case": SUMMARY.lower(),
    "blank lines": SUMMARY.replace("\n", "\n\n"),
    "lost trailing tabs": "\n".join(map(str.rstrip, SUMMARY.splitlines())),
    "tabs as blanks": SUMMARY.replace("\t", "    "),
    "single blanks": re.sub(r"[ \t]+", " ", SUMMARY),
    "tabs collapsed": re.sub(r"\t+", "\t", SUMMARY),
    "quoted": "".join(f"> {line}\n" for line in SUMMARY.splitlines()),
    "other bullets": SUMMARY.replace("\N{BULLET}", "*"),
    "minus signs": SUMMARY.replace("-0", "\N{MINUS SIGN}0"),
    "text around": f"Decisions were hard, see 3 matches.\n\n{SUMMARY}\nDecisions are never easy "
    "12\nYours, 7\n",
}


ENCODINGS = {
    encoding: SUMMARY.encode(encoding)
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")
}


@pytest.mark.parametrize("form", [*FORMS, *ENCODINGS])
def test_forms_of_one_text_give_the_same_figures_in_the_encodings_of_clipboards_too(
    form: str,
) -> None:
    assert both(ENCODINGS[form] if form in ENCODINGS else FORMS[form]) == both(SUMMARY)


@pytest.mark.parametrize("number", range(len(SUMMARY.splitlines())))
def test_text_without_one_line_gives_no_other_figure(number: int) -> None:
    lines = SUMMARY.splitlines()
    text = "\n".join(lines[:number] + lines[number + 1 :]).encode()
    if number == 0 or "(Blunders)" in lines[number] or "Jokers" in lines[number]:
        with pytest.raises(InvalidConfiguration):
            read_pasted("", text)
        return
    pasted = read_pasted("", text)
    for column, figures in enumerate(both(SUMMARY)):
        assert values(pasted, column).items() <= figures.items()


def test_empty_cell_is_nothing_lost_only_where_the_player_has_figures() -> None:
    ann, ben = both(SUMMARY)
    assert (ann["equity_error.missed_double"], ben["equity_error.wrong_double"]) == (0.0, 0.0)
    assert ann["errors.take"] == ann["blunders.take"] == 0
    emptied = "\n".join(
        line.rpartition("\t")[0] + "\t" if number else line
        for number, line in enumerate(SUMMARY.splitlines())
    )
    pasted = read_pasted("", emptied.encode())
    assert values(pasted, 1) == {}
    assert values(pasted, 0) == {
        metric: value for metric, value in ann.items() if metric != "luck.elo"
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [(changed(case), case["words"]) for case in CASES["refused"]]
    + [(SUMMARY + SUMMARY, "two matches")],
)
def test_text_that_is_not_whole_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(InvalidConfiguration, match=words) as error:
        read_pasted("mail.txt", text.encode())
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("case", CASES["uncertain"], ids=str)
def test_single_figure_that_no_sum_assigns_is_refused_where_tabs_are_lost(
    case: dict[str, str],
) -> None:
    text = changed(case)
    for lost in (re.sub(r"\t+", "\t", text), text.replace("\t", "   ")):
        with pytest.raises(InvalidConfiguration, match="does not say whose"):
            read_pasted("mail.txt", lost.encode())


@pytest.mark.parametrize("case", CASES["contradictions"], ids=str)
def test_rows_that_contradict_each_other_get_a_sentence(case: dict[str, str]) -> None:
    notes = read_pasted("", changed(case).encode()).notes
    assert any(case["words"] in note for note in notes), notes


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 400_000,
        " " * 400_000,
        "Decisions " * 40_000,
        "Decisions\t" * 40_000,
        ("Unforced moves" + " " * 480 + "\n") * 800,
        "9" * 400_000,
    ],
    ids=["lines", "blanks", "labels", "tabs", "wide", "digits"],
)
@pytest.mark.parametrize("head", ["Chequerplay statistics\n", SUMMARY], ids=["gnuBG", "XG"])
def test_time_is_linear_in_the_text(head: str, text: str) -> None:
    """Four times the text takes 4 times as long, and 16 times where the time is that of the square;
    the quickest of several counts."""

    def seconds(part: str) -> float:
        start = process_time()
        with suppress(InvalidConfiguration):
            read_pasted("", (head + part).encode())
        return process_time() - start

    assert any(seconds(text) < 8 * seconds(text[: len(text) // 4]) + 0.05 for _ in range(9))


NORA = "\tTomas Beck\tNora Lindqvist\n\N{BULLET} Performance Rating\t5,00\t7,09\nElo 1900\n"


def ran(*arguments: str, text: str = "") -> Any:
    return CliRunner().invoke(main, ["investigate", XG, "--player", "nora", *arguments], input=text)


def test_pasted_figures_come_from_standard_input_and_join_typed_ones() -> None:
    result = ran("--paste", "-", "--reported", "decisions=105", text=NORA)
    assert result.exit_code == 0
    assert "PR 7.09" in result.stdout
    assert "Does this checker play count" in result.stdout
    assert (
        "2 figures were read from the pasted text of XG; 1 other line with a number was not used."
        in " ".join(result.output.split())
    )


@pytest.mark.long
def test_page_says_where_pasted_figures_come_from(tmp_path: Path) -> None:
    (tmp_path / "window.txt").write_text(NORA + "\N{BULLET} Jokers\t3\t4\n", encoding="utf-8")
    result = ran("--paste", str(tmp_path / "window.txt"), "--html", str(tmp_path / "page.html"))
    assert result.exit_code == 0
    head = Page((tmp_path / "page.html").read_text("utf-8"))
    assert "4 figures were read from the pasted text of XG" in head.find("header")[0].text
    assert "Not searched for" in head.by_id("figures").text
    assert "Jokers" in head.by_id("figures").text
    assert head.problems == []
    assert "--paste window.txt" in head.by_id("method").text
    assert str(tmp_path) not in head.root.text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--paste", "-"], "nothing here"),
        (["--paste", "absent.txt"], ""),
        (["--paste", "-", "--reported", "pr=7.16"], NORA),
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
    result = investigate(match, "bob", reported_by(pasted, match, "bob"))
    assert "and 12 more figures" in headline(result)
    assert len(headline(result)) < 300
    notes = paste_notes(pasted, match.players)
    assert notes == (
        "48 figures were read from the pasted text of gnuBG; 17 other lines with numbers were not "
        "used.",
    )
    assert Page(investigation_page(result, notes=notes)).problems == []
