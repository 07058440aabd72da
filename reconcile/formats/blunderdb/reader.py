"""Converts the moves of a match in a database to a `Match`: the transcript, replayed by the rules
of the game, with the stored figures.

A database stores the error of a decision and whether it counts, but not the equities. So the three
equities of a cube decision and the candidates of a play are unknown, and rules that need them are
replaced by the database's own marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from reconcile.formats.blunderdb.database import KNOWN_SCHEMA, ONE_WINNER_CODE, Database, Row
from reconcile.formats.blunderdb.stored import (
    NAN,
    PLAIN_NO_DOUBLES,
    Moves,
    Stored,
    StoredGame,
    whole_number,
)
from reconcile.formats.mat import Game, TranscriptReader, TranscriptRows
from reconcile.formats.mat.lines import WON, Cell, GameText, Transcript
from reconcile.formats.rows import NOBODY, PLAY, Follower, analysed, side
from reconcile.formats.values import name_in
from reconcile.match.board.position import Counts, swap
from reconcile.match.columns import Cubes, Kind, Plays, Validity
from reconcile.match.match import LONGEST_MATCH, Level, Match, Note, Source
from reconcile.match.tools import BLUNDERDB
from reconcile.wording import plural, summary

NO_MOVE = -1
"""The line of a cell that has no row in the database."""
VALIDITY = [*PLAY].index("validity")
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

    def odd(self, case: str) -> None:
        """Note something that cannot have been played like this; without a row, only its game is
        named."""
        Follower.odd(self, case) if self.cell.line == NO_MOVE else super().odd(case)

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


DEPTHS: Final = {100: "Book", 101: "XG Roller", 102: "XG Roller++", 200: "rollout"}
"""Ranks of depth that are not numbers of plies."""
FORMAT: Final = "blunderdb"
MATCH_COLUMNS: Final = ["id", "player1_name", "player2_name", "match_length"]
OPTIONAL_MATCH_COLUMNS: Final = [
    "event",
    "has_jacoby",
    "has_beaver",
    "file_path",
    "match_date",
    "round",
    "location",
]
LONGEST_NAME: Final = 200
MONEY_LENGTHS: Final = (None, 0, -1, 99999)
PENDING: Final = "SELECT value FROM metadata WHERE key = 'played_decisions_pending'"
PLIES_LOOKED_AHEAD: Final = {"xg": -1, "gnubg": 0}
"""Added to an engine's own number of plies; XG counts the position itself as one."""


def read_stored(database: Database, match: Row) -> Match:
    """The match of a row of table `match`, in the order of `match_statement`. Raises
    `UnreadableFile` if it is inconsistent."""
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
        length = (
            0
            if length in MONEY_LENGTHS
            else whole_number(database, length, "the length of the match", (0, LONGEST_MATCH))
        )
        headers = {"event": str(event or "")[:LONGEST_NAME], "eventdate": str(date or "")}
        for key, value in zip(("round", "site"), where, strict=True):
            headers[key] = str(value or "")[:LONGEST_NAME]
        headers |= {"jacoby": "on" if jacoby else "off", "beaver": "on" if beaver else "off"}
        text = Transcript(headers, length or None)
        players = (_name(first, "Player 1"), _name(second, "Player 2"))
        games = self.stored.games()
        self.by_game = self.stored.of(games)
        for index, game in enumerate(games):
            text.games.append(
                self.game_text(game, players, text.length, last=index + 1 == len(games))
            )
        if not text.games or not any(self.by_game.values()):
            raise database.bad("a match with moves", "none", "name another match")
        numbers = [game.number for game in text.games]
        if len(set(numbers)) < len(numbers):
            raise database.bad("every game of a match once", f"the numbers {numbers[:20]}")
        self.moves = {move.id: move for moves in self.by_game.values() for move in moves}
        if len(self.moves) < sum(map(len, self.by_game.values())):
            raise database.bad("a unique id for every move", "one twice")
        super().__init__(database.path, b"", text)
        self.rows.place = "move"

    def game_text(
        self, game: StoredGame, players: tuple[str, str], length: int | None, *, last: bool
    ) -> GameText:
        if length is not None and max(game.score) >= length:
            raise self.database.bad(
                f"scores below the match length of {length}",
                f"{game.score} before game {game.number}",
            )
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
            FORMAT,
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
            shown = ", ".join(repr(str(names.get(table, table))[:60]) for table in tables[:3])
            yield (
                "met-assumed",
                f"part of the analysis was made with the database's table {shown}, which is not "
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
