"""A file of tolerances as people write it: its tables, and the exceptions from them.

What an entry may say is checked when it is read, so whatever exists is valid.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from reconcile.files.bundled import bundled
from reconcile.files.model import Model
from reconcile.files.wording import meant
from reconcile.files.yaml_file import Misplaced, read_yaml
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
from reconcile.gap.bridge import CAUSES, SHARES
from reconcile.scoring.metrics import ALIASES, BRIDGED, METRICS, metric, named


def _full_name(name: str, key: str) -> str:
    """`decisions@rules` -> `decisions.counted@rules`, `luck.*` as it is. Raises `Misplaced` at a key for what is no figure, or no share."""
    if name.endswith("*"):
        if not any(metric.startswith(name[:-1]) for metric in METRICS):
            raise Misplaced(
                f"no metric begins with {name[:-1]!r}, expected one of {named(METRICS)}", key
            )
        return name
    plain, at, share = name.partition("@")
    if ALIASES.get(plain, plain) not in METRICS:
        near = meant(plain, (*ALIASES, *METRICS))
        raise Misplaced(
            f"unknown metric {plain!r}{near}, expected one of {named(METRICS)} or {', '.join(ALIASES)}",
            key,
        )
    if at and share not in SHARES:
        raise Misplaced(
            f"unknown share {share!r} of {plain}, expected one of {', '.join(SHARES)}", key
        )
    full = metric(plain).name
    if at and full not in BRIDGED:
        no_bridge = f"{plain} has no bridge whose shares could be bounded"
        raise Misplaced(
            f"{no_bridge}; bound it as a whole, or a share of {', '.join(BRIDGED)}", key
        )
    return full + at + share


def _day(value: object) -> date:
    if isinstance(value, date):
        return value
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        raise Misplaced(f"expected a day as YYYY-MM-DD, found {value!r}", "until")
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise Misplaced(
            f"expected a day that exists, as YYYY-MM-DD, found {value!r}", "until"
        ) from None


def _as_meant(entry: object) -> object:
    """What an entry says with its figure's full name and its day; `true` and `false` are no numbers."""
    if not isinstance(entry, Mapping):
        return entry
    for key in ("abs", "rel", "gap"):
        if isinstance(entry.get(key), bool):
            raise Misplaced(f"expected a number, found {entry[key]}", key)
    made = dict(entry)
    if isinstance(made.get("metric"), str):
        made["metric"] = _full_name(made["metric"], "metric")
    if "until" in made:
        made["until"] = _day(made["until"])
    return made


def _sound(entry: Entry) -> Entry:
    """An entry that says one thing about somebody."""
    if isinstance(entry, Bound) and [entry.abs, entry.rel, entry.within].count(None) != 2:
        raise ValueError("expected one of abs, rel and within")
    if isinstance(entry, Special) and entry.match is None and entry.player is None:
        raise ValueError(
            "expected a match, a player or both; a bound for everybody belongs into the table"
        )
    if isinstance(entry, KnownGap) and "*" in entry.metric:
        raise Misplaced("expected one figure; figures do not share a gap", "metric")
    if isinstance(entry, KnownGap) and not entry.gap:
        raise Misplaced(
            "expected the signed gap, right minus left; without a gap there is nothing to know",
            "gap",
        )
    if isinstance(entry, KnownGap) and entry.cause not in CAUSES:
        raise Misplaced(
            f"unknown cause, expected one of {', '.join(CAUSES)}, found {entry.cause!r}", "cause"
        )
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
        given = set()
        for name, tolerance in entries.items():
            key = _full_name(name, name)
            if key in given:
                raise Misplaced(f"{key} is bounded twice", name)
            if tolerance.within is not None and "@" in key:
                raise Misplaced("nobody prints a share of a gap; bound it by abs or rel", name)
            given.add(key)
        return entries

    def made(self) -> Table:
        return Table(title=self.title, entries=by_full_name(self.entries))


class ToleranceFile(Model):
    """A file of tolerance tables."""

    schema_version: Literal[1]
    extends: Literal["bundled"] | None = None
    """`bundled` takes the tables that come with the program where this file has none of that name."""
    tables: dict[str, _Table] = Field(default={}, min_length=1, validate_default=True)
    overrides: tuple[Written[Override], ...] = ()
    known_gaps: tuple[Written[KnownGap], ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _extended(cls, file: object) -> object:
        if (
            isinstance(file, dict)
            and file.get("extends") == "bundled"
            and isinstance(file.get("tables", {}), dict)
        ):
            shipped = read_yaml(bundled(BUNDLED), ToleranceFile).tables
            return file | {"tables": {**shipped, **file.get("tables", {})}}
        return file

    @model_validator(mode="after")
    def _of_known_tables(self) -> ToleranceFile:
        tables = {name: table.made().entries for name, table in self.tables.items()}
        written: dict[str, Sequence[Override | KnownGap]] = {
            "overrides": self.overrides,
            "known_gaps": self.known_gaps,
        }
        for key, entries in written.items():
            seen = set()
            for index, entry in enumerate(entries):
                if entry.table not in tables:
                    raise Misplaced(
                        f"no table {entry.table!r}; there are {', '.join(tables)}",
                        key,
                        index,
                        "table",
                    )
                if not any(
                    entry.concerns(name, entry.player or "") for name in tables[entry.table]
                ):
                    raise Misplaced(
                        f"table {entry.table!r} has no bound for {entry.metric}; add one there first",
                        key,
                        index,
                        "metric",
                    )
                if entry.key in seen:
                    raise Misplaced(
                        f"{entry.whose} is given twice for table {entry.table!r}", key, index
                    )
                seen.add(entry.key)
        return self

    def made(self) -> tuple[dict[str, Table], tuple[Override, ...], tuple[KnownGap, ...]]:
        """Tables, overrides and known gaps."""
        return (
            {name: table.made() for name, table in self.tables.items()},
            self.overrides,
            self.known_gaps,
        )
