"""From parts to tables: every match once more in the order of the units, duplicates recognised, written in row groups."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reconcile.corpus.parts import Entry, Outcome, Parts
from reconcile.corpus.tables import FILES, schemas
from reconcile.errors import InvalidConfiguration
from reconcile.output import CannotWrite, write

MANIFEST: Final = "corpus.json"
SCHEMA_VERSION: Final = 1
ROW_GROUP: Final = 1 << 16
UNFINISHED: Final = ".unfinished"


@dataclass(frozen=True, slots=True)
class Corpus:
    """The tables of an archive, complete."""

    folder: Path
    rules: tuple[str, ...]
    files: int
    matches: int
    """Duplicates left out."""
    duplicates: int
    errors: int
    tables: dict[str, str]
    """Name of a table -> SHA-256 of its file."""

    def path(self, table: str) -> Path:
        """The Parquet file of a table."""
        return self.folder / f"{table}.parquet"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the rows of a match are."""

    part: str
    number: int
    file: str


def assemble(folder: Path, outcomes: Sequence[Outcome], known: dict[str, tuple[str, Entry]], parts: Parts, rules: Sequence[str]) -> Corpus:
    """Write the tables of these units, in their order. Raises `CannotWrite`."""
    places = list(_places(outcomes, known))
    stands_for, described = _duplicates(places, parts)
    kept = [number for number, other in enumerate(stands_for) if other is None]
    # Without its manifest a folder counts as unfinished, so nobody reads new tables beside old ones.
    (folder / MANIFEST).unlink(missing_ok=True)
    every = {"files": _files_table(outcomes, known), "matches": _matches_table(described, places, stands_for)}
    digests = {}
    for name, table in every.items():
        digests[name] = _written(folder, name, table.schema, [table])
    for name, schema in schemas(rules).items():
        if name not in every:
            digests[name] = _written(folder, name, schema, _numbered(name, schema, kept, places, parts))
    errors = sum(1 for one in outcomes if _error(one, known) is not None)
    corpus = Corpus(folder, tuple(rules), len(outcomes), len(kept), len(places) - len(kept), errors, digests)
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
        raise InvalidConfiguration(f"{path}: expected the list of a corpus's tables, found something else; make the corpus again") from None
    if not all(sizes):
        raise InvalidConfiguration(f"{folder}: a table is empty; make the corpus again")
    return corpus


def _places(outcomes: Iterable[Outcome], known: dict[str, tuple[str, Entry]]) -> Iterator[_Place]:
    for outcome in outcomes:
        if outcome.sha256 is not None:
            part, entry = known[outcome.sha256]
            yield from (_Place(part, entry.first + number, outcome.name) for number in range(entry.matches))


def _duplicates(places: Sequence[_Place], parts: Parts) -> tuple[list[int | None], list[dict[str, Any]]]:
    """The match that stands for each, `None` for those that stand for themselves; and their rows of `matches`.

    Of several analyses of one transcript by one tool the one with most evaluations stands, then the deepest, then the first.
    """
    described = [parts.batches(place.part)["matches"][place.number].to_pylist()[0] for place in places]
    best: dict[tuple[str, str], int] = {}
    for number, row in enumerate(described):
        if not row["transcript"]:
            continue
        standing = best.setdefault((row["transcript"], row["tool"]), number)
        if _worth(row) > _worth(described[standing]):
            best[row["transcript"], row["tool"]] = number
    stands_for: list[int | None] = []
    for number, row in enumerate(described):
        winner = best.get((row["transcript"], row["tool"]), number)
        stands_for.append(None if winner == number else winner)
    return stands_for, described


def _worth(row: dict[str, Any]) -> tuple[int, float]:
    return row["analysed"], -1.0 if row["lookahead"] is None else row["lookahead"]


def _error(outcome: Outcome, known: dict[str, tuple[str, Entry]]) -> str | None:
    return outcome.error if outcome.sha256 is None else known[outcome.sha256][1].error


def _files_table(outcomes: Sequence[Outcome], known: dict[str, tuple[str, Entry]]) -> pa.Table:
    return pa.table(
        {
            "file": [one.name for one in outcomes],
            "sha256": [one.sha256 for one in outcomes],
            "matches": [0 if one.sha256 is None else known[one.sha256][1].matches for one in outcomes],
            "error": [_error(one, known) for one in outcomes],
        },
        schema=FILES,
    )


def _matches_table(described: list[dict[str, Any]], places: Sequence[_Place], stands_for: Sequence[int | None]) -> pa.Table:
    rows = [
        row | {"match": number, "file": place.file + row["file"], "duplicate_of": other}
        for number, (row, place, other) in enumerate(zip(described, places, stands_for, strict=True))
    ]
    return pa.Table.from_pylist(rows, schema=schemas(())["matches"])


def _numbered(name: str, schema: pa.Schema, kept: Sequence[int], places: Sequence[_Place], parts: Parts) -> Iterator[pa.Table]:
    """The rows of a table, a row group at a time, with the numbers of their matches."""
    batches: list[pa.RecordBatch] = []
    numbers: list[int] = []
    rows = 0
    for number in kept:
        batch = parts.batches(places[number].part)[name][places[number].number]
        batches.append(batch)
        numbers.append(number)
        rows += batch.num_rows
        if rows >= ROW_GROUP:
            yield _joined(batches, numbers, schema)
            batches, numbers, rows = [], [], 0
    if batches:
        yield _joined(batches, numbers, schema)


def _joined(batches: Sequence[pa.RecordBatch], numbers: Sequence[int], schema: pa.Schema) -> pa.Table:
    table = pa.Table.from_batches(batches, schema)
    match = np.repeat(np.array(numbers, np.int32), [batch.num_rows for batch in batches])
    return table.set_column(0, schema.field(0), pa.array(match))


def _written(folder: Path, name: str, schema: pa.Schema, tables: Iterable[pa.Table]) -> str:
    """Write a table beside its place, move it there, and say what it is."""
    path = folder / f"{name}.parquet"
    temporary = path.with_suffix(UNFINISHED)
    try:
        with ExitStack() as stack:
            file = stack.enter_context(temporary.open("wb"))
            writer = stack.enter_context(pq.ParquetWriter(file, schema, compression="zstd", store_schema=True))
            for table in tables:
                writer.write_table(table, row_group_size=max(table.num_rows, 1))
            writer.close()
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        with path.open("rb") as made:
            return file_digest(made, "sha256").hexdigest()
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise CannotWrite(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}; check the disk") from None
