"""Databases of blunderDB, written by the tests in several schemas from real matches: figures, addresses, findings, and hostile files."""

from __future__ import annotations

import json
import resource
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reconcile.adapters import load_match, load_matches, read_match, reported_totals
from reconcile.adapters.blunderdb.labels import LABELS, cube_action
from reconcile.cli import main
from reconcile.columns import Kind, Validity
from reconcile.errors import ReconcileError, UnreadableFile
from reconcile.gap.comparison import compare
from reconcile.gap.pairing import pair
from reconcile.gap.walk import Walk, bridges_of
from reconcile.match import Match
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import Statistics, statistics
from tests.support import blunderdb_writer as writer
from tests.support.data import cases

SEVEN = "reference_matches/gnubg-7pt-0ply/alice-bob-7pt-0ply.sgf"
THREE = "reference_matches/gnubg-3pt-2ply/alice-bob-3pt-2ply.sgf"
DEMONSTRATION = "reference_matches/demonstration/nora-lindqvist-tomas-beck"
SOURCES = [pytest.param(Path(SEVEN), id="gnubg-7pt"), pytest.param(Path(f"{DEMONSTRATION}.xg"), id="demonstration"), *cases("real/*.xg")]
HALF_A_MILLIPOINT = 0.0005
Change = Callable[[sqlite3.Connection], Any]


