"""What a task does: it reads and scores a batch of files, and stores their rows.

A batch is a folder of unfinished work with a Parquet file for each table: the rows, and `files`,
what was in which file by its content. It is named by its content and gets that name when all of it
is written. So whoever finds a batch, this run or a later one, finds the work done.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from hashlib import file_digest, sha256
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from reconcile.corpus.identity import identity
from reconcile.corpus.rows import ReadMatch, number_of_analysis, rows_of
from reconcile.corpus.shards import (
    DIGITS,
    SUFFIX,
    UNFINISHED,
    Outcome,
    digest_of,
    remove,
    write_shard,
)
from reconcile.corpus.tables import SHARDED, WORK, Settings, program, scored_schemas
from reconcile.errors import ReconcileError, UnreadableFile, reason_of
from reconcile.formats.archives import Unit
from reconcile.match.match import Match
from reconcile.match.names import fold
from reconcile.scoring.score import settled

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
