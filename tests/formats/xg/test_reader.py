"""What an `.xg` file says: names, rules and games from headers and footers, what XG decided
from records; a broken archive around them is refused. What is in single records is in
`cases/xg.yaml`."""

import struct
import sys
import tracemalloc
from dataclasses import replace
from functools import cache
from importlib.util import find_spec, module_from_spec

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import load_match, read_match
from reconcile.formats.xg import records as at
from reconcile.formats.xg.records import HEADER_SIZE
from reconcile.match.columns import Kind
from reconcile.scoring.statistics import statistics
from tests.formats.small_xg import NORA, read, refused
from tests.support.data import cases
from tests.support.loaded import DEMONSTRATION
from tests.support.small_files import CONTENT, WRITTEN
from tests.support.xg_tampering import (
    RECORDS,
    changed,
    records_of,
    sealed,
    with_entry,
    with_members,
    with_registry,
)
from tests.support.xg_writer import Entry, write

ODD = ("木村 光一", "Łukasz 🎲")
ANSI = write(replace(WRITTEN, version=23))
LONG = "Nora\0".encode("utf-16-le") + b"\xd8" * 248
HEADER = at.MATCH_HEADER_LAYOUT
NAMED = {
    "UTF-16 from version 24 on": (write(replace(WRITTEN, players=ODD, version=24)), ODD[0]),
    "ANSI before": (ANSI, "Nora Lindqvist"),
    "length beyond the field": (changed(ANSI, 0, HEADER, player1=b"\xff" + b"N" * 40), "N" * 40),
    "garbage behind the end": (changed(CONTENT, 0, HEADER, player1_utf16=LONG), "Nora"),
}


@pytest.mark.parametrize(("content", "name"), NAMED.values(), ids=NAMED)
def test_name_is_read_to_its_end(content, name):
    match = read_match("nora.xg", content)
    assert (match.players[0], match.event) == (name, "Nordic Open")


def with_junk(records):
    """The records with impossible equities behind the last candidate."""
    for record in records:
        if record[8] == at.MOVE:
            (count,) = struct.unpack_from("<i", record, 188)
            struct.pack_into(
                f"<{7 * (32 - count)}f", record, 1408 + 28 * count, *[3e38] * 7 * (32 - count)
            )
    return records


PICTURE = b"\xff\xd8 a board"
WHOLE = b"".join(records_of(CONTENT))
STRANGE = bytearray(b"\xff" * 8 + b"\x4d" + b"\xff" * (at.RECORD_SIZE - 9))
MARKED = changed(CONTENT, 4, at.CUBE_LAYOUT, bookmarked=1)
PLAIN = Entry(RECORDS, WHOLE, compressed=False)
OTHERS = Entry("temp.xgc", b"\xff" * 2560), Entry(RECORDS, WHOLE), Entry("temp.new", b"")
ALIKE: dict[str, bytes] = {
    **{
        f"version {version}": write(replace(WRITTEN, version=version))
        for version in (8, 23, 24, 29, 30, 32, 33)
    },
    "records of unknown types": sealed(
        CONTENT, [record for sound in records_of(CONTENT) for record in (sound, STRANGE)]
    ),
    "stored members": with_registry(CONTENT, PLAIN, packed=False),
    "a thumbnail": b"".join(
        (CONTENT[:20], len(PICTURE).to_bytes(4, "little"), CONTENT[24:HEADER_SIZE], PICTURE)
    )
    + CONTENT[HEADER_SIZE:],
    "other members": with_registry(CONTENT, *OTHERS),
    "bookmarks": changed(MARKED, 3, at.MOVE_LAYOUT, bookmarked=1),
    "junk behind the last candidate": sealed(CONTENT, with_junk(records_of(CONTENT))),
}


def codes(match):
    return [note.code for note in match.notes]


@pytest.mark.parametrize("form", ALIKE)
def test_file_reads_alike_and_a_version_that_is_not_verified_is_noted(form):
    match, sound = read_match("nora.xg", ALIKE[form]), read(WRITTEN)
    noted = form.startswith("version") and not 30 <= int(form.split()[1]) <= 32
    assert codes(match) == ["file-version"] * noted
    for rules in ("xg", "gnubg"):
        expected = statistics(sound, rules).figures(NORA)
        assert statistics(match, rules).figures(NORA) == expected


