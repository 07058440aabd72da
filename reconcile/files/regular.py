"""Files of our own keeping: opened without waiting, and only if they are files; a lock on one that ends with its process."""

from __future__ import annotations

import errno
import io
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_QUICK: Final = (
    getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
)
_MOST_LOCK: Final = 200


def open_regular(path: Path) -> io.BufferedReader:
    """A file for reading. Raises `OSError`, also for a pipe, a device or a folder, without waiting for it."""
    return io.BufferedReader(io.FileIO(_opened(path, os.O_RDONLY)))


def _opened(path: Path, flags: int) -> int:
    try:
        file = os.open(path, flags | _QUICK, 0o600)
    except (
        ValueError
    ):  # letters that the system's names do not have, as in a locale without Unicode
        raise OSError(errno.ENOENT, "no file can have this name") from None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "not a regular file")
    return file


class LockHeld(Exception):
    """Another process holds a lock; the text says which."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock, a file with our host and process in it. The lock of a process that has ended is taken over.

    Raises `LockHeld`, and `OSError` if no such file can be made.
    """
    file = _opened(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0))
    try:
        holder = os.read(file, _MOST_LOCK).decode("utf-8", "replace").strip()
        host = socket.gethostname()
        if not lock(file) or not _there(file, path):
            raise LockHeld(holder or "another process")
        if (
            holder and holder.rpartition(" on ")[2] != host
        ):  # whose locks may not reach this computer
            raise LockHeld(f"{holder}; if it has ended, delete {path}")
        with suppress(OSError):
            os.lseek(file, 0, os.SEEK_SET)
            os.truncate(file, 0)
            os.write(file, f"process {os.getpid()} on {host}".encode())
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink()
    finally:
        os.close(file)


def _there(file: int, path: Path) -> bool:
    """Whether a file is still the one of its name; whoever held the lock a moment ago removed it."""
    with suppress(OSError):
        return os.path.samestat(os.fstat(file), path.stat())
    return False


def lock(file: int) -> bool:
    """Lock an open file until it is closed; whether nobody else has."""
    try:
        import fcntl
    except ImportError:
        import msvcrt

        try:
            os.lseek(file, _MOST_LOCK, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
