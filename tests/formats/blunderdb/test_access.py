"""A match in a database is named by its id or its players; a database that is damaged, foreign
or hostile is refused in one line, and reading leaves no trace."""

import resource
import shutil
import sqlite3
from contextlib import closing

import pytest

from reconcile.errors import ReconcileError, UnreadableFile
from reconcile.formats import load_match, load_matches, read_match
from reconcile.scoring.statistics import statistics
from tests.formats.club_databases import (
    DEMONSTRATION,
    SEVEN,
    THREE,
    changed,
    refusal,
    source,
)
from tests.support import blunderdb_writer as writer
from tests.support.command_line import json_of, refused, run
from tests.support.tables import cases_of

CLUB = [source(SEVEN), source(f"{DEMONSTRATION}.xg"), source(THREE)]
"""Three matches; two of the same players."""


@pytest.fixture(scope="module")
def club(folder):
    return writer.write(folder / "club.db", CLUB)


@pytest.mark.parametrize(
    ("address", "number"),
    cases_of(__file__, "match is named by its id or by its players in any order"),
)
def test_match_is_named_by_its_id_or_by_its_players_in_any_order(club, address, number):
    match = load_match(f"{club}#{address}")
    assert (match.source.path, match.source.format) == (f"{club}#{number}", "blunderdb")
    assert match.players == CLUB[number - 1].players
    assert match.length == CLUB[number - 1].length


@pytest.mark.parametrize(
    ("address", "words"),
    cases_of(__file__, "match that is not there or not the only one is refused with what there is"),
)
def test_match_that_is_not_there_or_not_the_only_one_is_refused_with_what_there_is(
    club, address, words
):
    before = club.read_bytes()
    text = refusal(f"{club}{address}")
    assert words in text
    assert "#1 (" in text
    assert len(text) < 700
    assert club.read_bytes() == before


def test_all_matches_of_a_database_are_read_one_by_one_and_any_other_file_is_one_match(
    club,
):
    assert [match.source.path for match in load_matches(club)] == [
        f"{club}#{key}" for key in (1, 2, 3)
    ]
    assert [match.source.path for match in load_matches(f"{club}#2")] == [f"{club}#2"]
    assert [match.players for match in load_matches(SEVEN)] == [source(SEVEN).players]
    with pytest.raises(UnreadableFile):
        list(load_matches("no such file.db"))


def test_file_whose_own_name_has_the_sign_is_that_file(tmp_path, stored):
    shutil.copy(SEVEN, tmp_path / "club#1.sgf")
    assert load_match(tmp_path / "club#1.sgf").source.format == "sgf"
    shutil.copy(stored(SEVEN), tmp_path / "a#b?c %41.db")
    assert load_match(f"{tmp_path}/a#b?c %41.db#1").length == 7
    assert "name the file alone" in refusal(f"{SEVEN}#1")
    assert "cannot be read" in refusal(f"{tmp_path}/none.db#1")


def test_bytes_are_read_like_the_file_a_database_in_wal_mode_too(stored):
    content = stored(THREE).read_bytes()
    asks_for_a_log = content[:18] + b"\x02\x02" + content[20:]
    for each in (content, asks_for_a_log):
        match = read_match("-", each)
        assert statistics(match).figures(0) == statistics(load_match(stored(THREE))).figures(0)
    assert match.source.sha256 != load_match(stored(THREE)).source.sha256
    assert read_match("-", content).source.sha256 == load_match(stored(THREE)).source.sha256


def test_reading_leaves_no_trace_beside_the_file(tmp_path, stored):
    path = tmp_path / "club.db"
    path.write_bytes(stored(SEVEN).read_bytes())
    path.chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        load_match(path)
        assert [each.name for each in tmp_path.iterdir()] == ["club.db"]
    finally:
        tmp_path.chmod(0o700)


def test_commands_take_an_address(stored):
    address = f"{stored(THREE)}#1"
    document = json_of("stats", address, "--format", "json")
    assert (document["source"]["path"], document["source"]["format"]) == (address, "blunderdb")
    assert document["rules"] == "blunderdb-2026"
    assert run("compare", address, THREE, "--quiet").exit_code in (0, 1)
    refused("stats", f"{stored(THREE)}#7")


def test_names_are_data_and_never_part_of_a_question(tmp_path):
    name = "x'; DROP TABLE move; --\x1b[31m\n"
    path = changed(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "UPDATE match SET player1_name = ?, player2_name = NULL, event = x'ff'", (name,)
        )
        connection.commit()
    assert "no match of" in refusal(f"{path}#x'; DROP TABLE move; --/player")
    match = load_match(path)
    assert match.players == ("x'; DROP TABLE move; --[31m", "Player 2")
    assert len(match.plays) == len(source(THREE).plays)


def scrambled(content):
    changed_bytes = bytearray(content)
    changed_bytes[4096 * 3 :: 97] = b"\xa5" * len(changed_bytes[4096 * 3 :: 97])
    return bytes(changed_bytes)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda content: b"BDBX\x01\x00\x00\x00\x10" + bytes(64), "export a .db"),
        (lambda content: content[: len(content) // 3], "intact SQLite database"),
        (lambda content: content[:16], "expected"),
        (scrambled, "expected"),
    ],
    ids=["protected", "cut", "magic", "scrambled"],
)
def test_protected_copy_and_cut_or_scrambled_file_are_refused(tmp_path, stored, spoil, words):
    (tmp_path / "club.db").write_bytes(spoil(stored(SEVEN).read_bytes()))
    assert words in refusal(tmp_path / "club.db")


def test_every_database_is_closed_once_it_is_read_or_refused(tmp_path, monkeypatch):
    path = writer.write(tmp_path / "two.db", [source(THREE), source(SEVEN)])
    other, cut = tmp_path / "other.db", path.read_bytes()[:5000]
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE photos (id)")
    connections: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def connected(*arguments, **named):
        connections.append(connect(*arguments, **named))
        return connections[-1]

    monkeypatch.setattr(sqlite3, "connect", connected)
    load_match(f"{path}#1")
    assert len(list(load_matches(path))) == 2
    next(iter(load_matches(path)))
    read_match("two.db", path.read_bytes(), "1")
    for address in (f"{path}#9", other):
        with pytest.raises(ReconcileError):
            load_match(address)
    with pytest.raises(ReconcileError):
        read_match("cut.db", cut)
    assert len(connections) == 7
    for connection in connections:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")


@pytest.mark.long
def test_rows_of_junk_take_bounded_memory(tmp_path):
    many = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < {})"
    path = changed(
        tmp_path,
        f"INSERT INTO match (player1_name, player2_name, match_length) {many.format(50_000)} "
        "SELECT 'p' || x, 'q', 7 FROM n",
        f"INSERT INTO move (game_id, move_type, player) {many.format(100_000)} SELECT 1, 1, 1 "
        "FROM n",
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "at most" in refusal(f"{path}#1")
    assert "and 49996 more" in refusal(path)
    assert "no match of" in refusal(f"{path}#no/body")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


def test_question_that_never_ends_is_stopped(tmp_path, monkeypatch):
    path = changed(tmp_path)
    monkeypatch.setattr("reconcile.formats.blunderdb.database.MOST_STEPS", 0)
    monkeypatch.setattr("reconcile.formats.blunderdb.database.STEPS_AT_ONCE", 10)
    assert "far longer" in refusal(path)