@cache
def source(path: str) -> Match:
    return load_match(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("databases")


@pytest.fixture(scope="module")
def stored(folder: Path) -> Callable[[str, str], Path]:
    """A database of one match in a schema, made once."""
    made: dict[tuple[str, str], Path] = {}

    def of(path: str, schema: str = writer.PER_MOVE) -> Path:
        if (path, schema) not in made:
            made[path, schema] = writer.write(folder / f"{len(made)}.db", [source(path)], schema)
        return made[path, schema]

    return of


def changed(tmp_path: Path, *statements: str, schema: str = writer.PER_MOVE, paths: tuple[str, ...] = (THREE,)) -> Path:
    """A database that was changed after it was written."""

    def change(connection: sqlite3.Connection) -> None:
        for statement in statements:
            connection.execute(statement)

    return writer.write(tmp_path / "changed.db", [source(path) for path in paths], schema, change=change)


def codes(path: Path | str, rules: str | None = None) -> dict[str, str]:
    return {finding.code: finding.evidence for finding in findings_of(statistics(load_match(path), rules))}


def refusal(path: Path | str) -> str:
    with pytest.raises(UnreadableFile) as caught:
        load_match(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def counted(scored: Statistics, seat: int) -> tuple[int, float]:
    one = scored.scored
    own = (one.player == seat) & one.counted
    return int(own.sum()), float(one.error[own].sum())


# -- figures ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("schema", writer.SCHEMAS)
@pytest.mark.parametrize("path", SOURCES)
def test_database_gives_the_figures_of_the_file_it_was_imported_from(stored: Any, path: Path, schema: str) -> None:
    database = statistics(load_match(stored(str(path), schema)))
    file = statistics(source(str(path)), database.rules.name)
    assert database.rules.name == ("blunderdb-2026" if schema >= "2.37" else "blunderdb")
    for seat in (0, 1):
        ours, theirs = database.figures(seat), file.figures(seat)
        for name in ("decisions.counted", "decisions.checker", "decisions.double", "decisions.take", "moves.total", "moves.unforced"):
            assert ours[name] == theirs[name], name
        decisions = sum(part.analysed for part in file.completeness(seat).values())
        assert ours["equity_error.total"] == pytest.approx(theirs["equity_error.total"], abs=HALF_A_MILLIPOINT * decisions)
        assert ours["pr"] == pytest.approx(theirs["pr"], abs=500 * HALF_A_MILLIPOINT * decisions / max(1, theirs["decisions.counted"] or 0))
        assert ours["luck.equity"] == pytest.approx(theirs["luck.equity"], abs=HALF_A_MILLIPOINT * (theirs["moves.total"] or 0))
        assert database.completeness(seat) == file.completeness(seat)


@pytest.mark.parametrize("schema", writer.SCHEMAS)
@pytest.mark.parametrize("path", SOURCES)
def test_decisions_and_errors_are_those_of_the_database_s_own_statistics(stored: Any, path: Path, schema: str) -> None:
    """The oracle is blunderDB's predicate, asked of the same file in SQL."""
    file = stored(str(path), schema)
    totals, scored = writer.own_totals(file, 1), statistics(load_match(file))
    for seat, player in ((0, 1), (1, -1)):
        number = sum(count for (who, _), (count, _) in totals.items() if who == player)
        lost = sum(error for (who, _), (_, error) in totals.items() if who == player)
        decisions, error = counted(scored, seat)
        assert decisions == number
        if path.suffix == ".xg" or schema >= writer.PER_MOVE:  # a set of repeated openings shares errors before 2.39
            assert error == pytest.approx(lost / 1000, abs=1e-9)


@pytest.mark.parametrize("path", SOURCES)
def test_totals_that_blunderdb_keeps_can_be_read_as_reported_figures(stored: Any, path: Path) -> None:
    file = stored(str(path), writer.PER_MOVE)
    kept = reported_totals(file, 1)
    assert kept == reported_totals(f"{file}#1") == reported_totals(file, "/".join(source(str(path)).players))
    scored = statistics(load_match(file))
    for seat, player in enumerate(source(str(path)).players):
        ours = scored.figures(seat)
        assert kept[player]["decisions.counted"] == ours["decisions.counted"]
        assert kept[player]["decisions.checker"] == ours["decisions.checker"]
        assert kept[player]["equity_error.checker"] == pytest.approx(ours["equity_error.checker"])
        assert kept[player]["snowie_er"] is None  # the writer keeps none
        assert kept[player]["mwc_loss_percent.total"] is None


def test_totals_that_are_not_kept_are_unknown(tmp_path: Path) -> None:
    path = changed(tmp_path, "DELETE FROM match_stats")
    assert {value for figures in reported_totals(path).values() for value in figures.values()} == {None}
    path = changed(tmp_path, "DROP TABLE match_stats")
    assert {value for figures in reported_totals(path).values() for value in figures.values()} == {None}
    with pytest.raises(UnreadableFile, match="only it keeps figures"):
        reported_totals(SEVEN)


@pytest.mark.parametrize("path", SOURCES)
def test_every_row_pairs_and_every_bridge_balances_both_ways(stored: Any, path: Path) -> None:
    file, database = source(str(path)), load_match(stored(str(path)))
    found = pair(file, database)
    assert not found.differences
    assert len(found.plays[0]) == len(file.plays) == len(database.plays)
    kept = ~(file.cubes.answers_beaver | (file.cubes.kind == Kind.BEAVER))
    assert len(found.cubes[0]) == kept.sum() == len(database.cubes)
    assert (file.plays.position[found.plays[0]] == database.plays.position[found.plays[1]]).all()
    assert (file.cubes.position[found.cubes[0]] == database.cubes.position[found.cubes[1]]).all()
    assert (file.plays.cube[found.plays[0]] == database.plays.cube[found.plays[1]]).all()
    assert (file.cubes.owner[found.cubes[0]] == database.cubes.owner[found.cubes[1]]).all()
    for left, right in ((file, database), (database, file)):
        walk = Walk(compare(left, right))
        bridges = [bridge for bridge in bridges_of(walk) if bridge.steps]
        assert bridges
        for bridge in bridges:
            assert bridge.start is not None
            assert bridge.end is not None
            assert sum(step.change for step in bridge.steps) == pytest.approx(bridge.end - bridge.start, abs=1e-9)
        ledger = walk.ledger(bridges)
        sums = ledger.groupby(["player", "metric", "step"])["change"].sum()
        for bridge in bridges:
            for step in bridge.steps:
                assert sums.get((bridge.player, bridge.metric, step.code), 0.0) == pytest.approx(step.change, abs=1e-9)


def test_gap_to_the_imported_file_is_rounding_and_no_engine(stored: Any) -> None:
    walk = Walk(compare(source(SEVEN), load_match(stored(SEVEN)), left_rules="blunderdb-2026"))
    ledger = walk.ledger(bridges_of(walk, ("pr",)))
    assert set(ledger["cause"]) <= {"engine.error-alone", "engine.counting", "rounding"}
    back = Walk(compare(load_match(stored(SEVEN)), source(SEVEN)))
    causes = set(back.ledger(bridges_of(back, ("pr",)))["cause"])
    assert "engine.error-alone" in causes
    assert not causes & {"engine.not-listed", "engine.other-best-move", "engine.other-cube-verdict"}


@pytest.mark.parametrize("rules", ["xg", "gnubg", "gnubg-manual", "backgammondb", "gammonview", "snowie4"])
def test_other_programs_rules_are_replaced_where_they_need_equities_and_the_result_says_so(stored: Any, rules: str) -> None:
    scored = statistics(load_match(stored(SEVEN)), rules)
    replaced = {code: used for code, _, used in scored.scored.replaced}
    assert replaced["Q02"] == "marked"
    assert replaced.get("Q03", "all") == "all"
    assert scored.rules.answers["Q06"] in ("stored", "millipoint")
    evidence = [finding.evidence for finding in findings_of(scored) if finding.code == "answer-replaced"]
    assert len(evidence) == len(replaced)
    own = statistics(load_match(stored(SEVEN)))
    assert scored.figures(0)["equity_error.total"] == own.figures(0)["equity_error.total"]
    assert (scored.figures(0)["decisions.double"] or 0) == own.figures(0)["decisions.double"]


def test_own_rules_are_told_as_the_file_s_marks_and_not_as_a_replacement(stored: Any) -> None:
    found = codes(stored(SEVEN))
    assert "answer-replaced" not in found
    assert found["marks-of-file"].endswith("no-doubles count")


# -- rows ------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "meant"),
    [
        ("No Double", (Kind.NO_DOUBLE, None)),
        ("No redouble", (Kind.NO_DOUBLE, None)),
        ("No Double, Take", (Kind.NO_DOUBLE, None)),
        ("Too good to redouble, pass", (Kind.NO_DOUBLE, None)),
        ("TG", (Kind.NO_DOUBLE, None)),
        ("", (Kind.NO_DOUBLE, None)),
        ("Double", (Kind.DOUBLE, None)),
        ("Redouble", (Kind.DOUBLE, None)),
        ("Double, Take", (Kind.DOUBLE, Kind.TAKE)),
        ("Double / Prendre", (Kind.DOUBLE, Kind.TAKE)),
        ("Double / Refuser", (Kind.DOUBLE, Kind.PASS)),
        ("Double / Reject", (Kind.DOUBLE, Kind.PASS)),
        ("Redouble, pass", (Kind.DOUBLE, Kind.PASS)),
        ("Double/Beaver", (Kind.DOUBLE, Kind.BEAVER)),
        ("Take", (Kind.TAKE, None)),
        ("Drop", (Kind.PASS, None)),
        ("Beaver", (Kind.BEAVER, None)),
        ("Unknown(D=2,T=1)", None),
    ],
)
def test_label_of_a_cube_action_says_what_was_done(label: str, meant: tuple[Kind, Kind | None] | None) -> None:
    assert cube_action(label) == meant


def test_every_fixed_label_of_an_action_is_understood() -> None:
    assert all(cube_action(label) for label in LABELS if label not in ("checker", "cube"))
    assert len(LABELS) == len(set(LABELS)) == 42


def test_no_double_without_a_row_is_not_analysed_and_the_answer_follows_from_the_double_s_label(folder: Path) -> None:
    """As blunderDB's import of a gnuBG file leaves it."""
    match = source("reference_matches/gnubg-11pt-cube-rich/ann-ben-11pt-cube-rich.sgf")
    path = writer.write(folder / "as-gnubg.db", [match], as_gnubg=True)
    database = load_match(path)
    paired = pair(match, database)
    actions = match.cubes.kind != Kind.NO_DOUBLE
    assert len(paired.cubes[0]) == len(match.cubes)
    assert (database.cubes.kind[paired.cubes[1]] == match.cubes.kind[paired.cubes[0]]).all()
    assert database.cubes.analysed.sum() == (match.cubes.analysed & (match.cubes.kind == Kind.DOUBLE)).sum()
    assert np.isnan(database.cubes.stored_error[~database.cubes.analysed]).all()
    found = codes(path)
    assert f"{(~actions).sum()} no-doubles" in found["cube-rows-missing"]
    assert "incomplete-analysis" in found


def test_plain_no_double_has_its_error_and_one_without_analysis_is_unknown_not_0(tmp_path: Path) -> None:
    path = changed(tmp_path, "UPDATE move SET decision_error_mp = NULL WHERE cube_action = 3")
    cubes = load_match(path).cubes
    plain = cubes.kind == Kind.NO_DOUBLE
    assert plain.any()
    assert not cubes.analysed[plain].any()
    assert cubes.expected[plain].all()
    whole = statistics(load_match(path)).completeness(0)["cube"]
    assert whole.analysed < whole.expected


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
def test_beaver_that_has_no_row_shows_in_the_cube_of_the_next_play(tmp_path: Path, path: Path, label: int) -> None:
    """blunderDB's import of an .xg labels a double that was beavered as passed."""
    file = source(str(path))
    stored = load_match(changed(tmp_path, f"UPDATE move SET cube_action = {label} WHERE cube_action = 8", paths=(str(path),)))
    for table in ("game", "turn", "player", "kind", "cube", "owner"):
        assert (getattr(stored.cubes, table) == getattr(file.cubes, table))[file.cubes.kind != Kind.TAKE].all()
    assert (stored.plays.cube == file.plays.cube).all()
    assert (stored.cubes.kind == Kind.BEAVER).any()


@pytest.mark.parametrize("path", [SEVEN, f"{DEMONSTRATION}.xg"])
def test_plays_alone_lead_to_the_same_positions_where_the_stored_ones_are_gone(tmp_path: Path, path: str) -> None:
    whole = load_match(writer.write(tmp_path / "whole.db", [source(path)]))
    bare = load_match(changed(tmp_path, "UPDATE move SET position_id = NULL", paths=(path,)))
    assert (bare.plays.position == whole.plays.position).all()
    assert not bare.plays.analysed.any()
    assert "not-analysed" in codes(tmp_path / "changed.db")


def test_illegal_play_is_told_and_the_game_goes_on_from_the_stored_position(tmp_path: Path) -> None:
    path = changed(
        tmp_path, "UPDATE move SET checker_move = '24/1' WHERE id = (SELECT id FROM move WHERE move_type = 1 ORDER BY id LIMIT 1 OFFSET 5)"
    )
    match = load_match(path)
    assert (match.plays.validity == Validity.ILLEGAL).sum() == 1
    assert (match.plays.position == source(THREE).plays.position).all()
    assert "move" in codes(path)["illegal-play"]


def test_position_that_the_plays_do_not_lead_to_is_believed_and_told(tmp_path: Path) -> None:
    path = changed(tmp_path, "UPDATE position SET state = (SELECT state FROM position WHERE id = 1) WHERE id = 9")
    assert "not the one that the plays before lead to" in codes(path)["damaged-value"]


# -- which match -----------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def club(folder: Path) -> Path:
    """Three matches; two of the same players."""
    return writer.write(folder / "club.db", [source(SEVEN), source(f"{DEMONSTRATION}.xg"), source(THREE)])


def test_match_is_named_by_its_id_or_by_its_players_in_any_order(club: Path) -> None:
    for address in ("2", "Nora Lindqvist/Tomas Beck", "tomas_beck/NORA  lindqvist", "beck/nora", "nora/beck"):
        match = load_match(f"{club}#{address}")
        assert set(match.players) == {"Nora Lindqvist", "Tomas Beck"}
        assert match.source.path == f"{club}#2"
        assert match.source.format == "blunderdb"
    assert load_match(f"{club}#1").length == 7
    assert load_match(f"{club}#3").length == 3


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("", "several matches"),
        ("#9", "no match #9"),
        ("#99999999999999999999", "no match of '99999999999999999999'"),
        ("#alice/bob", "2 matches of 'alice/bob'"),
        ("#nobody/else", "no match of 'nobody/else'"),
        ("#'; DROP TABLE match; --", "no match of"),
        ("#1 OR 1=1", "no match of '1 OR 1=1'"),
    ],
)
def test_match_that_is_not_there_or_not_the_only_one_is_refused_with_what_there_is(club: Path, address: str, found: str) -> None:
    before = club.read_bytes()
    text = refusal(f"{club}{address}")
    assert found in text
    assert "#1 (" in text
    assert len(text) < 700
    assert club.read_bytes() == before


