"""What the lines of a transcript tell, and what is noted or refused of one that cannot have been;
all of it takes bounded work."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import read_match
from reconcile.formats.mat import TranscriptReader, recognises
from reconcile.formats.mat.lines import read_lines
from reconcile.match.board.play import apply_play
from reconcile.match.columns import Kind, Validity
from tests.support import data as real
from tests.support.small_transcripts import MONEY, SHORT, cube_rows, read


def test_match_is_told_by_its_lines_and_nothing_counts_as_analysed() -> None:
    match = read(SHORT)
    assert (match.source.format, match.source.tool, match.event) == (
        "mat",
        "transcript",
        "Club evening",
    )
    assert (match.players, match.length, match.complete, match.notes) == (
        ("Ann", "Ben"),
        3,
        False,
        (),
    )
    games = match.games
    assert (games.score.tolist(), games.crawford.tolist()) == ([[0, 0], [2, 0]], [False, True])
    assert (games.winner.tolist(), games.points.tolist(), games.resigned.tolist()) == (
        [0, 1],
        [2, 1],
        [False, True],
    )
    kinds = [
        (turn, player, Kind(kind).label, cube, owner)
        for _, turn, player, kind, cube, owner in cube_rows(match)
    ]
    assert kinds == [
        (2, 1, "no-double", 1, 0),  # a double was allowed
        (3, 0, "no-double", 1, 0),
        (4, 0, "take", 1, 0),
        (4, 1, "double", 1, 0),
        (5, 0, "double", 2, 1),
        (5, 1, "pass", 2, 1),
    ]
    assert match.plays.validity.tolist()[-1] == Validity.UNPLAYED
    resigned = match.resignations
    assert (resigned.kind.tolist(), resigned.player.tolist()) == (
        [Kind.RESIGN, Kind.ACCEPT_RESIGN],
        [0, 1],
    )
    assert not match.plays.analysed.any()
    assert not match.cubes.analysed.any()
    for name in ("best", "played", "stored_error", "luck"):
        assert (getattr(match.plays, name) != getattr(match.plays, name)).all()


RESIGNED = """\
3 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 51: 13/7                   Resigns
      Wins 2 points

 Game 2
 Ann : 2                        Ben : 0
  1) 62: 24/18 13/11             21: 13/11 24/23
  2) Resigns
