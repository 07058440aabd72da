"""What the reader of gnuBG's `.sgf` files takes from a file, and what it refuses; files are short and written by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import process_time

import numpy as np
import pytest

from reconcile.adapters import load_match, read_match
from reconcile.adapters.gnubg import read_sgf
from reconcile.board.position import HYPERGAMMON, NACKGAMMON, START, swap
from reconcile.columns import Kind, Validity
from reconcile.errors import UnreadableFile
from reconcile.match import Match
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import Statistics, statistics
from tests.support.data import cases
from tests.support.small_files import USUAL

ANN, BEN = 0, 1
"""White is seat 0, Black seat 1."""


def root(number: int = 0, length: int = 5, score: tuple[int, int] = (0, 0), rules: str = "Crawford", more: str = "") -> str:
    return (
        "(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]"
        f"MI[length:{length}][game:{number}][ws:{score[0]}][bs:{score[1]}]PW[Ann]PB[Ben]RU[{rules}]{more}"
    )


def scored(play: str, equity: object, plies: str = "2C") -> str:
    return f"[{play} E ver 3 0.55 0.2 0.01 0.1 0.005 {equity} {plies} 0 1 0.000000 1]"


def cube(no_double: object, double_take: object) -> str:
    chances = "0.5 0.1 0.0 0.1 0.0 0.0"
    return f"DA[E ver 3 2C 1 0.000000 1 {chances} {no_double} {chances} {double_take}]"


POINT, SPLIT = "hefe", "xufe"
ANN_31 = f"\n;W[31{POINT}]A[0]{scored(POINT, 0.25)}{scored(SPLIT, 0.125)}LU[0.1]GW[1]"
BEN_31 = f"\n;B[31qtst]A[1]{scored('adst', 0.5)}{scored('qtst', 0.375)}LU[-0.2]"


def read(text: str | bytes) -> Match:
    return read_sgf("ann.sgf", text if isinstance(text, bytes) else text.encode())


def score(text: str | bytes) -> Statistics:
    return statistics(read(text), "gnubg")


def codes(match: Match) -> list[str]:
    return [note.code for note in match.notes]


def refused(text: str | bytes) -> str:
    with pytest.raises(UnreadableFile) as caught:
        statistics(read(text))
    message = str(caught.value)
    assert message.startswith("ann.sgf: ")
    assert "\n" not in message
    return message


# -- text -------------------------------------------------------------------------------------------------------------


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
    ],
)
def test_name_stands_as_gnubg_shows_it(raw: bytes, shown: str) -> None:
    assert named(raw) == shown


def test_name_is_cut_at_31_bytes_and_never_inside_a_character() -> None:
    assert named(b"x" * 40) == "x" * 31
    assert named(("é" * 40).encode()) == "é" * 15
    assert named(("x" + "木" * 20).encode()) == "x" + "木" * 10


def test_name_in_latin_1_is_read() -> None:
    assert named("Björk Ýr Á".encode("latin-1")) == "Björk Ýr Á"
    assert named("Zoë".encode("latin-1")) == "Zoë"


def test_event_has_its_escapes_removed() -> None:
    assert read(USUAL.replace("PW[Ann]", "PW[Ann]EV[Open [A\\] 50\\\\50\\: final]")).event == "Open [A] 50\\50: final"


def test_comment_with_anything_in_it_changes_nothing() -> None:
    comment = "C[a \\] (;B[31aaaa\\]) [ \\\\ )) ;W[ 66 ((]"
    assert score(USUAL.replace("LU[-0.2]", "LU[-0.2]" + comment)).figures(BEN) == score(USUAL).figures(BEN)


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
    ],
    ids=["BOM", "CRLF", "one line", "text before", "blanks and NUL", "blanks before values", "long identifiers"],
)
def test_byte_order_mark_line_ends_and_blanks_do_not_matter(written: bytes) -> None:
    assert score(written).figures(ANN) == score(USUAL).figures(ANN)
    assert score(written).figures(BEN) == score(USUAL).figures(BEN)


# -- trees ------------------------------------------------------------------------------------------------------------


def test_only_the_first_variation_is_followed() -> None:
    branched = root() + ANN_31 + "(" + BEN_31 + "(;W[52mhmk](;B[66]))(;W[66]))(;B[66];W[66])(;B[55]))"
    plays = read(branched).plays
    assert plays.dice.tolist() == [[3, 1], [3, 1], [5, 2], [6, 6]]


def test_games_of_other_kinds_are_skipped() -> None:
    chess = "(;GM[2]FF[4];W[e4])"
    assert score(chess + USUAL + chess).figures(ANN) == score(USUAL).figures(ANN)


@pytest.mark.parametrize("text", ["(;GM[1]FF[4];B[aa])", "(;FF[4];B[31qtst])", "()", "(;)", "GM[6]", ""])
def test_collection_without_a_game_of_backgammon_is_refused(text: str) -> None:
    assert "no" in refused(text)


@pytest.mark.parametrize("lost", [1, 2, 20, 150, 260, len(ANN_31 + BEN_31) + 5])
def test_truncated_file_is_refused_as_gnubg_refuses_it(lost: int) -> None:
    assert "truncated" in refused(USUAL[:-lost])


def test_complete_games_before_a_truncated_one_are_not_believed_either() -> None:
    assert "truncated" in refused(USUAL + root(1) + ANN_31)


def test_every_prefix_is_refused_or_read_without_another_fault() -> None:
    two = USUAL + root(1, score=(1, 0)) + BEN_31 + ")"
    for end in range(len(two)):
        try:
            match = read(two[:end])
        except UnreadableFile:
            continue
        assert len(match.games) == 1
        assert end >= len(USUAL)


@pytest.mark.parametrize(
    "hostile",
    [
        "(" * 100_000,
        "(;GM[6]" * 100_000,
        "(;GM[6]" + "(" * 100_000 + ")" * 100_001,
        "(;GM[6]" + "A[" * 2_500_000,
        "(;GM[6]" + "A" * 5_000_000,
        "(;GM[6]A" + " " * 5_000_000,
        "(;GM[6]A[" + "\\" * 5_000_000,
        "(;GM[6]A[" + "[" * 5_000_000 + "]",
        "(;GM[6]A" + "[]" * 2_500_000,
        "(;GM[6]" + ";" * 1_000_000,
        "]" * 2_000_000,
    ],
    ids=["open", "roots", "nested", "A[A[", "letters", "blanks", "backslashes", "brackets", "values", "nodes", "closed"],
)
def test_hostile_megabytes_are_refused_in_bounded_time(hostile: str) -> None:
    start = process_time()
    refused(hostile)
    assert process_time() - start < 2


@pytest.mark.parametrize(
    "hostile",
    [
        "(;GM[6]" + "A[" * 2_500_000 + "])",
        root() + "\n;W[31hefe]A[0]" + "[" * 2_000_000 + "])",
        root() + "\n;W[31hefe]A[0]" + scored(POINT, 0.5) * 40_000 + ")",
        root() + "\n;W[31" + "hefe" * 250_000 + "]A[5]" + scored(POINT, 0.5) + scored(SPLIT, 0.5) + ")",
        root() + "".join(f"\n;W[31{POINT}]A[9]{scored(SPLIT, 0.5)}{scored('ijkl', 0.5)}" for _ in range(10_000)) + ")",
        root(more="AW" + "[a:y]" * 500_000) + ANN_31 + ")",
        root() + "PW[" + "\\]" * 2_000_000 + "]" + ANN_31 + ")",
    ],
    ids=["A[A[ in a value", "brackets in a value", "alternatives", "endless play", "positions asked for", "set-up", "long name"],
)
def test_hostile_analysis_takes_bounded_time(hostile: str) -> None:
    start = process_time()
    with suppress(UnreadableFile):
        statistics(read(hostile))
    assert process_time() - start < 5


# -- the match --------------------------------------------------------------------------------------------------------


def test_players_length_rules_and_tool_are_those_of_the_root() -> None:
    match = read(USUAL)
    assert (match.players, match.length, match.cube_unit) == (("Ann", "Ben"), 5, "mwc")
    assert (match.source.tool, match.source.tool_version, match.source.format) == ("GNU Backgammon", "1.07.001", "sgf")
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
    assert unmarked.cubes.player.tolist() == [BEN]  # the leader, one point away, has nothing to double for


def test_game_that_is_twice_in_the_file_is_refused() -> None:
    assert "twice" in refused(USUAL + USUAL)


def test_games_of_two_matches_are_refused() -> None:
    assert "one match" in refused(USUAL + root(1, length=7) + ANN_31 + ")")


def test_missing_games_are_noted() -> None:
    (note,) = read(USUAL + root(3) + ANN_31 + ")").notes
    assert note.code == "games-missing"
    assert "2, 3" in note.evidence


@pytest.mark.parametrize("length", [65, 1000, 10**9])
def test_match_longer_than_64_points_is_refused(length: int) -> None:
    assert "64" in refused(root(length=length) + ANN_31 + ")")


@pytest.mark.parametrize(
    ("written", "known"),
    [("[ws:9][bs:0]", [0, 0]), ("[ws:-1][bs:3]", [0, 3]), ("[ws:x][bs:4]", [0, 4]), ("[ws:9][length:5][bs:1]", [0, 1])],
)
def test_score_outside_the_match_is_not_believed(written: str, known: list[int]) -> None:
    assert read(USUAL.replace("[ws:0][bs:0]", written)).games.score.tolist() == [known]


def test_match_is_complete_when_the_last_game_reaches_its_length() -> None:
    assert not read(USUAL).complete
    assert read(root(0, score=(4, 0), more="RE[W+1R]") + ANN_31 + ")").complete
    assert not read(root(0, score=(3, 0), more="RE[W+1R]") + ANN_31 + ")").complete


def test_drop_decides_against_the_result_in_the_root() -> None:
    games = read(root(more="RE[W+3]") + ANN_31 + ";B[double];W[drop])").games
    assert (games.winner.tolist(), games.points.tolist(), games.resigned.tolist()) == ([BEN], [1], [False])


def test_money_session_keeps_equities_and_has_no_chances() -> None:
    money = root(length=0, rules="Jacoby") + ANN_31 + BEN_31.replace("]A[", f"]{cube(0.5, 0.25)}A[") + ")"
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
def test_variation_has_its_own_opening_position(rules: str, variation: str, start: tuple[int, ...]) -> None:
    match = read(root(rules=rules) + ANN_31 + ")")
    assert match.rules.variation == variation
    assert tuple(match.plays.position[0]) == start


def test_rules_in_an_unknown_encoding_are_passed_over() -> None:
    match = read((root(rules="Nack\xe9:Crawford") + ANN_31 + ")").encode("latin-1"))
    assert match.rules.variation == "backgammon"
    assert match.rules.crawford


def test_file_of_another_program_names_it() -> None:
    assert read(USUAL.replace("AP[GNU Backgammon:1.07.001]", "AP[Some Tool:3]")).source.tool == "Some Tool"
    assert read(USUAL.replace("AP[GNU Backgammon:1.07.001]", "")).source.tool_version is None


# -- plays ------------------------------------------------------------------------------------------------------------


def test_best_is_the_first_alternative_even_when_another_scores_higher() -> None:
    plays = read(root() + f";W[31{POINT}]A[0]{scored(POINT, 0.125)}{scored(SPLIT, 0.5)})").plays
    assert (plays.best[0], plays.played[0], plays.highest[0]) == (0.125, 0.125, 0.5)


def test_play_made_is_found_by_its_position_whatever_the_index_says() -> None:
    alternatives = scored(SPLIT, 0.5) + scored("hefe", 0.25)
    for index in (1, 0, 7, -1):
        plays = read(root() + f";W[31fehe]A[{index}]{alternatives})").plays
        assert plays.played[0] == 0.25


def test_play_that_no_alternative_leads_to_has_no_equity() -> None:
    plays = read(root() + f";W[31mjml]A[2]{scored(SPLIT, 0.5)}{scored(POINT, 0.25)})").plays
    assert math.isnan(plays.played[0])
    assert plays.legal[0] == 2


def test_one_alternative_is_a_forced_play_and_none_a_dance() -> None:
    text = root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)};B[66])"
    plays = read(text).plays
    assert plays.legal.tolist() == [1, 0]
    assert plays.moved.tolist() == [True, False]
    assert plays.analysed.tolist() == [True, True]  # a dance needs no analysis in a game that has one
    assert score(text).figures(BEN)["moves.forced"] == 1


def test_play_without_alternatives_is_not_analysed_and_its_choices_come_from_the_rules() -> None:
    computed = score(root() + f";W[31{POINT}];B[66])")
    assert not computed.match.plays.analysed.any()
    assert computed.figures(ANN)["moves.unforced"] == 1
    assert computed.figures(ANN)["pr"] is None


def test_positions_are_the_mover_s_own() -> None:
    plays = read(USUAL).plays
    assert tuple(plays.position[0]) == START
    after = list(START)
    for place, change in ((8, -1), (6, -1), (5, 2)):
        after[place] += change
    assert tuple(plays.position[1]) == swap(after)
    assert plays.play == [((8, 5), (6, 5)), ((8, 5), (6, 5))]


def test_bar_and_off_are_25_and_0() -> None:
    plays = read(root() + ";W[31yvaz];B[31ycxz])").plays
    assert plays.play == [((25, 22), (1, 0)), ((25, 22), (1, 0))]


def test_player_who_moves_twice_is_noted() -> None:
    match = read(root() + ANN_31 + ANN_31 + ")")
    assert codes(match) == ["damaged-value"]
    assert match.plays.turn.tolist() == [1, 2]


@pytest.mark.parametrize("node", ["W[71hefe]", "W[3]", "W[]", "W[trouble]", "W[00]", "W[take]"])
def test_node_that_is_no_roll_and_no_cube_action_is_passed_over_and_noted(node: str) -> None:
    match = read(root() + f";{node}" + BEN_31 + ")")
    assert codes(match) == ["damaged-value"]
    assert len(match.plays) == 1


@pytest.mark.parametrize(("stored", "known"), [("0.25", 0.25), ("", 0.0), ("-inf", None), ("nan", None), ("inf", None)])
def test_luck_that_is_no_number_was_not_computed(stored: str, known: float | None) -> None:
    (luck,) = read(root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)}LU[{stored}])").plays.luck.tolist()
    assert luck == known or (known is None and math.isnan(luck))


def test_luck_class_is_the_mark_s_and_seen_by_the_roller() -> None:
    marks = ["GW[1]", "GW[2]", "GB[1]", "GB[2]", ""]
    white = root() + "".join(f";W[31{POINT}]LU[0.1]{mark};B[31qtst]LU[0.1]{mark}" for mark in marks) + ")"
    assert read(white).plays.luck_mark.tolist() == [1, -1, 2, -2, -1, 1, -2, 2, 0, 0]


def test_roll_that_was_not_played_is_the_last_dice_node() -> None:
    plays = read(root() + ANN_31 + ";PL[B]DI[52])").plays
    assert plays.validity.tolist() == [Validity.VALID, Validity.UNPLAYED]
    assert plays.dice[1].tolist() == [5, 2]
    assert plays.player[1] == BEN
    played = read(root() + ";PL[W]DI[31]" + ANN_31 + ")").plays
    assert played.validity.tolist() == [Validity.VALID]


def test_candidates_tell_plays_chances_levels_and_which_was_made() -> None:
    first, second = read(USUAL).candidates(1)
    assert (first.play, first.equity, first.made) == (((24, 21), (6, 5)), 0.5, False)
    assert (second.play, second.equity, second.level, second.made) == (((8, 5), (6, 5)), 0.375, "2-ply cubeful", True)
    assert second.probabilities == (0.55, 0.2, 0.01, 0.1, 0.005)


# -- formats of analysis ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "alternative",
    [
        f"[{POINT} E ver 3 0.55 0.2 0.01 0.1 0.005 0.375 2C 0 1 0.000000 1]",
        f"[{POINT} E ver 2 0.55 0.2 0.01 0.1 0.005 0.375 2C 0 1 0.000000 1]",
        f"[{POINT} E 0.55 0.2 0.01 0.1 0.005 0.375 2C 0 1 0.000000]",
        f"[{POINT} X ver 3 Score 0.375 0.3 Trials 1296 Output 0.55 0.2 0.01 0.1 0.005 0.3 0.6 StdDev 1 1 1 1 1 1 1 SK 2 RC 2C]",
        f"[{POINT} R Score 0.375 0.3 Trials 36 Output 0.55 0.2 0.01 0.1 0.005 0.3 0.6]",
    ],
    ids=["ver 3", "ver 2", "no ver", "rollout", "old rollout"],
)
def test_alternative_reads_alike_in_every_version(alternative: str) -> None:
    match = read(root() + f";W[31{POINT}]A[0]{alternative})")
    assert match.plays.best.tolist() == [0.375]
    (candidate,) = match.candidates(0)
    assert candidate.equity == 0.375
    assert candidate.probabilities == (0.55, 0.2, 0.01, 0.1, 0.005)
    assert (candidate.level == "rollout") == (" X " in alternative or " R " in alternative)


SEVEN = "0.5 0.1 0.0 0.1 0.0 0.2"


@pytest.mark.parametrize(
    "analysis",
    [
        f"E ver 3 2C 1 0.000000 1 {SEVEN} 0.5625 {SEVEN} 0.625",
        f"E ver 2 2C 0 1 0.000000 1 {SEVEN} 0.5625 {SEVEN} 0.625",
        f"E 0 0 0 0 2C 0 1 0.000000 {SEVEN} 0.5625 {SEVEN} 0.625",
        f"X ver 3 Eq 0.1 Trials 36 NoDouble Output {SEVEN} 0.5625 StdDev 1 DoubleTake Output {SEVEN} 0.625 StdDev 1 SK 1",
        f"R Eq 0.1 Trials 36 NoDouble Output {SEVEN} 0.5625 StdDev 1 DoubleTake Output {SEVEN} 0.625",
    ],
    ids=["ver 3", "ver 2", "no ver", "rollout", "old rollout"],
)
def test_cube_analysis_reads_alike_in_every_version(analysis: str) -> None:
    cubes = read(root() + ANN_31 + f";B[31qtst]DA[{analysis}])").cubes
    assert (cubes.no_double.tolist(), cubes.double_take.tolist()) == ([0.5625], [0.625])
    assert np.isnan(cubes.double_pass).all()  # it comes from the match equity table


@pytest.mark.parametrize("analysis", ["", "Z 1 2 3", f"E ver 3 2C 1 0.000000 1 {SEVEN} nan {SEVEN} 0.5"])
def test_cube_without_a_readable_analysis_is_unknown_but_expected(analysis: str) -> None:
    cubes = read(root() + ANN_31 + f";B[31qtst]DA[{analysis}])").cubes
    assert (cubes.kind.tolist(), cubes.expected.tolist(), cubes.analysed.tolist()) == ([Kind.NO_DOUBLE], [True], [False])


@pytest.mark.parametrize(
    "node",
    [
        f"W[31{POINT}]A[0][{POINT} E ver 3 0.5 0.2]",
        f"W[31{POINT}]A[0]{scored(POINT, '0,25')}",
        f"W[31{POINT}]A[0]{scored(POINT, 'high')}",
        f"W[31{POINT}]LU[lucky]",
        f"W[31{POINT}]LU[1e39]",
        f"W[31{POINT}]A[0]{scored(POINT, '-1e300')}",
        f"W[31{POINT}]DA[E ver 3 2C 1 0.0 1 0.5]",
        f"W[31{POINT}]DA[X ver 3 NoDouble Output 1 2 3]",
    ],
)
def test_analysis_that_is_cut_or_no_number_is_refused_with_its_game(node: str) -> None:
    assert "game 1" in refused(root() + f";{node})")


HUGE = f"{10**400}.0"
"""Written like any number of gnuBG's, and infinite when read."""


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e999", pytest.param(HUGE, id="huge")])
@pytest.mark.parametrize("index", [0, 1])
def test_score_that_is_no_number_makes_a_play_unknown_and_not_perfect(number: str, index: int) -> None:
    alternatives = [scored(SPLIT, 0.25), scored(SPLIT, 0.25)]
    alternatives[index] = scored(POINT, number)
    computed = score(root() + f";W[31{POINT}]A[{index}]{''.join(alternatives)})")
    assert computed.match.plays.analysed.tolist() == [False]
    assert computed.figures(ANN)["decisions.counted"] == 0
    assert computed.figures(ANN)["pr"] is None


