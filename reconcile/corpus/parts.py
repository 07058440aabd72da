"""Parts: a worker's results for some files, stored until the tables are written and looked up by the files' content.

A part is a line of JSON, its head (which contents it has, what must be known of each match to find duplicates, or why a content was
rejected, and the checksum of the rest), followed by the tables as Arrow streams, whose rows are in the order of the matches. Its name is
made of digests of the settings and of the head, so a damaged one is recognised. Only heads are read to see what is known.
"""

from __future__ import annotations

import json
import os
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import file_digest, sha256
from itertools import islice
from pathlib import Path
from shutil import rmtree
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from reconcile.corpus.contents import Contents, Entry, Outcome
from reconcile.corpus.identity import Stored
from reconcile.corpus.rows import Read, rows_of
from reconcile.corpus.tables import bare, schemas
from reconcile.errors import ReconcileError, UnreadableFile, reason_of
from reconcile.files.output import write
from reconcile.files.regular import open_regular
from reconcile.formats.archives import Unit
from reconcile.formats.gnubg import without_collector
from reconcile.scoring.joined import settled
from reconcile.version import __version__

FORMAT: Final = 4
"""Of a part: with another number all of them are made again."""
FOLDER: Final = ".parts"
SUFFIX: Final = ".part"
DIGITS: Final = 32
"""Of a part's SHA-256 in its name."""
ROOT: Final = Path(__file__).parents[1]
"""The folder of this program."""
NO_PROGRAM: Final = {"__pycache__", "data"}
"""Folders of the package that hold none of its program."""
DIED: Final = "the process that read it died (out of memory?)"
LINE: Final = b"\n"
LONGEST_HEAD: Final = 1 << 28
"""Bytes: a database may hold a hundred thousand matches."""
MOST_WAITING: Final = 4 << 20
"""Bytes of files whose matches are scored together: enough that a row costs little, few enough that they fit into memory."""
SIZE_WITHOUT_FILE: Final = 1 << 16
"""Bytes that count for a match that does not keep those of its file."""


class DamagedPart(Exception):
    """A part whose tables are not those that its head has the checksum of; the text is its name."""


@cache
def program() -> str:
    """The version of this program and a digest of its files: another one may score otherwise.

    `data` has samples and templates that only an installed package keeps there; they score nothing.
    """
    digest = sha256()
    for path in sorted(path for path in ROOT.rglob("*") if path.is_file() and not NO_PROGRAM & {*path.relative_to(ROOT).parts}):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode() + content)
    return f"{__version__} ({digest.hexdigest()[:DIGITS]})"


@dataclass(frozen=True, slots=True)
class Batch:
    """What a worker returns."""

    outcomes: tuple[Outcome, ...]
    part: bytes
    """Empty if all contents were known, or it is stored."""
    maker: str = field(default_factory=program)
    """Version and digest of the program that made it."""
    name: str = ""
    """File name of the part, if it is stored."""


def same_maker(batch: Batch) -> Batch:
    """The batch, if this program made it. Raises `UnreadableFile`."""
    found = getattr(batch, "maker", "an older one, which does not say its version")
    if found != program():
        raise UnreadableFile(f"a worker has reconcile {found}: expected {program()}, as here; install the same one on every machine")
    return batch


def settings_key(rules: Sequence[str]) -> str:
    """What a part depends on besides the content."""
    described = [[str(schema), *rules] for schema in schemas(rules).values()]
    return sha256(json.dumps([program(), FORMAT, described]).encode()).hexdigest()[:16]


