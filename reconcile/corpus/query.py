"""The tables of an archive in DuckDB: one statement that reads, within limits of time and memory."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import TYPE_CHECKING, Final

from reconcile.corpus.assembly import Corpus
from reconcile.corpus.tables import schemas
from reconcile.corpus.views import VIEWS
from reconcile.errors import InvalidConfiguration, InvalidQuery, MissingPackage
from reconcile.files.aliases import NO_ALIASES, Aliases
from reconcile.files.limits import LARGEST_ANSWER, MOST_ROWS

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


THREADS: Final = 1
"""A single thread sums in a fixed order, so the same tables give the same digits."""
MEMORY: Final = 1.0
"""What a question or a study may use of the memory, GB."""
HELD: Final = 0.7
"""The share of it that DuckDB may hold beside Python and its packages; the rest of a large answer is on the disk."""
SPILLED: Final = "20GB"
"""What it may use of the disk for what does not fit there."""


@contextmanager
def opened(
    corpus: Corpus, *, threads: int = THREADS, memory: float | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with a view of every table, which can read these tables and no other file; closed in the end.

    Raises `MissingPackage` without DuckDB, and `InvalidConfiguration` where a table cannot be read or has changed since it was made.
    """
    try:
        import duckdb
    except ImportError:
        raise MissingPackage(
            "the tables of a corpus need duckdb, which is not installed; pip install 'gammon-reconcile[corpus]'"
        ) from None
    corpus.check()
    # Nothing is downloaded.
    settings: dict[str, str | bool | int | float | list[str]] = {
        "threads": threads,
        "memory_limit": f"{HELD * (memory or MEMORY):.3f}GB",
        "max_temp_directory_size": SPILLED,
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "python_enable_replacements": "false",
    }
    try:
        with (
            TemporaryDirectory(prefix="reconcile-") as spilled,
            duckdb.connect(config=settings | {"temp_directory": spilled}) as database,
        ):
            allowed, wanted = [], schemas(corpus.rules)
            for name in corpus.tables.keys() - VIEWS.keys():
                paths = [str(path) for path in corpus.paths(name)]
                _check(paths[0], wanted[name])  # DuckDB sees that the others are like it
                patterns = [
                    path.replace("[", "[[]").replace("*", "[*]").replace("?", "[?]")
                    for path in paths
                ]
                # The folders of partitions repeat what is in `matches`.
                database.read_parquet(patterns, hive_partitioning=False).create_view(name)
                allowed += paths + patterns
            database.execute("set allowed_paths = ?", [allowed])
            database.execute("set enable_external_access = false")
            yield database
    except duckdb.Error as error:
        text = " ".join(str(error).split())[:200]
        raise InvalidConfiguration(
            f"the tables cannot be read: {text}; make the corpus again", corpus.folder
        ) from None


