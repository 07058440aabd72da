"""Values that hold arrays: equal where their content is, and never hashed by the place where they lie."""

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
    """A method that makes each result once: it is kept in its object by the arguments, as `cached_property` keeps one without any."""
    place = f"_{method.__name__} once"

    @wraps(method)
    def kept(owner: Owner, /, *args: Given.args, **named: Given.kwargs) -> Made:
        made: dict[object, Made] = vars(owner).setdefault(place, {})
        key = args, *named.items()
        if key not in made:
            made[key] = method(owner, *args, **named)
        return made[key]

    return kept


def same(one: Any, other: Any) -> bool:
    """Whether two values have the same content: arrays by their elements, and what is unknown equals what is unknown."""
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        floats = (
            getattr(getattr(one, "dtype", None), "kind", "")
            == "f"
            == getattr(getattr(other, "dtype", None), "kind", "")
        )
        return (
            isinstance(one, np.ndarray)
            and isinstance(other, np.ndarray)
            and np.array_equal(one, other, equal_nan=floats)
        )
    if isinstance(one, float) and one != one:
        return isinstance(other, float) and other != other
    if isinstance(one, (tuple, list)) and type(one) is type(other):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(
            same(value, other[key]) for key, value in one.items()
        )
    return bool(one == other)


class Value:
    """Base of a dataclass with `eq=False` that is equal to another of its class where all fields that are compared are the same."""

    __slots__ = ()

    def __eq__(self: DataclassInstance, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(
            same(getattr(self, one.name), getattr(other, one.name))
            for one in fields(self)
            if one.compare
        )

    __hash__: ClassVar[Any] = None


class Remade(Value):
    """The same of a dataclass that keeps what is made of its fields: a copy is made of the fields alone, as if nothing had been asked."""

    __slots__ = ()

    def __reduce__(self: DataclassInstance) -> tuple[type, tuple[Any, ...]]:
        return type(self), tuple(getattr(self, one.name) for one in fields(self) if one.init)
