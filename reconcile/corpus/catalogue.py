"""The catalogue of an archive, one SQLite file: what was read, and which shard holds it.

`files` has every file that was read, by its content (SHA-256). `contents` says which receipt has
the rows of a content, `shards` the Parquet files of each receipt. `tables` and `archive`
describe the finished archive. Each step of a run is one transaction, so a run that was killed
goes on where it was.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from reconcile.corpus.settings import WORK, Settings
from reconcile.corpus.shards import digest_of, place_of, remove
from reconcile.corpus.work import Content, Outcome, receipts
from reconcile.formats.archives import Unit
from reconcile.version import __version__

NAME: Final = "catalogue.sqlite"
VERSION: Final = 10
SETTLED: Final = 2.0
"""Seconds from the last change of a file to the run that reads it, before its times are relied on:
another change may leave the same ones."""
SCHEMA: Final = """
create table if not exists archive (name text primary key, value text not null);
create table if not exists tables (name text not null, path text primary key, sha256 text not null);
create table if not exists files (
  number integer primary key, finished integer not null, source text not null, member text not null,
  name text not null, sha256 text, error text, stamp text
);
create index if not exists files_by_source on files (source, finished);
create table if not exists contents (
  batch text not null, sha256 text not null, matches integer not null, error text
);
create index if not exists contents_by_sha256 on contents (sha256);
create table if not exists shards (
  batch text not null, path text not null, sha256 text not null, size integer not null
);
create index if not exists shards_by_batch on shards (batch);
"""
"""`source` and `member` are JSON, which has a form for names that no encoding has; `batch` is the
path of a receipt. Of `files` a run that is not finished has rows beside those of the archive."""
UNCHANGED: Final = """
select member, sha256 from files where finished and source = ? and stamp = ? order by number
"""
OPENED_AGAIN: Final = """
update files set stamp = null where source in (
  select source from files where not finished group by source
  having min(count(sha256), count(distinct member)) < count(*)
)
"""
"""Files and archives that were not read to the end, or of which something has one name twice."""
ASKED_FOR: Final = """
create temp table asked_for as
select min(rowid) as row, sha256, batch, matches, error from contents
where sha256 in (select sha256 from files where not finished) group by sha256
"""
"""Of every content of the files of a run the first row."""
RECEIPTS: Final = """
select batch, sum(iif(path like 'decisions/%', size, 0)), batch in (
  select c.batch from contents c left join asked_for a on a.row = c.rowid group by c.batch
  having not max(a.sha256 is not null) or max(a.sha256 is null and c.matches > 0))
