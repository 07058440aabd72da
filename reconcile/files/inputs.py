"""The files that a run of a command reads: none of them is ever replaced by what the run writes.

Whoever opens or lists a file that the user named, or that such a file names, notes it here;
`files/output.py` asks before it writes. Files are compared as the system knows them, so a link,
a hard link or another spelling of a name is the same file. What was noted is forgotten when the
run ends; without a run, as in a library, nothing is noted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from reconcile.errors import UnreadableFile, reason_of
from reconcile.files.patience import opened

STANDARD_INPUT: Final = "-"

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
    return next(
        (
            name
            for path, endings in _noted.items()
            for name, number in _files(path, endings)
            if number == wanted
        ),
        None,
    )


def identity(path: str | Path) -> Identity | None:
    """What names a regular file whatever it is called; `None` for anything else."""
    import stat

    with suppress(
        OSError, ValueError, AttributeError
    ):  # no such file, a null character in its name, a standard input that is no file
        # `os.stat` takes half the time of `Path.stat`.
        place = sys.stdin.fileno() if str(path) == STANDARD_INPUT else path
        status = os.stat(place)  # noqa: PTH116
        if stat.S_ISREG(status.st_mode):
            return status.st_dev, status.st_ino
    return None


def _files(path: str, endings: tuple[str, ...]) -> Iterator[tuple[str, Identity | None]]:
    if not endings:
        yield path, identity(path)
        return
    for folder, _, names in os.walk(path):
        yield from (
            (name, identity(name))
            for name in (
                os.path.join(folder, file)  # noqa: PTH118
                for file in names
                if file.lower().endswith(endings)
            )
        )