# -- cubes ------------------------------------------------------------------------------------------------------------


def test_no_double_is_a_row_of_every_turn_with_access_but_the_first() -> None:
    text = root() + ANN_31 + BEN_31.replace("]A[", f"]{cube(0.5, 0.375)}A[") + ANN_31 + ")"
    cubes = read(text).cubes
    assert cubes.player.tolist() == [BEN, ANN]
    assert cubes.turn.tolist() == [2, 3]
    assert cubes.analysed.tolist() == [True, False]
    assert score(text).completeness(ANN)["cube"] == (1, 0)


@pytest.mark.parametrize("number", ["inf", pytest.param(HUGE, id="huge")])
def test_value_of_a_cube_that_is_no_number_was_not_computed(number: str) -> None:
    text = root() + ANN_31 + BEN_31.replace("]A[", f"]{cube(0.5, 0.375).replace('0.375', number)}A[") + ")"
    assert number in text
    assert read(text).cubes.analysed.tolist() == [False]


def test_double_and_answer_share_the_analysis_and_move_the_cube() -> None:
    text = root() + ANN_31 + f";B[double]{cube(0.5, 0.625)};W[take]" + BEN_31 + ANN_31 + ")"
    match = read(text)
    cubes = match.cubes
    assert cubes.kind.tolist() == [Kind.DOUBLE, Kind.NO_DOUBLE, Kind.TAKE]
    assert cubes.player.tolist() == [BEN, ANN, ANN]
    assert cubes.turn.tolist() == [2, 3, 2]
    assert cubes.double_take.tolist()[::2] == [0.625, 0.625]
    assert match.plays.cube.tolist() == [1, 2, 2]
    assert match.plays.owner.tolist() == [0, -1, 1]
    assert tuple(cubes.position[2]) == swap(cubes.position[0])


