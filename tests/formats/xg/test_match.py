"""Names, length, rules and games of a match come from the records' headers and footers, in every
version of the format."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reconcile.formats import read_match
from reconcile.formats.written import Ending, Move, Turn
from reconcile.formats.xg import read as read_xg
from reconcile.formats.xg import records as at
from reconcile.formats.xg.container import HEADER_SIZE
from reconcile.formats.xg.writer import write
from reconcile.match.board.position import START
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.scoring.statistics import statistics
from tests.support.loaded import DEMONSTRATION
from tests.support.small_files import CONTENT, POINT, SPLIT, game_of, match_of
from tests.support.small_files import WRITTEN as USUAL
from tests.support.small_xg import NORA, read, score
from tests.support.xg_tampering import RECORDS, Entry, changed, records_of, sealed, with_registry

ODD = ("木村 光一", "Łukasz 🎲")
ANSI = write(replace(USUAL, version=23))


@pytest.mark.parametrize(
    ("content", "first"),
    [
        pytest.param(
            write(replace(USUAL, players=ODD, version=24)), ODD[0], id="UTF-16 from version 24 on"
        ),
        pytest.param(ANSI, "Nora Lindqvist", id="ANSI before"),
        pytest.param(
            changed(ANSI, 0, at.MATCH_HEADER_LAYOUT, player1=b"\xff" + b"N" * 40),
            "N" * 40,
            id="length beyond the field",
        ),
        pytest.param(
            changed(
                CONTENT,
                0,
                at.MATCH_HEADER_LAYOUT,
                player1_utf16="Nora".encode("utf-16-le") + b"\0\0" + b"\xd8" * 248,
            ),
            "Nora",
            id="garbage behind the end",
        ),
    ],
)
def test_name_is_read_to_its_end(content: bytes, first: str) -> None:
    match = read_xg("nora.xg", content)
    assert (match.players[0], match.event) == (first, "Nordic Open")


PICTURE = b"\xff\xd8 a board"
WHOLE = b"".join(records_of(CONTENT))
STRANGE = bytearray(b"\xff" * 8 + b"\x4d" + b"\xff" * (at.RECORD_SIZE - 9))
ALIKE: dict[str, bytes] = {
    **{
        f"version {version}": write(replace(USUAL, version=version))
        for version in (8, 23, 24, 29, 30, 31, 32, 33, 40)
    },
    "records of unknown types": sealed(
        CONTENT, [record for sound in records_of(CONTENT) for record in (sound, STRANGE)]
    ),
    "stored members": with_registry(CONTENT, Entry(RECORDS, WHOLE, compressed=False), packed=False),
    "a thumbnail": CONTENT[:20]
    + len(PICTURE).to_bytes(4, "little")
    + CONTENT[24:HEADER_SIZE]
    + PICTURE
    + CONTENT[HEADER_SIZE:],
    "other members": with_registry(
        CONTENT, Entry("temp.xgc", b"\xff" * 2560), Entry(RECORDS, WHOLE), Entry("temp.new", b"")
    ),
}


def codes(match: Match) -> list[str]:
    """Of its notes, without those of records made by hand, which do not follow from one another."""
    return [note.code for note in match.notes if note.code != "records-disagree"]


@pytest.mark.parametrize("form", ALIKE)
def test_file_reads_alike_and_a_version_that_is_not_verified_is_noted(form: str) -> None:
    match = read_xg("nora.xg", ALIKE[form])
    noted = form.startswith("version") and not 30 <= int(form.split()[1]) <= 32
    assert codes(match) == ["file-version"] * noted
    assert statistics(match).figures(NORA) == score(USUAL).figures(NORA)


def test_game_and_match_without_footers_are_unfinished_but_scored() -> None:
    games = tuple(replace(game, ending=None) for game in USUAL.games)
    match = read(replace(USUAL, games=games))
    assert match.games.winner.tolist() == [-1, -1]
    assert match.games.points.tolist() == [0, 0]
    assert not match.complete
    assert statistics(match).figures(NORA) == score(USUAL).figures(NORA)


def test_match_is_complete_when_the_last_game_reaches_its_length() -> None:
    assert not read(USUAL).complete
    decided = game_of(
        Turn(1, START, move=Move((3, 1), (POINT, SPLIT))),
        score=(3, 4),
        ending=Ending(winner=2, points=1),
    )
    assert read(match_of(decided)).complete
    assert read(match_of(decided, ended=True)).complete


def test_missing_game_record_is_noted() -> None:
    records = records_of(CONTENT)
    missing = bytearray(at.RECORD_SIZE)
    missing[8] = 6
    match = read_xg("nora.xg", sealed(CONTENT, [*records, missing]))
    assert codes(match) == ["games-missing"]


@pytest.mark.parametrize("points", [5, 9, 1004])
def test_points_are_at_most_what_the_last_cube_allows(points: int) -> None:
    content = DEMONSTRATION.with_suffix(".xg").read_bytes()
    kinds = [record[8] for record in records_of(content)]
    sound = read_match("sound.xg", content)
    for game, row in enumerate(row for row, kind in enumerate(kinds) if kind == at.GAME_FOOTER):
        tampered = changed(content, row, at.GAME_FOOTER_LAYOUT, points=points)
        match = read_match("points.xg", tampered)
        notes = [note.evidence for note in match.notes if note.code == "impossible-result"]
        plays = sound.plays
        most = 3 * int(plays.cube[plays.game == game][-1])
        passed = bool(((sound.cubes.game == game) & (sound.cubes.kind == Kind.PASS)).any())
        most = most // 3 if passed else most
        assert match.games.points[game] == min(points, most)
        assert len(notes) == (points > most)
