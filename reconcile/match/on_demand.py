"""Columns of values that are made when somebody looks at them, since few of them are looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TypeVar, overload

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]

Value = TypeVar("Value", covariant=True)


class OnDemand(Sequence[Value]):
    """A column whose values are made one by one, each time they are used: few of them are."""

    def __init__(self, rows: int, make: Callable[[int], Value]) -> None:
        self._rows, self._make = range(rows), make

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, row: int) -> Value: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Value]: ...
    def __getitem__(self, row: int | slice) -> Value | Sequence[Value]:
        rows = self._rows[row]
        return self._make(rows) if isinstance(rows, int) else list(map(self._make, rows))

    def __iter__(self) -> Iterator[Value]:
        return map(self._make, self._rows)

    def __eq__(self, other: object) -> bool:
        return [*self] == [*other] if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


class Late(Sequence[Value]):
    """Values that are all made when somebody looks at the first."""

    def __init__(self, make: Callable[[], Sequence[Value]]) -> None:
        self._values = cache(make)

    def __len__(self) -> int:
        return len(self._values())

    @overload
    def __getitem__(self, row: int) -> Value: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Value]: ...
    def __getitem__(self, row: int | slice) -> Value | Sequence[Value]:
        return self._values()[row]

    def __eq__(self, other: object) -> bool:
        return [*self] == [*other] if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._values()))

    def __repr__(self) -> str:
        return repr(self._values())

    def __reduce__(self) -> tuple[type, tuple[tuple[Value, ...]]]:
        """A copy, and what another process gets, has the values."""
        return tuple, (tuple(self._values()),)


class Coded(OnDemand[Value]):
    """The same where a value follows from one number: rows of the same number have the same value.
    The numbers are made when asked for."""

    def __init__(
        self, rows: int, numbers: Callable[[], Numbers], value_of: Callable[[int], Value]
    ) -> None:
        made_once = cache(numbers)
        super().__init__(rows, lambda row: value_of(int(made_once()[row])))
        self._found, self.value_of = made_once, value_of

    @property
    def numbers(self) -> Numbers:
        """The number of every row."""
        return self._found()

    def settled(self) -> Coded[Value]:
        """The same with its numbers made, so that it no longer keeps what they are made from."""
        numbers = self.numbers
        return Coded(len(numbers), lambda: numbers, self.value_of)

    def __call__(self, row: int) -> Value:
        """The value of a row."""
        return self._make(row)
