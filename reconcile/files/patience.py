"""Opening the other end of a pipe that the user named, and giving up."""

from __future__ import annotations

import errno
import os
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import BinaryIO, Final, cast

_PEER: Final = 60.0
"""Seconds until somebody opens the other end."""


def opened(path: str | Path, mode: str = "rb") -> BinaryIO:
    """A file; a pipe as soon as a program has opened its other end. Raises `OSError`, also if
    none does."""
    if not Path(path).is_fifo():
        return cast("BinaryIO", open(path, mode))  # noqa: PTH123 (half the time of Path.open)
    connected: Future[BinaryIO] = Future()

    def connect() -> None:
        try:
            file = cast("BinaryIO", open(path, mode))  # noqa: PTH123, SIM115
        except OSError as error:
            connected.set_exception(error)
            return
        if connected.cancelled():
            file.close()
        else:
            connected.set_result(file)

    Thread(target=connect, daemon=True).start()
    try:
        return connected.result(_PEER)
    except TimeoutError:
        connected.cancel()
        with suppress(OSError):  # as the other end, which lets go of the thread
            os.close(os.open(path, os.O_NONBLOCK | (os.O_WRONLY if mode == "rb" else os.O_RDONLY)))
        raise TimeoutError(
            errno.ETIMEDOUT, f"a pipe whose other end nobody opened in {_PEER:g} seconds"
        ) from None
