"""What the reader of `.xg` files takes from a file, and what it refuses; the files are made by the tests' own writer."""

from __future__ import annotations

import math
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time

import numpy as np
import pytest

from reconcile.adapters import read_match
from reconcile.adapters.xg import read_xg
from reconcile.columns import Kind, Validity
from reconcile.errors import UnreadableFile
from reconcile.match import Match
from reconcile.scoring.statistics import Statistics, statistics
from tests.support import xg_layout as at
from tests.support.data import cases
from tests.support.small_files import CLOSE, CONTENT, MADE, PASSED, POINT, SPLIT, TAKEN, after, game_of, match_of
from tests.support.small_files import WRITTEN as USUAL
from tests.support.xg_match import (
    START,
    UNSCORED,
    Cube,
    Double,
    Ending,
    Move,
    Take,
    Termination,
    Turn,
    turned,
)
from tests.support.xg_match import Match as Written
from tests.support.xg_tampering import RECORDS, Entry, changed, first, records_of, sealed, with_entry, with_registry
from tests.support.xg_writer import write

NORA, TOMAS = 0, 1


def opening(move: Move) -> Written:
    return match_of(game_of(Turn(1, START, move=move)))


def read(written: Written) -> Match:
    return read_xg("nora.xg", write(written))


def score(written: Written) -> Statistics:
    return statistics(read(written), "xg")


def refused(content: bytes) -> str:
    with pytest.raises(UnreadableFile) as caught:
        statistics(read_match("nora.xg", content))
    message = str(caught.value)
    assert message.startswith("nora.xg: ")
    assert "\n" not in message
    return message


# -- what XG decided stands -------------------------------------------------------------------------------------------


def test_best_is_candidate_0_even_when_another_is_worth_more() -> None:
    plays = read(opening(Move((3, 1), (SPLIT, POINT), played=0))).plays
    assert (plays.best[0], plays.played[0], plays.highest[0], plays.spread[0]) == (0.125, 0.125, 0.25, 0.125)


def test_play_made_is_found_by_the_position_after_it() -> None:
    plays = read(opening(Move((3, 1), (POINT, SPLIT), played=None, play=SPLIT.play, after=SPLIT.position, error=-0.125))).plays
    assert plays.played[0] == 0.125
    assert plays.play[0] == SPLIT.play


def test_play_that_no_candidate_leads_to_has_no_equity_but_its_stored_error() -> None:
    elsewhere = after((13, 10), (13, 12))
    plays = read(opening(Move((3, 1), (POINT,), played=None, play=((13, 10), (13, 12)), after=elsewhere, error=-0.5))).plays
    assert math.isnan(plays.played[0])
    assert plays.stored_error[0] == 0.5


def test_stored_error_counts_and_not_the_difference_of_equities() -> None:
    figures = score(opening(Move((3, 1), (POINT, SPLIT), played=1, error=-0.0625))).figures(NORA)
    assert figures["equity_error.checker"] == 0.0625
    assert figures["pr"] == 500 * 0.0625


@pytest.mark.parametrize(("irrelevant", "decisions"), [(True, 0), (False, 1)])
def test_byte_that_says_a_play_does_not_count_decides(irrelevant: bool, decisions: int) -> None:
    spread = score(opening(Move((3, 1), (POINT, SPLIT), irrelevant=irrelevant)))
    single = score(opening(Move((3, 1), (POINT,), irrelevant=irrelevant)))
    assert spread.figures(NORA)["decisions.checker"] == single.figures(NORA)["decisions.checker"] == decisions


def test_error_of_a_play_that_does_not_count_still_adds_to_the_total() -> None:
    figures = score(opening(Move((3, 1), (POINT, SPLIT), played=1, irrelevant=True))).figures(NORA)
    assert (figures["decisions.counted"], figures["equity_error.total"], figures["pr"]) == (0, 0.125, None)


def test_minus_1000_is_unknown_and_not_an_error_of_1000() -> None:
    computed = score(opening(Move((3, 1), (POINT, SPLIT), error=UNSCORED)))
    plays = computed.match.plays
    assert not plays.analysed[0]
    assert math.isnan(plays.stored_error[0])
    assert computed.completeness(NORA)["checker"] == (1, 0)
    assert computed.figures(NORA)["equity_error.total"] is None


