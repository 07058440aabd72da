"""What a database stores of one match: its moves in order, checked and with codes converted to
names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from reconcile.formats.blunderdb.database import CODED_ACTIONS, Database
from reconcile.formats.values import cut_short
from reconcile.match.board.position import PLACES, Counts, checked
from reconcile.match.columns import Kind

LABELS: Final = Path(__file__).with_name("labels.txt").read_text("utf-8").splitlines()
"""The text of every fixed number, which is its index; numbers from 1000 on are in the table
`action_label`. Before schema 2.31 an action is free text, written by importers over many years in
several spellings and two languages."""
PLAIN_NO_DOUBLES: Final = ("", "No Double", "NoDouble")
"""The spellings that blunderDB's own statistics treat as no double; any other text counts as an
action."""

_SPOKEN: Final = {
    Kind.BEAVER: ("beaver",),
    Kind.TAKE: ("take", "prendre"),
    Kind.PASS: ("pass", "drop", "reject", "refuser"),
}
"""A response, and the words in a label that mean it."""


def cube_action(label: str) -> tuple[Kind, Kind | None] | None:
    """The action that a label names, and the response if the same label includes it; `None` for an
    unknown label.

    >>> cube_action("Double / Prendre")
    (<Kind.DOUBLE: 2>, <Kind.TAKE: 3>)
    """
    plain = "".join(filter(str.isalpha, label.casefold()))
    if plain in ("", "nd", "tg") or plain.startswith(("nodouble", "noredouble", "toogood")):
        return Kind.NO_DOUBLE, None
    answer = next(
        (kind for kind, words in _SPOKEN.items() if any(word in plain for word in words)), None
    )
    if plain.startswith(("double", "redouble")):
        return Kind.DOUBLE, answer
    if plain in ("dt", "dp"):
        return (Kind.TAKE if plain == "dt" else Kind.PASS), None
    return None if answer is None else (answer, None)


HIGHEST_CUBE: Final = 12
"""Exponent of the largest cube, 4096."""
MILLIPOINTS: Final = 1000
MOST_MILLIPOINTS: Final = 1_000_000
"""An error or luck of 1000 is impossible; XG writes it for a play that it did not score."""
HIGHEST_ID: Final = 2**63 - 1
MOST_LABELS: Final = 1000
BOARD_BYTES: Final = 28
"""26 places and the checkers borne off by either side."""


class Values:
    """Reads values of one database. Every reader raises `UnreadableFile` with `what` it
    expected."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.coded: dict[Any, str] = dict(enumerate(LABELS))
        if database.has("action_label", "label") and database.has("action_label", "code"):
            rows = database.ask(
                "SELECT code, label FROM action_label", (), MOST_LABELS, "labels of actions"
            )
            self.coded |= {code: str(text) for code, text in rows}

    def integer(self, value: Any, subject: str, low: int, high: int) -> int:
        """A whole number within its bounds."""
        if type(value) is not int or not low <= value <= high:
            raise self.database.bad(f"a number from {low} to {high} for {subject}", shown(value))
        return value

    def optional(self, value: Any, subject: str, low: int, high: int, absent: int) -> int:
        """The same, with a default for NULL."""
        return absent if value is None else self.integer(value, subject, low, high)

    def identifier(self, value: Any, subject: str) -> int:
        """The id of a row."""
        return self.integer(value, f"the id of {subject}", 1, HIGHEST_ID)

    def millipoints(self, value: Any, subject: str, low: int = 0) -> float:
        """An equity in EMG."""
        return self.integer(value, subject, low, MOST_MILLIPOINTS - 1) / MILLIPOINTS

    def text(self, value: Any, subject: str) -> str:
        """A text; NULL becomes the empty text."""
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.database.bad(f"a text for {subject}", shown(value))
        return value

    def label(self, value: Any, subject: str) -> str:
        """The text of an action: a text before schema 2.31, since then a number, or a text left by
        the migration."""
        if not isinstance(value, int):
            return self.text(value, subject)
        if self.database.version < CODED_ACTIONS or value not in self.coded:
            raise self.database.bad(f"a known code for {subject}", shown(value))
        return self.coded[value]

    def cube(self, exponent: Any, owner: Any, on_roll: Any, subject: str) -> tuple[int, int] | None:
        """Value and owner (1 the player on roll, 0 nobody, -1 the opponent) of the cube."""
        if exponent is None or owner is None:
            return None
        value = 1 << self.integer(exponent, f"the cube of {subject}", 0, HIGHEST_CUBE)
        holder = self.integer(owner, f"the owner of the cube of {subject}", -1, 1)
        if holder < 0:
            return value, 0
        return value, 1 if holder == (on_roll or 0) else -1

    def board(self, state: Any, on_roll: Any, subject: str) -> Counts | None:
        """A position in the view of the player on roll; `None` for the form of schemas before 2,
        which contains more than the board.

        blunderDB counts the first player's checkers as negative, on points numbered from that
        player's side.
        """
        try:
            if isinstance(state, bytes) and len(state) == BOARD_BYTES:
                numbers = [byte - 256 if byte > 127 else byte for byte in state]
            elif isinstance(state, str) and state.startswith("["):
                numbers = json.loads(state)
            else:
                return None
            if len(numbers) != BOARD_BYTES or not all(type(number) is int for number in numbers):
                raise ValueError(f"{BOARD_BYTES} whole numbers expected")
            places = numbers[:PLACES]
            return checked(places[::-1] if on_roll else [-number for number in places])
        except (ValueError, RecursionError) as error:
            raise self.database.bad(f"a board for {subject}", str(error)[:80]) from None


