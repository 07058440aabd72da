"""What a task does: it reads and scores a batch of files, and stores their rows.

A batch is a folder of unfinished work with a Parquet file for each table: the rows, and `files`,
what was in which file by its content. It is named by its content and gets that name when all of it
is written. So whoever finds a batch, this run or a later one, finds the work done.

Such files are never changed; the manifest of an archive lists those with the rows of its matches,
its shards. Each states what made it and what its columns mean, under keys that begin with
`reconcile.`.
"""

from __future__ import annotations

import hmac
import json
import os
import re
import sqlite3
import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from hashlib import file_digest, sha256
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from reconcile.corpus.rows import ReadMatch, identity, number_of_analysis, rows_of
from reconcile.corpus.tables import SHARDED, WORK, Settings, described, program, scored_schemas
from reconcile.errors import ReconcileError, UnreadableFile, reason_of
from reconcile.files.inputs import open_regular
from reconcile.formats.archives import Unit
from reconcile.match.match import Match
from reconcile.match.names import fold
from reconcile.scoring.score import settled
from reconcile.version import __version__

if TYPE_CHECKING:
    import duckdb

MOST_WAITING = 4 << 20
"""Bytes of files whose matches are scored together: enough that a row costs little, few enough that
they fit into memory."""
SIZE_WITHOUT_FILE = 1 << 15
"""Bytes that count for a match that does not keep those of its file."""
DIED = "the process that read it died (out of memory?)"
CONTENTS = pa.schema(
    [
        pa.field(name, kind, metadata={"description": text})
        for name, kind, text in (
            ("sha256", pa.string(), "SHA-256 of a file."),
            ("matches", pa.int32(), "Number of matches in it."),
            ("error", pa.string(), "Why it was rejected; null if it was not."),
        )
    ]
)
"""The table `files` of a batch."""


class BatchResult(NamedTuple):
    """What a worker returns of some units; the rows are stored."""

    outcomes: tuple[Outcome, ...]
    maker: str
    """Version and digest of the program that made it."""


class Batch(NamedTuple):
    """The rows of some files, which are stored."""

    folder: Path
    """Where they wait until the archive lists them; what is of the archive as a whole stays."""
    shards: Mapping[str, str]
    """By table the SHA-256 of its file."""

    @property
    def contents(self) -> pa.Table:
        """What it has of every file; not held, since there may be many."""
        return pq.ParquetFile(self.place("files")).read()

    def place(self, table: str) -> Path:
        """Where the rows of a table are."""
        waiting = self.folder / f"{table}{SUFFIX}"
        return waiting if waiting.exists() or table not in SHARDED else self.listed(table)

    def listed(self, table: str) -> Path:
        """Where they are when the archive lists them."""
        return self.folder.parents[2] / table / f"{self.folder.name}{SUFFIX}"

    @property
    def is_sound(self) -> bool:
        """Whether every file of it is as it was made."""
        return all(digest_of(self.place(name)) == digest for name, digest in self.shards.items())

    def with_only(self, digests: pa.Array, settings: Settings) -> Batch | None:
        """The rows of these contents in a batch of their own, in place of this one; `None` if it
        has none of them."""
        contents = self.contents
        asked = contents.filter(pc.is_in(contents.column("sha256"), value_set=digests))
        tables = {name: pq.ParquetFile(self.place(name)).read() for name in self.shards}
        matches = tables["matches"]
        kept = matches.filter(pc.is_in(matches.column("sha256"), value_set=digests)).column("match")
        batch = None
        if len(asked):
            rows = {
                name: table.filter(pc.is_in(table.column("match"), value_set=kept))
                for name, table in tables.items()
            }
            batch = store(self.folder.parents[2], settings, asked, rows)
        remove(self.folder)
        return batch


def batches(folder: Path, settings: Settings) -> Iterator[Batch]:
    """The batches of an archive in the order of their names; what is damaged is left out."""
    for place in sorted((folder / WORK / settings.digest).glob("[!.]*")):
        with suppress(OSError, pa.ArrowException, KeyError, ValueError):
            file = pq.ParquetFile(place / f"files{SUFFIX}")
            shards = json.loads(file.metadata.metadata[b"reconcile.shards"])
            if _name(file.read(), shards) == place.name:
                yield Batch(place, shards)


def _name(contents: pa.Table, shards: Mapping[str, str]) -> str:
    """The name of a batch, which nothing else has."""
    return sha256(json.dumps([contents.to_pydict(), shards]).encode()).hexdigest()[:DIGITS]


def store(
    folder: Path, settings: Settings, contents: pa.Table, tables: Mapping[str, pa.Table]
) -> Batch:
    """Store the rows of some contents as a batch; a table without any is left out. Raises
    `OSError`."""
    work = folder / WORK / settings.digest
    fresh = work / f".{token_hex(8)}{UNFINISHED}"
    fresh.mkdir(parents=True)
    try:
        shards = {
            name: write_shard(
                fresh / f"{name}{SUFFIX}", name, schema, filter(None, [tables.get(name)]), settings
            )
            for name, schema in scored_schemas(settings.rules).items()
        }
        batch = Batch(work / _name(contents, shards), shards)
        place, stated = fresh / f"files{SUFFIX}", json.dumps(shards)
        write_shard(place, "files", CONTENTS, [contents], settings, shards=stated)
        try:
            fresh.rename(batch.folder)
        except OSError:
            if not batch.folder.is_dir():  # else it was done before
                raise
        return batch
    finally:
        rmtree(fresh, ignore_errors=True)


