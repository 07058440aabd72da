"""A file of tolerances as people write it: its tables, and the exceptions from them.

What an entry may say is checked when it is read, so whatever exists is valid.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from reconcile.errors import Misplaced, UnknownName
from reconcile.files.bundled import bundled
from reconcile.files.model import Model
from reconcile.files.yaml_file import read_yaml
from reconcile.gap.bounds import (
    BUNDLED,
    Bound,
    KnownGap,
    Override,
    Special,
    Table,
    Tolerance,
    by_full_name,
)
from reconcile.gap.walk import CAUSES, SHARES
from reconcile.scoring.figures import BRIDGED, METRICS, metric


def _full_name(name: str, key: str) -> str:
    """`decisions@rules` -> `decisions.counted@rules`, `luck.*` as it is.

    Raises `Misplaced` at a key for what is no figure, or no share.
    """
    if name.endswith("*"):
        if any(metric.startswith(name[:-1]) for metric in METRICS):
            return name
        why = f"no metric begins with {name[:-1]!r}; `reconcile explain` lists every figure"
        raise Misplaced(why, key)
    plain, at, share = name.partition("@")
    try:
        full = metric(plain).name
    except UnknownName as error:
        raise Misplaced(str(error), key) from None
    if at and share not in SHARES:
        why = f"unknown share {share!r} of {plain}, expected one of {', '.join(SHARES)}"
        raise Misplaced(why, key)
    if at and full not in BRIDGED:
        why = f"{plain} has no bridge whose shares could be bounded"
        remedy = f"bound it as a whole, or a share of {', '.join(BRIDGED)}"
        raise Misplaced(f"{why}; {remedy}", key)
    return full + at + share


def _day(value: object) -> date:
    if isinstance(value, date):
        return value
    expected = "expected a day as YYYY-MM-DD"
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        with suppress(ValueError):
            return date.fromisoformat(value)
        expected = "expected a day that exists, as YYYY-MM-DD"
    raise Misplaced(f"{expected}, found {value!r}", "until")


def _as_meant(entry: object) -> object:
    """What an entry says with its figure's full name and its day; `true` and `false` are no
    numbers."""
    if not isinstance(entry, Mapping):
        return entry
    for key in ("abs", "rel", "gap"):
        if isinstance(entry.get(key), bool):
            raise Misplaced(f"expected a number, found {entry[key]}", key)
    terms = dict(entry)
    if isinstance(terms.get("metric"), str):
        terms["metric"] = _full_name(terms["metric"], "metric")
    if "until" in terms:
        terms["until"] = _day(terms["until"])
    return terms


def _sound(entry: Entry) -> Entry:
    """An entry that says one thing about somebody."""
    if isinstance(entry, Bound) and [entry.abs, entry.rel, entry.within].count(None) != 2:
        raise ValueError("expected one of abs, rel and within")
    if isinstance(entry, Special) and entry.match is None and entry.player is None:
        why = "expected a match, a player or both"
        raise ValueError(f"{why}; a bound for everybody belongs into the table")
    if isinstance(entry, KnownGap):
        if "*" in entry.metric:
            raise Misplaced("expected one figure; figures do not share a gap", "metric")
        if not entry.gap:
            why = "expected the signed gap, right minus left"
            raise Misplaced(f"{why}; without a gap there is nothing to know", "gap")
        if entry.cause not in CAUSES:
            causes = ", ".join(CAUSES)
            why = f"unknown cause, expected one of {causes}, found {entry.cause!r}"
            raise Misplaced(why, "cause")
    return entry


Entry = TypeVar("Entry")
Written = Annotated[Entry, BeforeValidator(_as_meant), AfterValidator(_sound)]
"""An entry as people write it."""


class _Table(Model):
    """The tolerances of one kind of comparison."""

    title: str = Field(min_length=1)
    entries: dict[str, Written[Tolerance]] = Field(min_length=1)

    @field_validator("entries")
    @classmethod
    def _known_metrics(cls, entries: Mapping[str, Tolerance]) -> Mapping[str, Tolerance]:
        bounded = set()
        for name, tolerance in entries.items():
            key = _full_name(name, name)
            if key in bounded:
                raise Misplaced(f"{key} is bounded twice", name)
            if tolerance.within is not None and "@" in key:
                raise Misplaced("nobody prints a share of a gap; bound it by abs or rel", name)
            bounded.add(key)
        return entries

    def value(self) -> Table:
        return Table(title=self.title, entries=by_full_name(self.entries))


class ToleranceFile(Model):
    """A file of tolerance tables."""

    schema_version: Literal[1]
    extends: Literal["bundled"] | None = None
    """`bundled` takes the tables that come with the program where this file has none of that
    name."""
    tables: dict[str, _Table] = Field(default={}, min_length=1, validate_default=True)
    overrides: tuple[Written[Override], ...] = ()
    known_gaps: tuple[Written[KnownGap], ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _extended(cls, file: object) -> object:
        if isinstance(file, dict) and file.get("extends") == "bundled":
            own = file.get("tables", {})
            if isinstance(own, dict):
                shipped = read_yaml(bundled(BUNDLED), ToleranceFile).tables
                return file | {"tables": {**shipped, **own}}
        return file

    @model_validator(mode="after")
    def _of_known_tables(self) -> ToleranceFile:
        tables = {name: table.value().entries for name, table in self.tables.items()}
        written: dict[str, Sequence[Override | KnownGap]] = {
            "overrides": self.overrides,
            "known_gaps": self.known_gaps,
        }
        for key, entries in written.items():
            keys = set()
            for index, entry in enumerate(entries):
                table, who = entry.table, entry.player or ""
                if table not in tables:
                    why = f"no table {table!r}; there are {', '.join(tables)}"
                    raise Misplaced(why, key, index, "table")
                if not any(entry.concerns(name, who) for name in tables[table]):
                    why = f"table {table!r} has no bound for {entry.metric}"
                    raise Misplaced(f"{why}; add one there first", key, index, "metric")
                if entry.key in keys:
                    why = f"{entry.whose} is given twice for table {table!r}"
                    raise Misplaced(why, key, index)
                keys.add(entry.key)
        return self

    def values(self) -> tuple[dict[str, Table], tuple[Override, ...], tuple[KnownGap, ...]]:
        """Tables, overrides and known gaps."""
        tables = {name: table.value() for name, table in self.tables.items()}
        return tables, self.overrides, self.known_gaps