from shards group by batch order by batch
"""
"""The receipts with the size of their largest shard, and whether they have rows which nothing asks
for, or nothing that is asked for."""
FILES_READ: Final = """
select name, f.sha256, coalesce(a.matches, 0), coalesce(f.error, a.error)
from files f left join asked_for a using (sha256) where not finished order by number
"""


class Catalogue:
    """The catalogue of an archive that is being made, in a folder that is this run's alone."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        """Open or make it, and list the work that is there."""
        self.folder, self.settings = folder, settings
        self.database = _opened(folder / NAME)
        if settings.secret:
            self.database.execute("pragma secure_delete = on")
        self.began = time.time()
        self.stamps: dict[str, str | None] = {}
        """Of every file or archive that was opened, as it was before."""
        with self.database:
            self.database.execute("delete from files where not finished")
            self.database.execute("delete from contents")
            self.database.execute("delete from shards")
            self._list_work()
        self.stored = frozenset(text for (text,) in self.rows("select sha256 from contents"))
        """The contents of which the rows are there."""

    def rows(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of an answer."""
        return self.database.execute(question, values).fetchall()

    def _insert(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        for row in rows:
            slots = ", ".join("?" * len(row))
            self.database.execute(f"insert into {table} values ({slots})", row)  # noqa: S608

    def close(self) -> None:
        """Close it; one that holds nothing goes."""
        empty = not self.rows("select 1 from tables limit 1")
        self.database.close()
        if empty:
            (self.folder / NAME).unlink()

    # -- receipts and shards --------------------------------------------------------------------

    def _list_work(self) -> None:
        """List every receipt that is not listed, with its contents and shards; one of which
        anything is damaged is removed."""
        listed = {*self.receipts()}
        for path, receipt in receipts(self.folder, self.settings):
            if path in listed:
                continue
            if receipt is None or any(
                digest_of(place_of(self.folder, shard.path)) != shard.sha256
                for shard in receipt.shards
            ):
                remove(self.folder / WORK / path)
                continue
            self._insert("contents", ((path, *content) for content in receipt.contents))
            self._insert("shards", ((path, *shard) for shard in receipt.shards))

    def receipts(self) -> list[str]:
        """The receipts, each by its path below the folder of work."""
        rows = self.rows("select distinct batch from shards order by batch")
        return [receipt for (receipt,) in rows]

    def shards(self, receipt: str) -> list[str]:
        """The paths of the files of a receipt."""
        return [path for (path,) in self.rows("select path from shards where batch = ?", receipt)]

    def asked(self, receipt: str) -> list[Content]:
        """The contents of a receipt that files ask for."""
        question = "select sha256, matches, error from asked_for where batch = ? order by row"
        return self.rows(question, receipt)

    def remove(self, old: Iterable[str]) -> None:
        """Remove receipts in whose place there is another, or nothing, and list that."""
        with self.database:
            for receipt in old:
                (self.folder / WORK / receipt).unlink()
                for table in ("contents", "shards"):
                    forgetting = f"delete from {table} where batch = ?"  # noqa: S608
                    self.database.execute(forgetting, [receipt])
            self._list_work()

    # -- files ----------------------------------------------------------------------------------

    def unchanged(self, name: str) -> list[Unit] | None:
        """The units of a file or archive that need not be opened, because it is as it was and all
        its contents are stored; `None` if it is to be read, now."""
        self.stamps[name] = stamp = self._stamp(name)
        units = self.rows(UNCHANGED, _source(name), stamp)
        if not units or any(digest not in self.stored for _, digest in units):
            return None
        return [Unit(name, json.loads(member), sha256=digest) for member, digest in units]

    def arrived(self, units: Iterable[Unit], outcomes: Iterable[Outcome]) -> None:
        """Store what was read."""
        with self.database:
            for unit, outcome in zip(units, outcomes, strict=True):
                place = _source(unit.path), json.dumps(unit.member), unit.name
                row = None, False, *place, *outcome, self.stamps.get(unit.path)
                self._insert("files", [row])

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

    def end_of_files(self) -> list[tuple[Any, ...]]:
        """List the work that was done, and which of several rows of a content is asked for; the
        files in their order: name, SHA-256, number of matches and error."""
        with self.database:
            self._list_work()
            self.database.execute(OPENED_AGAIN)
            self.database.execute(ASKED_FOR)
        return self.rows(FILES_READ)

    def finish(self, stated: Mapping[str, object], tables: Mapping[str, Mapping[str, str]]) -> None:
        """Describe the finished archive, and forget the files that this run has not met."""
        described = {"version": __version__, **stated}
        listed = ((name, *file) for name, files in tables.items() for file in files.items())
        with self.database:
            self.database.execute("delete from archive")
            self.database.execute("delete from tables")
            self._insert("archive", ((name, str(text)) for name, text in described.items()))
            self._insert("tables", listed)
            self.database.execute("delete from files where finished")
            self.database.execute("update files set finished = true")
            if self.settings.secret:
                self.database.execute(
                    "update files set source = '', member = '', name = '', stamp = null"
                )


def _source(path: str) -> str:
    return json.dumps(str(Path(path).absolute()))


def _opened(path: Path) -> sqlite3.Connection:
    """The database at a path; one that is damaged, or of another version, is made anew."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        remove(path)
    is_new = not path.exists()
    database = sqlite3.connect(path)
    try:
        ((sound,), *_) = database.execute("pragma quick_check").fetchall()
        ((version,),) = database.execute("pragma user_version").fetchall()
        if sound == "ok" and version in (0, VERSION):
            database.executescript(f"{SCHEMA} pragma user_version = {VERSION};")
            return database
    except sqlite3.OperationalError:
        database.close()
        if is_new:
            path.unlink(missing_ok=True)
        raise
    except sqlite3.DatabaseError:
        pass
    database.close()
    remove(path)
    return _opened(path)


def listing(path: Path) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """What a catalogue says of its archive, and by table the files with their SHA-256.

    Nothing of an archive that is not finished. Raises `sqlite3.Error`, `ValueError`.
    """
    # Not only for reading: what a killed run left half written is taken back first.
    address = f"{path.absolute().as_uri()}?mode=rw"
    with closing(sqlite3.connect(address, uri=True)) as database:
        database.execute("pragma trusted_schema = off")
        ((version,),) = database.execute("pragma user_version").fetchall()
        kinds = database.execute("select distinct type from sqlite_master where sql is not null")
        if version != VERSION or {kind for (kind,) in kinds} - {"table", "index"}:
            raise ValueError(f"expected a catalogue of version {VERSION}")
        tables: dict[str, dict[str, str]] = {}
        for name, file, digest in database.execute("select name, path, sha256 from tables"):
            tables.setdefault(str(name), {})[str(file)] = str(digest)
        named = "select name, value from archive where name <> 'version'"
        return dict(database.execute(named).fetchall()), tables
