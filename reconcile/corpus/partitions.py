"""Tables in folders named after what is in them, `decisions/tool=xg/year=2024/part-0.parquet`, which other engines know as Hive partitions.

An engine that is asked for one tool or year reads only its folders, and a cluster shares the files out. What the folders are named
after is not in the files.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import pyarrow as pa

from reconcile.match.columns import Ints
from reconcile.match.tools import TOOLS

KEYS: Final = ("tool", "year")
PARTED: Final = ("players", "games", "questions", "decisions")
"""The tables that grow with the matches; those of matches and files stay whole."""
OTHER: Final = "other"
UNKNOWN: Final = "__HIVE_DEFAULT_PARTITION__"
"""What engines read as null."""
YEARS: Final = range(1970, 2100)
"""A file may state any year, and every year is an open file; a match of another year is one without a date."""
FILE: Final = "part-0.parquet"
WAITING: Final = 1 << 22
"""Cells that are split at once, which makes 170,000 decisions: enough for row groups of some size in every folder."""


class Sink(Protocol):
    """Where the row groups of a table go."""

    def write(self, rows: pa.Table) -> None:
        """Write a row group."""

    def finish(self) -> dict[str, str]:
        """The SHA-256 of every finished file by its name."""

    def abandon(self) -> None:
        """Remove what is unfinished."""


class Partitions:
    """The folder of every match, in the order of their numbers."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = keys
        self._numbers: dict[str, int] = {}
        self._of_match = array("h")

    def note(self, matches: pa.Table, dates: Ints) -> None:
        """Take the folders of the next rows of `matches`; `dates` are those of the matches, in days from 1970-01-01."""
        if self._keys:
            years = 1970 + dates.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64)
            for tool, year in zip(matches.column("tool").to_pylist(), years.tolist(), strict=True):
                known = TOOLS[tool].key if tool in TOOLS else OTHER
                name = self.folder(known, str(year) if year in YEARS else UNKNOWN)
                self._of_match.append(self._numbers.setdefault(name, len(self._numbers)))

    def folder(self, tool: str = OTHER, year: str = UNKNOWN) -> str:
        """The folder of such matches."""
        values = {"tool": tool, "year": year}
        return "/".join(f"{key}={values[key]}" for key in self._keys)

    def split(self, rows: pa.Table) -> list[tuple[str, pa.Table]]:
        """Rows of a table by folder, in their order."""
        numbers = np.frombuffer(self._of_match, np.int16)[rows.column("match").to_numpy()]
        return [(name, rows.filter(pa.array(numbers == number))) for name, number in self._numbers.items() if (numbers == number).any()]

    def sink(self, folder: Path, table: str, file: Callable[[Path], Sink]) -> Sink:
        """Where a table goes: one file, or one a folder. `file` opens one."""
        _clear(folder / table)
        if not self.parts(table):
            return file(folder / f"{table}.parquet")
        (folder / f"{table}.parquet").unlink(missing_ok=True)
        return _Parted(folder / table, self, file)

    def parts(self, table: str) -> bool:
        """Whether a table is written in folders."""
        return bool(self._keys) and table in PARTED


class _Parted:
    """The files of a table."""

    def __init__(self, folder: Path, partitions: Partitions, file: Callable[[Path], Sink]) -> None:
        self._folder, self._partitions, self._file = folder, partitions, file
        self._files: dict[str, Sink] = {}

    def _of(self, name: str) -> Sink:
        if name not in self._files:
            (self._folder / name).mkdir(parents=True, exist_ok=True)
            self._files[name] = self._file(self._folder / name / FILE)
        return self._files[name]

    def write(self, rows: pa.Table) -> None:
        for name, own in self._partitions.split(rows):
            self._of(name).write(own)

    def finish(self) -> dict[str, str]:
        if not self._files:
            self._of(self._partitions.folder())  # so that an empty table has its columns, too
        done = {name: self._files[name].finish() for name in sorted(self._files)}
        return {f"{self._folder.name}/{name}/{file}": digest for name, files in done.items() for file, digest in files.items()}

    def abandon(self) -> None:
        for file in self._files.values():
            file.abandon()


def _clear(folder: Path) -> None:
    """Remove the files in folders that an earlier run wrote for a table, and the folders if nothing else is in them."""
    for path in folder.rglob(f"{Path(FILE).stem}.*"):
        path.unlink()
    for path in [*sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True), folder]:
        with suppress(OSError):
            path.rmdir()
