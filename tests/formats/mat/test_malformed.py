"""A transcript that cannot be understood is refused with its line, one that cannot have been is noted, and all of it takes bounded work."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import read_match
from reconcile.formats.mat import TranscriptReader
from reconcile.formats.mat.lines import read_lines
from tests.support import data as real
from tests.support.small_transcripts import SHORT, read


@pytest.mark.parametrize(
    ("old", "new", "evidence"),
    [
        ("  3)  Takes                      ", "  3)                             ", "a roll while a double waits for its response"),
        ("  2) 51: 13/7                   ", "  2)                            ", "the same player twice in a row"),
        ("Doubles => 4", "Doubles => 8", "the cube goes to 8, but it was at 2"),
        ("  2) 51: 13/7 ", "  2) 51: ???? ", "the play is not written"),
        ("Ann : 2", "Ann : 1", "1 points won after the score, but 2 are written"),
        ("\n\n Game 2", "\n analysed by nobody\n\n Game 2", "line 13: not understood"),
    ],
)
def test_what_cannot_have_been_is_noted(old: str, new: str, evidence: str) -> None:
    notes = read(SHORT.replace(old, new, 1)).notes
    assert any(note.code == "damaged-value" and evidence in note.evidence for note in notes), notes
    assert [note.code for note in read(SHORT.replace("Game 2", "Game 4")).notes] == ["games-missing"]


def test_large_transcript_is_read_up_to_a_limit() -> None:
    games = "".join(SHORT[SHORT.index(" Game 1") : SHORT.index(" Game 2")].replace("Game 1", f"Game {number}") for number in range(1, 101))
    content = ("0 point match\n" + games).encode()
    assert len(read_match("long.mat", content).games) == 100
    with pytest.raises(UnreadableFile, match="at most 1024 kB"):
        read_match("long.mat", content + b" " * 2**20)


def test_rolls_are_checked_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every roll is a double that could be played in dozens of ways, and what is written is none of them.
    monkeypatch.setattr("reconcile.formats.mat.game.MOST_ILLEGAL", 100)
    rolls = "".join(f"{turn}) 11: 24/20(2) 22: 24/16(2)\n" for turn in range(1, 51))
    game = "7 point match\n Game 1\n Ann : 0   Ben : 0\n"
    assert len(read(game + rolls).plays) == 100
    with pytest.raises(UnreadableFile, match=r"line 54: expected plays of backgammon, found more than 100 .* another variation"):
        read(game + rolls + rolls)
    monkeypatch.setattr("reconcile.formats.mat.game.MOST_SEQUENCES", 1000)
    with pytest.raises(UnreadableFile, match=r"line \d\d: expected at most 1000 ways to play all rolls up to here, found more"):
        read(game + rolls)


@pytest.mark.parametrize("path", real.cases("real/*.mat", short=1, most=2))
def test_checking_a_real_play_takes_few_tries(path: Path) -> None:
    content = path.read_bytes()
    reader = TranscriptReader(path.name, content, read_lines(path.name, content))
    rolls = len(reader.match().plays)
    assert 0 < reader.rows.effort.tried < 20 * rolls
