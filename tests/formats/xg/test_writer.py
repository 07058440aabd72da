"""The writer of `.xg` files, held against the description of the format."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from reconcile.formats.written import (
    Candidate,
    Cube,
    Double,
    Ending,
    Game,
    Move,
    Take,
    Termination,
    Turn,
    Verdict,
    WrittenMatch,
    level_equity,
)
from reconcile.formats.xg import records as at
from reconcile.formats.xg.writer import (
    checker_error,
    cube_error,
    is_irrelevant,
    take_error,
    verdict,
    write,
)
from reconcile.match.board.position import START, swap
from tests.support.claims import some
from tests.support.small_files import after

HEADER = 8232
RECORD = 2560


BEST = Candidate(((8, 5), (6, 5)), after((8, 5), (6, 5)), level_equity(0.25))
SECOND = Candidate(((24, 21), (6, 5)), after((24, 21), (6, 5)), level_equity(0.125))
AFTER = swap(BEST.position)
ANALYSED = Cube(Double.NO, no_double=level_equity(0.5), double_take=level_equity(0.625))

MATCH = WrittenMatch(
    players=("Nora Lindqvist", "Tomás Beck"),
    length=5,
    games=(
        Game(
            turns=(
                Turn(1, START, move=Move((3, 1), (BEST, SECOND), played=1, luck=0.5)),
                Turn(2, AFTER, Cube(Double.YES, Take.TAKE, level_equity(0.5), level_equity(0.625))),
                Turn(
                    1,
                    swap(AFTER),
                    move=Move((6, 6), (replace(BEST, position=swap(AFTER), play=()),)),
                ),
                Turn(2, AFTER, Cube(), Move((2, 1), (BEST, SECOND))),
                Turn(1, START, Cube(Double.YES, Take.PASS, level_equity(0.75), level_equity(1.5))),
            ),
            score=(0, 0),
            ending=Ending(winner=1, points=2, termination=Termination.PASS),
        ),
        Game(turns=(Turn(2, START, Cube()),), score=(2, 0), ending=None, crawford=False),
    ),
    event="An event",
    ended=False,
)
ROWS = {
    name: row
    for row, name in enumerate(
        [
            "header",
            "game",
            "first cube",
            "first move",
            "taken",
            "",
            "dance",
            "owned",
            "second move",
            "passed",
            "footer",
        ]
    )
}


def members(content: bytes) -> dict[str, bytes]:
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


def records(match: WrittenMatch) -> list[bytes]:
    content = members(write(match))["temp.xg"]
    assert len(content) % RECORD == 0
    return [content[i : i + RECORD] for i in range(0, len(content), RECORD)]


def test_front_of_the_file_has_its_magic_and_title_and_the_index_is_the_first_and_last_record() -> (
    None
):
    content = write(MATCH)
    assert content[:4] == b"RGMH"
    assert struct.unpack_from("<II", content, 4) == (1, HEADER)
    assert (
        content[2088:4136].decode("utf-16-le").rstrip("\0")
        == "Nora Lindqvist vs. Tomás Beck, 5 point match2-0"
    )
    result = members(content)
    assert result["temp.xgi"] == result["temp.xg"][:RECORD] + result["temp.xg"][-RECORD:]
    assert content == write(replace(MATCH))


LATER = replace(MATCH, games=(replace(MATCH.games[0], score=(1, 3)),))
RESIGNED = replace(
    MATCH,
    games=(
        Game(
            (Turn(1, START, move=Move((3, 1), (BEST, SECOND), played=None, was_played=False)),),
            (0, 0),
            None,
        ),
    ),
)
DOUBLED = replace(MATCH, games=(replace(MATCH.games[0], automatic_doubles=1),))


MATCHES = {"match": MATCH, "later": LATER, "resigned": RESIGNED, "doubled": DOUBLED}
FIELDS = yaml.safe_load(Path(__file__).with_name("fields.yaml").read_text("utf-8"))


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field[-1])
def test_field_is_where_the_description_says(field: Any) -> None:
    match, row, form, offset, expected, _ = field
    assert (
        list(struct.unpack_from("<" + form, records(MATCHES[match])[ROWS[row]], offset)) == expected
    )


def test_positions_and_verdict_are_where_the_description_says() -> None:
    play, cube = records(MATCH)[ROWS["second move"]], records(MATCH)[ROWS["first cube"]]
    positions = swap(AFTER), AFTER, BEST.position  # player one's, then the roller's
    assert tuple(struct.unpack_from("<26b", play, offset) for offset in (9, 124, 35)) == positions
    assert struct.unpack_from("<h", cube, 64 + 56) == (Verdict.NOT_ANALYSED,)


def test_names_are_kept_twice_and_only_as_ansi_before_version_24() -> None:
    new = records(MATCH)[0]
    assert new[50:61] == b"\x0aTom\xe1s Beck"
    assert new[1138:1160].decode("utf-16-le").rstrip("\0") == "Tomás Beck"
    old = records(replace(MATCH, version=23))[0]
    assert old[50:61] == new[50:61]
    assert not any(old[622:2220])


def test_play_outside_the_candidates_must_be_given() -> None:
    turn = Turn(1, START, move=Move((3, 1), (BEST, SECOND), played=None))
    with pytest.raises(ValueError, match="not among the 2 candidates"):
        write(replace(MATCH, games=(Game((turn,), (0, 0), None),)))


def test_errors_have_xg_s_signs_and_those_below_a_ten_thousandth_are_zero() -> None:
    assert cube_error(ANALYSED, Verdict.DOUBLE_TAKE) == 0.125
    passed, take_here = (
        replace(ANALYSED, double=Double.YES, take=take) for take in (Take.PASS, Take.TAKE)
    )
    assert [take_error(each) for each in (passed, take_here, ANALYSED)] == [-0.375, 0.0, 0.0]
    near = replace(SECOND, evaluation=level_equity(0.24995))
    # The best is the first candidate even when another scores higher.
    assert [checker_error(two, 1) for two in ((SECOND, BEST), (BEST, SECOND), (BEST, near))] == [
        0.0,
        -0.125,
        0.0,
    ]
    assert [is_irrelevant(each) for each in ((BEST, near), (BEST,), (BEST, SECOND))] == [
        True,
        True,
        False,
    ]


def test_verdict_of_a_cube_and_nominal_error_of_a_double_that_changes_nothing() -> None:
    values = ((0.5, 0.25), (0.5, 0.75), (0.5, 1.25), (1.125, 1.25))
    assert [verdict(*each) for each in values] == [
        Verdict.NO_DOUBLE,
        Verdict.DOUBLE_TAKE,
        Verdict.DOUBLE_PASS,
        Verdict.TOO_GOOD,
    ]
    assert verdict(0.5, 0.75, opponent_one_away=True) == Verdict.OPPONENT_ONE_AWAY
    same = replace(ANALYSED, double_take=level_equity(0.5))
    assert cube_error(same, Verdict.OPPONENT_ONE_AWAY) == 0.0001
    assert cube_error(same, Verdict.DOUBLE_TAKE) == 0.0


LAYOUTS = {name: layout for name, layout in vars(at).items() if name.endswith("_LAYOUT")}


@pytest.mark.parametrize("name", LAYOUTS)
def test_fields_follow_each_other_without_overlap_as_long_for_the_reader_as_for_the_writer(
    name: str,
) -> None:
    end = at.TYPE_OFFSET
    for field, (form, offset) in some(LAYOUTS[name].items()):
        assert offset >= end, field
        size = struct.calcsize(f"<{at.struct_form(form)}")
        assert at.numpy_type(form).itemsize == size, field
        end = offset + size
    assert end <= at.RECORD_SIZE
