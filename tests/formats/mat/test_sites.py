"""Sixty transcripts in the habits of sites and programs: read as they were written, and as gnuBG
reads them."""

from __future__ import annotations

import pytest

from reconcile.formats import load_match, read_match
from reconcile.match.board.play import apply_play
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from tests.support.gnubg import needs_gnubg, terminal
from tests.support.site_transcripts import Habit, PlayedGame, cases, played_match, written_match
from tests.support.small_transcripts import cube_rows, results

CASES = tuple(cases())
NAMES = [name for name, *_ in CASES]


def transcript_of(habit: Habit, seed: int) -> tuple[int | None, list[PlayedGame], bytes]:
    length, games = played_match(habit, seed)
    return length, games, written_match(habit, length, games)


@pytest.mark.parametrize(("habit", "seed"), [case[1:] for case in CASES], ids=NAMES)
def test_every_play_cube_action_and_result_is_read(habit: Habit, seed: int) -> None:
    length, games, content = transcript_of(habit, seed)
    match = read_match("site.mat", content)
    assert {note.code for note in match.notes} <= {"unknown-roll"}, match.notes
    assert (match.players, match.length) == (habit.players, length)
    rows = zip(*(getattr(match.games, name).tolist() for name in GAME_COLUMNS), strict=True)
    for row, game in zip(rows, games, strict=True):
        assert row == (list(game.score), game.winner, game.points, game.resigned)
    rolls = [action for game in games for action in game.actions if action.kind is Kind.PLAY]
    written = [action for action in rolls if action.play is not None]
    read = results(match)
    assert [row[3] for row in read] == [tuple(sorted(action.dice)) for action in written]
    for row, action in zip(read, written, strict=True):
        assert row[2] == action.seat
        assert row[-2:] == (action.before, apply_play(action.before, action.play or ()))
    lines = [
        action.kind for game in games for action in game.actions if action.kind is not Kind.PLAY
    ]
    kinds = match.cubes.kind.tolist()
    for kind in (Kind.DOUBLE, Kind.BEAVER, Kind.TAKE, Kind.PASS):
        assert kinds.count(kind) == lines.count(kind)


GAME_COLUMNS = ("score", "winner", "points", "resigned")


@pytest.fixture(scope="module")
def by_gnubg(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Match]:
    """Every transcript as gnuBG imports it, by name."""
    folder = tmp_path_factory.mktemp("sites")
    commands = ["set confirm new off", "set automatic game off"]
    for name, habit, seed in CASES:
        (folder / f"{name}.mat").write_bytes(transcript_of(habit, seed)[2])
        commands += [f"import mat {folder}/{name}.mat", f"save match {folder}/{name}.sgf"]
    printed = terminal("\n".join((*commands, "")), folder)
    assert b"Invalid move" not in printed
    return {name: load_match(folder / f"{name}.sgf") for name in NAMES}


@needs_gnubg
@pytest.mark.long
@pytest.mark.parametrize(("name", "habit", "seed"), CASES, ids=NAMES)
def test_gnubg_reads_the_same_players_games_results_and_plays(
    name: str, habit: Habit, seed: int, by_gnubg: dict[str, Match]
) -> None:
    ours, theirs = read_match("site.mat", transcript_of(habit, seed)[2]), by_gnubg[name]
    # gnuBG takes a PR in parentheses for a part of the name, which is cut off when its file is
    # read.
    assert theirs.players == ours.players
    assert (theirs.length, theirs.rules.variation) == (ours.length, ours.rules.variation)
    for column in ("number", "score", "crawford", "winner", "points", "resigned"):
        assert getattr(ours.games, column).tolist() == getattr(theirs.games, column).tolist(), (
            column
        )
    assert results(ours) == results(theirs)
    # What gnuBG drops: a roll that cannot be (00), which is a finding of ours; the word of a
    # resignation, and with "65: Concedes" the roll; and a roll that was not played has no turn in
    # its file, so no double that was not made before it either.
    unplayed = _unplayed(ours)
    assert [row for row in cube_rows(ours) if row[:2] not in unplayed] == cube_rows(theirs)
    conceded = transcript_of(habit, seed)[2].count(b": Concedes")
    assert len(unplayed) == len(_unplayed(theirs)) + conceded


def _unplayed(match: Match) -> set[tuple[int, int]]:
    rows = match.plays.validity == Validity.UNPLAYED
    return set(zip(match.plays.game[rows].tolist(), match.plays.turn[rows].tolist(), strict=True))
