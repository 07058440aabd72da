"""The tables and views of an archive for Python: asked in SQL, or taken whole as a relation of
DuckDB or a frame."""

from __future__ import annotations

from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from reconcile.corpus import needs_pyarrow
from reconcile.errors import InvalidArgument, MissingPackage, expect

if TYPE_CHECKING:
    import duckdb
    import pandas as pd

MOST: Final = 1025
"""More threads, and more GB, than any machine is asked for."""


class Archive:
    """The tables that `reconcile corpus` wrote, and the views over them.

    What is asked for is the name of a table or view, as `player_matches`, or one SELECT statement.
    The views have the players' names, tool, depth and date in every row, `match_id` and
    `analysis_id`, and

    - `person`: the player under one name for all spellings
    - `once`: true in one analysis of every match that was played
    - `fully_analysed`: whether no evaluation is missing

    Nothing but these tables can be read, and nothing written. Relations last as long as the
    archive is held and not closed; frames are copies.
    """

    def __init__(self, path: str, aliases: str | None, threads: int, memory: float) -> None:
        needs_pyarrow()
        from reconcile.corpus.publish import fetched
        from reconcile.corpus.query import opened
        from reconcile.files.aliases import load_aliases

        groups = load_aliases(aliases)
        with ExitStack() as stack:
            self._corpus = stack.enter_context(fetched(path))
            self._database = stack.enter_context(
                opened(self._corpus, groups, threads=threads, memory=memory)
            )
            self._opened = stack.pop_all()
        self._path = path

    def __repr__(self) -> str:
        return (
            f"<Archive {self._path}, {self._corpus.played} matches in {self._corpus.files} files>"
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The tables, then the views."""
        from reconcile.corpus.views import VIEWS

        return *(name for name in self._corpus.tables if name not in VIEWS), *VIEWS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the tables; the relations end with it."""
        self._opened.close()

    def relation(self, asked: str) -> duckdb.DuckDBPyRelation:
        """A table, a view or the answer to a SELECT, computed when it is used. Raises
        `InvalidQuery`."""
        from reconcile.corpus.query import reading, refusals

        expect("asked", asked, str, "the name of a table or view, or a SELECT statement")
        with refusals():
            return (
                self._database.view(asked)
                if asked in self.names
                else self._database.sql(reading(self._database, asked))
            )

    def arrow(self, asked: str) -> Any:
        """The same as a `pyarrow.Table`. Raises `InvalidQuery`."""
        from reconcile.corpus.query import refusals

        relation = self.relation(asked)
        with refusals():
            return relation.to_arrow_table()

    def pandas(self, asked: str) -> pd.DataFrame:
        """The same as a frame of pandas. Raises `InvalidQuery`."""
        frame: pd.DataFrame = self.arrow(asked).to_pandas()
        return frame

    def polars(self, asked: str) -> Any:
        """The same as a frame of Polars, which is to be installed. Raises `InvalidQuery`, and
        `MissingPackage` without Polars."""
        try:
            polars = import_module("polars")
        except ImportError:
            raise MissingPackage(
                "a frame of Polars needs polars, which is not installed; pip install polars"
            ) from None
        return polars.from_arrow(self.arrow(asked))


def open_archive(
    path: str | Path, *, aliases: str | Path | None = None, threads: int = 1, memory: float = 1.0
) -> Archive:
    """Open the tables that `reconcile corpus` wrote to a folder or an `s3://` address.

    `aliases` is a file of further names of players, as for `corpus-report`. A question may use
    so many threads and GB of memory; with one thread it has the same digits every time. Raises
    `InvalidConfiguration` for what is no finished archive, `InvalidArgument`, and
    `MissingPackage` without pyarrow and DuckDB.
    """
    expect("path", path, (str, Path), "the path of a folder, or an s3:// address")
    expect(
        "aliases", aliases, (str, Path, type(None)), "the path of a file of name variants, or None"
    )
    for name, value, kinds in (("threads", threads, int), ("memory", memory, (int, float))):
        if isinstance(value, bool) or not isinstance(value, kinds) or not 0 < value < MOST:
            raise InvalidArgument(
                name, "a whole number above 0" if kinds is int else "a number of GB above 0", value
            )
    return Archive(str(path), None if aliases is None else str(aliases), threads, memory)
