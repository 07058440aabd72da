"""Transcripts are recognised by their content and read in bounded work, as the match that another
file of it has; what their lines say is in `cases/mat.yaml`, layouts of every kind are in
`tests/oracles/transcripts.py`."""

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import load_match, read_match
from reconcile.formats.mat import recognises
from reconcile.formats.mat.writer import transcript
from reconcile.match.columns import Validity
from tests.support.small_transcripts import (
    MONEY,
    SHORT,
    cube_rows,
    read,
    same_match,
)
from tests.support.tables import cases_of


def test_recognised_by_content_only():
    money = MONEY.replace("\n", "\r\n"), MONEY.replace("0 point match", "Money session")
    assert all(recognises(text.encode()) for text in (SHORT, "\ufeff" + SHORT, *money))
    assert not any(map(recognises, (b"7 point match\n", b"Game 1\n", bytes(range(256)) * 8)))


def test_large_transcript_is_read_up_to_a_limit():
    game = SHORT[SHORT.index(" Game 1") : SHORT.index(" Game 2")]
    games = "".join(game.replace("Game 1", f"Game {number}") for number in range(1, 101))
    content = ("0 point match\n" + games).encode()
    assert len(read_match("long.mat", content).games) == 100
    with pytest.raises(UnreadableFile, match="a match of at most 1 MB"):
        read_match("long.mat", content + b" " * 2**20)


@pytest.mark.parametrize(("limit", "number", "words"), cases_of(__file__, "limits"))
def test_rolls_are_checked_up_to_a_limit(limit, number, words, monkeypatch):
    # Every roll is a double that could be played in dozens of ways, and what is written is none of
    # them.
    rolls = "".join(f"{turn}) 11: 24/20(2) 22: 24/16(2)\n" for turn in range(1, 52))
    game = f"7 point match\n Game 1\n Ann : 0   Ben : 0\n{rolls}"
    assert len(read(game).plays) == 102
    monkeypatch.setattr(f"reconcile.formats.mat.{limit}", number)
    with pytest.raises(UnreadableFile, match=words):
        read(game)


GAME = """\
5 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 31: 8/5 6/5                 64: 24/14
"""


@pytest.mark.parametrize(("lines", "lost"), cases_of(__file__, "unknown"))
def test_unknown_turn_is_written_as_it_was_read_but_one_after_which_nothing_is_written(lines, lost):
    match = read(GAME + lines)
    written = transcript(match)
    assert [change[: len(lost)] for change in written.changes] == [lost] * bool(lost)
    assert read(written.text).plays.turn.tolist() == match.plays.turn.tolist()
    assert written.text.count("00: ????") == lines.count("????") - bool(lost)


@pytest.mark.parametrize(("transcript", "other"), cases_of(__file__, "pairs"))
def test_transcript_tells_the_match_of_the_other_file(transcript, other, data):
    path = data / "real" / transcript
    end = other if other[0] == "_" else f".{other}"
    ours, theirs = load_match(path), load_match(path.with_name(path.stem + end))
    unplayed = {(game, turn) for game, turn, *_ in _unplayed(ours) ^ _unplayed(theirs)}

    def played(match):
        return [row for row in cube_rows(match) if (row[0], row[1]) not in unplayed]

    same_match(ours, theirs, played)
    for name, full_name in zip(ours.players, theirs.players, strict=True):
        assert full_name.replace(" ", "_").startswith(name.replace(" ", "_"))


@pytest.mark.parametrize(
    ("name", "codes", "winners", "points", "resigned", "illegal"), cases_of(__file__, "field")
)
def test_file_as_people_have_it_is_read(name, codes, winners, points, resigned, illegal, data):
    match = load_match(data / f"field/{name}.mat")
    games = match.games
    assert tuple(note.code for note in match.notes) == codes
    assert (*games.winner.tolist(),) == winners
    assert (*games.points.tolist(),) == points
    assert (*games.resigned.tolist(),) == resigned
    against = match.plays.validity == Validity.ILLEGAL
    assert (*against.nonzero()[0].tolist(),) == illegal


@pytest.mark.parametrize(("name", "other"), cases_of(__file__, "dialects"))
def test_dialects_tell_one_match_without_a_finding(name, other, data):
    first, second = (load_match(data / f"field/dialects/{each}.mat") for each in (name, other))
    same_match(first, second)
    assert first.notes == second.notes == ()


def test_xg_and_site_notation_leave_out_no_unplayed_roll(data):
    assert _unplayed(load_match(data / "real/test.txt")) == _unplayed(
        load_match(data / "real/test.xg")
    )
    assert len(_unplayed(load_match(data / "real/test.mat"))) == 3


def _unplayed(match):
    plays = match.plays
    return {
        (int(plays.game[row]), int(plays.turn[row]), int(plays.player[row]))
        for row in range(len(plays))
        if plays.validity[row] == Validity.UNPLAYED
    }
