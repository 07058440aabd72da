"""What a worker does: it reads and scores some files, and stores their rows.

The rows are in shards, which wait in the folder of unfinished work. A receipt is written last:
the rows of `matches`, with what was in which file and the shards as metadata. So whoever finds a
receipt, this run or a later one, finds the work done.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from reconcile.corpus.identity import identity
from reconcile.corpus.rows import ReadMatch, number_of_analysis, rows_of
from reconcile.corpus.settings import WORK, Settings, program
from reconcile.corpus.shards import SUFFIX, Shard, digest_of, write_shard
from reconcile.corpus.tables import SHARDED, scored_schemas
from reconcile.errors import ReconcileError, UnreadableFile, reason_of
from reconcile.formats.archives import Unit
from reconcile.match.match import Match
from reconcile.match.names import fold
from reconcile.scoring.joined import settled

MOST_WAITING: Final = 4 << 20
"""Bytes of files whose matches are scored together: enough that a row costs little, few enough that
they fit into memory."""
SIZE_WITHOUT_FILE: Final = 1 << 15
"""Bytes that count for a match that does not keep those of its file."""
DIED: Final = "the process that read it died (out of memory?)"

Content = tuple[str, int, str | None]
"""SHA-256 of a file, the number of its matches, and why it was rejected."""
Outcome = tuple[str | None, str | None]
"""SHA-256 of a file, `None` if its bytes could not be read, and why they could not."""


class BatchResult(NamedTuple):
    """What a worker returns of some units; the rows are stored."""

    outcomes: tuple[Outcome, ...]
    maker: str
    """Version and digest of the program that made it."""


class Receipt(NamedTuple):
    """What a worker did of some files."""

    contents: list[Content]
    shards: list[Shard]
    """The receipt's own file is the first."""


def receipts(folder: Path, settings: Settings) -> Iterator[tuple[str, Receipt | None]]:
    """The receipts of the work of an archive by their paths below the folder of work, the largest
    first; `None` for one that is damaged."""
    work = folder / WORK
    places = (work / settings.digest).glob(f"*{SUFFIX}")
    for place in sorted(places, key=lambda place: (-place.lstat().st_size, place)):
        path, digest = place.relative_to(work).as_posix(), digest_of(place)
        if not digest.startswith(place.stem):
            yield path, None
            continue
        metadata = pq.read_metadata(place).metadata
        contents, shards = (
            json.loads(metadata[f"reconcile.{name}".encode()]) for name in Receipt._fields
        )
        own = Shard(f"{WORK}/{path}", digest, place.stat().st_size)
        yield path, Receipt([*map(tuple, contents)], [own, *(Shard(*shard) for shard in shards)])


def write_receipt(
    folder: Path,
    settings: Settings,
    matches: Iterable[pa.Table],
    contents: object,
    shards: object,
) -> str:
    """Write the receipt of some work; its path below the folder of work."""
    schema = scored_schemas(settings.rules)["matches"]
    stated = {"contents": json.dumps(contents), "shards": json.dumps(shards)}
    return write_shard(folder / WORK, settings.digest, schema, matches, settings, **stated).path


@lru_cache(maxsize=1)
def stored(folder: Path, settings: Settings, run: object) -> frozenset[str]:
    """The contents of which the rows are there when a process begins with a run."""
    every = receipts(folder, settings)
    return frozenset(digest for _, receipt in every if receipt for digest, *_ in receipt.contents)


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
            outcomes.append((None, error.apart_from(unit.name)))
            continue
        outcomes.append((digest, None))
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
            for match in unit.matches(content):
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
        """Store the shards, then their receipt."""
        self.score()
        contents: list[Content] = [
            (digest, 0 if digest in self.troubles else len(numbers), self.troubles.get(digest))
            for digest, numbers in self.contents.items()
        ]
        sound = [self.contents[digest] for digest, _, trouble in contents if trouble is None]
        numbers = pa.array([number for each in sound for number in each], pa.int64())
        wanted = scored_schemas(self.settings.rules)
        tables = {name: self.table(name, wanted[name], numbers) for name in wanted}
        shards = [
            write_shard(folder / WORK, name, wanted[name], [tables[name]], self.settings)
            for name in SHARDED
            if len(tables[name])
        ]
        write_receipt(folder, self.settings, [tables["matches"]], contents, shards)

    def table(self, name: str, schema: pa.Schema, numbers: pa.Array) -> pa.Table:
        """The rows of a table of the matches with these numbers, in their order."""
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
