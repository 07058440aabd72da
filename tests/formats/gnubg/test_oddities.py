"""Nodes that gnuBG reads and never writes: each is noted, since gnuBG's figures may be others.

What gnuBG 1.07.001 makes of them is seen where it is installed: it counts the files of
`tests/damaged`.
"""

from __future__ import annotations

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import read_match
from reconcile.match.columns import Kind
from tests.support.claims import some
from tests.support.small_files import USUAL
from tests.support.small_sgf import (
    ANN,
    ANN_31,
    BEN_31,
    POINT,
    codes,
    cube,
    read,
    refused,
    root,
    score,
    scored,
)

ANN_42 = f"\n;W[42hdfd]{cube(0.52, 0.47)}A[0]{scored('hdfd', 0.125)}{scored('mimk', 0.1)}LU[0.05]"
GAME = root(more="RE[W+1]") + ANN_31 + BEN_31
DOUBLE, TAKE, PASS = (
    f"\n;{action}{cube(0.6, 0.7)}" for action in ("W[double]", "B[take]", "B[drop]")
)


def damaged(text: str) -> list[str]:
    return [note.evidence for note in read(text).notes if note.code == "damaged-value"]


IN_A_PLAY = (
    "the dice, the cube or the position set in the node of a play or cube action, which gnuBG may "
    "leave out"
)
DICE = (
    "dice that are incomplete or set together with a position, of which gnuBG reads one or neither"
)
RESULT = "a result that is not written as W+1 or B+2R"
LARGEST, AFTER_THE_END = (
    "a double of the largest cube, which gnuBG leaves as it is",
    "a play or cube action after the end of the game",
)
INFINITE, DEAD = (
    "luck without a finite number was skipped",
    "the analysis of a dead cube, which gnuBG counts",
)
LONG, SHORT = root(length=64), root(length=2) + ANN_31 + BEN_31 + DOUBLE + TAKE
NOTED: dict[str, tuple[str, tuple[str, ...]]] = {
    "sound": (GAME + ANN_42, ()),
    **{
        f"{node} before a play": (GAME + ANN_42.replace(";W", f";{node}W"), (IN_A_PLAY,))
        for node in ("DI[66]", "CV[2]", "CP[w]", "AE[m]")
    },
    **{
        f"{node} behind a play": (GAME + ANN_42 + node, (IN_A_PLAY,))
        for node in ("DI[66]", "CV[2]", "CP[w]", "AE[m]")
    },
    **{f"dice {node}": (f"{GAME}\n;{node}", (DICE,)) for node in ("DI[6]", "DI[]", "DI[66]AE[m]")},
    **{
        f"{node} alone": (f"{GAME}\n;{node}", ())
        for node in ("DI[66]", "CV[2]", "CP[w]", "PL[W]", "AE[m]", "C[a word]")
    },
    **{
        f"result {result}": (root(more=f"RE[{result}]") + ANN_31, ())
        for result in ("W+1", "B+12R", "0", "")
    },
    **{
        f"odd result {result}": (root(more=f"RE[{result}]") + ANN_31, (RESULT,))
        for result in ("b+1", "W3", "W", "B+1r", "W+ 2")
    },
    "pass": (GAME + DOUBLE + PASS, ()),
    "play after a pass": (GAME + DOUBLE + PASS + ANN_42, (AFTER_THE_END,)),
    "take": (GAME + DOUBLE + TAKE, ()),
    "take of the player who doubled": (
        GAME + DOUBLE + TAKE.replace(";B", ";W"),
        ("a take of the player who doubled",),
    ),
    "double to the largest cube": (f"{LONG}\n;CV[2048]{ANN_31}{BEN_31}{DOUBLE}{TAKE}", ()),
    "double of the largest cube": (f"{LONG}\n;CV[4096]{ANN_31}{BEN_31}{DOUBLE}{TAKE}", (LARGEST,)),
    **{
        f"luck {one}": (root() + ANN_31.replace("LU[0.1]", f"LU[{one}]"), (INFINITE,))
        for one in ("inf", "Infinity")
    },
    **{
        f"luck {one}": (root() + ANN_31.replace("LU[0.1]", f"LU[{one}]"), ())
        for one in ("-inf", "nan", "", "0.5")
    },
    "dead cube": (SHORT + ANN_42.replace(cube(0.52, 0.47), ""), ()),
    "analysis of a dead cube": (SHORT + ANN_42, (DEAD,)),
    "position set up before an answer": (
        f"{GAME}{DOUBLE}\n;AE[m]{TAKE}",
        ("a double without an answer", "a take without a double"),
    ),
}
"""Games without their last parenthesis, and what is noted of each."""