def test_answer_keeps_the_analysis_it_carries_itself() -> None:
    cubes = read(root() + ANN_31 + f";B[double]{cube(0.5, 0.625)};W[drop]{cube(0.5, 0.75)})").cubes
    assert cubes.kind.tolist() == [Kind.DOUBLE, Kind.PASS]
    assert cubes.double_take.tolist() == [0.625, 0.75]


def test_beaver_turns_the_cube_twice_and_is_owned_by_the_player_who_beavered() -> None:
    match = read(root(length=0, rules="") + ANN_31 + f";B[double]{cube(0.5, -0.25)};W[double];B[take]" + BEN_31 + ANN_31 + ")")
    cubes = match.cubes
    assert [Kind(kind).label for kind in cubes.kind] == ["double", "no-double", "beaver", "take"]
    assert cubes.player.tolist() == [BEN, ANN, ANN, BEN]
    assert cubes.answers_beaver.tolist() == [False, False, False, True]
    assert match.plays.cube.tolist() == [1, 4, 4]
    assert match.plays.owner.tolist() == [0, -1, 1]
    assert cubes.access.tolist()[1]
    assert not cubes.recount_access.tolist()[1]  # gnuBG's recount takes the doubler for the owner


def test_double_left_unanswered_is_noted_when_play_goes_on() -> None:
    assert codes(read(root() + ANN_31 + ";B[double]" + BEN_31 + ")")) == ["damaged-value"]


