"""One game of a transcript, followed cell by cell: what each play leads to, who owns the cube, which turns had no double, who won.

Rows are tuples in the order of the reader's columns. Transcripts differ in how much of a play they write: some mark hits, some only the
last one, some none; a checker's path may be written as one step or several. So a play is legal if it leads to the result of a legal play.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from reconcile.adapters.mat.lines import Action, Cell, GameText, Transcript
from reconcile.adapters.rows import NOBODY, Rows, side
from reconcile.adapters.values import cut_short
from reconcile.board.play import Effort, Play, carried_out, count_legal_plays, legal_play_meant, parse_play
from reconcile.board.position import BAR, CHECKERS, HYPERGAMMON, NACKGAMMON, START, Counts, borne_off, swap
from reconcile.columns import UNKNOWN_COUNT, Kind, Validity
from reconcile.errors import UnreadableFile
from reconcile.match import Rules


class Made(NamedTuple):
    """A roll as it was played."""

    validity: Validity
    legal: int
    """Number of different positions the roll can lead to, as in `Plays.legal`."""
    play: Play
    after: Counts
    """The mover's view; after an illegal play, with its possible steps carried out."""


def make(board: Counts, dice: tuple[int, int], text: str, *, last: bool, effort: Effort | None = None) -> Made:
    """Make the play written as `text`; `last` means that only the result of the game follows."""
    if text and not text.strip("?"):
        return Made(Validity.UNPLAYED, UNKNOWN_COUNT, (), board)
    try:
        play = parse_play(text, dice, board)
    except ValueError:
        return Made(Validity.ILLEGAL, count_legal_plays(board, *dice, effort=effort), (), board)
    if not play:
        possible = count_legal_plays(board, *dice, effort=effort)
        if possible and last and not text:
            return Made(Validity.UNPLAYED, UNKNOWN_COUNT, (), board)
        return Made(Validity.ILLEGAL if possible else Validity.VALID, possible, (), board)
    found, legal = legal_play_meant(board, *dice, play, effort)
    if found is None:
        return Made(Validity.ILLEGAL, legal, play, carried_out(board, play))
    return Made(Validity.VALID, legal, found.play, found.result)


HIGHEST_CUBE: Final = 4096
LONGGAMMON: Final[Counts] = (0, -15, *[0] * 22, 15, 0)
STARTS: Final[dict[str, Counts]] = {
    "backgammon": START,
    "nackgammon": NACKGAMMON,
    "longgammon": LONGGAMMON,
    **{f"hypergammon{checkers}": start for checkers, start in HYPERGAMMON.items()},
}

MOST_SEQUENCES: Final = 100_000
"""Sequences of moves tried in a whole file to find the legal plays; a roll takes about ten, unless the file is hostile."""

MOST_ILLEGAL: Final = 1000
"""Illegal plays in a whole file. A match rarely has one, unless it is of an unnamed variation."""

Result = tuple[int, int]
"""Winner's seat and points."""


PLAY_COLUMNS: Final = ("game", "turn", "player", "dice", "cube", "owner", "validity", "legal", "moved", "position", "play")
CUBE_COLUMNS: Final = ("game", "turn", "player", "kind", "cube", "owner", "access", "answers_beaver", "expected", "position")


class GameRow(NamedTuple):
    """A game as it was followed."""

    number: int
    score: tuple[int, int]
    crawford: bool
    winner: int
    points: int
    resigned: bool
    automatic_doubles: int
    cube: int
    """Its last value."""


@dataclass(slots=True, kw_only=True)
class TranscriptRows(Rows):
    """The rows of a match, in the order of `PLAY_COLUMNS` or `CUBE_COLUMNS`, and what else its games share while they are read."""

    path: str
    rules: Rules
    text: Transcript
    games: list[GameRow] = field(default_factory=list)
    illegal: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    place: str = "line"
    """The unit of `Cell.line`, for messages."""
    effort: Effort = field(default_factory=Effort)
    match_point_reached: bool = False
    """Whether a player was one point away in an earlier game."""


def checkers_of(variation: str) -> int:
    """The checkers of each player."""
    return int(variation[-1]) if variation.startswith("hypergammon") else CHECKERS


