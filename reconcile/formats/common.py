"""What every reader does alike: single values, checked (texts, the parts of a JSON document, days),
and the rows of a match while its games are followed, event by event, with the columns made of them.

Anything may be anywhere in a damaged document; what is no day is unknown, never an error.

A reader of a format finds out what happened and says it to a `Follower`, which knows what the cube
is worth, who owns it, who has doubled and whose turn had no double: `double` (which is also a
beaver), `answer`, `roll`, and before a roll the turn `without_double` where one `is_due`. Each adds
its row, in the order of `PLAY` and `CUBE`; what else the format knows of the decision (`more`) ends
the row. A file that sets the cube by itself assigns `cube` and `owner`.
"""

from __future__ import annotations

import math
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from reconcile.errors import UnreadableFile
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

JsonObject = dict[str, Any]
NAN = math.nan
LARGEST = 1000.0
"""No equity, chance or luck is larger, not even a backgammon at a high cube."""
NEW_PLAYER = 1600.0
"""The Elo that XG gives a player without any."""
LARGEST_RATING = 10_000.0
YEARS = range(1900, 2101)
"""A day outside is a mark for none (XG's 0 is in 1899) or damage."""
DAY_ZERO = date(1899, 12, 30)
"""From which XG counts, like Delphi, in which it is written."""
_WRITTEN = re.compile(r"\s*(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?!\d)", re.ASCII)
_RATED = re.compile(
    r"(\S.*?)\s*(?:,\s*0*([1-9][\d.]*).*|\(\d{1,2}[.,]\d{1,3}\)|\(\d{3,4}(?:[.,]\d{1,3})?\))",
    re.ASCII,
)
ONE_MATCH = "is it one match?"
SEVERAL = "does the file contain several matches?"
TWICE = "does the file hold two matches, or one match twice?"
OWN_FILES = "save each match to its own file"
TABLES_END = "gnuBG's tables end there too"
"""What to do about a file of several matches, or of one that is too long."""
LAST_DAY = (date(YEARS.stop - 1, 12, 31) - DAY_ZERO).days


class Damaged(UnreadableFile):
    """A file has what its format cannot have; the text says what was expected and found.

    `Format.reading` adds the name of the file and what to do, unless `remedy` says it.
    """

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.args, self.remedy = (reason, remedy), remedy


@contextmanager
def within(place: object, remedy: str = "", also: type[Exception] = Damaged) -> Iterator[None]:
    """What is `Damaged` in here, or raises `also`, raises `Damaged` with this place before it, as
    it is then in words, and with this remedy unless it has its own."""
    try:
        yield
    except (Damaged, also) as error:
        raise Damaged(f"{place}: {error}", getattr(error, "remedy", "") or remedy) from None


def integer(
    table: JsonObject, key: str, lowest: int, highest: int, default: int | None = None
) -> int:
    """A whole number of an object; `default` if it is missing. Raises `Damaged` if it has none, is
    something else or out of bounds."""
    return whole(table.get(key, default), key, lowest, highest)


def whole(value: object, name: str, lowest: int, highest: int) -> int:
    """A whole number of this name within bounds. Raises `Damaged` for anything else."""
    if type(value) is not int or not lowest <= value <= highest:
        raise Damaged(f"expected {name} from {lowest} to {highest}, found {shown(value)}")
    return value


def flag(table: JsonObject, key: str, default: bool) -> bool:
    """A yes or no of an object; `default` if it is missing. Raises `Damaged`."""
    value = table.get(key, default)
    if type(value) is not bool:
        raise Damaged(f"expected {key} to be true or false, found {shown(value)}")
    return value


def text(table: JsonObject, key: str) -> str:
    """A text of an object, empty if it is missing or null. Raises `Damaged`."""
    value = table.get(key)
    if value is None:
        return ""
    if type(value) is not str or len(value) > 1000:
        raise Damaged(f"expected {key} to be a text of at most 1000 letters, found {shown(value)}")
    return value