@pytest.mark.parametrize(("written", "value"), [("2", 2), ("4096", 4096), ("8192", 1), ("3", 1), ("0", 1), ("-2", 1), ("x", 1)])
def test_cube_of_the_root_is_a_power_of_two_up_to_4096(written: str, value: int) -> None:
    assert read(root(length=0, more=f"CV[{written}]") + ANN_31 + ")").plays.cube.tolist() == [value]


def test_match_without_a_cube_has_no_cube_decisions() -> None:
    match = read(root(rules="Crawford:NoCube") + ANN_31 + BEN_31.replace("]A[", f"]{cube(0.5, 0.375)}A[") + ")")
    assert len(match.cubes) == 0
    assert not match.rules.cube


def test_set_up_nodes_place_checkers_cube_and_owner() -> None:
    match = read(root(length=7) + "\n;PL[B]AE[a:y]AW[a][a][h:j]AB[x][x][m]\n;CV[2]\n;CP[b]\n;PL[B]DI[31]\n;B[31lomp])")
    (position,) = match.plays.position.tolist()
    mine = {place: count for place, count in enumerate(position) if count > 0}
    theirs = {25 - place: -count for place, count in enumerate(position) if count < 0}
    assert mine == {1: 2, 12: 1}
    assert theirs == {1: 2, 8: 1, 9: 1, 10: 1}
    assert (match.plays.cube.tolist(), match.plays.owner.tolist()) == ([2], [1])
    assert match.cubes.kind.tolist() == [Kind.NO_DOUBLE]  # access on the first turn, as nobody started from the opening


