"""Makes an archive: files go in batches to workers here or on a cluster, which store their rows;
the tables of the archive as a whole come at the end: the files, the matches with duplicates
recognised (`assembly.sql`), and the analyses.

On a cluster batches go to the workers of a Dask scheduler, which read the files and store what they
make themselves.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from filelock import FileLock, Timeout
from jinja2 import Template

from reconcile.corpus.rows import name_persons
from reconcile.corpus.tables import (
    ABOUT,
    LOCK,
    SCRIPT,
    SECRET,
    SHARDED,
    WORK,
    Settings,
    described,
    program,
    schemas,
    script,
)
from reconcile.corpus.work import (
    CONTENTS,
    DIED,
    DIGITS,
    LISTED,
    SHARD,
    SUFFIX,
    UNFINISHED,
    UNITS,
    Batch,
    BatchResult,
    Listing,
    Outcome,
    batches,
    digest_of,
    literal,
    process,
    put,
    remove,
    store,
    stored,
    view_of,
    write_shard,
)
from reconcile.errors import (
    InvalidConfiguration,
    MissingPackage,
    NothingToCompare,
    UnreadableFile,
    reason_of,
)
from reconcile.files.bundled import cache_folder
from reconcile.files.output import CannotWrite, check_not_read, write
from reconcile.files.processes import by_executor, in_order
from reconcile.files.storage import is_remote
from reconcile.formats.archives import Unit, units
from reconcile.match.names import NO_ALIASES
from reconcile.version import __version__
from reconcile.wording import plural

if TYPE_CHECKING:
    import duckdb

BATCH = 128
LARGEST_BATCH = 256
"""Files in a batch: a shard of few matches is hardly more than the list of its columns, one of many
is what a process holds."""
SHARE = 4
"""A batch has at most one of so many files before it, so that no process waits long for the last
one."""
LARGEST_CONTENT = 16 << 20
"""Bytes that a batch may carry, of files that were read here."""

Units = tuple[Unit, ...]
Work = Callable[[Units], BatchResult]
Progress = Callable[[int, int], None]
"""Called with the number of files handled and the number in all batches."""


def build(
    paths: Sequence[str],
    folder: str | Path,
    settings: Settings = Settings(),  # noqa: B008 (it never changes)
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: Progress = lambda done, batch: None,
) -> Corpus:
    """Make or complete the archive of these paths in `folder`.

    `jobs` is the number of processes, by default one per core; `scheduler` the address of a Dask
    scheduler whose workers do the work instead. Raises `UnreadableFile` for a missing path,
    `CannotWrite`, `UnknownName`, and `NothingToCompare` without any file.
    """
    settings.check()
    target = Path(folder)
    check_not_read(str(target / MANIFEST), paths)
    with _writing(target):
        settings = settings.in_folder(target)
        for batch in batches(target, settings):
            if not batch.is_sound:
                remove(batch.folder)
        with closing(Listing(target, settings)) as listing:
            _read(listing, target, paths, jobs or os.cpu_count() or 1, scheduler, progress)
            stored.cache_clear()  # what assembles needs the room
            return assemble(target, settings, listing)


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Hold the folder of an archive, and leave no empty folder. Raises `CannotWrite`."""
    work = target / WORK
    fresh = [parent for parent in (work, *work.parents) if not parent.exists()]
    try:
        work.mkdir(parents=True, exist_ok=True)
        with FileLock(work / LOCK, timeout=0):
            try:
                yield
            finally:
                (work / LOCK).unlink()
    except Timeout:
        raise CannotWrite(
            "another run is writing it; wait for it, or use another folder", target
        ) from None
    except (OSError, sqlite3.Error) as error:
        if getattr(error, "sqlite_errorname", "") == "SQLITE_ERROR":  # ours, not the disk's
            raise
        raise _cannot_write(error, target) from None
    finally:
        for inner in (*work.glob("*"), *fresh):
            with suppress(OSError):  # what is not empty, or was not made
                inner.rmdir()


def _cannot_write(error: Exception, folder: Path) -> CannotWrite:
    reason = reason_of(error) if isinstance(error, OSError) else str(error)
    return CannotWrite(f"cannot be written: {reason}; check the folder", folder)


