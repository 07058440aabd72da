"""What a database stores of one match, as a `Match`: its moves in order, checked and with codes
converted to names, then replayed by the rules of the game, with the stored figures.

A database stores the error of a decision and whether it counts, but not the equities. So the three
equities of a cube decision and the candidates of a play are unknown, and rules that need them are
replaced by the database's own marks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from reconcile.files.yaml_file import read_tree
from reconcile.formats.blunderdb.database import (
    CODED_ACTIONS,
    KNOWN_SCHEMA,
    ONE_WINNER_CODE,
    Database,
    Row,
)
from reconcile.formats.common import (
    NAN,
    NOBODY,
    PLAY,
    Damaged,
    Follower,
    analysed,
    integer,
    name_in,
    shown,
    side,
    text,
    whole,
    within,
)
from reconcile.formats.mat import Game, TranscriptReader, TranscriptRows
from reconcile.formats.mat.lines import WON, Cell, GameText, Transcript
from reconcile.match.board.position import PLACES, Counts, checked, swap
from reconcile.match.columns import Cubes, Kind, Plays, Validity
from reconcile.match.match import LONGEST_MATCH, Level, Match, Note, Source
from reconcile.match.tools import BLUNDERDB
from reconcile.wording import plural, summary

LABELS = Path(__file__).with_name("labels.txt").read_text("utf-8").splitlines()
"""The text of every fixed number, which is its index; numbers from 1000 on are in the table
`action_label`. Before schema 2.31 an action is free text, written by importers over many years in
several spellings and two languages."""
PLAIN_NO_DOUBLES = ("", "No Double", "NoDouble")
"""The spellings that blunderDB's own statistics treat as no double; any other text counts as an
action."""

_SPOKEN = {
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


MILLIPOINTS = 1000
MOST_LABELS = 1000
BOARD_BYTES = 28
"""26 places and the checkers borne off by either side."""
MOST_GAMES = 1000
MOST_MOVES = 20_000
"""Most moves of a match, enough for a session of 300 games; every play is checked against all legal
ones, which takes a while."""
SEATS = {1: 0, -1: 1}
"""XG's numbers for the players, which blunderDB uses for its moves."""
COLUMNS: dict[str, dict[str, tuple[int, int] | None]] = read_tree(
    Path(__file__).with_name("columns.yaml")
)
"""By table the columns that are read, and the bounds of whole numbers."""


