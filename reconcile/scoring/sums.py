"""Sums of columns by game and player, those of a match all in one pass, since a call of NumPy costs more than its few numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.columns import Ints
from reconcile.files.wording import plural

SEATS: Final = 2
MOST_AT_ONCE: Final = 1 << 13
"""Rows; a match has some 500 of them, several groups taken together 1,500."""

Table = npt.NDArray[Any]


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
        self._totals: dict[int | None, dict[str, list[Any]]] = {}
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

    def __getitem__(self, name: str) -> Table:
        """A sum of every game, shape (games, 2 seats) or (games, 2 seats, classes)."""
        return _cut(self._table, self._places[name])

    def tables(self, first: Ints | None = None) -> dict[str, Table]:
        """Every sum in that shape, of games or, where `first` has the first game of each, of matches."""
        table = self._table if first is None else np.add.reduceat(self._table, first, axis=0)
        return {name: _cut(table, place) for name, place in self._places.items()}

    def totals(self, game: int | None) -> dict[str, list[Any]]:
        """Every sum over the match or of one game: a list with an entry (or a list of classes) per seat."""
        if game not in self._totals:
            numbers = (np.add.reduce(self._table) if game is None else self._table[game]).tolist()
            totals: dict[str, list[Any]] = {}
            for name, (first, classes, is_count) in self._places.items():
                found = numbers[first : first + SEATS * classes]
                if is_count:
                    found = [*map(int, found)]
                totals[name] = found if classes == 1 else [found[:classes], found[classes:]]
            self._totals[game] = totals
        return self._totals[game]


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