def test_more_checkers_than_there_are_cannot_be_set_up() -> None:
    assert "15 checkers" in refused(root() + ";AW" + "[a]" * 1000 + ";W[31hefe])")


BROKEN_ALTERNATIVES = (
    *(("0.55", "x"), ("0.2 ", "0.2: "), ("0.01", "0.0_1"), ("0.1 ", "--1 "), ("0.005", "0.005!"), ("ver 3", "ver ;"), ("ver 3", "vur 3")),
    *(("ver 3 0.55", "ver 3(0.55"), ("E ver", "E`ver"), (f"[{POINT}", f"[{POINT * 3}"), (f"[{POINT} E", "[E")),
)


@pytest.mark.parametrize(("sound", "broken"), BROKEN_ALTERNATIVES)
def test_alternative_with_anything_broken_before_its_score_is_refused(sound: str, broken: str) -> None:
    # gnuBG reads number by number and takes 0 from the first that is none.
    whole = root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)})"
    assert read(whole).plays.best.tolist() == [0.5]
    assert "damaged analysis: game 1, turn 1" in refused(whole.replace(sound, broken))


BROKEN_CUBES = (
    *(
        ("0.5 0.1", "0.5? 0.1"),
        (" 0.0 0.5 ", " --1 0.5 "),
        ("2C", "2`"),
        ("2C", "-1C"),
        ("2C 1 ", "2C 1e3 "),
        ("0.000000 1 ", "0x000000 1 "),
    ),
    *(("0.000000 1 ", "0.000000 1.5 "), ("ver 3", "ver 9x"), ("E ver", "E`ver"), ("ver 3", "ver 1"), (" 0.25]", "]"), ("2C", "C")),
)


