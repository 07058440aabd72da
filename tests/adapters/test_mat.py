"""Transcripts as gnuBG, XG and playing sites write them, alone and beside the same match from another file."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reconcile.adapters import load_match, read_match
from reconcile.adapters.mat import looks_like_transcript
from reconcile.adapters.mat.lines import read_lines
from reconcile.adapters.mat.reader import TranscriptReader
from reconcile.board.play import apply_play
from reconcile.columns import Kind, Validity
from reconcile.errors import ReconcileError, UnreadableFile
from reconcile.match import Match
from tests.support import data as real

GNUBG = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")

SHORT = """\
; [Event "Club evening"]
; [Crawford "On"]

3 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 51: 13/7                     Doubles => 2
  3)  Takes                      52: 14/7
  4)  Doubles => 4                Drops
      Wins 2 points

 Game 2
 Ann : 2                        Ben : 0
  1)                             62: 24/18 13/11
  2) 65: ????                     Wins 1 point
"""

MONEY = """\
; [Variation "Backgammon"]
; [Jacoby "On"]
; [Beaver "On"]

0 point match

Game 1
Ann : 0                              Ben : 0
 1) 31: 8/5 6/5                      15: 24/23 13/8
 2)  Doubles => 2                     Beavers => 4
 3) 51: 13/8 6/5                     64: 24/14
 4) 42:
