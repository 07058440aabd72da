"""Write a blunderDB database from a match, as blunderDB's importers do, in any of its schemas: the
counterpart, in tests, of the reader.

    write(path, [match, ...], schema="2.39.0")

Written from what blunderDB's public sources say of its tables; no code of theirs. Positions are
stored once for all matches, in the view of the player on roll, the first player's checkers
negative. An error is the stored error of the file in whole thousandths, rounded half away from zero
as Go's `math.Round` does. What blunderDB derives from equities is derived here from the equities of
the match.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import floor
from pathlib import Path
from typing import Any, Final

import numpy as np

from reconcile.match.board.play import count_legal_plays, format_play
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.match.met import load_met
from reconcile.rules import rule_set
from reconcile.scoring.score import Scored, score

TEXTS: Final = "2.20.0"
CODES: Final = "2.31.0"
LATER_RULES: Final = "2.38.0"
PER_MOVE: Final = "2.39.0"
SCHEMAS: Final = (TEXTS, CODES, LATER_RULES, PER_MOVE)
CODE_OF: Final = {
    "": 0,
    "checker": 1,
    "cube": 2,
    "No Double": 3,
    "Double": 8,
    "Take": 9,
    "Pass": 10,
    "Double/Take": 13,
    "Double/Pass": 14,
    "No double": 17,
    "No Redouble": 24,
}
LABELS: Final = {
    Kind.PLAY: "",
    Kind.NO_DOUBLE: "No Double",
    Kind.DOUBLE: "Double",
    Kind.TAKE: "Take",
    Kind.PASS: "Pass",
}
TABLES: Final = Path(__file__).with_name("blunderdb_tables.sql").read_text("utf-8")
LABELS_TABLE: Final = (
    "CREATE TABLE action_label (code INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);"
)
OF_MOVES: Final = (
    ", error_mp INTEGER, decision_error_mp INTEGER, is_close_cube INTEGER NOT NULL DEFAULT 0"
)
CHECKS: Final = ", CHECK (dice_1 BETWEEN 0 AND 6), CHECK (cube_value >= 0)"
COUNTED: Final = """
SELECT m.player, p.decision_type, COUNT(*), SUM({error}) FROM move m
JOIN game g ON g.id = m.game_id JOIN position p ON p.id = m.position_id
JOIN analysis a ON a.position_id = p.id
WHERE g.match_id = ? AND {error} IS NOT NULL AND (p.decision_type = 0 AND a.is_forced = 0
    OR p.decision_type = 1
    AND (COALESCE(m.cube_action, '') NOT IN ({plain}) OR {close}.is_close_cube = 1))
GROUP BY 1, 2
"""
"""blunderDB's statistics of a match, by its own predicate."""
BY_POSITION: Final = (
    "CASE WHEN p.decision_type = 1 THEN a.cube_error ELSE a.best_move_equity_error END"
)


@dataclass(frozen=True, slots=True)
class Row:
    """A move before it has ids."""

    game: int
    turn: int
    seat: int
    kind: Kind
    board: tuple[int, ...]
    cube: int
    owner: int
    dice: tuple[int, int]
    play: str
    error: int | None
    luck: int | None
    forced: bool
    close: bool
    analysed: bool


def version(schema: str) -> tuple[int, ...]:
    return tuple(map(int, schema.split(".")))


def millipoints(value: float) -> int | None:
    """In whole thousandths, rounded half away from zero."""
    return None if value != value else int(np.copysign(floor(abs(value) * 1000 + 0.5), value))


def write(
    path: Path,
    matches: Sequence[Match],
    schema: str = PER_MOVE,
    *,
    as_gnubg: bool = False,
    change: Callable[[sqlite3.Connection], None] | None = None,
) -> Path:
    """A database of these matches. `as_gnubg` leaves out what blunderDB's import of a gnuBG file
    does: no-doubles and answers."""
    path.unlink(missing_ok=True)
    codes, per_move = (version(schema) >= version(since) for since in (CODES, PER_MOVE))
    with closing(sqlite3.connect(path)) as connection:
        # Nothing is lost with a file of tests.
        connection.executescript("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;")
        tables = TABLES.format(
            action="INTEGER" if codes else "TEXT",
            of_moves=OF_MOVES if per_move else "",
            checks=CHECKS if per_move else "",
        )
        connection.executescript(tables + (LABELS_TABLE if codes else ""))
        connection.execute("INSERT INTO metadata VALUES ('database_version', ?)", (schema,))
        writer = _Writer(connection, schema, as_gnubg=as_gnubg)
        for match in matches:
            writer.match(match)
        if change is not None:
            change(connection)
        connection.commit()
    return path


