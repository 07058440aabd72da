"""The moves of a database become plays and cube decisions with the figures of the file that it
was imported from and of blunderDB itself; what makes them doubtful is a finding."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.formats import load_match
from reconcile.formats.blunderdb.stored import LABELS, cube_action
from reconcile.gap.comparison import compare
from reconcile.gap.pairing import pair
from reconcile.match.columns import Kind
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from tests.support import blunderdb_writer as writer
from tests.support.balance import ledger_of
from tests.support.club_databases import (
    DEMONSTRATION,
    SEVEN,
    THREE,
    changed,
    codes,
    counted,
    source,
)
from tests.support.data import cases
from tests.support.long import long_but_first


def test_no_double_without_a_row_is_not_analysed_and_the_answer_follows_from_the_double_s_label(
    folder: Path,
) -> None:
    """As blunderDB's import of a gnuBG file leaves it."""
    match = source("reference_matches/gnubg-11pt-cube-rich/ann-ben-11pt-cube-rich.sgf")
    path = writer.write(folder / "as-gnubg.db", [match], as_gnubg=True)
    database = load_match(path)
    paired = pair(match, database)
    actions = match.cubes.kind != Kind.NO_DOUBLE
    assert len(paired.cubes[0]) == len(match.cubes)
    assert (database.cubes.kind[paired.cubes[1]] == match.cubes.kind[paired.cubes[0]]).all()
    assert (
        database.cubes.analysed.sum()
        == (match.cubes.analysed & (match.cubes.kind == Kind.DOUBLE)).sum()
    )
    assert np.isnan(database.cubes.stored_error[~database.cubes.analysed]).all()
    evidence = codes(path)
    assert f"{(~actions).sum()} no-doubles" in evidence["cube-rows-missing"]
    assert "incomplete-analysis" in evidence


def test_plain_no_double_has_its_error_and_one_without_analysis_is_unknown_not_0(
    tmp_path: Path,
) -> None:
    path = changed(tmp_path, "UPDATE move SET decision_error_mp = NULL WHERE cube_action = 3")
    cubes = load_match(path).cubes
    plain = cubes.kind == Kind.NO_DOUBLE
    assert plain.any()
    assert not cubes.analysed[plain].any()
    assert cubes.expected[plain].all()
    match = statistics(load_match(path)).completeness(0)["cube"]
    assert match.analysed < match.expected


def test_double_is_taken_where_play_goes_on(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        "DELETE FROM move WHERE cube_action IN (9, 10)",
        paths=("reference_matches/gnubg-11pt-cube-rich/ann-ben-11pt-cube-rich.sgf",),
    )
    match = source("reference_matches/gnubg-11pt-cube-rich/ann-ben-11pt-cube-rich.sgf")
    kinds = load_match(path).cubes.kind
    for kind in (Kind.TAKE, Kind.PASS):
        assert (kinds == kind).sum() == (match.cubes.kind == kind).sum() > 0


@pytest.mark.parametrize("label", [8, 14])
@pytest.mark.parametrize("path", cases("gnubg/*_beaver_cuberich.sgf"))
def test_beaver_that_has_no_row_shows_in_the_cube_of_the_next_play(
    tmp_path: Path, path: Path, label: int
) -> None:
    """blunderDB's import of an .xg labels a double that was beavered as passed."""
    file = source(str(path))
    stored = load_match(
        changed(
            tmp_path,
            f"UPDATE move SET cube_action = {label} WHERE cube_action = 8",
            paths=(str(path),),
        )
    )
    for table in ("game", "turn", "player", "kind", "cube", "owner"):
        assert (getattr(stored.cubes, table) == getattr(file.cubes, table))[
            file.cubes.kind != Kind.TAKE
        ].all()
    assert (stored.plays.cube == file.plays.cube).all()
    assert (stored.cubes.kind == Kind.BEAVER).any()


@pytest.mark.parametrize("path", long_but_first([f"{DEMONSTRATION}.xg", SEVEN]))
def test_plays_alone_lead_to_the_same_positions_where_the_stored_ones_are_gone(
    tmp_path: Path, path: str
) -> None:
    match = load_match(writer.write(tmp_path / "whole.db", [source(path)]))
    bare = load_match(changed(tmp_path, "UPDATE move SET position_id = NULL", paths=(path,)))
    assert (bare.plays.position == match.plays.position).all()
    assert not bare.plays.analysed.any()
    assert "not-analysed" in codes(tmp_path / "changed.db")


LABELLED: dict[str, tuple[Kind, Kind | None]] = {
    "No Double|No redouble|No Double, Take|Too good to redouble, pass|TG|": (Kind.NO_DOUBLE, None),
    "Double|Redouble": (Kind.DOUBLE, None),
    "Double, Take|Double / Prendre": (Kind.DOUBLE, Kind.TAKE),
    "Double / Refuser|Double / Reject|Redouble, pass": (Kind.DOUBLE, Kind.PASS),
    "Double/Beaver": (Kind.DOUBLE, Kind.BEAVER),
    "Take": (Kind.TAKE, None),
    "Drop": (Kind.PASS, None),
    "Beaver": (Kind.BEAVER, None),
}


def test_label_of_a_cube_action_says_what_was_done() -> None:
    for labels, kinds in LABELLED.items():
        assert {cube_action(label) for label in labels.split("|")} == {kinds}
    assert cube_action("Unknown(D=2,T=1)") is None


def test_every_fixed_label_of_an_action_is_understood() -> None:
    assert all(cube_action(label) for label in LABELS if label not in ("checker", "cube"))
    assert len(LABELS) == len(set(LABELS)) == 42