def test_cube_without_a_score_is_unknown() -> None:
    unscored = Cube(Double.YES, Take.TAKE)
    cubes = read(match_of(game_of(Turn(2, MADE, unscored)))).cubes
    assert cubes.kind.tolist() == [Kind.DOUBLE, Kind.TAKE]
    assert not cubes.analysed.any()
    for column in (cubes.no_double, cubes.double_take, cubes.double_pass, cubes.stored_error):
        assert np.isnan(column).all()
    assert statistics(read(match_of(game_of(Turn(2, MADE, unscored))))).completeness(TOMAS)["cube"] == (1, 0)


def test_file_without_any_analysis_has_no_rate() -> None:
    bare = match_of(game_of(Turn(1, START, move=Move((3, 1), (), played=None, play=POINT.play, after=POINT.position))))
    figures = score(bare).figures(NORA)
    assert (figures["pr"], figures["equity_error.total"], figures["snowie_er"]) == (None, None, None)
    assert figures["moves.total"] == 1


def test_illegal_play_is_neither_counted_nor_expected() -> None:
    computed = score(opening(Move((3, 1), (POINT, SPLIT), invalid=2)))
    assert computed.match.plays.validity.tolist() == [Validity.ILLEGAL]
    assert computed.figures(NORA)["decisions.checker"] == 0
    assert computed.figures(NORA)["moves.total"] == 1
    assert computed.completeness(NORA)["checker"] == (0, 0)


def test_roll_that_was_not_played_is_no_move() -> None:
    computed = score(opening(Move((3, 1), (POINT, SPLIT), played=None, was_played=False)))
    plays = computed.match.plays
    assert (plays.validity.tolist(), plays.moved.tolist(), plays.play) == ([Validity.UNPLAYED], [False], [()])
    figures = computed.figures(NORA)
    assert (figures["moves.total"], figures["decisions.counted"]) == (0, 0)
    assert computed.completeness(NORA) == {"checker": (0, 0), "cube": (0, 0), "luck": (0, 0)}


def test_dance_is_a_forced_move_that_moves_nothing() -> None:
    figures = score(opening(Move((6, 6), (replace(POINT, play=(), position=START),))))
    assert figures.match.plays.moved.tolist() == [False]
    assert figures.match.plays.play == [()]
    assert figures.figures(NORA)["moves.forced"] == 1


def test_user_s_bookmarks_change_nothing() -> None:
    marked = match_of(game_of(Turn(1, START, replace(CLOSE, bookmarked=True), Move((3, 1), (POINT, SPLIT), bookmarked=True))))
    plain = match_of(game_of(Turn(1, START, CLOSE, Move((3, 1), (POINT, SPLIT)))))
    assert score(marked).figures(NORA) == score(plain).figures(NORA)


def test_resignation_error_adds_without_a_decision() -> None:
    resigned = Ending(winner=2, points=1, termination=Termination.RESIGNED_SINGLE, resign_error=-0.125, take_resign_error=0.0)
    computed = score(match_of(game_of(Turn(1, START, move=Move((3, 1), (POINT, SPLIT))), ending=resigned)))
    figures = computed.figures(NORA)
    assert computed.match.resignations.kind.tolist() == [Kind.RESIGN, Kind.ACCEPT_RESIGN]
    assert computed.match.resignations.player.tolist() == [NORA, TOMAS]
    assert (figures["equity_error.total"], figures["decisions.counted"], figures["pr"]) == (0.125, 1, 62.5)


# -- one viewpoint ----------------------------------------------------------------------------------------------------


def test_positions_are_the_decider_s_own() -> None:
    match = read(USUAL)
    assert tuple(match.plays.position[0]) == START
    assert tuple(match.plays.position[1]) == MADE  # the second player's view
    offered, answered = (int(np.flatnonzero(match.cubes.kind == kind)[0]) for kind in (Kind.DOUBLE, Kind.TAKE))
    assert tuple(match.cubes.position[offered]) == MADE
    assert tuple(match.cubes.position[answered]) == turned(MADE)


def test_response_belongs_to_the_opponent_of_the_player_on_roll() -> None:
    cubes = read(USUAL).cubes
    rows = list(zip(map(Kind, cubes.kind.tolist()), cubes.player.tolist(), cubes.turn.tolist(), strict=True))
    assert rows == [
        (Kind.DOUBLE, TOMAS, 2),
        (Kind.NO_DOUBLE, NORA, 3),
        (Kind.DOUBLE, NORA, 5),
        (Kind.NO_DOUBLE, NORA, 2),
        (Kind.TAKE, NORA, 2),
        (Kind.PASS, TOMAS, 5),
    ]


