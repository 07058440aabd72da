"""A database that is damaged, foreign or hostile is refused in one line, in bounded time and
memory, and nothing in it is run."""

from __future__ import annotations

import resource
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from reconcile.errors import ReconcileError
from reconcile.formats import load_match, load_matches, read_match
from tests.support import blunderdb_writer as writer
from tests.support.club_databases import SEVEN, THREE, changed, codes, refusal, source


def test_dangling_references_are_decisions_without_an_analysis(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        "UPDATE move SET position_id = 123456 WHERE id = 5",
        "DELETE FROM analysis WHERE position_id = 9",
        "UPDATE game SET match_id = match_id",
    )
    match = load_match(path)
    assert len(match.plays) == len(source(THREE).plays)
    assert codes(path).keys() & {"incomplete-analysis", "cube-rows-missing"}


def test_names_are_data_and_never_part_of_a_question_and_triggers_and_foreign_views_do_nothing(
    tmp_path: Path,
) -> None:
    name = "x'; DROP TABLE move; --\x1b[31m\n"
    path = changed(
        tmp_path,
        "CREATE TRIGGER t AFTER UPDATE ON match BEGIN DELETE FROM move; END",
        "CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
        "SELECT x FROM n",
    )
    assert len(load_match(path).plays) == len(source(THREE).plays)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER t")
        connection.execute(
            "UPDATE match SET player1_name = ?, player2_name = NULL, event = x'ff'", (name,)
        )
        connection.commit()
    match = load_match(path)
    assert match.players == ("x'; DROP TABLE move; --[31m", "Player 2")
    assert "no match of" in refusal(f"{path}#x'; DROP TABLE move; --/player")
    assert len(load_match(path).plays) == len(source(THREE).plays)


def test_protected_copy_other_database_and_cut_or_scrambled_file_are_refused(
    tmp_path: Path, stored: Any
) -> None:
    content = stored(SEVEN).read_bytes()
    (tmp_path / "club.dbx").write_bytes(b"BDBX\x01\x00\x00\x00\x10" + b"\0" * 64)
    assert "export a .db" in refusal(tmp_path / "club.dbx")
    (tmp_path / "cut.db").write_bytes(content[: len(content) // 3])
    assert "intact SQLite database" in refusal(tmp_path / "cut.db")
    (tmp_path / "magic.db").write_bytes(content[:16])
    refusal(tmp_path / "magic.db")
    scrambled = bytearray(content)
    scrambled[4096 * 3 :: 97] = b"\xa5" * len(scrambled[4096 * 3 :: 97])
    (tmp_path / "scrambled.db").write_bytes(scrambled)
    refusal(tmp_path / "scrambled.db")
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE photos (id)")
    assert "a SQLite database of another program" in refusal(tmp_path / "other.db")


def test_every_database_is_closed_once_it_is_read_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = writer.write(tmp_path / "two.db", [source(THREE), source(SEVEN)])
    other, cut = tmp_path / "other.db", path.read_bytes()[:5000]
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE photos (id)")
    connections: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def connected(*arguments: Any, **named: Any) -> sqlite3.Connection:
        connections.append(connect(*arguments, **named))
        return connections[-1]

    monkeypatch.setattr(sqlite3, "connect", connected)
    load_match(f"{path}#1")
    assert len(list(load_matches(path))) == 2
    next(iter(load_matches(path)))
    read_match("two.db", path.read_bytes(), "1")
    for name in (f"{path}#9", other):
        with pytest.raises(ReconcileError):
            load_match(name)
    with pytest.raises(ReconcileError):
        read_match("cut.db", cut)
    assert len(connections) == 7
    for connection in connections:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")


@pytest.mark.long
def test_rows_of_junk_take_bounded_memory(tmp_path: Path) -> None:
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


def test_question_that_never_ends_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = changed(tmp_path)
    monkeypatch.setattr("reconcile.formats.blunderdb.database.MOST_STEPS", 0)
    monkeypatch.setattr("reconcile.formats.blunderdb.database.STEPS_AT_ONCE", 10)
    assert "far longer" in refusal(path)
