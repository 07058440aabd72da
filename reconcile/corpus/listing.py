"""The list of files that an archive was made of: where each was read, its stamp, its content (by
SHA-256) and why it could not be read.

It is an SQLite file in the folder of unfinished work. A run writes a new one, which takes the
place of the old one when the archive is finished.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from reconcile.corpus.settings import WORK, Settings
from reconcile.corpus.shards import UNFINISHED, put
from reconcile.formats.archives import Unit

NAME: Final = "files.sqlite"
SETTLED: Final = 2.0
"""Seconds from the last change of a file to the run that reads it, before its times are relied on:
another change may leave the same ones."""
AT_ONCE: Final = 1 << 14
"""Rows that are in memory at once."""
SCHEMA: Final = """
create table files (
  number integer primary key, source text not null, member text not null, name text not null,
  sha256 text, error text, stamp text
)
"""
"""`source` and `member` are JSON, which has a form for names that no encoding has."""
UNCHANGED: Final = "select member, sha256 from files where source = ? and stamp = ? order by number"
FINISHED: Final = """
create index files_by_source on files (source);
update files set stamp = null where source in (
  select source from files group by source
  having min(count(sha256), count(distinct member)) < count(*)
)
"""
"""Files and archives that were not read to the end, or of which something has one name twice, are
opened again."""


class Outcome(NamedTuple):
    """What became of a file."""

    sha256: str | None
    """`None` if its bytes could not be read."""
    error: str | None
    """Why they could not."""


class Listing:
    """The list of the last finished run, and that of the run that makes an archive."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.path, self.settings = folder / WORK / NAME, settings
        self.fresh = self.path.with_name(NAME + UNFINISHED)
        self.began = time.time()
        self.stamps: dict[str, str | None] = {}
        """Of every file or archive that was opened, as it was before."""
        self.before = _opened(self.path)
        self.fresh.unlink(missing_ok=True)
        self.now = sqlite3.connect(self.fresh)
        self.now.execute("pragma journal_mode = off")  # it counts only when it is finished
        self.now.execute(SCHEMA)

    def close(self) -> None:
        """Close both, and forget a list that is not finished."""
        self.before.close()
        self.now.close()
        self.fresh.unlink(missing_ok=True)

    def unchanged(self, name: str, stored: Container[str]) -> list[Unit] | None:
        """The units of a file or archive that need not be opened, because it is as it was and all
        its contents are stored; `None` if it is to be read, now."""
        self.stamps[name] = stamp = self._stamp(name)
        units = self.before.execute(UNCHANGED, (_source(name), stamp)).fetchall()
        if not units or any(digest not in stored for _, digest in units):
            return None
        return [Unit(name, json.loads(member), sha256=digest) for member, digest in units]

    def _stamp(self, path: str) -> str | None:
        """What changes with every change of the file's bytes; `None` for what has just changed, or
        is elsewhere. Another program may find other matches in the same file."""
        try:
            status = Path(path).stat()
        except OSError:
            return None
        times = status.st_mtime_ns, status.st_ctime_ns
        if max(times) > (self.began - SETTLED) * 1e9:
            return None
        return " ".join(map(str, (*times, status.st_size, status.st_ino, self.settings.digest)))

    def add(self, units: Iterable[Unit], outcomes: Iterable[Outcome]) -> None:
        """List what was read, in the order of the files."""
        with self.now:
            for unit, outcome in zip(units, outcomes, strict=True):
                place = _source(unit.path), json.dumps(unit.member), unit.name
                row = None, *place, *outcome, self.stamps.get(unit.path)
                self.now.execute("insert into files values (?, ?, ?, ?, ?, ?, ?)", row)

    def rows(self) -> Iterator[list[tuple[Any, ...]]]:
        """Name, SHA-256 and error of the files, some at a time."""
        cursor = self.now.execute("select name, sha256, error from files order by number")
        while rows := cursor.fetchmany(AT_ONCE):
            yield rows

    def finish(self) -> None:
        """Put the list of this run in the place of the last one. Where names are hidden there is
        none."""
        self.now.executescript(FINISHED)
        self.now.close()
        self.before.close()
        if self.settings.secret:
            self.path.unlink(missing_ok=True)
        else:
            put(self.fresh, self.path)


def _source(path: str) -> str:
    return json.dumps(str(Path(path).absolute()))


def _opened(path: Path) -> sqlite3.Connection:
    """The list of the last run; an empty one if it is not there or damaged."""
    if path.is_file() and not path.is_symlink():
        database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            ((sound,), *_) = database.execute("pragma quick_check").fetchall()
            database.execute(UNCHANGED, ("", ""))
            if sound == "ok":
                return database
        except sqlite3.DatabaseError:
            pass
        database.close()
    empty = sqlite3.connect(":memory:")
    empty.execute(SCHEMA)
    return empty
