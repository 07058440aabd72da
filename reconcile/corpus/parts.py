"""Parts: what a worker made of some files, looked up by the files' content: their shards, and a file that says what is in them.

That file is an Arrow stream of the rows of `matches`. Its schema has, as JSON, which contents the part has, or why one was rejected, and
its shards with their digests. It is written after the shards, and named by digests of the settings and of its bytes, so a damaged one
is recognised.
"""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import file_digest, sha256
from itertools import accumulate
from pathlib import Path
from shutil import rmtree
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from reconcile.corpus.identity import KEYS_OF_EACH, Stored
from reconcile.corpus.rows import Read, rows_of
from reconcile.corpus.shards import DIGITS, shards_of
from reconcile.corpus.tables import rows_schemas, schemas
from reconcile.errors import ReconcileError, UnreadableFile, reason_of
from reconcile.files.output import write, write_all
from reconcile.files.regular import open_regular
from reconcile.formats.archives import Unit
from reconcile.match.columns import Ints
from reconcile.scoring.joined import settled
from reconcile.version import __version__

FORMAT: Final = 7
"""Of a part: with another number all of them are made again."""
FOLDER: Final = ".parts"
SUFFIX: Final = ".part"
ROOT: Final = Path(__file__).parents[1]
"""The folder of this program."""
NO_PROGRAM: Final = {"__pycache__", "data"}
"""Folders of the package that hold none of its program."""
DIED: Final = "the process that read it died (out of memory?)"
HEAD: Final = b"reconcile"
ALIKE: Final = "alike"
"""Of a match in a part: the numbers of which a near twin has one."""
ENTRIES: Final = pa.schema(
    {
        "sha256": pa.string(),
        "part": pa.int32(),
        "first": pa.int32(),
        "matches": pa.int32(),
        "error": pa.string(),
    }.items()
)
"""Of a content: its part, the first of its rows there, their number, and why it was rejected."""
COMPRESSED: Final = pa.ipc.IpcWriteOptions(compression="zstd")
MOST_WAITING: Final = 4 << 20
"""Bytes of files whose matches are scored together: enough that a row costs little, few enough that they fit into memory."""
SIZE_WITHOUT_FILE: Final = 1 << 15
"""Bytes that count for a match that does not keep those of its file."""


@cache
def program() -> str:
    """The version of this program and a digest of its files: another one may score otherwise.

    `data` has samples and templates that only an installed package keeps there; they score nothing.
    """
    digest = sha256()
    for path in sorted(
        path
        for path in ROOT.rglob("*")
        if path.is_file() and not NO_PROGRAM & {*path.relative_to(ROOT).parts}
    ):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode() + content)
    return f"{__version__} ({digest.hexdigest()[:DIGITS]})"


class Outcome(NamedTuple):
    """The result for one unit."""

    path: str
    member: str
    name: str
    """In tables and messages."""
    sha256: str | None
    """`None` if the bytes could not be read."""
    error: str | None = None
    """Why they could not."""

    @classmethod
    def of(cls, unit: Unit, sha256: str | None, error: str | None = None) -> Outcome:
        """The result for this unit."""
        return cls(unit.path, unit.member, unit.name, sha256, error)


@dataclass(frozen=True, slots=True)
class Batch:
    """What a worker returns; what it made is stored."""

    outcomes: tuple[Outcome, ...]
    part: str = ""
    """File name of the part; empty if all contents were known."""
    maker: str = field(default_factory=program)
    """Version and digest of the program that made it."""


def same_maker(batch: Batch) -> Batch:
    """The batch, if this program made it. Raises `UnreadableFile`."""
    found = getattr(batch, "maker", "an older one, which does not say its version")
    if found != program():
        raise UnreadableFile(
            f"a worker has reconcile {found}: expected {program()}, as here; install the same one on every machine"
        )
    return batch


def settings_key(rules: Sequence[str]) -> str:
    """What a part depends on besides the content."""
    described = [[str(schema), *rules] for schema in schemas(rules).values()]
    return sha256(json.dumps([program(), FORMAT, described]).encode()).hexdigest()[:16]


