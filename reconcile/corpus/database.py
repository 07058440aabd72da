"""The tables of a corpus, checked and opened in DuckDB."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from reconcile.corpus.assembly import Corpus
from reconcile.errors import InvalidConfiguration, MissingPackage

if TYPE_CHECKING:
    import duckdb

MEMORY: Final = "1GB"
SPILLED: Final = "20GB"
"""What DuckDB may use of the memory, and of the disk for what does not fit there."""


@contextmanager
def opened(corpus: Corpus) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with a view of every table, which can read these tables and no other file; closed in the end.

    Raises `MissingPackage` without DuckDB, and `InvalidConfiguration` where a table cannot be read or has changed since it was made.
    """
    try:
        import duckdb
    except ImportError:
        raise MissingPackage("the tables of a corpus need duckdb, which is not installed; pip install 'gammon-reconcile[corpus]'") from None
    corpus.check()
    # A single thread sums in a fixed order, so the same tables give the same digits; nothing is downloaded.
    settings: dict[str, str | bool | int | float | list[str]] = {
        "threads": "1",
        "memory_limit": MEMORY,
        "max_temp_directory_size": SPILLED,
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "python_enable_replacements": "false",
    }
    try:
        with TemporaryDirectory(prefix="reconcile-") as spilled, duckdb.connect(config=settings | {"temp_directory": spilled}) as database:
            allowed = []
            for name in corpus.tables:
                paths = [str(path) for path in corpus.paths(name)]
                patterns = [path.replace("[", "[[]").replace("*", "[*]").replace("?", "[?]") for path in paths]
                # The folders of partitions repeat what is in `matches`.
                database.read_parquet(patterns, hive_partitioning=False).create_view(name)
                allowed += paths + patterns
            database.execute("set allowed_paths = ?", [allowed])
            database.execute("set enable_external_access = false")
            yield database
    except duckdb.Error as error:
        text = " ".join(str(error).split())[:200]
        raise InvalidConfiguration(f"{corpus.folder}: the tables cannot be read: {text}; make the corpus again") from None
