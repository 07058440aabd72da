"""Follows one game of a `.bgf`, record by record, and adds its rows.

A record has no position: the plays before it lead there. The cube is followed as well, since the
`cube` of an evaluation is always 1. The numbers stay as they are written until all are converted at
once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from reconcile.formats.bgblitz.container import GREEN, RED, SEATS
from reconcile.formats.rows import HIGHEST_CUBE, NOBODY, Follower, Row, Rows
from reconcile.formats.values import Damaged, flag, integer, part, parts, shown
from reconcile.match.board.play import Play, apply_play, carried_out, legal_plays
from reconcile.match.board.position import BAR, CHECKERS, Counts, borne_off, swap
from reconcile.match.columns import UNKNOWN_COUNT, Kind, Validity

ACTION: Final = 7
"""Value of `green` in a record that is not a roll; `red` then says which action."""
DOUBLE, TAKE, PASS, END, DANCE, RESIGN = 1, 2, 3, 4, 5, 9
ANSWERS: Final = {TAKE: Kind.TAKE, PASS: Kind.PASS}
MOST_RECORDS: Final = 5000
"""In one game; the longest known have 200."""
MOST_CANDIDATES: Final = 100
"""BGBlitz keeps eight."""
HIGHEST_SCORE: Final = 10_000
LONGEST_PLAY: Final = 4
NO_STEP: Final = -1
POINTS: Final = 28
ON_BOARD: Final = 24
"""Values of `points` before those of bars and checkers borne off."""
DEEPEST_PLY: Final = 20
PROBABILITIES: Final = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
DEAD_CUBE: Final = "-999.9"
"""Start of every value of a cube that nobody can use."""

Values = tuple[Any, Any, Any]
"""No double, double/take and double/pass, as written."""


@dataclass(slots=True, kw_only=True)
class RecordRows(Rows):
    """The rows of all games, and raw numbers in lists of their own."""

    equities: list[Any] = field(default_factory=list)
    """EMG of all candidates, one play after the other; in money play equities."""
    chances: list[Any] = field(default_factory=list)
    """Chances of winning the match of the same candidates; empty in money play."""
    candidates: list[tuple[Play, int]] = field(default_factory=list)
    """Play and plies of the same."""
    probabilities: list[Any] = field(default_factory=list)
    """Those of `PROBABILITIES` of the same, one candidate after the other."""
    before: list[tuple[int, int, int, Any, Any]] = field(default_factory=list)
    """Game, seat, cube, EMG and chance of every evaluation before a roll."""

    def plies(self, record: dict[str, Any]) -> int:
        """Index of the level of a record or candidate."""
        return self.level(integer(record, "ply", 0, DEEPEST_PLY))


class GameReader(Follower):
    """One game, followed record by record."""

    rows: RecordRows

    def __init__(
        self,
        game: int,
        table: dict[str, Any],
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
            try:
                self.read_record(record)
            except (Damaged, ValueError) as error:
                raise Damaged(f"game {self.number}, record {at}: {error}") from None
            if self.winner != NOBODY:
                self.points = self.won
                break

    def read_record(self, record: dict[str, Any]) -> None:
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

    def read_double(self, record: dict[str, Any], seat: int) -> None:
        """A double."""
        if self.doubler != NOBODY:
            raise Damaged("expected a take or pass, found another double")
        if self.cube * 2 > HIGHEST_CUBE:
            raise Damaged(
                f"expected a cube of at most {HIGHEST_CUBE}, found a double at {self.cube}"
            )
        self.double(seat, self.details(record, seat, _verdict(record)))

    def read_answer(self, record: dict[str, Any], seat: int, kind: Kind) -> None:
        """A take or pass; its evaluation is that of the double, in the view of the player who
        responds."""
        if self.doubler != 1 - seat:
            raise Damaged(f"expected a double before a {kind.label}, found none of the opponent")
        self.answer(seat, kind, self.details(record, seat, _verdict(record)))

    def details(self, record: dict[str, Any], seat: int, verdict: Values | None) -> Row:
        """What ends the row of a cube decision: level, position, record, and the three values as
        written."""
        return (
            self.rows.plies(record) if verdict else -1,
            self.boards[seat],
            record if verdict else {},
            *(verdict or (None, None, None)),
        )

    def read_roll(
        self, record: dict[str, Any], seat: int, dice: tuple[int, int], *, dance: bool
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
        listed = (
            parts(record, "moveAnalysis", MOST_CANDIDATES)
            if record.get("moveAnalysis") is not None
            else []
        )
        after = carried_out(position, play)
        validity = Validity.VALID if dance else _validity(position, play, after, dice)
        played = self.add_candidates(position, play, after, listed)
        luck = part(record, "luck") if integer(record, "ply4Luck", 0, DEEPEST_PLY) else None
        self.roll(
            seat, dice, validity, 1 if dance else len(listed) or UNKNOWN_COUNT, bool(play),
            more=(
                len(listed), played, rows.plies(record) if listed else -1,
                luck.get("luckPlain" if self.money else "luckWeighted") if luck else None,
                position, play,
            ),
        )  # fmt: skip
        other = swap(after)
        self.boards = (after, other) if seat == GREEN else (other, after)

    def add_candidates(
        self, position: Counts, play: Play, after: Counts, listed: list[dict[str, Any]]
    ) -> int:
        """Add the values of the candidates; returns which of them leads where the play made led, -1
        for none.

        BGBlitz marks the play made. Where the mark is on a play that is written differently, where
        they lead decides.
        """
        rows, played, unlike = self.rows, -1, False
        for index, candidate in enumerate(listed):
            values = part(candidate, "eq")
            if values is None:
                raise Damaged("expected an evaluation of every candidate, found none")
            verdict = part(values, "cubeDecision")
            cubeful = verdict.get("eqCubeFul") if verdict else None
            if self.money:
                rows.equities.append(values.get("equity") if cubeful is None else cubeful)
            else:
                rows.equities.append(values.get("emg"))
                rows.chances.append(values.get("matchEquity") if cubeful is None else cubeful)
            rows.probabilities += map(values.get, PROBABILITIES)
            considered = _play(part(candidate, "move") or {})
            rows.candidates.append((considered, integer(candidate, "ply", 0, DEEPEST_PLY)))
            if candidate.get("played") is True:
                played = index
                unlike = considered != play
        if unlike or (played < 0 and listed):
            leading = (
                _after(position, each) == after for each, _ in rows.candidates[-len(listed) :]
            )
            played = next((index for index, leads in enumerate(leading) if leads), -1)
        return played


def _verdict(record: dict[str, Any]) -> Values | None:
    """The values of no double, double/take and double/pass as written; `None` where a record has
    none or the cube is dead."""
    evaluated = part(record, "equity")
    verdict = part(evaluated, "cubeDecision") if evaluated else None
    if verdict is None or str(verdict.get("eqNoDouble")).startswith(DEAD_CUBE):
        return None
    return verdict.get("eqNoDouble"), verdict.get("eqDoubleTake"), verdict.get("eqDoublePass")


def _validity(position: Counts, play: Play, after: Counts, dice: tuple[int, int]) -> Validity:
    """Whether the dice allow a play that leads to `after`. Most use all dice, step by step; for the
    others all plays are tried."""
    if not play:
        return Validity.UNPLAYED
    pips = [start - end for start, end in play]
    of_the_bar = sum(start == BAR for start, _ in play)
    low, high = min(dice), max(dice)
    if (
        sorted(pips) == ([low, high] if low != high else [low] * LONGEST_PLAY)
        and position[BAR] in (of_the_bar, 0)
        and play[-1][1]
    ):
        blocked = any(position[end] < -1 for _, end in play)
        if not blocked and sum(after) == sum(position) and after != position:
            return Validity.VALID
    return (
        Validity.VALID
        if any(result == after for _, result in legal_plays(position, *dice))
        else Validity.ILLEGAL
    )


def _list(table: dict[str, Any], key: str) -> list[int]:
    value = table.get(key)
    if (
        type(value) is not list
        or not 1 <= len(value) <= LONGEST_PLAY
        or any(type(number) is not int for number in value)
    ):
        raise Damaged(f"expected {key} to be a list of {LONGEST_PLAY} points, found {shown(value)}")
    return value


def _play(table: dict[str, Any]) -> Play:
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


def _start(initial: dict[str, Any]) -> tuple[Counts, Counts]:
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
