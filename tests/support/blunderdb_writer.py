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
TABLES: Final = Path(__file__).with_name("blunderdb_tables.sql").read_text("utf-8")
LABELS_TABLE: Final = (
    "CREATE TABLE action_label (code INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);"
)
COUNTED: Final = """
SELECT m.player, p.decision_type, COUNT(*), SUM({error}) FROM move m
JOIN game g ON g.id = m.game_id JOIN position p ON p.id = m.position_id
JOIN analysis a ON a.position_id = p.id
WHERE g.match_id = ? AND {error} IS NOT NULL AND {counted} GROUP BY 1, 2
"""
"""blunderDB's statistics of a match, by its own predicate."""


@dataclass(frozen=True, slots=True)
class Row:
    """A move before it has ids."""

    turn: int
    seat: int
    kind: Kind
    board: tuple[int, ...]
    cube: int
    owner: int
    dice: tuple[int, int] = (0, 0)
    play: str = ""
    label: str = ""
    error: int | None = None
    luck: int | None = None
    forced: bool = False
    close: bool = False
    analysed: bool = False


def version(schema: str) -> tuple[int, ...]:
    return tuple(map(int, schema.split(".")))


def millipoints(value: float) -> int | None:
    """In whole thousandths, rounded half away from zero."""
    if value != value:
        return None
    return int(np.copysign(floor(abs(value) * 1000 + 0.5), value))


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
    connection = sqlite3.connect(path)
    connection.executescript(
        "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;"
    )  # nothing is lost with a file of tests
    later = version(schema) >= version(PER_MOVE)
    connection.executescript(
        TABLES.format(
            action="INTEGER" if version(schema) >= (2, 31) else "TEXT",
            of_moves=(
                ", error_mp INTEGER, decision_error_mp INTEGER, is_close_cube INTEGER NOT "
                "NULL DEFAULT 0"
            )
            if later
            else "",
            checks=", CHECK (dice_1 BETWEEN 0 AND 6), CHECK (cube_value >= 0)" if later else "",
        )
        + (LABELS_TABLE if version(schema) >= (2, 31) else "")
    )
    connection.execute("INSERT INTO metadata VALUES ('database_version', ?)", (schema,))
    writer = _Writer(connection, schema, as_gnubg=as_gnubg)
    for match in matches:
        writer.match(match)
    if change is not None:
        change(connection)
    connection.commit()
    connection.close()
    return path


def own_totals(path: Path, match: int) -> dict[tuple[int, int], tuple[int, int]]:
    """What blunderDB's own question gives: (player 1 or -1, checker 0 or cube 1) -> (decisions,
    millipoints lost)."""
    connection = sqlite3.connect(path)
    ((schema,),) = connection.execute(
        "SELECT value FROM metadata WHERE key = 'database_version'"
    ).fetchall()
    moves = version(schema) >= version(PER_MOVE)
    error = (
        "m.decision_error_mp"
        if moves
        else "CASE WHEN p.decision_type = 1 THEN a.cube_error ELSE a.best_move_equity_error END"
    )
    plain = "0, 3, 16" if version(schema) >= (2, 31) else "'', 'No Double', 'NoDouble'"
    counted = (
        "((p.decision_type = 0 AND a.is_forced = 0) OR (p.decision_type = 1 AND "
        f"(COALESCE(m.cube_action, '') NOT IN ({plain}) OR "
        f"{'m' if moves else 'a'}.is_close_cube = 1)))"
    )
    rows = connection.execute(COUNTED.format(error=error, counted=counted), (match,)).fetchall()
    connection.close()
    return {(player, kind): (number, total) for player, kind, number, total in rows}


