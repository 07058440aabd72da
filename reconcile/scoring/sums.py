"""Sums over the decisions and rolls of a match by game and player, and what figures are made of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import IntEnum
from functools import cached_property, reduce
from operator import add
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from reconcile.match.columns import Ints
from reconcile.wording import plural

SEATS = 2
EXPECTED = {"checker": "checker expected", "cube": "cube expected", "luck": "moves"}
"""By part of an analysis, the sum that says how many decisions a full one evaluates."""
SHOWN_FROM = 9, 10
"""A figure is shown where this share of the decisions that it rests on is analysed."""
PLAY, MISSED, WRONG_DOUBLE, WRONG_TAKE, WRONG_PASS, RESIGNED = range(6)
"""Kinds of decision whose errors are added up apart."""

OF_BOTH = ("moves", "luck analysed", "luck", "chance", "rolls with luck")
"""Sums of the opponent that figures of a player are made of."""

Table: TypeAlias = npt.NDArray[Any]
Numbers: TypeAlias = npt.NDArray[np.float64]


class DecisionClass(IntEnum):
    """The classes into which figures are split."""

    CHECKER = 0
    DOUBLE = 1
    TAKE = 2
    RESIGNATION = 3


CLASSES = {
    "checker": DecisionClass.CHECKER.value,
    "double": DecisionClass.DOUBLE.value,
    "take": DecisionClass.TAKE.value,
}
"""Those of decisions, by their names in figures."""


class Group(NamedTuple):
    """Columns of the same rows, to be added up by game and seat, or by game, seat and class."""

    game: Ints
    """Of every row, from 0."""
    seat: Ints
    columns: Mapping[str, Table]
    """By name; truth values are counted, numbers added up in double precision."""
    code: Ints | None = None
    """The class of every row, from 0."""
    classes: int = 1


_Place = tuple[int, int, bool]
"""Of a column's sums among those of a game: the first, how many there are for each seat, and
whether they are counts."""


class Sums:
    """Named sums of every game of a match, or of several matches joined."""

    def __init__(self, games: int, *groups: Group) -> None:
        self._places: dict[str, _Place] = {}
        tables: list[Table] = [np.empty((games, 0))]
        end = 0
        for game, seat, columns, code, classes in groups:
            step = SEATS * classes
            place = seat if code is None else seat * classes + code
            key = (game * step + place).astype(np.intp, copy=False)
            for name, column in columns.items():
                tables.append(np.bincount(key, column, games * step).reshape(games, step))
                self._places[name] = end, classes, column.dtype.kind == "b"
                end += step
        self._table = np.concatenate(tables, axis=1)

    def __repr__(self) -> str:
        return f"<Sums: {len(self._places)} of {plural(len(self._table), 'game')}>"

    def matches(self, first: Ints) -> dict[str, Table]:
        """Every sum of joined matches, shape (matches, 2 seats) or (matches, 2 seats, classes);
        `first` has the first game of each."""
        table = np.add.reduceat(self._table, first, axis=0)
        return {name: _cut(table, place) for name, place in self._places.items()}

    @cached_property
    def match(self) -> dict[str, Table]:
        """Every sum over the match, shape (2 seats) or (2 seats, classes)."""
        table = np.add.reduce(self._table, keepdims=True)
        return {name: _cut(table, place)[0] for name, place in self._places.items()}

    @cached_property
    def players(self) -> list[dict[str, Any]]:
        """Every sum over the match by seat, those by class as lists: a formula takes plain numbers
        in less time than arrays of two."""
        row = np.add.reduce(self._table).tolist()
        return [
            {
                name: row[first + seat]
                if classes == 1
                else row[first + seat * classes : first + (seat + 1) * classes]
                for name, (first, classes, _) in self._places.items()
            }
            for seat in range(SEATS)
        ]

    @cached_property
    def games(self) -> dict[str, Table]:
        """Every sum of every game, shape (games, 2 seats) or (games, 2 seats, classes)."""
        return {name: _cut(self._table, place) for name, place in self._places.items()}

    def of(self, game: int | None) -> dict[str, Table]:
        """Every sum over a game, by its index, or over the match."""
        return (
            self.match
            if game is None
            else {name: table[game] for name, table in self.games.items()}
        )


def _cut(table: Table, place: _Place) -> Table:
    first, classes, is_count = place
    columns = table[:, first : first + SEATS * classes]
    if is_count:
        columns = columns.astype(np.int64)
    return columns if classes == 1 else columns.reshape(-1, SEATS, classes)


def added(tables: Sequence[Any]) -> Any:
    """The sum of arrays in their order."""
    return reduce(add, tables)


def by_class(table: Table) -> Sequence[Table]:
    """A table whose last axis is that of classes, as one array for each."""
    return [table[..., code] for code in range(table.shape[-1])]


def complete(analysed: Any, expected: Any) -> Any:
    """Whether a figure that rests on these decisions is shown, for numbers or arrays: the one rule
    of every output; 0 of 0 is complete."""
    share, of_all = SHOWN_FROM
    return of_all * analysed >= share * expected


def if_known(is_known: Any, values: Any) -> Any:
    """Values, NaN where they are not known; `known` may be one truth value for all of them, which
    takes no time."""
    if is_known is True:
        return values
    return values * math.nan if is_known is False else np.where(is_known, values, math.nan)


def all_or(is_known: Any) -> Any:
    """`True` where everything is known, which `if_known` takes as it is."""
    return is_known if isinstance(is_known, bool) else bool(is_known.all()) or is_known


@dataclass(eq=False)
class Totals:
    """The sums that figures are made of: numbers of one player, or arrays of one shape or of shapes
    that broadcast."""

    sums: Mapping[str, Any]
    """By name, those by class or kind as a sequence. A figure with a `Form` needs `counted`,
    `error` and `loss`. Rates per decision are made of `rated`, where there is one: the errors of
    matches with another `scale`, added up."""
    shown: Mapping[str, Any]
    """Whether figures of `checker` plays, of the `cube`, of all `decisions`, of the player's `luck`
    and of `both` players' are shown."""
    moves: Any
    """Of both players."""
    _: KW_ONLY
    scale: Any = 1.0
    """By which a rate per decision is multiplied; NaN where a program has none."""
    cap: Any = math.inf
    """The highest PR that is shown."""
    in_match: bool = True
    their: Mapping[str, Any] = field(default_factory=dict)
    """The opponent's sums, as far as `OF_BOTH` names them."""
    result: Any = math.nan
    """Of a finished match 1 for the winner and 0 for the loser, of a money session the points won
    less those lost; NaN of anything else."""
    length: Any = math.nan
    games: Any = math.nan

    @cached_property
    def decisions(self) -> Any:
        """The number of decisions that count, of all classes."""
        return added(self.sums["counted"])

    @cached_property
    def lost(self) -> Any:
        """Equity lost (EMG) in all classes; NaN where it is not shown."""
        return if_known(self.shown["decisions"], added(self.sums["error"]))

    @property
    def rated_lost(self) -> Any:
        """That of which rates per decision are made."""
        return (
            if_known(self.shown["decisions"], added(self.sums["rated"]))
            if "rated" in self.sums
            else self.lost
        )

    def net(self, name: str) -> Any:
        """A sum of luck less the opponent's; NaN where that of either is unknown."""
        return if_known(self.shown["both"], self.sums[name] - self.their[name])

    @property
    def settled(self) -> Any:
        """The net luck in chances (points for money) of owners with the luck of every roll; NaN of
        all others."""
        own, their, chance = self.sums, self.their, self.net("chance")
        complete = (
            (own["luck analysed"] == own["moves"])
            & (their["luck analysed"] == their["moves"])
            & (abs(chance) < math.inf)
        )
        return if_known(complete, chance)
