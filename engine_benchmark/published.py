"""Published scores on the databases, with their sources: figures to show beside a measured one, and tables to judge it against.

They are in `published.yaml` beside this module and not in `tolerances.yaml`: a tolerance there bounds the gap of a player's figure between
two analyses of one match, and its metrics are those of `reconcile.scoring.metrics`; a score is one number per database and engine. Your
own file (`--published FILE`) names your databases, by number of lines or SHA-256, and the scores expected on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, model_validator

from engine_benchmark.results import FileScore, Reference, Score
from engine_benchmark.score import findings
from reconcile.errors import NothingToCompare, UnknownName
from reconcile.files.model import Model
from reconcile.files.yaml_file import read_yaml
from reconcile.gap.bounds import ROUNDING, Level

DEFAULT: Final = Path(__file__).with_name("published.yaml")
OWN_CLASS: Final = 0.95
"""Share of the lines that must have the class that names the database."""
WITHIN: Final = "within"
OUTSIDE: Final = "outside"
NOT_COMPARED: Final = "not compared"
NOT_JUDGED: Final = "not judged"


class Database(Model):
    """How a file is recognised as a database."""

    class_: Literal["contact", "crashed", "race", "any"] = Field(alias="class", default="any")
    lines: tuple[int, ...] = ()
    """Possible numbers of m lines with plays."""
    sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    source: str = Field(min_length=1)

    @model_validator(mode="after")
    def _known_by_something(self) -> Database:
        if not self.lines and self.sha256 is None:
            raise ValueError("expected lines or sha256, to recognise the file")
        return self

    def is_of(self, one: FileScore) -> bool:
        """Whether a file, scored as a whole, is this database."""
        if not one.complete or (self.sha256 is not None and self.sha256 != one.sha256):
            return False
        if self.lines and one.total.lines not in self.lines:
            return False
        if self.class_ == "any":
            return True
        own = one.by_class.get(self.class_)
        return own is not None and own.lines >= OWN_CLASS * one.total.lines


class Entry(Model):
    """A published score on one database."""

    score: float = Field(ge=0, allow_inf_nan=False)
    abs: float = Field(ge=0, allow_inf_nan=False)
    level: Level


class Table(Model):
    """The scores of one engine."""

    title: str = Field(min_length=1)
    source: str = Field(min_length=1)
    entries: dict[str, Entry] = Field(min_length=1)


class Published(Model):
    """A file of published scores."""

    schema_version: Literal[1]
    databases: dict[str, Database] = Field(min_length=1)
    tables: dict[str, Table] = Field(min_length=1)

    @model_validator(mode="after")
    def _known_databases(self) -> Published:
        for name, table in self.tables.items():
            for database, entry in table.entries.items():
                if database not in self.databases and entry.level != "off":
                    raise ValueError(
                        f"table {name}: unknown database {database!r}, expected one of {', '.join(self.databases)}"
                    )
        return self

    def table(self, name: str) -> Table:
        """A table by its id. Raises `UnknownName`."""
        if name not in self.tables:
            raise UnknownName(
                f"no table of published scores {name!r}, expected one of {', '.join(self.tables)}"
            )
        return self.tables[name]

    def database(self, one: FileScore) -> str | None:
        """The database that a file is."""
        return next(
            (name for name, database in self.databases.items() if database.is_of(one)), None
        )


def load_published(path: str | None = None) -> Published:
    """Read a file of published scores, by default the bundled one. Raises `InvalidConfiguration`."""
    return read_yaml(Path(path) if path else DEFAULT, Published)


def judged(score: Score, published: Published, table: str | None = None) -> Score:
    """A score beside every published one, with the verdict of a table if it is judged by one, and its findings.

    Raises `UnknownName`, and `NothingToCompare` if the table judges none of the files.
    """
    found = references(score, published, table)
    databases = {one.path: one.database for one in reversed(found)}
    files = tuple(replace(one, database=databases.get(one.path)) for one in score.files)
    verdict = verdict_of(found, table) if score.total.is_answered else OUTSIDE
    beside = replace(score, table=table, verdict=verdict, files=files, published=found)
    return replace(beside, findings=tuple(findings(beside)))


def references(
    score: Score, published: Published, judging: str | None = None
) -> tuple[Reference, ...]:
    """Every published score; those of the judging table have a verdict. Raises `UnknownName`."""
    if judging is not None:
        published.table(judging)
    return tuple(_references(score.files, published, judging))


def _references(
    files: Sequence[FileScore], published: Published, judging: str | None
) -> Iterator[Reference]:
    known: dict[str, FileScore] = {}
    for one in files:
        database = published.database(one)
        if database is not None:
            known.setdefault(database, one)
    for name, table in published.tables.items():
        for database, entry in table.entries.items():
            measured = known[database].total.average_loss if database in known else None
            judged = name == judging and entry.level != "off"
            yield Reference(
                table=name,
                title=table.title,
                source=table.source,
                database=database,
                published=entry.score,
                path=known[database].path if database in known else None,
                measured=measured,
                allowed=entry.abs if judged else None,
                level=entry.level,
                verdict=NOT_JUDGED
                if not judged
                else NOT_COMPARED
                if measured is None
                else _verdict(measured, entry),
            )


def _verdict(measured: float, entry: Entry) -> Literal["within", "outside"]:
    return WITHIN if abs(measured - entry.score) <= entry.abs + ROUNDING else OUTSIDE


def verdict_of(
    references: Sequence[Reference], table: str | None
) -> Literal["within", "outside", "not judged"]:
    """`outside` if a score of level `error` is; `not judged` without a judging table. Raises `NothingToCompare`."""
    if table is None:
        return NOT_JUDGED
    judged = [one for one in references if one.verdict in (WITHIN, OUTSIDE)]
    if not judged:
        wanted = ", ".join(one.database for one in references if one.table == table)
        raise NothingToCompare(
            f"table {table}: no file is the whole database {wanted}; nothing was judged; score it without --limit"
        )
    return (
        OUTSIDE
        if any(one.verdict == OUTSIDE and one.level == "error" for one in judged)
        else WITHIN
    )