class _Writer:
    def __init__(self, connection: sqlite3.Connection, schema: str, *, as_gnubg: bool) -> None:
        self.connection, self.schema, self.as_gnubg = connection, version(schema), as_gnubg
        self.positions: dict[tuple[Any, ...], int] = {}

    def insert(self, table: str, **values: Any) -> int:
        marks = ", ".join("?" * len(values))
        cursor = self.connection.execute(
            f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values())
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def action(self, label: str) -> str | int:
        return CODE_OF[label] if self.schema >= (2, 31) else label

    def match(self, match: Match) -> None:
        key = self.insert(
            "match",
            player1_name=match.players[0],
            player2_name=match.players[1],
            event=match.event,
            match_length=match.length or 0,
            match_date="2024-08-10 00:00:00",
            file_path=f"/import/{Path(match.source.path).name}",
            game_count=len(match.games),
            has_jacoby=int(match.rules.jacoby) if match.is_money else None,
            has_beaver=int(match.rules.beavers) if match.is_money else None,
        )
        rules = rule_set("blunderdb-2026" if self.schema >= (2, 37) else "blunderdb")
        scored = score(match, rules, load_met("Kazaross-XG2"))
        rows = list(_rows(match, scored))
        for game in range(len(match.games)):
            winner = int(match.games.winner[game])
            game_key = self.insert(
                "game",
                match_id=key,
                game_number=int(match.games.number[game]),
                initial_score_1=int(match.games.score[game, 0]),
                initial_score_2=int(match.games.score[game, 1]),
                winner={0: 1, 1: -1, -1: 0}[winner],
                points_won=int(match.games.points[game]),
            )
            of_game = [row for index, row in rows if index == game]
            away = [0, 0] if match.is_money else (match.length - match.games.score[game]).tolist()
            for number, row in enumerate(of_game):
                self.move(game_key, number, row, away, match.length or 0)
        self.stats(key)

    def move(self, game: int, number: int, row: Row, away: list[int], length: int) -> None:
        if self.as_gnubg and row.kind in (Kind.NO_DOUBLE, Kind.TAKE, Kind.PASS):
            return
        position = self.position(row, away, length)
        label = {
            Kind.PLAY: "",
            Kind.NO_DOUBLE: "No Double",
            Kind.DOUBLE: "Double",
            Kind.TAKE: "Take",
            Kind.PASS: "Pass",
        }[row.kind]
        label = row.label or label
        values: dict[str, Any] = {
            "game_id": game,
            "move_number": number,
            "move_type": self.action("checker" if row.kind is Kind.PLAY else "cube"),
            "position_id": position,
            "player": 1 if row.seat == 0 else -1,
            "dice_1": row.dice[0],
            "dice_2": row.dice[1],
            "checker_move": row.play,
            "cube_action": self.action(label),
            "luck_mp": row.luck,
        }
        if self.schema >= version(PER_MOVE):
            values |= {
                "decision_error_mp": row.error if row.analysed else None,
                "is_close_cube": int(row.close and row.kind is not Kind.PLAY),
            }
        self.insert("move", **values)

    def position(self, row: Row, away: list[int], length: int) -> int:
        """The row of a position, made once; the analysis scores what was done in it first."""
        cube = row.kind is not Kind.PLAY
        response = row.kind in (Kind.TAKE, Kind.PASS)
        exponent = row.cube.bit_length() - 1 + response
        owner = -1 if response or not row.owner else 0 if row.owner > 0 else 1
        own, other = (away[row.seat], away[1 - row.seat])
        key = (row.board, cube, response, row.dice, exponent, owner, own, other, length)
        if key in self.positions:
            return self.positions[key]
        state = [-count for count in row.board] + [0, 0]
        position = self.positions[key] = self.insert(
            "position",
            decision_type=int(cube),
            player_on_roll=0,
            dice_1=row.dice[0],
            dice_2=row.dice[1],
            cube_value=exponent,
            cube_owner=owner,
            score_1=own,
            score_2=other,
            match_length=length,
            state=bytes(count & 255 for count in state)
            if self.schema >= (2, 31)
            else json.dumps(state),
        )
        if row.analysed:
            self.insert(
                "analysis",
                position_id=position,
                data=b"\xba\x01 not for us",
                best_cube_action=self.action("") if not cube else self.action("No Double"),
                cube_error=row.error if cube else 0,
                best_move_equity_error=0 if cube else row.error,
                is_forced=int(row.forced),
                is_close_cube=int(row.close),
                analysis_engine="XG",
                analysis_depth=3,
            )
        return position

    def stats(self, match: int) -> None:
        """The materialised totals, by blunderDB's own question."""
        self.connection.commit()
        ((file,),) = [
            row[2:] for row in self.connection.execute("PRAGMA database_list") if row[1] == "main"
        ]
        totals = own_totals(Path(file), match)
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


def _rows(match: Match, scored: Scored) -> Iterator[tuple[int, Row]]:
    """Game and move of every decision in the order of play, as blunderDB would store it."""
    order = sorted([*_plays(match, scored), *_cubes(match, scored)], key=lambda entry: entry[:3])
    for game, _, _, move in order:
        yield game, move


def _plays(match: Match, scored: Scored) -> Iterator[tuple[int, int, int, Row]]:
    plays = match.plays
    for row in range(len(plays)):
        game, turn, seat = int(plays.game[row]), int(plays.turn[row]), int(plays.player[row])
        board = tuple(plays.position[row].tolist())
        first, second = plays.dice[row].tolist()
        unplayed = plays.validity[row] == Validity.UNPLAYED
        analysed = (
            bool(plays.analysed[row])
            and not unplayed
            and scored.match.plays.validity[row] == Validity.VALID
        )
        yield (
            game,
            turn,
            1,
            Row(
                turn,
                seat,
                Kind.PLAY,
                board,
                int(plays.cube[row]),
                int(plays.owner[row]),
                (first, second),
                "Cannot Move" if unplayed else _notation(board, plays.play[row]),
                error=millipoints(float(scored.error[row])) if analysed else None,
                luck=millipoints(float(plays.luck[row])),
                forced=not scored.counted[row]
                and (count_legal_plays(board, first, second) < 2 or analysed),
                analysed=analysed,
            ),
        )


def _cubes(match: Match, scored: Scored) -> Iterator[tuple[int, int, int, Row]]:
    cubes = match.cubes
    for row in range(len(cubes)):
        kind = Kind(int(cubes.kind[row]))
        if kind is Kind.BEAVER or cubes.answers_beaver[row]:
            continue
        index = len(match.plays) + row
        response = kind >= Kind.TAKE
        analysed = bool(cubes.analysed[row])
        if kind is Kind.NO_DOUBLE and not analysed:
            continue  # blunderDB has no row for a no-double without an analysis
        yield (
            int(cubes.game[row]),
            int(cubes.turn[row]),
            0,
            Row(
                int(cubes.turn[row]),
                int(cubes.player[row]),
                kind,
                tuple(cubes.position[row].tolist()),
                int(cubes.cube[row]),
                int(cubes.owner[row]),
                error=millipoints(float(scored.error[index])) if analysed else None,
                close=response or bool(scored.counted[index]),
                analysed=analysed,
            ),
        )


def _notation(board: tuple[int, ...], play: tuple[tuple[int, int], ...]) -> str:
    text = format_play(board, play)
    return "Cannot Move" if text == "cannot move" else text