def number(table: JsonObject, key: str, *, optional: bool = False) -> float:
    """A finite number of an object; NaN if it is null and may be. Raises `Damaged`."""
    value: Any = table.get(key)
    if value is None and optional:
        return NAN
    if type(value) not in (int, float) or not abs(value) <= LARGEST:
        raise Damaged(f"expected {key} to be a number up to {LARGEST:.0f}, found {shown(value)}")
    return float(value)


def parts(table: JsonObject, key: str, most: int, *, optional: bool = False) -> list[JsonObject]:
    """A list of objects; empty if it is missing or null and may be. Raises `Damaged`."""
    value = table.get(key)
    if value is None and optional:
        return []
    if (
        type(value) is not list
        or len(value) > most
        or any(type(part_of_list) is not dict for part_of_list in value)
    ):
        raise Damaged(
            f"expected {key} to be a list of at most {most} objects, found {shown(value)}"
        )
    return value


def part(table: JsonObject, key: str) -> JsonObject | None:
    """An object inside another; `None` if it is missing or null. Raises `Damaged`."""
    value = table.get(key)
    if value is not None and type(value) is not dict:
        raise Damaged(f"expected {key} to be an object, found {shown(value)}")
    return value


def shown(value: object) -> str:
    """A value in a message."""
    if value is None:
        return "none"
    if isinstance(value, (list, dict)):
        return "other parts"
    return f"{type(value).__name__} {str(value)[:30]!r}"


def rating(elo: float, experience: float) -> float | None:
    """An Elo rating; `None` for what programs write of a player they do not rate, 0 or `NEW_PLAYER`
    after no points of play."""
    return elo if 0 < elo < LARGEST_RATING and (elo, experience) != (NEW_PLAYER, 0) else None


def written_day(text: str) -> date | None:
    """The day that a text begins with, year first: `2025-11-08`, `2025.11.08`, with or without a
    time after it."""
    written = _WRITTEN.match(text[:100])
    if not written or int(written[1]) not in YEARS:
        return None
    try:
        return date(int(written[1]), int(written[3]), int(written[4]))
    except ValueError:
        return None


def counted_day(days: float) -> date | None:
    """The day of a number of days since `DAY_ZERO`, whose fraction is the time."""
    if not 0 <= days <= LAST_DAY + 1:
        return None
    day = DAY_ZERO + timedelta(int(days))
    return day if day.year in YEARS else None


def day_of_seconds(seconds: object) -> date | None:
    """The day of a number of seconds since 1970, in Greenwich."""
    if type(seconds) is not int or not 0 < seconds < 86400 * 366 * 130:
        return None
    return date(1970, 1, 1) + timedelta(seconds=seconds)


def utf16(content: bytes) -> str:
    """The codec of text in UTF-16 ("Unicode" on Windows), with a byte order mark or without; empty
    for other text."""
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    zeros = "".join(str(at) for at, byte in enumerate(content[:4]) if not byte)
    return {"13": "utf-16-le", "02": "utf-16-be"}.get(zeros, "")


def in_utf8(content: bytes) -> bytes:
    """A text in UTF-16 in UTF-8; anything else as it is."""
    codec = utf16(content)
    return content.decode(codec, "replace").encode() if codec else content


def decoded(content: bytes) -> str:
    """A text in UTF-8, with a byte order mark or without, or else in code page 1252."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def with_line_feeds(content: bytes) -> str:
    """The same with line feeds at the ends of its lines."""
    return decoded(content).replace("\r\n", "\n").replace("\r", "\n")


def name_in(text: str) -> str:
    """A name without what does not print."""
    return "".join(filter(str.isprintable, text)).strip()


def without_rating(name: str) -> tuple[str, str]:
    """A name, and a rating that was behind its comma: gnuBG cuts it off there. A PR or an Elo in
    parentheses is cut off as well."""
    rated = _RATED.fullmatch(name)
    return (rated[1], rated[2] or "") if rated else (name, "")


def cut_short(text: str, most: int) -> str:
    """A text in a message, of at most so many letters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


NOBODY = -1
"""Where a seat is expected."""

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
        self.limits = [math.inf if length is None else length - points for points in score]
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
