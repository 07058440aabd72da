"""The finished tables of an archive, and how those of the whole of it are made.

These are the files, the matches with duplicates recognised, and the analyses.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISLNK
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reconcile.corpus.card import NAME as CARD
from reconcile.corpus.card import card
from reconcile.corpus.catalogue import NAME as CATALOGUE
from reconcile.corpus.catalogue import Catalogue, listing
from reconcile.corpus.identity import KEYS_OF_EACH, Duplicates, copied, duplicates
from reconcile.corpus.settings import Settings
from reconcile.corpus.shards import (
    DIGITS,
    SUFFIX,
    UNFINISHED,
    about,
    digest_of,
    put,
    remove,
    write_shard,
)
from reconcile.corpus.tables import FILES, SHARDED, schemas
from reconcile.corpus.work import ALIKE, LOCK, SECRET, WORK, receipt_schema, stored_of, with_column
from reconcile.errors import InvalidConfiguration
from reconcile.files.inputs import note
from reconcile.files.output import write
from reconcile.match.columns import Ints
from reconcile.version import __version__

if TYPE_CHECKING:
    import pandas as pd

SHARD: Final = re.compile(rf"[0-9a-f]{{{DIGITS}}}{re.escape(SUFFIX)}")
AT_ONCE: Final = 1 << 12
"""Rows of `matches` that are made at once."""
Tables = dict[str, dict[str, str]]
"""Name of a table -> its files below the folder -> their SHA-256."""
COUNTS: Final = ("files", "played", "matches", "duplicates", "without_match", "errors")


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
    settings: str = ""
    """What the tables follow from besides the files."""

    @property
    def compared_rules(self) -> tuple[str, str]:
        """The two rule sets that a report compares on the same file: the first two, or the only one
        with itself."""
        return self.rules[0], self.rules[min(1, len(self.rules) - 1)]

    def paths(self, table: str) -> list[Path]:
        """The Parquet files of a table."""
        return [self.folder / name for name in self.tables[table]]

    def check(self) -> None:
        """Read every file of a table once, and raise `InvalidConfiguration` if one is not as it was
        made."""
        for files in self.tables.values():
            for name, digest in files.items():
                if digest_of(self.folder / name) != digest:
                    raise InvalidConfiguration(
                        f"expected the table that {CATALOGUE} lists, found another; "
                        "make the corpus again",
                        self.folder / name,
                    )


def assemble(catalogue: Catalogue, settings: Settings) -> Corpus:
    """Make the tables of files, matches and analyses, in the order of the files, and list them with
    the shards. What is listed already stays as it is if it follows from the same. Raises `OSError`.
    """
    folder = catalogue.folder
    files = _files(catalogue, settings)
    tables = _shards(catalogue, settings, files)
    for path in (path for paths in tables.values() for path in paths):
        if (waiting := catalogue.place(path)) != folder / path:
            put(waiting, folder / path)
    corpus = _already_made(folder, settings, tables)
    corpus = corpus or _of_matches(catalogue, settings, tables, files)
    write(str(folder / CARD), card(settings, corpus.played, corpus.files))
    catalogue.finish(
        [
            ("version", __version__),
            ("rules", ",".join(corpus.rules)),
            ("settings", corpus.settings),
            *((name, str(getattr(corpus, name))) for name in COUNTS),
        ],
        ((name, *item) for name, paths in corpus.tables.items() for item in paths.items()),
    )
    return corpus


def _shards(catalogue: Catalogue, settings: Settings, files: pd.DataFrame) -> Tables:
    """The shards of the tables that grow, and the table of files."""
    wanted = schemas(settings.rules)
    tables: Tables = {name: {} for name in wanted}
    for batch in catalogue.batches():
        for shard in catalogue.shards(batch):
            if shard.table != WORK:
                tables[shard.table][shard.path] = shard.sha256
    rows = {name: wanted[name].empty_table() for name in SHARDED if not tables[name]}
    rows["files"] = pa.Table.from_pandas(files, wanted["files"], preserve_index=False)
    for name, table in rows.items():  # an empty table has its columns, too
        tables[name] = _written(catalogue.folder, name, [table], settings)
    return tables


def _written(
    folder: Path, name: str, rows: Iterable[pa.Table], settings: Settings
) -> dict[str, str]:
    """A table of one file, by its path and SHA-256."""
    schema = schemas(settings.rules)[name]
    shard = write_shard(folder, name, schema, rows, about(name, settings))
    return {shard.path: shard.sha256}


def _of_matches(
    catalogue: Catalogue, settings: Settings, tables: Tables, files: pd.DataFrame
) -> Corpus:
    """The corpus, with the tables of matches and of analyses, which are made here."""
    folder, raw = catalogue.folder, receipt_schema(settings.rules)
    receipts = [pq.read_table(folder / WORK / batch) for batch in catalogue.batches()]
    stored = pa.concat_tables([raw.empty_table(), *receipts]).combine_chunks()
    places = _places(files, stored)
    same, number = _duplicates(places, stored), places["match"].to_numpy()
    for name, some in (("matches", places), ("analyses", places[places.copies == 0])):
        rows = _matches(stored, some, number, same)
        tables = {**tables, name: _written(folder, name, rows, settings)}
    counting = int(np.count_nonzero(same.counts == np.arange(len(places))))
    return Corpus(
        folder,
        settings.rules,
        files=len(files),
        played=len(np.unique(same.first)),
        matches=counting,
        duplicates=len(places) - counting,
        without_match=int(((files.matches == 0) & files.error.isna()).sum()),
        errors=int(files.error.notna().sum()),
        tables={name: dict(sorted(paths.items())) for name, paths in tables.items()},
        settings=settings.digest,
    )


def _files(catalogue: Catalogue, settings: Settings) -> pd.DataFrame:
    """The files that were read, in their order, as the table of files has them."""
    import pandas as pd

    files = pd.DataFrame(catalogue.files(), columns=FILES.names, dtype=object)
    if settings.secret:
        files["file"] = files.sha256.str[:12].fillna("")
    return files


def _places(files: pd.DataFrame, stored: pa.Table) -> pd.DataFrame:
    """Every match of the archive in its order: its file, how many files of the same bytes come
    before it, the row of `stored` that has it, and its number."""
    import pandas as pd

    rows = pd.DataFrame(
        {"sha256": stored.column("sha256").to_pandas(), "row": np.arange(len(stored))}
    )
    named = files[["file", "sha256"]].assign(
        copies=files.groupby("sha256").cumcount(), place=np.arange(len(files))
    )
    places = named.merge(rows, on="sha256").sort_values(["place", "row"], ignore_index=True)
    numbers = stored.column("match").to_numpy()[places.row]
    places["match"] = [*map(copied, numbers.tolist(), places.copies.tolist())]
    return places


def _duplicates(places: pd.DataFrame, stored: pa.Table) -> Duplicates:
    """Which of the matches are the same. Only those that have something in common with another one
    are looked at."""
    alike = np.array(stored.column(ALIKE).to_pylist(), np.int64).reshape(-1, KEYS_OF_EACH)[
        places.row
    ]
    shared = np.zeros(len(alike), bool)
    for column in alike.T:
        _, where, count = np.unique(column, return_inverse=True, return_counts=True)
        shared |= (count[where] > 1) & (column != 0)
    some = np.flatnonzero(shared)
    every = Duplicates(*(np.arange(len(alike)) for _ in Duplicates._fields))
    own = duplicates(stored_of(stored.take(pa.array(places.row.to_numpy()[some]))))
    for column, numbers in zip(every, own, strict=True):
        column[some] = some[numbers]
    return every


def _matches(
    stored: pa.Table, places: pd.DataFrame, number: Ints, same: Duplicates
) -> Iterator[pa.Table]:
    """The rows of `matches` in these places of the archive, which the index has."""
    for start in range(0, len(places), AT_ONCE):
        here = places[start : start + AT_ONCE]
        at = here.index.to_numpy()
        rows = stored.take(pa.array(here.row.to_numpy()))
        fragments = rows.column("file").to_pylist()
        columns = {
            "match": number[at],
            "file": [name + rest for name, rest in zip(here.file, fragments, strict=True)],
            "same_as": number[same.first[at]],
        }
        for name, other in (("duplicate_of", same.counts[at]), ("twin_of", same.twin[at])):
            columns[name] = pa.array(number[other], pa.int64(), mask=other == at)
        for name, values in columns.items():
            rows = with_column(rows, name, pa.array(values, rows.schema.field(name).type))
        yield rows


def _already_made(
    folder: Path, settings: Settings, tables: Mapping[str, Mapping[str, str]]
) -> Corpus | None:
    """The corpus that a folder lists, if it has these tables, made of the same, and its others are
    as they were made."""
    with suppress(InvalidConfiguration):
        corpus = _listed(str(folder))
        if corpus.settings == settings.digest and all(
            corpus.tables[name] == paths
            if paths
            else all(digest_of(folder / path) == sha for path, sha in corpus.tables[name].items())
            for name, paths in tables.items()
        ):
            return corpus
    return None


def vacuum(corpus: Corpus, catalogue: Catalogue) -> None:
    """Delete shards that the archive does not list, and work without a receipt."""
    listed = {path for paths in corpus.tables.values() for path in paths}
    for name in corpus.tables:
        for path in (corpus.folder / name).iterdir():
            ours = SHARD.fullmatch(path.name) or path.name.endswith(UNFINISHED)
            if ours and f"{name}/{path.name}" not in listed:
                remove(path)
    work = corpus.folder / WORK
    keep = {work / LOCK, work / SECRET, *(work / batch for batch in catalogue.batches())}
    for path in sorted(work.rglob("*"), reverse=True):
        if path not in keep and not path.is_dir():
            remove(path)


def load_corpus(folder: str) -> Corpus:
    """A corpus that was finished. Raises `InvalidConfiguration`."""
    corpus = _listed(folder)
    tables = (path for name in corpus.tables for path in corpus.paths(name))
    for path in (corpus.folder / CATALOGUE, corpus.folder / CARD, *tables):
        note(path)
    return corpus


def _listed(folder: str) -> Corpus:
    """The corpus of a folder, by its catalogue. Raises `InvalidConfiguration`."""
    path = Path(folder) / CATALOGUE
    try:
        stated, tables = listing(path) if path.is_file() else ({}, {})
        if not tables:
            raise InvalidConfiguration(_unfinished(path.parent), folder)
        corpus = Corpus(
            path.parent,
            tuple(stated["rules"].split(",")),
            tables={name: tables[name] for name in schemas(())},
            settings=stated["settings"],
            **{name: int(stated[name]) for name in COUNTS},
        )
        files = {table: table.lstat() for name in corpus.tables for table in corpus.paths(name)}
    except (sqlite3.Error, ValueError, KeyError, TypeError, AttributeError):
        raise InvalidConfiguration(
            "expected the catalogue of a corpus, found other content; make the corpus again", path
        ) from None
    except OSError as error:
        raise InvalidConfiguration(
            f"expected a finished corpus, found no {Path(str(error.filename)).name}; "
            "make the corpus again",
            folder,
        ) from None
    root = path.parent.resolve()
    outside = {
        parent
        for parent in {table.parent for table in files}
        if not parent.resolve().is_relative_to(root)
    }
    for table, status in files.items():
        if table.parent in outside or S_ISLNK(status.st_mode):
            raise InvalidConfiguration(
                f"expected tables in this folder, found {str(table)!r}; make the corpus again", path
            )
    if not all(status.st_size for status in files.values()):
        raise InvalidConfiguration("a table is empty; make the corpus again", folder)
    return corpus


def _unfinished(folder: Path) -> str:
    """What is wrong with a folder that has no finished tables, and what helps."""
    named = "name the folder that was given to -o of `reconcile corpus`"
    if not folder.is_dir():
        problem = "expected a folder, found a file" if folder.exists() else "no such folder"
        return f"{problem}; {named}"
    if (folder / WORK).is_dir():
        return (
            "the tables are not finished; run the same `reconcile corpus` again, "
            "which goes on where it stopped"
        )
    return f"holds no finished tables; {named}"
