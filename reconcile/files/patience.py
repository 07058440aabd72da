"""Waiting that ends: for a call that the system or a server may never answer, and for the other end of a pipe."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final, TypeVar, cast

_PEER: Final = 60.0
"""Seconds until somebody opens the other end of a pipe that the user named."""

unanswered: Final = threading.Event()
"""Set when a call was left behind for which Python would wait at its end: the program then ends at once, with its exit code."""

_Result = TypeVar("_Result")


def in_time(work: Callable[[], _Result], seconds: float) -> _Result:
    """The result of a call, or what it raises. When the time is over it is left behind in its thread, and `TimeoutError` raised."""
    results: list[_Result] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if raised:
        raise raised[0]
    if not results:
        raise TimeoutError(errno.ETIMEDOUT, f"not finished after {seconds:g} seconds")
    return results[0]


def opened(path: str | Path, mode: str = "rb") -> BinaryIO:
    """A file; a pipe as soon as a program has opened its other end. Raises `OSError`, also if none does."""
    if not Path(path).is_fifo():
        return cast("BinaryIO", open(path, mode))  # noqa: PTH123 (half the time of Path.open)
    late = threading.Event()

    def connected() -> BinaryIO:
        file = cast("BinaryIO", open(path, mode))  # noqa: PTH123, SIM115
        if late.is_set():
            file.close()
        return file

    try:
        return in_time(connected, _PEER)
    except TimeoutError:
        late.set()
        with suppress(OSError):  # as the other end, which lets go of the thread
            os.close(os.open(path, os.O_NONBLOCK | (os.O_WRONLY if mode == "rb" else os.O_RDONLY)))
        raise TimeoutError(
            errno.ETIMEDOUT, f"a pipe whose other end nobody opened in {_PEER:g} seconds"
        ) from None
