"""Converts the turns of one printed game to rows of the match's columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NoReturn

from reconcile.adapters.gnubg_text.analysis import SCALE, CubeValues, Listed, cube_values, listed_plays, luck
from reconcile.adapters.gnubg_text.lines import Page, Turn
from reconcile.adapters.mat.game import STARTS, checkers_of, make
from reconcile.adapters.rows import NAN, NOBODY, Rows, side
from reconcile.board.play import Effort, Play, apply_play, count_legal_plays, parse_play
from reconcile.board.position import Counts, borne_off, checked, from_position_id, swap
from reconcile.columns import NO_MARK, UNKNOWN_COUNT, Kind, Validity
from reconcile.errors import UnreadableFile
from reconcile.match import Rules

MOST_SEQUENCES: Final = 1_000_000
"""Sequences of moves tried in all pages to count the plays of forced rolls; a page of gnuBG needs a hundred."""
PLAY_COLUMNS: Final = (
    "game", "turn", "player", "dice", "cube", "owner", "validity", "legal", "moved", "best", "played", "highest", "lowest", "half",
    "luck", "luck_mark", "level", "position", "play",
)  # fmt: skip
CUBE_COLUMNS: Final = (
    "game", "turn", "player", "kind", "cube", "owner", "access", "recount_access", "answers_beaver", "expected", "no_double",
    "double_take", "double_pass", "half", "level", "position",
)  # fmt: skip

Values = tuple[float, float, float, float, int]
"""No double, double/take, double/pass in the view of the player on roll, how far a distance between two may be off, and the level."""
UNKNOWN: Final[Values] = (NAN, NAN, NAN, 0.0, -1)


@dataclass(slots=True, kw_only=True)
class PageRows(Rows):
    """The rows of a match, in the order of `PLAY_COLUMNS` or `CUBE_COLUMNS`, and what was printed of them; levels in gnuBG's words."""

    path: str
    texts: list[str] = field(default_factory=list)
    """The printed turn of every row of `plays`."""
    odd: dict[str, list[str]] = field(default_factory=dict)
    """Code of a note -> what was found, in words."""
    effort: Effort = field(default_factory=Effort)


def level_label(printed: str) -> str:
    """A level as gnuBG's `.sgf` names it: `Cubeful 2-ply` is `2-ply cubeful`."""
    word, _, depth = printed.partition(" ")
    plies = depth.removesuffix("-ply")
    if word == "Rollout":
        return "rollout"
    if word in ("Cubeful", "Cubeless") and plies.isdecimal() and len(plies) <= 2:
        return f"{int(plies)}-ply {word.lower()}"
    return "unknown level"


def legal_plays(listed: list[Listed]) -> int:
    """The fewest plays that a list allows: the one made has no number where it is beyond those that gnuBG prints."""
    return max(len(listed), *(one.place for one in listed))


