"""Files and archives that an earlier run read to the end and that have not changed since: their contents are known unopened."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from reconcile.corpus.contents import Known, Outcome
from reconcile.corpus.parts import remove
from reconcile.formats.archives import Unit
from reconcile.formats.interface import MATCHES
from reconcile.version import __version__

NAME: Final = "read.db"
SETTLED: Final = 2 * 10**9
"""Nanoseconds since the last change of a file before its times are relied on: another change may have the same ones."""
COMMIT: Final = 1.0
"""Seconds between two commits."""
READER: Final = json.dumps([__version__, MATCHES])
"""What is found in a file depends on the program too."""
TABLE: Final = "CREATE TABLE IF NOT EXISTS read (path BLOB PRIMARY KEY, stamp TEXT, units TEXT, sha256 TEXT, run INTEGER) WITHOUT ROWID"


@dataclass(slots=True)
class _Archive:
    """A file or archive that is being read."""

    path: Path
    stamp: str | None
    """`None` if it is not to be stored."""
    units: list[tuple[str, str]] = field(default_factory=list)
    """Member and SHA-256 of everything found in it so far."""


class Unchanged:
    """The files and archives that the parts of a folder come from, as a database in that folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._waiting: deque[_Archive | Unit] = deque()
        """Units on their way to their outcomes, each archive before its own."""
        self._archive: _Archive | None = None
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
        try:
            database.execute(TABLE)
        except sqlite3.Error:
            database.close()
            raise
        return database

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """What a statement finds. After a failure (damage, a full disk) nothing is known, and everything is read again."""
        if self._sound:
            try:
                return self._database.execute(statement, values).fetchall()
            except sqlite3.Error:
                self._sound = False
        return []

    def begin(self, name: str, known: Known) -> list[Unit] | None:
        """The units of a file or archive that need not be opened because all its contents are `known`; `None` if it is to be read, now."""
        path = Path(name)
        stamp = _stamp(path)
        units = None if stamp is None else self._units(name, path, stamp, known)
        self._waiting.append(_Archive(path, stamp if units is None else None))
        return units

    def _units(self, name: str, path: Path, stamp: str, known: Known) -> list[Unit] | None:
        for digest, listed in self._rows("SELECT sha256, units FROM read WHERE path = ? AND stamp = ?", _key(path), stamp):
            if digest != _digest(listed):
                continue
            units = [Unit(name, member, sha256=sha256) for member, sha256 in json.loads(listed)]
            if known.holds_all([unit.sha256 for unit in units]):
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
        while isinstance(unit := self._waiting.popleft(), _Archive):
            self._store()
            self._archive = unit
        if self._archive is not None and unit.path != str(self._archive.path):
            self._store()
            self._archive = None
        if self._archive is not None and outcome.sha256 is not None:
            self._archive.units.append((unit.member, outcome.sha256))
        else:
            self._archive = None

    def _store(self) -> None:
        """Store the archive whose last outcome has arrived, unless it changed while it was read."""
        one = self._archive
        if one is None or one.stamp is None or one.stamp != _stamp(one.path):
            return
        listed = json.dumps(one.units, separators=(",", ":"))
        self._rows("INSERT OR REPLACE INTO read VALUES (?, ?, ?, ?, ?)", _key(one.path), one.stamp, listed, _digest(listed), self._run)
        if time.monotonic() - self._committed > COMMIT:
            self._commit()
            self._committed = time.monotonic()

    def finish(self) -> None:
        """Forget the archives that this run, which is at its end, has not met."""
        self._store()
        self._archive = None
        self._rows("DELETE FROM read WHERE run <> ?", self._run)

    def close(self) -> None:
        """Keep what was read to the end."""
        self._commit()
        used = self._rows("SELECT 1 FROM read LIMIT 1")
        self._database.close()
        if not used:
            remove(self._path)

    def _commit(self) -> None:
        try:
            self._database.commit()
        except sqlite3.Error:
            self._sound = False


def _digest(listed: object) -> str:
    return sha256(str(listed).encode()).hexdigest()


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