@pytest.mark.parametrize(("sound", "broken"), BROKEN_CUBES)
def test_cube_analysis_with_anything_broken_is_refused(sound: str, broken: str) -> None:
    whole = root() + ANN_31 + BEN_31.replace("]A[", f"]{cube(0.5, 0.25)}A[") + ")"
    assert read(whole).cubes.no_double.tolist() == [0.5]
    broken_cube = cube(0.5, 0.25).replace(sound, broken, 1)
    assert broken_cube != cube(0.5, 0.25)
    assert "damaged analysis: game 1, turn 2" in refused(whole.replace(cube(0.5, 0.25), broken_cube))


def test_alternatives_without_the_number_of_the_play_made_are_refused() -> None:
    whole = root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)})"
    assert "number of the play made" in refused(whole.replace("A[0]", f"A{scored(SPLIT, 0.5)}[0]"))


def test_numbers_that_only_candidates_need_are_refused_when_they_are_read() -> None:
    match = read(root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)}{scored(SPLIT, 0.25).replace('0.55', 'x')})")
    with pytest.raises(UnreadableFile, match="game 1"):
        match.candidates(0)
    match = read(root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)}{scored(SPLIT, 'x')})")
    with pytest.raises(UnreadableFile, match="game 1"):
        statistics(match, "xg")


