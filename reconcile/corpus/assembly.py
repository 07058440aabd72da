"""The list of an archive's tables, and the small tables that are of the whole of it: matches, with duplicates recognised, and files."""

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
from typing import Any, Final, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from reconcile.corpus.contents import UNREAD, Contents, Duplicates, Outcomes, Places, duplicates
from reconcile.corpus.identity import KEYS_OF_EACH, copied
from reconcile.corpus.parts import ALIKE, FOLDER, matches_of, stored_of
from reconcile.corpus.shards import DIGITS, SHARDED, SUFFIX, folder_of, shard
from reconcile.corpus.tables import FILES, schemas
from reconcile.errors import InvalidConfiguration, reason_of
from reconcile.files.inputs import note
from reconcile.files.output import CannotWrite, write
from reconcile.match.columns import Ints

MANIFEST: Final = "corpus.json"
SCHEMA_VERSION: Final = 5
SHARD: Final = re.compile(rf"[0-9a-f]{{{DIGITS}}}{re.escape(SUFFIX)}")
FILES_AT_ONCE: Final = 1 << 14
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
    """Digest of all that the tables follow from."""

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
            for name, digest in ((name, digest) for name, digest in files.items() if name not in sound):
                try:
                    as_made = is_sound(path := self.folder / name, digest)
                except OSError as error:
                    raise InvalidConfiguration(f"cannot be read: {reason_of(error)}", path) from None
                if not as_made:
                    raise InvalidConfiguration(f"expected the table that {MANIFEST} lists, found another; make the corpus again", path)


def is_sound(path: Path, digest: str) -> bool:
    """Whether a file has this SHA-256. Raises `OSError`."""
    return sha256(path.read_bytes()).hexdigest() == digest


def assemble(
    folder: Path, outcomes: Outcomes, known: Contents, rules: Sequence[str], keys: Sequence[str] = (), *, made_of: str = ""
) -> Corpus:
    """Make the tables of matches and files, in the order of the units, and list them with the shards of the parts, all of which are wanted.

    `made_of` is for `already_made`. Raises `CannotWrite` and `DamagedPart`.
    """
    contents = outcomes.contents(known.known)
    places = known.places(contents)
    rows_of = lru_cache(PARTS_AT_ONCE)(lambda part: matches_of(folder / FOLDER / known.parts[part].name))
    number, alike = np.zeros(len(places.unit), np.int64), np.zeros((len(places.unit), KEYS_OF_EACH), np.int64)
    order = np.argsort(places.part, kind="stable")  # so that each part is read once
    for here in (order[start:end] for start, end in pairwise(_borders(places.part[order]))):
        rows = rows_of(places.part[here[0]]).take(pa.array(places.number[here]))
        number[here] = list(map(copied, rows.column("match").to_pylist(), places.copy[here].tolist()))
        alike[here] = rows.column(ALIKE).to_pylist()
    same = _duplicates(places, alike, rows_of)
    errors = without_match = 0
    wanted = {"files": FILES, **schemas(rules)}
    tables: dict[str, dict[str, str]] = {name: {} for name in wanted}
    for part in known.parts:
        for path, digest in part.shards.items():
            tables[path.partition("/")[0]][path] = digest
    try:
        with _Table(folder, "files", FILES) as listed:
            for start in range(0, len(outcomes), FILES_AT_ONCE):
                files = _files(outcomes, known, contents, start)
                unread = files["error"].is_valid()
                errors += pc.sum(unread).as_py()
                without_match += pc.sum(pc.and_not(pc.equal(files["matches"], 0), unread)).as_py()
                listed.add(files)
        with _Table(folder, "matches", wanted["matches"]) as table:
            for start, end in pairwise(_borders(places.part)):
                units = places.unit[start:end]
                names = outcomes.names(units[0], units[-1] + 1)
                rows = rows_of(places.part[start]).take(pa.array(places.number[start:end]))
                files = [names[unit] + rest for unit, rest in zip(units - units[0], rows.column("file").to_pylist(), strict=True)]
                flags = {
                    name: pa.array(number[column[start:end]], pa.int64(), mask=column[start:end] == np.arange(start, end))
                    for name, column in (("duplicate_of", same.counts), ("twin_of", same.twin))
                }
                own = {"match": number[start:end], "file": files, **flags, "same_as": number[same.first[start:end]]}
                table.add(_with_columns(rows, own))
        tables |= {"files": listed.made, "matches": table.made}
        for name in SHARDED:
            if not tables[name]:  # so that an empty table has its columns, too
                for path, content in shard(name, folder_of(keys), wanted[name].empty_table(), wanted[name]).items():
                    write(str(folder / path), content)
                    tables[name][path] = sha256(content).hexdigest()
    except OSError as error:
        raise CannotWrite(f"cannot be written: {reason_of(error)}; check the disk", folder) from None
    counting = int(np.count_nonzero(same.counts == np.arange(len(same.counts))))
    corpus = Corpus(
        folder,
        tuple(rules),
        files=len(outcomes),
        played=len(np.unique(same.first)),
        matches=counting,
        duplicates=len(same.counts) - counting,
        without_match=without_match,
        errors=errors,
        tables={name: dict(sorted(files.items())) for name, files in tables.items()},
        made_of=made_of,
    )
    document = {"schema_version": SCHEMA_VERSION, **{key: value for key, value in asdict(corpus).items() if key != "folder"}}
    write(str(folder / MANIFEST), json.dumps(document, indent=2) + "\n")
    return corpus


