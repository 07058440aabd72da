"""What the lines of a transcript tell: games, plays, cubes, results, and which turns were decisions."""

from __future__ import annotations

import pytest

from reconcile.formats import read_match
from reconcile.formats.mat import recognises
from reconcile.match.board.play import apply_play
from reconcile.match.columns import Kind, Validity
from tests.support.small_transcripts import MONEY, SHORT, cube_rows, read


def test_match_is_told_by_its_lines_and_nothing_counts_as_analysed() -> None:
    match = read(SHORT)
    assert (match.source.format, match.source.tool, match.event) == ("mat", "transcript", "Club evening")
    assert (match.players, match.length, match.complete, match.notes) == (("Ann", "Ben"), 3, False, ())
    games = match.games
    assert (games.score.tolist(), games.crawford.tolist()) == ([[0, 0], [2, 0]], [False, True])
    assert (games.winner.tolist(), games.points.tolist(), games.resigned.tolist()) == ([0, 1], [2, 1], [False, True])
    kinds = [(turn, player, Kind(kind).label, cube, owner) for _, turn, player, kind, cube, owner in cube_rows(match)]
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
    assert (resigned.kind.tolist(), resigned.player.tolist()) == ([Kind.RESIGN, Kind.ACCEPT_RESIGN], [0, 1])
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
    assert match.games.points.tolist() == [2, 1]  # written; else the cube, since a site writes no level beside the word
    assert match.games.resigned.tolist() == [True, True]
    resignations = match.resignations
    assert list(zip(resignations.game.tolist(), resignations.player.tolist(), resignations.kind.tolist(), strict=True)) == [
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
    (note,) = read(RESIGNED.replace("64: 24/14\n  2) 51: 13/7                   Resigns", "64: 24/14\n  2) Resigns")).notes
    assert "the resignation says Ben" in note.evidence


def test_money_session_with_a_beaver() -> None:
    match = read(MONEY)
    assert (match.length, match.rules.jacoby, match.rules.beavers, match.complete) == (None, True, True, False)
    labels = [Kind(kind).label for _, turn, _, kind, _, _ in cube_rows(match) if turn == 3]
    assert sorted(labels) == ["beaver", "double", "take"]
    assert match.plays.cube.tolist() == [1, 1, 4, 4, 4]
    assert match.plays.owner.tolist() == [0, 0, -1, 1, -1]
    assert match.plays.validity.tolist()[-1] == Validity.UNPLAYED


def test_play_against_the_dice_is_marked_and_noted_and_a_dance_where_a_play_was_possible_is_one() -> None:
    match = read(SHORT.replace("51: 13/7 ", "51: 13/6 "))
    assert match.plays.validity.tolist() == [0, 0, Validity.ILLEGAL, 0, 0, Validity.UNPLAYED]
    assert [(note.code, note.evidence) for note in match.notes] == [("illegal-play", "game 1, turn 3 (line 9): 51 does not allow '13/6'")]
    assert read(SHORT.replace("51: 13/7 ", "51:      ")).plays.validity.tolist()[2] == Validity.ILLEGAL


def test_recognised_by_content_only_also_in_an_old_encoding() -> None:
    for text in (SHORT, "\ufeff" + SHORT, MONEY.replace("\n", "\r\n"), MONEY.replace("0 point match", "Money session")):
        assert recognises(text.encode())
    for content in (b"7 point match\n", b"Game 1\n", bytes(range(256)) * 8):
        assert not recognises(content)
    assert read_match("evening.mat", SHORT.replace("Ann", "Zoë").encode("cp1252")).players == ("Zoë", "Ben")


def test_ways_of_writing_one_play() -> None:
    """A site writes every step, XG draws steps together, gnuBG's notation has numbers for bar and off."""
    written = ("22: 24/20 13/11(2)", "22: 24/22 22/20 13/11 13/11", "22: 24/22/20 13/11(2)", "22: 13/11 13/11 24/20")
    plays = [read(SHORT.replace("31: 8/5 6/5", text)).plays for text in written]
    assert len({apply_play(play.position[0], play.play[0]) for play in plays}) == 1
    assert {int(play.validity[0]) for play in plays} == {Validity.VALID}


@pytest.mark.parametrize(
    "end", ["  2)  Losses 2 point              Wins 2 point and the match\n", "  2) 52: 13/8 24/22               Losses 2 point\n\n"]
)
def test_the_losers_column_may_state_the_result_too(end: str) -> None:
    head = "2 point match\n\n Game 1\n Ann : 0                        Ben : 0\n  1) 31: 8/5 6/5                 64: 24/14\n"
    match = read(head + end + ("" if "Wins" in end else "      Wins 2 point and the match\n"))
    assert match.complete
    assert (match.games.winner.tolist(), match.games.points.tolist()) == ([int("Wins" in end)], [2])
    assert not match.notes