def test_owner_of_the_cube_is_told_from_the_decider_in_plays_and_from_the_doubler_in_cubes() -> None:
    match = read(USUAL)
    assert match.plays.owner.tolist()[:4] == [0, -1, 1, -1]
    assert match.plays.cube.tolist()[:4] == [1, 2, 2, 2]
    redouble = int(np.flatnonzero(match.cubes.kind == Kind.DOUBLE)[1])
    assert (match.cubes.owner[redouble], match.cubes.cube[redouble]) == (1, 2)


def test_errors_are_positive_whatever_sign_xg_stores() -> None:
    doubled = replace(PASSED, error=0.125, take_error=-0.5)
    cubes = read(match_of(game_of(Turn(1, START, doubled)))).cubes
    assert cubes.stored_error.tolist() == [0.125, 0.5]


def test_luck_of_a_file_with_none_but_zeros_is_unknown() -> None:
    assert np.isnan(read(opening(Move((3, 1), (POINT, SPLIT)))).plays.luck).all()
    assert read(USUAL).plays.luck.tolist()[:3] == [0.5, 0.0, -0.25]


def test_turns_count_from_1_in_every_game_and_a_cube_has_the_number_of_the_roll_it_precedes() -> None:
    match = read(USUAL)
    assert match.plays.turn.tolist() == [1, 2, 3, 4, 1, 2]
    assert match.plays.game.tolist() == [0, 0, 0, 0, 1, 1]
    assert match.games.number.tolist() == [1, 2]


def test_no_access_to_the_cube_is_no_decision() -> None:
    cubes = read(match_of(game_of(Turn(1, START, Cube()), Turn(2, START, Cube(Double.ENDED_BEFORE))))).cubes
    assert len(cubes) == 0


def test_beaver_is_a_response_of_its_own_kind() -> None:
    beavered = replace(TAKEN, take=Take.BEAVER)
    cubes = read(match_of(game_of(Turn(1, START, beavered)), length=None, beaver=True)).cubes
    assert cubes.kind.tolist() == [Kind.DOUBLE, Kind.BEAVER]


def test_candidates_of_a_row_tell_plays_chances_and_which_was_made() -> None:
    best, made = read(USUAL).candidates(0)
    assert (best.play, best.equity, best.level, best.made) == (POINT.play, 0.25, "3-ply", False)
    assert (made.play, made.equity, made.made) == (SPLIT.play, 0.125, True)
    assert best.probabilities == (0.5, 0.0, 0.0, 0.0, 0.0)


# -- the match --------------------------------------------------------------------------------------------------------


def test_names_event_length_and_rules_are_those_of_the_header() -> None:
    match = read(USUAL)
    assert (match.players, match.event, match.length) == (("Nora Lindqvist", "Tomás Beck"), "Nordic Open", 5)
    assert (match.source.tool, match.source.format, match.cube_unit) == ("eXtreme Gammon", "xg", "emg")
    assert match.rules.crawford
    assert not match.rules.jacoby


def test_names_are_read_as_utf_16_from_version_24_on() -> None:
    names = ("木村 光一", "Łukasz 🎲")
    assert read(replace(USUAL, players=names, version=24)).players == names


def test_names_before_version_24_are_ansi() -> None:
    match = read(replace(USUAL, version=23))
    assert match.players == ("Nora Lindqvist", "Tomás Beck")
    assert match.event == "Nordic Open"


def test_length_byte_of_an_ansi_name_beyond_its_field_is_clamped() -> None:
    content = changed(write(replace(USUAL, version=23)), 0, at.MATCH_HEADER, player1_ansi=b"\xff" + b"N" * 40)
    assert read_xg("nora.xg", content).players[0] == "N" * 40


def test_garbage_behind_the_end_of_a_name_is_not_read() -> None:
    name = "Nora".encode("utf-16-le") + b"\0\0" + b"\xd8" * 248
    assert read_xg("nora.xg", changed(CONTENT, 0, at.MATCH_HEADER, player1=name)).players[0] == "Nora"


@pytest.mark.parametrize("version", [8, 23, 24, 29])
def test_older_version_reads_alike_and_is_noted(version: int) -> None:
    old, new = read(replace(USUAL, version=version)), read(USUAL)
    assert [note.code for note in old.notes] == ["file-version"]
    assert statistics(old).figures(NORA) == statistics(new).figures(NORA)


@pytest.mark.parametrize("version", [33, 40])
def test_version_after_32_is_read_and_noted(version: int) -> None:
    match = read(replace(USUAL, version=version))
    assert match.players == ("Nora Lindqvist", "Tomás Beck")
    assert [note.code for note in match.notes] == ["file-version"]