def _duplicates(places: Places, alike: Ints, rows_of: Callable[[int], pa.Table]) -> Duplicates:
    """Which of the matches are the same. Only those that have something in common with another one are looked at."""
    shared = np.zeros(len(alike), bool)
    for column in alike.T:
        _, where, count = np.unique(column, return_inverse=True, return_counts=True)
        shared |= (count[where] > 1) & (column != 0)
    some = np.flatnonzero(shared)
    stored = [
        one
        for start, end in pairwise(_borders(places.part[some]))
        for one in stored_of(rows_of(places.part[some[start]]).take(pa.array(places.number[some[start:end]])))
    ]
    found = duplicates(stored)
    every = [np.arange(len(alike)) for _ in found]
    for column, own in zip(every, found, strict=True):
        column[some] = some[own]
    return Duplicates(*every)


def vacuum(corpus: Corpus) -> None:
    """Delete the files of tables that the list of the archive does not have, and the folders that are empty then."""
    for name, files in corpus.tables.items():
        listed = {str(corpus.folder / path) for path in files}
        for folder, _, names in os.walk(corpus.folder / name, topdown=False):
            for one in names:
                if SHARD.fullmatch(one) and f"{folder}{os.sep}{one}" not in listed:
                    Path(folder, one).unlink()
            with suppress(OSError):
                Path(folder).rmdir()


def already_made(folder: Path, made_of: str, sound: Container[str]) -> Corpus | None:
    """The corpus in a folder if its tables follow from the same and each is as it was made, as those of `sound` are known to be."""
    with suppress(InvalidConfiguration):
        corpus = _listed(str(folder))
        if corpus.made_of == made_of:
            corpus.check(sound)
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
        tables = {table: table.lstat() for name in corpus.tables for table in corpus.paths(name)}
        root, folders = path.parent.resolve(), {table.parent for table in tables}
        outside = {folder for folder in folders if not folder.resolve().is_relative_to(root)}
        for table, found in tables.items():
            if table.parent in outside or S_ISLNK(found.st_mode):
                raise InvalidConfiguration(f"expected tables in this folder, found {str(table)!r}; make the corpus again", path)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InvalidConfiguration(f"{_absent(path.parent, Path(str(error.filename)).name)}", folder) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InvalidConfiguration("expected the list of a corpus's tables, found other content; make the corpus again", path) from None
    if not all(found.st_size for found in tables.values()):
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


def _with_columns(rows: pa.Table, own: Mapping[str, Any]) -> pa.Table:
    """The rows with columns that are known only for the whole archive."""
    for name, values in own.items():
        field = rows.schema.field(name)
        rows = rows.set_column(rows.schema.get_field_index(name), field, pa.array(values, field.type))
    return rows


class _Table:
    """A table in one Parquet file, named by its content when it is finished."""

    def __init__(self, folder: Path, name: str, schema: pa.Schema) -> None:
        self._folder, self._name, self._schema = folder, name, schema
        self._temporary = folder / f"{name}{UNFINISHED}"
        self.made: dict[str, str] = {}
        """The SHA-256 of the finished file by its path."""

    def __enter__(self) -> Self:
        self._temporary.unlink(missing_ok=True)  # or what a link leads to would be written
        self._writer = pq.ParquetWriter(self._temporary, self._schema, compression="zstd")
        return self

    def add(self, rows: pa.Table) -> None:
        """Write rows."""
        self._writer.write_table(
            pa.Table.from_arrays(rows.select(self._schema.names).columns, schema=self._schema), row_group_size=MOST_MATCHES
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
