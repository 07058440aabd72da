"""What a case of the suite is, and how its matches are made: a few turns of two synthetic players, of whom the first is studied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from reconcile.formats.written import Cube, Double, Ending, Game, Take, Termination, WrittenMatch
from reconcile.probe.contrasts import ANCHOR, EVENT, FORMATS, LENGTH, OTHER, STUDIED, SyntheticGame, cube

AREAS: Final = (
    "count", "forced", "equal", "dance", "unplayed", "first", "illegal", "close", "redouble", "toogood", "dead", "optional", "losing",
    "take", "pass", "beaver", "crawford", "postcrawford", "onepoint", "money", "jacoby", "resign", "lastgame", "unfinished", "rate",
    "met", "mwc",
    "cube", "size", "sign", "round", "cap", "luck", "order", "colour", "grade", "snowie", "notanalysed",
)  # fmt: skip
"""First words of ids, in the order of the index."""


@dataclass(frozen=True, slots=True)
class Case:
    """A match of a few turns that isolates one edge."""

    id: str
    """`AREA-EDGE[-NUMBER]`, for ever."""
    question: str
    """Code of the question that it belongs to; empty for none."""
    sentence: str
    """What it tests."""
    edge: str
    """Code of the fault that changes its figures: the edge that it isolates."""
    match: WrittenMatch
    formats: tuple[str, ...] = FORMATS
    """The formats that can hold it; its figures are the same in each."""

    @property
    def area(self) -> str:
        """The first word of its id."""
        return self.id.partition("-")[0]


RESIGNED: Final = Ending(1, 1, Termination.RESIGNED_SINGLE)
"""The usual end of a game: the other player resigns, which no program judges."""


def opened() -> SyntheticGame:
    """The first turn of both players, of whom the studied one loses 0.07 by any rules."""
    return SyntheticGame().opened()


def game(
    line: SyntheticGame, score: tuple[int, int] = (0, 0), ending: Ending | None = RESIGNED, *, crawford: bool = False, **said: Any
) -> Game:
    """The game of some turns; unfinished without an ending."""
    return Game(tuple(line.turns), score, ending, crawford=crawford, **said)


def match(*games: Game, length: int | None = LENGTH, players: tuple[str, str] = (STUDIED, OTHER), **said: Any) -> WrittenMatch:
    """A match of these games."""
    return WrittenMatch(players, length, games, event=EVENT, **said)


def single(line: SyntheticGame, **said: Any) -> WrittenMatch:
    """A match of one game."""
    return line.match(**said)


def no_double(equity: float, double_take: float, **said: Any) -> WrittenMatch:
    """A turn of the studied player without a double, by its equities."""
    return opened().turn(cube=cube(equity, double_take)).turn().match(**said)


def doubled(equity: float, double_take: float, take: Take = Take.TAKE, **said: Any) -> WrittenMatch:
    """A double of the studied player and its answer; after a pass the game is over."""
    line = opened().turn(cube=made_double(equity, double_take, take))
    if take is Take.PASS:
        drop_move(line)
        said.setdefault("ending", Ending(1, 1, Termination.PASS))
        return line.match(**said)
    said.setdefault("ending", Ending(1, line.value, Termination.RESIGNED_SINGLE))
    return line.turn().match(**said)


def answered(equity: float, double_take: float, take: Take = Take.TAKE, **said: Any) -> WrittenMatch:
    """A double of the other player that the studied one answers."""
    line = SyntheticGame().turn(ANCHOR, 2).turn(cube=made_double(equity, double_take, take))
    if take is Take.PASS:
        drop_move(line)
        said.setdefault("ending", Ending(2, 1, Termination.PASS))
        return line.match(**said)
    said.setdefault("ending", Ending(2, line.value, Termination.RESIGNED_SINGLE))
    return line.turn().turn().match(**said)


def made_double(equity: float, double_take: float, take: Take = Take.TAKE, **other: Any) -> Cube:
    """A double and its answer, by the equities."""
    return cube(equity, double_take, double=Double.YES, take=take, **other)


def drop_move(line: SyntheticGame) -> None:
    """Take the roll off the last turn: the game ended on the cube."""
    last = line.turns[-1]
    line.turns[-1] = type(last)(last.player, last.position, last.cube)


def owned(times: int = 1) -> SyntheticGame:
    """The opening errors; then doubles that are taken in turn until the studied player owns the cube: at 2 for one, at 8 for two."""
    line = SyntheticGame().turn(ANCHOR, 2)
    for _ in range(2 * times - 1):
        line.turn(cube=made_double(0.6, 0.8))
    return line if line.player == 1 else line.turn()
