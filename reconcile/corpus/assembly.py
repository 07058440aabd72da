"""From parts to tables: all matches in the order of the units, with duplicates recognised, written in row groups."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import file_digest
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reconcile.columns import Ints
from reconcile.corpus.parts import Entry, Outcome, Parts, Stored
from reconcile.corpus.tables import FILES, schemas
from reconcile.errors import InvalidConfiguration
from reconcile.files.output import CannotWrite, write

MANIFEST: Final = "corpus.json"
SCHEMA_VERSION: Final = 2
ROW_GROUP: Final = 1 << 16
UNFINISHED: Final = ".unfinished"

_Worth = tuple[int, float]
"""Number of evaluations and how far they look ahead: of two analyses of a transcript, the larger one is used."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The finished tables of an archive."""

    folder: Path
    rules: tuple[str, ...]
    files: int
    matches: int
    """Duplicates left out."""
    duplicates: int
    without_match: int
    """Files that are not matches and do not look like any: other kinds of text."""
    errors: int
    tables: dict[str, str]
    """Name of a table -> SHA-256 of its file."""

    @property
    def compared_rules(self) -> tuple[str, str]:
        """The two rule sets that a report compares on the same file: the first two, or the only one with itself."""
        return self.rules[0], self.rules[min(1, len(self.rules) - 1)]

    def path(self, table: str) -> Path:
        """The Parquet file of a table."""
        return self.folder / f"{table}.parquet"


class _Place(NamedTuple):
    """The place of a match's rows."""

    part: str
    number: int
    file: str
    stored: Stored


def assemble(folder: Path, outcomes: Sequence[Outcome], known: dict[str, tuple[str, Entry]], parts: Parts, rules: Sequence[str]) -> Corpus:
    """Write the tables of these units, in their order. Raises `CannotWrite`."""
    places = list(_places(outcomes, known))
    kept_instead, same_as = _duplicates([place.stored for place in places])
    wanted = {"files": FILES, **schemas(rules)}
    tables: dict[str, _Rows] = {}
    try:
        # Without its manifest a folder counts as unfinished, so that nobody reads a mix of new and old tables.
        (folder / MANIFEST).unlink(missing_ok=True)
        for name, schema in wanted.items():
            tables[name] = _Rows(folder / f"{name}.parquet", schema)
        tables["files"].add(pa.Table.from_batches([_files(outcomes, known)]))
        for part, group in groupby(enumerate(places), key=lambda one: one[1].part):
            numbers, here = zip(*group, strict=True)
            found = parts.tables(part)
            chosen = np.array([place.number for place in here]), np.array(numbers, np.int32)
            matches = _rows(found["matches"], *chosen)
            files = [place.file + rest for place, rest in zip(here, matches.column("file").to_pylist(), strict=True)]
            others = {"duplicate_of": [kept_instead[one] for one in numbers], "same_as": [same_as[one] for one in numbers]}
            tables["matches"].add(_with_columns(matches, {"file": files, **others}))
            counts = np.array([kept_instead[number] is None for number in numbers])
            for name, rows in found.items():
                if name != "matches":
                    tables[name].add(_rows(rows, *(column[counts] for column in chosen)))
        digests = {name: table.finish() for name, table in tables.items()}
    except OSError as error:
        raise CannotWrite(f"{folder}: cannot be written: {(error.strerror or str(error)).lower()}; check the disk") from None
    finally:
        for table in tables.values():
            table.abandon()
    errors = sum(1 for one in outcomes if _error(one, known) is not None)
    without_match = sum(1 for one in outcomes if _error(one, known) is None and not _matches(one, known))
    kept = kept_instead.count(None)
    corpus = Corpus(folder, tuple(rules), len(outcomes), kept, len(places) - kept, without_match, errors, digests)
    document = {"schema_version": SCHEMA_VERSION, **{key: value for key, value in asdict(corpus).items() if key != "folder"}}
    write(str(folder / MANIFEST), json.dumps(document, indent=2) + "\n")
    return corpus


def load_corpus(folder: str) -> Corpus:
    """A corpus that was finished. Raises `InvalidConfiguration`."""
    path = Path(folder) / MANIFEST
    try:
        document = json.loads(path.read_text("utf-8"))
        if document.pop("schema_version") != SCHEMA_VERSION:
            raise InvalidConfiguration(f"{path}: expected schema_version {SCHEMA_VERSION}; make the corpus again")
        corpus = Corpus(Path(folder), **{**document, "rules": tuple(document["rules"])})
        sizes = [corpus.path(name).stat().st_size for name in corpus.tables]
    except FileNotFoundError as error:
        missing = Path(str(error.filename)).name
        raise InvalidConfiguration(
            f"{folder}: expected a finished corpus, found no {missing}; run `reconcile corpus PATH... -o {folder}`"
        ) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InvalidConfiguration(f"{path}: expected the list of a corpus's tables, found other content; make the corpus again") from None
    if not all(sizes):
        raise InvalidConfiguration(f"{folder}: a table is empty; make the corpus again")
    return corpus


