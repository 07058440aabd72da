"""The finished tables of an archive, and how those of the archive as a whole are made: the files,
the matches with duplicates recognised (`assembly.sql`), and the analyses."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from jinja2 import Template

from reconcile.corpus.catalogue import NAME as CATALOGUE
from reconcile.corpus.catalogue import Catalogue, listing
from reconcile.corpus.settings import LOCK, SECRET, WORK, Settings
from reconcile.corpus.shards import (
    SHARD,
    UNFINISHED,
    UNITS,
    digest_of,
    place_of,
    put,
    remove,
    write_shard,
)
from reconcile.corpus.tables import ABOUT, SHARDED, described, schemas, scored_schemas
from reconcile.errors import InvalidConfiguration
from reconcile.files.output import write
from reconcile.version import __version__
from reconcile.wording import plural

if TYPE_CHECKING:
    import duckdb

CARD: Final = "README.md"
AT_ONCE: Final = 1 << 12
"""Rows of `matches` that are made at once."""
LIMITS: Final[Mapping[str, Any]] = {"memory_limit": "100MB", "threads": 1}
"""For what is of the archive as a whole; the rest is on the disk."""
Tables = dict[str, dict[str, str]]
"""Name of a table -> its files below the folder -> their SHA-256."""


class Corpus(NamedTuple):
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
    the shards. Raises `OSError`."""
    folder, settings = catalogue.folder, catalogue.settings
    wanted, files = schemas(settings.rules), _files(read, settings)
    tables: Tables = {name: {} for name in wanted}
    for path, digest in catalogue.rows("select path, sha256 from shards order by path"):
        if (name := path.partition("/")[0]) in SHARDED:
            tables[name][path] = digest
            if (place := place_of(folder, path)) != folder / path:
                put(place, folder / path)
    with _assembled(catalogue, files) as database:
        counts = database.table("counts").to_arrow_table().to_pylist()[0]
        pieces: dict[str, Iterable[pa.Table]] = {"files": [files]}
        pieces |= {name: _rows(database, name, wanted[name]) for name in ("matches", "analyses")}
        # An empty table has its columns, too.
        pieces |= {name: [wanted[name].empty_table()] for name in SHARDED if not tables[name]}
        for name, rows in pieces.items():
            shard = write_shard(folder, name, wanted[name], rows, settings)
            tables[name] = {shard.path: shard.sha256}
    corpus = Corpus(folder, settings.rules, tables=tables, **counts)
    write(str(folder / CARD), _card(settings, corpus))
    catalogue.finish({"rules": ",".join(settings.rules), **counts}, tables)
    return corpus


@contextmanager
def _assembled(catalogue: Catalogue, files: pa.Table) -> Iterator[duckdb.DuckDBPyConnection]:
    """What is of the archive as a whole, by `assembly.sql`."""
    import duckdb

    work = catalogue.folder / WORK
    receipts = (pq.ParquetFile(work / path).read() for path in catalogue.receipts())
    none = scored_schemas(catalogue.settings.rules)["matches"].empty_table()
    with (
        TemporaryDirectory(prefix="reconcile-") as spilled,
        duckdb.connect(config={**LIMITS, "temp_directory": spilled}) as database,
    ):
        for name, rows in (("files", files), *zip(repeat("stored"), chain([none], receipts))):
            database.register("rows", rows)
            database.execute(f"create table if not exists {name} as from rows limit 0")
            database.execute(f"insert into {name} from rows")
        database.execute(Path(__file__).with_name("assembly.sql").read_text("utf-8"))
        yield database


def _rows(database: duckdb.DuckDBPyConnection, name: str, schema: pa.Schema) -> Iterator[pa.Table]:
    """The rows of a table, some at a time."""
    ((size,),) = database.execute("select count(*) from places").fetchall()
    for start in range(0, size, AT_ONCE):
        piece = database.view(name).filter(f"place between {start} and {start + AT_ONCE - 1}")
        yield piece.order("place").to_arrow_table().select(schema.names).cast(schema)


def _files(read: Sequence[tuple[object, ...]], settings: Settings) -> pa.Table:
    """The files that were read, in their order, as the table of files has them."""
    schema = schemas(settings.rules)["files"]
    columns = map(pa.array, zip(*read, strict=True), schema.types)
    files = pa.table([*columns], schema)
    if not settings.secret:
        return files
    names = pc.coalesce(pc.utf8_slice_codeunits(files.column("sha256"), 0, 12), "")
    return files.set_column(0, schema.field(0), names)


def _card(settings: Settings, corpus: Corpus) -> str:
    """The card of an archive as Markdown, with a YAML head as Hugging Face and others read it."""
    template = Path(__file__).with_name("card.md.j2").read_text("utf-8")
    card: str = Template(template).render(
        settings=settings,
        matches=plural(corpus.played, "match", "matches"),
        files=plural(corpus.files, "file"),
        version=__version__,
        units=UNITS,
        about=ABOUT,
        tables={name: described(schema) for name, schema in schemas(settings.rules).items()},
    )
    return card


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
    return _listed(folder)


def _listed(folder: str) -> Corpus:
    """The corpus of a folder, by its catalogue. Raises `InvalidConfiguration`."""
    path = Path(folder) / CATALOGUE
    try:
        stated, tables = listing(path) if path.is_file() else ({}, {})
        if not tables:
            raise InvalidConfiguration(_unfinished(path.parent), folder)
        corpus = Corpus(
            path.parent,
            tuple(stated.pop("rules").split(",")),
            tables={name: tables[name] for name in schemas(())},
            **{name: int(number) for name, number in stated.items()},
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
