"""What every reader does alike: the rows of a match while its games are followed, event by event,
and the columns made of them.

A reader of a format finds out what happened and says it to a `Follower`, which knows what the cube
is worth, who owns it, who has doubled and whose turn had no double: `double` (which is also a
beaver), `answer`, `roll`, and before a roll the turn `without_double` where one `is_due`. Each adds
its row, in the order of `PLAY` and `CUBE`; what else the format knows of the decision (`more`) ends
the row. A file that sets the cube by itself assigns `cube` and `owner`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from reconcile.formats.values import TABLES_END, TWICE, Damaged, cut_short
from reconcile.match.board.position import Counts
from reconcile.match.columns import (
    WIDTHS,
    Bools,
    Columns,
    Cubes,
    Floats,
    Games,
    Ints,
    Kind,
    Plays,
    Validity,
    unscored_resignations,
)
from reconcile.match.match import LONGEST_MATCH, Note
from reconcile.wording import NOTED, Turn, plural, summary

NOBODY = -1
"""Where a seat is expected."""
NAN = float("nan")

Row = tuple[Any, ...]
Typed = tuple[dict[str, Any], dict[str, Sequence[Any]]]
"""By name, columns and what is none."""
PLAY = (
    "game", "turn", "player", "first", "second", "cube", "owner", "validity", "legal", "moved"
)  # fmt: skip
"""The values that begin every row of a roll; `first` and `second` are the dice. What a format knows
of the roll follows."""
CUBE = (
    "game", "turn", "player", "kind", "cube", "owner",
    "access", "recount_access", "answers_beaver", "expected",
)  # fmt: skip
"""The values that begin every row of a cube action or an answer."""


@dataclass(slots=True, kw_only=True)
class Rows:
    """The rows of a match while its games are read."""

    plays: list[Row] = field(default_factory=list)
    actions: list[Row] = field(default_factory=list)
    responses: list[Row] = field(default_factory=list)
    levels: dict[Any, int] = field(default_factory=dict)
    """Level as the file has it -> its index."""
    comments: dict[tuple[int, int, int], str] = field(default_factory=dict)
    """As in `Match`."""
    remarks: list[str] = field(default_factory=list)
    """What is written about the match."""
    odd: dict[str, list[str]] = field(default_factory=dict)
    """Code of a note -> what was found, in words."""

    def level(self, written: Any) -> int:
        """Index of a level, created on first use."""
        return self.levels.setdefault(written, len(self.levels))

    def note(self, code: str, case: str) -> None:
        """Keep something odd."""
        self.odd.setdefault(code, []).append(case)

    def notes(self) -> Iterator[Note]:
        """Notes of what was odd, the first few of each code."""
        odd = ((code, [*dict.fromkeys(cases)]) for code, cases in self.odd.items())
        return (Note(code, case) for code, cases in odd for case in summary(cases))

    def play_columns(self, *more: str, floats: type[np.floating] = np.float64) -> Typed:
        """The columns of rolls; `more` is what follows `PLAY` in a row."""
        columns, rest = typed(Plays, self.plays, (*PLAY, *more), floats)
        dice = rest["first"], rest["second"]
        columns["dice"] = lambda: np.array(dice, np.int64).T.reshape(-1, 2)
        return columns, rest

    def cube_columns(self, *more: str, floats: type[np.floating] = np.float64) -> Typed:
        """The columns of cube actions and the answers; `more` is what follows `CUBE` in a row."""
        return typed(Cubes, self.actions + self.responses, (*CUBE, *more), floats)


def side(owner: int, seat: int) -> int:
    """The owner of the cube in a seat's view: 1 this player, 0 nobody, -1 the opponent."""
    if owner == NOBODY:
        return 0
    return 1 if owner == seat else -1


