"""Large parts of a result, which are not in memory while nobody looks at them: a pack of many matches needs no more than one of few."""

from __future__ import annotations

import atexit
import os
import pickle
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Lock
from typing import IO, Any, Final, Generic, TypeVar, cast

T = TypeVar("T")
REMEMBERED: Final = 6
"""Of the last things that were asked for."""
_LOCK: Final = Lock()


@dataclass(frozen=True, eq=False)
class Again(Generic[T]):
    """Something that is made again, from files, when it is asked for: where that takes less than to write it down and read it."""

    make: Callable[..., T]
    given: tuple[Any, ...]

    def __call__(self) -> T:
        """An equal object; the last ones that were asked for are remembered."""
        return cast("T", _made_again(self))


@lru_cache(maxsize=REMEMBERED)
def _made_again(one: Again[Any]) -> Any:
    return one.make(*one.given)


class Kept(Generic[T]):
    """Something that is pickled to a temporary file of this process, which nobody else can open, and read again when it is asked for."""

    __slots__ = ("_place",)

    def __init__(self, value: T) -> None:
        self._keep(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))

    def __call__(self) -> T:
        """An equal object; the last ones that were asked for are remembered."""
        return cast("T", _made(self._place))

    def __reduce__(self) -> tuple[Callable[[bytes], Kept[Any]], tuple[bytes]]:
        """For another process, which has a file of its own."""
        return _again, (_read(self._place),)

    def _keep(self, pickled: bytes) -> None:
        process = os.getpid()
        with _LOCK:
            file = _file(process)
            self._place = process, file.seek(0, os.SEEK_END), len(pickled)
            file.write(pickled)


def taken(value: T | Kept[T] | Again[T]) -> T:
    """The value itself, wherever it is."""
    return value() if isinstance(value, (Kept, Again)) else value


def _again(pickled: bytes) -> Kept[Any]:
    kept: Kept[Any] = Kept.__new__(Kept)
    kept._keep(pickled)
    return kept


@cache
def _file(_process: int) -> IO[bytes]:
    file = tempfile.TemporaryFile(prefix="reconcile-")  # noqa: SIM115  # open as long as the process
    atexit.register(file.close)
    return file


def _read(place: tuple[int, int, int]) -> bytes:
    process, start, size = place
    with _LOCK:
        file = _file(process)
        file.seek(start)
        return file.read(size)


@lru_cache(maxsize=REMEMBERED)
def _made(place: tuple[int, int, int]) -> Any:
    return pickle.loads(_read(place))  # noqa: S301  # our own, in a file without a name
