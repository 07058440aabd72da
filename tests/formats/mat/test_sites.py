"""Transcripts in the habits of sites and programs: read as they were written, and as gnuBG does.

The bundled matches and two evenings by hand, as the product writes them, in the notation of others:
what each does was seen in files of it and in programs that read or write its exports.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from reconcile.files.bundled import bundled
from reconcile.formats import load_match, read_match
from reconcile.formats.mat.writer import transcript
from reconcile.match.columns import Validity
from reconcile.match.match import Match
from tests.support.gnubg import needs_gnubg, terminal
from tests.support.small_files import EVENING
from tests.support.small_transcripts import MONEY, cube_rows, game_rows, results, same_match

HABITS = yaml.safe_load(Path(__file__).with_name("habits.yaml").read_text("utf-8"))
TEXTS = {"evening": EVENING, "session": f"{MONEY}{'':34}Wins 4 points\n"}


@cache
def matches() -> dict[str, Match]:
    """The bundled matches and two by hand, by name."""
    files = sorted(bundled("reference_matches").glob("*/*.sgf"))
    read = {name: read_match(f"{name}.mat", text.encode()) for name, text in TEXTS.items()}
    return read | {path.parent.name: load_match(path) for path in files}


def written(name: str, habit: str) -> bytes:
    """A match as a site writes it."""
    text = transcript(matches()[name]).text
    lines = [line for line in text.splitlines() if not line.startswith(("; [Event", "; [Site"))]
    for pattern, exchange in HABITS[habit]["exchanges"]:
        lines = [re.sub(pattern, exchange, line.rstrip(" ")) for line in lines]
    lines = [f"{line:<34}" for line in lines]  # gnuBG takes a shorter last line of a game for more
    end = "\r\n" if habit in ("xg text", "fibs") else "\n"
    return end.join([*HABITS[habit]["headers"].splitlines(), *lines, ""]).encode()


CASES = [
    (name, habit) for habit in HABITS for name in ("evening", "session", "gnubg-11pt-cube-rich")
]


@pytest.mark.parametrize(("name", "habit"), CASES)
def test_match_in_the_habit_of_a_site_is_read(name: str, habit: str) -> None:
    content = written(name, habit)
    read, match = read_match("site.mat", content), matches()[name]
    assert {note.code for note in read.notes} <= {"illegal-play"}, read.notes
    assert read.players == match.players
    same_match(read, match)


@needs_gnubg
@pytest.mark.long
@pytest.mark.parametrize("name", ["demonstration", "gnubg-11pt-cube-rich", "gnubg-7pt-0ply"])
def test_gnubg_reads_the_same_players_games_results_and_plays(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("sites")
    commands = ["set confirm new off", "set automatic game off"]
    for number, habit in enumerate(HABITS):
        (folder / f"{number}.mat").write_bytes(written(name, habit))
        commands += [f"import mat {folder}/{number}.mat", f"save match {folder}/{number}.sgf"]
    printed = terminal("\n".join((*commands, "")), folder)
    assert b"Invalid move" not in printed
    for number, habit in enumerate(HABITS):
        ours = read_match("site.mat", written(name, habit))
        theirs = load_match(folder / f"{number}.sgf")
        # gnuBG takes a PR in parentheses for a part of the name, which is cut off when its file is
        # read, and drops rolls that were not played.
        assert theirs.players == ours.players
        assert (theirs.length, theirs.rules.variation) == (ours.length, ours.rules.variation)
        last = (
            -1 if habit == "studio" else None
        )  # gnuBG takes "Losses" for a resignation, with a turn
        assert [row[:last] for row in game_rows(theirs)] == [row[:last] for row in game_rows(ours)]
        assert results(theirs) == results(ours)
        unplayed = ours.plays.validity == Validity.UNPLAYED
        places = set(zip(ours.plays.game[unplayed], ours.plays.turn[unplayed], strict=True))
        assert [row for row in cube_rows(ours) if row[:2] not in places] == cube_rows(theirs)