class Fields(dict[str, Any]):
    """A row of a table by column, empty where there is none. Whatever reads a value raises
    `Damaged` where it cannot be."""

    def __init__(self, table: str, row: Iterable[Any]) -> None:
        self.bounds = COLUMNS[table]
        super().__init__(zip(self.bounds, row, strict=False))

    def integer(self, name: str) -> int:
        """A whole number."""
        bounds = self.bounds[name]
        assert bounds
        return integer(self, name, *bounds)

    def optional(self, name: str, absent: int = 0) -> int:
        """The same, with a default for NULL."""
        return absent if self[name] is None else self.integer(name)

    def millipoints(self, name: str) -> float:
        """An equity (EMG); NaN for NULL."""
        return NAN if self[name] is None else self.integer(name) / MILLIPOINTS


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
        return [*map(self._game, rows)]

    def _game(self, row: Row) -> StoredGame:
        with within(f"game with the id {row[0]!r:.40}"):
            game = Fields("game", row)
            return StoredGame(
                id=game.integer("id"),
                number=game.integer("game_number"),
                score=(game.integer("initial_score_1"), game.integer("initial_score_2")),
                winner=game.optional("winner"),
                points=game.optional("points_won"),
            )

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
            moves[game.id] = [*map(self._move, rows)]
        return moves

    def _move(self, row: Row) -> Stored:
        """A move, with its position and the analysis of that."""
        values = iter(row)
        with within(f"move {row[0]!r:.40}"):
            return self._stored(
                *(
                    Fields(table, islice(values, len(COLUMNS[table])))
                    for table in ("move", "position", "analysis")
                )
            )

    def _stored(self, move: Fields, position: Fields, analysis: Fields) -> Stored:
        key, player = move.integer("id"), move["player"]
        if type(player) is not int or player not in SEATS:
            raise Damaged(f"expected player 1 or -1, found {shown(player)}")
        kind, answer, label = self._kind(move)
        dice = move.optional("dice_1"), move.optional("dice_2")
        if kind is Kind.PLAY and not all(dice):
            raise Damaged("expected two dice, found none")
        board, cube = self._situation(position) if position["id"] is not None else (None, None)
        error, flag, level, unscored = NAN, -1, None, False
        if analysis["position_id"] is not None:
            error, unscored = self._error(kind, move, analysis)
            flag = self._flag(kind, label, error, move, analysis)
            level = text(analysis, "analysis_engine"), analysis.optional("analysis_depth", -1)
        return Stored(
            id=key,
            seat=SEATS[player],
            kind=kind,
            answer=answer,
            label=label,
            dice=dice,
            play=text(move, "checker_move"),
            board=board,
            cube=cube,
            position=-1 if position["id"] is None else position["id"],
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
        state, roller = position["state"], position["player_on_roll"]
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
            raise Damaged(f"expected a board, found {str(error)[:80]}") from None
        if position["cube_value"] is not None and position["cube_owner"] is not None:
            holder = position.integer("cube_owner")
            side = 1 if holder == (roller or 0) else -1
            cube = 1 << position.integer("cube_value"), 0 if holder < 0 else side
        return board, cube

    def _label(self, move: Fields, name: str) -> str:
        """The text of an action: a text before schema 2.31, since then a number, or a text left by
        the migration."""
        value = move[name]
        if not isinstance(value, int):
            return text(move, name)
        if self.database.version < CODED_ACTIONS or value not in self.coded:
            raise Damaged(f"expected a known code for {name}, found {shown(value)}")
        return self.coded[value]

    def _kind(self, move: Fields) -> tuple[Kind, Kind | None, str]:
        """The action, the response if the label includes it, and the label."""
        move_type, label = self._label(move, "move_type"), self._label(move, "cube_action")
        if move_type == "checker":
            return Kind.PLAY, None, label
        if move_type != "cube":
            raise Damaged(f"expected the type 'checker' or 'cube', found {shown(move_type)}")
        if (spoken := cube_action(label)) is None:
            raise Damaged(f"expected a cube action, found {shown(label)}")
        return *spoken, label

    def _error(self, kind: Kind, move: Fields, analysis: Fields) -> tuple[float, bool]:
        """The error of the move (EMG), NaN if unknown, and whether its position has an error
        nevertheless."""
        of_position = "best_move_equity_error" if kind is Kind.PLAY else "cube_error"
        if not self.database.errors_of_moves:
            return analysis.millipoints(of_position), False
        error = move.millipoints("decision_error_mp")
        return error, error != error and analysis[of_position] is not None

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


NO_MOVE = -1
"""The line of a cell that has no row in the database."""
VALIDITY = PLAY.index("validity")
DANCES = ("", "cannotmove")


def cells(moves: list[Stored], result: tuple[int, int] | None) -> Iterator[Cell]:
    """The moves as cells of a transcript, with the responses that only the double's label shows or
    that follow from playing on."""
    for index, move in enumerate(moves):
        following = moves[index + 1] if index + 1 < len(moves) else None
        if move.kind is Kind.PLAY:
            nothing = "".join(move.play.casefold().split()) in DANCES
            yield Cell(
                move.id,
                move.seat,
                Kind.PLAY,
                move.dice[0] * 10 + move.dice[1],
                "" if nothing else move.play,
            )
            continue
        yield Cell(move.id, move.seat, move.kind, 0, "")
        if move.kind is Kind.DOUBLE and not (
            following and following.kind in (Kind.TAKE, Kind.PASS, Kind.BEAVER)
        ):
            yield from _answers(move, following, result is not None)
    if result:
        yield Cell(NO_MOVE, result[0], WON, result[1], "")


def _answers(double: Stored, following: Stored | None, ended: bool) -> Iterator[Cell]:
    """The response to a double that has no row for it.

    If the game goes on it was not a pass, whatever the label says (a beaver of XG's is labelled
    so), and the cube of the next move distinguishes a take, a beaver and a raccoon.
    """
    if following is None:
        answer = double.answer or (Kind.PASS if ended else None)
        if answer is not None:
            yield Cell(NO_MOVE, 1 - double.seat, answer, 0, "")
        return
    turned = following.cube[0] // double.cube[0] if double.cube and following.cube else 2
    beavers = max(turned.bit_length() - 2, 0)
    for number in range(beavers):
        yield Cell(NO_MOVE, double.seat ^ (number % 2 == 0), Kind.BEAVER, 0, "")
    if not beavers:
        yield Cell(NO_MOVE, 1 - double.seat, Kind.TAKE, 0, "")


class FollowedGame(Game):
    """A game that uses the stored positions if there are any."""

    def __init__(self, rows: TranscriptRows, index: int, moves: dict[int, Stored]) -> None:
        super().__init__(rows, index)
        self.moves = moves
        self.certain = True
        """Whether the position before the next move follows from the plays before it."""

    def count_automatic_doubles(self) -> int:
        """Always 0: automatic doubles are already in the cube of the first position."""
        return 0

    def __str__(self) -> str:
        """Where it is now; what has no row in the database has only its turn."""
        return Follower.__str__(self) if self.cell.line == NO_MOVE else super().__str__()

    def details(self, seat: int, kind: Kind) -> Row:
        """The stored position, and the move; a decision without a row in the database follows from
        the rules of the game."""
        move = self.moves.get(self.cell.line)
        if move is None or move.kind is not kind:
            return self.view(seat), NO_MOVE
        if kind in (Kind.PLAY, Kind.NO_DOUBLE, Kind.DOUBLE):
            self.set_up(move, seat)
        return super().details(seat, kind)

    def play(self, seat: int, *, last: bool) -> None:
        """A roll, from its stored position and cube."""
        move = self.moves[self.cell.line]
        self.set_up(move, seat)
        if (
            move.cube
            and self.doubler == NOBODY
            and (self.cube, side(self.owner, seat)) != move.cube
        ):
            if self.turn == 1 and self.length is None and not move.cube[1]:
                self.first_cube = move.cube[0]
            if self.turn > 1:
                self.odd(
                    f"the cube is {move.cube[0]} in its position, but the moves before lead to "
                    f"{self.cube}"
                )
            self.cube = move.cube[0]
            self.owner = {0: NOBODY, 1: seat, -1: 1 - seat}[move.cube[1]]
        super().play(seat, last=last)
        self.certain = self.rows.plays[-1][VALIDITY] == Validity.VALID

    def set_up(self, move: Stored, seat: int) -> None:
        """Continue from the stored position."""
        if move.board is None:
            return
        board: Counts = move.board if seat == 0 else swap(move.board)
        if board != self.board and self.certain and self.turn > 1:
            self.odd("its position differs from the one that the plays before lead to")
        self.board = board


DEPTHS = {100: "Book", 101: "XG Roller", 102: "XG Roller++", 200: "rollout"}
"""Ranks of depth that are not numbers of plies."""
MATCH_COLUMNS = ["id", "player1_name", "player2_name", "match_length"]
OPTIONAL_MATCH_COLUMNS = [
    "event",
    "has_jacoby",
    "has_beaver",
    "file_path",
    "match_date",
    "round",
    "location",
]
LONGEST_NAME = 200
MONEY_LENGTHS = (None, 0, -1, 99999)
PENDING = "SELECT value FROM metadata WHERE key = 'played_decisions_pending'"
PLIES_LOOKED_AHEAD = {"xg": -1, "gnubg": 0}
"""Added to an engine's own number of plies; XG counts the position itself as one."""


def read_stored(database: Database, match: Row) -> Match:
    """The match of a row of table `match`, in the order of `match_statement`. Raises
    `Damaged` if it is inconsistent."""
    return _StoredReader(database, match).match()


def match_statement(database: Database) -> str:
    """The statement for rows of table `match`, without a condition."""
    return database.select("match", MATCH_COLUMNS, OPTIONAL_MATCH_COLUMNS)


class _StoredReader(TranscriptReader):
    """The rows of one match, and the columns made from them."""

    def __init__(self, database: Database, match: Row) -> None:
        self.database = database
        self.key, first, second, length, event, jacoby, beaver, file, date, *where = match
        self.stored = Moves(database, self.key)
        self.file = str(file or "")
        if length in MONEY_LENGTHS:
            length = 0
        length = whole(length, "match_length", 0, LONGEST_MATCH)
        headers = {"event": str(event or "")[:LONGEST_NAME], "eventdate": str(date or "")}
        for key, value in zip(("round", "site"), where, strict=True):
            headers[key] = str(value or "")[:LONGEST_NAME]
        headers |= {"jacoby": "on" if jacoby else "off", "beaver": "on" if beaver else "off"}
        transcript = Transcript(headers, length or None)
        players = (_name(first, "Player 1"), _name(second, "Player 2"))
        games = self.stored.games()
        self.by_game = self.stored.of(games)
        for index, game in enumerate(games):
            transcript.games.append(
                self.game_text(game, players, transcript.length, last=index + 1 == len(games))
            )
        if not transcript.games or not any(self.by_game.values()):
            raise Damaged("expected a match with moves, found none", "name another match")
        self.moves = {move.id: move for moves in self.by_game.values() for move in moves}
        if len(self.moves) < sum(map(len, self.by_game.values())):
            raise Damaged("expected a unique id for every move, found one twice")
        super().__init__(database.path, b"", transcript)
        self.rows.place = "move"

    def game_text(
        self, game: StoredGame, players: tuple[str, str], length: int | None, *, last: bool
    ) -> GameText:
        result = self.result(game, length, last=last)
        return GameText(
            game.id, game.number, players, game.score, list(cells(self.by_game[game.id], result))
        )

    def result(self, game: StoredGame, length: int | None, *, last: bool) -> tuple[int, int] | None:
        """Winner's seat and points from the game's row; before schema 2.26 its code depends on the
        source of the match."""
        if not game.points:
            return None
        if self.database.version >= ONE_WINNER_CODE or self.file.lower().endswith(".xg"):
            return (0 if game.winner > 0 else 1, game.points) if game.winner else None
        reaching = [
            seat
            for seat in (0, 1)
            if length is not None and game.score[seat] + game.points >= length
        ]
        return (reaching[0], game.points) if last and len(reaching) == 1 else None

    def game(self, index: int) -> FollowedGame:
        return FollowedGame(self.rows, index, self.moves)

    def source(self) -> Source:
        return Source(
            self.path,
            "blunderdb",
            BLUNDERDB.name,
            f"schema {self.database.version_text}",
            digest=self.database.digest,
        )

    def behind(self, lines: Sequence[int]) -> list[Stored | None]:
        """The stored move of every row."""
        return [self.moves.get(line) for line in lines]

    def play_columns(self) -> Plays:
        plays = super().play_columns()
        behind = self.behind(self.play_lines)
        has_error = _column(behind, "analysed", False)
        no_choice = (plays.legal >= 0) & (plays.legal <= 1)
        return plays.replaced(
            analysed=analysed(has_error, no_choice, plays.game),
            flag=_column(behind, "flag", -1),
            stored_error=_column(behind, "error", NAN),
            luck=_column(behind, "luck", NAN),
            level=self.level_column(behind),
        )

    def cube_columns(self) -> Cubes:
        cubes = super().cube_columns()
        behind = self.behind(self.cube_lines)
        return cubes.replaced(
            analysed=_column(behind, "analysed", False),
            flag=np.array([
                -1 if move is None or move.kind is not Kind.NO_DOUBLE else move.flag
                for move in behind
            ], np.int8),
            stored_error=_column(behind, "error", NAN),
            level=self.level_column(behind),
        )  # fmt: skip

    def level_column(self, behind: list[Stored | None]) -> Any:
        index = {level: number for number, level in enumerate(self.level_keys)}
        return np.array(
            [
                -1 if move is None or move.level is None or not move.analysed else index[move.level]
                for move in behind
            ],
            np.int16,
        )

    @cached_property
    def level_keys(self) -> list[tuple[str, int]]:
        return sorted({move.level for move in self.moves.values() if move.level is not None})

    def levels(self) -> tuple[Level, ...]:
        return tuple(_level(engine, depth) for engine, depth in self.level_keys)

    def notes(self) -> list[Note]:
        moves = list(self.moves.values())
        about = (*self.about_database(moves), *self.about_moves(moves))
        return [*super().notes(), *(Note(code, words) for code, words in about)]

    def about_database(self, moves: list[Stored]) -> Iterator[tuple[str, str]]:
        """What is unusual about the file, and rows of this match that are older than the schema of
        the database."""
        database, schema = self.database, f"schema {self.database.version_text}"
        if database.version[:2] > KNOWN_SCHEMA:
            latest = ".".join(map(str, KNOWN_SCHEMA))
            yield "file-version", f"{schema}; the layout is known up to {latest}"
        if database.log_left:
            left = f"{database.log_left} bytes in the write-ahead log beside the database"
            yield "log-not-read", left
        if database.migrated:
            older = "in tables created by an older release, without the constraints of new ones"
            yield "migrated-database", f"{schema} {older}"
        if not database.errors_of_moves:
            return
        if database.ask(PENDING, (), 1, "rows for a key of metadata"):
            yield "migration-unfinished", "metadata says 'played_decisions_pending'"
        if unscored := [move for move in moves if move.unscored]:
            yield (
                "migration-unfinished",
                f"{plural(len(unscored), 'decision')} whose position has an error and whose move "
                f"has none: {self.places(unscored)}",
            )

    def about_moves(self, moves: list[Stored]) -> Iterator[tuple[str, str]]:
        """What is unusual about the rows of this match."""
        database = self.database
        shared = set() if database.errors_of_moves else self.stored.shared(moves)
        if touched := [move for move in moves if move.position in shared and move.analysed]:
            yield "shared-positions", f"{plural(len(touched), 'decision')}: {self.places(touched)}"
        no_doubles = (move for move in moves if move.kind is Kind.NO_DOUBLE)
        if odd := [move for move in no_doubles if move.label not in PLAIN_NO_DOUBLES]:
            labels = ", ".join(sorted({repr(move.label) for move in odd}))
            words = f"{plural(len(odd), 'no-double')} written {labels}: {self.places(odd)}"
            yield "spelling-counts", words
        actions, responses = (
            sum(row[-1] == NO_MOVE for row in rows)
            for rows in (self.rows.actions, self.rows.responses)
        )
        if actions + responses and any(move.analysed for move in moves):
            words = f"{plural(actions, 'no-double')} and {plural(responses, 'response')}"
            yield "cube-rows-missing", f"{words} to a double without a row"
        tables = sorted({move.table for move in moves if move.table and move.analysed})
        if tables:
            names: dict[int, Any] = {}
            if database.has("match_equity_table", "name"):
                statement = "SELECT id, name FROM match_equity_table WHERE id IN ({})"
                names = dict(database.ask_about(statement, tables))
            first = ", ".join(repr(str(names.get(table, table))[:60]) for table in tables[:3])
            yield (
                "met-assumed",
                f"part of the analysis was made with the database's table {first}, which is not "
                "used here",
            )

    def places(self, moves: list[Stored]) -> str:
        """The places of the first few moves."""
        game_of = {
            move.id: game.number for game in self.text.games for move in self.by_game[game.line]
        }
        return ", ".join(summary([f"game {game_of[move.id]} move {move.id}" for move in moves], 3))


def _column(behind: list[Stored | None], name: str, absent: Any) -> Any:
    return np.array(
        [absent if move is None else getattr(move, name) for move in behind], np.array(absent).dtype
    )


def _name(value: Any, stand_in: str) -> str:
    return name_in(str(value or ""))[:LONGEST_NAME] or stand_in


def _level(engine: str, depth: int) -> Level:
    word = DEPTHS.get(depth) or (f"{depth}-ply" if 0 <= depth < min(DEPTHS) else "depth unknown")
    more = PLIES_LOOKED_AHEAD.get(engine.casefold()) if word.endswith("-ply") else None
    return Level(f"{engine} {word}".strip(), None if more is None else float(depth + more))
