"""The writer of `.xg` files, held against the description of the format."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace

import pytest

from reconcile.formats.written import (
    UNSCORED,
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
from reconcile.formats.xg.conventions import checker_error, cube_error, is_irrelevant, take_error, verdict
from reconcile.formats.xg.writer import write
from reconcile.match.board.position import START, swap
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
                Turn(1, swap(AFTER), move=Move((6, 6), (replace(BEST, position=swap(AFTER), play=()),))),
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
FIRST_CUBE, FIRST_MOVE, TAKEN, DANCE, OWNED, SECOND_MOVE, PASSED, FOOTER = 2, 3, 4, 6, 7, 8, 9, 10


def members(content: bytes) -> dict[str, bytes]:
    """The members of a container, read by the trailer and the registry, every checksum checked."""
    crc, count, version, registry_size, size, compressed = struct.unpack_from("<IiiiiI", content, len(content) - 36)
    start = len(content) - 36 - registry_size - size
    assert start == HEADER + struct.unpack_from("<I", content, 20)[0]
    assert (crc, version) == (zlib.crc32(content[start:-36]), 1)
    registry = content[start + size : -36]
    registry = zlib.decompress(registry) if compressed else registry
    assert len(registry) == 532 * count
    found = {}
    for entry in (registry[i : i + 532] for i in range(0, len(registry), 532)):
        original, stored, offset, checksum, status = struct.unpack_from("<iiiIB", entry, 512)
        blob = content[start + offset : start + offset + stored]
        member = blob if status == 1 else zlib.decompress(blob)
        assert (len(member), zlib.crc32(member)) == (original, checksum)
        found[entry[1 : 1 + entry[0]].decode("ascii")] = member
    return found


def records(match: WrittenMatch) -> list[bytes]:
    content = members(write(match))["temp.xg"]
    assert len(content) % RECORD == 0
    return [content[i : i + RECORD] for i in range(0, len(content), RECORD)]


def read(record: bytes, form: str, offset: int) -> tuple[int | float, ...]:
    return struct.unpack_from("<" + form, record, offset)


def test_front_of_the_file_is_8232_bytes_with_its_magic_and_title() -> None:
    content = write(MATCH)
    assert content[:4] == b"RGMH"
    assert struct.unpack_from("<II", content, 4) == (1, HEADER)
    title = content[2088:4136].decode("utf-16-le").rstrip("\0")
    assert title == "Nora Lindqvist vs. Tomás Beck, 5 point match2-0"


def test_index_member_is_the_first_and_the_last_record() -> None:
    found = members(write(MATCH))
    assert found["temp.xgi"] == found["temp.xg"][:RECORD] + found["temp.xg"][-RECORD:]


def test_same_match_gives_the_same_bytes() -> None:
    assert write(MATCH) == write(replace(MATCH))


def test_every_move_record_follows_a_cube_record() -> None:
    kinds = [record[8] for record in records(MATCH)]
    assert kinds == [0, 1, 2, 3, 2, 2, 3, 2, 3, 2, 4, 1, 2]
    assert [record[8] for record in records(replace(MATCH, ended=True))][-1] == 5


def test_names_are_kept_twice_and_only_as_ansi_before_version_24() -> None:
    new = records(MATCH)[0]
    assert new[50:61] == b"\x0aTom\xe1s Beck"
    assert new[1138:1160].decode("utf-16-le").rstrip("\0") == "Tomás Beck"
    old = records(replace(MATCH, version=23))[0]
    assert old[50:61] == new[50:61]
    assert not any(old[622:2220])


def test_position_before_is_player_one_s_and_position_after_the_roller_s() -> None:
    move = records(MATCH)[SECOND_MOVE]
    assert read(move, "i", 64) == (-1,)
    assert read(move, "26b", 9) == swap(AFTER)
    assert read(move, "26b", 124) == AFTER
    assert read(move, "26b", 35) == BEST.position


def test_play_is_pairs_counted_from_zero_ended_by_minus_one() -> None:
    assert read(records(MATCH)[FIRST_MOVE], "8i", 68) == (23, 20, 5, 4, -1, -1, -1, -1)
    assert read(records(MATCH)[DANCE], "8i", 68) == (-1,) * 8


def test_cube_is_signed_by_its_owner_in_one_field_and_by_the_roller_in_the_other() -> None:
    taken, owned, passed = (records(MATCH)[i] for i in (TAKEN, OWNED, PASSED))
    assert read(taken, "i", 32) == (0,)
    assert read(taken, "2i", 64 + 40) == (1, 0)
    assert read(owned, "i", 32) == (1,)  # player 1 took
    assert read(records(MATCH)[SECOND_MOVE], "2i", 124 + 48) == (2, -1)  # seen by player 2
    assert read(passed, "2i", 64 + 40) == (2, 1)


def test_away_scores_are_the_roller_s_first() -> None:
    later = replace(MATCH.games[0], score=(1, 3))
    written = records(replace(MATCH, games=(later,)))
    assert read(written[FIRST_MOVE], "2i", 124 + 40) == (4, 2)
    assert read(written[TAKEN], "2i", 64 + 32) == (2, 4)
    assert read(written[1], "2i", 12) == (1, 3)


def test_cube_without_access_holds_no_score() -> None:
    cube = records(MATCH)[FIRST_CUBE]
    assert read(cube, "2i", 16) == (-2, -1)
    assert read(cube, "d", 200) + read(cube, "d", 216) == (UNSCORED, UNSCORED)
    assert read(cube, "h", 64 + 56) == (Verdict.NOT_ANALYSED,)


def test_roll_that_was_not_played_has_no_play_and_no_score() -> None:
    turn = Turn(1, START, move=Move((3, 1), (BEST, SECOND), played=None, was_played=False))
    record = records(replace(MATCH, games=(Game((turn,), (0, 0), None),)))[3]
    assert (record[2308], read(record, "d", 2312), read(record, "8i", 68)) == (0, (UNSCORED,), (0,) * 8)


def test_play_outside_the_candidates_must_be_given() -> None:
    turn = Turn(1, START, move=Move((3, 1), (BEST, SECOND), played=None))
    with pytest.raises(ValueError, match="not among the 2 candidates"):
        write(replace(MATCH, games=(Game((turn,), (0, 0), None),)))


def test_errors_have_xg_s_signs() -> None:
    written = records(MATCH)
    assert read(written[FIRST_MOVE], "d", 2312) == (-0.125,)
    assert read(written[TAKEN], "d", 200) + read(written[TAKEN], "d", 216) == (0.0, 0.0)
    assert cube_error(ANALYSED, Verdict.DOUBLE_TAKE) == 0.125
    assert take_error(replace(ANALYSED, double=Double.YES, take=Take.PASS)) == -0.375
    assert take_error(replace(ANALYSED, double=Double.YES, take=Take.TAKE)) == 0.0
    assert take_error(ANALYSED) == 0.0


def test_best_is_the_first_candidate_even_when_another_scores_higher() -> None:
    assert checker_error((SECOND, BEST), 1) == 0.0
    assert checker_error((BEST, SECOND), 1) == -0.125


def test_error_below_a_ten_thousandth_is_written_as_zero() -> None:
    near = replace(SECOND, evaluation=level_equity(0.24995))
    assert checker_error((BEST, near), 1) == 0.0
    assert is_irrelevant((BEST, near))
    assert not is_irrelevant((BEST, SECOND))
    assert is_irrelevant((BEST,))


def test_dance_is_flagged_as_no_decision() -> None:
    written = records(MATCH)
    assert written[DANCE][2304] == 1
    assert written[FIRST_MOVE][2304] == 0


def test_verdict_of_a_cube() -> None:
    assert verdict(0.5, 0.25) == Verdict.NO_DOUBLE
    assert verdict(0.5, 0.75) == Verdict.DOUBLE_TAKE
    assert verdict(0.5, 1.25) == Verdict.DOUBLE_PASS
    assert verdict(1.125, 1.25) == Verdict.TOO_GOOD
    assert verdict(0.5, 0.75, opponent_one_away=True) == Verdict.OPPONENT_ONE_AWAY


def test_post_crawford_double_that_changes_nothing_costs_a_nominal_error() -> None:
    same = replace(ANALYSED, double_take=level_equity(0.5))
    assert cube_error(same, Verdict.OPPONENT_ONE_AWAY) == 0.0001
    assert cube_error(same, Verdict.DOUBLE_TAKE) == 0.0


def test_footer_holds_the_score_after_the_game() -> None:
    footer = records(MATCH)[FOOTER]
    assert read(footer, "2i", 12) == (2, 0)
    assert read(footer, "3i", 24) == (1, 2, 0)
    doubled = replace(MATCH.games[0], automatic_doubles=1)
    assert read(records(replace(MATCH, games=(doubled,)))[FOOTER], "2i", 12) == (4, 0)
