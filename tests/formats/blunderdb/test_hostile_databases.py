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

REFUSED: dict[str, tuple[str, tuple[str, ...]]] = {
    "player-5": ("player 1 or -1 for move 3, found 5", ("UPDATE move SET player = 5 WHERE id = 3",)),
    "player-text": ("player 1 or -1", ("UPDATE move SET player = 'x' WHERE id = 3",)),
    "die-7": ("for dice_1 of move", ("UPDATE move SET dice_1 = 7 WHERE move_type = 1",)),
    "die-null": ("two dice", ("UPDATE move SET dice_1 = NULL WHERE move_type = 1",)),
    "die-real": ("for dice_2 of move", ("UPDATE move SET dice_2 = 2.5 WHERE move_type = 1",)),
    "error-negative": ("for the error of move", ("UPDATE move SET decision_error_mp = -1",)),
    "error-huge": ("for the error of move", ("UPDATE move SET decision_error_mp = "
        "9223372036854775807",)),
    "error-text": ("for the error of move", ("UPDATE move SET decision_error_mp = 'nan'",)),
    "luck-huge": ("for the luck of move", ("UPDATE move SET luck_mp = 1000000",)),
    "cube-huge": ("for the cube of move", ("UPDATE position SET cube_value = 62",)),
    "owner": ("for the owner of the cube", ("UPDATE position SET cube_owner = 7",)),
    "code-unknown": ("a known code for the cube action", ("UPDATE move SET cube_action = 999 "
        "WHERE move_type = 2",)),
    "action-unknown": (
        "a cube action for move",
        ("INSERT INTO action_label VALUES (1000, 'Resign')", "UPDATE move SET cube_action = 1000 "
            "WHERE move_type = 2"),
    ),
    "type-unknown": ("the type 'checker' or 'cube'", ("UPDATE move SET move_type = 8",)),
    "board-16-checkers": ("a board for move", (f"UPDATE position SET state = '[0,-16{',0' * 26}]'",)),
    "board-short": ("a board for move", ("UPDATE position SET state = '[1,2]'",)),
    "board-deep": ("a board for move", (f"UPDATE position SET state = '{'[' * 100_000}'",)),
    "board-words": ("a board for move", ("UPDATE position SET state = '[\"a\"]'",)),
    "board-big": ("an intact SQLite database", ("UPDATE position SET state = zeroblob(5000000) "
        "WHERE id = 1",)),
    "play-blob": ("a text for the play", ("UPDATE move SET checker_move = x'00ff'",)),
    "game-twice": ("every game of a match once", ("UPDATE game SET game_number = 1",)),
    "game-negative": ("for the number of game", ("UPDATE game SET game_number = -1",)),
    "score-beyond": ("scores below the match length", ("UPDATE game SET initial_score_1 = 3",)),
    "length-huge": ("the length of the match", ("UPDATE match SET match_length = 100000000",)),
    "length-text": ("the length of the match", ("UPDATE match SET match_length = 'seven'",)),
    "winner": ("for the winner of game", ("UPDATE game SET winner = 3",)),
    "no-games": ("a match with moves", ("DELETE FROM game",)),
    "no-moves": ("a match with moves", ("DELETE FROM move",)),
    "no-matches": ("only positions", ("DELETE FROM match",)),
    "no-version": ("the version of its schema", ("DELETE FROM metadata",)),
    "odd-version": ("the version of its schema", ("UPDATE metadata SET value = 'two'",)),
    "no-metadata": ("the version of its schema", ("DROP TABLE metadata",)),
    "no-position": ("blunderDB's tables", ("DROP TABLE position",)),
    "no-analysis": ("column analysis.position_id", ("DROP TABLE analysis",)),
    "no-column": ("column game.winner in schema 2.39.0", ("ALTER TABLE game RENAME COLUMN winner "
        "TO victor",)),
    "no-error-column": ("column move.decision_error_mp", ("ALTER TABLE move RENAME COLUMN "
        "decision_error_mp TO cost",)),
    "view": ("a table 'match', found a view", ("ALTER TABLE match RENAME TO m2", "CREATE VIEW "
        "match AS SELECT * FROM m2")),
    "computed": ("plain columns in table 'game'", ("ALTER TABLE game ADD COLUMN x GENERATED "
        "ALWAYS AS (hex(zeroblob(900000000)))",)),
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
def test_database_that_cannot_be_trusted_is_refused_with_the_place(
    tmp_path: Path, expected: str, statements: tuple[str, ...]
) -> None:
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

    def connected(*given: Any, **named: Any) -> sqlite3.Connection:
        connections.append(connect(*given, **named))
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
