"""The finished tables of an archive, and how those of the archive as a whole are made: the files,
the matches with duplicates recognised (`assembly.sql`), and the analyses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from jinja2 import Template

from reconcile.corpus.identity import name_persons
from reconcile.corpus.tables import (
    ABOUT,
    LOCK,
    SCRIPT,
    SECRET,
    SHARDED,
    WORK,
    Settings,
    described,
    schemas,
    script,
)
from reconcile.corpus.work import (
    CONTENTS,
    DIGITS,
    SHARD,
    SUFFIX,
    UNFINISHED,
    UNITS,
    Batch,
    Listing,
    batches,
    digest_of,
    literal,
    put,
    remove,
    store,
    view_of,
    write_shard,
)
from reconcile.corpus.work import NAME as LISTED
from reconcile.errors import InvalidConfiguration
from reconcile.files.bundled import cache_folder
from reconcile.files.output import CannotWrite, write
from reconcile.match.names import NO_ALIASES
from reconcile.version import __version__
from reconcile.wording import plural

if TYPE_CHECKING:
    import duckdb

CARD = "README.md"
MANIFEST = "archive.json"
"""What the archive consists of. It is written last, so whoever reads it finds the old archive or
the new one."""
MEMORY = 50_000
"""kB for what is of the archive as a whole, of up to 200,000 files; the rest is on the disk."""
FILES_IN_MEMORY = 4
"""Of more files so many in each kB more: which matches are the same is not found on the disk."""
PERSONS = """
create view persons as
select 2 * place + seat as place, slice, match, match_id, analysis_id, seat, name, person
from matches join named using (match)
"""
READ = """
create macro key_of(sha256) as ('0x' || left(sha256, 32))::uhugeint;
create table read (file varchar, sha256 varchar, error varchar, key uhugeint);
create table contents (key uhugeint, sha256 varchar, matches integer, error varchar, batch integer)
"""
SCORED = """
select *, file_index, file_row_number from read_parquet(?, hive_partitioning = false)
"""
TO_READ = """
insert into read select *, key_of(sha256) from (
    select unnest(?::varchar[]) as file, unnest(?::varchar[]) as sha256,
        unnest(?::varchar[]) as error
)
"""
TO_CONTENTS = """
insert into contents
select key_of(sha256), *, ? from read_parquet(?, hive_partitioning = false)
"""
ASKED = "select sha256 from contents semi join chosen using (key, batch) where batch = ?"
Tables = dict[str, dict[str, str]]
"""Name of a table -> its files below the folder -> their SHA-256."""


class Corpus(NamedTuple):
    """The finished tables of an archive, as its manifest lists them."""

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

    def paths(self, table: str) -> list[Path]:
        """The Parquet files of a table."""
        return [self.folder / name for name in self.tables[table]]

    def check(self) -> None:
        """Raise `InvalidConfiguration` if a file of a table is not as it was made. A file is read
        for it once, and again when its size, its times or its place on the disk have changed."""
        key = sha256(json.dumps([str(self.folder), self.tables]).encode()).hexdigest()
        place = cache_folder() / "archives" / f"{key}.json"
        before = {}
        with suppress(OSError, ValueError):
            before = json.loads(place.read_bytes())
        stamps = {}
        for files in self.tables.values():
            for name, digest in files.items():
                status = (self.folder / name).stat()
                times = status.st_mtime_ns, status.st_ctime_ns
                stamps[name] = [*times, status.st_size, status.st_ino]
                if before.get(name) != stamps[name] and digest_of(self.folder / name) != digest:
                    raise InvalidConfiguration(
                        f"expected the table that {MANIFEST} lists, found another; "
                        "make the corpus again",
                        self.folder / name,
                    )
        if stamps != before:
            with suppress(OSError, CannotWrite):
                place.parent.mkdir(parents=True, exist_ok=True)
                write(str(place), json.dumps(stamps))


COUNTS = Corpus._fields[2:-1]


def assemble(folder: Path, settings: Settings, listing: Listing) -> Corpus:
    """Make the tables of files, matches and analyses, in the order of the files, and list them with
    the shards of the files. Raises `OSError`."""
    with _database(listing.size) as database:
        stored = _fitting(folder, settings, listing, database)
        _view_scored(database, stored)
        for name in ("players", "decisions"):
            view_of(database, name, [batch.place(name) for batch in stored])
        database.execute(statements("assembly"))
        name_persons(database, NO_ALIASES)
        database.execute(PERSONS)
        counts = dict(zip(COUNTS, *database.execute("from counts").fetchall(), strict=True))
        tables: Tables = {}
        for name in schemas(settings.rules):
            if name in SHARDED:
                tables[name] = {
                    batch.listed(name).relative_to(folder).as_posix(): batch.shards[name]
                    for batch in stored
                }
            else:
                tables[name] = _written(_rows(database, name, stored), folder, name, settings)
    for batch in stored:
        for name in SHARDED:
            if (place := batch.place(name)) != batch.listed(name):
                put(place, batch.listed(name))
    corpus = Corpus(folder, settings.rules, tables=tables, **counts)
    write(str(folder / CARD), _card(settings, corpus))
    write(str(folder / SCRIPT), script(settings.rules))
    stated = {"version": __version__, "rules": settings.rules, **counts, "tables": tables}
    fresh = folder / WORK / f".{MANIFEST}{UNFINISHED}"
    write(str(fresh), json.dumps(stated, indent=1) + "\n")
    put(fresh, folder / MANIFEST)
    listing.finish()
    _clean(corpus, {batch.folder for batch in stored})
    return corpus


@contextmanager
def _database(files: int) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in little memory for an archive of so many files."""
    import duckdb

    settings = {"memory_limit": f"{max(MEMORY, files // FILES_IN_MEMORY)}KB", "threads": "1"}
    with (
        TemporaryDirectory(prefix="reconcile-") as folder,
        duckdb.connect(config={**settings, "temp_directory": folder}) as database,
    ):
        yield database


