"""BGBlitz's `.bgf`: the container, the decoder of its binary JSON, and here the match they hold.

A record has no position: the plays before it lead there. The cube is followed as well, since the
`cube` of an evaluation is always 1.

BGBlitz evaluates a match in chances of winning it. Equities (EMG) are made of them by the table
that the file itself shows (`frames`), so they are BGBlitz's own, whatever table its figures are
weighed with later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isnan
from typing import Any

import numpy as np

from reconcile.formats.bgblitz.container import (
    GREEN,
    KNOWN_VERSION,
    RED,
    SEATS,
    Frames,
    fitted,
    numbers,
    open_bgf,
    recognises,
    scores_of,
)
from reconcile.formats.common import (
    HIGHEST_CUBE,
    NAN,
    NOBODY,
    Chances,
    Damaged,
    Follower,
    JsonObject,
    Row,
    Rows,
    analysed,
    cube_chances,
    ended,
    flag,
    integer,
    part,
    parts,
    shown,
    text,
    within,
    written_day,
)
from reconcile.match.board.play import Play, apply_play, carried_out, legal_play_meant
from reconcile.match.board.position import BAR, CHECKERS, Counts, borne_off, swap
from reconcile.match.columns import UNKNOWN_COUNT, Cubes, Kind, Plays, Validity
from reconcile.match.match import LONGEST_MATCH, Candidate, Level, Match, Note, Rules, Source
from reconcile.match.tools import BGBLITZ
from reconcile.wording import plural

__all__ = ["read", "recognises"]


ACTION = 7
"""Value of `green` in a record that is not a roll; `red` then says which action."""
DOUBLE, TAKE, PASS, END, DANCE, RESIGN = 1, 2, 3, 4, 5, 9
ANSWERS = {TAKE: Kind.TAKE, PASS: Kind.PASS}
MOST_RECORDS = 5000
"""In one game; the longest known have 200."""
MOST_CANDIDATES = 100
"""BGBlitz keeps eight."""
HIGHEST_SCORE = 10_000
LONGEST_PLAY = 4
NO_STEP = -1
POINTS = 28
ON_BOARD = 24
"""Values of `points` before those of bars and checkers borne off."""
DEEPEST_PLY = 20
PROBABILITIES = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
DEAD_CUBE = "-999.9"
"""Start of every value of a cube that nobody can use."""

Values = tuple[Any, Any, Any]
"""No double, double/take and double/pass, as written."""
Pair = tuple[int, int, int, Any, Any]
"""Game, seat, cube, and as written EMG and the chance of winning the match."""


@dataclass(slots=True, kw_only=True)
class RecordRows(Rows):
    """The rows of all games, and what is said of the candidates."""

    candidates: list[tuple[Candidate, ...]] = field(default_factory=list)
    """Of every roll, best first."""
    pairs: list[Pair] = field(default_factory=list)
    """Of the same candidates, empty in money play."""
    before: list[Pair] = field(default_factory=list)
    """Of every evaluation before a roll."""

    def plies(self, record: JsonObject) -> int:
        """Index of the level of a record or candidate."""
        return self.level(integer(record, "ply", 0, DEEPEST_PLY))


class GameReader(Follower):
    """One game, followed record by record."""

    rows: RecordRows

    def __init__(
        self,
        game: int,
        table: JsonObject,
        rows: RecordRows,
        *,
        length: int | None,
        cube_in_play: bool,
    ) -> None:
        self.table, self.money = table, length is None
        initial = part(table, "initial") or {}
        cube, owner = (
            integer(initial, "cube", 1, HIGHEST_CUBE) if initial else 1,
            initial.get("cubeOwner", 0),
        )
        if cube.bit_count() != 1:
            raise Damaged(f"expected a power of two on the cube, found {cube}")
        score = (
            integer(table, "scoreGreen", 0, HIGHEST_SCORE),
            integer(table, "scoreRed", 0, HIGHEST_SCORE),
        )
        super().__init__(
            rows, game, game + 1, score, length,
            crawford=not self.money and flag(table, "isCrawford", False),
            cube_in_play=cube_in_play, cube=cube,
            owner=SEATS.get(owner, NOBODY) if type(owner) is int else NOBODY,
        )  # fmt: skip
        self.won = integer(table, "wonPoints", 0, HIGHEST_SCORE)
        self.boards = _start(initial)

    def read(self) -> None:
        """Add the rows of the game."""
        records = parts(self.table, "moves", MOST_RECORDS)
        for at, record in enumerate(records, 1):
            with within(f"game {self.number}, record {at}", also=ValueError):
                self.read_record(record)
            if self.winner != NOBODY:
                self.points = self.won
                break

    def read_record(self, record: JsonObject) -> None:
        """One roll or action."""
        seat = GREEN if integer(record, "player", -1, 1) < 0 else RED
        first, second = integer(record, "red", 1, 9), integer(record, "green", 1, ACTION)
        if second != ACTION or first == DANCE:
            if second == ACTION:
                first, second = (_list(record, key)[0] for key in ("from", "to"))
            if not (1 <= first <= 6 and 1 <= second <= 6):
                raise Damaged(f"expected two dice, found {first} and {second}")
            self.read_roll(record, seat, (first, second), dance=record["green"] == ACTION)
        elif first == DOUBLE:
            self.read_double(record, seat)
        elif first in ANSWERS:
            self.read_answer(record, seat, ANSWERS[first])
        elif first == RESIGN:
            self.resigned = True
        elif first == END:
            self.winner = seat
        else:
            raise Damaged(f"expected a known action, found number {first}")

    def read_double(self, record: JsonObject, seat: int) -> None:
        """A double."""
        if self.doubler != NOBODY:
            raise Damaged("expected a take or pass, found another double")
        if self.cube * 2 > HIGHEST_CUBE:
            raise Damaged(
                f"expected a cube of at most {HIGHEST_CUBE}, found a double at {self.cube}"
            )
        self.double(seat, self.details(record, seat, _verdict(record)))

    def read_answer(self, record: JsonObject, seat: int, kind: Kind) -> None:
        """A take or pass; its evaluation is that of the double, in the view of the player who
        responds."""
        if self.doubler != 1 - seat:
            raise Damaged(f"expected a double before a {kind.label}, found none of the opponent")
        self.answer(seat, kind, self.details(record, seat, _verdict(record)))

    def details(self, record: JsonObject, seat: int, verdict: Values | None) -> Row:
        """What ends the row of a cube decision: level, position, record, and the three values as
        written."""
        return (
            self.rows.plies(record) if verdict else -1,
            self.boards[seat],
            record if verdict else {},
            *(verdict or (None, None, None)),
        )

    def read_roll(
        self, record: JsonObject, seat: int, dice: tuple[int, int], *, dance: bool
    ) -> None:
        """A roll with its play, and the no-double before it."""
        if self.doubler != NOBODY:
            raise Damaged("expected a take or pass after a double, found a roll")
        rows = self.rows
        before = part(record, "equity")
        if before and self.turn > 1 and not self.money:  # that of the first roll is a placeholder
            rows.before.append(
                (self.game, seat, self.cube, before.get("emg"), before.get("matchEquity"))
            )
        verdict = _verdict(record)
        due = self.is_due(seat, opening=self.turn == 1)
        if verdict or due:
            self.without_double(seat, self.details(record, seat, verdict), expected=due)
        position = self.boards[seat]
        play = () if dance else _play(record)
        listed = parts(record, "moveAnalysis", MOST_CANDIDATES, optional=True)
        after = carried_out(position, play)
        validity = Validity.VALID if dance else _validity(position, play, after, dice)
        candidates, equities, played = self.candidates(seat, position, play, after, listed)
        rows.candidates.append(candidates)
        stated = [equity for equity in equities if equity == equity] or [NAN]
        luck = part(record, "luck") if integer(record, "ply4Luck", 0, DEEPEST_PLY) else None
        self.roll(
            seat, dice, validity, 1 if dance else len(listed) or UNKNOWN_COUNT, bool(play),
            more=(
                equities[0] if equities else NAN, equities[played] if played >= 0 else NAN,
                max(stated), max(stated) - min(stated), rows.plies(record) if listed else -1,
                luck.get("luckPlain" if self.money else "luckWeighted") if luck else None,
                position, play,
            ),
        )  # fmt: skip
        other = swap(after)
        self.boards = (after, other) if seat == GREEN else (other, after)

    def candidates(
        self, seat: int, position: Counts, play: Play, after: Counts, listed: list[JsonObject]
    ) -> tuple[tuple[Candidate, ...], list[float], int]:
        """The candidates, their equities (NaN where one is unknown), and which of them leads where
        the play made led, -1 for none: the one that BGBlitz marks, if written as that play.
        """
        plays: list[tuple[Play, int]] = []
        equities, probabilities = list[Any](), list[Any]()
        played, unlike = -1, False
        for index, candidate in enumerate(listed):
            values = part(candidate, "eq")
            if values is None:
                raise Damaged("expected an evaluation of every candidate, found none")
            verdict = part(values, "cubeDecision")
            cubeful = verdict.get("eqCubeFul") if verdict else None
            if self.money:
                equities.append(values.get("equity") if cubeful is None else cubeful)
            else:
                equities.append(values.get("emg"))
                chance = values.get("matchEquity") if cubeful is None else cubeful
                self.rows.pairs.append((self.game, seat, self.cube, equities[-1], chance))
            probabilities += map(values.get, PROBABILITIES)
            considered = _play(part(candidate, "move") or {})
            plays.append((considered, integer(candidate, "ply", 0, DEEPEST_PLY)))
            if candidate.get("played") is True:
                played = index
                unlike = considered != play
        if unlike or played < 0:
            leading = (_after(position, considered) == after for considered, _ in plays)
            played = next((index for index, leads in enumerate(leading) if leads), -1)
        chances = numbers(probabilities).reshape(-1, len(PROBABILITIES)).tolist()
        values_of = numbers(equities).tolist()
        facts = enumerate(zip(plays, values_of, chances, strict=True))
        candidates = (
            _candidate(*considered, equity, each, is_made=index == played)
            for index, (considered, equity, each) in facts
        )
        return tuple(candidates), values_of, played


def _candidate(
    play: Play, plies: int, equity: float, chances: list[float], *, is_made: bool
) -> Candidate:
    """A candidate of which some numbers may be unknown."""
    return Candidate(
        play=play,
        equity=None if isnan(equity) else equity,
        level=level_name(plies),
        probabilities=() if any(map(isnan, chances)) else tuple(chances),
        made=is_made,
    )


def _verdict(record: JsonObject) -> Values | None:
    """The values of no double, double/take and double/pass as written; `None` where a record has
    none or the cube is dead."""
    evaluated = part(record, "equity")
    verdict = part(evaluated, "cubeDecision") if evaluated else None
    if verdict is None or str(verdict.get("eqNoDouble")).startswith(DEAD_CUBE):
        return None
    return verdict.get("eqNoDouble"), verdict.get("eqDoubleTake"), verdict.get("eqDoublePass")


def _validity(position: Counts, play: Play, after: Counts, dice: tuple[int, int]) -> Validity:
    """Whether the dice allow a play that leads to `after`."""
    if not play:
        return Validity.UNPLAYED
    possible, _ = legal_play_meant(position, *dice, play)
    is_possible = possible is not None and possible.result == after
    return Validity.VALID if is_possible else Validity.ILLEGAL


def _list(table: JsonObject, key: str) -> list[int]:
    value = table.get(key)
    if (
        type(value) is not list
        or not 1 <= len(value) <= LONGEST_PLAY
        or any(type(number) is not int for number in value)
    ):
        raise Damaged(f"expected {key} to be a list of {LONGEST_PLAY} points, found {shown(value)}")
    return value


def _play(table: JsonObject) -> Play:
    """The steps of a play, the highest point first, so that a checker's second step follows its
    first."""
    steps = []
    for start, end in zip(_list(table, "from"), _list(table, "to"), strict=False):
        if start == NO_STEP:
            break
        if not 0 <= end < start <= BAR:
            raise Damaged(f"expected a step from 1 to {BAR} downwards, found {start}/{end}")
        steps.append((start, end))
    return tuple(sorted(steps, reverse=True))


def _after(position: Counts, play: Play) -> Counts | None:
    """Where a candidate leads; `None` if it is impossible."""
    try:
        return apply_play(position, play)
    except ValueError:
        return None


def _start(initial: JsonObject) -> tuple[Counts, Counts]:
    """The first position, in the view of either seat."""
    points = initial.get("points")
    if (
        type(points) is not list
        or len(points) != POINTS
        or any(type(point) is not int or abs(point) > CHECKERS for point in points)
    ):
        raise Damaged(
            f"expected a first position of {POINTS} numbers up to {CHECKERS}, found {shown(points)}"
        )
    if any(points[ON_BOARD : ON_BOARD + 2]):
        raise Damaged(
            "expected a first position without checkers on the bar, whose place in the file is "
            "not known, found some"
        )
    green = (0, *points[ON_BOARD - 1 :: -1], 0)
    if min(borne_off(green)) < 0:
        raise Damaged(
            f"expected a first position with at most {CHECKERS} checkers of a player, found more"
        )
    return green, swap(green)


MOST_GAMES = 2000


def read(path: str, content: bytes, selector: str = "") -> Match:
    """Read a `.bgf` file. Raises `Damaged` if anything in it is inconsistent."""
    return _Reader(path, content, *open_bgf(content)).match()


class _Reader:
    """The object of one file, and the columns made from it."""

    def __init__(self, path: str, content: bytes, root: JsonObject, version: str) -> None:
        self.path, self.content, self.root, self.version = path, content, root, version
        self.length = integer(root, "matchlen", 0, LONGEST_MATCH) or None
        self.rows = RecordRows()
        cube = flag(root, "useCube", True)
        tables = parts(root, "games", MOST_GAMES)
        if not tables:
            raise Damaged("expected at least one game, found none")
        self.games = [
            GameReader(game, table, self.rows, length=self.length, cube_in_play=cube)
            for game, table in enumerate(tables)
        ]
        for game in self.games:
            game.read()
        self.settled = self.settle()

    def settle(self) -> list[int]:
        """Numbers of the games without points of their own: the final score has those that the
        players agreed on."""
        last = self.games[-1]
        if self.length is not None or last.winner == NOBODY:
            return []
        if last.points:
            last.resigned |= last.turn == 1
            return [len(self.games)] if last.turn == 1 else []
        final = tuple(
            integer(self.root, key, 0, HIGHEST_SCORE) for key in ("finalGreen", "finalRed")
        )
        seat = max((0, 1), key=lambda player: final[player] - last.score[player])
        last.points = max(final[seat] - last.score[seat], 0)
        last.winner, last.resigned = seat if last.points else NOBODY, True
        return [len(self.games)]

    def match(self) -> Match:
        root = self.root
        frames = self.frames()
        cubes = self.cube_columns(frames)
        return Match(
            source=Source(self.path, "bgf", BGBLITZ.name, None, self.content),
            players=(text(root, "nameGreen"), text(root, "nameRed")),
            rules=Rules(
                crawford=self.length is not None and flag(root, "useCrawford", True),
                jacoby=self.length is None and flag(root, "useJacoby", False),
                beavers=self.length is None and flag(root, "useBeaver", False),
                cube=flag(root, "useCube", True),
            ),
            plays=self.play_columns(),
            cubes=cubes,
            cube_unit="emg",
            levels=tuple(Level(level_name(plies), None) for plies in self.rows.levels),
            notes=tuple(self.notes()),
            event=text(root, "event"),
            date=written_day(str(root.get("date"))),
            round=text(root, "round"),
            place=text(root, "location") or text(root, "site"),
            comment=text(root, "comment"),
            candidates=self.rows.candidates.__getitem__,
            known_chances=None
            if frames is None
            else scores_of(frames, self.games, self.length or 0),
            **ended(self.games, self.length),
        )

    def notes(self) -> Iterator[Note]:
        yield from self.rows.notes()
        if self.version != KNOWN_VERSION:
            yield Note(
                "file-version",
                f"file version {self.version!r}; the layout is verified for {KNOWN_VERSION}",
            )
        if self.settled:
            points = plural(self.games[-1].points, "point")
            yield Note("game-settled", f"game {self.settled[0]}: {points} from the final score")

    def frames(self) -> Frames | None:
        """The lines between equity and chance; `None` in a money session. Equities of a match come
        from these."""
        if self.length is None:
            return None
        rows = self.rows
        # After a pass the doubler has won the cube.
        after = [
            (row[0], row[2], row[4], equity, row[-1])
            for table, equity in ((rows.actions, "1.0"), (rows.responses, "-1.0"))
            for row in table
            if row[-1] is not None
        ]
        pairs = rows.pairs + rows.before + after
        *places, equities, chances = zip(*pairs, strict=True) if pairs else [()] * 5
        game, seat, cube = (np.array(place, np.int64) for place in places)
        return fitted(game, seat, cube, numbers(equities), numbers(chances), len(self.games))

    def play_columns(self) -> Plays:
        columns, rest = self.rows.play_columns(
            "best", "played", "highest", "spread", "level", "luck as written", "position", "play"
        )
        evaluated, legal = columns["best"] == columns["best"], columns["legal"]
        is_analysed = analysed(evaluated, ~columns["moved"] & (legal == 1), columns["game"])
        luck = numbers(rest["luck as written"])
        return Plays(len(legal), {**columns, "analysed": is_analysed, "luck": luck})

    def cube_columns(self, frames: Frames | None) -> Cubes:
        names = ("no_double", "double_take", "double_pass")
        columns, rest = self.rows.cube_columns(
            "level", "position", "record", *(f"{name} as written" for name in names)
        )
        response = columns["kind"] >= Kind.TAKE.value
        doubler = columns["player"] ^ response
        is_analysed: Any = True
        for name in names:
            value = numbers(rest[f"{name} as written"])
            if frames is None:
                value = np.where(response, -value, value)
            else:
                value = frames.equity(
                    columns["game"], doubler, columns["cube"], np.where(response, 1 - value, value)
                )
            columns[name] = value
            is_analysed &= value == value

        # In the view of whoever decides, as in the file, which has one set for every action.
        chances = cube_chances(
            [2 * (_chances(record.get("equity") or {}),) for record in rest["record"]]
        )
        return Cubes(len(response), {**columns, "analysed": is_analysed, "chances": chances})


def _chances(evaluated: JsonObject) -> Chances:
    """Gammons include backgammons in the file, too."""
    return tuple(numbers([evaluated.get(name) for name in PROBABILITIES]).tolist())


def level_name(plies: int) -> str:
    """A level in words; BGBlitz has no name for it in the file."""
    return f"{plies}-ply"