@pytest.mark.parametrize("play", ["31cbba", "31efgh", "51xsfe"], ids=["no checker", "backwards", "made point"])
def test_play_that_cannot_be_made_is_found(play: str) -> None:
    """White's checkers are on his points 6, 8, 13 and 24: f, h, m and x; s is Black's 6-point."""
    (finding,) = [one for one in findings_of(score(root() + f";W[{play}]" + BEN_31 + ")")) if one.code == "illegal-play"]
    assert finding.evidence == f"game 1: W[{play[:10]}] cannot be made on the board before it"
    assert "illegal-play" not in [one.code for one in findings_of(score(USUAL))]


def test_play_ends_with_its_fourth_step() -> None:
    endless = read(root() + f";W[22{'hf' * 16}]" + BEN_31 + ")")
    assert endless.plays.play[0] == read(root() + f";W[22{'hf' * 4}]" + BEN_31 + ")").plays.play[0]
    assert len(endless.plays.play[0]) == 4


def test_resignation_is_a_row_for_either_player() -> None:
    match = read(root(more="RE[B+2R]") + ANN_31 + ")")
    assert (match.resignations.kind.tolist(), match.resignations.player.tolist()) == ([Kind.RESIGN, Kind.ACCEPT_RESIGN], [ANN, BEN])
    assert np.isnan(match.resignations.stored_error).all()


