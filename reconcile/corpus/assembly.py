"""The finished tables of an archive, and how those of the archive as a whole are made: the files,
the matches with duplicates recognised (`assembly.sql`), and the analyses."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from reconcile.corpus.catalogue import NAME as CATALOGUE
from reconcile.corpus.catalogue import Catalogue, listing
from reconcile.corpus.settings import SECRET, WORK, Settings
from reconcile.corpus.shards import (
    DIGITS,
    SUFFIX,
    UNFINISHED,
    UNITS,
    digest_of,
    put,
    remove,
    write_table,
)
from reconcile.corpus.tables import ABOUT, SHARDED, described, schemas
from reconcile.corpus.work import receipt_schema
from reconcile.errors import InvalidConfiguration
from reconcile.files.inputs import note
from reconcile.files.output import write
from reconcile.version import __version__
from reconcile.wording import plural

if TYPE_CHECKING:
    import duckdb

LOCK: Final = "lock"
CARD: Final = "README.md"
SHARD: Final = re.compile(rf"[0-9a-f]{{{DIGITS}}}{re.escape(SUFFIX)}")
AT_ONCE: Final = 1 << 12
"""Rows of `matches` that are made at once."""
LIMITS: Final[Mapping[str, Any]] = {"memory_limit": "100MB", "threads": 1}
"""For what is of the archive as a whole; the rest is on the disk."""
COUNTS: Final = ("files", "played", "matches", "duplicates", "without_match", "errors")
Tables = dict[str, dict[str, str]]
"""Name of a table -> its files below the folder -> their SHA-256."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The finished tables of an archive, as its catalogue lists them."""

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
    tables: Tables
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


def assemble(catalogue: Catalogue, read: Sequence[tuple[object, ...]]) -> Corpus:
    """Make the tables of files, matches and analyses, in the order of the files, and list them with
    the shards. What is listed already stays as it is if it follows from the same. Raises `OSError`.
    """
    folder, settings = catalogue.folder, catalogue.settings
    files = _files(read, settings)
    tables = _shards(catalogue, settings, files)
    for path in (path for paths in tables.values() for path in paths):
        if (waiting := catalogue.place(path)) != folder / path:
            put(waiting, folder / path)
    corpus = _already_made(folder, settings, tables)
    corpus = corpus or _of_matches(catalogue, settings, tables, files)
    write(str(folder / CARD), _card(settings, corpus))
    stated = {"version": __version__, "rules": ",".join(corpus.rules), "settings": corpus.settings}
    stated |= {name: str(getattr(corpus, name)) for name in COUNTS}
    listed = ((name, *item) for name, paths in corpus.tables.items() for item in paths.items())
    catalogue.finish(stated.items(), listed)
    return corpus


def _files(read: Sequence[tuple[object, ...]], settings: Settings) -> pa.Table:
    """The files that were read, in their order, as the table of files has them."""
    schema = schemas(settings.rules)["files"]
    columns = map(pa.array, zip(*read, strict=True), schema.types)
    files = pa.table([*columns], schema)
    if not settings.secret:
        return files
    names = pc.coalesce(pc.utf8_slice_codeunits(files.column("sha256"), 0, 12), "")
    return files.set_column(0, schema.field(0), names)


def _shards(catalogue: Catalogue, settings: Settings, files: pa.Table) -> Tables:
    """The shards of the tables that grow, and the table of files."""
    wanted = schemas(settings.rules)
    tables: Tables = {name: {} for name in wanted}
    for receipt in catalogue.receipts():
        for shard in catalogue.shards(receipt):
            if shard.table in SHARDED:
                tables[shard.table][shard.path] = shard.sha256
    rows = {name: wanted[name].empty_table() for name in SHARDED if not tables[name]}
    for name, table in {**rows, "files": files}.items():  # an empty table has its columns, too
        shard = write_table(catalogue.folder, name, [table], settings)
        tables[name][shard.path] = shard.sha256
    return tables


