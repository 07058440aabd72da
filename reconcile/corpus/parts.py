"""Parts: what a worker made of some files, looked up by the files' content: shards, and a file that lists them when they are written.

That file is a line of JSON, its head (which contents the part has, or why one was rejected, its shards with their digests, and the
checksum of the rest), followed by its rows of `matches` as an Arrow stream. Its name is made of digests of the settings and of the head, so
a damaged one is recognised. Only heads are read to see what is known.
"""

from __future__ import annotations

import json
import os
from collections.abc import Container, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path
from shutil import rmtree
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from reconcile.corpus.contents import Contents, Entry, Outcome, Part
from reconcile.corpus.identity import KEYS_OF_EACH, Stored
from reconcile.corpus.rows import Read, rows_of
from reconcile.corpus.shards import DIGITS, Shards, Tables, shards_of
from reconcile.corpus.shards import revised as revised_tables
from reconcile.corpus.tables import bare, schemas
from reconcile.errors import ReconcileError, UnreadableFile, reason_of
from reconcile.files.output import write, write_all
from reconcile.files.regular import open_regular
from reconcile.formats.archives import Unit
from reconcile.formats.gnubg import without_collector
from reconcile.match.columns import Ints
from reconcile.scoring.joined import settled
from reconcile.version import __version__

FORMAT: Final = 5
"""Of a part: with another number all of them are made again."""
FOLDER: Final = ".parts"
SUFFIX: Final = ".part"
ROOT: Final = Path(__file__).parents[1]
"""The folder of this program."""
NO_PROGRAM: Final = {"__pycache__", "data"}
"""Folders of the package that hold none of its program."""
DIED: Final = "the process that read it died (out of memory?)"
LINE: Final = b"\n"
ALIKE: Final = "alike"
"""Of a match in a part: the numbers of which a near twin has one."""
COMPRESSED: Final = pa.ipc.IpcWriteOptions(compression="zstd")
LONGEST_HEAD: Final = 1 << 28
"""Bytes: a database may hold a hundred thousand matches."""
MOST_WAITING: Final = 4 << 20
"""Bytes of files whose matches are scored together: enough that a row costs little, few enough that they fit into memory."""
SIZE_WITHOUT_FILE: Final = 1 << 16
"""Bytes that count for a match that does not keep those of its file."""


class DamagedPart(Exception):
    """A part of which something is not what its head has the checksum of; `args` are the names of such parts."""


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
    part: bytes = b""
    """Empty if all contents were known, or it is stored."""
    shards: Shards = field(default_factory=dict)
    """Empty if they are stored."""
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


def process(units: Sequence[Unit], rules: Sequence[str], keys: Sequence[str], known: Container[str] = frozenset()) -> Batch:
    """Read and score some files, shards in folders by `keys`; known contents are skipped. Never raises because of a file's content."""
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
        return Batch(tuple(outcomes), *(work.packed(keys) if made else ()))


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

    def packed(self, keys: Sequence[str]) -> tuple[bytes, Shards]:
        """The part and its shards."""
        self.score()
        kept = np.zeros(self.number, bool)
        errors = [self.troubles.get(digest) or trouble for digest, _, trouble in self.contents]
        for (_, its, _), error in zip(self.contents, errors, strict=True):
            kept[its.start : its.stop] = error is None
        found = {}
        for name, schema in bare(tuple(self.rules)).items():
            found[name] = _in_order(pa.Table.from_batches([one.pop(name) for one in self.made], schema), kept)
        ids = found["matches"].column("analysis_id").to_pylist()
        numbers = np.array([int(one[:16], 16) >> 1 for one in ids], np.int64)
        tables = {name: renumbered(rows, numbers[rows.column("match").to_numpy()]) for name, rows in found.items()}
        entries = [Entry(digest, 0 if error else len(its), error) for (digest, its, _), error in zip(self.contents, errors, strict=True)]
        return _packed(entries, tables, self.rules, keys)


def _packed(entries: Sequence[Entry], tables: Tables, rules: Sequence[str], keys: Sequence[str]) -> tuple[bytes, Shards]:
    """A part of these contents and its shards; of `matches`, copies of files come last."""
    shards = shards_of(tables, bare(tuple(rules)), keys)
    matches = tables["matches"].slice(0, sum(entry.matches for entry in entries))
    alike = pa.array([one.keys for one in stored_of(matches)], pa.list_(pa.int64(), KEYS_OF_EACH))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, (rows := matches.append_column(ALIKE, alike)).schema, options=COMPRESSED) as stream:
        stream.write_table(rows)
    body = sink.getvalue()
    digests = {path: sha256(content).hexdigest() for path, content in shards.items()}
    listed = [asdict(entry) for entry in entries]
    head = {"maker": program(), "keys": keys, "entries": listed, "shards": digests, "size": body.size, "crc32": crc32(body)}
    return b"".join((json.dumps(head, separators=(",", ":")).encode(), LINE, body)), shards


