"""What an `.xg` file says: names, rules and games from headers and footers, what XG decided
from records, and what does not follow from the records before; a broken archive around them is
refused."""

from __future__ import annotations

import struct
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from reconcile.errors import UnreadableFile
from reconcile.formats import load_match, read_match
from reconcile.formats.written import (
    UNSCORED,
    Cube,
    Double,
    Ending,
    Move,
    Take,
    Termination,
    Turn,
    WrittenMatch,
)
from reconcile.formats.xg import container
from reconcile.formats.xg import read as read_xg
from reconcile.formats.xg import records as at
from reconcile.formats.xg.container import HEADER_SIZE, archive
from reconcile.formats.xg.writer import write
from reconcile.match.board.position import START
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.scoring.statistics import statistics
from tests.formats.facts import fact, field
from tests.support.data import FOLDER, cases, matching
from tests.support.loaded import DEMONSTRATION
from tests.support.long import long_but_first
from tests.support.small_files import (
    CLOSE,
    CONTENT,
    MADE,
    PASSED,
    POINT,
    SPLIT,
    TAKEN,
    WRITTEN,
    after,
    game_of,
    match_of,
)
from tests.support.small_files import WRITTEN as USUAL
from tests.support.small_xg import NORA, opening, read, refused, score
from tests.support.xg_tampering import (
    RECORDS,
    Entry,
    changed,
    first,
    records_of,
    sealed,
    with_entry,
    with_registry,
)

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


BOTH = (POINT, SPLIT)


def elsewhere(play: tuple[tuple[int, int], ...], error: float) -> Move:
    """A play that is not among the candidates."""
    return Move((3, 1), (POINT,), played=None, play=play, after=after(*play), error=error)


def of_turns(*turns: Turn, **header: Any) -> WrittenMatch:
    return match_of(game_of(*turns), **header)


RESIGNED = Ending(2, 1, Termination.RESIGNED_SINGLE, resign_error=-0.125, take_resign_error=0.0)
WRITTEN_FOR: dict[str, WrittenMatch] = {
    "the best is candidate 0 even when another is worth more": opening(
        Move((3, 1), (SPLIT, POINT), played=0)
    ),
    "the play made is found by the position after it": opening(
        Move((3, 1), BOTH, played=None, play=SPLIT.play, after=SPLIT.position, error=-0.125)
    ),
    "or has no equity but its stored error": opening(elsewhere(((13, 10), (13, 12)), -0.5)),
    "the stored error counts and not the difference of equities": opening(
        Move((3, 1), BOTH, played=1, error=-0.0625)
    ),
    "a play counts where its byte says so": opening(Move((3, 1), (POINT,), irrelevant=False)),
    "and does not where it does not": opening(Move((3, 1), BOTH, irrelevant=True)),
    "the error of a play that does not count still adds to the total": opening(
        Move((3, 1), BOTH, played=1, irrelevant=True)
    ),
    "-1000 is unknown and not an error of 1000": opening(Move((3, 1), BOTH, error=UNSCORED)),
    "a cube without a score is unknown": of_turns(Turn(2, MADE, Cube(Double.YES, Take.TAKE))),
    "a file without any analysis has no rate": opening(
        Move((3, 1), (), played=None, play=POINT.play, after=POINT.position)
    ),
    "an illegal play is neither counted nor expected": opening(Move((3, 1), BOTH, invalid=2)),
    "a roll that was not played is no move": opening(
        Move((3, 1), BOTH, played=None, was_played=False)
    ),
    "a dance is a forced move that moves nothing": opening(
        Move((6, 6), (replace(POINT, play=(), position=START),))
    ),
    "a resignation error adds without a decision": match_of(
        game_of(Turn(1, START, move=Move((3, 1), BOTH)), ending=RESIGNED)
    ),
    "positions are the decider's own, the owner of the cube the doubler's in cubes": WRITTEN,
    "errors are positive whatever sign XG stores": of_turns(
        Turn(1, START, replace(PASSED, error=0.125, take_error=-0.5))
    ),
    "luck of a file with none but zeros is unknown": opening(Move((3, 1), BOTH)),
    "no access to the cube is no decision": of_turns(
        Turn(1, START, Cube()), Turn(2, START, Cube(Double.ENDED_BEFORE))
    ),
    "a beaver is a response of its own kind": of_turns(
        Turn(1, START, replace(TAKEN, take=Take.BEAVER)), length=None, beaver=True
    ),
}
FACTS: dict[str, dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("stored.yaml").read_text("utf-8")
)