def shown(value: Any) -> str:
    """A value for a message."""
    return cut_short(repr(value), 40)


MOST_GAMES: Final = 1000
MOST_MOVES: Final = 20_000
"""Most moves of a match, enough for a session of 300 games; every play is checked against all legal
ones, which takes a while."""
MOST_POINTS: Final = 10_000
SEATS: Final = {1: 0, -1: 1}
"""XG's numbers for the players, which blunderDB uses for its moves."""
DEEPEST: Final = 10_000
NAN: Final = float("nan")

GAME: Final = ["id", "game_number", "initial_score_1", "initial_score_2", "winner", "points_won"]
JOINED: Final = {
    "move": "id move_type position_id player dice_1 dice_2 checker_move cube_action luck_mp "
    "decision_error_mp is_close_cube",
    "position": "id state player_on_roll cube_value cube_owner",
    "analysis": "position_id is_forced is_close_cube cube_error best_move_equity_error "
    "analysis_engine analysis_depth met_id",
}
"""The columns that are read of a move, of its position, and of the analysis of that."""

Fields = dict[str, Any]
"""A row as a mapping from column names."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as stored in the database."""

    id: int
    number: int
    score: tuple[int, int]
    winner: int
    points: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A move as stored in the database."""

    id: int
    seat: int
    kind: Kind
    answer: Kind | None
    """The response to a double, if the double's own label includes it."""
    label: str
    dice: tuple[int, int]
    play: str
    board: Counts | None
    """The position of the decision, decider's view; `None` if it is missing or in an old form."""
    cube: tuple[int, int] | None
    """Value and owner (1 the decider, 0 nobody, -1 the opponent) stored with the position."""
    position: int
    """Its id, -1 for none."""
    error: float
    """EMG; NaN if the position has no analysis or the analysis does not score the move: blunderDB's
    statistics then leave it out."""
    unscored: bool
    """Whether the position has an error, but the move none of its own."""
    luck: float
    flag: int
    """1 does not count, 0 counts, -1 no mark in the database."""
    level: tuple[str, int] | None
    """Engine and depth rank."""
    table: int
    """Id of the match equity table, 0 for the built-in one."""

    @property
    def analysed(self) -> bool:
        """Whether the error of the move is known."""
        return self.error == self.error