def test_missing_game_record_is_noted():
    missing = bytearray(at.RECORD_SIZE)
    missing[8] = at.MISSING_GAME
    match = read_match("nora.xg", sealed(CONTENT, [*records_of(CONTENT), missing]))
    assert codes(match) == ["games-missing"]


XG = DEMONSTRATION.with_suffix(".xg")


@cache
def sound():
    content = XG.read_bytes()
    return content, records_of(content)


def rows_of(kind):
    """The records of a kind in the bundled file."""
    return [row for row, record in enumerate(sound()[1]) if record[8] == kind]


@pytest.mark.parametrize("points", [5, 9])
def test_points_are_at_most_what_the_last_cube_allows(points):
    match = load_match(XG)
    for game, row in enumerate(rows_of(at.GAME_FOOTER)):
        tampered = changed(sound()[0], row, at.GAME_FOOTER_LAYOUT, points=points)
        read_again = read_match("points.xg", tampered)
        passed = ((match.cubes.game == game) & (match.cubes.kind == Kind.PASS)).any()
        most = int(match.plays.cube[match.plays.game == game][-1]) * (1 if passed else 3)
        assert read_again.games.points[game] == min(points, most)
        assert ("impossible-result" in codes(read_again)) == (points > most)


BOMBS = {
    "records": with_registry(CONTENT, Entry(RECORDS, bytes(20 * 2**20), size=2560 * 8)),
    "registry": with_registry(CONTENT, Entry(RECORDS, b""), registry=bytes(20 * 2**20)),
}


@pytest.mark.parametrize("content", BOMBS.values(), ids=BOMBS)
def test_member_is_inflated_no_further_than_the_size_it_states(content):
    tracemalloc.start()
    try:
        assert "expected" in refused(content)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("path", cases("damaged/*.xg"))
def test_damaged_real_file_is_refused(path):
    with pytest.raises(UnreadableFile, match="expected"):
        read_match(path.name, path.read_bytes())


def test_members_are_the_same_without_libdeflate(monkeypatch):
    monkeypatch.setitem(sys.modules, "deflate", None)
    spec = find_spec(at.__name__)
    assert spec is not None
    assert spec.loader is not None
    other = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, other)  # where its classes look for annotations
    spec.loader.exec_module(other)
    assert other.zlib_decompress.__module__ == at.__name__
    for module in (other, at):
        assert bytes(module.open_archive(CONTENT).read(RECORDS)) == WHOLE
    with pytest.raises(UnreadableFile, match=r"temp\.xg has 2560 bytes"):
        other.open_archive(with_entry(CONTENT, size=2560)).read(RECORDS)


def findings(match):
    return [note.evidence for note in match.notes if note.code in ("after-footer", "file-cut")]


def figures(match):
    return str(
        [
            statistics(match, rules).figures(seat)
            for rules in ("xg", "gammonview")
            for seat in (0, 1)
        ]
    )


def read_records(records):
    return read_match("changed.xg", sealed(sound()[0], records))


def test_records_behind_the_match_footer_are_left_out():
    records = sound()[1]
    match = read_records([*records, *records[1:50]])
    assert figures(match) == figures(load_match(XG))
    assert findings(match) == ["49 records of temp.xg"]


@pytest.mark.parametrize(
    ("cut", "finding"),
    [
        (at.RECORD_SIZE, "no record for the end of the match"),
        (1, "2559 bytes of a record at the end of temp.xg"),
        (1000, "1560 bytes of a record at the end of temp.xg"),
    ],
)
def test_file_without_its_last_record_is_read_as_far_as_it_goes(cut, finding):
    content, records = sound()
    blob = b"".join(records)[:-cut]
    match = read_match("cut.xg", with_members(content, {RECORDS: blob}))
    assert figures(match) == figures(load_match(XG))
    assert findings(match) == [finding]