@pytest.mark.parametrize(("text", "notes"), NOTED.values(), ids=NOTED)
def test_what_gnubg_reads_and_never_writes_is_noted(text: str, notes: tuple[str, ...]) -> None:
    assert damaged(text + ")") == [f"game 1: {note}" for note in notes]


def test_zero_bytes_are_noted() -> None:
    assert damaged(f"{root()}{ANN_31}C[a\0b])") == [
        "bytes that are zero, which gnuBG leaves out of values"
    ]


@pytest.mark.parametrize(
    "node",
    [f"{before}{checkers}" for before in ("W[42hdfd]", "") for checkers in ("AB[b]", "AW[b]")],
)
def test_checkers_beyond_fifteen_are_refused_wherever_they_are_set(node: str) -> None:
    assert "expected at most 15 checkers" in refused(f"{GAME}\n;{node})")


IN_THE_ROOT = (
    "game 1: a play, a cube action or a position in the root of the game, where gnuBG reads none"
)


def test_play_in_the_root_is_no_play_of_the_game() -> None:
    text = root().rstrip() + ANN_31.replace("\n;", "") + BEN_31 + ")"
    assert read(text).plays.player.tolist() == [1]
    assert damaged(text) == [IN_THE_ROOT]


@pytest.mark.parametrize("more", ["CP[w]", "AE[m]", "DI[66]"])
def test_position_in_the_root_is_no_position_of_the_game(more: str) -> None:
    text = f"{root(more=more)}{ANN_31})"
    assert damaged(text) == [IN_THE_ROOT]
    match, plain = (read(each).plays for each in (text, f"{root()}{ANN_31})"))
    assert (match.owner.tolist(), match.position.tolist()) == ([0], plain.position.tolist())


def test_what_follows_the_last_checker_is_noted() -> None:
    off = "".join(
        f"\n;W[66{step}]\n;B[66]" for step in ("fzfzfzfz", "fzhzhzhz", "mzmzmzmz", "mzxzxz")
    )
    assert "game 1: a play or cube action after the end of the game" not in damaged(
        root() + off.removesuffix("\n;B[66]") + ")"
    )
    assert "game 1: a play or cube action after the end of the game" in damaged(root() + off + ")")


def test_analysis_of_a_beaver_is_also_that_of_its_double() -> None:
    text = root(length=0) + ANN_31 + BEN_31 + DOUBLE + f"\n;B[double]{cube(0.7, 0.9)}\n;W[drop])"
    cubes = read(text).cubes
    assert [kind.value for kind in (Kind.DOUBLE, Kind.BEAVER, Kind.PASS)] == cubes.kind.tolist()[
        -3:
    ]
    assert cubes.double_take[cubes.kind == Kind.DOUBLE.value].tolist() == pytest.approx([0.9])
    assert cubes.double_take[cubes.kind == Kind.PASS.value].tolist() == pytest.approx([0.9])


def test_match_without_a_cube_counts_no_double_that_was_made() -> None:
    assert (
        score(root(rules="NoCube") + ANN_31 + BEN_31 + DOUBLE + PASS + ")").figures(ANN)[
            "decisions.double"
        ]
        == 0
    )


def test_rollout_that_does_not_begin_its_property_is_no_analysis() -> None:
    rollout = (
        "X ver 3 Eq 0 Trials 1 NoDouble Output 0 0 0 0 0 0 0.6 DoubleTake Output 0 0 0 0 0 0 0.7"
    )
    assert read(f"{GAME}\n;W[42hdfd]DA[{rollout}])").cubes.analysed.tolist() == [False, True]
    assert read(f"{GAME}\n;W[42hdfd]DA[\n{rollout}])").cubes.analysed.tolist() == [False, False]


def test_value_belongs_to_the_first_half_of_a_property_cut_in_two() -> None:
    text = f"{root()}\n;W[31{POINT}]A[0]{scored(POINT, 0.25)}L5u{scored('xufe', 0.4)})"
    assert read(text).plays.legal.tolist() == [1]


@pytest.mark.parametrize(
    ("game", "read_as_backgammon"),
    [("6", True), ("06", True), (" 6", True), ("6 ", True), ("66", False), ("1", False)],
)
def test_number_of_the_game_is_read_as_c_reads_it(game: str, read_as_backgammon: bool) -> None:
    text = f"{root()}{ANN_31}){root(number=1).replace('GM[6]', f'GM[{game}]')}{BEN_31})"
    assert len(read(text).games) == 1 + read_as_backgammon


def test_play_of_one_letter_moves_nothing() -> None:
    plays = read(f"{root()}\n;W[31h])").plays
    assert (plays.moved.tolist(), plays.legal.tolist()) == ([False], [0])


