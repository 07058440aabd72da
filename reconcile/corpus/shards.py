"""Shards: the rows of some matches in a table, as Parquet files that are never changed.

The manifest of an archive lists its shards. Every file states what made it and what its columns
mean, under keys that begin with `reconcile.`.

The list of files that an archive was made of: where each was read, its stamp, its content (by
SHA-256) and why it could not be read.

It is an SQLite file in the folder of unfinished work. A run writes a new one, which takes the
place of the old one when the archive is finished.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import time
from collections.abc import Container, Iterable, Iterator, Sequence
from hashlib import file_digest
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from reconcile.corpus.tables import WORK, Settings, described
from reconcile.files.inputs import open_regular
from reconcile.formats.archives import Unit
from reconcile.version import __version__

if TYPE_CHECKING:
    import duckdb


UNITS = (
    "equities and errors: EMG, in the decider's view; losses of match winning chance: "
    "percentage points; PR: 500 errors a decision; chances: 0 to 1"
)
SUFFIX = ".parquet"
UNFINISHED = ".unfinished"
DIGITS = 32
"""Of a SHA-256 in the name of a file."""
SHARD = re.compile(rf"[0-9a-f]{{{DIGITS}}}{re.escape(SUFFIX)}")
ROW_GROUP = 1 << 16
"""Most rows that are in memory at once, of whoever writes or reads a file."""
LARGE = 1 << 22
"""Bytes of small pieces that are written together."""
PAGE = 1 << 18
"""Bytes of a column that whoever reads a file has in memory at once, of each column."""


def write_shard(
    path: Path,
    name: str,
    schema: pa.Schema,
    pieces: Iterable[pa.Table],
    settings: Settings,
    **more: str,
) -> str:
    """Write rows of a table to a file, which says what it is; its SHA-256. Raises `OSError`.

    Small pieces share a row group, since engines read large ones at full speed.
    """
    # A dictionary of numbers costs time and saves nothing; what describes 100 columns is soon
    # larger than the rows of a few matches.
    texts = [field.name for field in schema if pa.types.is_string(field.type)]
    brief = {"use_dictionary": texts, "store_schema": False, "write_statistics": False}
    brief |= {"compression": "zstd", "data_page_size": PAGE}
    stated = {
        "table": name,
        "version": __version__,
        "rules": ",".join(settings.rules),
        "units": UNITS,
        "columns": json.dumps(described(schema), ensure_ascii=False),
        "licence": settings.licence,
        **more,
    }
    with pq.ParquetWriter(path, schema, **brief) as file:
        file.add_key_value_metadata(
            {f"reconcile.{key}": text for key, text in stated.items() if text}
        )
        for rows in _in_groups(pieces):
            columns = rows.select(schema.names).columns
            file.write_table(pa.table(columns, schema=schema), row_group_size=ROW_GROUP)
    with path.open("rb+") as written:
        os.fsync(written.fileno())
        return file_digest(written, "sha256").hexdigest()


def _in_groups(pieces: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The pieces, joined until they are large enough for a row group."""
    waiting: list[pa.Table] = []
    for piece in pieces:
        waiting.append(piece)
        if sum(each.nbytes for each in waiting) >= LARGE:
            yield pa.concat_tables(waiting)
            waiting.clear()
    if waiting:
        yield pa.concat_tables(waiting)


def literal(path: str) -> str:
    """A path as a pattern of DuckDB that matches nothing else."""
    return re.sub(r"[\[*?]", r"[\g<0>]", path)


def view_of(database: duckdb.DuckDBPyConnection, name: str, paths: Sequence[Path]) -> None:
    """Create a view of the rows of these files, in their order."""
    rows = database.read_parquet([literal(str(path)) for path in paths], hive_partitioning=False)
    rows.create_view(name)


def digest_of(path: Path) -> str:
    """The SHA-256 of a file; empty for what cannot be read, or is no regular file."""
    try:
        with open_regular(path) as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def put(path: Path, target: Path) -> None:
    """Put a file in a place that is ours, whatever is there."""
    if target.is_dir():
        remove(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    path.replace(target)


def remove(path: Path) -> None:
    """Remove what is in the place of a file of ours, whatever it is."""
    if path.is_dir() and not path.is_symlink():
        rmtree(path)
    else:
        path.unlink(missing_ok=True)


NAME = "files.sqlite"
SETTLED = 2.0
"""Seconds from the last change of a file to the run that reads it, before its times are relied on:
another change may leave the same ones."""
AT_ONCE = 1 << 14
"""Rows that are in memory at once."""
SCHEMA = """
create table files (
  number integer primary key, source text not null, member text not null, name text not null,
  sha256 text, error text, stamp text
)
"""
"""`source` and `member` are JSON, which has a form for names that no encoding has."""
UNCHANGED = "select member, sha256 from files where source = ? and stamp = ? order by number"
FINISHED = """
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

    @property
    def size(self) -> int:
        """Number of files that were read."""
        ((number,),) = self.now.execute("select count(*) from files").fetchall()
        return int(number)

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