def process(
    units: Sequence[Unit],
    rules: Sequence[str],
    known: Container[str],
    folder: Path,
) -> Batch:
    """Read and score some files and store a part and its shards in the folder of the archive; known contents are skipped.

    Never raises because of a file's content. Raises `CannotWrite`.
    """
    outcomes: list[Outcome] = []
    made: set[str] = set()
    work = _Work(rules)
    for unit in units:
        if unit.sha256:
            outcomes.append(Outcome.of(unit, unit.sha256))
            continue
        try:
            content, digest = _content(unit)
        except UnreadableFile as error:
            outcomes.append(Outcome.of(unit, None, error.apart_from(unit.name)))
            continue
        outcomes.append(Outcome.of(unit, digest))
        if digest not in known and digest not in made:
            made.add(digest)
            work.add(unit, content, digest)
    return Batch(tuple(outcomes), work.stored(folder / FOLDER) if made else "")


class _Work:
    """Reads files and scores their matches, many at a time."""

    def __init__(self, rules: Sequence[str]) -> None:
        self.rules = rules
        self.contents: list[tuple[str, range, str | None]] = []
        """Digest, numbers of its matches, and why it was rejected."""
        self.waiting: list[Read] = []
        self.size = self.number = 0
        self.made: list[dict[str, pa.RecordBatch]] = []
        self.troubles: dict[str, str] = {}
        """By digest, what was wrong with a match only when it was scored."""

    def add(self, unit: Unit, content: bytes | None, digest: str) -> None:
        """Read a file."""
        first, trouble = self.number, None
        try:
            for match in unit.matches(content):
                kept = settled(match)
                self.waiting.append(
                    Read(self.number, kept, digest, match.source.path.removeprefix(unit.name))
                )
                self.number += 1
                self.size += len(kept.source.content) or SIZE_WITHOUT_FILE
                if self.size > MOST_WAITING:
                    self.score()
        except Exception as error:
            trouble = _trouble(error, unit.name)
        self.contents.append((digest, range(first, self.number), trouble))

    def score(self) -> None:
        """Score what was read so far; if that fails, match by match, to find those that cannot be scored."""
        waiting, self.waiting, self.size = self.waiting, [], 0
        try:
            self.made += rows_of(waiting, self.rules)
        except Exception:
            for one in waiting:
                try:
                    self.made += rows_of([one], self.rules)
                except Exception as error:
                    self.troubles.setdefault(
                        one.sha256,
                        _trouble(error, one.match.source.path.removesuffix(one.fragment)),
                    )
        waiting.clear()

    def stored(self, folder: Path) -> str:
        """Store the shards, then the part that lists them; its file name."""
        self.score()
        entries, kept = [], np.zeros(self.number, bool)
        for digest, its, trouble in self.contents:
            error = self.troubles.get(digest) or trouble
            kept[its.start : its.stop] = error is None
            entries.append((digest, 0 if error else len(its), error))
        schemas = rows_schemas(tuple(self.rules))
        tables = {
            name: pa.Table.from_batches([one.pop(name) for one in self.made], schema)
            for name, schema in schemas.items()
        }
        row = np.where(kept, np.cumsum(kept) - 1, -1)
        matches = tables["matches"].take(
            pa.array(np.argsort(tables["matches"].column("match").to_numpy()))
        )
        matches = matches.filter(pa.array(kept[matches.column("match").to_numpy()]))
        numbers = [number_of_analysis(one) for one in matches.column("analysis_id").to_pylist()]
        matches = with_column(matches, "match", pa.array(numbers, pa.int64()))
        tables = {
            name: with_column(rows, "match", pa.array(row[rows.column("match").to_numpy()]))
            for name, rows in tables.items()
        }
        made = dict(shards_of(matches, tables, self.rules))
        write_all((str(folder / path), content) for path, content in made.items())
        shards = {path: sha256(content).hexdigest() for path, content in made.items()}
        alike = pa.array(
            [one.keys for one in stored_of(matches)], pa.list_(pa.int64(), KEYS_OF_EACH)
        )
        head = json.dumps({"entries": entries, "shards": shards}).encode()
        rows, sink = matches.append_column(ALIKE, alike), pa.BufferOutputStream()
        with pa.ipc.new_stream(
            sink, rows.schema.with_metadata({HEAD: head}), options=COMPRESSED
        ) as stream:
            stream.write_table(rows)
        content = bytes(sink.getvalue())
        name = f"{settings_key(self.rules)}-{sha256(content).hexdigest()[:DIGITS]}{SUFFIX}"
        write(str(folder / name), content)
        return name


