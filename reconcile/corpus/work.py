"""What a worker does: it reads and scores some files, and stores their rows.

The rows are in shards, which wait in the folder of unfinished work. A receipt is written last:
the rows of `matches`, with what was in which file and the shards as metadata. So whoever finds a
receipt, this run or a later one, finds the work done.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reconcile.corpus.identity import Stored
from reconcile.corpus.rows import Read, rows_of
from reconcile.corpus.settings import Settings, program
from reconcile.corpus.shards import Shard, about, digest_of, write_shard
from reconcile.corpus.tables import IDS, SHARDED, rows_schemas
from reconcile.errors import ReconcileError, UnreadableFile, reason_of
from reconcile.files.names import fold
from reconcile.formats.archives import Unit
from reconcile.match.match import Match
from reconcile.scoring.joined import settled

WORK: Final = ".work"
"""The folder of unfinished work and receipts, below that of the archive."""
LOCK: Final = "lock"
SECRET: Final = "secret"  # noqa: S105
"""Its file with which names are hidden."""
RECEIPT: Final = b"reconcile.receipt"
ALIKE: Final = "alike"
"""Of a match in a receipt: the numbers of which a near twin has one."""
MOST_WAITING: Final = 4 << 20
"""Bytes of files whose matches are scored together: enough that a row costs little, few enough that
they fit into memory."""
SIZE_WITHOUT_FILE: Final = 1 << 15
"""Bytes that count for a match that does not keep those of its file."""
DIED: Final = "the process that read it died (out of memory?)"

Content = tuple[str, int, str | None]
"""SHA-256 of a file, the number of its matches, and why it was rejected."""


class Outcome(NamedTuple):
    """What became of one unit."""

    path: str
    member: str
    name: str
    """In tables and messages."""
    sha256: str | None
    """`None` if the bytes could not be read."""
    error: str | None = None
    """Why they could not."""

    @classmethod
    def for_unit(cls, unit: Unit, sha256: str | None, error: str | None = None) -> Outcome:
        """What became of this unit."""
        return cls(unit.path, unit.member, unit.name, sha256, error)


@dataclass(frozen=True, slots=True)
class Batch:
    """What a worker returns; the rows are stored."""

    outcomes: tuple[Outcome, ...]
    receipt: str = ""
    """File name of the receipt; empty if nothing was new."""
    maker: str = field(default_factory=program)
    """Version and digest of the program that made it."""

    def checked(self) -> Batch:
        """The batch, if this program made it. Raises `UnreadableFile`."""
        maker = getattr(self, "maker", "an older one, which does not say its version")
        if maker != program():
            raise UnreadableFile(
                f"a worker has reconcile {maker}: expected {program()}, as here; "
                "install the same one on every machine"
            )
        return self


class Receipt(NamedTuple):
    """What a worker did of some files."""

    contents: list[Content]
    shards: list[Shard]
    """The receipt's own file is the first."""


def receipt_schema(rules: tuple[str, ...]) -> pa.Schema:
    """The columns of a receipt."""
    return rows_schemas(rules)["matches"].append(pa.field(ALIKE, pa.list_(pa.int64())))


def receipt_at(folder: Path, path: str) -> Receipt | None:
    """The receipt in a file of the work of an archive; `None` for one that is damaged."""
    place = folder / WORK / path
    digest = digest_of(place)
    if not digest.startswith(place.stem):
        return None
    document = json.loads(pq.read_metadata(place).metadata[RECEIPT])
    own = Shard(f"{WORK}/{path}", digest, place.stat().st_size)
    contents = [(digest, matches, error) for digest, matches, error in document["contents"]]
    return Receipt(contents, [own, *(Shard(*shard) for shard in document["shards"])])


def write_receipt(
    folder: Path,
    settings: Settings,
    matches: Iterable[pa.Table],
    contents: Sequence[Content],
    shards: Sequence[Shard],
) -> str:
    """Write the receipt of some work; its path below the folder of work."""
    document = json.dumps({"contents": contents, "shards": shards})
    schema = receipt_schema(settings.rules)
    metadata = {RECEIPT.decode(): document}
    return write_shard(folder / WORK, settings.digest, schema, matches, metadata).path


def process(
    units: Sequence[Unit], settings: Settings, stored: Container[str], folder: Path
) -> Batch:
    """Read and score some files and store their rows in the folder of the archive.

    Contents that are `known` are skipped. Never raises because of a file's content. Raises
    `CannotWrite`, `OSError`.
    """
    outcomes: list[Outcome] = []
    work = _Work(settings)
    for unit in units:
        if unit.sha256:
            outcomes.append(Outcome.for_unit(unit, unit.sha256))
            continue
        try:
            content, digest = _content(unit)
        except UnreadableFile as error:
            outcomes.append(Outcome.for_unit(unit, None, error.apart_from(unit.name)))
            continue
        outcomes.append(Outcome.for_unit(unit, digest))
        if digest not in stored and digest not in work.contents:
            work.add(unit, content, digest)
    return Batch(tuple(outcomes), work.stored(folder) if work.contents else "")


