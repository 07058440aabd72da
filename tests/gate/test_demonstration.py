"""The demonstration pair: the converter that made it, and what the committed files say of themselves."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest

from reconcile.formats.written import Game, WrittenMatch
from reconcile.formats.xg.conventions import checker_error
from tests.support.gnubg_to_xg import match_from_sgf

FOLDER = Path(__file__).parents[2] / "reference_matches" / "demonstration"
RIGHT = (FOLDER / "nora-lindqvist-tomas-beck.sgf").read_text(encoding="utf-8")
LEFT = (FOLDER / "nora-lindqvist-tomas-beck.xg").read_bytes()
RECORDS = zlib.decompressobj().decompress(LEFT[8232:])  # temp.xg is the first member
FLAT_TABLE = (
    [[0.5 + (b - a) / 20 for b in range(7)] for a in range(7)],
    [0.5 - a / 20 for a in range(7)],
)
"""Any table will do where no cube equity is looked at."""


@pytest.fixture(scope="module")
def match() -> WrittenMatch:
    """The right side's analysis as the converter reads it."""
    return match_from_sgf(RIGHT, FLAT_TABLE)


def test_demonstration_says_in_its_header_that_no_xg_made_it() -> None:
    title, event = (LEFT[start : start + 2048].decode("utf-16-le") for start in (40, 4136))
    assert "Synthetic" in title
    assert "not by eXtreme Gammon" in event
    assert "Synthetic".encode("utf-16-le") in RECORDS[622:880]


def test_both_sides_are_of_the_same_players_and_hold_as_many_turns(match: WrittenMatch) -> None:
    assert "PW[Nora_Lindqvist]" in RIGHT
    assert match.players == ("Nora Lindqvist", "Tomas Beck")
    kinds = RECORDS[8::2560]
    assert kinds.count(3) == sum(
        turn.move is not None for game in match.games for turn in game.turns
    )
    assert kinds.count(4) == len(match.games)


@pytest.mark.parametrize("number", range(5))
def test_errors_of_the_plays_add_up_to_what_gnubg_saved(match: WrittenMatch, number: int) -> None:
    saved = [float(word) for word in re.findall(r"GS\[M:([^\]]*)\]", RIGHT)[number].split()]
    for player, error in ((1, saved[12]), (2, saved[14])):
        assert lost(match.games[number], player) == pytest.approx(error, abs=4e-4)


def lost(game: Game, player: int) -> float:
    plays = [turn.move for turn in game.turns if turn.player == player and turn.move is not None]
    return -sum(checker_error(move.candidates, move.played or 0) for move in plays)
