"""What is large and quickly made is not held: many matches need no more memory than few."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar, cast

T = TypeVar("T")
REMEMBERED: Final = 6
"""Of the last things that were asked for."""


@dataclass(frozen=True, eq=False)
class Again(Generic[T]):
    """Something that is made again when it is asked for."""

    make: Callable[[], T]

    def __call__(self) -> T:
        """An equal object; the last ones that were asked for are remembered."""
        return cast("T", _again(self))


@lru_cache(maxsize=REMEMBERED)
def _again(source: Again[Any]) -> Any:
    return source.make()
