"""From parts to tables: all matches in the order of the units, with duplicates recognised, written in row groups."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import file_digest
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reconcile.corpus.parts import Entry, Outcome, Parts
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


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a match's rows."""

    part: str
    number: int
    file: str


def assemble(folder: Path, outcomes: Sequence[Outcome], known: dict[str, tuple[str, Entry]], parts: Parts, rules: Sequence[str]) -> Corpus:
    """Write the tables of these units, in their order. Raises `CannotWrite`."""
    places = list(_places(outcomes, known))
    kept_instead, same_as = _duplicates(places, parts)
    wanted = {"files": FILES, **schemas(rules)}
    tables: dict[str, _Rows] = {}
    try:
        # Without its manifest a folder counts as unfinished, so that nobody reads a mix of new and old tables.
        (folder / MANIFEST).unlink(missing_ok=True)
        for name, schema in wanted.items():
            tables[name] = _Rows(folder / f"{name}.parquet", schema)
        tables["files"].add(_files(outcomes, known))
        matches = tables["matches"]
        of_matches = [(name, table) for name, table in tables.items() if name not in ("files", "matches")]
        for part, group in groupby(enumerate(places), key=lambda one: one[1].part):
            batches = parts.batches(part)
            for number, place in group:
                row = batches["matches"][place.number]
                file = place.file + row.column("file")[0].as_py()
                matches.add(row, match=number, file=file, duplicate_of=kept_instead[number], same_as=same_as[number])
                if kept_instead[number] is None:
                    for name, table in of_matches:
                        table.add(batches[name][place.number], match=number)
            for table in tables.values():
                table.settle()
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
            yield from (_Place(part, entry.first + number, outcome.name) for number in range(entry.matches))


def _duplicates(places: Sequence[_Place], parts: Parts) -> tuple[list[int | None], list[int]]:
    """For each match, the match of which it is a duplicate (`None` if it is the one that counts), and the first of the same transcript.

    Of several analyses of one transcript by one tool, the one with the most evaluations counts, then the deepest, then the first.
    """
    best: dict[tuple[str, str], tuple[_Worth, int]] = {}
    keys: list[tuple[str, str] | None] = []
    first: dict[str, int] = {}
    same_as: list[int] = []
    for number, place in enumerate(places):
        row = parts.batches(place.part)["matches"][place.number]
        transcript, tool, analysed, lookahead = (row.column(name)[0].as_py() for name in ("transcript", "tool", "analysed", "lookahead"))
        keys.append((transcript, tool) if transcript else None)
        same_as.append(first.setdefault(transcript, number) if transcript else number)
        if transcript:
            worth = analysed, -1.0 if lookahead is None else lookahead
            standing = best.setdefault((transcript, tool), (worth, number))
            if worth > standing[0]:
                best[transcript, tool] = worth, number
    winners = [number if key is None else best[key][1] for number, key in enumerate(keys)]
    return [None if winner == number else winner for number, winner in enumerate(winners)], same_as


def _error(outcome: Outcome, known: dict[str, tuple[str, Entry]]) -> str | None:
    return outcome.error if outcome.sha256 is None else known[outcome.sha256][1].error


def _matches(outcome: Outcome, known: dict[str, tuple[str, Entry]]) -> int:
    return 0 if outcome.sha256 is None else known[outcome.sha256][1].matches


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


class _Rows:
    """Writes a table: collects rows of matches from any parts until they fill a row group."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._path, self._schema = path, schema
        self._temporary = path.with_suffix(UNFINISHED)
        self._file = self._temporary.open("wb")
        self._writer = pq.ParquetWriter(self._file, schema, compression="zstd", store_schema=True)
        self._mapped: list[tuple[pa.RecordBatch, dict[str, Any]]] = []
        self._copied: list[pa.Table] = []
        self._rows = 0

    def add(self, batch: pa.RecordBatch, **own: Any) -> None:
        """Add the rows of one match, and columns known only for the whole archive, for example its number."""
        self._mapped.append((batch, own))
        self._rows += batch.num_rows
        if self._rows >= ROW_GROUP:
            self._write()

    def settle(self) -> None:
        """Copy the collected rows out of their part, so that the part can be closed."""
        if not self._mapped:
            return
        table = pa.Table.from_batches([batch for batch, _ in self._mapped], self._schema)
        match_of_row = np.repeat(np.arange(len(self._mapped)), [batch.num_rows for batch, _ in self._mapped])
        for name in self._mapped[0][1]:
            index = self._schema.get_field_index(name)
            values = pa.array([own[name] for _, own in self._mapped], self._schema.field(index).type)
            table = table.set_column(index, self._schema.field(index), values.take(pa.array(match_of_row)))
        self._copied.append(table.combine_chunks())
        self._mapped = []

    def _write(self) -> None:
        self.settle()
        if self._copied:
            # In one chunk, so that the bytes of the file do not depend on the parts.
            table = pa.concat_tables(self._copied).combine_chunks()
            self._writer.write_table(table, row_group_size=max(table.num_rows, 1))
        self._copied, self._rows = [], 0

    def finish(self) -> str:
        """Write the rest, move the file to its place and return its SHA-256."""
        self._write()
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