class _Work:
    """Reads files and scores their matches, many at a time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.contents: dict[str, tuple[range, str | None]] = {}
        """By SHA-256 the numbers of a file's matches, and why it was rejected."""
        self.waiting: list[Read] = []
        self.size = self.number = 0
        self.rows: list[dict[str, pa.RecordBatch]] = []
        self.troubles: dict[str, str] = {}
        """By SHA-256, what was wrong with a match only when it was scored."""

    def add(self, unit: Unit, content: bytes | None, digest: str) -> None:
        """Read a file."""
        first, trouble = self.number, None
        try:
            for match in unit.matches(content):
                brief = settled(anonymous(match, self.settings.secret))
                fragment = match.source.path.removeprefix(unit.name)
                self.waiting.append(Read(self.number, brief, digest, fragment))
                self.number += 1
                self.size += len(brief.source.content) or SIZE_WITHOUT_FILE
                if self.size > MOST_WAITING:
                    self.score()
        except Exception as error:
            trouble = _trouble(error, unit.name)
        self.contents[digest] = range(first, self.number), trouble

    def score(self) -> None:
        """Score what was read so far; if that fails, match by match, to find what fails."""
        waiting, self.waiting, self.size = self.waiting, [], 0
        try:
            self.rows += rows_of(waiting, self.settings.rules)
        except Exception:
            for read in waiting:
                try:
                    self.rows += rows_of([read], self.settings.rules)
                except Exception as error:
                    name = read.match.source.path.removesuffix(read.fragment)
                    self.troubles.setdefault(read.sha256, _trouble(error, name))
        waiting.clear()

    def stored(self, folder: Path) -> str:
        """Store the shards, then their receipt; its path."""
        self.score()
        contents: list[Content] = []
        scored = np.zeros(self.number, bool)
        for digest, (numbers, trouble) in self.contents.items():
            error = self.troubles.get(digest) or trouble
            scored[numbers.start : numbers.stop] = error is None
            contents.append((digest, 0 if error else len(numbers), error))
        matches = self.table("matches", scored)
        place = np.zeros(self.number, np.int64)
        place[matches.column("match").to_numpy()] = np.arange(len(matches))
        ids = map(number_of_analysis, matches.column("analysis_id").to_pylist())
        matches = with_column(matches, "match", pa.array([*ids], pa.int64()))
        shards = []
        for name in SHARDED:
            rows = self.table(name, scored)
            own = pa.array(place[rows.column("match").to_numpy()])
            rows = rows.drop_columns("match")
            for position, key in enumerate(IDS):
                rows = rows.add_column(position, key, matches.column(key).take(own))
            if len(rows):
                metadata = about(name, self.settings)
                shards.append(write_shard(folder / WORK, name, rows.schema, [rows], metadata))
        keys = [stored.keys for stored in stored_of(matches)]
        matches = matches.append_column(ALIKE, pa.array(keys, pa.list_(pa.int64())))
        return write_receipt(folder, self.settings, [matches], contents, shards)

    def table(self, name: str, scored: np.ndarray) -> pa.Table:
        """The rows of a table in the order of the matches, without those of rejected files."""
        schema = rows_schemas(self.settings.rules)[name]
        rows = pa.Table.from_batches([tables.pop(name) for tables in self.rows], schema)
        number = rows.column("match").to_numpy()
        order = np.argsort(number, kind="stable")
        return rows.take(pa.array(order[scored[number[order]]]))


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


def with_column(rows: pa.Table, name: str, values: pa.Array) -> pa.Table:
    """Rows with other values in a column."""
    return rows.set_column(rows.schema.get_field_index(name), name, values)


def number_of_analysis(analysis_id: str) -> int:
    """The number of an analysis in the tables: the first 63 bits of its id."""
    return int(analysis_id[:16], 16) >> 1


def stored_of(matches: pa.Table) -> list[Stored]:
    """What tells which of these matches are the same."""
    columns = (matches.column(name).to_pylist() for name in Stored._fields)
    return [Stored(*values) for values in zip(*columns, strict=True)]


def _content(unit: Unit) -> tuple[bytes | None, str]:
    """The bytes of a unit, `None` for a database, and their digest."""
    if unit.is_database:
        try:
            with Path(unit.path).open("rb") as file:
                return None, file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise UnreadableFile(f"cannot be read: {reason_of(error)}", unit.name) from None
    content = unit.read()
    return content, sha256(content).hexdigest()


def _trouble(error: Exception, name: str) -> str:
    """Why a file has no rows, for the table of files."""
    if isinstance(error, ReconcileError):
        return " ".join(error.apart_from(name).split())
    # One file must not end the work on all others.
    kind = type(error).__name__
    return f"a bug of this program, please report it: {kind}: {str(error)[:200]}"