@pytest.mark.parametrize("version", [30, 31, 32])
def test_verified_version_needs_no_note(version: int) -> None:
    assert read(replace(USUAL, version=version)).notes == ()


def test_unknown_record_types_are_skipped() -> None:
    records = records_of(CONTENT)
    strange = bytearray(b"\xff" * at.RECORD_SIZE)
    strange[8] = 77
    with_strangers = [record for known in records for record in (known, strange)]
    assert statistics(read_xg("nora.xg", sealed(CONTENT, with_strangers))).figures(NORA) == score(USUAL).figures(NORA)


def test_money_session_has_no_length_no_chances_and_its_own_rules() -> None:
    money = replace(USUAL, length=None, jacoby=True, beaver=True)
    computed = score(money)
    assert computed.match.is_money
    assert (computed.match.rules.jacoby, computed.match.rules.beavers) == (True, True)
    figures = computed.figures(NORA)
    assert figures["mwc_loss_percent.total"] is None
    assert figures["luck.mwc_percent"] is None
    assert figures["equity_error.total"] == score(USUAL).figures(NORA)["equity_error.total"]


def test_jacoby_and_beavers_of_a_match_header_mean_nothing() -> None:
    rules = read(replace(USUAL, jacoby=True, beaver=True)).rules
    assert not rules.jacoby
    assert not rules.beavers


def test_game_and_match_without_footers_are_unfinished_but_scored() -> None:
    games = tuple(replace(game, ending=None) for game in USUAL.games)
    match = read(replace(USUAL, games=games))
    assert match.games.winner.tolist() == [-1, -1]
    assert match.games.points.tolist() == [0, 0]
    assert not match.complete
    assert statistics(match).figures(NORA) == score(USUAL).figures(NORA)


def test_match_is_complete_when_the_last_game_reaches_its_length() -> None:
    assert not read(USUAL).complete
    decided = game_of(Turn(1, START, move=Move((3, 1), (POINT, SPLIT))), score=(3, 4), ending=Ending(winner=2, points=1))
    assert read(match_of(decided)).complete
    assert read(match_of(decided, ended=True)).complete


def test_missing_game_record_is_noted() -> None:
    records = records_of(CONTENT)
    missing = bytearray(at.RECORD_SIZE)
    missing[8] = 6
    match = read_xg("nora.xg", sealed(CONTENT, [*records, missing]))
    assert [note.code for note in match.notes] == ["games-missing"]


def test_crawford_game_is_the_one_the_file_marks() -> None:
    marked = replace(USUAL, games=(USUAL.games[0], replace(USUAL.games[1], score=(4, 0), crawford=True)))
    assert read(marked).games.crawford.tolist() == [False, True]


def test_stored_members_and_a_thumbnail_read_alike() -> None:
    stored = read_xg("nora.xg", write(USUAL, compressed=False))
    pictured = read(replace(USUAL, thumbnail=b"\xff\xd8 a board"))
    assert statistics(stored).figures(NORA) == statistics(pictured).figures(NORA) == score(USUAL).figures(NORA)


def test_extra_members_are_left_alone() -> None:
    records = b"".join(records_of(CONTENT))
    content = with_registry(CONTENT, Entry("temp.xgc", b"\xff" * 2560), Entry(RECORDS, records), Entry("temp.new", b""))
    assert statistics(read_xg("nora.xg", content)).figures(NORA) == score(USUAL).figures(NORA)


# -- hostile records --------------------------------------------------------------------------------------------------

