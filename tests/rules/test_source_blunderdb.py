"""blunderDB's page on its statistics model: the system it describes works here."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from reconcile.formats import load_match
from reconcile.gap.tolerances import load_tolerances
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from tests.support import blunderdb_writer

DEMONSTRATION = "reference_matches/demonstration/nora-lindqvist-tomas-beck.xg"


def test_both_tolerance_tables_of_the_page_can_be_chosen() -> None:
    tables = load_tolerances().tables
    bounds = {
        name: {metric: entry.abs for metric, entry in tables[name].entries.items()}
        for name in ("xg-blunderdb", "gnubg-blunderdb")
    }
    xg, gnubg = bounds["xg-blunderdb"], bounds["gnubg-blunderdb"]
    assert xg == {
        "decisions.counted": 5,
        "moves.unforced": 7,
        "pr": 0.10,
        "mwc_loss_percent.total": 1.0,
        "equity_error.total": 0.05,
    }
    assert gnubg == {"checker_pr": 0.20, "mwc_loss_percent.total": 3.5, "snowie_er": 0.50}


@pytest.mark.parametrize("schema", blunderdb_writer.SCHEMAS)
def test_its_database_gives_its_own_statistics_and_the_gap_to_the_imported_file_is_rounding(
    tmp_path: Path, schema: str
) -> None:
    """The page's formulas over the columns of the database, against ours over the match read from it."""
    file = load_match(DEMONSTRATION)
    path = blunderdb_writer.write(tmp_path / "club.db", [file], schema)
    stored, imported = (
        statistics(load_match(f"{path}#1")),
        statistics(file, "blunderdb-2026" if schema >= "2.37" else "blunderdb"),
    )
    totals = blunderdb_writer.own_totals(path, 1)
    for seat, player in ((0, 1), (1, -1)):
        own: dict[str, Any] = dict(stored.figures(seat))
        assert own["decisions.checker"] == totals[player, 0][0]
        assert own["decisions.double"] + own["decisions.take"] == totals[player, 1][0]
        number, lost = (sum(totals[player, kind][index] for kind in (0, 1)) for index in (0, 1))
        assert own["pr"] == pytest.approx(500 * lost / 1000 / number)
        assert own["pr"] == pytest.approx(imported.figures(seat)["pr"], abs=500 * 0.0005)


def test_database_that_was_migrated_is_found_and_one_that_was_not_is_not(tmp_path: Path) -> None:
    """The page's fourth check: an older database is brought up to date when it is opened."""

    def migrate(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE move ADD COLUMN decision_error_mp INTEGER")
        connection.execute("ALTER TABLE move ADD COLUMN is_close_cube INTEGER NOT NULL DEFAULT 0")
        connection.execute("UPDATE metadata SET value = '2.39.0'")

    file = load_match(DEMONSTRATION)
    old = blunderdb_writer.write(
        tmp_path / "old.db", [file], blunderdb_writer.CODES, change=migrate
    )
    new = blunderdb_writer.write(tmp_path / "new.db", [file])
    found = [
        {finding.code for finding in findings_of(statistics(load_match(path)))}
        for path in (old, new)
    ]
    assert {"migrated-database", "migration-unfinished"} <= found[0]
    assert not {"migrated-database", "migration-unfinished"} & found[1]