@lru_cache(maxsize=1)
def stored(folder: Path, settings: Settings, run: object) -> frozenset[str]:
    """The contents of which the rows are there when a process begins with a run."""
    columns = (batch.contents.column("sha256") for batch in batches(folder, settings))
    return frozenset(digest for column in columns for digest in column.to_pylist())


def process(units: Sequence[Unit], settings: Settings, folder: Path, run: object) -> BatchResult:
    """Read and score some files and store their rows in the folder of the archive, but for contents
    that were stored before this run.

    Never raises because of a file's content. Raises `CannotWrite`, `OSError`.
    """
    outcomes: list[Outcome] = []
    work, done = _Work(settings), stored(folder, settings, run)
    for unit in units:
        try:
            content, digest = (None, unit.sha256) if unit.sha256 else _content(unit)
        except UnreadableFile as error:
            outcomes.append(Outcome(None, error.apart_from(unit.name)))
            continue
        outcomes.append(Outcome(digest, None))
        if digest not in done and digest not in work.contents:
            work.add(unit, content, digest)
    if work.contents:
        work.store(folder)
    return BatchResult(tuple(outcomes), program())


class _Work:
    """Reads files and scores their matches, many at a time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.contents: dict[str, list[int]] = {}
        """By SHA-256 the number of every match of a file."""
        self.troubles: dict[str, str] = {}
        """By SHA-256 why a file was rejected."""
        self.waiting: list[ReadMatch] = []
        self.size = 0
        self.rows: list[dict[str, pa.Table]] = []

    def add(self, unit: Unit, content: bytes | None, digest: str) -> None:
        """Read a file."""
        numbers = self.contents[digest] = []
        try:
            for match in unit.matches(content, self.settings.met):
                brief = settled(anonymous(match, self.settings.secret))
                fragment = match.source.path.removeprefix(unit.name)
                read = ReadMatch(brief, digest, fragment, identity(brief))
                numbers.append(number_of_analysis(read.analysis_id))
                self.waiting.append(read)
                self.size += len(brief.source.content) or SIZE_WITHOUT_FILE
                if self.size > MOST_WAITING:
                    self.score()
        except Exception as error:
            self.troubles[digest] = _trouble(error, unit.name)

    def score(self) -> None:
        """Score what was read so far."""
        waiting, self.waiting, self.size = self.waiting, [], 0
        self._score(waiting)

    def _score(self, read: Sequence[ReadMatch]) -> None:
        """Score matches together; if that fails, one by one, to find what fails."""
        try:
            self.rows += [*rows_of(read, self.settings.rules)]
        except Exception as error:
            for each in read if len(read) > 1 else ():
                self._score([each])
            if len(read) == 1:
                name = read[0].match.source.path.removesuffix(read[0].fragment)
                self.troubles.setdefault(read[0].sha256, _trouble(error, name))

    def store(self, folder: Path) -> None:
        """Store what was read as a batch."""
        self.score()
        rows = [
            (digest, 0 if digest in self.troubles else len(numbers), self.troubles.get(digest))
            for digest, numbers in self.contents.items()
        ]
        contents = pa.table([*map(list, zip(*rows, strict=True))], schema=CONTENTS)
        sound = [self.contents[digest] for digest, _, trouble in rows if trouble is None]
        numbers = pa.array([number for each in sound for number in each], pa.int64())
        wanted = scored_schemas(self.settings.rules)
        tables = {name: self.table(name, schema, numbers) for name, schema in wanted.items()}
        store(folder, self.settings, contents, tables)

    def table(self, name: str, schema: pa.Schema, numbers: pa.Array) -> pa.Table:
        """The rows of a table of the matches with these numbers, in their order."""
        rows = pa.concat_tables([schema.empty_table(), *(part.pop(name) for part in self.rows)])
        place = pc.index_in(rows.column("match"), value_set=numbers)
        order = np.argsort(place.to_numpy(), kind="stable")  # what is none of them comes last
        return rows.take(pa.array(order[: len(place) - place.null_count]))


def anonymous(match: Match, secret: str) -> Match:
    """The match with other names of its players, the same for the same name, and without event.

    Without a secret it stays as it is.
    """
    if not secret:
        return match
    first, second = (
        f"Player {hmac.digest(secret.encode(), fold(name).encode(), 'sha256').hex()[:8]}"
        for name in match.players
    )
    return replace(match, players=(first, second), event="")


def _content(unit: Unit) -> tuple[bytes | None, str]:
    """The bytes of a unit, `None` for a database, and their digest."""
    if not unit.is_database:
        content = unit.read()
        return content, sha256(content).hexdigest()
    try:
        with Path(unit.path).open("rb") as file:
            return None, file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UnreadableFile(f"cannot be read: {reason_of(error)}", unit.name) from None


def _trouble(error: Exception, name: str) -> str:
    """Why a file has no rows, for the table of files."""
    if isinstance(error, ReconcileError):
        return " ".join(error.apart_from(name).split())
    # One file must not end the work on all others.
    kind = type(error).__name__
    return f"a bug of this program, please report it: {kind}: {str(error)[:200]}"


# -- shards ----------------------------------------------------------------------------------------

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


# -- the list of files -----------------------------------------------------------------------------
#
# Where each file that an archive was made of was read, its stamp, its content (by SHA-256) and why
# it could not be read: an SQLite file in the folder of unfinished work. A run writes a new one,
# which takes the place of the old one when the archive is finished.

LISTED = "files.sqlite"
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
        self.path, self.settings = folder / WORK / LISTED, settings
        self.fresh = self.path.with_name(LISTED + UNFINISHED)
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
