"""A file of tolerances as people write it: what it may say, checked before anything is made of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from reconcile.files.bundled import bundled
from reconcile.files.yaml_file import Misplaced, Model, read_yaml
from reconcile.gap.bounds import KnownGap, Level, Override, Table, Tolerance
from reconcile.gap.bridge import SHARES
from reconcile.gap.causes import CAUSES
from reconcile.scoring.metrics import ALIASES, BRIDGED, METRICS, metric, named

BUNDLED = "tolerances.yaml"


def _no_word(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("expected a number")
    return value


Number = Annotated[float, Field(allow_inf_nan=False), BeforeValidator(_no_word)]
"""`true` is no 1."""
Size = Annotated[float, Field(allow_inf_nan=False), Field(ge=0), BeforeValidator(_no_word)]


class BoundEntry(Model):
    """A bound as it is written."""

    abs: Size | None = None
    rel: Size | None = None
    level: Level
    reason: str = Field(min_length=1)

    @model_validator(mode="after")
    def _one_bound(self) -> BoundEntry:
        if (self.abs is None) == (self.rel is None):
            raise ValueError("expected either abs or rel")
        return self


class ToleranceEntry(BoundEntry):
    """An entry of a table."""

    source: str = Field(min_length=1)
    evidence: tuple[str, ...] = ()
    measured: str | None = None


def _full_name(name: str) -> str:
    """`decisions@rules` -> `decisions.counted@rules`. Raises `ValueError` for what is no figure or cannot be bounded in part."""
    plain, at, share = name.partition("@")
    if ALIASES.get(plain, plain) not in METRICS:
        raise ValueError(f"unknown metric {plain!r}, expected one of {named(METRICS)} or {', '.join(ALIASES)}")
    if at and share not in SHARES:
        raise ValueError(f"unknown share {share!r} of {plain}, expected one of {', '.join(SHARES)}")
    full = metric(plain).name
    if at and full not in BRIDGED:
        raise ValueError(f"{plain} has no bridge whose shares could be bounded; bound it as a whole, or a share of {', '.join(BRIDGED)}")
    return full + at + share


def _day(value: object) -> date:
    if isinstance(value, date):
        return value
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        raise ValueError("expected a day as YYYY-MM-DD")
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise ValueError("expected a day that exists, as YYYY-MM-DD") from None


class TableEntry(Model):
    """A table."""

    title: str = Field(min_length=1)
    entries: dict[str, ToleranceEntry] = Field(min_length=1)

    @field_validator("entries")
    @classmethod
    def _known_metrics(cls, entries: dict[str, ToleranceEntry]) -> dict[str, ToleranceEntry]:
        full: dict[str, ToleranceEntry] = {}
        for name, tolerance in entries.items():
            try:
                key = _full_name(name)
            except ValueError as error:
                raise Misplaced(str(error), name) from None
            if key in full:
                raise Misplaced(f"{key} is bounded twice", name)
            full[key] = tolerance
        return full

    def value(self) -> Table:
        """The table that is meant."""
        return Table(self.title, {name: Tolerance(**dict(entry)) for name, entry in self.entries.items()})


class SpecialEntry(Model):
    """What holds for one match, one player or both, as it is written."""

    table: str
    match: str | None = Field(default=None, min_length=1)
    player: str | None = Field(default=None, min_length=1)
    metric: Annotated[str, AfterValidator(_full_name)]
    until: Annotated[date, BeforeValidator(_day)]
    reason: str = Field(min_length=1)

    @model_validator(mode="after")
    def _somebodys(self) -> SpecialEntry:
        if self.match is None and self.player is None:
            raise ValueError("expected a match, a player or both; a bound for everybody belongs into the table")
        return self


class OverrideEntry(SpecialEntry, BoundEntry):
    """An override."""

    def value(self) -> Override:
        """The override that is meant."""
        return Override(**dict(self))


class KnownGapEntry(SpecialEntry):
    """A known gap."""

    gap: Number
    cause: str
    evidence: tuple[str, ...] = ()

    @field_validator("gap")
    @classmethod
    def _signed(cls, gap: float) -> float:
        if not gap:
            raise ValueError("expected the signed gap, right minus left; without a gap there is nothing to know")
        return gap

    @field_validator("cause")
    @classmethod
    def _known_cause(cls, cause: str) -> str:
        if cause not in CAUSES:
            raise ValueError(f"unknown cause, expected one of {', '.join(CAUSES)}")
        return cause

    def value(self) -> KnownGap:
        """The known gap that is meant."""
        return KnownGap(**dict(self))


class ToleranceFile(Model):
    """A file of tolerance tables."""

    schema_version: Literal[1]
    extends: Literal["bundled"] | None = None
    """`bundled` takes the tables that come with the program where this file has none of that name."""
    tables: dict[str, TableEntry] = Field(default={}, min_length=1, validate_default=True)
    overrides: tuple[OverrideEntry, ...] = ()
    known_gaps: tuple[KnownGapEntry, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _extended(cls, file: object) -> object:
        if isinstance(file, dict) and file.get("extends") == "bundled" and isinstance(file.get("tables", {}), dict):
            shipped = read_yaml(bundled(BUNDLED), ToleranceFile).tables
            return file | {"tables": {**shipped, **file.get("tables", {})}}
        return file

    @model_validator(mode="after")
    def _of_known_tables(self) -> ToleranceFile:
        written: dict[str, Sequence[OverrideEntry | KnownGapEntry]] = {"overrides": self.overrides, "known_gaps": self.known_gaps}
        for key, entries in written.items():
            seen = set()
            for index, entry in enumerate(entries):
                if entry.table not in self.tables:
                    raise Misplaced(f"no table {entry.table!r}; there are {', '.join(self.tables)}", key, index, "table")
                if entry.metric not in self.tables[entry.table].entries:
                    raise Misplaced(f"table {entry.table!r} has no bound for {entry.metric}; add one there first", key, index, "metric")
                meant = entry.value()
                if meant.key in seen:
                    raise Misplaced(f"{meant.whose} is given twice for table {entry.table!r}", key, index)
                seen.add(meant.key)
        return self
