"""The catalogue of an archive, one SQLite file: what was read, and which shard holds it.

`files` has every file that was read, by its content (SHA-256). `contents` says which receipt has
the rows of a content, `shards` the Parquet files of each receipt. `tables` and `archive`
describe the finished archive. Each step of a run is one transaction, so a run that was killed
goes on where it was.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from reconcile.corpus.settings import Settings
from reconcile.corpus.shards import SUFFIX, Shard, digest_of, remove
from reconcile.corpus.work import WORK, Batch, Content, receipt_at
from reconcile.formats.archives import Unit

NAME: Final = "catalogue.sqlite"
VERSION: Final = 8
SETTLED: Final = 2.0
"""Seconds from the last change of a file to the run that reads it, before its times are relied on:
another change may leave the same ones."""
TABLES: Final = """
create table if not exists archive (name text primary key, value text not null);
create table if not exists tables (name text not null, path text primary key, sha256 text not null);
create table if not exists files (
  number integer primary key, run integer not null, source text not null, member text not null,
  name text not null, stamp text, sha256 text, error text
);
create index if not exists files_by_source on files (source, run);
create table if not exists contents (
  batch text not null, sha256 text not null, matches integer not null, error text
);
create index if not exists contents_by_sha256 on contents (sha256);
create table if not exists shards (
  batch text not null, path text not null, sha256 text not null, size integer not null
);
create index if not exists shards_by_batch on shards (batch);
"""
UNCHANGED: Final = """
select member, sha256 from files
where source = :source and stamp = :stamp and run = (
  select max(run) from files where source = :source and stamp is not null and run < :run
) order by number
"""
ASKED_FOR: Final = """
select min(rowid) as row, sha256, batch, matches, error from contents
where sha256 in (select sha256 from files where run = ?) group by sha256
"""
"""Of every content of the files of a run the first row."""
UNFIT: Final = """
select c.batch, max(a.sha256 is not null)
from contents c left join asked_for a on a.row = c.rowid
group by c.batch
having not max(a.sha256 is not null) or max(a.sha256 is null and c.matches > 0)
order by c.batch
"""
"""The receipts that have rows which nothing asks for, or nothing that is asked for; whether
something of them is asked for."""
FILES_READ: Final = """
select name, f.sha256, coalesce(a.matches, 0), coalesce(f.error, a.error)
from files f left join asked_for a using (sha256) where run = ? order by number
"""


def storable(value: object) -> object:
    """A value for SQLite: a name that no encoding has is stored as the bytes that it stands for."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-8", "surrogatepass")
    return value


def restored(value: str | bytes) -> str:
    """A name as it was before it was stored."""
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")