"""


def read(text: str) -> Match:
    return read_match("evening.mat", text.encode())


def cube_rows(match: Match) -> list[tuple[Any, ...]]:
    cubes = match.cubes
    columns = (cubes.game, cubes.turn, cubes.player, cubes.kind, cubes.cube, cubes.owner)
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


def results(match: Match) -> list[tuple[Any, ...]]:
    """Every roll that was played: where it stands, its dice, the position before and after it."""
    plays = match.plays
    rows = []
    for row in range(len(plays)):
        if plays.validity[row] == Validity.UNPLAYED:
            continue
        before = tuple(plays.position[row].tolist())
        place = (int(plays.game[row]), int(plays.turn[row]), int(plays.player[row]))
        stake = (int(plays.cube[row]), int(plays.owner[row]))
        rows.append((*place, tuple(sorted(plays.dice[row].tolist())), stake, before, apply_play(before, plays.play[row])))
    return rows


def game_rows(match: Match) -> list[tuple[Any, ...]]:
    games = match.games
    columns = (games.number, games.score, games.crawford, games.winner, games.points, games.resigned)
    return [tuple(map(str, row)) for row in zip(*(column.tolist() for column in columns), strict=True)]


def same_match(one: Match, other: Match, cubes: Callable[[Match], list[tuple[Any, ...]]] = cube_rows) -> None:
    assert results(one) == results(other)
    assert game_rows(one) == game_rows(other)
    assert cubes(one) == cubes(other)
    assert (one.length, one.complete, one.rules.variation) == (other.length, other.complete, other.rules.variation)


# -- a match by hand -----------------------------------------------------------------------------------------------------


def test_match_is_told_by_its_lines() -> None:
    match = read(SHORT)
    assert (match.source.format, match.source.tool, match.event) == ("mat", "transcript", "Club evening")
    assert (match.players, match.length, match.complete) == (("Ann", "Ben"), 3, False)
    assert match.games.score.tolist() == [[0, 0], [2, 0]]
    assert match.games.winner.tolist() == [0, 1]
    assert match.games.points.tolist() == [2, 1]
    assert match.games.crawford.tolist() == [False, True]
    assert not match.notes


def test_nothing_counts_as_analysed() -> None:
    match = read(SHORT)
    assert not match.plays.analysed.any()
    assert not match.cubes.analysed.any()
    for name in ("best", "played", "stored_error", "luck"):
        assert (getattr(match.plays, name) != getattr(match.plays, name)).all()


def test_turns_without_a_double_are_decisions_where_a_double_was_allowed() -> None:
    match = read(SHORT)
    kinds = [(turn, player, Kind(kind).label, cube, owner) for _, turn, player, kind, cube, owner in cube_rows(match)]
    assert kinds == [
        (2, 1, "no-double", 1, 0),
        (3, 0, "no-double", 1, 0),
        (4, 0, "take", 1, 0),
        (4, 1, "double", 1, 0),
        (5, 0, "double", 2, 1),
        (5, 1, "pass", 2, 1),
    ]


def test_unplayed_roll_and_resignation() -> None:
    match = read(SHORT)
    assert match.plays.validity.tolist()[-1] == Validity.UNPLAYED
    assert match.games.resigned.tolist() == [False, True]
    assert [(Kind(kind).label, player) for kind, player in zip(match.resignations.kind, match.resignations.player, strict=True)] == [
        ("resign", 0),
        ("accept-resign", 1),
    ]


def test_money_session_with_a_beaver() -> None:
    match = read(MONEY)
    assert (match.length, match.rules.jacoby, match.rules.beavers, match.complete) == (None, True, True, False)
    labels = [Kind(kind).label for _, turn, _, kind, _, _ in cube_rows(match) if turn == 3]
    assert sorted(labels) == ["beaver", "double", "take"]
    assert match.plays.cube.tolist() == [1, 1, 4, 4, 4]
    assert match.plays.owner.tolist() == [0, 0, -1, 1, -1]
    assert match.plays.validity.tolist()[-1] == Validity.UNPLAYED


def test_play_against_the_dice_is_marked_and_noted() -> None:
    match = read(SHORT.replace("51: 13/7 ", "51: 13/6 "))
    assert match.plays.validity.tolist() == [0, 0, Validity.ILLEGAL, 0, 0, Validity.UNPLAYED]
    assert [(note.code, note.evidence) for note in match.notes] == [("illegal-play", "game 1, turn 3 (line 9): 51 does not allow '13/6'")]


def test_dance_where_a_play_was_possible_is_illegal() -> None:
    match = read(SHORT.replace("51: 13/7 ", "51:      "))
    assert match.plays.validity.tolist()[2] == Validity.ILLEGAL


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("3 point match", "99 point match", "line 4: expected a match of at most 64 points, found 99"),
        (" Ann : 0  ", " Ann 0  ", "line 7: expected the players and the score of game 1"),
        ("51: 13/7", "71: 13/7", "line 9: expected dice from 11 to 66, found 71"),
        (" Takes", " Thinks", "line 10: expected"),
        (" Takes", "Takes 52: 8/1 ", "line 10: expected one entry for each player"),
        (" Game 2", " Game 1", "line 14: expected every game once, found game 1 twice"),
        (" Ann : 2", " Ann : 3", "line 15: expected scores below the match length of 3"),
        (" Ann : 2", " Eve : 2", "line 15: expected the players of the first game"),
        (" Game 2\n", " Game 2\n 3 point match\n", "line 15: expected the players and the score of game 2"),
        ("      Wins 2 points\n", "      Wins 2 points\n\n 3 point match\n", "line 14: expected one match"),
        ("      Wins 2 points\n", "      Wins 2 points\n  9) 11: 6/5\n", "line 13: expected the end of game 1 after its result"),
        ("; [Crawford", '; [Variation "Tavli"]\n; [Crawford', "expected one of the variations"),
        ("  2) 51", "  2) " + 1000 * " " + "51", "line 9: expected at most 1000 characters"),
    ],
)
def test_what_cannot_be_understood_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    with pytest.raises(UnreadableFile) as refused:
        read(SHORT.replace(old, new, 1))
    text = str(refused.value)
    assert message in text
    assert text.startswith("evening.mat: ")
    assert text.count("\n") == 0
    assert "; " in text


@pytest.mark.parametrize(
    ("old", "new", "evidence"),
    [
        ("  3)  Takes                      ", "  3)                             ", "a roll while a double waits for its answer"),
        ("  2) 51: 13/7                   ", "  2)                            ", "the same player twice in a row"),
        ("Doubles => 4", "Doubles => 8", "the cube goes to 8, but it stood at 2"),
        ("  2) 51: 13/7 ", "  2) 51: ???? ", "the play is not written"),
        ("Ann : 2", "Ann : 1", "1 points won after the score, but 2 are written"),
        ("\n\n Game 2", "\n analysed by nobody\n\n Game 2", "line 13: not understood"),
    ],
)
def test_what_cannot_have_been_is_noted(old: str, new: str, evidence: str) -> None:
    notes = read(SHORT.replace(old, new, 1)).notes
    assert any(note.code == "damaged-value" and evidence in note.evidence for note in notes), notes


def test_missing_games_are_noted() -> None:
    assert [note.code for note in read(SHORT.replace("Game 2", "Game 4")).notes] == ["games-missing"]


def test_recognised_by_content_only() -> None:
    assert looks_like_transcript(SHORT.encode())
    assert looks_like_transcript(("\ufeff" + SHORT).encode())
    assert looks_like_transcript(MONEY.replace("\n", "\r\n").encode())
    assert looks_like_transcript(MONEY.replace("0 point match", "Money session").encode())
    assert not looks_like_transcript(b"7 point match\n")
    assert not looks_like_transcript(b"Game 1\n")
    assert not looks_like_transcript(bytes(range(256)) * 8)


def test_names_in_an_old_encoding() -> None:
    match = read_match("evening.mat", SHORT.replace("Ann", "Zoë").encode("cp1252"))
    assert match.players == ("Zoë", "Ben")


def test_ways_of_writing_one_play() -> None:
    """A site writes every step, XG draws steps together, gnuBG's notation has numbers for bar and off."""
    written = ("22: 24/20 13/11(2)", "22: 24/22 22/20 13/11 13/11", "22: 24/22/20 13/11(2)", "22: 13/11 13/11 24/20")
    plays = [read(SHORT.replace("31: 8/5 6/5", text)).plays for text in written]
    assert len({apply_play(play.position[0], play.play[0]) for play in plays}) == 1
    assert {int(play.validity[0]) for play in plays} == {Validity.VALID}


