"""Published scores on the databases, with their sources: shown beside a measured one, and tables to
judge it against.

They are in `published.yaml` beside this module and not in `tolerances.yaml`, which bounds the gap
of a player's figure: a score is one number for a database and an engine. Your own file
(`--published FILE`) names your databases, by number of lines or SHA-256, and the scores expected on
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
NOT_JUDGED: Final = "not judged"


class Database(Model):
    """How a file is recognised as a database."""

    class_: Literal["contact", "crashed", "race", "any"] = Field(alias="class", default="any")
    lines: tuple[int, ...] = ()
    """Possible numbers of m lines with plays."""
    sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    source: str = Field(min_length=1)

    @model_validator(mode="after")
    def _recognises(self) -> Database:
        if not self.lines and self.sha256 is None:
            raise ValueError("expected lines or sha256, to recognise the file")
        return self

    def is_in(self, file: FileScore) -> bool:
        """Whether a file, scored as a whole, is this database."""
        group = file.by_class.get(self.class_)
        return (
            file.complete
            and self.sha256 in (None, file.sha256)
            and (not self.lines or file.total.lines in self.lines)
            and (
                self.class_ == "any"
                or (group is not None and group.lines >= OWN_CLASS * file.total.lines)
            )
        )


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
    def _databases_of_entries(self) -> Published:
        for name, table in self.tables.items():
            for database, entry in table.entries.items():
                if database not in self.databases and entry.level != "off":
                    raise ValueError(
                        f"table {name}: unknown database {database!r}, "
                        f"expected one of {', '.join(self.databases)}"
                    )
        return self

    def table(self, name: str) -> Table:
        """A table by its id. Raises `UnknownName`."""
        if name not in self.tables:
            raise UnknownName(
                f"no table of published scores {name!r}, expected one of {', '.join(self.tables)}"
            )
        return self.tables[name]


def load_published(path: str | None = None) -> Published:
    """Read a file of published scores, by default the bundled one. Raises
    `InvalidConfiguration`."""
    return read_yaml(Path(path) if path else DEFAULT, Published)


def judged(score: Score, published: Published, table: str | None = None) -> Score:
    """A score beside every published one, with the verdict of a table if it is judged by one, and
    its findings.

    Raises `UnknownName`, and `NothingToCompare` if the table judges none of the files.
    """
    if table is not None:
        published.table(table)
    files, by_database = [], dict[str, FileScore]()
    for file in score.files:
        names = (name for name, database in published.databases.items() if database.is_in(file))
        file = replace(file, database=next(names, None))
        files.append(file)
        if file.database is not None:
            by_database.setdefault(file.database, file)
    references = tuple(_references(by_database, published, table))
    verdict = _verdict(references, table) if score.total.is_answered else "outside"
    result = replace(score, table=table, verdict=verdict, files=tuple(files), published=references)
    return replace(result, findings=tuple(findings(result)))


def _references(
    files: Mapping[str, FileScore], published: Published, judging: str | None
) -> Iterator[Reference]:
    for name, table in published.tables.items():
        for database, entry in table.entries.items():
            file = files.get(database)
            measured = file.total.average_loss if file else None
            judges = name == judging and entry.level != "off"
            verdict: Literal["within", "outside", "not compared", "not judged"] = NOT_JUDGED
            if judges and measured is None:
                verdict = "not compared"
            elif judges and measured is not None:
                near = abs(measured - entry.score) <= entry.abs + ROUNDING
                verdict = "within" if near else "outside"
            yield Reference(
                table=name,
                title=table.title,
                source=table.source,
                database=database,
                published=entry.score,
                path=file.path if file else None,
                measured=measured,
                allowed=entry.abs if judges else None,
                level=entry.level,
                verdict=verdict,
            )


def _verdict(
    references: tuple[Reference, ...], table: str | None
) -> Literal["within", "outside", "not judged"]:
    if table is None:
        return NOT_JUDGED
    verdicts = [
        (reference.verdict, reference.level) for reference in references if reference.table == table
    ]
    if not any(verdict in ("within", "outside") for verdict, _ in verdicts):
        databases = ", ".join(
            reference.database for reference in references if reference.table == table
        )
        raise NothingToCompare(
            f"table {table}: no file is the whole database {databases}; nothing was judged; "
            "score it without --limit"
        )
    return "outside" if ("outside", "error") in verdicts else "within"
