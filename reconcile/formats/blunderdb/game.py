"""One game of a database, followed move by move like a transcript, with the source move of each row."""

from __future__ import annotations

from collections.abc import Iterator

from reconcile.formats.blunderdb.stored import Stored
from reconcile.formats.follow import Follower
from reconcile.formats.mat.game import Game, TranscriptRows
from reconcile.formats.mat.lines import Action, Cell
from reconcile.formats.rows import NOBODY, PLAY, Row, side
from reconcile.match.board.position import Counts, swap
from reconcile.match.columns import Kind, Validity

ACTIONS = {
    Kind.NO_DOUBLE: Action.NO_DOUBLE,
    Kind.DOUBLE: Action.DOUBLE,
    Kind.TAKE: Action.TAKE,
    Kind.PASS: Action.PASS,
    Kind.BEAVER: Action.BEAVER,
}
NO_MOVE = -1
"""The line of a cell that has no row in the database."""
VALIDITY = [*PLAY].index("validity")
DANCES = ("", "cannotmove")


def cells(moves: list[Stored], result: tuple[int, int] | None) -> Iterator[Cell]:
    """The moves as cells of a transcript, with the responses that only the double's label shows or that follow from playing on."""
    for index, move in enumerate(moves):
        following = moves[index + 1] if index + 1 < len(moves) else None
        if move.kind is Kind.PLAY:
            nothing = "".join(move.play.casefold().split()) in DANCES
            yield Cell(move.id, move.seat, Action.ROLL, move.dice[0] * 10 + move.dice[1], "" if nothing else move.play)
            continue
        yield Cell(move.id, move.seat, ACTIONS[move.kind], 0, "")
        if move.kind is Kind.DOUBLE and not (following and following.kind in (Kind.TAKE, Kind.PASS, Kind.BEAVER)):
            yield from _answers(move, following, result is not None)
    if result:
        yield Cell(NO_MOVE, result[0], Action.WIN, result[1], "")


def _answers(double: Stored, following: Stored | None, ended: bool) -> Iterator[Cell]:
    """The response to a double that has no row for it.

    If the game goes on it was not a pass, whatever the label says (a beaver of XG's is labelled so), and the cube of the next move
    distinguishes a take, a beaver and a raccoon.
    """
    if following is None:
        answer = double.answer or (Kind.PASS if ended else None)
        if answer is not None:
            yield Cell(NO_MOVE, 1 - double.seat, ACTIONS[answer], 0, "")
        return
    turned = following.cube[0] // double.cube[0] if double.cube and following.cube else 2
    beavers = max(turned.bit_length() - 2, 0)
    for number in range(beavers):
        yield Cell(NO_MOVE, double.seat ^ (number % 2 == 0), Action.BEAVER, 0, "")
    if not beavers:
        yield Cell(NO_MOVE, 1 - double.seat, Action.TAKE, 0, "")


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

    def odd(self, what: str) -> None:
        """Note something that cannot have been played like this; without a row, only its game is named."""
        Follower.odd(self, what) if self.cell.line == NO_MOVE else super().odd(what)

    def seen(self, seat: int, kind: Kind) -> Row:
        """The stored position, and the move; a decision without a row in the database follows from the rules of the game."""
        move = self.moves.get(self.cell.line)
        if move is None or move.kind is not kind:
            return self.view(seat), NO_MOVE
        if kind in (Kind.PLAY, Kind.NO_DOUBLE, Kind.DOUBLE):
            self.set_up(move, seat)
        return super().seen(seat, kind)

    def play(self, seat: int, *, last: bool) -> None:
        """A roll, from its stored position and cube."""
        move = self.moves[self.cell.line]
        self.set_up(move, seat)
        if move.cube and self.doubler == NOBODY and (self.cube, side(self.owner, seat)) != move.cube:
            if self.turn == 1 and self.length is None and not move.cube[1]:
                self.first_cube = move.cube[0]
            if self.turn > 1:
                self.odd(f"the cube is {move.cube[0]} in its position, but the moves before lead to {self.cube}")
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
