"""The files that a run of a command reads: opened with patience for pipes, and known under every
name.

Files are compared as the system knows them, so a link, a hard link or another spelling of a name
is the same file.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import Event, Timer
from typing import BinaryIO, cast

from reconcile.errors import UnreadableFile, reason_of

STANDARD_INPUT = "-"
LARGEST_FILE = 128 * 2**20
"""Bytes; far more than any match has."""
PEER = 60.0
"""Seconds until somebody opens the other end of a pipe."""
_QUICK = sum(getattr(os, f"O_{name}", 0) for name in ("NONBLOCK", "BINARY", "CLOEXEC"))
Identity = tuple[int, int]
"""Device and number of a file."""


def read_at(target: str | Path, inputs: Iterable[str]) -> str | None:
    """Under which of the names a file is read; `None` for one that is not read, or is no regular
    file."""
    if (wanted := identity(target)) is None:
        return None
    return next((name for name in inputs if identity(name) == wanted), None)


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


def read_bytes(path: str) -> bytes:
    """The bytes of a file. Raises `UnreadableFile` if it is missing, not a file, or far larger than
    any match."""
    return no_larger(first_bytes(path, LARGEST_FILE + 1), path)


def first_bytes(path: str | Path, most: int) -> bytes:
    """The first bytes of a file that is read, or of `-`, at most so many.

    Raises `UnreadableFile`.
    """
    if not path:
        raise UnreadableFile("expected the name of a file, found an empty one; check the command")
    try:
        if str(path) == STANDARD_INPUT:
            return sys.stdin.buffer.read(most)
        with opened(path) as file:
            return read_at_most(file, os.fstat(file.fileno()).st_size, most)
    except OSError as error:
        raise UnreadableFile(_unreadable(str(path), error), path) from None
    except ValueError:
        raise UnreadableFile(
            f"{str(path)!r}: expected the name of a file, found a null character in it; check the "
            "path"
        ) from None


def head_of(path: str, most: int) -> bytes:
    """The first bytes of a regular file; none of standard input, of what can be read only once, and
    of what cannot be read, which whoever reads it all reports."""
    try:
        if path == STANDARD_INPUT or not os.path.isfile(path):  # noqa: PTH113 (as below)
            return b""
        with Path(path).open("rb") as file:
            return file.read(most)
    except OSError:
        return b""


def read_at_most(file: BinaryIO, size: int, most: int) -> bytes:
    """The first `most` bytes of a file that should have `size`, whatever it has.

    `read` makes room for what it is asked for, which takes longer than reading a match: so it is
    asked for the size, and again if there is more.
    """
    content = file.read(min(size + 1, most))
    return content + file.read(most - len(content)) if len(content) > size else content


def _unreadable(path: str, error: OSError) -> str:
    """Why a file cannot be read, and what to do about it."""
    if path.startswith(("https://", "http://")):
        return (
            "expected a file, found an address; download it in a browser or with `curl -LO`, and "
            "name the file"
        )
    reason = f"cannot be read: {reason_of(error)}"
    if os.path.isdir(path):  # noqa: PTH112 (a Path raises for a name that is too long)
        files = f"{path.rstrip('/')}/*.xg"
        return (
            f"{reason}; name a file in it, or all of them as {files}; `reconcile stats` and "
            "`reconcile corpus` take a folder"
        )
    return f"{reason}; check the path"


def no_larger(content: bytes, path: str) -> bytes:
    """The content, if it is no larger than any match. Raises `UnreadableFile`."""
    if len(content) > LARGEST_FILE:
        raise UnreadableFile(
            f"expected a match, found more than {LARGEST_FILE >> 20} MB; is it the right file?",
            path,
        )
    return content


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