def own_totals(path: Path, match: int) -> dict[tuple[int, int], tuple[int, int]]:
    """What blunderDB's own question gives: (player 1 or -1, checker 0 or cube 1) -> (decisions,
    millipoints lost)."""
    with closing(sqlite3.connect(path)) as connection:
        return _totals(connection, match)


def _totals(connection: sqlite3.Connection, match: int) -> dict[tuple[int, int], tuple[int, int]]:
    query = "SELECT value FROM metadata WHERE key = 'database_version'"
    ((schema,),) = connection.execute(query).fetchall()
    per_move = version(schema) >= version(PER_MOVE)
    codes = version(schema) >= version(CODES)
    question = COUNTED.format(
        error="m.decision_error_mp" if per_move else BY_POSITION,
        plain="0, 3, 16" if codes else "'', 'No Double', 'NoDouble'",
        close="m" if per_move else "a",
    )
    rows = connection.execute(question, (match,)).fetchall()
    return {(player, kind): (number, total) for player, kind, number, total in rows}


class _Writer:
    def __init__(self, connection: sqlite3.Connection, schema: str, *, as_gnubg: bool) -> None:
        self.connection, self.schema, self.as_gnubg = connection, version(schema), as_gnubg
        self.codes = self.schema >= version(CODES)
        self.positions: dict[tuple[Any, ...], int] = {}

    def insert(self, table: str, **values: Any) -> int:
        marks = ", ".join("?" * len(values))
        statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"
        key = self.connection.execute(statement, tuple(values.values())).lastrowid
        assert key is not None
        return key

    def action(self, label: str) -> str | int:
        return CODE_OF[label] if self.codes else label

    def match(self, match: Match) -> None:
        games, money = match.games, match.is_money
        key = self.insert(
            "match",
            player1_name=match.players[0],
            player2_name=match.players[1],
            event=match.event,
            match_length=match.length or 0,
            match_date="2024-08-10 00:00:00",
            file_path=f"/import/{Path(match.source.path).name}",
            game_count=len(games),
            has_jacoby=int(match.rules.jacoby) if money else None,
            has_beaver=int(match.rules.beavers) if money else None,
        )
        rules = rule_set("blunderdb-2026" if self.schema >= (2, 37) else "blunderdb")
        scored = score(match, rules, load_met("Kazaross-XG2"))
        rows = sorted(_rows(match, scored), key=lambda row: (row.game, row.turn, not row.kind))
        for game in range(len(games)):
            game_key = self.insert(
                "game",
                match_id=key,
                game_number=int(games.number[game]),
                initial_score_1=int(games.score[game, 0]),
                initial_score_2=int(games.score[game, 1]),
                winner={0: 1, 1: -1, -1: 0}[int(games.winner[game])],
                points_won=int(games.points[game]),
            )
            away = [0, 0] if match.length is None else (match.length - games.score[game]).tolist()
            for number, row in enumerate(row for row in rows if row.game == game):
                self.move(game_key, number, row, away, match.length or 0)
        self.stats(key)

    def move(self, game: int, number: int, row: Row, away: list[int], length: int) -> None:
        if self.as_gnubg and row.kind in (Kind.NO_DOUBLE, Kind.TAKE, Kind.PASS):
            return
        position = self.position(row, away, length)
        checker = row.kind is Kind.PLAY
        later = {
            "decision_error_mp": row.error,
            "is_close_cube": int(row.close and not checker),
        }
        self.insert(
            "move",
            game_id=game,
            move_number=number,
            move_type=self.action("checker" if checker else "cube"),
            position_id=position,
            player=1 if row.seat == 0 else -1,
            dice_1=row.dice[0],
            dice_2=row.dice[1],
            checker_move=row.play,
            cube_action=self.action(LABELS[row.kind]),
            luck_mp=row.luck,
            **later if self.schema >= version(PER_MOVE) else {},
        )

    def position(self, row: Row, away: list[int], length: int) -> int:
        """The row of a position, made once; the analysis scores what was done in it first."""
        cube, response = row.kind is not Kind.PLAY, row.kind in (Kind.TAKE, Kind.PASS)
        state = [-count for count in row.board] + [0, 0]
        owners = {0: -1, 1: 0, -1: 1}
        values = {
            "decision_type": int(cube),
            "player_on_roll": 0,
            "dice_1": row.dice[0],
            "dice_2": row.dice[1],
            "cube_value": row.cube.bit_length() - 1 + response,
            "cube_owner": -1 if response else owners[int(np.sign(row.owner))],
            "score_1": away[row.seat],
            "score_2": away[1 - row.seat],
            "match_length": length,
            "state": bytes(count & 255 for count in state) if self.codes else json.dumps(state),
        }
        key = (*values.values(), response)
        if key not in self.positions:
            self.positions[key] = self.insert("position", **values)
            if row.analysed:
                self.insert(
                    "analysis",
                    position_id=self.positions[key],
                    data=b"\xba\x01 not for us",
                    best_cube_action=self.action("No Double" if cube else ""),
                    cube_error=row.error if cube else 0,
                    best_move_equity_error=0 if cube else row.error,
                    is_forced=int(row.forced),
                    is_close_cube=int(row.close),
                    analysis_engine="XG",
                    analysis_depth=3,
                )
        return self.positions[key]

    def stats(self, match: int) -> None:
        """The materialised totals, by blunderDB's own question."""
        totals = _totals(self.connection, match)
        for seat, player in ((1, 1), (2, -1)):
            checker, cube = (totals.get((player, kind), (0, 0)) for kind in (0, 1))
            number, lost = checker[0] + cube[0], checker[1] + cube[1]
            self.insert(
                "match_stats",
                match_id=match,
                seat=seat,
                decisions=number,
                checker_decisions=checker[0],
                cube_decisions=cube[0],
                error_mp=lost,
                pr=500 * lost / 1000 / number if number else None,
                checker_error_mp=checker[1],
                cube_error_mp=cube[1],
            )


