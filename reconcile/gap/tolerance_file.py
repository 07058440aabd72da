"""A file of tolerances as people write it: its tables, and the exceptions from them.

What an entry may say is checked when it is read, so whatever exists is valid.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal

from pydantic import Field, field_validator, model_validator

from reconcile.files.bundled import bundled
from reconcile.files.model import Model
from reconcile.files.wording import meant
from reconcile.files.yaml_file import Misplaced, read_yaml
from reconcile.gap.bounds import BUNDLED, KnownGap, Level, Override, Table, Tolerance, by_full_name
from reconcile.gap.bridge import CAUSES, SHARES
from reconcile.scoring.metrics import ALIASES, BRIDGED, METRICS, metric, named


def _full_name(name: str) -> str:
    """`decisions@rules` -> `decisions.counted@rules`. Raises `ValueError` for what is no figure or cannot be bounded in part."""
    plain, at, share = name.partition("@")
    if ALIASES.get(plain, plain) not in METRICS:
        raise ValueError(
            f"unknown metric {plain!r}{meant(plain, (*ALIASES, *METRICS))}, expected one of {named(METRICS)} or {', '.join(ALIASES)}"
        )
    if at and share not in SHARES:
        raise ValueError(f"unknown share {share!r} of {plain}, expected one of {', '.join(SHARES)}")
    full = metric(plain).name
    if at and full not in BRIDGED:
        raise ValueError(f"{plain} has no bridge whose shares could be bounded; bound it as a whole, or a share of {', '.join(BRIDGED)}")
    return full + at + share


def _number(value: object) -> object:
    """The value, unless it is `true` or `false`, which would be 1 or 0."""
    if isinstance(value, bool):
        raise ValueError("expected a number")
    return value


class _Bound(Model):
    """How far one figure may be off, and how bad it is beyond: one of `abs`, `rel` and `within` is given."""

    abs: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    rel: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    within: Literal["printed"] | None = None
    level: Level
    reason: str = Field(min_length=1)

    _are_numbers = field_validator("abs", "rel", mode="before")(_number)

    @model_validator(mode="after")
    def _one_bound(self) -> _Bound:
        if [self.abs, self.rel, self.within].count(None) != 2:
            raise ValueError("expected one of abs, rel and within")
        return self


class _Tolerance(_Bound):
    """A bound for every match and player."""

    source: str = Field(min_length=1)
    evidence: tuple[str, ...] = ()
    measured: str | None = None


class _Table(Model):
    """The tolerances of one kind of comparison."""

    title: str = Field(min_length=1)
    entries: dict[str, _Tolerance] = Field(min_length=1)

    @field_validator("entries")
    @classmethod
    def _known_metrics(cls, entries: Mapping[str, _Tolerance]) -> Mapping[str, _Tolerance]:
        given = set()
        for name, tolerance in entries.items():
            if name.endswith("*"):
                if not any(metric.startswith(name[:-1]) for metric in METRICS):
                    raise Misplaced(f"no metric begins with {name[:-1]!r}, expected one of {named(METRICS)}", name)
                continue
            try:
                key = _full_name(name)
            except ValueError as error:
                raise Misplaced(str(error), name) from None
            if key in given:
                raise Misplaced(f"{key} is bounded twice", name)
            if tolerance.within is not None and "@" in key:
                raise Misplaced("nobody prints a share of a gap; bound it by abs or rel", name)
            given.add(key)
        return entries

    def made(self) -> Table:
        return Table(title=self.title, entries=by_full_name({name: Tolerance(**vars(one)) for name, one in self.entries.items()}))


class _Special(Model):
    """What holds for one match, one player or both, of one table, up to and including a day."""

    table: str
    match: str | None = Field(default=None, min_length=1)
    player: str | None = Field(default=None, min_length=1)
    metric: str
    until: date
    reason: str = Field(min_length=1)

    _full_metric = field_validator("metric")(_full_name)

    @field_validator("until", mode="before")
    @classmethod
    def _day(cls, value: object) -> date:
        if isinstance(value, date):
            return value
        if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            raise ValueError("expected a day as YYYY-MM-DD")
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise ValueError("expected a day that exists, as YYYY-MM-DD") from None

    @model_validator(mode="after")
    def _somebodys(self) -> _Special:
        if self.match is None and self.player is None:
            raise ValueError("expected a match, a player or both; a bound for everybody belongs into the table")
        return self


class _Override(_Special, _Bound):
    """Another bound than the table's."""

    def made(self) -> Override:
        return Override(**vars(self))


class _KnownGap(_Special):
    """A gap that is expected: it is taken off before the rest is judged."""

    gap: float = Field(allow_inf_nan=False)
    cause: str
    evidence: tuple[str, ...] = ()

    _is_number = field_validator("gap", mode="before")(_number)

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

    def made(self) -> KnownGap:
        return KnownGap(**vars(self))


class ToleranceFile(Model):
    """A file of tolerance tables."""

    schema_version: Literal[1]
    extends: Literal["bundled"] | None = None
    """`bundled` takes the tables that come with the program where this file has none of that name."""
    tables: dict[str, _Table] = Field(default={}, min_length=1, validate_default=True)
    overrides: tuple[_Override, ...] = ()
    known_gaps: tuple[_KnownGap, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _extended(cls, file: object) -> object:
        if isinstance(file, dict) and file.get("extends") == "bundled" and isinstance(file.get("tables", {}), dict):
            shipped = read_yaml(bundled(BUNDLED), ToleranceFile).tables
            return file | {"tables": {**shipped, **file.get("tables", {})}}
        return file

    @model_validator(mode="after")
    def _of_known_tables(self) -> ToleranceFile:
        tables = {name: table.made().entries for name, table in self.tables.items()}
        written: dict[str, Sequence[Override | KnownGap]] = {
            "overrides": [one.made() for one in self.overrides],
            "known_gaps": [one.made() for one in self.known_gaps],
        }
        for key, entries in written.items():
            seen = set()
            for index, entry in enumerate(entries):
                if entry.table not in tables:
                    raise Misplaced(f"no table {entry.table!r}; there are {', '.join(tables)}", key, index, "table")
                if entry.metric not in tables[entry.table]:
                    raise Misplaced(f"table {entry.table!r} has no bound for {entry.metric}; add one there first", key, index, "metric")
                if entry.key in seen:
                    raise Misplaced(f"{entry.whose} is given twice for table {entry.table!r}", key, index)
                seen.add(entry.key)
        return self

    def made(self) -> tuple[dict[str, Table], tuple[Override, ...], tuple[KnownGap, ...]]:
        """Tables, overrides and known gaps."""
        tables = {name: table.made() for name, table in self.tables.items()}
        return tables, tuple(one.made() for one in self.overrides), tuple(one.made() for one in self.known_gaps)