def test_large_transcript_is_read_up_to_a_limit() -> None:
    games = "".join(SHORT[SHORT.index(" Game 1") : SHORT.index(" Game 2")].replace("Game 1", f"Game {number}") for number in range(1, 1001))
    content = ("0 point match\n" + games).encode()
    assert len(read_match("long.mat", content).games) == 1000
    with pytest.raises(UnreadableFile, match="at most 10000 rolls and cube actions"):
        read_match("long.mat", content + b" Game 2001\n Ann : 0  Ben : 0\n" + b" 11:  11:\n" * 5_000)
    with pytest.raises(UnreadableFile, match="at most 1024 kB"):
        read_match("long.mat", content + b" " * 2**20)
    with pytest.raises(UnreadableFile, match="at most 50000 lines, found 58"):
        read_match("long.mat", content + b"\nq" * 50_000)


def test_rolls_are_checked_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every roll is a double that could be played in dozens of ways, and what is written is none of them.
    rolls = "".join(f"{turn}) 11: 24/20(2) 22: 24/16(2)\n" for turn in range(1, 501))
    game = "7 point match\n Game 1\n Ann : 0   Ben : 0\n"
    assert len(read(game + rolls).plays) == 1000
    with pytest.raises(UnreadableFile, match=r"line 504: expected plays of backgammon, found more than 1000 .* another variation"):
        read(game + rolls + rolls)
    monkeypatch.setattr("reconcile.adapters.mat.game.MOST_SEQUENCES", 1000)
    with pytest.raises(UnreadableFile, match=r"line \d\d: expected at most 1000 ways to play all rolls up to here, found more"):
        read(game + rolls)


@pytest.mark.parametrize("path", real.cases("real/*.mat"))
def test_checking_a_real_play_takes_few_tries(path: Path) -> None:
    content = path.read_bytes()
    reader = TranscriptReader(path.name, content, read_lines(path.name, content))
    rolls = len(reader.match().plays)
    assert 0 < reader.rows.effort.tried < 20 * rolls


# -- real files ----------------------------------------------------------------------------------------------------------

LONG_NAME = "charlot1-charlot2_7p_2025-11-08-2305"


@pytest.mark.parametrize(
    ("transcript", "other"),
    [
        (f"{LONG_NAME}.mat", f"{LONG_NAME}.xg"),
        (f"{LONG_NAME}.mat", f"{LONG_NAME}.sgf"),
        ("test.mat", "test.xg"),
        ("test.txt", "test.xg"),
        ("test.txt", "test.mat"),
        ("match_with_comment.mat", "match_with_comment_0ply.sgf"),
        ("ronde1-UngerHarmand-FriebeJacobi-7pt.mat", "ronde1-UngerHarmand-FriebeJacobi-7pt_0ply.sgf"),
        # These two transcripts leave out the rolls that nobody played, and with them the turn.
        ("match_with_comment.mat", "match_with_comment.xg"),
        ("ronde1-UngerHarmand-FriebeJacobi-7pt.mat", "ronde1-UngerHarmand-FriebeJacobi-7pt.xg"),
    ],
)
def test_transcript_tells_the_match_of_the_other_file(transcript: str, other: str, data: Path) -> None:
    one, two = load_match(data / "real" / transcript), load_match(data / "real" / other)
    unplayed = {(game, turn) for game, turn, *_ in _unplayed(one) ^ _unplayed(two)}

    def played(match: Match) -> list[tuple[Any, ...]]:
        return [row for row in cube_rows(match) if (row[0], row[1]) not in unplayed]

    same_match(one, two, played)
    for name, full_name in zip(one.players, two.players, strict=True):
        assert full_name.replace(" ", "_").startswith(name.replace(" ", "_"))


def test_xg_and_site_notation_leave_out_no_unplayed_roll(data: Path) -> None:
    assert _unplayed(load_match(data / "real/test.txt")) == _unplayed(load_match(data / "real/test.xg"))
    assert len(_unplayed(load_match(data / "real/test.mat"))) == 3


