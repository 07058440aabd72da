"""A transcript of XG, of a playing site or of gnuBG tells the match that another file of it
tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import load_match
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from tests.support import data as real
from tests.support.gnubg import needs_gnubg, terminal
from tests.support.small_transcripts import cube_rows, game_rows, results, same_match

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
        (
            "ronde1-UngerHarmand-FriebeJacobi-7pt.mat",
            "ronde1-UngerHarmand-FriebeJacobi-7pt_0ply.sgf",
        ),
        # These two transcripts leave out the rolls that nobody played, and with them the turn.
        ("match_with_comment.mat", "match_with_comment.xg"),
        ("ronde1-UngerHarmand-FriebeJacobi-7pt.mat", "ronde1-UngerHarmand-FriebeJacobi-7pt.xg"),
    ],
)
def test_transcript_tells_the_match_of_the_other_file(
    transcript: str, other: str, data: Path
) -> None:
    ours, theirs = load_match(data / "real" / transcript), load_match(data / "real" / other)
    unplayed = {(game, turn) for game, turn, *_ in _unplayed(ours) ^ _unplayed(theirs)}

    def played(match: Match) -> list[tuple[Any, ...]]:
        return [row for row in cube_rows(match) if (row[0], row[1]) not in unplayed]

    same_match(ours, theirs, played)
    for name, full_name in zip(ours.players, theirs.players, strict=True):
        assert full_name.replace(" ", "_").startswith(name.replace(" ", "_"))


def test_xg_and_site_notation_leave_out_no_unplayed_roll(data: Path) -> None:
    assert _unplayed(load_match(data / "real/test.txt")) == _unplayed(
        load_match(data / "real/test.xg")
    )
    assert len(_unplayed(load_match(data / "real/test.mat"))) == 3


def test_illegal_play_of_a_damaged_file(data: Path) -> None:
    match = load_match(data / "damaged/illegal_play_game1_move3.mat")
    row = next(row for row in range(len(match.plays)) if match.plays.turn[row] == 5)
    assert match.plays.validity[row] == Validity.ILLEGAL
    assert match.notes[0].code == "illegal-play"
    assert match.notes[0].evidence == "game 1, turn 5 (line 23): 53 does not allow '13/1 13/2'"
    assert (
        match.plays.validity[match.plays.game > 0].max() == Validity.UNPLAYED
    )  # the next games are unharmed


def _unplayed(match: Match) -> set[tuple[int, ...]]:
    plays = match.plays
    return {
        (int(plays.game[row]), int(plays.turn[row]), int(plays.player[row]))
        for row in range(len(plays))
        if plays.validity[row] == Validity.UNPLAYED
    }


UNTOLD = {
    "m09_money_jacoby_beaver_auto": "the scores in the SGF contradict the cubes of its automatic "
    "doubles",
    "m12_5pt_cubeless": "a transcript does not say that the match was played without a cube",
    "m50_money_nojacoby_beaver_cuberich": "the SGF holds gnuBG's evaluations of cubes that nobody "
    "could turn",
    "m59_7pt_setboard_cubeowned": "gnuBG cannot write a game that begins with a position set up",
}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    """A folder with a transcript by gnuBG of every match of ours."""
    folder = tmp_path_factory.mktemp("exported")
    lines = []
    for path in sorted((data / "gnubg").glob("*.sgf")):
        lines += [f'load match "{path.resolve()}"', f'export match mat "{folder / path.stem}.mat"']
    terminal("\n".join(lines) + "\n", folder)
    return folder


@needs_gnubg
@pytest.mark.parametrize("path", real.cases("gnubg/*.sgf", short=0))
def test_gnubgs_transcript_tells_gnubgs_match(path: Path, exported: Path) -> None:
    transcript = exported / f"{path.stem}.mat"
    if path.stem.startswith("m59"):
        with pytest.raises(UnreadableFile, match="expected the end of game 1 after its result"):
            load_match(transcript)
        return
    note, two = load_match(transcript), load_match(path)
    assert not note.notes
    if path.stem in UNTOLD:
        assert [(row[:4], row[5:]) for row in results(note)] == [
            (row[:4], row[5:]) for row in results(two)
        ], UNTOLD[path.stem]
        assert [row[:3] for row in game_rows(note)] == [row[:3] for row in game_rows(two)]
        return
    same_match(note, two)
    assert note.players == two.players
    assert (note.cubes.access == two.cubes.access).all()
    # gnuBG's own file lacks an analysis where its recount of a beaver sees no access; a transcript
    # has no recount.
    recounted = two.cubes.recount_access | (two.cubes.kind > Kind.DOUBLE)
    assert (note.cubes.expected == two.cubes.expected)[recounted].all()
    assert (note.cubes.answers_beaver == two.cubes.answers_beaver).all()
