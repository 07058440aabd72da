"""From parts to tables: all matches in the order of the units, with duplicates recognised, written in row groups."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import file_digest
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from reconcile.corpus.contents import UNREAD, Contents, Outcomes, duplicates
from reconcile.corpus.partitions import WAITING, Partitions, Sink
from reconcile.corpus.parts import FOLDER, Parts
from reconcile.corpus.tables import FILES, schemas
from reconcile.errors import InvalidConfiguration, reason_of
from reconcile.files.inputs import note
from reconcile.files.output import CannotWrite, write
from reconcile.match.columns import Ints

MANIFEST: Final = "corpus.json"
SCHEMA_VERSION: Final = 4
ROW_GROUP: Final = 1 << 20
"""Numbers in a row group: a table of many columns has fewer rows in one, so that each needs the same memory."""
MOST_ROWS: Final = 1 << 16
FILES_AT_ONCE: Final = 1 << 14
MOST_PIECES: Final = 64
"""Small tables that wait to be written: each needs more memory than its rows."""
FEW_PIECES: Final = 16
"""Pieces of a row group that are not copied out of their parts: more of them would keep too many parts in memory."""
ENCODED_AHEAD: Final = 1
"""Row groups that are encoded by another thread while the next one is put together, some 10 MB each."""
UNFINISHED: Final = ".unfinished"


@dataclass(frozen=True, slots=True)
class Corpus:
    """The finished tables of an archive."""

    folder: Path
    rules: tuple[str, ...]
    files: int
    played: int
    """Matches that were played: those with the same transcript are one, whatever analysed them."""
    matches: int
    """Matches in files, duplicates left out."""
    duplicates: int
    without_match: int
    """Files that are not matches and do not look like any: other kinds of text."""
    errors: int
    tables: dict[str, dict[str, str]]
    """Name of a table -> its files below `folder` -> their SHA-256."""
    made_of: str = ""
    """Digest of all that the tables follow from."""

    @property
    def compared_rules(self) -> tuple[str, str]:
        """The two rule sets that a report compares on the same file: the first two, or the only one with itself."""
        return self.rules[0], self.rules[min(1, len(self.rules) - 1)]

    def paths(self, table: str) -> list[Path]:
        """The Parquet files of a table."""
        return [self.folder / name for name in self.tables[table]]

    def check(self) -> None:
        """Read every table once, and raise `InvalidConfiguration` if one is not as it was made."""
        for files in self.tables.values():
            for name, digest in files.items():
                path = self.folder / name
                try:
                    with path.open("rb") as file:
                        found = file_digest(file, "sha256").hexdigest()
                except OSError as error:
                    raise InvalidConfiguration(f"cannot be read: {reason_of(error)}", path) from None
                if found != digest:
                    raise InvalidConfiguration(f"expected the table that {MANIFEST} lists, found another; make the corpus again", path)


@contextmanager
def _memory_returned() -> Iterator[None]:
    """Let Arrow return freed memory to the system; its own pools keep it, a fifth of the peak."""
    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(before)


@_memory_returned()
def assemble(
    folder: Path,
    outcomes: Outcomes,
    known: Contents,
    parts: Parts,
    rules: Sequence[str],
    partitions: Partitions,
    *,
    threads: int = 1,
    made_of: str = "",
) -> Corpus:
    """Write the tables of these units, in their order; with more than one of `threads`, another encodes them. Raises `CannotWrite`.

    `made_of` is for `already_made`.
    """
    contents = outcomes.contents(known.known)
    places = known.places(contents)
    same = duplicates([known.stored[number] for number in places.match.tolist()])
    kept = same.counts == np.arange(len(same.counts))
    wanted = {"files": FILES, **schemas(rules)}
    tables: dict[str, _Rows] = {}
    encoder = _Encoder(threads > 1)
    errors = without_match = 0
    try:
        # Without its manifest a folder counts as unfinished, so that nobody reads a mix of new and old tables.
        (folder / MANIFEST).unlink(missing_ok=True)
        for name, schema in wanted.items():
            most = WAITING // len(schema) if partitions.parts(name) else max(1, min(MOST_ROWS, ROW_GROUP // len(schema)))
            tables[name] = _Rows(schema, partitions.sink(folder, name, partial(_File, schema=schema, encoder=encoder)), most)
        for start in range(0, len(outcomes), FILES_AT_ONCE):
            files = _files(outcomes, known, contents, start)
            unread = files["error"].is_valid()
            errors += pc.sum(unread).as_py()
            without_match += pc.sum(pc.and_not(pc.equal(files["matches"], 0), unread)).as_py()
            tables["files"].add(files)
        for start, end in pairwise(_borders(places.part)):
            found = parts.tables(known.parts[places.part[start]])
            numbers = np.arange(start, end, dtype=np.int32)
            matches = _rows(found["matches"], places.number[start:end], numbers)
            partitions.note(matches, same.date[start:end])
            units = places.unit[start:end]
            names = outcomes.names(units[0], units[-1] + 1)
            files = [names[unit] + rest for unit, rest in zip(units - units[0], matches.column("file").to_pylist(), strict=True)]
            flags = {
                name: pa.array(column[start:end], pa.int32(), mask=column[start:end] == numbers)
                for name, column in (("duplicate_of", same.counts), ("twin_of", same.twin))
            }
            tables["matches"].add(_with_columns(matches, {"file": files, **flags, "same_as": same.first[start:end]}))
            for name, rows in found.items():
                if name != "matches":
                    tables[name].add(_rows(rows, places.number[start:end], numbers))
        digests = {name: table.finish() for name, table in tables.items()}
    except OSError as error:
        raise CannotWrite(f"cannot be written: {reason_of(error)}; check the disk", folder) from None
    finally:
        encoder.close()
        for table in tables.values():
            table.abandon()
    counting = int(np.count_nonzero(kept))
    played = len(np.unique(same.first))
    corpus = Corpus(
        folder,
        tuple(rules),
        files=len(outcomes),
        played=played,
        matches=counting,
        duplicates=len(kept) - counting,
        without_match=without_match,
        errors=errors,
        tables=digests,
        made_of=made_of,
    )
    document = {"schema_version": SCHEMA_VERSION, **{key: value for key, value in asdict(corpus).items() if key != "folder"}}
    write(str(folder / MANIFEST), json.dumps(document, indent=2) + "\n")
    return corpus


def already_made(folder: Path, made_of: str) -> Corpus | None:
    """The corpus in a folder if its tables follow from the same and each is as it was made."""
    with suppress(InvalidConfiguration):
        corpus = _listed(str(folder))
        if corpus.made_of == made_of:
            corpus.check()
            return corpus
    return None


def load_corpus(folder: str) -> Corpus:
    """A corpus that was finished. Raises `InvalidConfiguration`."""
    note(Path(folder) / MANIFEST)
    corpus = _listed(folder)
    for path in (path for name in corpus.tables for path in corpus.paths(name)):
        note(path)
    return corpus


def _listed(folder: str) -> Corpus:
    """The corpus of a folder, by the list of its tables. Raises `InvalidConfiguration`."""
    path = Path(folder) / MANIFEST
    try:
        document = json.loads(path.read_text("utf-8"))
        if document.pop("schema_version") != SCHEMA_VERSION:
            raise InvalidConfiguration(f"expected schema_version {SCHEMA_VERSION}; make the corpus again", path)
        corpus = Corpus(Path(folder), **{**document, "rules": tuple(document["rules"])})
        for table in (path for name in corpus.tables for path in corpus.paths(name)):
            if not table.resolve().is_relative_to(path.parent.resolve()):
                raise InvalidConfiguration(f"expected tables in this folder, found {str(table)!r}; make the corpus again", path)
        sizes = [path.stat().st_size for name in corpus.tables for path in corpus.paths(name)]
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InvalidConfiguration(f"{_absent(path.parent, Path(str(error.filename)).name)}", folder) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InvalidConfiguration("expected the list of a corpus's tables, found other content; make the corpus again", path) from None
    if not all(sizes):
        raise InvalidConfiguration("a table is empty; make the corpus again", folder)
    return corpus


def _absent(folder: Path, name: str) -> str:
    """What is wrong with a folder that lacks this file of a corpus, and what helps."""
    named = "name the folder that was given to -o of `reconcile corpus`"
    if not folder.is_dir():
        return f"{'expected a folder, found a file' if folder.exists() else 'no such folder'}; {named}"
    if name != MANIFEST:
        return f"expected a finished corpus, found no {name}; make the corpus again"
    if (folder / FOLDER).is_dir():
        return "the tables are not finished; run the same `reconcile corpus` again, which goes on where it stopped"
    return f"holds no finished tables; {named}"


def _borders(part: Ints) -> list[int]:
    """The numbers of the matches with which another part begins, and the end."""
    return [0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), len(part)] if len(part) else []


def _files(outcomes: Outcomes, known: Contents, contents: Ints, start: int) -> pa.Table:
    """Some rows of the table of files."""
    here = contents[start : start + FILES_AT_ONCE]
    end = start + len(here)
    matches = np.where(here == UNREAD, 0, known.matches[here]) if len(known.matches) else np.zeros(len(here))
    errors = [
        outcomes.unread[unit] if content == UNREAD else known.errors.get(content) for unit, content in enumerate(here.tolist(), start)
    ]
    columns = {"file": outcomes.names(start, end), "sha256": outcomes.digests(start, end), "matches": matches, "error": errors}
    return pa.table({name: pa.array(values, FILES.field(name).type) for name, values in columns.items()}, FILES)


def _rows(table: pa.Table, stored: Ints, numbers: Ints) -> pa.Table:
    """The rows of these matches of a part, in this order and with these numbers in place of the part's own."""
    number = table.column("match").to_numpy()
    start, end = (number.searchsorted(stored, side) for side in ("left", "right"))
    sizes = end - start
    if (start[1:] == end[:-1]).all():
        found = table.slice(start[0] if len(start) else 0, sizes.sum())
    else:
        found = table.take(pa.array(np.arange(sizes.sum()) + np.repeat(start - (np.cumsum(sizes) - sizes), sizes)))
    return _with_columns(found, {"match": np.repeat(numbers, sizes)})


