"""Sums of columns by game and player, computed together, since a call of NumPy costs more than the numbers of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from reconcile.columns import Bools, Floats, Ints


@dataclass(frozen=True, slots=True)
class Sums:
    """Named sums by game and player, computed together."""

    names: tuple[str, ...]
    tables: npt.NDArray[Any]
    """Shape (names, games, 2 seats) or (names, games, 2 seats, 4 classes)."""

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        table: npt.NDArray[Any] = self.tables[self.names.index(name)]
        return table

    def totals(self, game: int | None) -> dict[str, list[Any]]:
        """Each table over the match or one game: a list with an entry (or a list of classes) per seat."""
        added = np.add.reduce(self.tables, axis=1) if game is None else self.tables[:, game]
        return dict(zip(self.names, added.tolist(), strict=True))

    def __repr__(self) -> str:
        return f"<Sums of {', '.join(self.names)}>"


def sums_by(size: int, *tables: tuple[Ints, list[Any]]) -> Floats:
    """Sums of columns by key in double precision, shape (columns, size).

    A table is a key (0 to `size`, exclusive) for each of its rows, and columns. All are added up in one pass, each column with keys of
    its own, because a NumPy call costs more than the few hundred numbers it works on.
    """
    keys: list[Ints] = []
    values: list[Bools | Floats] = []
    for key, columns in tables:
        keys.append(np.add.outer(size * np.arange(len(values), len(values) + len(columns)), key).ravel())
        values += columns
    sums = np.bincount(np.concatenate(keys).astype(np.intp, copy=False), np.concatenate(values), size * len(values))
    return sums.astype(np.float64, copy=False).reshape(-1, size)  # without any value they would be integers
