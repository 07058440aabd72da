"""Players, length, score, rules, variation and result of a match come from the roots of its
games."""

from __future__ import annotations

import numpy as np
import pytest

from reconcile.match.board.position import HYPERGAMMON, NACKGAMMON, START
from reconcile.match.columns import Kind
from tests.support.small_files import USUAL
from tests.support.small_sgf import ANN, ANN_31, BEN, BEN_31, cube, read, root, score


def test_players_length_rules_and_tool_are_those_of_the_root() -> None:
    match = read(USUAL)
    assert (match.players, match.length, match.cube_unit) == (("Ann", "Ben"), 5, "mwc")
    assert (match.source.tool, match.source.tool_version, match.source.format) == (
        "GNU Backgammon",
        "1.07.001",
        "sgf",
    )
    assert match.rules.crawford
    assert match.rules.cube


def test_games_are_numbered_from_1_and_turns_in_every_game() -> None:
    match = read(USUAL + root(1, score=(0, 2)) + BEN_31 + ANN_31 + ")")
    assert match.games.number.tolist() == [1, 2]
    assert match.games.score.tolist() == [[0, 0], [0, 2]]
    assert match.plays.turn.tolist() == [1, 2, 1, 2]
    assert match.plays.player.tolist() == [ANN, BEN, BEN, ANN]


def test_crawford_game_is_only_the_one_that_is_marked() -> None:
    marked = read(root(0, score=(4, 2), rules="Crawford:CrawfordGame") + ANN_31 + BEN_31 + ")")
    unmarked = read(root(0, score=(4, 2)) + ANN_31 + BEN_31 + ")")
    assert marked.games.crawford.tolist() == [True]
    assert unmarked.games.crawford.tolist() == [False]
    assert len(marked.cubes) == 0
    assert unmarked.cubes.player.tolist() == [
        BEN
    ]  # the leader, one point away, has nothing to double for


def test_missing_games_are_noted() -> None:
    (note,) = read(USUAL + root(3) + ANN_31 + ")").notes
    assert note.code == "games-missing"
    assert "2, 3" in note.evidence


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("[ws:9][bs:0]", [0, 0]),
        ("[ws:-1][bs:3]", [0, 3]),
        ("[ws:x][bs:4]", [0, 4]),
        ("[ws:9][length:5][bs:1]", [0, 1]),
    ],
)
def test_score_outside_the_match_is_not_believed(written: str, known: list[int]) -> None:
    assert read(USUAL.replace("[ws:0][bs:0]", written)).games.score.tolist() == [known]


def test_match_is_complete_when_the_last_game_reaches_its_length() -> None:
    assert not read(USUAL).complete
    assert read(root(0, score=(4, 0), more="RE[W+1R]") + ANN_31 + ")").complete
    assert not read(root(0, score=(3, 0), more="RE[W+1R]") + ANN_31 + ")").complete


def test_drop_decides_against_the_result_in_the_root() -> None:
    games = read(root(more="RE[W+3]") + ANN_31 + ";B[double];W[drop])").games
    assert (games.winner.tolist(), games.points.tolist(), games.resigned.tolist()) == (
        [BEN],
        [1],
        [False],
    )


def test_money_session_keeps_equities_and_has_no_chances() -> None:
    money = (
        root(length=0, rules="Jacoby")
        + ANN_31
        + BEN_31.replace("]A[", f"]{cube(0.5, 0.25)}A[")
        + ")"
    )
    computed = score(money)
    assert computed.match.is_money
    assert computed.match.rules.jacoby
    assert computed.match.cube_unit == "emg"
    assert computed.match.cubes.no_double.tolist() == [0.5]
    assert computed.figures(BEN)["mwc_loss_percent.total"] is None


@pytest.mark.parametrize(
    ("rules", "variation", "start"),
    [
        ("Crawford", "backgammon", START),
        ("Crawford:Nackgammon", "nackgammon", NACKGAMMON),
        ("Hypergammon1", "hypergammon1", HYPERGAMMON[1]),
        ("Hypergammon2:Crawford", "hypergammon2", HYPERGAMMON[2]),
        ("Crawford:Hypergammon3", "hypergammon3", HYPERGAMMON[3]),
    ],
)
def test_variation_has_its_own_opening_position(
    rules: str, variation: str, start: tuple[int, ...]
) -> None:
    match = read(root(rules=rules) + ANN_31 + ")")
    assert match.rules.variation == variation
    assert tuple(match.plays.position[0]) == start


