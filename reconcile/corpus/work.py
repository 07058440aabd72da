"""What a worker does: it reads and scores some files, and stores their rows.

The rows are in shards, which wait in the folder of unfinished work. A receipt is written last:
the rows of `matches`, with what was in which file and the shards as metadata. So whoever finds a
receipt, this run or a later one, finds the work done.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from reconcile.corpus.identity import identity
from reconcile.corpus.rows import OF_SCORED, ReadMatch, number_of_analysis, rows_of
from reconcile.corpus.settings import WORK, Settings, program
from reconcile.corpus.shards import Shard, digest_of, write_shard, write_table
from reconcile.corpus.tables import SHARDED, schemas
from reconcile.errors import ReconcileError, UnreadableFile, reason_of
from reconcile.formats.archives import Unit
from reconcile.match.match import Match
from reconcile.match.names import fold
from reconcile.scoring.joined import settled

RECEIPT: Final = b"reconcile.receipt"
ALIKE: Final = pa.field("alike", pa.list_(pa.int64()))
"""Of a match in a receipt: `Identity.alike`."""
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


def outcome_for(unit: Unit, sha256: str | None, error: str | None = None) -> Outcome:
    """What became of this unit."""
    return Outcome(unit.path, unit.member, unit.name, sha256, error)


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What a worker returns of some units; the rows are stored."""

    outcomes: tuple[Outcome, ...]
    receipt: str = ""
    """Path of the receipt below the folder of work; empty if nothing was new."""
    maker: str = field(default_factory=program)
    """Version and digest of the program that made it."""


class Receipt(NamedTuple):
    """What a worker did of some files."""

    contents: list[Content]
    shards: list[Shard]
    """The receipt's own file is the first."""


def receipt_schema(settings: Settings) -> pa.Schema:
    """The columns of a receipt."""
    return schemas(settings.rules)["matches"].append(ALIKE)


def receipt_at(folder: Path, path: str) -> Receipt | None:
    """The receipt in a file of the work of an archive; `None` for one that is damaged."""
    place = folder / WORK / path
    digest = digest_of(place)
    if not digest.startswith(place.stem):
        return None
    document = json.loads(pq.read_metadata(place).metadata[RECEIPT])
    own = Shard(f"{WORK}/{path}", digest, place.stat().st_size)
    contents = [tuple(content) for content in document["contents"]]
    return Receipt(contents, [own, *(Shard(*shard) for shard in document["shards"])])


def write_receipt(
    folder: Path,
    settings: Settings,
    matches: pa.Table,
    contents: Sequence[Content],
    shards: Sequence[Shard],
) -> str:
    """Write the receipt of some work; its path below the folder of work."""
    metadata = {RECEIPT.decode(): json.dumps({"contents": contents, "shards": shards})}
    schema = receipt_schema(settings)
    return write_shard(folder / WORK, settings.digest, schema, [matches], metadata).path


def process(
    units: Sequence[Unit], settings: Settings, stored: Container[str], folder: Path
) -> BatchResult:
    """Read and score some files and store their rows in the folder of the archive.

    Contents that are `stored` are skipped. Never raises because of a file's content. Raises
    `CannotWrite`, `OSError`.
    """
    outcomes: list[Outcome] = []
    work = _Work(settings)
    for unit in units:
        if unit.sha256:
            outcomes.append(outcome_for(unit, unit.sha256))
            continue
        try:
            content, digest = _content(unit)
        except UnreadableFile as error:
            outcomes.append(outcome_for(unit, None, error.apart_from(unit.name)))
            continue
        outcomes.append(outcome_for(unit, digest))
        if digest not in stored and digest not in work.contents:
            work.add(unit, content, digest)
    return BatchResult(tuple(outcomes), work.store(folder) if work.contents else "")


class _Work:
    """Reads files and scores their matches, many at a time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.contents: dict[str, list[tuple[int, list[int]]]] = {}
        """By SHA-256 the number of every match of a file, with what it has alike with others."""
        self.troubles: dict[str, str] = {}
        """By SHA-256 why a file was rejected."""
        self.waiting: list[ReadMatch] = []
        self.size = 0
        self.rows: list[dict[str, pa.Table]] = []

    def add(self, unit: Unit, content: bytes | None, digest: str) -> None:
        """Read a file."""
        matches = self.contents[digest] = []
        try:
            for match in unit.matches(content):
                brief = settled(anonymous(match, self.settings.secret))
                fragment = match.source.path.removeprefix(unit.name)
                read = ReadMatch(brief, digest, fragment, identity(brief))
                matches.append((number_of_analysis(read.analysis_id), read.identity.alike))
                self.waiting.append(read)
                self.size += len(brief.source.content) or SIZE_WITHOUT_FILE
                if self.size > MOST_WAITING:
                    self.score()
        except Exception as error:
            self.troubles[digest] = _trouble(error, unit.name)

    def score(self) -> None:
        """Score what was read so far; if that fails, match by match, to find what fails."""
        waiting, self.waiting, self.size = self.waiting, [], 0
        try:
            self.rows += [*rows_of(waiting, self.settings.rules)]
        except Exception:
            for read in waiting:
                try:
                    self.rows += rows_of([read], self.settings.rules)
                except Exception as error:
                    name = read.match.source.path.removesuffix(read.fragment)
                    self.troubles.setdefault(read.sha256, _trouble(error, name))

    def store(self, folder: Path) -> str:
        """Store the shards, then their receipt; its path."""
        self.score()
        sound = [
            match
            for digest, matches in self.contents.items()
            if digest not in self.troubles
            for match in matches
        ]
        numbers = pa.array([number for number, _ in sound], pa.int64())
        tables = {name: self.table(name, numbers) for name in OF_SCORED}
        shards = [
            write_table(folder / WORK, name, [tables[name]], self.settings)
            for name in SHARDED
            if len(tables[name])
        ]
        contents = [
            (digest, 0, self.troubles[digest])
            if digest in self.troubles
            else (digest, len(matches), None)
            for digest, matches in self.contents.items()
        ]
        alike = pa.array([keys for _, keys in sound], ALIKE.type)
        matches = tables["matches"].append_column(ALIKE, alike)
        return write_receipt(folder, self.settings, matches, contents, shards)

    def table(self, name: str, numbers: pa.Array) -> pa.Table:
        """The rows of a table of the matches with these numbers, in their order."""
        schema = schemas(self.settings.rules)[name]
        rows = pa.concat_tables([schema.empty_table(), *(part.pop(name) for part in self.rows)])
        place = pc.index_in(rows.column("match"), value_set=numbers)
        order = np.argsort(place.drop_null().to_numpy(), kind="stable")
        return rows.filter(place.is_valid()).take(pa.array(order))


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
