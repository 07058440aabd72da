"""An archive to be read: in a folder or copied from object storage, asked in SQL from Python, or
taken table by table as a relation of DuckDB or a frame. Also its way to object storage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

from reconcile.corpus import needs_pyarrow
from reconcile.errors import (
    InvalidArgument,
    InvalidConfiguration,
    MissingPackage,
    UnreadableFile,
    expect,
)

if TYPE_CHECKING:
    import duckdb
    import pandas as pd

    from reconcile.corpus.run import Corpus

TOO_MANY = 1025
"""More threads, and more GB, than any machine is asked for."""


def publish(corpus: Corpus, address: str) -> None:
    """Copy the tables that are not there yet to this address. Raises `CannotWrite`.

    The manifest comes after the files that it names, which never change, and before those that it
    does not name are deleted: so whoever reads it finds the old archive or the new one.
    """
    from reconcile.corpus.run import CARD, MANIFEST
    from reconcile.corpus.tables import SCRIPT
    from reconcile.corpus.work import SHARD
    from reconcile.files.output import CannotWrite
    from reconcile.files.storage import NothingThere, delete, objects, upload

    root, there = address.rstrip("/"), list[str]()
    here = [name for files in corpus.tables.values() for name in files]
    try:
        there += (name.removeprefix(f"{root}/") for name in objects(root))
    except NothingThere:
        pass
    except UnreadableFile as error:
        raise CannotWrite(str(error)) from None
    for name in (*(name for name in here if name not in there), CARD, SCRIPT, MANIFEST):
        upload(corpus.folder / name, f"{root}/{name}")
    for name in there:
        table, _, shard = name.partition("/")
        if table in corpus.tables and SHARD.fullmatch(shard) and name not in here:
            delete(f"{root}/{name}")


@contextmanager
def fetched(folder: str) -> Iterator[Corpus]:
    """The corpus in a folder; one in object storage is copied to a temporary folder as long as the
    block lasts. Raises `InvalidConfiguration` for what is no corpus, and `UnreadableFile`."""
    from reconcile.corpus.run import MANIFEST, load_corpus
    from reconcile.files.storage import NothingThere, download, is_remote

    if not is_remote(folder):
        yield load_corpus(folder)
        return

    def fetch(path: Path) -> None:
        """Copy a file of the archive into the folder."""
        name = path.relative_to(temporary).as_posix()
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            download(f"{folder.rstrip('/')}/{name}", path)
        except NothingThere:
            raise InvalidConfiguration(
                f"expected a finished corpus, found no {name}; check the address", folder
            ) from None

    with TemporaryDirectory(prefix="reconcile-") as temporary:
        fetch(Path(temporary, MANIFEST))
        load_corpus(temporary, fetch)
        yield load_corpus(temporary)


class Archive:
    """The tables that `reconcile corpus` wrote, and the views over them.

    What is asked for is the name of a table or view, as `player_matches`, or one SELECT statement.
    The views have the players' names, tool, depth and date in every row, `match_id` and
    `analysis_id`, and

    - `person`: the player under one name for all spellings
    - `once`: true in one analysis of every match that was played
    - `fully_analysed`: whether nine in ten of each player's plays and cube decisions are evaluated

    Nothing but these tables can be read, and nothing written. Relations last as long as the
    archive is held and not closed; frames are copies.
    """

    def __init__(self, path: str, aliases: str | None, threads: int, memory: float) -> None:
        needs_pyarrow()
        from reconcile.corpus.query import opened
        from reconcile.match.names import load_aliases

        groups = load_aliases(aliases)
        with ExitStack() as stack:
            self._corpus = stack.enter_context(fetched(path))
            self._database = stack.enter_context(
                opened(self._corpus, groups, threads=threads, memory=memory)
            )
            self._opened = stack.pop_all()
        self._path = path

    def __repr__(self) -> str:
        corpus = self._corpus
        return f"<Archive {self._path}, {corpus.played} matches in {corpus.files} files>"

    @property
    def names(self) -> tuple[str, ...]:
        """The tables, then the views."""
        from reconcile.corpus.tables import VIEWS

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
            if asked in self.names:
                return self._database.view(asked)
            return self._database.sql(reading(self._database, asked))

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
    expect("threads", threads, int, "a whole number")
    expect("memory", memory, (int, float), "a number of GB")
    for name, value in (("threads", threads), ("memory", memory)):
        if not 0 < value < TOO_MANY:
            raise InvalidArgument(name, "a number above 0", value)
    return Archive(str(path), None if aliases is None else str(aliases), threads, memory)


def build_archive(
    paths: Sequence[str | Path],
    folder: str | Path,
    *,
    rules: Sequence[str] = (),
    jobs: int | None = None,
) -> Archive:
    """Make or complete the tables of an archive of matches, and open it; `rules` are by default
    those of every program.

    Raises `UnreadableFile`, `UnknownName`, `NothingToCompare`, `CannotWrite` and `MissingPackage`.
    """
    needs_pyarrow()
    from reconcile.corpus.run import build
    from reconcile.corpus.tables import RULES, Settings

    if isinstance(paths, str | Path):
        paths = [paths]
    build([str(path) for path in paths], folder, Settings(tuple(rules) or RULES), jobs=jobs)
    return open_archive(folder)
