"""Transcripts are recognised by their content, read in bounded work, and unknown rolls written as
they were read; what their lines say is in `cases/mat.yaml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import read_match
from reconcile.formats.mat import TranscriptReader, recognises
from reconcile.formats.mat.lines import read_lines
from reconcile.formats.mat.writer import transcript
from tests.support import data as real
from tests.support.small_transcripts import MONEY, SHORT, read


def test_recognised_by_content_only() -> None:
    for text in (
        SHORT,
        "\ufeff" + SHORT,
        MONEY.replace("\n", "\r\n"),
        MONEY.replace("0 point match", "Money session"),
    ):
        assert recognises(text.encode())
    for content in (b"7 point match\n", b"Game 1\n", bytes(range(256)) * 8):
        assert not recognises(content)


def test_large_transcript_is_read_up_to_a_limit() -> None:
    games = "".join(
        SHORT[SHORT.index(" Game 1") : SHORT.index(" Game 2")].replace("Game 1", f"Game {number}")
        for number in range(1, 101)
    )
    content = ("0 point match\n" + games).encode()
    assert len(read_match("long.mat", content).games) == 100
    with pytest.raises(UnreadableFile, match="a transcript of at most 1 MB"):
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


GAME = """\
5 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 31: 8/5 6/5                 64: 24/14
"""


@pytest.mark.parametrize(
    "lines",
    [
        "  2) 00: ????                    63: 24/18 13/10\n"
        "  3) 42: 8/4 6/4                 ??: ????\n"
        "  4) 31: 8/5 6/5                 11: 6/5 6/5\n",
        "  2)  Doubles => 2              Takes\n  3) 07: ????      61: 13/7 8/7\n",
    ],
)
def test_unknown_turn_is_written_as_it_was_read(lines: str) -> None:
    match = read(GAME + lines)
    written = transcript(match)
    assert written.changes == ()
    assert read(written.text).plays.turn.tolist() == match.plays.turn.tolist()
    assert written.text.count("00: ????") == lines.count("????")


@pytest.mark.parametrize(
    "end", ["00: ????", "??: ????", "00: ????\n                                 Wins 1 point"]
)
def test_unknown_roll_after_which_nothing_is_written_is_reported_as_lost(end: str) -> None:
    match = read(f"{GAME}  2) 61: 13/7 8/7                63: 24/18 13/10\n  3) {end}\n")
    assert transcript(match).changes == ("game 1, turn 5 (line 7): the unknown roll is lost",)
    lines = "  2) 61: 13/7 8/7                00: ????\n  3) 42: 8/4 6/4\n"
    (change,) = transcript(read(f"{GAME}{lines}  4) {end}\n")).changes
    assert change.startswith("1 of 2 unknown rolls lost: game 1, turn 4 (line 6); game 1, turn 6")