def typed(
    table: type[Columns],
    rows: list[Row],
    names: Sequence[str],
    floats: type[np.floating] = np.float64,
) -> Typed:
    """The values of rows by name: those that are columns of a table with the numbers that it has,
    and the rest. Positions, which take long and few figures need, are made when first used."""
    kinds = {"Ints": np.int64, "Bools": np.bool_, "Floats": floats}
    columns, rest = dict[str, Any](), dict[str, Sequence[Any]]()
    by_name = zip(*rows, strict=True) if rows else [()] * len(names)
    for name, values in zip(names, by_name, strict=True):
        kind = table.__annotations__.get(name)
        if kind is None:
            rest[name] = values
        elif name == "position":
            columns[name] = partial(_positions, values)
        elif kind in kinds:
            # Half the time of `np.array`, which first checks the type of each.
            columns[name] = np.fromiter(values, kinds[kind], len(values))
        else:
            columns[name] = values
    return columns, rest


def _positions(values: Sequence[Counts]) -> Any:
    return np.array(values, np.int8).reshape(-1, *WIDTHS["position"])


def analysed(evaluated: Bools, forced: Bools, game: Ints) -> Bools:
    """Whether each play is analysed: one that is `forced` needs no evaluation, it counts as
    analysed if its game has an evaluated play."""
    games = np.zeros(int(game.max(initial=NOBODY)) + 1, bool)
    games[game[evaluated]] = True
    return evaluated | (forced & games[game])


def check_score(number: int, score: Sequence[int], length: int | None) -> None:
    """Raise `Damaged` for a match beyond gnuBG's tables, and for a score that no game of it begins
    with."""
    if (length or 0) > LONGEST_MATCH:
        most = f"a match of at most {LONGEST_MATCH} points"
        raise Damaged(f"expected {most}, found {length}", TABLES_END)
    if min(score) < 0 or (length is not None and max(score) >= length):
        scores = f"scores from 0 to below the match length ({length or 'none'})"
        raise Damaged(f"game {number}: expected {scores}, found {score[0]} : {score[1]}")


def ended(games: Sequence[Any], length: int | None) -> dict[str, Any]:
    """What a `Match` says of its games, of which each has its last `cube` and attributes with the
    names of the columns, made on first use: its length, the games, the resignations without errors,
    and whether it has its winner. Raises `Damaged` for two games of one number."""
    number, times = Counter(game.number for game in games).most_common(1)[0]
    if times > 1:
        raise Damaged(f"expected every game once, found game {number} twice", TWICE)

    def maker_of(name: str) -> Callable[[], Any]:
        return lambda: np.array([getattr(game, name) for game in games])

    columns, last = Games(len(games), {name: maker_of(name) for name in Games.names()}), games[-1]
    return {
        "length": length,
        "games": columns,
        "resignations": unscored_resignations(columns, lambda game: int(games[game].cube)),
        "complete": last.winner != NOBODY
        and (length is None or last.score[last.winner] + last.points >= length),
    }


def missing_games(numbers: Iterable[int], of: str, where: str) -> list[Note]:
    """A note with the first games before the last that are missing, given the numbers (from 0) of
    those that are not."""
    present = {number for number in numbers if number >= 0}
    total = max(present, default=NOBODY) + 1
    left = total - len(present)
    if not left:
        return []
    named = [
        str(number + 1)
        for number in range(min(total, len(present) + NOTED))
        if number not in present
    ][:NOTED]
    more = f" and {left - len(named)} more" if left > len(named) else ""
    return [
        Note("games-missing", f"game {', '.join(named)}{more} of {of}{total} not in the {where}")
    ]


Chances = tuple[float, ...]
"""As those of a `Candidate`."""
UNKNOWN_CHANCES = (NAN,) * 5
OPPONENT = [0, 3, 4, 1, 2]
"""Where the chances of one player are among those of the other; of the first, what is left of 1."""


def turned(chances: npt.NDArray[np.floating], rows: Bools) -> Floats:
    """Chances of cube decisions, shape (rows, 2, 5), in the other player's view for some rows."""
    other = chances[..., OPPONENT]
    other[..., 0] = 1 - other[..., 0]
    return np.where(rows[:, None, None], other, chances)