def with_column(rows: pa.Table, name: str, values: pa.Array) -> pa.Table:
    """Rows with other values in a column."""
    return rows.set_column(rows.schema.get_field_index(name), name, values)


def number_of_analysis(analysis_id: str) -> int:
    """The number of an analysis in the tables: the first 63 bits of its id."""
    return int(analysis_id[:16], 16) >> 1


def stored_of(matches: pa.Table) -> list[Stored]:
    """What tells which of these matches are the same."""
    return [
        Stored(*one)
        for one in zip(*(matches.column(name).to_pylist() for name in Stored._fields), strict=True)
    ]


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
    return f"a bug of this program, please report it: {type(error).__name__}: {str(error)[:200]}"


class Part(NamedTuple):
    """What a part says of itself."""

    name: str
    shards: dict[str, str]
    """SHA-256 of the files with its rows, by their path in the archive's folder."""


class Known:
    """What the parts of an archive hold, by the content of files."""

    def __init__(self, folder: Path, settings: str) -> None:
        """Of all parts made with these settings; one that is damaged is removed, so that it is made again."""
        self.parts: list[Part] = []
        batches = []
        for path in sorted(folder.glob(f"{settings}-*{SUFFIX}")):
            try:
                with open_regular(path) as file:
                    content = file.read()
            except OSError:
                content = b""
            if sha256(content).hexdigest()[:DIGITS] != path.stem.rpartition("-")[2]:
                remove(path)
                continue
            head = json.loads(pa.ipc.open_stream(content).schema.metadata[HEAD])
            digests, matches, errors = zip(*head["entries"], strict=True)
            first = list(accumulate(matches, initial=0))[:-1]
            columns = digests, [len(self.parts)] * len(digests), first, matches, errors
            batches.append(
                pa.record_batch(
                    [pa.array(one, kind.type) for one, kind in zip(columns, ENTRIES, strict=True)],
                    ENTRIES,
                )
            )
            self.parts.append(Part(path.name, head["shards"]))
        self.entries = pa.Table.from_batches(batches, ENTRIES).combine_chunks()
        """A row for every content of every part."""
        self.digests = frozenset(self.entries.column("sha256").to_pylist())

    def rows(self, digests: pa.ChunkedArray) -> Ints:
        """The row in `entries` of each content, the first of several, or -1 for a file that could not be read."""
        found: Ints = (
            pc.fill_null(pc.index_in(digests, self.entries.column("sha256").combine_chunks()), -1)
            .to_numpy()
            .astype(np.int64)
        )
        return found

    def asked(self, rows: Ints, part: Part) -> list[bool]:
        """By content of a part, whether one of these `rows` asks for it."""
        asked = np.zeros(self.entries.num_rows, bool)
        asked[rows[rows >= 0]] = True
        own = self.entries.column("part").to_numpy() == self.parts.index(part)
        return [bool(one) for one in asked[own]]

    def unfit(self, rows: Ints) -> list[Part]:
        """The parts that have matches which none of these `rows` asks for, or nothing that one asks for."""
        asked = np.zeros(self.entries.num_rows, bool)
        asked[rows[rows >= 0]] = True
        part, matches = (self.entries.column(name).to_numpy() for name in ("part", "matches"))
        fit = np.isin(np.arange(len(self.parts)), part[asked]) & ~np.isin(
            np.arange(len(self.parts)), part[~asked & (matches > 0)]
        )
        return [one for one, is_fit in zip(self.parts, fit.tolist(), strict=True) if not is_fit]


def remove(path: Path) -> None:
    """Remove what is in the place of a file of ours, whatever it is."""
    if path.is_dir() and not path.is_symlink():
        rmtree(path)
    else:
        path.unlink(missing_ok=True)


def matches_of(path: Path) -> pa.Table:
    """The rows of `matches` of a part, with what near twins have in common."""
    return pa.ipc.open_stream(path.read_bytes()).read_all()
