"""The tables of a corpus, opened in DuckDB."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reconcile.corpus.assembly import Corpus
from reconcile.errors import InvalidConfiguration, MissingPackage

if TYPE_CHECKING:
    import duckdb


@contextmanager
def opened(corpus: Corpus) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with a view of every table, closed in the end.

    Raises `MissingPackage` without DuckDB, and `InvalidConfiguration` where a table cannot be read.
    """
    try:
        import duckdb
    except ImportError:
        raise MissingPackage("a report of a corpus needs duckdb, which is not installed; pip install 'gammon-reconcile[corpus]'") from None
    # A single thread sums in a fixed order, so the same tables give the same digits; nothing is downloaded.
    settings: dict[str, str | bool | int | float | list[str]] = {
        "threads": "1",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    try:
        with duckdb.connect(config=settings) as database:
            for name in corpus.tables:
                path = str(corpus.path(name))
                database.read_parquet(path.replace("[", "[[]").replace("*", "[*]").replace("?", "[?]")).create_view(name)
            yield database
    except duckdb.Error as error:
        text = " ".join(str(error).split())[:200]
        raise InvalidConfiguration(f"{corpus.folder}: the tables cannot be read: {text}; make the corpus again") from None