def _of_matches(
    catalogue: Catalogue, settings: Settings, tables: Tables, files: pa.Table
) -> Corpus:
    """The corpus, with the tables of matches and of analyses, which are made here."""
    import duckdb

    path = Path(__file__).with_name("assembly.sql")
    places, same, counts = re.split("^-- then:.*$", path.read_text("utf-8"), flags=re.MULTILINE)
    with (
        TemporaryDirectory(prefix="reconcile-") as spilled,
        duckdb.connect(config={**LIMITS, "temp_directory": spilled}) as database,
    ):
        _insert(database, "files", files)
        _insert(database, "stored", receipt_schema(settings).empty_table())
        for receipt in catalogue.receipts():
            _insert(database, "stored", pq.read_table(catalogue.folder / WORK / receipt))
        database.execute(places)
        _insert(database, "first_places", _first_places(database))
        database.execute(same)
        (numbers,) = database.execute(counts).fetchall()
        for name in ("matches", "analyses"):
            rows = _rows(database, name, schemas(settings.rules)[name])
            shard = write_table(catalogue.folder, name, rows, settings)
            tables[name] = {shard.path: shard.sha256}
    listed = {name: dict(sorted(paths.items())) for name, paths in tables.items()}
    return Corpus(
        catalogue.folder,
        settings.rules,
        tables=listed,
        settings=settings.digest,
        **dict(zip(COUNTS, numbers, strict=True)),
    )


def _insert(database: duckdb.DuckDBPyConnection, name: str, rows: pa.Table) -> None:
    """Add rows to a table, or make it of them."""
    database.register("rows", rows)
    for statement in ("create table if not exists {} as {} limit 0", "insert into {} {}"):
        database.execute(statement.format(name, "select * from rows"))
    database.unregister("rows")


def _first_places(database: duckdb.DuckDBPyConnection) -> pa.Table:
    """The first place of each group of `pairs`: the smallest number spreads along them until
    nothing changes."""
    ((size,),) = database.execute("select count(*) from places").fetchall()
    pairs = database.execute("select place, other from pairs").fetchnumpy()
    first = np.arange(size)
    before = first - 1
    while (first != before).any():
        before, first = first, first.copy()
        smaller = np.minimum(before[pairs["place"]], before[pairs["other"]])
        for end in pairs.values():
            np.minimum.at(first, end, smaller)
    return pa.table({"place": np.arange(size), "first": first})


def _rows(database: duckdb.DuckDBPyConnection, name: str, schema: pa.Schema) -> Iterator[pa.Table]:
    """The rows of `matches`, or of `analyses`, where copies of a file are one."""
    ((size,),) = database.execute("select count(*) from places").fetchall()
    rows = database.view("assembled")
    if name == "analyses":
        rows = rows.filter("copies = 0")
    for start in range(0, size, AT_ONCE):
        piece = rows.filter(f"place >= {start} and place < {start + AT_ONCE}").order("place")
        yield piece.to_arrow_table().select(schema.names).cast(schema)


def _card(settings: Settings, corpus: Corpus) -> str:
    """The card of an archive as Markdown, with a YAML head as Hugging Face and others read it."""
    names = "other names, the same for the same player" if settings.secret else ""
    every = schemas(settings.rules).items()
    return (
        Path(__file__)
        .with_name("card.md")
        .read_text("utf-8")
        .format(
            configs="".join(
                f"  - config_name: {name}\n    data_files: {name}/*.parquet\n" for name in ABOUT
            ),
            matches=plural(corpus.played, "match", "matches"),
            files=plural(corpus.files, "file"),
            rules=", ".join(settings.rules),
            version=__version__,
            units=UNITS,
            licence=settings.licence or "not stated; it is that of the matches",
            names=names or "as the files have them",
            tables=_list("table", "rows", ABOUT),
            columns="".join(
                f"\n## {name}\n\n{_list('column', 'meaning', described(schema))}"
                for name, schema in every
            ),
        )
    )


def _list(first: str, second: str, rows: Mapping[str, str]) -> str:
    lines = "".join(f"| `{name}` | {text} |\n" for name, text in rows.items())
    return f"| {first} | {second} |\n| --- | --- |\n{lines}"


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
    keep = {work / LOCK, work / SECRET, *(work / receipt for receipt in catalogue.receipts())}
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
    except (sqlite3.Error, ValueError, KeyError, TypeError, AttributeError):
        raise InvalidConfiguration(
            "expected the catalogue of a corpus, found other content; make the corpus again", path
        ) from None
    root = path.parent.resolve()
    for table in (table for name in corpus.tables for table in corpus.paths(name)):
        if not table.parent.resolve().is_relative_to(root) or table.is_symlink():
            raise InvalidConfiguration(
                f"expected tables in this folder, found {str(table)!r}; make the corpus again", path
            )
        if not table.exists():
            raise InvalidConfiguration(
                f"expected a finished corpus, found no {table.name}; make the corpus again", folder
            )
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