class Moves:
    """The games and moves of one match."""

    def __init__(self, database: Database, match: int) -> None:
        self.database, self.match = database, match
        self.values = Values(database)

    def games(self) -> list[StoredGame]:
        """The games in order."""
        statement = self.database.select(
            "game", GAME, (), "WHERE match_id = ? ORDER BY game_number, id"
        )
        rows = self.database.ask(statement, (self.match,), MOST_GAMES, "games in a match")
        return [self._game(dict(zip(GAME, row, strict=True))) for row in rows]

    def _game(self, row: Fields) -> StoredGame:
        read, key = self.values, self.values.identifier(row["id"], "a game")
        score = [
            read.integer(row[name], f"{name} of game {key}", 0, MOST_POINTS)
            for name in ("initial_score_1", "initial_score_2")
        ]
        return StoredGame(
            id=key,
            number=read.integer(row["game_number"], f"the number of game {key}", 1, MOST_POINTS),
            score=(score[0], score[1]),
            winner=read.optional(row["winner"], f"the winner of game {key}", -1, 1, 0),
            points=read.optional(row["points_won"], f"the points of game {key}", 0, MOST_POINTS, 0),
        )

    def of(self, games: list[StoredGame]) -> dict[int, list[Stored]]:
        """The moves of these games, by the game's id, in order."""
        columns = [
            f"{table}.{name}" if self.database.has(table, name) else "NULL"
            for table, names in JOINED.items()
            for name in names.split()
        ]
        statement = (
            f"SELECT {', '.join(columns)} FROM move "  # noqa: S608 (no text comes from the file)
            "LEFT JOIN position ON position.id = move.position_id "
            "LEFT JOIN analysis ON analysis.position_id = position.id "
            "WHERE game_id = ? ORDER BY move_number, move.id"
        )
        moves: dict[int, list[Stored]] = {}
        left = MOST_MOVES
        for game in games:
            noun = f"moves up to game {game.number} of a match of {MOST_MOVES} at most"
            rows = self.database.ask(statement, (game.id,), left, noun)
            left -= len(rows)
            moves[game.id] = [self._stored(*_by_table(row)) for row in rows]
        return moves

    def _stored(self, row: Fields, position: Fields | None, analysis: Fields | None) -> Stored:
        """One row of `move` with its position and analysis."""
        read, key = self.values, self.values.identifier(row["id"], "a move")
        subject = f"move {key}"
        player = row["player"]
        if type(player) is not int or player not in SEATS:
            raise self.database.bad(f"player 1 or -1 for {subject}", shown(player))
        checker, kind, answer, label = self._kind(row, subject)
        error, unscored = self._error(subject, checker, row, analysis)
        dice = [
            read.optional(row[name], f"{name} of {subject}", int(checker), 6, 0)
            for name in ("dice_1", "dice_2")
        ]
        if checker and not all(dice):
            raise self.database.bad(f"two dice for {subject}", "none")
        board, cube = self._situation(position, subject)
        flag, level, table = -1, None, 0
        if analysis is not None:
            flag = self._flag(subject, checker, label, error, row, analysis)
            level, met = self._level(subject, analysis), analysis["met_id"]
            table = read.optional(met, f"the match equity table of {subject}", 0, HIGHEST_ID, 0)
        return Stored(
            id=key,
            seat=SEATS[player],
            kind=kind,
            answer=answer,
            label=label,
            dice=(dice[0], dice[1]),
            play=read.text(row["checker_move"], f"the play of {subject}"),
            board=board,
            cube=cube,
            position=-1 if position is None else row["position_id"],
            error=error,
            unscored=unscored,
            luck=self._luck(row["luck_mp"], subject),
            flag=flag,
            level=level,
            table=table,
        )

    def _luck(self, value: Any, subject: str) -> float:
        if value is None:
            return NAN
        return self.values.millipoints(value, f"the luck of {subject}", 1 - MOST_MILLIPOINTS)

    def _situation(self, position: Fields | None, subject: str) -> Any:
        """The board and the cube of a position; `None` each without one."""
        if position is None:
            return None, None
        roller = position["player_on_roll"]
        return (
            self.values.board(position["state"], roller, subject),
            self.values.cube(position["cube_value"], position["cube_owner"], roller, subject),
        )

    def _kind(self, row: Fields, subject: str) -> tuple[bool, Kind, Kind | None, str]:
        """Whether it is a checker play, the action, the response if the label includes it, and the
        label."""
        move_type = self.values.label(row["move_type"], f"the type of {subject}")
        label = self.values.label(row["cube_action"], f"the cube action of {subject}")
        if move_type == "checker":
            return True, Kind.PLAY, None, label
        spoken = cube_action(label) if move_type == "cube" else None
        if spoken is None:
            expected = "a cube action" if move_type == "cube" else "the type 'checker' or 'cube'"
            raise self.database.bad(
                f"{expected} for {subject}", shown(label if move_type == "cube" else move_type)
            )
        return False, *spoken, label

    def _error(
        self, subject: str, checker: bool, row: Fields, analysis: Fields | None
    ) -> tuple[float, bool]:
        """The error of the move (EMG), NaN if unknown, and whether its position has an error
        nevertheless."""
        if analysis is None:
            return NAN, False
        of_position = analysis["best_move_equity_error" if checker else "cube_error"]
        value = row["decision_error_mp"] if self.database.errors_of_moves else of_position
        if value is None:
            return NAN, of_position is not None
        return self.values.millipoints(value, f"the error of {subject}"), False

    def _flag(
        self, subject: str, checker: bool, label: str, error: float, row: Fields, analysis: Fields
    ) -> int:
        """blunderDB's mark for whether a play or a no-double counts, with the values of
        `Plays.flag`."""
        if checker:
            forced = self.values.optional(
                analysis["is_forced"], f"is_forced of {subject}", 0, 1, -1
            )
            if error == error:
                return forced
            return 1 if forced >= 0 else -1
        close = (row if self.database.errors_of_moves else analysis)["is_close_cube"]
        if close is None:
            return -1
        return int(
            label in PLAIN_NO_DOUBLES
            and not self.values.integer(close, f"is_close_cube of {subject}", 0, 1)
        )

    def _level(self, subject: str, analysis: Fields) -> tuple[str, int]:
        engine = self.values.text(analysis["analysis_engine"], f"the engine of {subject}")
        return engine, self.values.optional(
            analysis["analysis_depth"], f"the depth of {subject}", -1, DEEPEST, -1
        )

    def shared(self, moves: list[Stored]) -> set[int]:
        """Positions of these moves in which a different action was also taken, in this match or
        another one."""
        statement = (
            "SELECT position_id FROM move WHERE position_id IN ({}) GROUP BY position_id "
            "HAVING COUNT(DISTINCT COALESCE(checker_move, '') || '|' || COALESCE(cube_action, "
            "'')) > 1"
        )
        return {
            position
            for (position,) in self.database.ask_about(
                statement, (move.position for move in moves if move.position >= 0)
            )
        }


def _by_table(row: Sequence[Any]) -> tuple[Fields, Fields | None, Fields | None]:
    """A move, and its position and analysis where there are any."""
    values = iter(row)
    move, *more = (dict(zip(names.split(), values, strict=False)) for names in JOINED.values())
    position, analysis = (
        table if next(iter(table.values())) is not None else None for table in more
    )
    return move, position, analysis