def stored_of(matches: pa.Table) -> list[Stored]:
    """What tells which of these matches are the same."""
    return [Stored(*one) for one in zip(*(matches.column(name).to_pylist() for name in Stored._fields), strict=True)]


def _in_order(rows: pa.Table, kept: npt.NDArray[np.bool_]) -> pa.Table:
    """The rows of the matches that are kept, in the order of their numbers, which leave none out."""
    number = rows.column("match").to_numpy()
    order = np.argsort(number, kind="stable")
    if not kept.all():
        order = order[kept[number[order]]]
    if len(order) < len(number) or (order[1:] < order[:-1]).any():
        rows, number = rows.take(pa.array(order)), number[order]
    return renumbered(rows, (np.cumsum(kept) - 1)[number]).combine_chunks()


def renumbered(rows: pa.Table, numbers: Ints) -> pa.Table:
    """Rows with these numbers of their matches."""
    return rows.set_column(at := rows.schema.get_field_index("match"), rows.schema.field(at), pa.array(numbers, pa.int64()))


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
    """The batch without the bytes of its shards and its part, which wait in the archive's folder then. Raises `CannotWrite`."""
    if not batch.part:
        return batch
    write_all((str(folder / FOLDER / path), content) for path, content in batch.shards.items())
    name = f"{settings_key(rules)}-{_digest(batch.part[: batch.part.index(LINE)])}{SUFFIX}"
    write(str(folder / FOLDER / name), batch.part)
    return replace(batch, part=b"", shards={}, name=name)


def _digest(head: bytes) -> str:
    return sha256(head).hexdigest()[:DIGITS]


def index(folder: Path, settings: str) -> Contents:
    """The contents of all parts made with these settings.

    Only heads are read. A part whose head is not what its name says, or that has another size, is removed, so that it is made again.
    """
    return Contents(_heads(folder, settings))


def _heads(folder: Path, settings: str) -> Iterator[Part]:
    for path in sorted(folder.glob(f"{settings}-*{SUFFIX}")):
        if (part := _part(path)) is None:
            remove(path)
        else:
            yield part


def _part(path: Path) -> Part | None:
    """What the head of a part says; `None` if it is damaged as far as that shows."""
    try:
        with open_regular(path) as file:
            line = file.readline(LONGEST_HEAD)
            if _digest(line.removesuffix(LINE)) != path.stem.rpartition("-")[2]:
                return None
            head = json.loads(line)
            if len(line) + head["size"] != os.fstat(file.fileno()).st_size:
                return None
            return Part(path.name, [Entry(**one) for one in head["entries"]], head["shards"], tuple(head["keys"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def remove(path: Path) -> None:
    """Remove what is in the place of a file of ours, whatever it is."""
    if path.is_dir() and not path.is_symlink():
        rmtree(path)
    else:
        path.unlink(missing_ok=True)


def matches_of(path: Path) -> pa.Table:
    """The rows of `matches` of a part, with what near twins have in common. Raises `DamagedPart`."""
    line, _, body = path.read_bytes().partition(LINE)
    if crc32(body) != json.loads(line)["crc32"]:
        raise DamagedPart(path.name)
    return pa.ipc.open_stream(body).read_all()


def waiting(folder: Path, path: str) -> Path:
    """Where a shard is, which waits beside the parts until the archive lists it."""
    return here if (here := folder / FOLDER / path).exists() else folder / path


def revised(folder: Path, part: Part, wanted: Sequence[int], rules: Sequence[str], keys: Sequence[str]) -> str:
    """Store a part that has each content of another one so many times, made of its rows; its name. Raises `DamagedPart`, `CannotWrite`."""
    path = folder / FOLDER / part.name
    whole = _part(path)
    if whole is None:
        raise DamagedPart(part.name)
    entries = [replace(entry, times=times) for entry, times in zip(whole.entries, wanted, strict=True)]
    times = np.repeat(wanted, [entry.matches for entry in entries]).astype(np.int64)
    matches = matches_of(path).drop_columns(ALIKE)
    shards = {path: waiting(folder, path) for path in part.shards}
    tables = revised_tables(shards, matches, times, bare(tuple(rules)))
    made = Batch((), *_packed([entry for entry in entries if entry.times], tables, rules, keys))
    return stored(made, folder, rules).name