"""


def test_resignation_in_the_words_of_playing_sites() -> None:
    match = read(RESIGNED)
    assert match.games.winner.tolist() == [0, 1]
    assert match.games.points.tolist() == [
        2,
        1,
    ]  # written; else the cube, since a site writes no level beside the word
    assert match.games.resigned.tolist() == [True, True]
    resignations = match.resignations
    assert list(
        zip(
            resignations.game.tolist(),
            resignations.player.tolist(),
            resignations.kind.tolist(),
            strict=True,
        )
    ) == [
        (0, 1, Kind.RESIGN),
        (1, 0, Kind.RESIGN),
        (0, 0, Kind.ACCEPT_RESIGN),
        (1, 1, Kind.ACCEPT_RESIGN),
    ]
    assert match.notes == ()


def test_roll_before_a_resignation_may_be_left_unplayed_and_one_of_the_winner_is_noted() -> None:
    match = read(RESIGNED.replace("  2) Resigns", "  2) 65:                        Resigns"))
    assert match.plays.validity.tolist()[-1] == Validity.UNPLAYED
    assert match.games.winner.tolist() == [0, 0]
    (note,) = read(
        RESIGNED.replace(
            "64: 24/14\n  2) 51: 13/7                   Resigns", "64: 24/14\n  2) Resigns"
        )
    ).notes
    assert "the resignation says Ben" in note.evidence


def test_money_session_with_a_beaver() -> None:
    match = read(MONEY)
    assert (match.length, match.rules.jacoby, match.rules.beavers, match.complete) == (
        None,
        True,
        True,
        False,
    )
    labels = [Kind(kind).label for _, turn, _, kind, _, _ in cube_rows(match) if turn == 3]
    assert sorted(labels) == ["beaver", "double", "take"]
    assert match.plays.cube.tolist() == [1, 1, 4, 4, 4]
    assert match.plays.owner.tolist() == [0, 0, -1, 1, -1]
    assert match.plays.validity.tolist()[-1] == Validity.UNPLAYED


def test_play_against_the_dice_is_marked_and_noted_and_a_dance_where_a_play_was_possible_is_one() -> (
    None
):
    match = read(SHORT.replace("51: 13/7 ", "51: 13/6 "))
    assert match.plays.validity.tolist() == [0, 0, Validity.ILLEGAL, 0, 0, Validity.UNPLAYED]
    assert [(note.code, note.evidence) for note in match.notes] == [
        ("illegal-play", "game 1, turn 3 (line 9): 51 does not allow '13/6'")
    ]
    assert (
        read(SHORT.replace("51: 13/7 ", "51:      ")).plays.validity.tolist()[2] == Validity.ILLEGAL
    )


def test_recognised_by_content_only_also_in_an_old_encoding() -> None:
    for text in (
        SHORT,
        "\ufeff" + SHORT,
        MONEY.replace("\n", "\r\n"),
        MONEY.replace("0 point match", "Money session"),
    ):
        assert recognises(text.encode())
    for content in (b"7 point match\n", b"Game 1\n", bytes(range(256)) * 8):
        assert not recognises(content)
    assert read_match("evening.mat", SHORT.replace("Ann", "Zoë").encode("cp1252")).players == (
        "Zoë",
        "Ben",
    )


def test_ways_of_writing_one_play() -> None:
    """A site writes every step, XG draws steps together, gnuBG's notation has numbers for bar and
    off."""
    written = (
        "22: 24/20 13/11(2)",
        "22: 24/22 22/20 13/11 13/11",
        "22: 24/22/20 13/11(2)",
        "22: 13/11 13/11 24/20",
    )
    plays = [read(SHORT.replace("31: 8/5 6/5", text)).plays for text in written]
    assert len({apply_play(play.position[0], play.play[0]) for play in plays}) == 1
    assert {int(play.validity[0]) for play in plays} == {Validity.VALID}


@pytest.mark.parametrize(
    "end",
    [
        "  2)  Losses 2 point              Wins 2 point and the match\n",
        "  2) 52: 13/8 24/22               Losses 2 point\n\n",
    ],
)
def test_the_losers_column_may_state_the_result_too(end: str) -> None:
    head = (
        "2 point match\n\n Game 1\n Ann : 0                        Ben : 0\n  1) 31: 8/5 6/5      "
        "           64: 24/14\n"
    )
    match = read(head + end + ("" if "Wins" in end else "      Wins 2 point and the match\n"))
    assert match.complete
    assert (match.games.winner.tolist(), match.games.points.tolist()) == ([int("Wins" in end)], [2])
    assert not match.notes


@pytest.mark.parametrize(
    ("old", "new", "evidence"),
    [
        (
            "  3)  Takes                      ",
            "  3)                             ",
            "a roll while a double waits for its response",
        ),
        (
            "  2) 51: 13/7                   ",
            "  2)                            ",
            "the same player twice in a row",
        ),
        ("Doubles => 4", "Doubles => 8", "the cube goes to 8, but it was at 2"),
        ("  2) 51: 13/7 ", "  2) 51: ???? ", "the play is not written"),
        ("Ann : 2", "Ann : 1", "1 point won after the score, but 2 are written"),
        ("\n\n Game 2", "\n analysed by nobody\n\n Game 2", "line 13: not understood"),
    ],
)
def test_what_cannot_have_been_is_noted(old: str, new: str, evidence: str) -> None:
    notes = read(SHORT.replace(old, new, 1)).notes
    assert any(note.code == "damaged-value" and evidence in note.evidence for note in notes), notes
    assert [note.code for note in read(SHORT.replace("Game 2", "Game 4")).notes] == [
        "games-missing"
    ]


def test_large_transcript_is_read_up_to_a_limit() -> None:
    games = "".join(
        SHORT[SHORT.index(" Game 1") : SHORT.index(" Game 2")].replace("Game 1", f"Game {number}")
        for number in range(1, 101)
    )
    content = ("0 point match\n" + games).encode()
    assert len(read_match("long.mat", content).games) == 100
    with pytest.raises(UnreadableFile, match="at most 1024 kB"):
        read_match("long.mat", content + b" " * 2**20)


def test_rolls_are_checked_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every roll is a double that could be played in dozens of ways, and what is written is none of
    # them.
    monkeypatch.setattr("reconcile.formats.mat.game.MOST_ILLEGAL", 100)
    rolls = "".join(f"{turn}) 11: 24/20(2) 22: 24/16(2)\n" for turn in range(1, 51))
    game = "7 point match\n Game 1\n Ann : 0   Ben : 0\n"
    assert len(read(game + rolls).plays) == 100
    with pytest.raises(
        UnreadableFile,
        match=r"line 54: expected plays of backgammon, found more than 100 .* another variation",
    ):
        read(game + rolls + rolls)
    monkeypatch.setattr("reconcile.formats.mat.game.MOST_SEQUENCES", 1000)
    with pytest.raises(
        UnreadableFile,
        match=r"line \d\d: expected at most 1000 ways to play all rolls up to here, found more",
    ):
        read(game + rolls)


@pytest.mark.parametrize("path", real.cases("real/*.mat", short=1, most=2))
def test_checking_a_real_play_takes_few_tries(path: Path) -> None:
    content = path.read_bytes()
    reader = TranscriptReader(path.name, content, read_lines(path.name, content))
    rolls = len(reader.match().plays)
    assert 0 < reader.rows.effort.tried < 20 * rolls