def cube_chances(pairs: Sequence[Sequence[Sequence[float]]]) -> npt.NDArray[np.float64]:
    """The column of `Cubes`, from the chances of no double, and of double and take, of every
    row."""
    return np.array(pairs, np.float64).reshape(-1, *WIDTHS["chances"])


LONGEST_COMMENT = 100_000
"""Letters about one decision, to which no more are added."""
HIGHEST_CUBE = 4096
"""gnuBG's, and BGBlitz's."""


class Follower:
    """One game while it is read; its result and its other facts are the columns of `Games`."""

    unanswered: ClassVar[str] = "a double without an answer"

    def __init__(
        self,
        rows: Rows,
        game: int,
        number: int,
        score: tuple[int, int],
        length: int | None,
        *,
        crawford: bool = False,
        cube_in_play: bool = True,
        cube: int = 1,
        owner: int = NOBODY,
    ) -> None:
        check_score(number, score, length)
        self.rows, self.game, self.number, self.score = rows, game, number, score
        self.length, self.crawford = length, crawford
        self.cube_in_play = cube_in_play and not crawford
        self.limits = [inf if length is None else length - points for points in score]
        """By seat, the cube with which it wins the match, so that a double would gain nothing."""
        self.cube = self.first_cube = cube
        self.owner = owner
        self.recount_owner: int | None = None
        """Whom gnuBG's recount of a saved game takes for the owner; `None` for the real one."""
        self.doubler = NOBODY
        """Who made the double that waits for its answer."""
        self.turned_by = NOBODY
        """Who made the last double or beaver."""
        self.beavers = 0
        """Beavers since the last double; a raccoon is one as well."""
        self.turn, self.last_mover = 1, NOBODY
        self.acted = (0, NOBODY)
        """The last turn that has a row for its cube action, and whose."""
        self.decided: tuple[int, int] | None = None
        """Turn and `Kind` of the last decision, to which a comment belongs."""
        self.winner, self.points, self.resigned = NOBODY, 0, False
        self.passed_by = NOBODY

    def __str__(self) -> str:
        """Where it is now."""
        return str(Turn(self.number, self.turn))

    @property
    def automatic_doubles(self) -> int:
        """How often the cube was turned before the first roll."""
        return self.first_cube.bit_length() - 1

    def odd(self, case: str) -> None:
        """Note something that cannot have been played like this, with its place."""
        self.rows.note("damaged-value", f"{self}: {case}")

    def remark(self, text: str) -> None:
        """Keep what somebody wrote, with the last decision or, before the first, with the match."""
        if self.decided is None:
            self.rows.remarks.append(text)
            return
        place = self.game, *self.decided
        before = self.rows.comments.get(place, "")
        if len(before) <= LONGEST_COMMENT:
            self.rows.comments[place] = f"{before}\n{text}".strip()
        else:
            where = f"game {self.number}, turn {place[1]}"
            self.rows.note("comment-cut", f"{where}: {cut_short(text, 60)!r} left out")

    def capped(self, points: int, most: int) -> int:
        """The points of a result, at most what the cube and the board allow; more is noted."""
        if points > most:
            self.rows.note(
                "impossible-result",
                f"game {self.number}: {plural(points, 'point')} with the cube at {self.cube}, at "
                f"most {most} can be won",
            )
        return min(points, most)

    def access(self, seat: int, owner: int) -> bool:
        """Whether a seat may double if `owner` owns the cube: not in the Crawford game, and not if
        it could win nothing more."""
        return self.cube_in_play and owner in (NOBODY, seat) and self.cube < self.limits[seat]

    def is_due(self, seat: int, *, opening: bool) -> bool:
        """Whether a roll of this seat is also a decision not to double: never the first of the
        game."""
        return not opening and self.access(seat, self.owner) and self.acted != (self.turn, seat)

    def without_double(self, seat: int, more: Row = (), *, expected: bool = True) -> None:
        """A double that was not made; one that was not due is not expected in an analysis
        either."""
        self.act(seat, Kind.NO_DOUBLE, more, expected=expected)

    def double(self, seat: int, more: Row = ()) -> None:
        """A double, or a beaver where one waits for its answer: the cube turns at once. Whoever was
        doubled owns it, after a raccoon too."""
        if self.doubler == NOBODY:
            self.doubler, self.beavers = seat, 0
            self.act(seat, Kind.DOUBLE, more, expected=True)
        else:
            self.respond(seat, Kind.BEAVER, more, expected=False)
            self.beavers += 1
            self.turn_cube(1 - self.doubler)
        self.turned_by = seat

    def answer(self, seat: int, kind: Kind, more: Row = ()) -> None:
        """A take or a pass of a double or of a beaver."""
        self.respond(seat, kind, more, expected=not self.beavers)
        if kind is Kind.TAKE:
            self.turn_cube(self.owner if self.beavers else seat)
        else:
            self.passed_by = seat
        self.doubler = NOBODY

    def turn_cube(self, owner: int) -> None:
        """Twice the cube, for its new owner."""
        self.cube = min(2 * self.cube, HIGHEST_CUBE)
        self.owner = owner

    def act(self, seat: int, kind: Kind, more: Row, *, expected: bool) -> None:
        """The row of a double or of a turn without one; where its recount takes the cube from
        whoever has access to it, gnuBG evaluates nothing."""
        self.acted = (self.turn, seat)
        self.decided = (self.turn, kind)
        access = self.access(seat, self.owner)
        recount = access if self.recount_owner is None else self.access(seat, self.recount_owner)
        row = (
            self.game,
            self.turn,
            seat,
            kind,
            self.cube,
            side(self.owner, seat),
            access,
            recount,
            False,
            expected and (recount or (self.cube_in_play and not access)),
        )
        self.rows.actions.append(row + more)

    def respond(self, seat: int, kind: Kind, more: Row, *, expected: bool) -> None:
        """The row of an answer or a beaver."""
        answers_beaver = kind is not Kind.BEAVER and self.beavers > 0
        self.decided = (self.turn, kind)
        self.rows.responses.append(
            (
                self.game,
                self.turn,
                seat,
                kind,
                self.cube,
                side(self.owner, self.doubler),
                False,
                False,
                answers_beaver,
                expected,
                *more,
            )
        )

    def take_back(self) -> None:
        """Note that nobody answered the double that waits, and forget it."""
        self.odd(self.unanswered)
        self.doubler = NOBODY

    def check_turn(self, seat: int) -> None:
        """Note what is odd about a roll of this seat now; a double that nobody answered is taken
        back."""
        if self.doubler != NOBODY:
            self.take_back()
        if seat == self.last_mover:
            self.odd("the same player twice in a row, a turn is missing")

    def roll(
        self,
        seat: int,
        dice: tuple[int, int],
        validity: Validity,
        legal: int,
        moved: bool,
        more: Row = (),
    ) -> None:
        """A roll with its play; the turn of the other player begins."""
        row = (
            self.game,
            self.turn,
            seat,
            dice[0],
            dice[1],
            self.cube,
            side(self.owner, seat),
            validity,
            legal,
            moved,
        )
        self.rows.plays.append(row + more)  # adding takes half the time of `*`
        self.decided = (self.turn, Kind.PLAY)
        self.turn += 1
        self.last_mover = seat


class Recounted(Follower):
    """A game in a file that gnuBG writes and counts again when it reads it.

    After a beaver this recount takes the wrong player for the owner (Q14): its replay has whoever
    doubled last on roll, and gives the cube to the other one. Seen in gnuBG 1.07.001 in saved
    sessions that have beavers.
    """

    def double(self, seat: int, more: Row = ()) -> None:
        """The same; there a beaver alone does not give the cube to anyone."""
        if self.recount_owner is None:
            self.recount_owner = self.owner
        super().double(seat, more)

    def answer(self, seat: int, kind: Kind, more: Row = ()) -> None:
        """The same, and who owns the cube then by gnuBG's recount."""
        super().answer(seat, kind, more)
        if kind is Kind.TAKE:
            self.recount_owner = 1 - self.turned_by