def test_all_matches_of_a_database_are_read_one_by_one_and_any_other_file_is_one_match(club: Path) -> None:
    assert [match.source.path for match in load_matches(club)] == [f"{club}#{key}" for key in (1, 2, 3)]
    assert [match.source.path for match in load_matches(f"{club}#2")] == [f"{club}#2"]
    assert [match.players for match in load_matches(SEVEN)] == [source(SEVEN).players]
    with pytest.raises(UnreadableFile):
        list(load_matches("no such file.db"))


def test_only_match_needs_no_name(stored: Any) -> None:
    assert load_match(stored(SEVEN)).source.path.endswith("#1")


def test_file_whose_own_name_has_the_sign_is_that_file(tmp_path: Path, stored: Any) -> None:
    shutil.copy(SEVEN, tmp_path / "club#1.sgf")
    assert load_match(tmp_path / "club#1.sgf").source.format == "sgf"
    shutil.copy(stored(SEVEN), tmp_path / "a#b?c %41.db")
    assert load_match(f"{tmp_path}/a#b?c %41.db#1").length == 7
    assert "name the file alone" in refusal(f"{SEVEN}#1")
    assert "cannot be read" in refusal(f"{tmp_path}/none.db#1")


def test_bytes_are_read_like_the_file_a_database_in_wal_mode_too(stored: Any) -> None:
    content = stored(SEVEN).read_bytes()
    asks_for_a_log = content[:18] + b"\x02\x02" + content[20:]
    for one in (content, asks_for_a_log):
        match = read_match("-", one)
        assert statistics(match).figures(0) == statistics(load_match(stored(SEVEN))).figures(0)
    assert match.source.sha256 != load_match(stored(SEVEN)).source.sha256
    assert read_match("-", content).source.sha256 == load_match(stored(SEVEN)).source.sha256