def _read(
    listing: Listing,
    folder: Path,
    paths: Sequence[str],
    jobs: int,
    scheduler: str | None,
    progress: Progress,
) -> None:
    """Read every file that is not stored, and list what became of it."""
    begun = deque[Unit]()
    settings, place = listing.settings, folder.absolute()
    done = stored(place, settings, listing.began)

    def noted() -> Iterator[Units]:
        unchanged = partial(listing.unchanged, stored=done)
        for batch in _batches(units(paths, unchanged=unchanged)):
            begun.extend(Unit(unit.path, unit.member) for unit in batch)
            yield batch

    work = partial(process, settings=settings, folder=place, run=listing.began)
    if scheduler is not None:
        from reconcile.corpus.run import on_cluster

        results = on_cluster(noted(), work, _died, place, scheduler)
    else:
        results = _local(noted(), work, jobs)
    number = 0
    with closing(results):
        for result in results:
            if result.maker != program():
                raise UnreadableFile(
                    f"a worker has reconcile {result.maker}: expected {program()}, as here; "
                    "install the same one on every machine"
                )
            listing.add((begun.popleft() for _ in result.outcomes), result.outcomes)
            number += len(result.outcomes)
            progress(number, len(result.outcomes))
    if not number:
        names = ", ".join(paths)
        raise NothingToCompare(f"{names}: expected matches or archives of matches, found none")


def _batches(files: Iterable[Unit]) -> Iterator[Units]:
    """The units in their order, more at a time the more there are."""
    batch: list[Unit] = []
    before = size = 0
    for unit in files:
        batch.append(unit)
        size += len(unit.content or b"")
        if len(batch) >= max(BATCH, min(LARGEST_BATCH, before // SHARE)) or size > LARGEST_CONTENT:
            yield tuple(batch)
            before += len(batch)
            batch, size = [], 0
    if batch:
        yield tuple(batch)


def prepare(
    paths: Sequence[str],
    folder: str | Path,
    settings: Settings = Settings(),  # noqa: B008 (it never changes)
) -> int:
    """Read and score some files of an archive for `build`, which then finds them done.

    Any engine that maps a function over lists of files shares the work out with it. Nothing of a
    match passes from one process to another: each writes its rows to `folder`, which all of them
    and `build` see. Returns the number of files. Raises `UnreadableFile` for a missing path,
    `UnknownName`, and `CannotWrite`.
    """
    settings.check()
    target = Path(folder)
    place = settings.in_folder(target), target, token_hex()
    try:
        return sum(len(process(batch, *place).outcomes) for batch in _batches(units(paths)))
    except OSError as error:
        raise _cannot_write(error, target) from None


def _begin() -> None:
    """Prepare a worker process, which has one core."""
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)


def _died(unit: Unit) -> BatchResult:
    return BatchResult((Outcome(None, DIED),), program())


def _local(batches: Iterator[Units], work: Work, jobs: int) -> Generator[BatchResult, None, None]:
    """Batches in order, done by processes of this machine, or by this one if there is one job."""
    if jobs > 1:
        yield from in_order(batches, work, _died, jobs, _begin)
        return
    yield from map(work, batches)


# -- on a cluster ----------------------------------------------------------------------------------

WAITING = 3
"""Batches in flight per thread of the cluster."""
PATIENCE = "30s"


def on_cluster(
    batches: Iterator[Units],
    work: Work,
    died: Callable[[Unit], BatchResult],
    folder: Path,
    scheduler: str,
) -> Generator[BatchResult, None, None]:
    """Batches in order, done by a cluster.

    Raises `MissingPackage`, and `UnreadableFile` if no scheduler answers or a worker does not
    see the folder.
    """
    client, killed = _connected(scheduler)
    room = WAITING * max(1, sum(client.nthreads().values()))
    here = (tuple(map(_anywhere, batch)) for batch in batches)
    with client:
        # `pure=False`: each batch is a separate task, even if two are identical.
        executor = client.get_executor(pure=False, retries=3)
        seeing = partial(work_seeing, folder, work)
        yield from by_executor(executor, here, seeing, died, room, killed)


def _connected(scheduler: str) -> tuple[Any, type[Exception]]:
    """The client of a scheduler, and what it raises for a task whose workers died."""
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise MissingPackage(
            "--scheduler needs Dask: pip install 'gammon-reconcile[cluster]'"
        ) from None
    try:
        client = Client(scheduler, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        problem = str(error)[:200] or "no answer"
        raise UnreadableFile(
            f"{scheduler}: expected a Dask scheduler, found {problem}; check the address"
        ) from None
    return client, KilledWorker


def work_seeing(folder: Path, work: Work, batch: Units) -> BatchResult:
    """Do the work of a batch, if this machine sees the folder of the archive that is being made."""
    if not (folder / WORK / LOCK).exists():
        raise UnreadableFile(
            "a worker does not see this folder: --scheduler needs one that all machines have",
            folder,
        )
    return work(batch)


def _anywhere(unit: Unit) -> Unit:
    """The unit by paths that do not depend on the folder in which a worker was started."""
    if is_remote(unit.path):
        return unit
    pages = unit.pages if unit.member else tuple(str(Path(page).absolute()) for page in unit.pages)
    return replace(unit, path=str(Path(unit.path).absolute()), pages=pages)


# -- the finished tables ---------------------------------------------------------------------------

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