SOURCES = [
    pytest.param(Path(SEVEN), id="gnubg-7pt"),
    pytest.param(Path(f"{DEMONSTRATION}.xg"), id="demonstration"),
    *cases("real/*.xg"),
]
WRITTEN = [
    *(pytest.param(Path(SEVEN), schema, id=f"gnubg-7pt-{schema}") for schema in writer.SCHEMAS),
    *(
        pytest.param(*path.values, schema, id=f"{path.id}-{schema}", marks=path.marks)
        for path in SOURCES[1:]
        for schema in writer.SCHEMAS[::-1]
    ),
]
"""A file and the schema of the database that it is written to."""
HALF_A_MILLIPOINT = 0.0005


@pytest.mark.parametrize(
    ("path", "schema"), long_but_first(WRITTEN, len(writer.SCHEMAS) + 1, len(writer.SCHEMAS) + 3)
)
def test_database_gives_the_figures_of_its_file_and_of_its_own_statistics(
    stored: Any, path: Path, schema: str
) -> None:
    """The second oracle is blunderDB's predicate, asked of the same database in SQL."""
    written = stored(str(path), schema)
    database = statistics(load_match(written))
    file, totals = statistics(source(str(path)), database.rules.name), writer.own_totals(written, 1)
    assert database.rules.name == ("blunderdb-2026" if schema >= "2.37" else "blunderdb")
    for seat, player in ((0, 1), (1, -1)):
        ours, theirs = database.figures(seat), file.figures(seat)
        for name in (
            "decisions.counted",
            "decisions.checker",
            "decisions.double",
            "decisions.take",
            "moves.total",
            "moves.unforced",
        ):
            assert ours[name] == theirs[name], name
        analysed = sum(part.analysed for part in file.completeness(seat).values())
        assert ours["equity_error.total"] == pytest.approx(
            theirs["equity_error.total"], abs=HALF_A_MILLIPOINT * analysed
        )
        assert ours["pr"] == pytest.approx(
            theirs["pr"],
            abs=500 * HALF_A_MILLIPOINT * analysed / max(1, theirs["decisions.counted"] or 0),
        )
        assert ours["luck.equity"] == pytest.approx(
            theirs["luck.equity"], abs=HALF_A_MILLIPOINT * (theirs["moves.total"] or 0)
        )
        assert database.completeness(seat) == file.completeness(seat)
        decisions, error = counted(database, seat)
        own = [total for (who, _), total in totals.items() if who == player]
        assert decisions == sum(number for number, _ in own)
        if (
            path.suffix == ".xg" or schema >= writer.PER_MOVE
        ):  # a set of repeated openings shares errors before 2.39
            assert error == pytest.approx(sum(lost for _, lost in own) / 1000, abs=1e-9)


@pytest.mark.parametrize("path", long_but_first(SOURCES, 1, 2))
def test_every_row_pairs(stored: Any, path: Path) -> None:
    file, database = source(str(path)), load_match(stored(str(path)))
    pairing = pair(file, database)
    assert not pairing.differences
    assert len(pairing.plays[0]) == len(file.plays) == len(database.plays)
    stays = ~(file.cubes.answers_beaver | (file.cubes.kind == Kind.BEAVER))
    assert len(pairing.cubes[0]) == stays.sum() == len(database.cubes)
    assert (
        file.plays.position[pairing.plays[0]] == database.plays.position[pairing.plays[1]]
    ).all()
    assert (
        file.cubes.position[pairing.cubes[0]] == database.cubes.position[pairing.cubes[1]]
    ).all()
    assert (file.plays.cube[pairing.plays[0]] == database.plays.cube[pairing.plays[1]]).all()
    assert (file.cubes.owner[pairing.cubes[0]] == database.cubes.owner[pairing.cubes[1]]).all()


def test_gap_to_the_imported_file_is_rounding_and_no_engine(stored: Any) -> None:
    walk = compare(source(SEVEN), load_match(stored(SEVEN)), left_rules="blunderdb-2026").walk
    ledger = ledger_of(walk, walk.bridges(("pr",)))
    assert set(ledger["cause"]) <= {"engine.error-alone", "engine.counting", "rounding"}
    back = compare(load_match(stored(SEVEN)), source(SEVEN)).walk
    causes = set(ledger_of(back, back.bridges(("pr",)))["cause"])
    assert "engine.error-alone" in causes
    assert not causes & {"engine.not-listed", "engine.other-best-move", "engine.other-cube-verdict"}


@pytest.mark.parametrize(
    "rules", long_but_first(["gnubg", "gammonview", "xg", "backgammondb", "snowie4"], 2)
)
def test_other_programs_rules_are_replaced_where_they_need_equities_and_the_result_says_so(
    stored: Any, rules: str
) -> None:
    scored = statistics(load_match(stored(SEVEN)), rules)
    replaced = {code: used for code, _, used in scored.scored.replaced}
    assert replaced["Q02"] == "marked"
    assert replaced.get("Q03", "all") == "all"
    assert scored.rules.answers["Q06"] in ("stored", "millipoint")
    evidence = [
        finding.evidence for finding in findings_of(scored) if finding.code == "answer-replaced"
    ]
    assert len(evidence) == len(
        replaced.keys() - {"Q07"}
    )  # no game of it was resigned with an error, so that answer changes nothing
    own = statistics(load_match(stored(SEVEN)))
    assert scored.figures(0)["equity_error.total"] == own.figures(0)["equity_error.total"]
    assert (scored.figures(0)["decisions.double"] or 0) == own.figures(0)["decisions.double"]


def test_own_rules_are_told_as_the_file_s_marks_and_not_as_a_replacement(stored: Any) -> None:
    evidence = codes(stored(SEVEN))
    assert "answer-replaced" not in evidence
    assert evidence["marks-of-file"].endswith("no-doubles count")


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
