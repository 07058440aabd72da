"""Values that hold arrays: equal where their content is, and never hashed by the place where they
lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, TypeVar

import numpy as np

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Owner = TypeVar("Owner")
Given = ParamSpec("Given")
Made = TypeVar("Made")


def once(
    method: Callable[Concatenate[Owner, Given], Made],
) -> Callable[Concatenate[Owner, Given], Made]:
    """A method that makes each result once: it is kept in its object by the arguments, as
    `cached_property` keeps one without any."""
    place = f"_{method.__name__} once"

    @wraps(method)
    def remembered(owner: Owner, /, *args: Given.args, **named: Given.kwargs) -> Made:
        results: dict[object, Made] = vars(owner).setdefault(place, {})
        key = args, *named.items()
        if key not in results:
            results[key] = method(owner, *args, **named)
        return results[key]

    return remembered


def same(left: Any, right: Any) -> bool:
    """Whether two values have the same content: arrays by their elements, and what is unknown
    equals what is unknown."""
    if left is right:
        return True
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        floats = (
            getattr(getattr(left, "dtype", None), "kind", "")
            == "f"
            == getattr(getattr(right, "dtype", None), "kind", "")
        )
        return (
            isinstance(left, np.ndarray)
            and isinstance(right, np.ndarray)
            and np.array_equal(left, right, equal_nan=floats)
        )
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
    """Base of a dataclass with `eq=False` that is equal to another of its class where all fields
    that are compared are the same."""

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


class Remade(Value):
    """The same of a dataclass that keeps what is made of its fields: a copy is made of the fields
    alone, as if nothing had been asked."""

    __slots__ = ()

    def __reduce__(self: DataclassInstance) -> tuple[type, tuple[Any, ...]]:
        return type(self), tuple(getattr(self, each.name) for each in fields(self) if each.init)