class GameReader:
    """Follows one page, turn by turn."""

    def __init__(self, rows: PageRows, game: int, page: Page, rules: Rules) -> None:
        self.rows, self.game, self.page, self.rules = rows, game, page, rules
        first = page.turns[0].state
        self.crawford = first.crawford and page.length is not None
        self.first_cube = first.cube if first.owner == NOBODY else 1
        self.cube, self.owner, self.doubler = first.cube, first.owner, NOBODY
        self.beavers = 0
        self.beavered_by = NOBODY
        """Who made the last beaver and so owns the cube; gnuBG does not always print that player as its owner."""
        self.recount_owner: int | None = None
        """Whom gnuBG's recount takes for the owner after a beaver; `None` for the real one."""
        self.pending: Values | None = None
        self.turn, self.last_mover = 1, NOBODY
        self.follows: Counts | None = None
        """The board after the last play, in the view of the player on roll next."""
        self.winner, self.points, self.resigned = NOBODY, 0, False
        self.passed_by = NOBODY

    def read(self) -> None:
        """Add the rows of the game."""
        for turn in self.page.turns:
            state = turn.state
            if (state.score, state.length) != (self.page.score, self.page.length or 0):
                self.refuse(turn, f"the Match ID of a game at {self.page.score[0]}-{self.page.score[1]}", "another score or length")
            board = self.position(turn)
            if self.follows is not None and board != self.follows:
                self.odd("damaged-value", f"turn {self.turn}: the board does not follow from the play before it")
            self.follows = board
            self.cube = state.cube
            self.owner = state.owner if self.beavered_by == NOBODY else self.beavered_by
            try:
                self.read_turn(turn, board)
            except ValueError as error:
                self.refuse(turn, "a play or cube analysis as gnuBG prints it", str(error))
        self.find_result()

    def read_turn(self, turn: Turn, board: Counts) -> None:
        """Add the rows of a turn; `board` is in the view of the player on roll."""
        seat = turn.state.decider
        if turn.dice is not None:
            self.read_roll(turn, board, seat)
        elif turn.what == "doubles":
            self.read_double(turn, board, seat)
        elif turn.what in ("accepts", "rejects"):
            self.read_answer(turn, board, seat, Kind.TAKE if turn.what == "accepts" else Kind.PASS)
        else:
            self.refuse(turn, "a cube action below a turn without dice", turn.what)

    def refuse(self, turn: Turn, expected: str, found: str) -> NoReturn:
        """Raise `UnreadableFile` with the line of a turn."""
        raise UnreadableFile(
            f"line {turn.line}: expected {expected}, found {found[:60]!r}; export the match again from gnuBG", self.rows.path
        )

    def odd(self, code: str, what: str) -> None:
        """Note something odd."""
        self.rows.odd.setdefault(code, []).append(f"game {self.page.before + 1}, {what}")

    def position(self, turn: Turn) -> Counts:
        """The board of a turn in the view of the player on roll."""
        try:
            return checked(from_position_id(turn.position))
        except ValueError as error:
            self.refuse(turn, "a Position ID of a possible board", str(error))

    # -- cube ------------------------------------------------------------------------------------------------------

    def access(self, seat: int, owner: int) -> bool:
        """Whether a seat may double if `owner` owns the cube."""
        dead = self.page.length is not None and self.cube >= self.page.length - self.page.score[seat]
        return not self.crawford and owner in (NOBODY, seat) and not dead

    def values(self, turn: Turn, sign: int) -> Values | None:
        """The cube analysis of a turn, in the view of the player on roll; `None` without one."""
        found: CubeValues | None = cube_values(turn.text)
        if found is None:
            return None
        best = sign * found.best / SCALE
        # Below an answer the analysis is printed in the other player's view: signs change, distances as well.
        no_double, take, passed = (best - sign * value.less for value in (found.no_double, found.double_take, found.double_pass))
        half = max(value.half for value in found[:3])
        # In equity a pass is worth the cube itself, exactly what is printed.
        exact = sign * found.double_pass.equity / SCALE
        shift = exact - passed
        level = self.rows.level("rollout" if found.level == "Rollout" else f"{found.level} cubeful")
        return no_double + shift, take + shift, exact, half, level

    def action(self, seat: int, kind: Kind, board: Counts, values: Values | None, *, expected: bool) -> None:
        """Add a double or a turn without one."""
        recount = self.owner if self.recount_owner is None else self.recount_owner
        self.rows.actions.append(
            (self.game, self.turn, seat, kind, self.cube, side(self.owner, seat), self.access(seat, self.owner), self.access(seat, recount),
             False, expected, *(values or UNKNOWN), board)
        )  # fmt: skip

    def read_double(self, turn: Turn, board: Counts, seat: int) -> None:
        """A double, or a beaver where one is pending."""
        if self.doubler == NOBODY:
            self.doubler, self.beavers = seat, 0
            self.pending = self.values(turn, 1)
            self.action(seat, Kind.DOUBLE, board, self.pending, expected=True)
            return
        self.response(turn, Kind.BEAVER, board, None, expected=False)
        self.beavers += 1
        self.beavered_by = seat

    def response(self, turn: Turn, kind: Kind, board: Counts, values: Values | None, *, expected: bool) -> None:
        """Add a take, pass or beaver; the board printed with it is in the view of the player on roll."""
        answers_beaver, seat = kind is not Kind.BEAVER and self.beavers > 0, turn.state.decider
        self.rows.responses.append(
            (self.game, self.turn, seat, kind, self.cube, side(self.owner, self.doubler), False, False, answers_beaver, expected,
             *(values or UNKNOWN), board if seat == turn.state.on_roll else swap(board))
        )  # fmt: skip

    def read_answer(self, turn: Turn, board: Counts, seat: int, kind: Kind) -> None:
        """A take or pass, scored with the analysis of the double, which is printed again below it."""
        if self.doubler == NOBODY:
            self.odd("damaged-value", f"turn {self.turn}: {turn.what} without a double")
            return
        values = self.pending or self.values(turn, -1)
        self.response(turn, kind, board, values, expected=not self.beavers)
        if kind is Kind.TAKE:
            self.recount_owner = 1 - self.beavered_by if self.beavers else None
            if not self.beavers:
                self.beavered_by = NOBODY
        else:
            self.passed_by = seat
        self.doubler = NOBODY

    # -- plays -----------------------------------------------------------------------------------------------------

    def read_roll(self, turn: Turn, board: Counts, seat: int) -> None:
        """A roll with its play, and before it the double that was not made."""
        assert turn.dice is not None
        rows = self.rows
        if self.doubler != NOBODY:
            self.odd("damaged-value", f"turn {self.turn}: a double without an answer")
            self.doubler = NOBODY
        if seat == self.last_mover:
            self.odd("damaged-value", f"turn {self.turn}: the same player twice in a row, a turn is missing")
        doubled = bool(rows.actions) and rows.actions[-1][:2] == (self.game, self.turn)
        opening = self.turn == 1 and board == STARTS[self.rules.variation]
        due = self.access(seat, self.owner) and not opening and not doubled
        values = None if doubled else self.values(turn, 1)
        if due or values is not None:
            self.action(seat, Kind.NO_DOUBLE, board, values, expected=due)
        listed = listed_plays(turn.text)
        made = next((one for one in listed if one.made), None)
        gained, mark = luck(turn.text)
        level = rows.level(level_label(listed[0].level)) if listed else -1
        play, validity, legal = self.play(turn, board, listed)
        best = listed[0].value.equity / SCALE if listed else NAN
        equities = [best - one.value.less for one in listed] or [NAN]
        rows.plays.append(
            (self.game, self.turn, seat, turn.dice, self.cube, side(self.owner, seat), validity, legal, bool(play), best,
             best - made.value.less if made else NAN, max(equities), min(equities), made.value.half if made else 0.0,
             NAN if gained is None else gained, NO_MARK if gained is None else mark, level,
             board, play)
        )  # fmt: skip
        rows.texts.append(turn.text)
        self.turn += 1
        self.last_mover = seat

    def play(self, turn: Turn, board: Counts, listed: list[Listed]) -> tuple[Play, Validity, int]:
        """The play made, whether the dice allow it, and how many there are: exact for 0 and 1."""
        assert turn.dice is not None
        if not any(one.made for one in listed):
            made = make(board, turn.dice, turn.play, last=turn is self.page.turns[-1], effort=self.rows.effort)
            self.bound(turn)
            if made.validity is Validity.ILLEGAL:
                dice = f"{turn.dice[0]}{turn.dice[1]}"
                self.odd("illegal-play", f"turn {self.turn}: {dice} does not allow {turn.play[:40] or 'no play'!r}")
            self.follows = swap(made.after)
            legal = legal_plays(listed) if listed else made.legal if turn.play == "" else UNKNOWN_COUNT
            return made.play, made.validity, legal
        play = parse_play(turn.play, turn.dice, board)
        self.follows = swap(apply_play(board, play))
        legal = legal_plays(listed)
        if legal == 1:  # another one may have been left out, if gnuBG was set to print one play only
            legal = count_legal_plays(board, *turn.dice, effort=self.rows.effort)
            self.bound(turn)
        return play, Validity.VALID, legal

    def bound(self, turn: Turn) -> None:
        """Stop a text whose rolls would take too long."""
        if self.rows.effort.tried > MOST_SEQUENCES:
            self.refuse(turn, f"at most {MOST_SEQUENCES} ways to play all rolls up to here", "more")

    # -- result ----------------------------------------------------------------------------------------------------

    def find_result(self) -> None:
        """Winner and points as printed; resigned if the game ends neither on the board nor with a pass."""
        page = self.page
        if not page.winner:
            return
        if page.winner not in page.players:
            self.refuse(page.turns[-1], f"{page.players[0]!r} or {page.players[1]!r} as the winner", page.winner)
        self.winner, self.points = page.players.index(page.winner), page.points
        self.resigned = self.passed_by != 1 - self.winner and not self.is_borne_off()

    def is_borne_off(self) -> bool:
        """Whether the winner has no checker left."""
        checkers = checkers_of(self.rules.variation)
        return self.follows is not None and borne_off(swap(self.follows), checkers)[0] >= checkers