NAN, INFINITE = float("nan"), float("inf")
LOWEST = -(2**31)
HOSTILE: dict[str, Callable[[bytes], bytes]] = {
    "play error NaN": lambda c: changed(c, first(c, 3), at.MOVE, error=NAN),
    "play error infinite": lambda c: changed(c, first(c, 3), at.MOVE, error=-INFINITE),
    "cube error NaN": lambda c: changed(c, 4, at.CUBE, error=NAN),
    "response error infinite": lambda c: changed(c, 4, at.CUBE, take_error=INFINITE),
    "no double NaN": lambda c: changed(c, 4, at.DOUBLE_ACTION, at.DOUBLE_ACTION_OFFSET, no_double=NAN),
    "double and take infinite": lambda c: changed(c, 4, at.DOUBLE_ACTION, at.DOUBLE_ACTION_OFFSET, double_take=INFINITE),
    "player 0 on roll": lambda c: changed(c, first(c, 3), at.MOVE, roller=0),
    "player 2 on roll": lambda c: changed(c, first(c, 3), at.MOVE, roller=2),
    "lowest player on roll": lambda c: changed(c, first(c, 3), at.MOVE, roller=LOWEST),
    "doubler 7": lambda c: changed(c, 4, at.CUBE, roller=7),
    "33 candidates": lambda c: changed(c, first(c, 3), at.BEST_MOVE, at.BEST_MOVE_OFFSET, count=33),
    "-1 candidates": lambda c: changed(c, first(c, 3), at.BEST_MOVE, at.BEST_MOVE_OFFSET, count=-1),
    "lowest number of candidates": lambda c: changed(c, first(c, 3), at.BEST_MOVE, at.BEST_MOVE_OFFSET, count=LOWEST),
    "cube 2^40 in a play": lambda c: changed(c, first(c, 3), at.MOVE, cube=40),
    "cube 2^40 in a double": lambda c: changed(c, 4, at.CUBE, cube=-40),
    "lowest cube of a play": lambda c: changed(c, first(c, 3), at.MOVE, cube=LOWEST),
    "lowest cube of a double": lambda c: changed(c, 4, at.CUBE, cube=LOWEST),
    "dice 9 and 0": lambda c: changed(c, first(c, 3), at.MOVE, dice=(9, 0)),
    "-5 points": lambda c: changed(c, first(c, 4), at.GAME_FOOTER, points=-5),
    "2^31-1 points": lambda c: changed(c, first(c, 4), at.GAME_FOOTER, points=2**31 - 1),
    "play error 1e300": lambda c: changed(c, first(c, 3), at.MOVE, error=-1e300),
    "cube error 1e300": lambda c: changed(c, 4, at.CUBE, error=1e300),
    "resignation error NaN": lambda c: changed(c, first(c, 4), at.GAME_FOOTER, resign_error=NAN, termination=101),
    "candidates NaN": lambda c: changed(c, first(c, 3), at.BEST_MOVE, at.BEST_MOVE_OFFSET, evaluations=(NAN,) * 224),
    "candidates infinite": lambda c: changed(c, first(c, 3), at.BEST_MOVE, at.BEST_MOVE_OFFSET, evaluations=(INFINITE,) * 224),
    "candidates of 3e38": lambda c: changed(c, first(c, 3), at.BEST_MOVE, at.BEST_MOVE_OFFSET, evaluations=(3e38,) * 224),
    "double and take of 3e38": lambda c: changed(c, 4, at.DOUBLE_ACTION, at.DOUBLE_ACTION_OFFSET, double_take=3e38),
    "2^31-1 automatic doubles": lambda c: changed(c, 1, at.GAME_HEADER, automatic_doubles=2**31 - 1),
    "-1 automatic doubles": lambda c: changed(c, 1, at.GAME_HEADER, automatic_doubles=-1),
    "cube 2^13": lambda c: changed(c, first(c, 3), at.MOVE, cube=13),
    "answer 9": lambda c: changed(c, 4, at.CUBE, take=9),
    "match of 0 points": lambda c: changed(c, 0, at.MATCH_HEADER, length=0),
    "match of -7 points": lambda c: changed(c, 0, at.MATCH_HEADER, length=-7),
    "match of 65 points": lambda c: changed(c, 0, at.MATCH_HEADER, length=65),
    "match of 99998 points": lambda c: changed(c, 0, at.MATCH_HEADER, length=99998),
    "score of the match length": lambda c: changed(c, 1, at.GAME_HEADER, score=(5, 0)),
    "negative score": lambda c: changed(c, 1, at.GAME_HEADER, score=(0, -1)),
    "no mark DMLI": lambda c: changed(c, 0, at.MATCH_HEADER, magic=b"NONE"),
    "a game header first": lambda c: changed(c, 0, at.MATCH_HEADER, type=1),
    "no match header": lambda c: sealed(c, records_of(c)[1:]),
    "no game": lambda c: sealed(c, records_of(c)[:1]),
    "a play before the first game": lambda c: sealed(c, [records_of(c)[0], *records_of(c)[2:]]),
    "half a record": lambda c: sealed(c, [*records_of(c), bytearray(1280)]),
    "no record": lambda c: sealed(c, []),
}


@pytest.mark.parametrize("tamper", HOSTILE.values(), ids=HOSTILE.keys())
def test_record_with_an_impossible_value_is_refused(tamper: Callable[[bytes], bytes]) -> None:
    assert "expected" in refused(tamper(CONTENT))


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


