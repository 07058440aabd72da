"""Files of our own: opened without waiting, and only if they are files."""

from __future__ import annotations

import errno
import io
import os
import stat
from pathlib import Path
from typing import Final

_QUICK: Final = (
    getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
)


def open_regular(path: Path) -> io.BufferedReader:
    """A file for reading. Raises `OSError`, also for a pipe, a device or a folder, without
    waiting for it."""
    try:
        file = os.open(path, os.O_RDONLY | _QUICK)
    except (
        ValueError
    ):  # letters that the system's names do not have, as in a locale without Unicode
        raise OSError(errno.ENOENT, "no file can have this name") from None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "not a regular file")
    return io.BufferedReader(io.FileIO(file))
