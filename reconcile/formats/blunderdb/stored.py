"""What a database stores of one match: its moves in order, checked and with codes converted to
names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from reconcile.files.yaml_file import read_tree
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


MILLIPOINTS: Final = 1000
MOST_LABELS: Final = 1000
BOARD_BYTES: Final = 28
"""26 places and the checkers borne off by either side."""
MOST_GAMES: Final = 1000
MOST_MOVES: Final = 20_000
"""Most moves of a match, enough for a session of 300 games; every play is checked against all legal
ones, which takes a while."""
SEATS: Final = {1: 0, -1: 1}
"""XG's numbers for the players, which blunderDB uses for its moves."""
NAN: Final = float("nan")
COLUMNS: Final[dict[str, dict[str, tuple[int, int] | None]]] = read_tree(
    Path(__file__).with_name("columns.yaml")
)
"""By table the columns that are read, and the bounds of whole numbers."""


def whole_number(database: Database, value: Any, subject: str, bounds: tuple[int, int]) -> int:
    """A whole number within its bounds. Raises `UnreadableFile`."""
    low, high = bounds
    if type(value) is not int or not low <= value <= high:
        raise database.bad(f"a number from {low} to {high} for {subject}", shown(value))
    return value


def shown(value: Any) -> str:
    """A value for a message."""
    return cut_short(repr(value), 40)


