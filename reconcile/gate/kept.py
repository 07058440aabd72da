"""Large parts of a result, not in memory while nobody looks: many matches need no more than few."""

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
    """Something that is made again when it is asked for: where that is quicker than to read it."""

    make: Callable[..., T]
    arguments: tuple[Any, ...]

    def __call__(self) -> T:
        """An equal object; the last ones that were asked for are remembered."""
        return cast("T", _again(self))


class Kept(Generic[T]):
    """Something that is pickled to a temporary file of this process, and read when asked for."""

    __slots__ = ("_place",)

    def __init__(self, value: T | bytes, *, is_pickled: bool = False) -> None:
        pickled = value if is_pickled else pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        assert isinstance(pickled, bytes)
        process = os.getpid()
        with _LOCK:
            file = _file(process)
            self._place = process, file.seek(0, os.SEEK_END), len(pickled)
            file.write(pickled)

    def __call__(self) -> T:
        """An equal object; the last ones that were asked for are remembered."""
        return cast("T", _unpickled(self._place))

    def __reduce__(self) -> tuple[Callable[[bytes], Kept[Any]], tuple[bytes]]:
        """For another process, which has a file of its own."""
        return _in_this_process, (_read(self._place),)


def value_of(source: T | Kept[T] | Again[T]) -> T:
    """The value itself, wherever it is."""
    return source() if isinstance(source, (Kept, Again)) else source


@lru_cache(maxsize=REMEMBERED)
def _again(source: Again[Any]) -> Any:
    return source.make(*source.arguments)


@lru_cache(maxsize=REMEMBERED)
def _unpickled(place: tuple[int, int, int]) -> Any:
    return pickle.loads(_read(place))  # noqa: S301  # our own, in a file without a name


def _in_this_process(pickled: bytes) -> Kept[Any]:
    return Kept(pickled, is_pickled=True)


def _read(place: tuple[int, int, int]) -> bytes:
    process, start, size = place
    with _LOCK:
        file = _file(process)
        file.seek(start)
        return file.read(size)


@cache
def _file(_process: int) -> IO[bytes]:
    file = tempfile.TemporaryFile(prefix="reconcile-")  # noqa: SIM115  # open until the end
    atexit.register(file.close)
    return file