def _copied(rows: pa.Table) -> pa.Table:
    """The same rows, which keep nothing else in memory."""
    return rows.take(pa.array(np.arange(rows.num_rows)))


def _with_columns(rows: pa.Table, own: Mapping[str, Any]) -> pa.Table:
    """The rows with columns that are known only for the whole archive."""
    for name, values in own.items():
        field = rows.schema.field(name)
        rows = rows.set_column(rows.schema.get_field_index(name), field, pa.array(values, field.type))
    return rows


class _Rows:
    """Collects rows of a table from any parts until they fill a row group, so that what is written does not depend on the parts."""

    def __init__(self, schema: pa.Schema, sink: Sink, most: int) -> None:
        self._schema, self._sink, self._most = schema, sink, most
        self._waiting: list[pa.Table] = []
        self._rows = 0
        self.abandon = sink.abandon

    def add(self, rows: pa.Table) -> None:
        """Add rows."""
        if rows.num_rows * FEW_PIECES < self._most:
            rows = _copied(rows)
        self._waiting.append(pa.Table.from_arrays(rows.columns, schema=self._schema))
        self._rows += rows.num_rows
        if self._rows >= self._most:
            rest = self._write(self._most)
            # Copied, so that what was written is not kept.
            self._waiting, self._rows = [_copied(rest)], rest.num_rows
        elif len(self._waiting) == MOST_PIECES:
            self._waiting = [pa.concat_tables(self._waiting).combine_chunks()]

    def _write(self, least: int) -> pa.Table:
        """Write row groups as long as there are that many rows; the rows that are left."""
        rest = pa.concat_tables(self._waiting).combine_chunks()
        self._waiting = []  # copied, and needed no more
        while rest.num_rows >= least:
            self._sink.write(rest.slice(0, self._most))
            rest = rest.slice(self._most)
        pa.default_memory_pool().release_unused()
        return rest

    def finish(self) -> dict[str, str]:
        """Write the rest; the SHA-256 of every file by its name."""
        if self._rows:
            self._write(1)
        return self._sink.finish()