def test_reading_leaves_no_trace_beside_the_file(tmp_path: Path, stored: Any) -> None:
    path = tmp_path / "club.db"
    path.write_bytes(stored(SEVEN).read_bytes())
    path.chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        load_match(path)
        assert [one.name for one in tmp_path.iterdir()] == ["club.db"]
    finally:
        tmp_path.chmod(0o700)


# -- findings --------------------------------------------------------------------------------------------------------------------------


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
    double = "UPDATE move SET checker_move = 'Cannot Move' WHERE id = (SELECT MAX(id) FROM move WHERE position_id = 1)"
    shared = changed(tmp_path, double, schema=writer.CODES, paths=(SEVEN, SEVEN))
    found = codes(f"{shared}#1")
    assert "game 1 move 1" in found["shared-positions"]
    later = changed(tmp_path, double, paths=(SEVEN, SEVEN))
    assert "shared-positions" not in codes(f"{later}#1")


def test_migrated_database_is_told_by_its_tables_and_an_unfinished_migration_by_its_rows(tmp_path: Path, folder: Path) -> None:
    made = writer.write(folder / "old.db", [source(THREE)], writer.CODES)
    connection = sqlite3.connect(made)
    connection.executescript(
        "ALTER TABLE move ADD COLUMN decision_error_mp INTEGER; ALTER TABLE move ADD COLUMN is_close_cube INTEGER NOT NULL DEFAULT 0;"
        "UPDATE metadata SET value = '2.39.0'; INSERT INTO metadata VALUES ('played_decisions_pending', '1');"
    )
    connection.close()
    found = codes(made)
    assert "older make" in found["migrated-database"]
    assert "move" in found["migration-unfinished"]
    assert not load_match(made).cubes.analysed.any()
    assert statistics(load_match(made)).figures(0)["pr"] is None
    half = changed(tmp_path, "UPDATE move SET decision_error_mp = NULL WHERE id = 7")
    assert "1 decision whose position has an error" in codes(half)["migration-unfinished"]


