"""Sums over the decisions and rolls of a match by game and player, and what figures are made of.

The sums of a match are made all in one pass, since a call of NumPy costs more than its few numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from reconcile.columns import Ints
from reconcile.files.wording import plural

SEATS: Final = 2
MOST_AT_ONCE: Final = 1 << 13
"""Rows; a match has some 500 of them, several groups taken together 1,500."""
EXPECTED: Final = {"checker": "checker expected", "cube": "cube expected", "luck": "moves"}
"""By part of an analysis, the sum that says how many decisions a full one evaluates."""
PLAY, MISSED, WRONG_DOUBLE, WRONG_TAKE, WRONG_PASS, RESIGNED = range(6)
"""Kinds of decision whose errors are added up apart."""

Table: TypeAlias = npt.NDArray[Any]
Numbers: TypeAlias = npt.NDArray[np.float64]


class DecisionClass(IntEnum):
    """The classes into which figures are split."""

    CHECKER = 0
    DOUBLE = 1
    TAKE = 2
    RESIGNATION = 3


CLASSES: Final = {"checker": DecisionClass.CHECKER.value, "double": DecisionClass.DOUBLE.value, "take": DecisionClass.TAKE.value}
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
"""Of a column's sums among those of a game: the first, how many there are for each seat, and whether they are counts."""


class Sums:
    """Named sums of every game of a match, or of several matches joined."""

    def __init__(self, games: int, *groups: Group) -> None:
        self._places: dict[str, _Place] = {}
        end = 0
        for _, _, columns, _, classes in groups:
            step = SEATS * classes
            for name, column in columns.items():
                self._places[name] = end, classes, column.dtype.kind == "b"
                end += step
        few = sum(len(group.game) for group in groups) <= MOST_AT_ONCE
        self._table = (_at_once if few else _one_by_one)(games, end, groups)

    def __repr__(self) -> str:
        return f"<Sums: {len(self._places)} of {plural(len(self._table), 'game')}>"

    def matches(self, first: Ints) -> dict[str, Table]:
        """Every sum of joined matches, shape (matches, 2 seats) or (matches, 2 seats, classes); `first` has the first game of each."""
        table = np.add.reduceat(self._table, first, axis=0)
        return {name: _cut(table, place) for name, place in self._places.items()}

    @cached_property
    def match(self) -> dict[str, Table]:
        """Every sum over the match, shape (2 seats) or (2 seats, classes)."""
        table = np.add.reduce(self._table, keepdims=True)
        return {name: _cut(table, place)[0] for name, place in self._places.items()}

    @cached_property
    def games(self) -> dict[str, Table]:
        """Every sum of every game, shape (games, 2 seats) or (games, 2 seats, classes)."""
        return {name: _cut(self._table, place) for name, place in self._places.items()}


def _at_once(games: int, width: int, groups: Sequence[Group]) -> Table:
    """All columns in one pass."""
    keys: list[Table] = []
    values: list[Table] = []
    end = 0
    for game, seat, columns, code, classes in groups:
        first, end = end, end + SEATS * classes * len(columns)
        key = game * width + (seat if code is None else seat * classes + code)
        keys.append(np.add.outer(np.arange(first, end, SEATS * classes), key).ravel())  # every column has sums of its own
        values += columns.values()
    sums = np.bincount(np.concatenate(keys).astype(np.intp, copy=False), np.concatenate(values), games * width)
    return sums.astype(np.float64, copy=False).reshape(games, width)  # without any value they would be integers


def _one_by_one(games: int, width: int, groups: Sequence[Group]) -> Table:
    """The same for many rows, whose keys for every column would take more memory than a processor has near."""
    table, end = np.empty((games, width)), 0
    for game, seat, columns, code, classes in groups:
        step = SEATS * classes
        key = game * step + (seat if code is None else seat * classes + code)
        for column in columns.values():
            table[:, end : end + step] = np.bincount(key, column, games * step).reshape(games, step)
            end += step
    return table


