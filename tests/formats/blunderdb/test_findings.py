"""What makes the figures of a database doubtful is told as a finding, and a sound database has
none."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from reconcile.formats import load_match
from reconcile.scoring.statistics import statistics
from tests.support import blunderdb_writer as writer
from tests.support.club_databases import (
    DEMONSTRATION,
    SEVEN,
    THREE,
    changed,
    codes,
    counted,
    source,
)


def test_sound_database_has_no_finding_about_the_database(stored: Any) -> None:
    own = {
        "migrated-database",
        "migration-unfinished",
        "shared-positions",
        "spelling-counts",
        "cube-rows-missing",
        "log-not-read",
        "file-version",
    }
    assert not own & codes(stored(f"{DEMONSTRATION}.xg")).keys()


def test_write_ahead_log_that_is_not_read_is_told(tmp_path: Path, stored: Any) -> None:
    path = tmp_path / "club.db"
    path.write_bytes(stored(SEVEN).read_bytes())
    (tmp_path / "club.db-wal").write_bytes(b"")
    assert "log-not-read" not in codes(path)
    (tmp_path / "club.db-wal").write_bytes(b"x" * 4152)
    assert "4152 bytes" in codes(path)["log-not-read"]


def test_errors_that_positions_share_before_schema_2_39_are_told(tmp_path: Path) -> None:
    double = (
        "UPDATE move SET checker_move = 'Cannot Move' WHERE id = (SELECT MAX(id) FROM move WHERE "
        "position_id = 1)"
    )
    shared = changed(tmp_path, double, schema=writer.CODES, paths=(SEVEN, SEVEN))
    evidence = codes(f"{shared}#1")
    assert "game 1 move 1" in evidence["shared-positions"]
    later = changed(tmp_path, double, paths=(SEVEN, SEVEN))
    assert "shared-positions" not in codes(f"{later}#1")


def test_migrated_database_is_told_by_its_tables_and_an_unfinished_migration_by_its_rows(
    tmp_path: Path, folder: Path
) -> None:
    content = writer.write(folder / "old.db", [source(THREE)], writer.CODES)
    connection = sqlite3.connect(content)
    connection.executescript(
        "ALTER TABLE move ADD COLUMN decision_error_mp INTEGER; ALTER TABLE move ADD COLUMN "
        "is_close_cube INTEGER NOT NULL DEFAULT 0;"
        "UPDATE metadata SET value = '2.39.0'; INSERT INTO metadata VALUES "
        "('played_decisions_pending', '1');"
    )
    connection.close()
    evidence = codes(content)
    assert "older release" in evidence["migrated-database"]
    assert "move" in evidence["migration-unfinished"]
    assert not load_match(content).cubes.analysed.any()
    assert statistics(load_match(content)).figures(0)["pr"] is None


@pytest.mark.parametrize("label", ["No double", "No Redouble"])
def test_spelling_that_makes_a_no_double_count_is_named(tmp_path: Path, label: str) -> None:
    plain = changed(tmp_path)
    far = next(
        row for row in range(len(load_match(plain).cubes)) if load_match(plain).cubes.flag[row] == 1
    )
    before = statistics(load_match(plain))
    seat = int(before.match.cubes.player[far])
    where = f"cube_action = 3 AND is_close_cube = 0 AND player = {1 - 2 * seat}"
    path = changed(
        tmp_path,
        f"UPDATE move SET cube_action = {writer.CODE_OF[label]} WHERE id = (SELECT id FROM move "
        f"WHERE {where} LIMIT 1)",
    )
    assert repr(label) in codes(path)["spelling-counts"]
    after = statistics(load_match(path))
    assert (
        after.figures(seat)["decisions.double"]
        == (before.figures(seat)["decisions.double"] or 0) + 1
    )
    totals = writer.own_totals(path, 1)
    assert counted(after, seat)[0] == sum(
        number for (player, _), (number, _) in totals.items() if (player > 0) == (seat == 0)
    )