class _Encoder:
    """Encodes row groups, in another thread if there may be one, while the next ones are put together."""

    def __init__(self, threaded: bool) -> None:
        self._thread = ThreadPoolExecutor(1) if threaded else None
        self._waiting: deque[Future[None]] = deque()

    def add(self, write: Callable[[pa.Table], None], rows: pa.Table) -> None:
        """Write rows, in the order of the calls. Raises what an earlier call met, too."""
        if self._thread is None:
            write(rows)
            return
        if len(self._waiting) == ENCODED_AHEAD:
            self._waiting.popleft().result()
        self._waiting.append(self._thread.submit(write, rows))

    def wait(self) -> None:
        """Return when everything is written."""
        while self._waiting:
            self._waiting.popleft().result()

    def close(self) -> None:
        """Drop what is not begun and wait for the rest: a file must not be closed while it is written."""
        if self._thread is not None:
            self._thread.shutdown(cancel_futures=True)


class _File:
    """A Parquet file, in its place only when it is finished."""

    def __init__(self, path: Path, schema: pa.Schema, encoder: _Encoder) -> None:
        self._path, self._encoder = path, encoder
        self._temporary = path.with_suffix(UNFINISHED)
        self._temporary.unlink(missing_ok=True)  # or what a link leads to would be written
        self._file = self._temporary.open("wb")
        # A dictionary of numbers that hardly repeat costs time and saves nothing.
        repeating = [field.name for field in schema if not pa.types.is_floating(field.type)]
        self._writer = pq.ParquetWriter(self._file, schema, compression="zstd", store_schema=True, use_dictionary=repeating)

    def write(self, rows: pa.Table) -> None:
        """Write a row group."""
        self._encoder.add(partial(self._writer.write_table, row_group_size=max(rows.num_rows, 1)), rows)

    def finish(self) -> dict[str, str]:
        """Move the file to its place; its SHA-256 by its name."""
        self._encoder.wait()
        self._writer.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._temporary.replace(self._path)
        with self._path.open("rb") as made:
            return {self._path.name: file_digest(made, "sha256").hexdigest()}

    def abandon(self) -> None:
        """Remove an unfinished file; does nothing once the table is finished."""
        if not self._file.closed:
            with suppress(OSError):
                self._writer.close()
            with suppress(OSError):
                self._file.close()
            self._temporary.unlink(missing_ok=True)