def test_rules_in_an_unknown_encoding_are_passed_over() -> None:
    match = read((root(rules="Nack\xe9:Crawford") + ANN_31 + ")").encode("latin-1"))
    assert match.rules.variation == "backgammon"
    assert match.rules.crawford


def test_file_of_another_program_names_it() -> None:
    assert (
        read(USUAL.replace("AP[GNU Backgammon:1.07.001]", "AP[Some Tool:3]")).source.tool
        == "Some Tool"
    )
    assert read(USUAL.replace("AP[GNU Backgammon:1.07.001]", "")).source.tool_version is None


def test_resignation_is_a_row_for_either_player() -> None:
    match = read(root(more="RE[B+2R]") + ANN_31 + ")")
    assert (match.resignations.kind.tolist(), match.resignations.player.tolist()) == (
        [Kind.RESIGN, Kind.ACCEPT_RESIGN],
        [ANN, BEN],
    )
    assert np.isnan(match.resignations.stored_error).all()


def named(raw: bytes) -> str:
    return read(USUAL.encode().replace(b"PW[Ann]", b"PW[" + raw + b"]")).players[ANN]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"Ann [the first\\]", "Ann [the first]"),
        (b"Ann [a\\] [b\\]", "Ann [a] [b]"),
        (b"\\]Ann\\]", "]Ann]"),
        (b"Ann\\][x", "Ann][x"),
        (b"back\\\\slash", "back\\\\slash"),  # gnuBG leaves every other pair as it is in names
        (b"Ann\\:Marie", "Ann\\:Marie"),
        ("Ægir Þór".encode(), "Ægir Þór"),
        ("木村".encode(), "木村"),
        (b"", ""),
        ("Björk Ýr Á".encode("latin-1"), "Björk Ýr Á"),
        ("Zoë".encode("latin-1"), "Zoë"),
        (b"x" * 40, "x" * 31),  # cut at 31 bytes, and never inside a character
        (("é" * 40).encode(), "é" * 15),
        (("x" + "木" * 20).encode(), "x" + "木" * 10),
    ],
)
def test_name_stands_as_gnubg_shows_it(raw: bytes, shown: str) -> None:
    assert named(raw) == shown


def test_event_has_its_escapes_removed() -> None:
    assert (
        read(USUAL.replace("PW[Ann]", "PW[Ann]EV[Open [A\\] 50\\\\50\\: final]")).event
        == "Open [A] 50\\50: final"
    )


@pytest.mark.parametrize(
    "written",
    [
        b"\xef\xbb\xbf" + USUAL.encode(),
        USUAL.replace("\n", "\r\n").encode(),
        USUAL.replace("\n", "").encode(),
        b"saved by hand\n" + USUAL.encode(),
        USUAL.replace("\n;", "\0\n  ;  ").encode(),
        USUAL.replace("A[", "A [").replace("LU[", "LU\n[").encode(),
        USUAL.replace(";W[", ";White[").replace(";B[", ";Black[").encode(),
        USUAL.replace("LU[-0.2]", "LU[-0.2]C[a \\] (;B[31aaaa\\]) [ \\\\ )) ;W[ 66 ((]").encode(),
        b"(;GM[2]FF[4];W[e4])" + USUAL.encode() + b"(;GM[2]FF[4];W[e4])",
    ],
    ids=[
        "BOM",
        "CRLF",
        "one line",
        "text before",
        "blanks, NUL",
        "blanks before values",
        "long identifiers",
        "a comment",
        "chess",
    ],
)
def test_what_stands_around_the_values_does_not_matter(written: bytes) -> None:
    assert score(written).figures(ANN) == score(USUAL).figures(ANN)
    assert score(written).figures(BEN) == score(USUAL).figures(BEN)