# -- files made with gnuBG --------------------------------------------------------------------------------------------

REFUSED = {
    "empty": "empty",
    "r22_empty_file": "empty",
    "r01_trunc_mid_value": "truncated",
    "r02_trunc_at_node_no_paren": "truncated",
    "r46_trunc_in_second_game": "truncated",
    "trunc_50pct": "truncated",
    "trunc_last_paren": "truncated",
    "r31_variations": "no closing parenthesis",  # a variation is opened and never closed
    "r43_concat_same_file_twice": "twice",
    "r44_comma_decimals": "expected a number",
    "r16_DA_truncated_numbers": "expected 21 numbers",
    "r23_text_only": "expected",
}
SAME_AS_TEST = ("bom", "bracket_in_comment", "latin1_names", "no_GS")
SAME_AS_M02 = (
    "r04_no_GS",
    "r05_GS_garbage",
    "r10_garbage_before",
    "r11_BOM",
    "r13_A_index_99",
    "r19_take_without_double",
    "r20_game_number_99",
    "r26_long_utf8_name",
    "r28_A_old_format_nover",
    "r29_DA_old_format_nover",
    "r37_cube_8192",
    "r40_RE_inconsistent",
    "r47_proper_variations",
)


@pytest.mark.parametrize("path", cases("damaged/*.sgf"))
def test_damaged_file_is_refused_for_what_is_wrong_or_read(path: Path) -> None:
    if path.stem in REFUSED:
        with pytest.raises(UnreadableFile, match=REFUSED[path.stem]):
            load_match(path)
    else:
        assert len(load_match(path).plays) > 0


@pytest.mark.parametrize(
    ("name", "origin"),
    [(name, "real/test.sgf") for name in SAME_AS_TEST] + [(name, "gnubg/m02_3pt_0ply.sgf") for name in SAME_AS_M02],
)
def test_oddity_that_gnubg_shrugs_off_changes_no_figure(data: Path, name: str, origin: str) -> None:
    odd, plain = statistics(load_match(data / "damaged" / f"{name}.sgf")), statistics(load_match(data / origin))
    for seat in (ANN, BEN):
        assert odd.figures(seat) == plain.figures(seat)


@pytest.mark.parametrize(
    ("name", "notes"),
    [
        ("r17_dice_71", ["damaged-value", "damaged-value"]),
        ("r19_take_without_double", ["damaged-value"]),
        ("r20_game_number_99", ["games-missing"]),
        ("r25_second_game_only", ["games-missing"]),
    ],
)
def test_oddity_is_noted(data: Path, name: str, notes: list[str]) -> None:
    assert codes(load_match(data / "damaged" / f"{name}.sgf")) == notes


def test_swapped_players_swap_seats_and_nothing_else(data: Path) -> None:
    match = load_match(data / "damaged" / "swapped_players.sgf")
    assert match.players == load_match(data / "real" / "test.sgf").players[::-1]


@pytest.mark.parametrize("damage", [lambda c: c[:-2], lambda c: c.replace(b"]", b"", 1), lambda c: c[: len(c) // 3]])
@pytest.mark.parametrize("path", cases("gnubg/m59*.sgf", "gnubg/m53*.sgf"))
def test_real_file_that_lost_something_is_refused(path: Path, damage: Callable[[bytes], bytes]) -> None:
    with pytest.raises(UnreadableFile):
        read_match(path.name, damage(path.read_bytes()))


def test_game_without_match_information_is_refused_as_its_values_have_no_unit() -> None:
    with pytest.raises(UnreadableFile, match="match information MI"):
        read_sgf("bare.sgf", b"(;FF[4]GM[6]PW[Ann]PB[Ben];W[31hefe]LU[0.1])")