@pytest.mark.parametrize("label", ["No double", "No Redouble"])
def test_spelling_that_makes_a_no_double_count_is_named(tmp_path: Path, label: str) -> None:
    plain = changed(tmp_path)
    far = next(row for row in range(len(load_match(plain).cubes)) if load_match(plain).cubes.flag[row] == 1)
    before = statistics(load_match(plain))
    seat = int(before.match.cubes.player[far])
    where = f"cube_action = 3 AND is_close_cube = 0 AND player = {1 - 2 * seat}"
    path = changed(
        tmp_path, f"UPDATE move SET cube_action = {writer.CODE_OF[label]} WHERE id = (SELECT id FROM move WHERE {where} LIMIT 1)"
    )
    assert repr(label) in codes(path)["spelling-counts"]
    after = statistics(load_match(path))
    assert after.figures(seat)["decisions.double"] == (before.figures(seat)["decisions.double"] or 0) + 1
    totals = writer.own_totals(path, 1)
    assert counted(after, seat)[0] == sum(number for (player, _), (number, _) in totals.items() if (player > 0) == (seat == 0))


def test_newer_schema_is_tried_and_told(tmp_path: Path) -> None:
    path = changed(tmp_path, "UPDATE metadata SET value = '2.61.3' WHERE key = 'database_version'")
    assert "2.61.3" in codes(path)["file-version"]
    assert statistics(load_match(path)).rules.name == "blunderdb-2026"