def _places(outcomes: Iterable[Outcome], known: dict[str, tuple[str, Entry]]) -> Iterator[_Place]:
    for outcome in outcomes:
        if outcome.sha256 is not None:
            part, entry = known[outcome.sha256]
            yield from (_Place(part, entry.first + at, outcome.name, stored) for at, stored in enumerate(entry.matches))


def _duplicates(matches: Sequence[Stored]) -> tuple[list[int | None], list[int]]:
    """For each match, the match of which it is a duplicate (`None` if it is the one that counts), and the first of the same transcript.

    Of several analyses of one transcript by one tool, the one with the most evaluations counts, then the deepest, then the first.
    """
    best: dict[tuple[str, str], tuple[_Worth, int]] = {}
    first: dict[str, int] = {}
    for number, one in enumerate(matches):
        if one.transcript:
            first.setdefault(one.transcript, number)
            worth = one.analysed, -1.0 if one.lookahead is None else one.lookahead
            standing = best.setdefault((one.transcript, one.tool), (worth, number))
            if worth > standing[0]:
                best[one.transcript, one.tool] = worth, number
    winners = [best[one.transcript, one.tool][1] if one.transcript else number for number, one in enumerate(matches)]
    same_as = [first.get(one.transcript, number) for number, one in enumerate(matches)]
    return [None if winner == number else winner for number, winner in enumerate(winners)], same_as


def _error(outcome: Outcome, known: dict[str, tuple[str, Entry]]) -> str | None:
    return outcome.error if outcome.sha256 is None else known[outcome.sha256][1].error


def _matches(outcome: Outcome, known: dict[str, tuple[str, Entry]]) -> int:
    return 0 if outcome.sha256 is None else len(known[outcome.sha256][1].matches)


def _files(outcomes: Sequence[Outcome], known: dict[str, tuple[str, Entry]]) -> pa.RecordBatch:
    return pa.record_batch(
        {
            "file": [one.name for one in outcomes],
            "sha256": [one.sha256 for one in outcomes],
            "matches": [_matches(one, known) for one in outcomes],
            "error": [_error(one, known) for one in outcomes],
        },
        schema=FILES,
    )


def _rows(table: pa.Table, stored: Ints, numbers: Ints) -> pa.Table:
    """The rows of these matches of a part, copied out of it, in this order and with these numbers in place of the part's own."""
    number = table.column("match").to_numpy()
    start, end = (number.searchsorted(stored, side) for side in ("left", "right"))
    sizes = end - start
    index = np.arange(sizes.sum()) + np.repeat(start - (np.cumsum(sizes) - sizes), sizes)
    return _with_columns(table.take(pa.array(index)), {"match": np.repeat(numbers, sizes)})


def _with_columns(rows: pa.Table, own: Mapping[str, Any]) -> pa.Table:
    """The rows with columns that are known only for the whole archive."""
    for name, values in own.items():
        field = rows.schema.field(name)
        rows = rows.set_column(rows.schema.get_field_index(name), field, pa.array(values, field.type))
    return rows


class _Rows:
    """Writes a table: collects rows from any parts until they fill a row group, so that the bytes do not depend on the parts."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._path, self._schema = path, schema
        self._temporary = path.with_suffix(UNFINISHED)
        self._file = self._temporary.open("wb")
        self._writer = pq.ParquetWriter(self._file, schema, compression="zstd", store_schema=True)
        self._waiting: list[pa.Table] = []
        self._rows = 0

    def add(self, rows: pa.Table) -> None:
        """Add rows."""
        self._waiting.append(rows.cast(self._schema))
        self._rows += rows.num_rows
        if self._rows >= ROW_GROUP:
            self._write(ROW_GROUP)

    def _write(self, least: int) -> None:
        """Write row groups as long as there are that many rows."""
        table = pa.concat_tables(self._waiting).combine_chunks()
        start = 0
        while self._rows - start >= least:
            self._writer.write_table(table.slice(start, ROW_GROUP), row_group_size=ROW_GROUP)
            start = min(start + ROW_GROUP, self._rows)
        # Copied, so that what was written is not kept.
        self._waiting = [table.slice(start).take(pa.array(np.arange(self._rows - start)))]
        self._rows -= start

    def finish(self) -> str:
        """Write the rest, move the file to its place and return its SHA-256."""
        if self._rows:
            self._write(1)
        self._writer.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._temporary.replace(self._path)
        with self._path.open("rb") as made:
            return file_digest(made, "sha256").hexdigest()

    def abandon(self) -> None:
        """Remove an unfinished file; does nothing once the table is finished."""
        if not self._file.closed:
            with suppress(OSError):
                self._writer.close()
            with suppress(OSError):
                self._file.close()
            self._temporary.unlink(missing_ok=True)
