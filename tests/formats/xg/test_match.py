"""Names, length, rules and games of a match come from the records' headers and footers, in every version of the format."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reconcile.formats.written import Ending, Move, Turn
from reconcile.formats.xg import read as read_xg
from reconcile.formats.xg import records as at
from reconcile.formats.xg.container import HEADER_SIZE
from reconcile.formats.xg.writer import write
from reconcile.match.board.position import START
from reconcile.scoring.statistics import statistics
from tests.support.small_files import CONTENT, POINT, SPLIT, game_of, match_of
from tests.support.small_files import WRITTEN as USUAL
from tests.support.small_xg import NORA, read, score
from tests.support.xg_tampering import RECORDS, Entry, changed, records_of, sealed, with_registry


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
    content = changed(write(replace(USUAL, version=23)), 0, at.MATCH_HEADER_LAYOUT, player1=b"\xff" + b"N" * 40)
    assert read_xg("nora.xg", content).players[0] == "N" * 40


def test_garbage_behind_the_end_of_a_name_is_not_read() -> None:
    name = "Nora".encode("utf-16-le") + b"\0\0" + b"\xd8" * 248
    assert read_xg("nora.xg", changed(CONTENT, 0, at.MATCH_HEADER_LAYOUT, player1_utf16=name)).players[0] == "Nora"


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
    records, picture = b"".join(records_of(CONTENT)), b"\xff\xd8 a board"
    stored = read_xg("nora.xg", with_registry(CONTENT, Entry(RECORDS, records, compressed=False), packed=False))
    size = len(picture).to_bytes(4, "little")
    pictured = read_xg("nora.xg", CONTENT[:20] + size + CONTENT[24:HEADER_SIZE] + picture + CONTENT[HEADER_SIZE:])
    assert statistics(stored).figures(NORA) == statistics(pictured).figures(NORA) == score(USUAL).figures(NORA)


def test_extra_members_are_left_alone() -> None:
    records = b"".join(records_of(CONTENT))
    content = with_registry(CONTENT, Entry("temp.xgc", b"\xff" * 2560), Entry(RECORDS, records), Entry("temp.new", b""))
    assert statistics(read_xg("nora.xg", content)).figures(NORA) == score(USUAL).figures(NORA)
