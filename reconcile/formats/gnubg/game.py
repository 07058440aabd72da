"""Converts one game of a collection, node by node, to rows of the match's columns.

The numbers are gnuBG's. Quirks that affect its statistics are kept and commented in the code: the
play made is found by its resulting position, the first alternative is the best whatever its score,
and after a beaver the recount of a saved match treats the wrong player as the owner of the cube.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final, NoReturn

from reconcile.errors import UnreadableFile
from reconcile.formats.follow import HIGHEST_CUBE, Recounted
from reconcile.formats.gnubg import analysis, replay
from reconcile.formats.gnubg.collection import (
    BRACKET,
    ESCAPE,
    LONGEST_TEXT,
    Node,
    comment,
    cut,
    value,
)
from reconcile.formats.gnubg.root import SETTINGS, Root, cube_value, integer, odd_root, odd_settings
from reconcile.formats.rows import CUBE, NAN, NOBODY, Rows, side
from reconcile.match.board.position import size_of_win
from reconcile.match.columns import NO_MARK, UNKNOWN_COUNT, Kind, Validity
from reconcile.wording import Turn


@dataclass(slots=True, kw_only=True)
class NodeRows(Rows):
    """The rows of a match, each with the index of its node in the game, and what the limits of a
    file count."""

    located: int = 0
    """Number of alternatives that were played on the board to see where they lead."""
    set_up: int = 0
    """Number of positions set up by hand that were replayed."""

    def comment(self, node: Node, key: bytes, where: str) -> str:
        """A comment of a node; one of which only the beginning is read is noted."""
        raw = value(node, key)
        if len(raw) > LONGEST_TEXT:
            length = f"the first {LONGEST_TEXT:,} of {len(raw):,} bytes"
            self.note("comment-cut", f"{where}: {length}")
        return comment(raw)


WHITE, BLACK = 0, 1
NO_DOUBLE, PLAY, VALID = Kind.NO_DOUBLE, Kind.PLAY, Validity.VALID
"""Of most rows; a member of an enumeration is looked up slowly."""
DICE: Final = b"123456"
OFF_BOARD: Final = replay.LETTERS + DICE
"""Letters of points, and dice; any other letter in a play takes a checker off."""
OWNERS: Final = {b"w": WHITE, b"b": BLACK, b"c": NOBODY}
ONE_LETTER: Final = 3
"""Characters of dice and a letter that is no step yet."""
MOST_CHECKERS: Final = 15
# alternatives that are compared with the play made; a match of 25 points needs some 20,000
MOST_LOCATED: Final = 100_000
MOST_SET_UP: Final = 2000
"""Positions set up by hand in a whole file, each read at most twice."""
Evaluated = tuple[bool, float, float, int]
"""Whether a cube decision is analysed; no double, double/take and level."""
UNKNOWN: Final[Evaluated] = (False, NAN, NAN, -1)


class GameReader(Recounted):
    """Reads the nodes of one game; the state of cube and turn is the same as in gnuBG's replay."""

    rows: NodeRows

    def __init__(self, path: str, game: int, root: Root, nodes: list[Node], rows: NodeRows) -> None:
        super().__init__(
            rows, game, root.number + 1, root.score, root.length or None,
            crawford=root.crawford_game, cube_in_play=root.rules.cube, cube=root.cube,
        )  # fmt: skip
        self.path, self.root, self.nodes = path, root, nodes
        self.winner, self.points, self.resigned = root.winner, root.points, root.resigned
        self.pending: Evaluated | None = None
        self.on_roll = NOBODY
        self.fresh = True  # still the opening position, where nobody may double
        self.rolled: tuple[int, tuple[int, int]] | None = None
        self.borne_off = [0, 0]
        self.board = replay.start(root.rules.variation)
        """The board, followed while the game is read, up to the first impossible play."""
        self._boards: list[replay.Board] | None = None
        self.impossible: int | None = None  # the first node whose play cannot be made on its board
        self.checkers = sum(self.board[0])  # of a player
        self.over = False

    def read(self) -> None:
        """Append the rows of the game."""
        for oddity in odd_root(self.nodes[0]):
            self.odd(oddity)
        self.nodes = [{}, *self.nodes[1:]]
        for at, node in enumerate(self.nodes):
            if b"W" in node or b"B" in node:
                self.read_action(at, node)
            elif node:
                self.read_set_up(node)
            if b"C" in node:
                where = str(Turn(self.number, (self.decided or (self.turn,))[0]))
                self.remark(self.rows.comment(node, b"C", where))
        if self.rolled is not None:
            player, dice = self.rolled
            self.roll(
                player,
                dice,
                Validity.UNPLAYED,
                UNKNOWN_COUNT,
                False,
                (NAN, NAN, NAN, NO_MARK, -1, len(self.nodes)),
            )
        self.find_result()

    def read_set_up(self, node: Node) -> None:
        """A position set by hand, the cube, or dice rolled."""
        if oddity := odd_settings(node):
            self.odd(oddity)
        set_up = replay.is_set_up(node)
        if set_up:
            self.fresh = self.over = False
            self.board = self.set_up(self.board, node, self.on_roll)
        self.on_roll = replay.on_roll(node, self.on_roll)
        cube = cube_value(value(node, b"CV"), 0)
        owner = OWNERS.get(value(node, b"CP")[:1])
        dice = value(node, b"DI")
        rolled = len(dice) >= 2 and dice[0] in DICE and dice[1] in DICE
        if self.doubler != NOBODY and (cube or rolled or owner is not None or set_up):
            self.take_back()  # as in gnuBG, whatever is set does
        self.cube = cube or self.cube
        if owner is not None:
            self.owner, self.recount_owner = owner, None
        if rolled:
            player = {b"W": WHITE, b"B": BLACK}.get(
                value(node, b"PL")[:1], 1 - self.last_mover if self.last_mover >= 0 else NOBODY
            )
            self.rolled = (player, (dice[0] - 48, dice[1] - 48)) if player != NOBODY else None
            self.decided = (self.turn, Kind.PLAY)

    def read_action(self, at: int, node: Node) -> None:
        """A play or cube action; if a node has two, the first counts, as in gnuBG."""
        if self.over:
            self.odd("a play or cube action after the end of the game")
        if not SETTINGS.isdisjoint(node):
            self.read_set_up(node)
        white = b"W" in node and (
            b"B" not in node or next(key for key in node if key in (b"W", b"B")) == b"W"
        )
        seat = WHITE if white else BLACK
        text = node[b"W" if white else b"B"]
        if BRACKET in text:
            text = cut(text, 1)[0]
        if len(text) >= 2 and text[0] in DICE and text[1] in DICE:
            self.read_play(at, node, text, seat)
        elif text == b"double":
            self.read_double(at, node, seat)
        elif text in (b"take", b"drop"):
            self.read_answer(at, node, seat, Kind.TAKE if text == b"take" else Kind.PASS)
        else:
            self.odd("a node that is neither a roll nor a cube action was skipped")
            if text[:1].isdigit():
                self.follow(at, text, seat)

    def follow(self, at: int, text: bytes, seat: int) -> None:
        """Play on the board, up to the first impossible play."""
        if self.impossible is None and not replay.play(self.board, seat, text[2:]):
            self.impossible = at

    def read_double(self, at: int, node: Node, seat: int) -> None:
        """A double, or a beaver where one is pending."""
        if self.cube >= HIGHEST_CUBE:
            self.odd("a double of the largest cube, which gnuBG leaves as it is")
        evaluated = self.cube_values(node)
        if self.doubler == NOBODY:
            self.pending = evaluated
            self.double(seat, (*(evaluated or UNKNOWN), at))
            return
        # A double while one is pending is a beaver; gnuBG's recount then treats its player as on
        # roll.
        if evaluated:
            self.pending = evaluated
            self.evaluate_double(evaluated)
        self.double(seat, (*UNKNOWN, at))

    def read_answer(self, at: int, node: Node, seat: int, kind: Kind) -> None:
        """A take or pass; it is scored with the analysis of the double, of which its node has a
        copy."""
        evaluated = self.cube_values(node)
        if evaluated is not None and self.doubler != NOBODY:
            self.evaluate_double(evaluated)
        more = (*(evaluated or self.pending or UNKNOWN), at)
        if self.doubler == NOBODY:
            # gnuBG counts it all the same and leaves the cube unchanged.
            self.odd(f"a {kind.label} without a double")
            self.doubler = 1 - seat
            self.respond(seat, kind, more, expected=False)
            self.doubler = NOBODY
            return
        if seat != 1 - self.turned_by:
            self.odd(f"a {kind.label} of the player who doubled")
        self.over = kind is Kind.PASS
        self.answer(seat, kind, more)

    def read_play(self, at: int, node: Node, text: bytes, seat: int) -> None:
        """A roll with its play, and the no-double before it where the cube was accessible or
        evaluated."""
        if self.doubler != NOBODY:
            self.take_back()
        self.pending = None
        if seat == self.last_mover:
            self.odd(f"turn {self.turn}: the same player twice in a row, a turn is missing")
        due = self.is_due(seat, opening=self.fresh)
        evaluated = self.cube_values(node)
        if evaluated is not None and 0 < self.limits[seat] <= self.cube:
            self.odd("the analysis of a dead cube, which gnuBG counts")
        if due or evaluated is not None:
            self.act(seat, NO_DOUBLE, (*(evaluated or UNKNOWN), at), expected=due)
        legal, best, played, level = self.alternatives(at, node, text, seat)
        self.follow(at, text, seat)
        luck, mark = self.luck(node, seat) if b"LU" in node else (NAN, NO_MARK)
        self.borne_off[seat] += len(text[: 2 + replay.LONGEST_PLAY].translate(None, OFF_BOARD))
        self.over = self.borne_off[seat] >= self.checkers
        # The same as `roll`, in place: a call for each takes a thirtieth of the time of reading.
        self.rows.plays.append(
            (self.game, self.turn, seat, text[0] - 48, text[1] - 48, self.cube,
             side(self.owner, seat), VALID, legal, len(text) > ONE_LETTER,
             best, played, luck, mark, level, at)
        )  # fmt: skip
        self.decided = self.turn, PLAY
        self.turn += 1
        self.last_mover = seat
        self.on_roll = 1 - seat
        self.fresh = False
        self.rolled = None

    def evaluate_double(self, evaluated: Evaluated) -> None:
        """Replace the analysis of the last double: gnuBG keeps one for it and what answers it, that
        of the last node."""
        double = self.rows.actions[-1]
        self.rows.actions[-1] = (*double[: len(CUBE)], *evaluated, double[-1])

    def cube_values(self, node: Node) -> Evaluated | None:
        """The values of a `DA`; `None` without an analysis, or a cube."""
        text = node.get(b"DA")
        if text is None or not self.root.rules.cube:
            return None
        if BRACKET in text:
            text = cut(text, 1)[0]
        try:
            read = analysis.cube(text)
        except analysis.Damaged as error:
            self.refuse(error)
        if read is None and text:
            self.odd("a cube analysis without finite numbers was skipped")
        return None if read is None else (True, read[0], read[1], self.rows.level(read[2]))

    def luck(self, node: Node, seat: int) -> tuple[float, int]:
        """Luck (EMG) and its mark; NaN if none was computed."""
        text = node[b"LU"]
        if BRACKET in text:
            text = cut(text, 1)[0]
        try:
            gained = analysis.luck(text)
        except analysis.Damaged as error:
            self.refuse(error)
        if (
            gained != gained and float(text) == inf
        ):  # gnuBG adds it up all the same; it writes -inf if it computed none
            self.odd("luck without a finite number was skipped")
        return gained, analysis.mark(node, seat) if b"GW" in node or b"GB" in node else 0

    def alternatives(
        self, at: int, node: Node, text: bytes, seat: int
    ) -> tuple[int, float, float, int]:
        """Number of alternatives, score of the first, score of the play made, level of the
        first."""
        listed = node.get(b"A", b"")
        count = (
            listed.count(b"]") if ESCAPE not in listed else len(cut(listed)) - 1
        )  # one letter is found faster than two
        if not count:
            return (0 if len(text) <= ONE_LETTER else UNKNOWN_COUNT), NAN, NAN, -1
        first = analysis.LISTED.match(listed) if ESCAPE not in listed else None
        if first and first[1] == text[2:]:  # as most plays are
            best = float(first[2])
            return count, best, best, self.rows.level(first[3])
        number = value(node, b"A")
        if not (number.isdigit() or number.strip(b" -").isdigit()):
            self.refuse(
                analysis.Damaged(
                    "expected the number of the play made before its alternatives, found another "
                    "value"
                )
            )
        index = integer(number, -1) + 1
        parts, index = self.located(at, listed, index if 1 <= index <= count else 1, text, seat)
        if not index:
            parts, index = self.located(at, listed, count, text, seat)
        try:
            best, depth = (float(first[2]), first[3]) if first else analysis.alternative(parts[1])
            scores = {0: NAN, 1: best}
            played = scores[index] if index < 2 else analysis.alternative(parts[index])[0]
        except analysis.Damaged as error:
            self.refuse(error)
        if index and played != played:
            best = NAN  # listed without a score: the play is unknown, not perfect
        return count, best, played, self.rows.level(depth)

    def located(
        self, at: int, listed: bytes, last: int, text: bytes, seat: int
    ) -> tuple[list[bytes], int]:
        """The alternatives up to the `last`, and the first that leads where the play made does,
        even one that cannot be made; or 0."""
        self.rows.located += last
        if self.rows.located > MOST_LOCATED:
            raise UnreadableFile(
                f"game {self.number}, turn {self.turn}: expected plays made among the first of "
                "their alternatives, "
                f"found {MOST_LOCATED} others before them; analyse and save the match again in "
                "gnuBG",
                self.path,
            )
        parts = cut(listed, last + 1)[: last + 1]
        if parts[1].startswith(text[2:] + b" "):
            return parts, 1
        return parts, replay.locate(
            self.board if self.impossible is None else self.boards[at], parts, text, seat
        )

    @property
    def boards(self) -> list[replay.Board]:
        """The board before every node, and after the last; replayed on first use."""
        if self._boards is None:
            board = replay.start(self.root.rules.variation)
            self._boards = []
            roller = NOBODY
            for node in self.nodes:
                if replay.is_set_up(node):
                    board = self.set_up(board, node, roller)
                roller = replay.on_roll(node, roller)
                self._boards.append(board)
                if play := replay.play_in(node):
                    roller = 1 - play[0]
                    board = board[0].copy(), board[1].copy()
                    replay.play(board, *play)
            self._boards.append(board)
        return self._boards

    def set_up(self, board: replay.Board, node: Node, roller: int) -> replay.Board:
        """The board with the checkers that a node places by hand."""
        self.rows.set_up += 1
        if self.rows.set_up > MOST_SET_UP:
            raise UnreadableFile(
                f"expected at most {MOST_SET_UP} positions set up by hand, found more; is it one "
                "match?",
                self.path,
            )
        board = replay.set_up(board, node, roller)
        if max(map(sum, board)) > MOST_CHECKERS:
            raise UnreadableFile(
                f"game {self.number}: expected at most {MOST_CHECKERS} checkers of a player, "
                f"found {max(map(sum, board))} "
                "set up by hand; save the match again in gnuBG",
                self.path,
            )
        return board

    def last_board(self) -> replay.Board | None:
        """The board at the end; `None` where nobody can have borne off all checkers."""
        if max(self.borne_off) < self.checkers and not any(map(replay.is_set_up, self.nodes)):
            return None
        return self.board if self.impossible is None else self.boards[-1]

    def find_result(self) -> None:
        """Correct the result of the root as gnuBG does, given the last board and the last cube;
        more points than these allow are noted."""
        stated, by_root = self.points, self.winner
        self.correct_result()
        if by_root == self.winner:
            self.capped(stated, self.points)

    def correct_result(self) -> None:
        """By the last action, the last board, or for a resignation the most that the cube
        allows."""
        if self.resigned:
            self.points = self.cube * max(self.points // self.cube, 1)
        self.points = min(self.points, 3 * self.cube)
        last = next((node for node in reversed(self.nodes) if b"W" in node or b"B" in node), {})
        for key, seat in ((b"W", WHITE), (b"B", BLACK)):
            if value(last, key) == b"drop":
                self.winner, self.points, self.resigned = 1 - seat, self.cube, False
                return
        board = self.last_board()
        for seat in (WHITE, BLACK):
            if board is not None and not any(board[seat]):
                jacoby = self.root.rules.jacoby and self.length is None and self.owner == NOBODY
                size = size_of_win((0, *board[1 - seat]), self.checkers, gammons=not jacoby)
                self.winner, self.points, self.resigned = seat, self.cube * size, False

    def refuse(self, error: Exception) -> NoReturn:
        """Raise `UnreadableFile`: an analysis with unreadable numbers would give wrong figures."""
        where = f"damaged analysis: {Turn(self.number, self.turn)}"
        raise UnreadableFile(
            f"{where}: {error}; analyse and save the match again in gnuBG", self.path
        ) from None