class Fields:
    """A row of a table by column, empty where there is none. Whatever reads a value raises
    `UnreadableFile` where it cannot be."""

    def __init__(self, database: Database, table: str, row: Iterable[Any], subject: str) -> None:
        self.database, self.bounds, self.subject = database, COLUMNS[table], subject
        self.row = dict(zip(self.bounds, row, strict=False))

    def integer(self, name: str) -> int:
        """A whole number."""
        bounds = self.bounds[name]
        assert bounds
        return whole_number(self.database, self.row[name], f"{name} of {self.subject}", bounds)

    def optional(self, name: str, absent: int = 0) -> int:
        """The same, with a default for NULL."""
        return absent if self.row[name] is None else self.integer(name)

    def millipoints(self, name: str) -> float:
        """An equity (EMG); NaN for NULL."""
        return NAN if self.row[name] is None else self.integer(name) / MILLIPOINTS

    def text(self, name: str) -> str:
        """A text; NULL becomes the empty text."""
        value = self.row[name]
        if value is not None and not isinstance(value, str):
            raise self.database.bad(f"a text for {name} of {self.subject}", shown(value))
        return value or ""


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
        self.coded: dict[Any, str] = dict(enumerate(LABELS))
        if database.has("action_label", "label") and database.has("action_label", "code"):
            rows = database.ask(
                "SELECT code, label FROM action_label", (), MOST_LABELS, "labels of actions"
            )
            self.coded |= {code: str(text) for code, text in rows}

    def games(self) -> list[StoredGame]:
        """The games in order."""
        statement = self.database.select(
            "game", [*COLUMNS["game"]], (), "WHERE match_id = ? ORDER BY game_number, id"
        )
        rows = self.database.ask(statement, (self.match,), MOST_GAMES, "games in a match")
        games = (Fields(self.database, "game", row, f"game {shown(row[0])}") for row in rows)
        return [
            StoredGame(
                id=game.integer("id"),
                number=game.integer("game_number"),
                score=(game.integer("initial_score_1"), game.integer("initial_score_2")),
                winner=game.optional("winner"),
                points=game.optional("points_won"),
            )
            for game in games
        ]

    def of(self, games: list[StoredGame]) -> dict[int, list[Stored]]:
        """The moves of these games, by the game's id, in order."""
        columns = [
            f"{table}.{name}" if self.database.has(table, name) else "NULL"
            for table in ("move", "position", "analysis")
            for name in COLUMNS[table]
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
            moves[game.id] = [self._stored(*self._tables(row)) for row in rows]
        return moves

    def _tables(self, row: Sequence[Any]) -> Iterator[Fields]:
        """A move, its position and the analysis of that."""
        values, subject = iter(row), f"move {shown(row[0])}"
        for table in ("move", "position", "analysis"):
            yield Fields(self.database, table, islice(values, len(COLUMNS[table])), subject)

    def _stored(self, move: Fields, position: Fields, analysis: Fields) -> Stored:
        key, player = move.integer("id"), move.row["player"]
        if type(player) is not int or player not in SEATS:
            raise self.database.bad(f"player 1 or -1 for {move.subject}", shown(player))
        kind, answer, label = self._kind(move)
        dice = move.optional("dice_1"), move.optional("dice_2")
        if kind is Kind.PLAY and not all(dice):
            raise self.database.bad(f"two dice for {move.subject}", "none")
        board, cube = self._situation(position) if position.row["id"] is not None else (None, None)
        error, flag, level, unscored = NAN, -1, None, False
        if analysis.row["position_id"] is not None:
            error, unscored = self._error(kind, move, analysis)
            flag = self._flag(kind, label, error, move, analysis)
            level = analysis.text("analysis_engine"), analysis.optional("analysis_depth", -1)
        return Stored(
            id=key,
            seat=SEATS[player],
            kind=kind,
            answer=answer,
            label=label,
            dice=dice,
            play=move.text("checker_move"),
            board=board,
            cube=cube,
            position=-1 if position.row["id"] is None else position.row["id"],
            error=error,
            unscored=unscored,
            luck=move.millipoints("luck_mp"),
            flag=flag,
            level=level,
            table=analysis.optional("met_id"),
        )

    def _situation(self, position: Fields) -> tuple[Counts | None, tuple[int, int] | None]:
        """The board in the view of the player on roll, and value and owner of the cube; `None` for
        a board in the form of schemas before 2, which contains more, and for no cube.

        blunderDB counts the first player's checkers as negative, on points numbered from that
        player's side.
        """
        state, roller = position.row["state"], position.row["player_on_roll"]
        board, cube, counts = None, None, None
        try:
            if isinstance(state, bytes) and len(state) == BOARD_BYTES:
                counts = [byte - 256 if byte > 127 else byte for byte in state]
            elif isinstance(state, str) and state.startswith("["):
                counts = json.loads(state)
            if counts is not None:
                if len(counts) != BOARD_BYTES or not all(type(count) is int for count in counts):
                    raise ValueError(f"{BOARD_BYTES} whole numbers expected")
                places = counts[:PLACES]
                board = checked(places[::-1] if roller else [-count for count in places])
        except (ValueError, RecursionError) as error:
            subject = f"a board for {position.subject}"
            raise self.database.bad(subject, str(error)[:80]) from None
        if position.row["cube_value"] is not None and position.row["cube_owner"] is not None:
            holder = position.integer("cube_owner")
            side = 1 if holder == (roller or 0) else -1
            cube = 1 << position.integer("cube_value"), 0 if holder < 0 else side
        return board, cube

    def _label(self, move: Fields, name: str) -> str:
        """The text of an action: a text before schema 2.31, since then a number, or a text left by
        the migration."""
        value = move.row[name]
        if not isinstance(value, int):
            return move.text(name)
        if self.database.version < CODED_ACTIONS or value not in self.coded:
            raise self.database.bad(f"a known code for {name} of {move.subject}", shown(value))
        return self.coded[value]

    def _kind(self, move: Fields) -> tuple[Kind, Kind | None, str]:
        """The action, the response if the label includes it, and the label."""
        move_type, label = self._label(move, "move_type"), self._label(move, "cube_action")
        if move_type == "checker":
            return Kind.PLAY, None, label
        if move_type != "cube":
            raise self.database.bad(
                f"the type 'checker' or 'cube' for {move.subject}", shown(move_type)
            )
        if (spoken := cube_action(label)) is None:
            raise self.database.bad(f"a cube action for {move.subject}", shown(label))
        return *spoken, label

    def _error(self, kind: Kind, move: Fields, analysis: Fields) -> tuple[float, bool]:
        """The error of the move (EMG), NaN if unknown, and whether its position has an error
        nevertheless."""
        of_position = "best_move_equity_error" if kind is Kind.PLAY else "cube_error"
        if not self.database.errors_of_moves:
            return analysis.millipoints(of_position), False
        error = move.millipoints("decision_error_mp")
        return error, error != error and analysis.row[of_position] is not None

    def _flag(self, kind: Kind, label: str, error: float, move: Fields, analysis: Fields) -> int:
        """blunderDB's mark for whether a play or a no-double counts, with the values of
        `Plays.flag`."""
        if kind is Kind.PLAY:
            forced = analysis.optional("is_forced", -1)
            return forced if error == error or forced < 0 else 1
        close = (move if self.database.errors_of_moves else analysis).optional("is_close_cube", -1)
        return close if close < 0 else int(label in PLAIN_NO_DOUBLES and not close)

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