def _check(path: str, wanted: pa.Schema) -> None:
    """Raise `InvalidConfiguration` for what is no Parquet file with the columns of its table."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        found = pq.read_schema(path)
    except (OSError, pa.ArrowException) as error:
        text = " ".join(str(error).split())[:100]
        raise InvalidConfiguration(
            f"expected a Parquet file, found {text!r}; make the corpus again", path
        ) from None
    for field in wanted:
        kind = found.field(field.name).type if found.names.count(field.name) == 1 else "none"
        if kind != field.type:
            expected = f"expected the column {field.name!r} of type {field.type}"
            raise InvalidConfiguration(f"{expected}, found {kind}; make the corpus again", path)


TIMEOUT: Final = 60.0
_EXPLAINED: Final = re.compile(
    r"\s*(explain(?:\s+analy[sz]e)?(?:\s*\([\w\s,]*\))?)(?!\w)(.*)", re.IGNORECASE | re.DOTALL
)
_PIVOTED: Final = re.compile(r"\s*(?:pivot|pivot_wider|select|from|with)(?!\w)", re.IGNORECASE)
"""How a statement begins that DuckDB carries out in steps because the columns of a `pivot` are not known before."""
_PIECE: Final = 1000


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a query."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]
    """Values as DuckDB gives them to Python; `None` for null."""


def ask(
    corpus: Corpus,
    sql: str,
    timeout: float = TIMEOUT,
    aliases: Aliases = NO_ALIASES,
    *,
    threads: int = THREADS,
    memory: float | None = None,
) -> Answer:
    """The answer of the tables and the views of `VIEWS` to one statement.

    `timeout` is in seconds; `aliases` are further names of persons. The statement cannot write, or read anything else. Raises
    `InvalidQuery` for one that is wrong, not permitted or too much, and what `opened` raises.
    """
    with with_views(corpus, aliases, threads=threads, memory=memory) as database:
        timer = Timer(timeout, database.interrupt)
        timer.daemon = True
        timer.start()
        try:
            with _held_to(memory or MEMORY), refusals(f"within {timeout:g} s"):
                return _answer(database, sql)
        finally:
            timer.cancel()


@contextmanager
def with_views(
    corpus: Corpus, aliases: Aliases, *, threads: int = THREADS, memory: float | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """The same with `VIEWS`, and fixed settings. Raises what `opened` raises."""
    from reconcile.corpus.study.prepared import (
        identify,
    )  # the study of an archive opens it with this module

    with opened(corpus, threads=threads, memory=memory) as database:
        identify(database, aliases)
        for name, view in VIEWS.items():
            database.execute(view.statement(name, corpus.rules))
        database.execute("set lock_configuration = true")
        yield database


@contextmanager
def _held_to(memory: float) -> Iterator[None]:
    """Let this process reserve at most twice this memory (GB) beyond what it has in the block, where the system can see to it.

    DuckDB counts what it holds, but not the text or list that one call of a function makes, nor what it reserves and does not use: an
    ordinary sort on the disk, with several threads, reserves nearly as much again.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    used = int(Path("/proc/self/statm").read_text("ascii").split()[5]) * resource.getpagesize()
    before, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = [
        used + int(2e9 * memory),
        *(one for one in (before, hard) if one != resource.RLIM_INFINITY),
    ]
    resource.setrlimit(resource.RLIMIT_DATA, (min(most), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, hard))


@contextmanager
def refusals(limit: str = "") -> Iterator[None]:
    """Raise `InvalidQuery` for what DuckDB does not do in the block; `limit` is that of its time."""
    import duckdb

    try:
        yield
    except duckdb.InterruptException:
        raise InvalidQuery(
            f"expected an answer {limit}, found none; ask for less, or allow more with --timeout"
        ) from None
    except MemoryError:
        raise InvalidQuery(
            "DuckDB: Out of Memory Error: ask for less, or allow more with --memory"
        ) from None
    except duckdb.Error as error:
        # What comes after an empty line quotes the statement, or advises settings that are fixed here.
        raise InvalidQuery(
            f"DuckDB: {' '.join(str(error).partition(chr(10) * 2)[0].split())[:400]}"
        ) from None


def reading(database: duckdb.DuckDBPyConnection, sql: str) -> str:
    """The one statement of a text, which only reads. Raises `InvalidQuery`.

    DuckDB says of an `explain`, and of anything with a `pivot`, no more than that it is one, and `explain analyze` carries out what it
    explains. So what is explained must be a SELECT by itself, and a `pivot` must be in a statement that begins as one that reads.
    """
    types = [one.type.name for one in database.extract_statements(sql)]
    if not types:
        raise InvalidQuery(
            "expected a SELECT statement, found none; without an argument, corpus-query lists what can be asked"
        )
    if types == ["SELECT"] or (types == ["MULTI"] and _PIVOTED.match(sql)):
        return sql
    explained = _EXPLAINED.fullmatch(sql) if types == ["EXPLAIN"] else None
    if explained and [one.type.name for one in database.extract_statements(explained[2])] == [
        "SELECT"
    ]:
        return f"{explained[1]} {explained[2]}"
    raise InvalidQuery(
        f"expected one SELECT statement, found {', '.join(types)}; a query only reads"
    )


def _answer(database: duckdb.DuckDBPyConnection, sql: str) -> Answer:
    cursor = database.execute(reading(database, sql))
    columns = tuple(str(one[0]) for one in cursor.description or ())
    rows: list[tuple[object, ...]] = []
    letters = 0
    while piece := cursor.fetchmany(_PIECE):
        rows += piece
        letters += sum(
            len(cell) for row in piece for cell in row if isinstance(cell, (str, bytes, list, dict))
        )
        if len(rows) > MOST_ROWS or letters > LARGEST_ANSWER:
            most = f"{MOST_ROWS:,} rows and {LARGEST_ANSWER >> 20} MB of text"
            raise InvalidQuery(
                f"expected at most {most}, found more; add a limit, or read the Parquet files directly"
            )
    return Answer(columns, rows)