def test_illegal_play_of_a_damaged_file(data: Path) -> None:
    match = load_match(data / "damaged/illegal_play_game1_move3.mat")
    row = next(row for row in range(len(match.plays)) if match.plays.turn[row] == 5)
    assert match.plays.validity[row] == Validity.ILLEGAL
    assert match.notes[0].code == "illegal-play"
    assert match.notes[0].evidence == "game 1, turn 5 (line 23): 53 does not allow '13/1 13/2'"
    assert match.plays.validity[match.plays.game > 0].max() == Validity.UNPLAYED  # the next games are unharmed


def _unplayed(match: Match) -> set[tuple[int, ...]]:
    plays = match.plays
    return {
        (int(plays.game[row]), int(plays.turn[row]), int(plays.player[row]))
        for row in range(len(plays))
        if plays.validity[row] == Validity.UNPLAYED
    }


# -- gnuBG's own exports -------------------------------------------------------------------------------------------------

UNTOLD = {
    "m09_money_jacoby_beaver_auto": "the scores in the SGF contradict the cubes of its automatic doubles",
    "m12_5pt_cubeless": "a transcript does not say that the match was played without a cube",
    "m50_money_nojacoby_beaver_cuberich": "the SGF holds gnuBG's evaluations of cubes that nobody could turn",
    "m59_7pt_setboard_cubeowned": "gnuBG cannot write a game that begins with a position set up",
}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    """A folder with a transcript by gnuBG of every match of ours."""
    if GNUBG is None:
        pytest.skip("gnuBG is not installed")
    folder = tmp_path_factory.mktemp("exported")
    lines = []
    for path in sorted((data / "gnubg").glob("*.sgf")):
        lines += [f'load match "{path.resolve()}"', f'export match mat "{folder / path.stem}.mat"']
    subprocess.run(
        [GNUBG, "-t", "-q", "-r"],
        input=("\n".join(lines) + "\n").encode(),
        capture_output=True,
        check=False,
        timeout=300,
        env=os.environ | {"HOME": str(folder)},
    )
    return folder


@pytest.mark.parametrize("path", real.cases("gnubg/*.sgf"))
def test_gnubgs_transcript_tells_gnubgs_match(path: Path, exported: Path) -> None:
    transcript = exported / f"{path.stem}.mat"
    if path.stem.startswith("m59"):
        with pytest.raises(UnreadableFile, match="expected the end of game 1 after its result"):
            load_match(transcript)
        return
    one, two = load_match(transcript), load_match(path)
    assert not one.notes
    if path.stem in UNTOLD:
        assert [(row[:4], row[5:]) for row in results(one)] == [(row[:4], row[5:]) for row in results(two)], UNTOLD[path.stem]
        assert [row[:3] for row in game_rows(one)] == [row[:3] for row in game_rows(two)]
        return
    same_match(one, two)
    assert one.players == two.players
    assert (one.cubes.access == two.cubes.access).all()
    assert (one.cubes.expected == two.cubes.expected).all()
    assert (one.cubes.answers_beaver == two.cubes.answers_beaver).all()


# -- anything ------------------------------------------------------------------------------------------------------------


def _bytes_of(path: Path) -> bytes:
    return path.read_bytes()[:6000]


SEEDS = [SHORT.encode(), MONEY.encode(), *map(_bytes_of, real.matching("real/*.mat", "real/*.txt"))]
PIECES = [
    b"\n",
    b" ",
    b")",
    b":",
    b"=>",
    b"*",
    b"(4)",
    b"25",
    b"0/",
    b"/0",
    b"11:",
    b"66:",
    b"????",
    b" Game 1\n",
    b" Beavers => 4",
    b"\xff",
]
PIECES += [b" Doubles => 2", b" Takes", b" Drops", b" Wins 3 points", b" 0 point match\n", b"\0", b"A : 0  B : 0\n", b"bar/24", b"5/off(4)"]


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    content = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(content)))
        end = start + draw(st.integers(0, 40))
        piece = draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=4), st.just(content[start:end] * 2)))
        content = content[:start] + piece + content[end:]
    return content


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutated())
@example(b"7 point match\nGame 1\nA : 0  B : 0\n")
@example(b"7 point match\nGame 1\nA : 0  B : 0\n1) 11:\n1)  Wins 99 points")
@example(b"0 point match\nGame 1\nA : 0  B : 0\n 1)  Doubles => 999999  Beavers => 0")
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        match = read_match("any.mat", content)
    except ReconcileError as error:
        refusal = str(error)
    else:
        refusal = ""
    if refusal:
        assert "\n" not in refusal
        return
    for table in (match.games, match.plays, match.cubes, match.resignations):
        for name in table.names():
            assert len(getattr(table, name)) == len(table)
    assert abs(match.plays.position).max(initial=0) <= 15
    assert match.away.shape == (len(match.games), 2)