@pytest.mark.parametrize("claim", FACTS)
def test_what_xg_stored_is_read(claim: str) -> None:
    match = read(WRITTEN_FOR[claim])
    assert {path: fact(match, path) for path in FACTS[claim]} == FACTS[claim]


def test_user_s_bookmarks_change_nothing() -> None:
    plain = write(of_turns(Turn(1, START, CLOSE, Move((3, 1), BOTH))))
    marked = changed(
        changed(plain, 2, at.CUBE_LAYOUT, bookmarked=1), 3, at.MOVE_LAYOUT, bookmarked=1
    )
    assert marked != plain
    first, second = (statistics(read_xg("nora.xg", content)) for content in (marked, plain))
    assert first.figures(NORA) == second.figures(NORA)


BOMBS: dict[str, Callable[[bytes], bytes]] = {
    "records": lambda c: with_registry(c, Entry(RECORDS, bytes(20 * 2**20), size=2560 * 8)),
    "registry": lambda c: with_registry(c, Entry(RECORDS, b""), registry=bytes(20 * 2**20)),
}


@pytest.mark.parametrize("tamper", BOMBS.values(), ids=BOMBS.keys())
def test_member_is_inflated_no_further_than_the_size_it_states(
    tamper: Callable[[bytes], bytes],
) -> None:
    content = tamper(CONTENT)
    tracemalloc.start()
    try:
        assert "expected" in refused(content)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("path", cases("damaged/*.xg"))
def test_damaged_real_file_is_refused(path: Path) -> None:
    with pytest.raises(UnreadableFile, match="expected"):
        read_match(path.name, path.read_bytes())


