"""Write a blunderDB database from a match, as blunderDB's importers do, in any of its schemas: the
counterpart, in tests, of the reader.

    write(path, [match, ...], schema="2.39.0")

Written from what blunderDB's public sources say of its tables; no code of theirs. Positions are
stored once for all matches, in the view of the player on roll, the first player's checkers
negative. An error is the stored error of the file in whole thousandths, rounded half away from zero
as Go's `math.Round` does. What blunderDB derives from equities is derived here from the equities of
the match.
"""

import json
import sqlite3
from contextlib import closing
from math import floor
from pathlib import Path

import numpy as np

from reconcile.match.board.play import count_legal_plays, play_text
from reconcile.match.columns import Kind, Validity
from reconcile.match.met import load_met
from reconcile.rules.rulesets import rule_set
from reconcile.scoring.score import score

TEXTS = "2.20.0"
CODES = "2.31.0"
LATER_RULES = "2.38.0"
PER_MOVE = "2.39.0"
SCHEMAS = (TEXTS, CODES, LATER_RULES, PER_MOVE)
DICE = ("dice_1", "dice_2")
LEFT_OUT = (Kind.NO_DOUBLE, Kind.TAKE, Kind.PASS)
"""Not in what blunderDB imports of a file of gnuBG."""
CODE_OF = {
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
LABELS = {
    Kind.PLAY: "",
    Kind.NO_DOUBLE: "No Double",
    Kind.DOUBLE: "Double",
    Kind.TAKE: "Take",
    Kind.PASS: "Pass",
}
TABLES = Path(__file__).with_name("blunderdb_tables.sql").read_text("utf-8")
LABELS_TABLE = "CREATE TABLE action_label (code INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);"
OF_MOVES = ", error_mp INTEGER, decision_error_mp INTEGER, is_close_cube INTEGER NOT NULL DEFAULT 0"
CHECKS = ", CHECK (dice_1 BETWEEN 0 AND 6), CHECK (cube_value >= 0)"
COUNTED = """
SELECT m.player, p.decision_type, COUNT(*), SUM({error}) FROM move m
JOIN game g ON g.id = m.game_id JOIN position p ON p.id = m.position_id
JOIN analysis a ON a.position_id = p.id
WHERE g.match_id = ? AND {error} IS NOT NULL AND (p.decision_type = 0 AND a.is_forced = 0
    OR p.decision_type = 1
    AND (COALESCE(m.cube_action, '') NOT IN ({plain}) OR {close}.is_close_cube = 1))
GROUP BY 1, 2
"""
"""blunderDB's statistics of a match, by its own predicate."""
BY_POSITION = "CASE WHEN p.decision_type = 1 THEN a.cube_error ELSE a.best_move_equity_error END"


def millipoints(value):
    """In whole thousandths, rounded half away from zero."""
    return None if value != value else int(np.copysign(floor(abs(value) * 1000 + 0.5), value))


def write(
    path,
    matches,
    schema=PER_MOVE,
    *,
    as_gnubg=False,
    change=None,
):
    """A database of these matches, `as_gnubg` as blunderDB imports a file of gnuBG."""
    path.unlink(missing_ok=True)
    codes, per_move = (schema >= since for since in (CODES, PER_MOVE))
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


def own_totals(connection, match):
    """What blunderDB's own question gives: (player 1 or -1, checker 0 or cube 1) -> (decisions,
    millipoints lost)."""
    query = "SELECT value FROM metadata WHERE key = 'database_version'"
    ((schema,),) = connection.execute(query).fetchall()
    per_move = schema >= PER_MOVE
    codes = schema >= CODES
    question = COUNTED.format(
        error="m.decision_error_mp" if per_move else BY_POSITION,
        plain="0, 3, 16" if codes else "'', 'No Double', 'NoDouble'",
        close="m" if per_move else "a",
    )
    rows = connection.execute(question, (match,)).fetchall()
    return {(player, kind): (number, total) for player, kind, number, total in rows}


class _Writer:
    def __init__(self, connection, schema, *, as_gnubg):
        self.connection, self.schema, self.as_gnubg = connection, schema, as_gnubg
        self.codes = schema >= CODES
        self.positions = {}

    def insert(self, table, **values):
        marks = ", ".join("?" * len(values))
        statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"
        key = self.connection.execute(statement, tuple(values.values())).lastrowid
        assert key is not None
        return key

    def action(self, label):
        return CODE_OF[label] if self.codes else label

    def state(self, board):
        counts = [-count for count in board] + [0, 0]
        return bytes(count & 255 for count in counts) if self.codes else json.dumps(counts)

    def match(self, match):
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
        rules = rule_set("blunderdb-2026" if self.schema >= "2.37" else "blunderdb")
        scored = score(match, rules, load_met("Kazaross-XG2"))
        stored = [row for row in range(len(match.plays) + len(match.cubes)) if _stored(scored, row)]
        stored.sort(key=lambda row: (match.turns[row], row < len(match.plays)))
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
            for number, row in enumerate(row for row in stored if scored.game[row] == game):
                if not (self.as_gnubg and scored.kind[row] in LEFT_OUT):
                    self.move(scored, row, game_id=game_key, move_number=number)
        self.stats(key)

    def move(self, scored, row, **values):
        match, kind = scored.match, Kind(int(scored.kind[row]))
        plays, checker, response = match.plays, kind is Kind.PLAY, kind >= Kind.TAKE
        table, at = (plays, row) if checker else (match.cubes, row - len(plays))
        board, seat = tuple(table.position[at].tolist()), int(table.player[at])
        counted, analysed = bool(scored.counted[row]), bool(table.analysed[at])
        dice, play, luck, forced = (0, 0), "", None, False
        if checker:
            analysed &= plays.validity[at] == Validity.VALID
            dice, play, luck = _played(plays, row, board)
            forced = not counted and (analysed or count_legal_plays(board, *dice) < 2)
        error = millipoints(float(scored.error[row])) if analysed else None
        position = self.situation(match, table, at, kind, dice)
        close = not checker and (response or counted)
        analysis = {
            "cube_error": 0 if checker else error,
            "best_move_equity_error": error if checker else 0,
            "is_forced": int(forced),
            "is_close_cube": int(close),
        }
        later = {"decision_error_mp": error, "is_close_cube": int(close)}
        self.insert(
            "move",
            **values,
            move_type=self.action("checker" if checker else "cube"),
            position_id=self.position(position, analysis if analysed else None, response),
            player=1 if seat == 0 else -1,
            **dict(zip(DICE, dice, strict=True)),
            checker_move=play,
            cube_action=self.action(LABELS[kind]),
            luck_mp=luck,
            **later if self.schema >= PER_MOVE else {},
        )

    def situation(self, match, table, at, kind, dice):
        """What blunderDB has of a position, in the view of the player on roll."""
        seat, response = int(table.player[at]), kind >= Kind.TAKE
        away = match.away[table.game[at]].tolist()[:: 1 - 2 * seat]
        owner = {0: -1, 1: 0, -1: 1}[int(np.sign(table.owner[at]))]
        return {
            "decision_type": int(kind is not Kind.PLAY),
            "player_on_roll": 0,
            **dict(zip(DICE, dice, strict=True)),
            "cube_value": int(table.cube[at]).bit_length() - 1 + response,
            "cube_owner": -1 if response else owner,
            **dict(zip(("score_1", "score_2"), away, strict=True)),
            "match_length": match.length or 0,
            "state": self.state(tuple(table.position[at].tolist())),
        }

    def position(self, values, analysis, response):
        """The row of a position, made once; the analysis scores what was done in it first."""
        key = (*values.values(), response)
        if key not in self.positions:
            self.positions[key] = self.insert("position", **values)
            if analysis is not None:
                self.insert(
                    "analysis",
                    position_id=self.positions[key],
                    data=b"\xba\x01 not for us",
                    best_cube_action=self.action("No Double" if values["decision_type"] else ""),
                    analysis_engine="XG",
                    analysis_depth=3,
                    **analysis,
                )
        return self.positions[key]

    def stats(self, match):
        """The materialised totals, by blunderDB's own question."""
        totals = own_totals(self.connection, match)
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


def _played(plays, row, board):
    """The dice, the play and the luck of a roll, as blunderDB has them."""
    unplayed = plays.validity[row] == Validity.UNPLAYED
    play = "cannot move" if unplayed else play_text(board, plays.play[row])
    luck = millipoints(float(plays.luck[row]))
    return plays.dice[row].tolist(), play.replace("cannot move", "Cannot Move"), luck


def _stored(scored, row):
    """Whether blunderDB has a row for a decision: not for a beaver nor what answers it, nor for a
    no-double without an analysis."""
    cubes, at = scored.match.cubes, row - len(scored.match.plays)
    beaver = at >= 0 and (scored.kind[row] == Kind.BEAVER or cubes.answers_beaver[at])
    return not beaver and (scored.kind[row] != Kind.NO_DOUBLE or bool(cubes.analysed[at]))