# -- hostile containers -----------------------------------------------------------------------------------------------


def with_trailer(content: bytes, offset: int, form: str, value: int) -> bytes:
    tampered = bytearray(content)
    struct.pack_into("<" + form, tampered, len(content) - at.TRAILER_SIZE + offset, value)
    return bytes(tampered)


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "signature only": lambda c: c[:4],
    "header only": lambda c: c[: at.FILE_HEADER_SIZE],
    "half": lambda c: c[: len(c) // 2],
    "without its last byte": lambda c: c[:-1],
    "one byte more": lambda c: c + b"\0",
    "one byte changed": lambda c: c[:9000] + bytes([c[9000] ^ 1]) + c[9001:],
    "header version 2": lambda c: c[:4] + b"\2" + c[5:],
    "header of 0 bytes": lambda c: c[:8] + bytes(4) + c[12:],
    "thumbnail beyond the file": lambda c: c[:20] + b"\xff" * 4 + c[24:],
    "archive version 2": lambda c: with_trailer(c, 8, "i", 2),
    "0 members": lambda c: with_trailer(c, 4, "i", 0),
    "2^31-1 members": lambda c: with_trailer(c, 4, "i", 2**31 - 1),
    "negative registry": lambda c: with_trailer(c, 12, "i", -1),
    "registry beyond the file": lambda c: with_trailer(c, 12, "i", 2**31 - 1),
    "archive checksum": lambda c: with_trailer(c, 0, "I", 0),
    "member checksum": lambda c: with_entry(c, crc=0),
    "member beyond the archive": lambda c: with_entry(c, start=10**6),
    "member before the archive": lambda c: with_entry(c, start=-1),
    "member of negative size": lambda c: with_entry(c, size=-2560),
    "member of negative stored size": lambda c: with_entry(c, stored_size=-1),
    "member stored beyond the archive": lambda c: with_entry(c, stored_size=2**31 - 1),
    "member of 2 GB": lambda c: with_entry(c, size=2**31 - 1),
    "member of 200 MB that is none": lambda c: with_entry(c, size=200 * 2**20),
    "member inflates beyond its size": lambda c: with_entry(c, size=2560),
    "member stored, not compressed": lambda c: with_registry(c, Entry(RECORDS, b"\x07" * 100, size=2560, compressed=False)),
    "no records": lambda c: with_registry(c, Entry("temp.xgi", b"".join(records_of(c)))),
    "registry of another size": lambda c: with_registry(c, Entry(RECORDS, b""), count=2),
    "registry that is a bomb": lambda c: with_registry(c, Entry(RECORDS, b""), registry=bytes(200 * 2**20)),
    "records that are a bomb": lambda c: with_registry(c, Entry(RECORDS, bytes(200 * 2**20), size=2560 * 8)),
}


@pytest.mark.parametrize("tamper", BROKEN.values(), ids=BROKEN.keys())
def test_broken_container_is_refused_at_once(tamper: Callable[[bytes], bytes]) -> None:
    content = tamper(CONTENT)
    start = process_time()
    assert "expected" in refused(content)
    assert process_time() - start < 2


@pytest.mark.parametrize("path", cases("damaged/*.xg"))
def test_damaged_real_file_is_refused(path: Path) -> None:
    with pytest.raises(UnreadableFile, match="expected"):
        read_match(path.name, path.read_bytes())


@pytest.mark.parametrize("path", cases("real/*.xg"))
def test_every_prefix_of_a_real_file_is_refused(path: Path) -> None:
    content = path.read_bytes()
    for end in [*range(0, len(content), 997), len(content) - 1]:
        with pytest.raises(UnreadableFile):
            read_xg(path.name, content[:end])


def test_figures_are_the_same_without_libdeflate() -> None:
    path = Path(__file__).parents[2] / "reference_matches" / "demonstration" / "nora-lindqvist-tomas-beck.xg"
    program = (
        "import sys; {}; from reconcile import load_match, statistics;"
        f"print(statistics(load_match({str(path)!r})).figures(0));"
        "import reconcile.adapters.xg.container as c; print(c.zlib_decompress.__module__)"
    )
    outputs = [
        subprocess.run([sys.executable, "-c", program.format(first)], capture_output=True, text=True, check=True).stdout.splitlines()
        for first in ("pass", "sys.modules['deflate'] = None")
    ]
    assert outputs[0][0] == outputs[1][0]
    assert outputs[1][1] == "reconcile.adapters.xg.container"
