"""The files that a run of a command reads: opened with patience for pipes, and none of them ever
replaced by what the run writes.

Whoever opens or lists a file that the user named, or that such a file names, notes it here;
`files/output.py` asks before it writes. Files are compared as the system knows them, so a link,
a hard link or another spelling of a name is the same file. What was noted is forgotten when the
run ends; without a run, as in a library, nothing is noted.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Timer
from typing import BinaryIO, Final, cast

from reconcile.errors import UnreadableFile, reason_of

STANDARD_INPUT: Final = "-"
PEER: Final = 60.0
"""Seconds until somebody opens the other end of a pipe."""
_QUICK: Final = sum(getattr(os, f"O_{name}", 0) for name in ("NONBLOCK", "BINARY", "CLOEXEC"))
Identity = tuple[int, int]
"""Device and number of a file."""

_noted: dict[str, tuple[str, ...]] | None = None
"""Paths; for a folder the endings of the files in it that are read."""


@contextmanager
def reading() -> Iterator[None]:
    """A run of a command: what is noted in the block is forgotten at its end."""
    global _noted
    before, _noted = _noted, {}
    try:
        yield
    finally:
        _noted = before


def note(path: str | Path, endings: tuple[str, ...] = ()) -> None:
    """Note a file that is read, or `-`; of a folder, the files below it whose names end with one
    of `endings` in any case."""
    if _noted is not None:
        _noted[str(path)] = endings


def noted() -> dict[str, tuple[str, ...]]:
    """What was noted in this run so far, to be noted where its results are used."""
    return dict(_noted or {})


def forget(path: str | Path) -> None:
    """Take back what was noted of a file: it was read to be changed."""
    if _noted is not None:
        _noted.pop(str(path), None)


def read_at(target: str | Path) -> str | None:
    """The name under which a file is read in this run; `None` for one that is not read, or is no
    regular file."""
    if not _noted or (wanted := identity(target)) is None:
        return None
    names = (name for path, endings in _noted.items() for name in _files(path, endings))
    return next((name for name in names if identity(name) == wanted), None)


def _files(path: str, endings: tuple[str, ...]) -> Iterator[str]:
    if not endings:
        yield path
        return
    for folder, _, names in os.walk(path):
        yield from (f"{folder}{os.sep}{name}" for name in names if name.lower().endswith(endings))


def identity(path: str | Path) -> Identity | None:
    """What names a regular file whatever it is called; `None` for anything else."""
    # No such file, a null character in its name, a standard input that is no file.
    with suppress(OSError, ValueError, AttributeError):
        # `os.stat` takes half the time of `Path.stat`.
        place = sys.stdin.fileno() if str(path) == STANDARD_INPUT else path
        status = os.stat(place)  # noqa: PTH116
        if stat.S_ISREG(status.st_mode):
            return status.st_dev, status.st_ino
    return None


def first_bytes(path: str | Path, most: int) -> bytes:
    """The first bytes of a file that is read, or of `-`, at most so many.

    Raises `UnreadableFile`.
    """
    note(path)
    if str(path) == STANDARD_INPUT:
        return sys.stdin.buffer.read(most)
    try:
        with opened(path) as file:
            return file.read(most)
    except (OSError, ValueError) as error:  # a name with a zero byte
        raise UnreadableFile(f"cannot be read: {reason_of(error)}; check the path", path) from None


def opened(path: str | Path, mode: str = "rb") -> BinaryIO:
    """A file; a pipe as soon as a program has opened its other end. Raises `OSError`, also if
    none does."""
    late = Event()

    def give_up() -> None:
        late.set()
        side = os.O_WRONLY if mode == "rb" else os.O_RDONLY
        with suppress(OSError):  # as the other end, which lets go of who waits for it
            os.close(os.open(path, os.O_NONBLOCK | side))

    timer = Timer(PEER, give_up)
    timer.daemon = True
    if is_pipe := Path(path).is_fifo():
        timer.start()
    try:
        # Half the time of Path.open.
        file = cast("BinaryIO", open(path, mode))  # noqa: PTH123, SIM115
    finally:
        timer.cancel()
    if is_pipe and late.is_set():
        file.close()
        text = f"a pipe whose other end nobody opened in {PEER:g} seconds"
        raise TimeoutError(errno.ETIMEDOUT, text)
    return file


def open_regular(path: Path) -> io.BufferedReader:
    """A file of our own for reading. Raises `OSError`, also for a pipe, a device or a folder,
    without waiting for it."""
    try:
        file = os.open(path, os.O_RDONLY | _QUICK)
    except ValueError:  # letters that the system's names do not have
        raise OSError(errno.ENOENT, "no file can have this name") from None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "not a regular file")
    return io.BufferedReader(io.FileIO(file))
