"""Parts: a worker's results for some files, stored until the tables are written and looked up by the files' content.

A part is a JSON line (which contents it has, how many matches each has, or why it was rejected), followed by the tables as Arrow
streams, with one record batch per match. Its name is a digest of the contents and the settings, so a damaged one is
recognised.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import file_digest, sha256
from pathlib import Path
from shutil import rmtree
from typing import Final

import pyarrow as pa

from reconcile import __version__
from reconcile.adapters.archives import Unit
from reconcile.corpus.rows import match_rows
from reconcile.corpus.tables import schemas
from reconcile.errors import ReconcileError, UnreadableFile
from reconcile.files.regular import open_regular

FOLDER: Final = ".parts"
SUFFIX: Final = ".part"
DIGITS: Final = 32
"""Of a part's SHA-256 in its name."""
DIED: Final = "the process that read it died (out of memory?)"
OPEN_PARTS: Final = 32
"""Parts mapped into memory at once while the tables are written."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for one unit."""

    name: str
    sha256: str | None
    """`None` if the bytes could not be read."""
    error: str | None = None
    """Set only if there is no content to store the error with."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One content in a part."""

    sha256: str
    matches: int
    error: str | None
    first: int
    """Number of its first match in the part."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What a worker returns."""

    outcomes: tuple[Outcome, ...]
    part: bytes
    """Empty if all contents were known."""


def settings_key(rules: Sequence[str]) -> str:
    """What a part depends on besides the content."""
    described = [[str(schema), *rules] for schema in schemas(rules).values()]
    return sha256(json.dumps([__version__, described]).encode()).hexdigest()[:16]


def process(units: Sequence[Unit], rules: Sequence[str], known: frozenset[str] = frozenset()) -> Batch:
    """Read and score some files; known contents are skipped. Never raises because of a file's content."""
    outcomes: list[Outcome] = []
    entries: list[dict[str, object]] = []
    made: set[str] = set()
    batches: dict[str, list[pa.RecordBatch]] = {name: [] for name in schemas(rules)}
    for unit in units:
        try:
            content, digest = _content(unit)
        except UnreadableFile as error:
            outcomes.append(Outcome(unit.name, None, _without_name(str(error), unit)))
            continue
        outcomes.append(Outcome(unit.name, digest))
        if digest in known or digest in made:
            continue
        made.add(digest)
        found, trouble = _rows(unit, content, digest, rules)
        entries.append({"sha256": digest, "matches": len(found), "error": trouble})
        for rows in found:
            for name, batch in rows.items():
                batches[name].append(batch)
    return Batch(tuple(outcomes), _packed(entries, batches, rules) if entries else b"")


def _content(unit: Unit) -> tuple[bytes | None, str]:
    """The bytes of a unit, `None` for a database, and their digest."""
    if unit.is_database:
        try:
            with Path(unit.path).open("rb") as file:
                return None, file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise UnreadableFile(f"{unit.name}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    content = unit.read()
    return content, sha256(content).hexdigest()


def _rows(unit: Unit, content: bytes | None, digest: str, rules: Sequence[str]) -> tuple[list[dict[str, pa.RecordBatch]], str | None]:
    try:
        return [match_rows(match, digest, rules, match.source.path.removeprefix(unit.name)) for match in unit.matches(content)], None
    except ReconcileError as error:
        return [], _without_name(str(error), unit)
    except Exception as error:
        # One file must not end the work on all others; the table of files lists the error.
        return [], f"a bug of this program, please report it: {type(error).__name__}: {str(error)[:200]}"


def _without_name(message: str, unit: Unit) -> str:
    """An error without its path, which differs between two copies of a file."""
    return " ".join(message.removeprefix(f"{unit.name}: ").split())


def _packed(entries: list[dict[str, object]], batches: dict[str, list[pa.RecordBatch]], rules: Sequence[str]) -> bytes:
    sink = pa.BufferOutputStream()
    sink.write(json.dumps(entries, separators=(",", ":")).encode() + b"\n")
    for name, schema in schemas(rules).items():
        with pa.ipc.new_stream(sink, schema) as stream:
            for batch in batches[name]:
                stream.write_batch(batch)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def part_name(settings: str, part: bytes) -> str:
    """The file name of a part."""
    return f"{settings}-{sha256(part).hexdigest()[:DIGITS]}{SUFFIX}"


def index(folder: Path, settings: str, sound: frozenset[str] = frozenset()) -> dict[str, tuple[str, Entry]]:
    """The contents of all parts made with these settings: by SHA-256 the part's name and the entry.

    A part that is not what its name says is removed, so that it is made again; those named in `sound` are known to be.
    """
    found: dict[str, tuple[str, Entry]] = {}
    for path in sorted(folder.glob(f"{settings}-*{SUFFIX}")):
        entries = entries_of(path, checked=path.name not in sound)
        if entries is None:
            remove(path)
        for entry in entries or ():
            found.setdefault(entry.sha256, (path.name, entry))
    return found


def entries_of(path: Path, *, checked: bool) -> list[Entry] | None:
    """The contents of a part; `None` if it is damaged, which its digest shows where it is to be `checked`."""
    try:
        with open_regular(path) as file:
            if checked and file_digest(file, "sha256").hexdigest()[:DIGITS] != path.stem.rpartition("-")[2]:
                return None
            file.seek(0)
            return _entries(json.loads(file.readline()))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def remove(path: Path) -> None:
    """Remove what is in the place of a file of ours, whatever it is."""
    if path.is_dir() and not path.is_symlink():
        rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _entries(listed: Iterable[dict[str, object]]) -> list[Entry]:
    found = []
    first = 0
    for one in listed:
        matches = int(str(one["matches"]))
        error = one["error"]
        found.append(Entry(str(one["sha256"]), matches, None if error is None else str(error), first))
        first += matches
    return found


class Parts:
    """Parts opened for reading, a few at a time."""

    def __init__(self, folder: Path, rules: Sequence[str]) -> None:
        self._folder, self._names = folder, tuple(schemas(rules))
        self.batches = lru_cache(maxsize=OPEN_PARTS)(self._batches)

    def _batches(self, part: str) -> dict[str, list[pa.RecordBatch]]:
        """The record batches of a part by table, one per match; their bytes are read from the file only when used."""
        path = self._folder / part
        with path.open("rb") as file:
            start = len(file.readline())
        reader = pa.BufferReader(pa.memory_map(str(path)).read_buffer()[start:])
        return {name: list(pa.ipc.open_stream(reader)) for name in self._names}