def test_another_table_of_the_library_is_told(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        "CREATE TABLE match_equity_table (id INTEGER PRIMARY KEY, name TEXT)",
        "INSERT INTO match_equity_table VALUES (4, 'Woolsey')",
        "UPDATE analysis SET met_id = 4 WHERE id = 3",
    )
    assert "'Woolsey'" in codes(path)["met-assumed"]


# -- hostile files ---------------------------------------------------------------------------------------------------------------------

REFUSED: dict[str, tuple[str, tuple[str, ...]]] = {
    "player-5": ("player 1 or -1 for move 3, found 5", ("UPDATE move SET player = 5 WHERE id = 3",)),
    "player-text": ("player 1 or -1", ("UPDATE move SET player = 'x' WHERE id = 3",)),
    "die-7": ("for dice_1 of move", ("UPDATE move SET dice_1 = 7 WHERE move_type = 1",)),
    "die-null": ("two dice", ("UPDATE move SET dice_1 = NULL WHERE move_type = 1",)),
    "die-real": ("for dice_2 of move", ("UPDATE move SET dice_2 = 2.5 WHERE move_type = 1",)),
    "error-negative": ("for the error of move", ("UPDATE move SET decision_error_mp = -1",)),
    "error-huge": ("for the error of move", ("UPDATE move SET decision_error_mp = 9223372036854775807",)),
    "error-text": ("for the error of move", ("UPDATE move SET decision_error_mp = 'nan'",)),
    "luck-huge": ("for the luck of move", ("UPDATE move SET luck_mp = 1000000",)),
    "cube-huge": ("for the cube of move", ("UPDATE position SET cube_value = 62",)),
    "owner": ("for the owner of the cube", ("UPDATE position SET cube_owner = 7",)),
    "code-unknown": ("a known code for the cube action", ("UPDATE move SET cube_action = 999 WHERE move_type = 2",)),
    "action-unknown": (
        "a cube action for move",
        ("INSERT INTO action_label VALUES (1000, 'Resign')", "UPDATE move SET cube_action = 1000 WHERE move_type = 2"),
    ),
    "type-unknown": ("the type 'checker' or 'cube'", ("UPDATE move SET move_type = 8",)),
    "board-16-checkers": ("a board for move", (f"UPDATE position SET state = '[0,-16{',0' * 26}]'",)),
    "board-short": ("a board for move", ("UPDATE position SET state = '[1,2]'",)),
    "board-deep": ("a board for move", (f"UPDATE position SET state = '{'[' * 100_000}'",)),
    "board-words": ("a board for move", ("UPDATE position SET state = '[\"a\"]'",)),
    "board-big": ("a sound SQLite database", ("UPDATE position SET state = zeroblob(5000000) WHERE id = 1",)),
    "play-blob": ("a text for the play", ("UPDATE move SET checker_move = x'00ff'",)),
    "game-twice": ("every game of a match once", ("UPDATE game SET game_number = 1",)),
    "game-negative": ("for the number of game", ("UPDATE game SET game_number = -1",)),
    "score-beyond": ("scores below the match length", ("UPDATE game SET initial_score_1 = 3",)),
    "length-huge": ("the length of the match", ("UPDATE match SET match_length = 100000000",)),
    "length-text": ("the length of the match", ("UPDATE match SET match_length = 'seven'",)),
    "winner": ("for the winner of game", ("UPDATE game SET winner = 3",)),
    "no-games": ("a match with moves", ("DELETE FROM game",)),
    "no-moves": ("a match with moves", ("DELETE FROM move",)),
    "no-matches": ("positions alone", ("DELETE FROM match",)),
    "no-version": ("the version of its schema", ("DELETE FROM metadata",)),
    "odd-version": ("the version of its schema", ("UPDATE metadata SET value = 'two'",)),
    "no-metadata": ("the version of its schema", ("DROP TABLE metadata",)),
    "no-position": ("blunderDB's tables", ("DROP TABLE position",)),
    "no-analysis": ("column analysis.position_id", ("DROP TABLE analysis",)),
    "no-column": ("column game.winner in schema 2.39.0", ("ALTER TABLE game RENAME COLUMN winner TO victor",)),
    "no-error-column": ("column move.decision_error_mp", ("ALTER TABLE move RENAME COLUMN decision_error_mp TO cost",)),
    "view": ("a table 'match', found a view", ("ALTER TABLE match RENAME TO m2", "CREATE VIEW match AS SELECT * FROM m2")),
    "computed": ("plain columns in table 'game'", ("ALTER TABLE game ADD COLUMN x GENERATED ALWAYS AS (hex(zeroblob(900000000)))",)),
    "analysis-twice": (
        "for each position",
        (
            "DROP TABLE analysis",
            "CREATE TABLE analysis (position_id, cube_error, best_move_equity_error)",
            *["INSERT INTO analysis (position_id) SELECT id FROM position"] * 2,
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("expected", "statements"), REFUSED.values(), ids=REFUSED)
def test_database_that_cannot_be_trusted_is_refused_with_the_place(tmp_path: Path, expected: str, statements: tuple[str, ...]) -> None:
    assert expected in refusal(changed(tmp_path, *statements))


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


def test_names_are_data_and_never_part_of_a_question(tmp_path: Path) -> None:
    name = "x'; DROP TABLE move; --\x1b[31m\n"
    path = writer.write(tmp_path / "names.db", [source(THREE)])
    connection = sqlite3.connect(path)
    connection.execute("UPDATE match SET player1_name = ?, player2_name = NULL, event = x'ff'", (name,))
    connection.commit()
    connection.close()
    match = load_match(path)
    assert match.players == ("x'; DROP TABLE move; --[31m", "Player 2")
    assert "no match of" in refusal(f"{path}#x'; DROP TABLE move; --/player")
    assert len(load_match(path).plays) == len(source(THREE).plays)


def test_triggers_and_foreign_views_do_nothing(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        "CREATE TRIGGER t AFTER UPDATE ON match BEGIN DELETE FROM move; END",
        "CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
    )
    assert len(load_match(path).plays) == len(source(THREE).plays)


def test_protected_copy_other_database_and_cut_or_scrambled_file_are_refused(tmp_path: Path, stored: Any) -> None:
    content = stored(SEVEN).read_bytes()
    (tmp_path / "club.dbx").write_bytes(b"BDBX\x01\x00\x00\x00\x10" + b"\0" * 64)
    assert "export a .db" in refusal(tmp_path / "club.dbx")
    (tmp_path / "cut.db").write_bytes(content[: len(content) // 3])
    assert "sound SQLite database" in refusal(tmp_path / "cut.db")
    (tmp_path / "magic.db").write_bytes(content[:16])
    refusal(tmp_path / "magic.db")
    scrambled = bytearray(content)
    scrambled[4096 * 3 :: 97] = b"\xa5" * len(scrambled[4096 * 3 :: 97])
    (tmp_path / "scrambled.db").write_bytes(scrambled)
    refusal(tmp_path / "scrambled.db")
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE photos (id)")
    other.commit()
    assert "a SQLite database of something else" in refusal(tmp_path / "other.db")


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 200_000), value=st.binary(min_size=1, max_size=40))
def test_damaged_bytes_are_refused_or_give_a_match_and_never_a_traceback(stored: Any, at: int, value: bytes) -> None:
    content = bytearray(stored(THREE).read_bytes())
    at %= len(content)
    content[at : at + len(value)] = value
    with suppress(ReconcileError):
        statistics(read_match("damaged.db", bytes(content))).figures(0)


def test_rows_of_junk_take_bounded_memory(tmp_path: Path) -> None:
    many = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < {})"
    path = changed(
        tmp_path,
        f"INSERT INTO match (player1_name, player2_name, match_length) {many.format(50_000)} SELECT 'p' || x, 'q', 7 FROM n",
        f"INSERT INTO move (game_id, move_type, player) {many.format(100_000)} SELECT 1, 1, 1 FROM n",
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "at most" in refusal(f"{path}#1")
    assert "and 49996 more" in refusal(path)
    assert "no match of" in refusal(f"{path}#no/body")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


def test_question_that_never_ends_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = changed(tmp_path)
    monkeypatch.setattr("reconcile.adapters.blunderdb.database.MOST_STEPS", 0)
    monkeypatch.setattr("reconcile.adapters.blunderdb.database.STEPS_AT_ONCE", 10)
    assert "far longer" in refusal(path)


# -- the command line ------------------------------------------------------------------------------------------------------------------


def test_stats_compare_and_convert_take_an_address(stored: Any, tmp_path: Path) -> None:
    run = CliRunner().invoke
    address = f"{stored(SEVEN)}#1"
    done = run(main, ["stats", address, "--format", "json"])
    document = json.loads(done.stdout)
    assert (done.exit_code, document["source"]["format"], document["rules"]) == (0, "blunderdb", "blunderdb-2026")
    assert document["source"]["path"] == address
    assert run(main, ["compare", address, SEVEN, "--quiet"]).exit_code in (0, 1)
    out = tmp_path / "match.json"
    assert run(main, ["convert", address, "-o", str(out)]).exit_code == 0
    decisions = json.loads(out.read_text("utf-8"))["decisions"]
    assert sum(decision["kind"] == "play" for decision in decisions) == len(source(SEVEN).plays)
    assert run(main, ["stats", f"{stored(SEVEN)}#7"]).exit_code == 2