def process(units: Sequence[Unit], rules: Sequence[str], known: Container[str] = frozenset()) -> Batch:
    """Read and score some files; known contents are skipped. Never raises because of a file's content."""
    outcomes: list[Outcome] = []
    made: set[str] = set()
    work = _Work(rules)
    with without_collector():  # it would go through all that waits to be scored, again and again
        for unit in units:
            if unit.sha256:
                outcomes.append(Outcome(unit.name, unit.sha256))
                continue
            try:
                content, digest = _content(unit)
            except UnreadableFile as error:
                outcomes.append(Outcome(unit.name, None, error.apart_from(unit.name)))
                continue
            outcomes.append(Outcome(unit.name, digest))
            if digest not in known and digest not in made:
                made.add(digest)
                work.add(unit, content, digest)
        return Batch(tuple(outcomes), work.packed() if made else b"")


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
                self.waiting.append(Read(self.number, kept, digest, match.source.path.removeprefix(unit.name)))
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
                    self.troubles.setdefault(one.sha256, _trouble(error, one.match.source.path.removesuffix(one.fragment)))
        waiting.clear()

    def packed(self) -> bytes:
        """The part."""
        self.score()
        kept = np.zeros(self.number, bool)
        errors = [self.troubles.get(digest) or trouble for digest, _, trouble in self.contents]
        for (_, numbers, _), error in zip(self.contents, errors, strict=True):
            kept[numbers.start : numbers.stop] = error is None
        tables = {name: _in_order(pa.Table.from_batches([one[name] for one in self.made], schema), kept)
                  for name, schema in bare(tuple(self.rules)).items()}  # fmt: skip
        matches = tables["matches"].select(Stored._fields)
        matches = matches.set_column(matches.schema.get_field_index("date"), "date", matches.column("date").cast(pa.int32()))
        stored = iter(zip(*(column.to_pylist() for column in matches.columns), strict=True))
        entries = [
            {"sha256": digest, "matches": list(islice(stored, 0 if error else len(numbers))), "error": error}
            for (digest, numbers, _), error in zip(self.contents, errors, strict=True)
        ]
        sink = pa.BufferOutputStream()
        for rows in tables.values():
            with pa.ipc.new_stream(sink, rows.schema) as stream:
                stream.write_table(rows)
        body = sink.getvalue()
        head = {"maker": program(), "entries": entries, "size": body.size, "crc32": crc32(body)}
        return b"".join((json.dumps(head, separators=(",", ":")).encode(), LINE, body))


def _in_order(rows: pa.Table, kept: npt.NDArray[np.bool_]) -> pa.Table:
    """The rows of the matches that are kept, in the order of their numbers, which leave none out."""
    number = rows.column("match").to_numpy()
    order = np.argsort(number, kind="stable")
    if not kept.all():
        order = order[kept[number[order]]]
    if len(order) < len(number) or (order[1:] < order[:-1]).any():
        rows, number = rows.take(pa.array(order)), number[order]
    at = rows.schema.get_field_index("match")
    renumbered = (np.cumsum(kept) - 1).astype(np.int32)[number]
    return rows.set_column(at, rows.schema.field(at), pa.array(renumbered)).combine_chunks()


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


def stored(batch: Batch, folder: Path, rules: Sequence[str]) -> Batch:
    """The batch without the bytes of its part, which lies in the folder then. Raises `CannotWrite`."""
    if not batch.part:
        return batch
    name = f"{settings_key(rules)}-{_digest(batch.part[: batch.part.index(LINE)])}{SUFFIX}"
    write(str(folder / name), batch.part)
    return replace(batch, part=b"", name=name)


def _digest(head: bytes) -> str:
    return sha256(head).hexdigest()[:DIGITS]


def index(folder: Path, settings: str) -> Contents:
    """The contents of all parts made with these settings.

    Only heads are read. A part whose head is not what its name says, or that has another size, is removed, so that it is made again.
    """
    return Contents(_heads(folder, settings))


def _heads(folder: Path, settings: str) -> Iterator[tuple[str, list[Entry]]]:
    for path in sorted(folder.glob(f"{settings}-*{SUFFIX}")):
        entries = _entries(path)
        if entries is None:
            remove(path)
        else:
            yield path.name, entries


def _entries(path: Path) -> list[Entry] | None:
    """The contents of a part; `None` if it is damaged as far as its head shows."""
    try:
        with open_regular(path) as file:
            line = file.readline(LONGEST_HEAD)
            if _digest(line.removesuffix(LINE)) != path.stem.rpartition("-")[2]:
                return None
            head = json.loads(line)
            if len(line) + head["size"] != os.fstat(file.fileno()).st_size:
                return None
            return [Entry(one["sha256"], tuple(Stored(*match) for match in one["matches"]), one["error"]) for one in head["entries"]]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def remove(path: Path) -> None:
    """Remove what is in the place of a file of ours, whatever it is."""
    if path.is_dir() and not path.is_symlink():
        rmtree(path)
    else:
        path.unlink(missing_ok=True)


class Parts:
    """Parts opened for reading, one at a time."""

    def __init__(self, folder: Path, rules: Sequence[str], sound: frozenset[str] = frozenset()) -> None:
        self._folder, self._names, self._sound = folder, tuple(schemas(rules)), sound

    def tables(self, part: str) -> dict[str, pa.Table]:
        """The tables of a part; their bytes are read from the file only when used.

        Raises `DamagedPart` if they are not those that its head has the checksum of; parts in `sound` are known to be.
        """
        path = self._folder / part
        with path.open("rb") as file:
            head = file.readline()
        body = pa.memory_map(str(path)).read_buffer()[len(head) :]
        if part not in self._sound and crc32(body) != json.loads(head)["crc32"]:
            raise DamagedPart(part)
        reader = pa.BufferReader(body)
        return {name: pa.ipc.open_stream(reader).read_all() for name in self._names}