def _cut(table: Table, place: _Place) -> Table:
    first, classes, is_count = place
    found = table[:, first : first + SEATS * classes]
    if is_count:
        found = found.astype(np.int64)
    return found if classes == 1 else found.reshape(-1, SEATS, classes)


def added(tables: Sequence[Table]) -> Table:
    """The sum of arrays in their order."""
    total = tables[0]
    for table in tables[1:]:
        total = total + table
    return total


def by_class(table: Table) -> Sequence[Table]:
    """A table whose last axis is that of classes, as one array for each."""
    return [table[..., code] for code in range(table.shape[-1])]


def if_known(known: Any, values: Any) -> Numbers:
    """Values, NaN where they are not known; `known` may be `True` for all of them, which takes no time."""
    found: Numbers = np.asarray(values, np.float64) if known is True else np.where(known, values, np.nan)
    return found


def all_or(known: Any) -> Any:
    """`True` where everything is known, which `if_known` takes as it is."""
    return True if known.all() else known


@dataclass(frozen=True)
class Totals:
    """The sums that figures are made of, in arrays of one shape, or of shapes that broadcast; a sum by class is a sequence of arrays."""

    counted: Sequence[Table]
    """By class."""
    error: Sequence[Table]
    loss: Sequence[Table]
    """Match winning chance lost (0 to 1), by class."""
    known: Mapping[str, Any]
    """Whether anything was analysed, or nothing was there to be: of `checker` plays, at the `cube`, and whether there is `any` analysis."""
    both: Table
    """Moves of both players."""
    _: KW_ONLY
    scale: Any = 1.0
    """By which a rate per decision is multiplied; NaN where a program has none."""
    cap: Any = math.inf
    """The highest PR that is shown."""
    in_match: bool = True
    rated: Sequence[Table] | None = None
    """The errors of which rates per decision are made, where matches with another `scale` are added up."""
    seats: Mapping[str, Table] = field(default_factory=dict)
    """The other sums by name, with a last axis of both players before that of kinds; figures with a `Form` do not need them."""
    doubtful: bool = True
    """Whether the rules have this grade."""
    result: Any = math.nan
    """Of a finished match 1 for the winner and 0 for the loser, of a money session the points won less those lost; NaN of anything else."""
    length: Any = math.nan
    games: Any = math.nan
    _columns: dict[str, Sequence[Table]] = field(default_factory=dict, init=False, repr=False)
    _net: dict[str, Numbers] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def decisions(self) -> Table:
        """The number of decisions that count, of all classes."""
        return added(self.counted)

    @cached_property
    def lost(self) -> Numbers:
        """Equity lost (EMG) in all classes; NaN without any analysis."""
        return if_known(self.known["any"], added(self.error))

    @cached_property
    def rated_lost(self) -> Numbers:
        """That of which rates per decision are made."""
        return self.lost if self.rated is None else if_known(self.known["any"], added(self.rated))

    def kinds(self, name: str, *kinds: int) -> Table:
        """A sum over some kinds of decision."""
        columns = self._columns.get(name) or self._columns.setdefault(name, by_class(self.seats[name]))
        return columns[kinds[0]] if len(kinds) == 1 else added([columns[kind] for kind in kinds])

    def pair(self, name: str) -> Table:
        """A sum of both players together."""
        return self.seats[name] + self.seats[name][..., ::-1]

    @cached_property
    def lucky(self) -> Any:
        """Whether the luck of any roll is known."""
        return all_or(self.seats["luck analysed"] > 0)

    def net(self, name: str) -> Numbers:
        """A sum of luck less the opponent's; NaN where that of either is unknown."""
        if name not in self._net:
            either = self.lucky if self.lucky is True else self.lucky & self.lucky[..., ::-1]
            self._net[name] = if_known(either, self.seats[name] - self.seats[name][..., ::-1])
        return self._net[name]

    @cached_property
    def settled(self) -> Numbers:
        """The net luck in chances (points for money) of owners with the luck of every roll; NaN of all others."""
        rolls, chance = self.seats["luck analysed"], self.net("chance")
        whole = (rolls == self.seats["moves"]).all(axis=-1, keepdims=True) & np.isfinite(chance)
        return if_known(whole, chance)
