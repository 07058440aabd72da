"""One game of a database, followed move by move as a transcript is, each row beside the move that it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from reconcile.adapters.blunderdb.stored import Stored
from reconcile.adapters.mat.game import Game, Rows
from reconcile.adapters.mat.lines import Action, Cell
from reconcile.match import Kind
from reconcile.position import Counts, swap

ACTIONS = {
    Kind.NO_DOUBLE: Action.NO_DOUBLE,
    Kind.DOUBLE: Action.DOUBLE,
    Kind.TAKE: Action.TAKE,
    Kind.PASS: Action.PASS,
    Kind.BEAVER: Action.BEAVER,
}
NO_MOVE = -1
"""The line of a cell that no row of the database stands for."""
DANCES = ("", "cannotmove")


def cells(moves: list[Stored], result: tuple[int, int] | None) -> Iterator[Cell]:
    """The moves as cells of a transcript, with the answers that only the double's label tells or that follow from playing on."""
    for index, move in enumerate(moves):
        following = moves[index + 1] if index + 1 < len(moves) else None
        if move.kind is Kind.PLAY:
            nothing = "".join(move.play.casefold().split()) in DANCES
            yield Cell(move.id, move.seat, Action.ROLL, move.dice[0] * 10 + move.dice[1], "" if nothing else move.play)
            continue
        yield Cell(move.id, move.seat, ACTIONS[move.kind], 0, "")
        if move.kind is Kind.DOUBLE and not (following and following.kind in (Kind.TAKE, Kind.PASS, Kind.BEAVER)):
            answer = move.answer or (Kind.TAKE if following else Kind.PASS if result else None)
            if answer:
                yield Cell(NO_MOVE, 1 - move.seat, ACTIONS[answer], 0, "")
    if result:
        yield Cell(NO_MOVE, result[0], Action.WIN, result[1], "")


class FollowedGame(Game):
    """A game whose positions are the stored ones where they are kept."""

    def __init__(self, rows: Rows, index: int, moves: dict[int, Stored], origins: dict[str, list[int]]) -> None:
        super().__init__(rows, index)
        self.moves = moves
        self.origins = origins
        """By table (`plays`, `actions`, `responses`) the id of the move behind every row, `NO_MOVE` for none."""
        self.line = NO_MOVE
        self.certain = True
        """Whether the position before the next move follows from the plays before it."""

    def roll(self, cell: Cell, *, last: bool) -> None:
        """A roll, from the position that is stored for it."""
        self.line = cell.line
        move = self.moves[cell.line]
        self.set_up(move, cell)
        if move.cube and self.doubler < 0 and (self.cube, self.side(cell.seat)) != move.cube:
            if self.turn > 1:
                self.damaged(cell, f"the cube stands at {move.cube[0]} in its position, the moves before lead to {self.cube}")
            self.cube = move.cube[0]
            self.owner = {0: -1, 1: cell.seat, -1: 1 - cell.seat}[move.cube[1]]
        super().roll(cell, last=last)
        self.origins["plays"].append(cell.line)
        self.certain = self.rows.plays[-1][6] == 0  # a legal play

    def action(self, seat: int, kind: Kind) -> None:
        """A double or no double; one that the database has no row for is told by the rules of the game alone."""
        move = self.moves.get(self.line)
        known = move is not None and move.kind is kind
        if move is not None and known:
            self.set_up(move, Cell(self.line, seat, ACTIONS[kind], 0, ""))
        super().action(seat, kind)
        self.origins["actions"].append(self.line if known else NO_MOVE)

    def response(self, seat: int, kind: Kind) -> None:
        """An answer to a double."""
        move = self.moves.get(self.line)
        super().response(seat, kind)
        self.origins["responses"].append(self.line if move is not None and move.kind is kind else NO_MOVE)

    def no_double(self, cell: Cell) -> None:
        """A no-double that has a row of its own."""
        self.line = cell.line
        super().no_double(cell)

    def double(self, cell: Cell) -> None:
        """A double or a beaver."""
        self.line = cell.line
        super().double(cell)

    def respond(self, cell: Cell) -> None:
        """A take or pass."""
        self.line = cell.line
        super().respond(cell)

    def set_up(self, move: Stored, cell: Cell) -> None:
        """Go on from the position that is stored."""
        if move.board is None:
            return
        board: Counts = move.board if cell.seat == 0 else swap(move.board)
        if board != self.board and self.certain and self.turn > 1:
            self.damaged(cell, "its position is not the one that the plays before lead to")
        self.board = board