def statements(name: str) -> str:
    """The SQL of a file beside this one."""
    return Path(__file__).with_name(f"{name}.sql").read_text("utf-8")


def _fitting(
    folder: Path, settings: Settings, listing: Listing, database: duckdb.DuckDBPyConnection
) -> list[Batch]:
    """Create the table `files` of those of this run, and make of every batch one that has the rows
    that they ask for and no others; at least one."""
    every = {batch.folder.name: batch for batch in batches(folder, settings)}
    names = [*every]
    database.execute(READ)
    for rows in listing.rows():
        database.execute(TO_READ, [*map(list, zip(*rows, strict=True))])
    for number, name in enumerate(names):
        database.execute(TO_CONTENTS, [number, literal(str(every[name].place("files")))])
    database.execute(statements("contents"))
    for (number,) in database.execute("from unfit").fetchall():
        asked = [digest for (digest,) in database.execute(ASKED, [number]).fetchall()]
        fitting = every.pop(names[number]).with_only(pa.array(asked, pa.string()), settings)
        if fitting is not None:
            every[fitting.folder.name] = fitting
    database.execute("drop table chosen; drop table contents")
    if not every:
        batch = store(folder, settings, CONTENTS.empty_table(), {})
        every[batch.folder.name] = batch
    return [every[name] for name in sorted(every)]


def _view_scored(database: duckdb.DuckDBPyConnection, stored: Sequence[Batch]) -> None:
    """Let `scored` be the rows of `matches` in these batches, with their places in them."""
    paths = [literal(str(batch.place("matches"))) for batch in stored]
    database.sql(SCORED, params=[paths]).create_view("scored")


def _rows(
    database: duckdb.DuckDBPyConnection, name: str, stored: Sequence[Batch]
) -> Iterator[pa.Table]:
    """The rows of a table of the archive as a whole, in the order of the files: a slice at a time,
    since to sort all needs much memory."""
    slices = "select distinct slice, [] from files" if name == "files" else "from slices"
    for number, places in database.execute(f"{slices} order by slice").fetchall():
        if places:
            _view_scored(database, [stored[place] for place in places])
        yield database.view(name).filter(f"slice = {number}").order("place").to_arrow_table()


def _written(
    rows: Iterable[pa.Table], folder: Path, name: str, settings: Settings
) -> dict[str, str]:
    """Write a table of the archive as a whole; its file, with its SHA-256."""
    schema = schemas(settings.rules)[name]
    hidden = name == "files" and settings.secret
    pieces = (piece.select(schema.names).cast(schema) for piece in rows)
    fresh = folder / WORK / f".{name}{UNFINISHED}"
    try:
        digest = write_shard(
            fresh, name, schema, map(_without_names, pieces) if hidden else pieces, settings
        )
        path = f"{name}/{digest[:DIGITS]}{SUFFIX}"
        put(fresh, folder / path)
    finally:
        fresh.unlink(missing_ok=True)
    return {path: digest}


def _without_names(files: pa.Table) -> pa.Table:
    names = pc.coalesce(pc.utf8_slice_codeunits(files.column("sha256"), 0, 12), "")
    return files.set_column(0, files.schema.field(0), names)


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


def _clean(corpus: Corpus, kept: set[Path]) -> None:
    """Delete shards that the archive does not list, and work that is of other files."""
    listed = {path for paths in corpus.tables.values() for path in paths}
    for name in corpus.tables:
        for path in (corpus.folder / name).iterdir():
            if SHARD.fullmatch(path.name) and f"{name}/{path.name}" not in listed:
                remove(path)
    work = corpus.folder / WORK
    for path in work.iterdir():
        inside = {batch for batch in kept if batch.parent == path}
        for batch in {*path.iterdir()} - inside if inside else ():
            remove(batch)
        if not inside and path.name not in (LOCK, SECRET, LISTED):
            remove(path)


def load_corpus(folder: str, fetch: Callable[[Path], object] = lambda path: None) -> Corpus:
    """A corpus that was finished; `fetch` is called of every file of it, which is to be there then.
    Raises `InvalidConfiguration`."""
    path = Path(folder) / MANIFEST
    if not path.is_file():
        raise InvalidConfiguration(_unfinished(path.parent), folder)
    try:
        stated = json.loads(path.read_bytes())
        tables = {name: dict(stated["tables"][name]) for name in schemas(())}
        counts = {name: int(stated[name]) for name in COUNTS}
        corpus = Corpus(path.parent, tuple(stated["rules"]), tables=tables, **counts)
        places = [place for name in tables for place in corpus.paths(name)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InvalidConfiguration(
            "expected the manifest of a corpus, found other content; make the corpus again", path
        ) from None
    root = path.parent.resolve()
    for place in places:
        if not place.parent.resolve().is_relative_to(root) or place.is_symlink():
            raise InvalidConfiguration(
                f"expected tables in this folder, found {str(place)!r}; make the corpus again", path
            )
        fetch(place)
        if not place.exists():
            raise InvalidConfiguration(
                f"expected a finished corpus, found no {place.name}; make the corpus again", folder
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
