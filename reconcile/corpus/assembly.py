"""The list of an archive's tables, and the small ones of the whole of it: files, matches with duplicates recognised, analyses."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import file_digest, sha256
from itertools import pairwise
from pathlib import Path
from stat import S_ISLNK
from typing import Final, NamedTuple, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from reconcile.corpus.card import NAME as CARD
from reconcile.corpus.card import card
from reconcile.corpus.identity import KEYS_OF_EACH, Duplicates, copied, duplicates
from reconcile.corpus.parts import ALIKE, FOLDER, Known, matches_of, stored_of, with_column
from reconcile.corpus.shards import DIGITS, SHARDED, SUFFIX, described, shard
from reconcile.corpus.tables import FILES, schemas
from reconcile.errors import InvalidConfiguration, reason_of
from reconcile.files.inputs import note
from reconcile.files.output import CannotWrite, write, write_all
from reconcile.match.columns import Ints

MANIFEST: Final = "corpus.json"
SCHEMA_VERSION: Final = 7
SHARD: Final = re.compile(rf"[0-9a-f]{{{DIGITS}}}{re.escape(SUFFIX)}")
MOST_MATCHES: Final = 1 << 12
"""In a row group."""
PARTS_AT_ONCE: Final = 8
"""Whose matches are kept in memory."""
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
    """What the tables follow from besides the files."""

    @property
    def compared_rules(self) -> tuple[str, str]:
        """The two rule sets that a report compares on the same file: the first two, or the only one with itself."""
        return self.rules[0], self.rules[min(1, len(self.rules) - 1)]

    def paths(self, table: str) -> list[Path]:
        """The Parquet files of a table."""
        return [self.folder / name for name in self.tables[table]]

    def check(self, sound: Container[str] = ()) -> None:
        """Read every file of a table once but those that are `sound`, and raise `InvalidConfiguration` if one is not as it was made."""
        for files in self.tables.values():
            for name, digest in (
                (name, digest) for name, digest in files.items() if name not in sound
            ):
                try:
                    as_made = is_sound(path := self.folder / name, digest)
                except OSError as error:
                    raise InvalidConfiguration(
                        f"cannot be read: {reason_of(error)}", path
                    ) from None
                if not as_made:
                    raise InvalidConfiguration(
                        f"expected the table that {MANIFEST} lists, found another; make the corpus again",
                        path,
                    )


def is_sound(path: Path, digest: str) -> bool:
    """Whether a file has this SHA-256. Raises `OSError`."""
    return sha256(path.read_bytes()).hexdigest() == digest


def assemble(
    folder: Path,
    files: pa.Table,
    known: Known,
    made_of: str,
    rules: Sequence[str],
) -> Corpus:
    """Make the tables of files, matches and analyses, in the order of the files, and list them with the shards of the parts.

    `files` has name, SHA-256 and why it could not be read of each. What is listed already is left as it is if it follows from the same:
    `made_of` is what that depends on besides. Raises `CannotWrite`.
    """
    wanted = schemas(rules)
    tables: dict[str, dict[str, str]] = {name: {} for name in wanted}
    for part in known.parts:
        for path, digest in part.shards.items():
            tables[path.partition("/")[0]][path] = digest
    content = known.rows(files.column("sha256"))
    try:
        for name in SHARDED:
            if not tables[name]:  # so that an empty table has its columns, too
                path, blob = shard(name, wanted[name].empty_table(), rules)
                write(str(folder / path), blob)
                tables[name][path] = sha256(blob).hexdigest()
        in_file, error = (
            known.entries.column(name).take(pa.array(content, mask=content < 0))
            for name in ("matches", "error")
        )
        in_file, error = pc.fill_null(in_file, 0), pc.coalesce(files.column("error"), error)
        with _Table(folder, "files", FILES, rules) as listed:
            listed.add(
                pa.table([files.column("file"), files.column("sha256"), in_file, error], FILES)
            )
        tables["files"] = listed.made
        if (before := _already_made(folder, made_of, tables)) is not None:
            return before
        places = _places(content, known)
        rows_of = lru_cache(PARTS_AT_ONCE)(
            lambda part: matches_of(folder / FOLDER / known.parts[part].name)
        )
        number, alike = (
            np.zeros(len(places.file), np.int64),
            np.zeros((len(places.file), KEYS_OF_EACH), np.int64),
        )
        order = np.argsort(places.part, kind="stable")  # so that each part is read once
        for here in (order[start:end] for start, end in pairwise(_borders(places.part[order]))):
            rows = rows_of(places.part[here[0]]).take(pa.array(places.row[here]))
            number[here] = list(
                map(copied, rows.column("match").to_pylist(), places.copy[here].tolist())
            )
            alike[here] = rows.column(ALIKE).to_pylist()
        same = _duplicates(places, alike, rows_of)
        with (
            _Table(folder, "matches", wanted["matches"], rules) as table,
            _Table(folder, "analyses", wanted["analyses"], rules) as analyses,
        ):
            for start, end in pairwise(_borders(places.part)):
                units = places.file[start:end]
                names = files.column("file").take(pa.array(units)).to_pylist()
                rows = rows_of(places.part[start]).take(pa.array(places.row[start:end]))
                flags = {
                    name: pa.array(
                        number[column[start:end]],
                        pa.int64(),
                        mask=column[start:end] == np.arange(start, end),
                    )
                    for name, column in (("duplicate_of", same.counts), ("twin_of", same.twin))
                }
                whole = [
                    name + rest
                    for name, rest in zip(names, rows.column("file").to_pylist(), strict=True)
                ]
                own = {
                    "match": number[start:end],
                    "file": whole,
                    **flags,
                    "same_as": number[same.first[start:end]],
                }
                for name, values in own.items():
                    rows = with_column(rows, name, pa.array(values, rows.schema.field(name).type))
                table.add(rows)
                analyses.add(rows.filter(pa.array(places.copy[start:end] == 0)))
        tables |= {"matches": table.made, "analyses": analyses.made}
    except OSError as error:
        raise CannotWrite(
            f"cannot be written: {reason_of(error)}; check the disk", folder
        ) from None
    counting = int(np.count_nonzero(same.counts == np.arange(len(same.counts))))
    corpus = Corpus(
        folder,
        tuple(rules),
        files=len(files),
        played=len(np.unique(same.first)),
        matches=counting,
        duplicates=len(same.counts) - counting,
        without_match=pc.sum(pc.and_(pc.equal(in_file, 0), pc.is_null(error))).as_py(),
        errors=len(error) - error.null_count,
        tables={name: dict(sorted(listed.items())) for name, listed in tables.items()},
        made_of=made_of,
    )
    document = {
        "schema_version": SCHEMA_VERSION,
        **{key: value for key, value in asdict(corpus).items() if key != "folder"},
    }
    write_all(
        [
            (str(folder / MANIFEST), json.dumps(document, indent=2) + "\n"),
            (str(folder / CARD), card(rules, corpus.played, corpus.files)),
        ]
    )
    return corpus


class _Places(NamedTuple):
    """Where the matches of an archive are, in its order."""

    file: Ints
    copy: Ints
    """How many files of the same bytes come before it."""
    part: Ints
    row: Ints
    """In the part."""


def _places(content: Ints, known: Known) -> _Places:
    """The matches of files with these contents, rows of `known.entries`; -1 for a file that could not be read."""
    read = np.flatnonzero(content >= 0)
    content = content[read]
    order = np.argsort(content, kind="stable")
    starts = np.flatnonzero(np.diff(content[order], prepend=-1))
    copy = np.zeros(len(content), np.int64)
    copy[order] = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    part, first, count = (
        known.entries.column(name).to_numpy()[content].astype(np.int64)
        for name in ("part", "first", "matches")
    )
    within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return _Places(
        read.repeat(count), copy.repeat(count), part.repeat(count), first.repeat(count) + within
    )


def _duplicates(places: _Places, alike: Ints, rows_of: Callable[[int], pa.Table]) -> Duplicates:
    """Which of the matches are the same. Only those that have something in common with another one are looked at."""
    shared = np.zeros(len(alike), bool)
    for column in alike.T:
        _, where, count = np.unique(column, return_inverse=True, return_counts=True)
        shared |= (count[where] > 1) & (column != 0)
    some = np.flatnonzero(shared)
    stored = [
        one
        for start, end in pairwise(_borders(places.part[some]))
        for one in stored_of(
            rows_of(places.part[some[start]]).take(pa.array(places.row[some[start:end]]))
        )
    ]
    every = Duplicates(*(np.arange(len(alike)) for _ in Duplicates._fields))
    for column, own in zip(every, duplicates(stored), strict=True):
        column[some] = some[own]
    return every


def listed_files(manifest: bytes) -> list[str]:
    """The files of a list of tables, of any version; none of a list that cannot be read."""
    try:
        return [str(name) for files in json.loads(manifest)["tables"].values() for name in files]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []


def vacuum(corpus: Corpus, before: Sequence[str]) -> None:
    """Delete the files of tables that the list of the archive does not have or no longer has, and the folders that are empty then."""
    now, root = (
        {name for files in corpus.tables.values() for name in files},
        corpus.folder.resolve(),
    )
    for path in (
        corpus.folder / name for name in before if name not in now and name.endswith(SUFFIX)
    ):
        if path.resolve().is_relative_to(root):
            path.unlink(missing_ok=True)
    for name, files in corpus.tables.items():
        listed = {str(corpus.folder / path) for path in files}
        for folder, _, names in os.walk(corpus.folder / name, topdown=False):
            for one in names:
                if SHARD.fullmatch(one) and f"{folder}{os.sep}{one}" not in listed:
                    Path(folder, one).unlink()
            with suppress(OSError):
                Path(folder).rmdir()


def _already_made(
    folder: Path, made_of: str, tables: Mapping[str, Mapping[str, str]]
) -> Corpus | None:
    """The corpus that a folder lists, if it has these tables, made of the same, and its others are as they were made."""
    with suppress(InvalidConfiguration):
        corpus = _listed(str(folder))
        if corpus.made_of == made_of and all(
            corpus.tables[name] == files for name, files in tables.items() if files
        ):
            corpus.check({path for files in tables.values() for path in files})
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
            raise InvalidConfiguration(
                f"expected schema_version {SCHEMA_VERSION}; make the corpus again", path
            )
        corpus = Corpus(Path(folder), **{**document, "rules": tuple(document["rules"])})
        tables = {table: table.lstat() for name in corpus.tables for table in corpus.paths(name)}
        root, folders = path.parent.resolve(), {table.parent for table in tables}
        outside = {folder for folder in folders if not folder.resolve().is_relative_to(root)}
        for table, found in tables.items():
            if table.parent in outside or S_ISLNK(found.st_mode):
                raise InvalidConfiguration(
                    f"expected tables in this folder, found {str(table)!r}; make the corpus again",
                    path,
                )
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InvalidConfiguration(
            f"{_absent(path.parent, Path(str(error.filename)).name)}", folder
        ) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InvalidConfiguration(
            "expected the list of a corpus's tables, found other content; make the corpus again",
            path,
        ) from None
    if not all(found.st_size for found in tables.values()):
        raise InvalidConfiguration("a table is empty; make the corpus again", folder)
    return corpus


def _absent(folder: Path, name: str) -> str:
    """What is wrong with a folder that lacks this file of a corpus, and what helps."""
    named = "name the folder that was given to -o of `reconcile corpus`"
    if not folder.is_dir():
        return (
            f"{'expected a folder, found a file' if folder.exists() else 'no such folder'}; {named}"
        )
    if name != MANIFEST:
        return f"expected a finished corpus, found no {name}; make the corpus again"
    if (folder / FOLDER).is_dir():
        return "the tables are not finished; run the same `reconcile corpus` again, which goes on where it stopped"
    return f"holds no finished tables; {named}"


def _borders(part: Ints) -> list[int]:
    """The numbers of the matches with which another part begins, and the end."""
    return [0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), len(part)] if len(part) else []


class _Table:
    """A table in one Parquet file, named by its content when it is finished."""

    def __init__(self, folder: Path, name: str, schema: pa.Schema, rules: Sequence[str]) -> None:
        self._folder, self._name, self._schema, self._rules = folder, name, schema, rules
        self._temporary = folder / f"{name}{UNFINISHED}"
        self.made: dict[str, str] = {}
        """The SHA-256 of the finished file by its path."""

    def __enter__(self) -> Self:
        self._temporary.unlink(missing_ok=True)  # or what a link leads to would be written
        self._writer = pq.ParquetWriter(self._temporary, self._schema, compression="zstd")
        self._writer.add_key_value_metadata(described(self._name, self._rules))
        return self

    def add(self, rows: pa.Table) -> None:
        """Write rows."""
        self._writer.write_table(
            pa.Table.from_arrays(rows.select(self._schema.names).columns, schema=self._schema),
            row_group_size=MOST_MATCHES,
        )

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        try:
            self._writer.close()
            if failure is None:
                with self._temporary.open("rb+") as file:
                    os.fsync(file.fileno())
                    digest = file_digest(file, "sha256").hexdigest()
                path = f"{self._name}/{digest[:DIGITS]}{SUFFIX}"
                (self._folder / self._name).mkdir(exist_ok=True)
                self._temporary.replace(self._folder / path)
                self.made[path] = digest
        finally:
            self._temporary.unlink(missing_ok=True)