def test_score_of_a_rollout_stands_behind_a_blank() -> None:
    text = (
        f"{root()}\n;W[31{POINT}]A[0][{POINT} X ver 3 Score 0.25 0.1 Trials 1][xufe X ver 3 Score "
        "0.1 0.1 Trials 1])"
    )
    assert read(text).plays.best.tolist() == [0.25]
    assert "damaged analysis" in refused(text.replace("Score 0.25", "Score0.25"))


@pytest.mark.parametrize(
    ("loser", "rules", "cube_node", "points"),
    [
        ("g", "Crawford", "", 2),
        ("f", "Crawford", "", 3),
        ("g", "Jacoby", "", 1),
        ("g", "Jacoby", "\n;CV[2]\n;CP[w]", 4),
    ],
)
def test_last_checker_off_overrules_the_result_of_the_root(
    loser: str, rules: str, cube_node: str, points: int
) -> None:
    start = root(length=0 if rules == "Jacoby" else 7, rules=rules, more="RE[B+1R]")
    games = read(f"{start}\n;AE[a:y]AW[a]AB{f'[{loser}]' * 15}{cube_node}\n;W[21az])").games
    assert (games.winner.tolist(), games.points.tolist(), games.resigned.tolist()) == (
        [ANN],
        [points],
        [False],
    )


def test_resignation_is_worth_a_backgammon_at_most() -> None:
    assert read(f"{root(length=25, more='RE[B+9R]')}{ANN_31})").games.points.tolist() == [3]


def test_only_the_first_variation_is_followed() -> None:
    branched = (
        root() + ANN_31 + "(" + BEN_31 + "(;W[52mhmk](;B[66]))(;W[66]))(;B[66];W[66])(;B[55]))"
    )
    plays = read(branched).plays
    assert plays.dice.tolist() == [[3, 1], [3, 1], [5, 2], [6, 6]]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("CA[UTF-8]", "CA()[UTF-8]"),
        ("\n;B", "\n(((;B"),
        ("\n;B", "\n()\n;B"),
        ("LU[-0.2]", "LUX[-0.2]"),
        ("FF[4]", "FF[4](PC[x])"),
    ],
)
def test_mark_in_a_place_without_one_is_noted(before: str, after: str) -> None:
    """gnuBG's parser reports a syntax error, and where it resumes may be elsewhere."""
    assert "damaged-value" in codes(
        read(USUAL.replace(before, after, 1) + ")" * (3 * after.count("(((")))
    )
    assert codes(read(USUAL)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("LU[0.1]", "LU][0.1]"),
        ("A[1]", "A[1]]"),
        ("GW[1]", "]GW[1]"),
        ("(;FF", "FF;)x(;FF"),
        (";B", ";B;B"),
    ],
)
def test_what_gnubg_skips_is_skipped(before: str, after: str) -> None:
    odd, plain = read(USUAL.replace(before, after, 1)), read(USUAL)
    assert codes(odd) == []
    assert [candidate.plays.luck.tolist() for candidate in (odd, plain)] == [
        plain.plays.luck.tolist()
    ] * 2
    assert odd.candidates(1) == plain.candidates(1)


def test_every_prefix_is_refused_or_read_without_another_fault() -> None:
    two = USUAL + root(1, score=(1, 0)) + BEN_31 + ")"
    for end in some(range(len(two))):
        try:
            match = read(two[:end])
        except UnreadableFile:
            continue
        assert len(match.games) == 1
        assert end >= len(USUAL)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_games_without_match_information_are_those_of_a_money_session(encoding: str) -> None:
    games = "(;FF[4]GM[6]PW[Ann]PB[Ben]RE[W+1];W[31hefe])(;GM[6]PW[Ann]PB[Ben];B[31qtst])"
    match = read_match("script.sgf", games.encode(encoding))
    assert (match.length, match.games.number.tolist()) == (None, [1, 2])
    assert [(note.code, note.evidence) for note in match.notes] == [
        ("no-match-information", "2 of 2 games")
    ]


@pytest.mark.parametrize(
    ("result", "actions", "points"),
    [
        ("W+1004R", "", 3),
        ("W+9", "", 3),
        ("W+9R", DOUBLE + TAKE, 6),
        ("W+2", DOUBLE + PASS, 1),
    ],
)
def test_points_are_at_most_what_cube_and_board_allow(
    result: str, actions: str, points: int
) -> None:
    match = read(root(length=7, more=f"RE[{result}]") + ANN_31 + BEN_31 + actions + ")")
    assert match.games.points.tolist() == [points]
    assert codes(match) == ["impossible-result"]