@pytest.mark.parametrize("missing", [("deflate",), ("deflate", "zlib_ng")])
def test_members_are_the_same_without_libdeflate(
    missing: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in missing:
        monkeypatch.setitem(sys.modules, name, None)
    spec = find_spec(container.__name__)
    assert spec is not None
    assert spec.loader is not None
    other = module_from_spec(spec)
    monkeypatch.setitem(
        sys.modules, spec.name, other
    )  # where its classes look for their annotations
    spec.loader.exec_module(other)
    assert other.zlib_decompress.__module__ == container.__name__
    opened = other.open_archive("nora.xg", CONTENT)
    assert {name: opened.read(name) for name in opened.members} == members(CONTENT)
    with pytest.raises(UnreadableFile, match=r"temp\.xg has 2560 bytes"):
        other.open_archive("x.xg", with_entry(CONTENT, size=2560)).read(RECORDS)


def members(content: bytes) -> dict[str, bytes | bytearray]:
    opened = container.open_archive("nora.xg", content)
    return {name: opened.read(name) for name in opened.members}


def test_what_stands_behind_the_last_candidate_is_not_read() -> None:
    records = records_of(CONTENT)
    for record in records:
        if record[8] == 3:
            (count,) = struct.unpack_from("<i", record, 188)
            for behind in range(count, 32):
                struct.pack_into("<7f", record, 1408 + 28 * behind, *(3e38,) * 7)
    junk, sound = read_xg("nora.xg", sealed(CONTENT, records)), score(USUAL)
    assert statistics(junk).figures(NORA) == sound.figures(NORA)
    assert statistics(junk, "gnubg").figures(NORA) == statistics(sound.match, "gnubg").figures(NORA)


@pytest.mark.parametrize(("layout", "kind"), [(at.MOVE_LAYOUT, "plays"), (at.CUBE_LAYOUT, "cubes")])
@pytest.mark.parametrize("checkers", [16, 127, -128])
def test_position_with_more_checkers_than_there_are_is_refused_where_positions_are_asked_for(
    layout: Any, kind: str, checkers: int
) -> None:
    row = first(CONTENT, 3) if kind == "plays" else 4
    match = read_xg(
        "x.xg", changed(CONTENT, row, layout, position=(0,) * 10 + (checkers,) + (0,) * 15)
    )
    with pytest.raises(
        UnreadableFile, match=f"expected at most 15 checkers on a point, found {abs(checkers)}"
    ):
        getattr(match, kind).position  # noqa: B018
    assert statistics(match).figures(NORA)["decisions.counted"]


XG = DEMONSTRATION.with_suffix(".xg")
CODES = ("records-disagree", "after-footer", "file-cut")
Records = list[bytearray]


def findings(match: Match) -> list[str]:
    return [note.evidence for note in match.notes if note.code in CODES]


def figures(match: Match) -> list[dict[str, float | None]]:
    return [
        statistics(match, rules).figures(seat) for rules in ("xg", "gammonview") for seat in (0, 1)
    ]


@cache
def sound() -> tuple[bytes, Records]:
    content = XG.read_bytes()
    return content, records_of(content)


def read_records(records: Records) -> Match:
    return read_match("changed.xg", sealed(sound()[0], records))


def reported_or_same(records: Records) -> bool:
    """Whether nothing changed without a word."""
    try:
        match = read_records(records)
    except UnreadableFile:
        return True
    return bool(findings(match)) or str(figures(match)) == str(figures(load_match(XG)))


def test_sound_files_have_no_such_finding() -> None:
    for path in (XG, *matching("real/*.xg", "bgblitz/xg/*.xg")):
        assert findings(load_match(path)) == [], path.name


def tampered(records: Records, seed: int) -> Iterator[Records]:
    """One record of each kind taken out, doubled, or under the next but one."""
    chance = Random(seed)
    for kind in range(1, at.MATCH_FOOTER + 1):
        row = chance.choice([row for row, record in enumerate(records) if record[8] == kind])
        yield records[:row] + records[row + 1 :]
        yield records[: row + 1] + records[row:]
        yield [*records[:row], *records[row + 1 : row + 3], records[row], *records[row + 3 :]]


@pytest.mark.parametrize("seed", long_but_first(range(40), 4))
def test_record_taken_out_doubled_or_moved_changes_no_figure_without_a_finding(seed: int) -> None:
    assert all(map(reported_or_same, tampered(sound()[1], seed)))


CHANGES: dict[str, tuple[str, dict[str, Any]]] = yaml.safe_load(
    Path(__file__).with_name("changes.yaml").read_text("utf-8")
)


@pytest.mark.parametrize("words", CHANGES)
def test_changed_field_is_reported(words: str) -> None:
    kind, values = CHANGES[words]
    fields = {name: field(value) for name, value in values.items()}
    content, records = sound()
    rows = [row for row, record in enumerate(records) if record[8] == getattr(at, kind)]
    tampered_with = [changed(content, row, at.LAYOUTS[kind], **fields) for row in rows[1:4]]
    unlike = [file for file in tampered_with if records_of(file) != records]
    assert unlike
    for file in unlike:
        outcome = findings(read_match("changed.xg", file))
        assert any(words in evidence for evidence in outcome), outcome


def test_records_behind_the_match_footer_are_left_out() -> None:
    records = sound()[1]
    match = read_records([*records, *records[1:50]])
    assert str(figures(match)) == str(figures(load_match(XG)))
    assert findings(match) == ["49 records of temp.xg"]


@pytest.mark.parametrize("cut", [at.RECORD_SIZE, 1, 1000])
def test_file_without_its_last_record_is_read_as_far_as_it_goes(cut: int) -> None:
    content, records = sound()
    blob = b"".join(records)[:-cut]
    match = read_match("cut.xg", content[:HEADER_SIZE] + archive({RECORDS: blob}))
    assert str(figures(match)) == str(figures(load_match(XG)))
    rest = len(blob) % at.RECORD_SIZE
    assert findings(match) == [
        f"{rest} bytes of a record at the end of temp.xg"
        if rest
        else "no record for the end of the match"
    ]


def test_order_of_records_is_looked_at_once_when_somebody_looks_at_the_notes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = []

    def odd(*_: object) -> list[str]:
        calls.append("looked")
        return ["record 1: odd"]

    monkeypatch.setattr("reconcile.formats.xg.disagreements", odd)
    match = load_match(XG)
    figures(match)
    assert not calls
    assert findings(match) == ["record 1: odd"] == [note.evidence for note in match.notes[-1:]]
    assert match.notes == tuple(match.notes) != ()
    assert len(calls) == len(match.notes) == 1


@pytest.mark.parametrize("name", ["after-footer.xg", "page-index.xg"])
def test_field_files_carry_a_finding(name: str) -> None:
    path = FOLDER / "field" / name
    if not path.is_file():
        pytest.skip("no folder of field documents")
    assert findings(load_match(path))