def _rows(match: Match, scored: Scored) -> Iterator[Row]:
    """Every decision as blunderDB would store it, plays first."""
    plays, cubes = match.plays, match.cubes
    for index in range(len(plays) + len(cubes)):
        is_play = index < len(plays)
        table, at = (plays, index) if is_play else (cubes, index - len(plays))
        kind = Kind.PLAY if is_play else Kind(int(cubes.kind[at]))
        board = tuple(table.position[at].tolist())
        analysed, counted = bool(table.analysed[at]), bool(scored.counted[index])
        dice, play, luck, forced = (0, 0), "", None, False
        if is_play:
            dice = tuple(plays.dice[at].tolist())
            analysed &= scored.match.plays.validity[at] == Validity.VALID
            unplayed = plays.validity[at] == Validity.UNPLAYED
            text = "cannot move" if unplayed else format_play(board, plays.play[at])
            play = "Cannot Move" if text == "cannot move" else text
            luck = millipoints(float(plays.luck[at]))
            forced = not counted and (analysed or count_legal_plays(board, *dice) < 2)
        elif kind is Kind.BEAVER or cubes.answers_beaver[at]:
            continue
        elif kind is Kind.NO_DOUBLE and not analysed:
            continue  # blunderDB has no row for a no-double without an analysis
        yield Row(
            game=int(table.game[at]),
            turn=int(table.turn[at]),
            seat=int(table.player[at]),
            kind=kind,
            board=board,
            cube=int(table.cube[at]),
            owner=int(table.owner[at]),
            dice=dice,
            play=play,
            error=millipoints(float(scored.error[index])) if analysed else None,
            luck=luck,
            forced=forced,
            close=not is_play and (kind >= Kind.TAKE or counted),
            analysed=analysed,
        )