class Catalogue:
    """The catalogue of an archive that is being made, in a folder that is this run's alone."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        """Open or make it, and bring it in line with what lies in the folder.

        What it lacks is added from the receipts; work that is damaged, or was made otherwise, is
        forgotten.
        """
        self.folder, self.settings = folder, settings
        self.database = _opened(folder / NAME)
        if settings.secret:
            self.database.execute("pragma secure_delete = on")
        self.began = time.time()
        ((latest, number),) = self.rows("select max(run), max(number) from files")
        self.run, self.number = (latest or 0) + 1, (number or 0) + 1
        self.stamps: dict[str, str | None] = {}
        """Of what is being read, as it was before."""
        self.source = self.member = ""
        """The file or archive that is being read, and its first member."""
        self.first = 0
        """The number of that."""
        with self.database:
            for table in ("contents", "shards"):
                outdated = f"delete from {table} where batch not like ?"  # noqa: S608
                self.database.execute(outdated, [f"{settings.digest}/%"])
            for path in sorted((folder / WORK / settings.digest).glob(f"*{SUFFIX}")):
                batch = f"{settings.digest}/{path.name}"
                if not self.rows("select 1 from shards where batch = ?", batch):
                    self.add(batch)
            for batch in self.batches():
                shards = self.shards(batch)
                if any(digest_of(self.place(shard.path)) != shard.sha256 for shard in shards):
                    self.drop([batch])
        self.known = frozenset(text for (text,) in self.rows("select sha256 from contents"))
        """The contents of which the rows are there."""

    def rows(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of an answer."""
        return self.database.execute(question, values).fetchall()

    def _insert(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        for row in rows:
            slots = ", ".join("?" * len(row))
            values = [storable(value) for value in row]
            self.database.execute(f"insert into {table} values ({slots})", values)  # noqa: S608

    def close(self) -> None:
        """Close it; one that holds nothing goes."""
        empty = not self.rows("select 1 from tables union all select 1 from contents limit 1")
        self.database.close()
        if empty:
            (self.folder / NAME).unlink()

    # -- receipts and shards --------------------------------------------------------------------

    def place(self, path: str) -> Path:
        """Where a shard is, which waits with the work until the archive lists it."""
        waiting = self.folder / WORK / path
        return waiting if waiting.exists() else self.folder / path

    def batches(self) -> list[str]:
        """The receipts, each by its path below the folder of work."""
        return [batch for (batch,) in self.rows("select distinct batch from shards order by batch")]

    def shards(self, batch: str) -> list[Shard]:
        """The files of a receipt, first its own."""
        shards = self.rows("select path, sha256, size from shards where batch = ?", batch)
        return [Shard(*row) for row in shards]

    def contents(self, batch: str) -> list[Content]:
        """What was read for a receipt."""
        return self.rows("select sha256, matches, error from contents where batch = ?", batch)

    def add(self, batch: str) -> None:
        """Add what a receipt says; a damaged one says nothing."""
        receipt = receipt_at(self.folder, batch)
        if receipt is not None:
            self._insert("contents", ((batch, *content) for content in receipt.contents))
            self._insert("shards", ((batch, *shard) for shard in receipt.shards))

    def drop(self, batches: Iterable[str]) -> None:
        """Forget receipts."""
        for batch in batches:
            for table in ("contents", "shards"):
                self.database.execute(f"delete from {table} where batch = ?", [batch])  # noqa: S608

    def replace(self, batches: Sequence[str], merged: str) -> None:
        """Put one receipt, or none, in the place of others."""
        with self.database:
            self.drop(batches)
            if merged:
                self.add(merged)

    def asked(self, batch: str) -> list[str]:
        """The contents of a receipt that files ask for."""
        question = "select sha256 from asked_for where batch = ?"
        return [digest for (digest,) in self.rows(question, batch)]

    def unfit(self) -> list[tuple[str, bool]]:
        """The receipts with rows that no file asks for, and whether some of them are asked for."""
        return self.rows(UNFIT)

    def files(self) -> list[tuple[Any, ...]]:
        """The files of this run in their order: name, SHA-256, number of matches and error."""
        return self.rows(FILES_READ, self.run)

    # -- files ----------------------------------------------------------------------------------

    def unchanged(self, name: str) -> list[Unit] | None:
        """The units of a file or archive that need not be opened, because it is as it was and all
        its contents are known; `None` if it is to be read, now."""
        self.stamps[name] = stamp = self._stamp(name)
        source = storable(str(Path(name).absolute()))
        asked = {"source": source, "stamp": stamp, "run": self.run}
        units = self.database.execute(UNCHANGED, asked).fetchall()
        if not units or any(digest not in self.known for _, digest in units):
            return None
        return [Unit(name, restored(member), sha256=digest) for member, digest in units]

    def arrived(self, batch: Batch) -> None:
        """Store what was read; the units of a file or archive come one after the other."""
        with self.database:
            if batch.receipt:
                self.add(batch.receipt)
            for outcome in batch.outcomes:
                # An archive that is named twice in a row begins again with its first member.
                if (outcome.path, outcome.member) == (self.source, self.member) or (
                    outcome.path != self.source
                ):
                    self.end_of_source()
                    self.source, self.member = outcome.path, outcome.member
                    self.first = self.number
                path = str(Path(outcome.path).absolute())
                row = (self.number, self.run, path, outcome.member, outcome.name, None)
                self._insert("files", [(*row, outcome.sha256, outcome.error)])
                self.number += 1

    def end_of_source(self) -> None:
        """Note that a file or archive was read to its end, unless it changed meanwhile, has what
        cannot be read, or is named twice."""
        stamp = self.stamps.pop(self.source, None)
        own = self.run, storable(str(Path(self.source).absolute()))
        ((before, unread),) = self.rows(
            "select total(number < ?), count(*) - count(sha256) from files "
            "where run = ? and source = ?",
            *(self.first, *own),
        )
        if before or unread or stamp != self._stamp(self.source):
            stamp = None
        again = "update files set stamp = ? where run = ? and source = ?"
        self.database.execute(again, [stamp, *own])
        self.source = ""

    def _stamp(self, path: str) -> str | None:
        """What changes with every change of the file's bytes; `None` for what has just changed, or
        is elsewhere. Another program may find other matches in the same file."""
        try:
            status = Path(path).stat()
        except OSError:
            return None
        if max(status.st_mtime_ns, status.st_ctime_ns) > (self.began - SETTLED) * 1e9:
            return None
        times = status.st_mtime_ns, status.st_ctime_ns
        return " ".join(map(str, (*times, status.st_size, status.st_ino, self.settings.digest)))

    def end_of_files(self) -> None:
        """Note that all files were read, and which of several rows of a content is asked for."""
        with self.database:
            self.end_of_source()
            self.database.execute("drop table if exists asked_for")
            self.database.execute(f"create temp table asked_for as {ASKED_FOR}", [self.run])

    def finish(self, archive: Iterable[tuple[str, str]], tables: Iterable[Sequence[str]]) -> None:
        """Describe the finished archive, and forget the files that this run has not met."""
        with self.database:
            for table in ("archive", "tables"):
                self.database.execute(f"delete from {table}")  # noqa: S608
            self._insert("archive", archive)
            self._insert("tables", tables)
            self.database.execute("delete from files where run < ?", [self.run])
            if self.settings.secret:
                self.database.execute(
                    "update files set source = '', member = '', name = '', stamp = null"
                )


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
            database.executescript(f"{TABLES} pragma user_version = {VERSION};")
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
        return dict(database.execute("select name, value from archive").fetchall()), tables
