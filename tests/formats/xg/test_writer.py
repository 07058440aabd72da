"""The writer of `.xg` files, held against the description of the format."""

import struct
import zlib
from dataclasses import replace

import pytest

from reconcile.formats.xg import records as at
from reconcile.match.board.position import START, swap
from tests.support.claims import some
from tests.support.small_files import MADE, ONLY, POINT, SPLIT, WRITTEN, game_of, match_of
from tests.support.tables import beside
from tests.support.written import (
    Cube,
    Double,
    Move,
    Take,
    Turn,
    Verdict,
    level_equity,
)
from tests.support.xg_writer import struct_form, write

HEADER = 8232
RECORD = 2560
CASES = beside(__file__)
FIRST = WRITTEN.games[0]
DANCE = Move((6, 6), (replace(POINT, position=START, play=()),))
UNPLAYED = Move((3, 1), (POINT, SPLIT), played=None, was_played=False)


def of_turn(move, cube=None, points=0):
    """A match of one turn."""
    return match_of(game_of(Turn(1, START, cube or Cube(), move), score=(0, points)))


MATCHES = {
    "match": WRITTEN,
    "later": replace(WRITTEN, games=(replace(FIRST, score=(1, 3)),)),
    "dance": of_turn(DANCE),
    "resigned": of_turn(UNPLAYED),
    "doubled": replace(WRITTEN, games=(replace(FIRST, automatic_doubles=1),)),
}


def members(content):
    """The members of a container, read by the trailer and the registry, every checksum checked."""
    crc, count, version, registry_size, size, compressed = struct.unpack_from(
        "<IiiiiI", content, len(content) - 36
    )
    start = len(content) - 36 - registry_size - size
    assert start == HEADER + struct.unpack_from("<I", content, 20)[0]
    assert (crc, version) == (zlib.crc32(content[start:-36]), 1)
    registry = content[start + size : -36]
    registry = zlib.decompress(registry) if compressed else registry
    assert len(registry) == 532 * count
    result = {}
    for entry in (registry[i : i + 532] for i in range(0, len(registry), 532)):
        original, stored, offset, checksum, status = struct.unpack_from("<iiiIB", entry, 512)
        blob = content[start + offset : start + offset + stored]
        member = blob if status == 1 else zlib.decompress(blob)
        assert (len(member), zlib.crc32(member)) == (original, checksum)
        result[entry[1 : 1 + entry[0]].decode("ascii")] = member
    return result


def record(match, row):
    content = members(write(match))["temp.xg"]
    assert len(content) % RECORD == 0
    return content[row * RECORD :][:RECORD]


def test_front_of_the_file_has_its_magic_and_title_and_the_index_is_the_first_and_last_record():
    content = write(WRITTEN)
    assert content[:4] == b"RGMH"
    assert struct.unpack_from("<II", content, 4) == (1, HEADER)
    title = content[2088:4136].decode("utf-16-le").rstrip("\0")
    assert title == "Nora Lindqvist vs. Tomás Beck, 5 point match2-1"
    result = members(content)
    assert result["temp.xgi"] == result["temp.xg"][:RECORD] + result["temp.xg"][-RECORD:]
    assert content == write(replace(WRITTEN))


@pytest.mark.parametrize("field", CASES["fields"], ids=lambda field: field[-1])
def test_field_is_where_the_description_says(field):
    match, row, form, offset, expected, _ = field
    written = record(MATCHES[match], row)
    assert list(struct.unpack_from("<" + form, written, offset)) == expected


def test_positions_are_where_the_description_says():
    play = record(WRITTEN, 5)
    positions = swap(MADE), MADE, ONLY.position  # player one's, then the roller's
    assert tuple(struct.unpack_from("<26b", play, offset) for offset in (9, 124, 35)) == positions


def test_names_are_kept_twice_and_only_as_ansi_before_version_24():
    new, old = record(WRITTEN, 0), record(replace(WRITTEN, version=23), 0)
    assert new[50:61] == old[50:61] == b"\x0aTom\xe1s Beck"
    assert new[1138:1160].decode("utf-16-le").rstrip("\0") == "Tomás Beck"
    assert not any(old[622:2220])


def test_play_outside_the_candidates_must_be_given():
    with pytest.raises(ValueError, match="not among the 2 candidates"):
        write(of_turn(Move((3, 1), (POINT, SPLIT), played=None)))


@pytest.mark.parametrize(("equities", "played", "error", "irrelevant"), CASES["plays"])
def test_error_of_a_play_and_whether_it_counts(equities, played, error, irrelevant):
    candidates = tuple(replace(POINT, evaluation=level_equity(equity)) for equity in equities)
    move = record(of_turn(Move((3, 1), candidates, played)), 3)
    assert (struct.unpack_from("<d", move, 2312), move[2304]) == ((error,), irrelevant)


@pytest.mark.parametrize("row", CASES["cubes"], ids=str)
def test_verdict_of_a_cube_and_its_errors_with_xg_s_signs(row):
    no_double, double_take, answer, points, verdict, *errors = row
    take = Take.NOT_ASKED if answer == "no" else Take[answer.upper()]
    cube = Cube(Double(answer != "no"), take, level_equity(no_double), level_equity(double_take))
    written = record(of_turn(None, cube, points), 2)
    assert struct.unpack_from("<h", written, 120) == (Verdict[verdict],)
    assert list(struct.unpack_from("<d8xd", written, 200)) == errors


LAYOUTS = {name: layout for name, layout in vars(at).items() if name.endswith("_LAYOUT")}


@pytest.mark.parametrize("name", LAYOUTS)
def test_fields_follow_each_other_without_overlap_as_long_for_the_reader_as_for_the_writer(
    name,
):
    end = at.TYPE_OFFSET
    for field, (form, offset) in some(LAYOUTS[name].items()):
        assert offset >= end, field
        size = struct.calcsize(f"<{struct_form(form)}")
        assert at.numpy_type(form).itemsize == size, field
        end = offset + size
    assert end <= at.RECORD_SIZE