class Game:
    """One game, followed cell by cell."""

    def __init__(self, rows: TranscriptRows, index: int) -> None:
        self.rows, self.index, self.rules = rows, index, rows.rules
        games = rows.text.games
        self.text: GameText = games[index]
        self.length = rows.text.length
        following = games[index + 1] if index + 1 < len(games) and games[index + 1].number == self.text.number + 1 else None
        self.gained = (following.score[0] - self.text.score[0], following.score[1] - self.text.score[1]) if following else None
        last = self.text.cells[-1] if self.text.cells else None
        self.stated: Result | None = (last.seat, last.number) if last and last.action is Action.WIN else None
        self.crawford = self.is_crawford()
        self.automatic_doubles = self.count_automatic_doubles()
        self.cube = self.first_cube = 1 << self.automatic_doubles
        self.owner = self.doubler = self.passed_by = self.resigned_by = NOBODY
        self.beavers = 0
        self.board = STARTS[self.rules.variation]
        """In seat 0's view."""
        self.turn, self.last_mover = 1, NOBODY

    def is_crawford(self) -> bool:
        """Whether a player is one point away for the first time; a game with a double is never the Crawford game."""
        if not self.rules.crawford or self.length in (None, 1) or self.rows.match_point_reached or self.length - 1 not in self.text.score:
            return False
        self.rows.match_point_reached = True
        return not any(cell.action is Action.DOUBLE for cell in self.text.cells)

    def count_automatic_doubles(self) -> int:
        """gnuBG leaves automatic doubles out of its transcripts; only the score of the next game shows them."""
        if self.length is not None or self.gained is None or self.stated is None or self.stated[1] <= 0:
            return 0
        factor, rest = divmod(self.gained[self.stated[0]], self.stated[1])
        return factor.bit_length() - 1 if not rest and 1 < factor <= HIGHEST_CUBE and factor & (factor - 1) == 0 else 0

    def read(self) -> None:
        """Follow the game and add its rows."""
        cells = self.text.cells
        for at, cell in enumerate(cells):
            match cell.action:
                case Action.ROLL:
                    self.roll(cell, last=at + 1 == len(cells) or cells[at + 1].action in (Action.RESIGN, Action.WIN))
                case Action.NO_DOUBLE:
                    self.no_double(cell)
                case Action.DOUBLE | Action.BEAVER:
                    self.double(cell)
                case Action.TAKE | Action.PASS:
                    self.respond(cell)
                case Action.RESIGN:
                    self.resigned_by = cell.seat
        self.finish()

    def view(self, seat: int) -> Counts:
        """The position in the view of a seat."""
        return self.board if seat == 0 else swap(self.board)

    def access(self, seat: int) -> bool:
        """Whether a seat may double: its own or a centred cube, not in the Crawford game, and not if it could win nothing more."""
        dead = self.length is not None and self.cube >= self.length - self.text.score[seat]
        return self.rules.cube and not self.crawford and self.owner in (NOBODY, seat) and not dead

    @property
    def responder(self) -> int:
        """The player who has to respond to a double, a beaver or a raccoon."""
        return NOBODY if self.doubler == NOBODY else self.doubler if self.beavers % 2 else 1 - self.doubler

    def damaged(self, cell: Cell, what: str) -> None:
        """Note something that cannot have been played like this."""
        self.rows.damaged.append(f"game {self.text.number}, {self.rows.place} {cell.line}: {what}")

    def roll(self, cell: Cell, *, last: bool) -> None:
        """A roll and its play, and before it the double that was not made."""
        seat, dice = cell.seat, divmod(cell.number, 10)
        if self.beavers:
            self.respond(cell._replace(action=Action.TAKE, seat=self.responder))  # playing on accepts the beaver
        if self.doubler != NOBODY:
            self.damaged(cell, "a roll while a double waits for its response")
            self.doubler = NOBODY
        if seat == self.last_mover:
            self.damaged(cell, "the same player twice in a row, a turn is missing")
        decided = bool(self.rows.actions) and self.rows.actions[-1][:3] == (self.index, self.turn, seat)
        if self.turn > 1 and not decided and self.access(seat):
            self.action(seat, Kind.NO_DOUBLE)
        before = self.view(seat)
        made = make(before, dice, cell.play, last=last, effort=self.rows.effort)
        if self.rows.effort.tried > MOST_SEQUENCES:
            raise UnreadableFile(
                f"{self.rows.place} {cell.line}: expected at most {MOST_SEQUENCES} ways to play all rolls up to here, "
                "found more; does the file contain several matches?",
                self.rows.path,
            )
        if made.validity is Validity.ILLEGAL:
            self.rows.illegal.append(
                f"game {self.text.number}, turn {self.turn} ({self.rows.place} {cell.line}): "
                f"{cell.number} does not allow {cut_short(cell.play, 40) or 'no play'!r}"
            )
            if len(self.rows.illegal) > MOST_ILLEGAL:
                raise UnreadableFile(
                    f"{self.rows.place} {cell.line}: expected plays of {self.rules.variation}, found more than "
                    f"{MOST_ILLEGAL} that the dice do not allow; was another variation played?",
                    self.rows.path,
                )
        elif made.validity is Validity.UNPLAYED and not last:
            self.damaged(cell, "the play is not written, positions after it are uncertain")
        self.rows.plays.append(
            (
                self.index,
                self.turn,
                seat,
                dice,
                self.cube,
                side(self.owner, seat),
                made.validity,
                made.legal,
                bool(made.play),
                before,
                made.play,
            )
        )  # fmt: skip
        self.board = made.after if seat == 0 else swap(made.after)
        self.turn += 1
        self.last_mover = seat

    def action(self, seat: int, kind: Kind) -> None:
        """A double or no double of the player on roll."""
        self.rows.actions.append(
            (self.index, self.turn, seat, kind, self.cube, side(self.owner, seat), self.access(seat), False, True, self.view(seat))
        )

    def response(self, seat: int, kind: Kind) -> None:
        """A response to a double or to a beaver."""
        answers_beaver = kind is not Kind.BEAVER and self.beavers > 0
        self.rows.responses.append(
            (
                self.index, self.turn, seat, kind, self.cube, side(self.owner, self.doubler), False, answers_beaver,
                kind is not Kind.BEAVER and not answers_beaver, self.view(seat),
            )
        )  # fmt: skip

    def no_double(self, cell: Cell) -> None:
        """A double that was not made, if the transcript says so."""
        self.action(cell.seat, Kind.NO_DOUBLE)

    def double(self, cell: Cell) -> None:
        """A double, or a beaver if a double is waiting for its response."""
        self.check_cube(cell)
        if self.doubler == NOBODY and cell.action is Action.DOUBLE:
            self.doubler, self.beavers = cell.seat, 0
            self.action(cell.seat, Kind.DOUBLE)
        elif cell.seat != self.responder:
            self.damaged(cell, "a beaver without a double" if self.doubler == NOBODY else "the same player doubles twice")
        else:
            self.response(cell.seat, Kind.BEAVER)
            self.beavers += 1
            self.cube = min(2 * self.cube, HIGHEST_CUBE)
            self.owner = cell.seat

    def check_cube(self, cell: Cell) -> None:
        """A cube that is not twice the previous one is accepted, since the double before it may be missing."""
        number = cell.number
        beaver = cell.seat == self.responder
        at_hand = self.cube * (2 if beaver else 1)
        if number and 2 * at_hand not in (number, number * self.first_cube):
            self.damaged(cell, f"the cube goes to {number}, but it was at {at_hand}")
            if not beaver and 2 <= number <= HIGHEST_CUBE and number & (number - 1) == 0:
                self.cube = number // 2

    def respond(self, cell: Cell) -> None:
        """A take or pass; it belongs to the player who has to respond, whatever its column."""
        taken = cell.action is Action.TAKE
        if self.doubler == NOBODY:
            self.damaged(cell, f"a {'take' if taken else 'pass'} without a double")
            return
        seat = self.responder
        if cell.seat != seat:
            self.damaged(cell, "a response in the column of the player who doubled")
        self.response(seat, Kind.TAKE if taken else Kind.PASS)
        if taken:
            self.cube = min(2 * self.cube, HIGHEST_CUBE)
            if not self.beavers:
                self.owner = seat
        else:
            self.passed_by = seat
        self.doubler, self.beavers = NOBODY, 0

    def finish(self) -> None:
        """The result of the game: from the score of the next game, as written, or from the plays."""
        by_rule = (1 - self.passed_by, self.cube) if self.passed_by != NOBODY else self.natural_end()
        by_score = self.score_gained()
        resigned = (1 - self.resigned_by, 0) if self.resigned_by != NOBODY else None
        winner, points = by_score or self.stated or by_rule or resigned or (NOBODY, 0)
        if winner != NOBODY and not points:
            points = by_rule[1] if by_rule else self.cube
        for name, result in (("the written result", self.stated), ("the play", by_rule), ("the resignation", resigned)):
            if result and result[0] != winner:
                names = self.text.players
                self.damaged(self.text.cells[-1], f"won by {names[winner]} after the score, but {name} says {names[result[0]]}")
        written = self.stated[1] << self.automatic_doubles if self.stated else 0
        if by_score and written not in (0, points):
            self.damaged(self.text.cells[-1], f"{points} points won after the score, but {written} are written")
        self.rows.games.append(
            GameRow(
                number=self.text.number,
                score=self.text.score,
                crawford=self.crawford,
                winner=winner,
                points=points,
                resigned=winner != NOBODY and by_rule is None,
                automatic_doubles=self.automatic_doubles,
                cube=self.cube,
            )
        )

    def score_gained(self) -> Result | None:
        """Winner and points as the score of the next game shows them."""
        if self.gained is None:
            return None
        for seat in (0, 1):
            if self.gained[seat] > 0 and self.gained[1 - seat] == 0:
                return seat, self.gained[seat]
        self.rows.damaged.append(f"game {self.text.number}: the score after it does not follow from the score before it")
        return None

    def natural_end(self) -> Result | None:
        """Winner and points when a player has borne off the last checker."""
        checkers = checkers_of(self.rules.variation)
        for seat in (0, 1):
            off, loser_off = borne_off(self.view(seat), checkers)
            if off < checkers:
                continue
            if loser_off or (self.rules.jacoby and self.owner == NOBODY):
                return seat, self.cube
            loser = self.view(1 - seat)
            return seat, self.cube * (3 if any(count > 0 for count in loser[19 : BAR + 1]) else 2)
        return None
