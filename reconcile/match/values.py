"""Values that hold arrays, equal where their content is; values made when asked for, or grouped."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Owner = TypeVar("Owner")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Entry = TypeVar("Entry")
Shared = TypeVar("Shared", bound=Hashable)


def once(
    method: Callable[Concatenate[Owner, Arguments], Result],
) -> Callable[Concatenate[Owner, Arguments], Result]:
    """A `cached_property` with arguments: the object keeps a result for each of them."""
    place = f"_{method.__name__} once"

    @wraps(method)
    def remembered(owner: Owner, /, *args: Arguments.args, **named: Arguments.kwargs) -> Result:
        results: dict[object, Result] = vars(owner).setdefault(place, {})
        key = args, *named.items()
        if key not in results:
            results[key] = method(owner, *args, **named)
        return results[key]

    return remembered


def grouped(entries: Iterable[Entry], key: Callable[[Entry], Shared]) -> dict[Shared, list[Entry]]:
    """Entries by what they share, all in the order of first appearance."""
    groups: dict[Shared, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(key(entry), []).append(entry)
    return groups


def same(left: Any, right: Any) -> bool:
    """Whether two values have the same content: arrays by their elements, and what is unknown
    equals what is unknown."""
    if left is right:
        return True
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        floats = left.dtype.kind == right.dtype.kind == "f"
        return np.array_equal(left, right, equal_nan=floats)
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return False
    if isinstance(left, float) and left != left:
        return isinstance(right, float) and right != right
    if isinstance(left, (tuple, list)) and type(left) is type(right):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(
            same(value, right[key]) for key, value in left.items()
        )
    return bool(left == right)


class Value:
    """Base of a dataclass with `eq=False`, equal to another of its class if what it compares is.

    A copy is made of the fields alone, without what was made of them when asked for.
    """

    __slots__ = ()

    def __eq__(self: DataclassInstance, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(
            same(getattr(self, each.name), getattr(other, each.name))
            for each in fields(self)
            if each.compare
        )

    __hash__: ClassVar[Any] = None

    def __reduce__(self: DataclassInstance) -> tuple[type, tuple[Any, ...]]:
        return type(self), tuple(getattr(self, each.name) for each in fields(self) if each.init)


@dataclass(frozen=True, slots=True)
class Texts:
    """A column of texts, each by its number in a list: most of them stand in many rows."""

    number: npt.NDArray[np.integer[Any]]
    """Below 0 where a row has none."""
    texts: Sequence[str]
    missing: str | None = None
    """What stands there then."""

    def __getitem__(self, rows: Any) -> Texts:
        return Texts(self.number[rows], self.texts, self.missing)

    def where(self, mask: npt.NDArray[np.bool_], other: Texts) -> Texts:
        """The same where `mask` holds, elsewhere those of `other`."""
        number = np.where(other.number < 0, -1, other.number + len(self.texts))
        return Texts(np.where(mask, self.number, number), [*self.texts, *other.texts], self.missing)

    def spelled(self) -> npt.NDArray[Any]:
        """The text of every row."""
        spelled: npt.NDArray[Any] = np.array([*self.texts, self.missing], object)[self.number]
        return spelled
