"""Files that an earlier run read to the end and that have not changed since: what was in them is known without reading them again."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections import deque
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from reconcile import __version__
from reconcile.adapters.archives import MATCHES, Unit
from reconcile.corpus.contents import Outcome
from reconcile.corpus.parts import remove

NAME: Final = "read.db"
SETTLED: Final = 2 * 10**9
"""Nanoseconds since the last change of a file before its time stamp is relied on: another change may have the same one."""
COMMIT: Final = 1.0
"""Seconds between two commits."""
READER: Final = json.dumps([__version__, MATCHES])
"""What is found in a file depends on the program too."""
TABLE: Final = "CREATE TABLE IF NOT EXISTS read (path BLOB PRIMARY KEY, stamp TEXT, units TEXT, run INTEGER) WITHOUT ROWID"


@dataclass(slots=True)
class _File:
    """A file that is being read, or an archive of them."""

    path: Path
    stamp: str | None
    """`None` if it is not to be stored."""
    units: list[tuple[str, str]] = field(default_factory=list)
    """Member and SHA-256 of everything found in it so far."""


class Unchanged:
    """The files of a folder of parts, as a database in that folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._waiting: deque[_File | Unit] = deque()
        """Units on their way to their outcomes, each file before its own."""
        self._file: _File | None = None
        self._committed = time.monotonic()
        self._sound = True
        try:
            self._database = self._opened()
        except (sqlite3.Error, OSError):
            remove(self._path)
            self._database = self._opened()
        last = self._rows("SELECT max(run) FROM read")
        self._run = 1 + (last[0][0] or 0 if last else 0)

    def _opened(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path)
        database.execute(TABLE)
        return database

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """What a statement finds. After a failure (damage, a full disk) nothing is known, and everything is read again."""
        if self._sound:
            try:
                return self._database.execute(statement, values).fetchall()
            except sqlite3.Error:
                self._sound = False
        return []

    def begin(self, path: Path, known: Container[str]) -> list[Unit] | None:
        """The units of a file that is not to be read because all its contents are `known`; `None` if it is to be read, now."""
        stamp = _stamp(path)
        units = None if stamp is None else self._units(path, stamp, known)
        self._waiting.append(_File(path, stamp if units is None else None))
        return units

    def _units(self, path: Path, stamp: str, known: Container[str]) -> list[Unit] | None:
        for (listed,) in self._rows("SELECT units FROM read WHERE path = ? AND stamp = ?", _key(path), stamp):
            units = [Unit(str(path), member, sha256=digest) for member, digest in json.loads(listed)]
            if all(unit.sha256 in known for unit in units):
                self._rows("UPDATE read SET run = ? WHERE path = ?", self._run, _key(path))
                return units
        return None

    def passing(self, units: Iterator[Unit]) -> Iterator[Unit]:
        """The units, remembered until their outcomes arrive."""
        for unit in units:
            self._waiting.append(unit)
            yield unit

    def arrived(self, outcome: Outcome) -> None:
        """The outcome of the first unit that has none yet."""
        while isinstance(next_one := self._waiting.popleft(), _File):
            self._store()
            self._file = next_one
        if self._file is None or outcome.sha256 is None:
            self._file = None
        else:
            self._file.units.append((next_one.member, outcome.sha256))

    def _store(self) -> None:
        """Store the file whose last outcome has arrived, unless it changed while it was read."""
        file = self._file
        if file is None or file.stamp is None or file.stamp != _stamp(file.path):
            return
        listed = json.dumps(file.units, separators=(",", ":"))
        self._rows("INSERT OR REPLACE INTO read VALUES (?, ?, ?, ?)", _key(file.path), file.stamp, listed, self._run)
        if time.monotonic() - self._committed > COMMIT:
            self._commit()
            self._committed = time.monotonic()

    def finish(self) -> None:
        """Forget the files that this run, which is at its end, has not met."""
        self._store()
        self._file = None
        self._rows("DELETE FROM read WHERE run <> ?", self._run)

    def close(self) -> None:
        """Keep what was read to its end."""
        self._commit()
        self._database.close()
        if not self._sound:
            remove(self._path)

    def _commit(self) -> None:
        try:
            self._database.commit()
        except sqlite3.Error:
            self._sound = False


def _key(path: Path) -> bytes:
    return os.fsencode(path.absolute())


def _stamp(path: Path) -> str | None:
    """Changes with every change of the file's bytes; `None` if it cannot be relied on, because the last one was just now."""
    try:
        found = path.stat()
    except OSError:
        return None
    age = time.time_ns() - max(found.st_mtime_ns, found.st_ctime_ns)
    if age <= SETTLED:
        return None
    return f"{READER} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}"
