"""gnuBG's own tables of statistics, of a file or out of a text export, are read whole and explain
themselves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from reconcile.errors import InvalidConfiguration, NothingToCompare, UnknownName
from reconcile.formats.printed import read_pasted
from reconcile.infer.investigation import investigate
from reconcile.infer.reported import EXPLORED, reported_by
from reconcile.scoring.figures import CUBE_PARTS
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.data import cases, label, matching, skipped_if_empty
from tests.support.gnubg import needs_gnubg, terminal
from tests.support.loaded import loaded
from tests.support.long import long_but_first
from tests.support.pasted import HEAD, tables, values
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
