"""Published scores on the databases, with their sources: shown beside a measured one, and tables to
judge it against.

They are in `published.yaml` beside this module and not in `tolerances.yaml`, which bounds the gap
of a player's figure: a score is one number for a database and an engine. Your own file
(`--published FILE`) names your databases, by number of lines or SHA-256, and the scores expected on
them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from engine_benchmark.results import NOT_JUDGED, FileScore, Judgement, Reference, Score, Tally
from engine_benchmark.score import findings
from reconcile.errors import NothingToCompare, UnknownName
from reconcile.files.model import Model
from reconcile.files.yaml_file import read_yaml
from reconcile.gap.bounds import ROUNDING, BoundLevel

DEFAULT = Path(__file__).with_name("published.yaml")
OWN_CLASS = 0.95
"""Share of the lines that must have the class that names the database."""


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
        own = file.total if self.class_ == "any" else file.by_class.get(self.class_, Tally())
        return (
            file.complete
            and self.sha256 in (None, file.sha256)
            and file.total.lines in (self.lines or (file.total.lines,))
            and own.lines >= OWN_CLASS * file.total.lines
        )


class Entry(Model):
    """A published score on one database."""

    score: float = Field(ge=0, allow_inf_nan=False)
    abs: float = Field(ge=0, allow_inf_nan=False)
    level: BoundLevel


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
                    expected = f"expected one of {', '.join(self.databases)}"
                    raise ValueError(f"table {name}: unknown database {database!r}, {expected}")
        return self

    def table(self, name: str) -> Table:
        """A table by its id. Raises `UnknownName`."""
        if name not in self.tables:
            expected = f"expected one of {', '.join(self.tables)}"
            raise UnknownName(f"no table of published scores {name!r}, {expected}")
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
    names = [
        next((name for name, base in published.databases.items() if base.is_in(file)), None)
        for file in score.files
    ]
    files = tuple(map(lambda file, name: replace(file, database=name), score.files, names))
    measured = {file.database: file for file in reversed(files)}
    references = tuple(
        _reference(name, entries, database, measured.get(database), judges=name == table)
        for name, entries in published.tables.items()
        for database in entries.entries
    )
    verdict = score.verdict
    if table is not None and score.total.is_answered:
        verdicts = {(each.verdict, each.level) for each in references if each.is_judged}
        if not verdicts:
            databases = ", ".join(published.table(table).entries)
            raise NothingToCompare(
                f"table {table}: no file is the whole database {databases}; nothing was judged; "
                "score it without --limit"
            )
        verdict = "outside" if ("outside", "error") in verdicts else "within"
    result = replace(score, table=table, verdict=verdict, files=files, published=references)
    return replace(result, findings=tuple(findings(result)))


def _reference(
    name: str, table: Table, database: str, file: FileScore | None, *, judges: bool
) -> Reference:
    """A published score beside what was measured."""
    entry, measured = table.entries[database], file.total.average_loss if file else None
    allowed = entry.abs if judges and entry.level != "off" else None
    verdict: Judgement = NOT_JUDGED if allowed is None else "not compared"
    if allowed is not None and measured is not None:
        near = abs(measured - entry.score) <= allowed + ROUNDING
        verdict = "within" if near else "outside"
    return Reference(
        table=name,
        title=table.title,
        source=table.source,
        database=database,
        published=entry.score,
        path=file.path if file else None,
        measured=measured,
        allowed=allowed,
        level=entry.level,
        verdict=verdict,
    )
