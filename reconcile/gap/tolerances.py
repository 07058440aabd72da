"""Written tolerances: how far a figure may be off, at which level, and why.

A tolerance is noise. Every entry gives a reason and a source; an unknown metric, table or key is an error, since a misspelt
threshold must never pass silently. What is known to be off, and why, is no noise: it stands apart as a *known gap*, signed, with a
day on which it ends. So does an *override*, another bound for one match or one player.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from reconcile.errors import UnknownName
from reconcile.files.bundled import bundled
from reconcile.files.names import fold
from reconcile.files.yaml_file import Misplaced, Model, read_yaml
from reconcile.gap.bridge import SHARES
from reconcile.gap.causes import CAUSES
from reconcile.scoring.metrics import ALIASES, BRIDGED, METRICS, metric

DEFAULT_TABLE: Final = "documented"
ROUNDING: Final = 1e-9
"""Slack for binary fractions: 9.28 and 9.285 are 0.005 apart whatever their floats say."""

Level = Literal["error", "warn", "off"]


def _no_word(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("expected a number")
    return value


Number = Annotated[float, Field(allow_inf_nan=False), BeforeValidator(_no_word)]
"""`true` is no 1."""
Size = Annotated[float, Field(allow_inf_nan=False), Field(ge=0), BeforeValidator(_no_word)]


class Bound(Model):
    """How far one figure may be off, and how bad it is beyond."""

    abs: Size | None = None
    """In the unit of the figure."""
    rel: Size | None = None
    """As a share of the left figure."""
    level: Level
    reason: str = Field(min_length=1)

    @model_validator(mode="after")
    def _one_bound(self) -> Bound:
        if (self.abs is None) == (self.rel is None):
            raise ValueError("expected either abs or rel")
        return self

    def bound(self, left: float) -> float:
        """The bound in the unit of the figure."""
        return self.abs if self.abs is not None else (self.rel or 0.0) * abs(left)


class Tolerance(Bound):
    """A bound for every match and player, with where it comes from."""

    source: str = Field(min_length=1)
    evidence: tuple[str, ...] = ()
    """Ids of reference matches."""
    measured: str | None = None


def _full_name(name: str) -> str:
    """`decisions@rules` -> `decisions.counted@rules`. Raises `ValueError` for what is no figure or cannot be bounded in part."""
    plain, at, share = name.partition("@")
    if ALIASES.get(plain, plain) not in METRICS:
        raise ValueError(f"unknown metric {plain!r}, expected one of {', '.join(METRICS)} or {', '.join(ALIASES)}")
    if at and share not in SHARES:
        raise ValueError(f"unknown share {share!r} of {plain}, expected one of {', '.join(SHARES)}")
    full = metric(plain).name
    if at and full not in BRIDGED:
        raise ValueError(f"{plain} has no bridge whose shares could be bounded; bound it as a whole, or a share of {', '.join(BRIDGED)}")
    return full + at + share


def _day(value: Any) -> date:
    if isinstance(value, date):
        return value
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        raise ValueError("expected a day as YYYY-MM-DD")
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise ValueError("expected a day that exists, as YYYY-MM-DD") from None


class Table(Model):
    """The tolerances of one kind of comparison."""

    title: str = Field(min_length=1)
    entries: dict[str, Tolerance] = Field(min_length=1)

    @field_validator("entries")
    @classmethod
    def _known_metrics(cls, entries: dict[str, Tolerance]) -> dict[str, Tolerance]:
        full: dict[str, Tolerance] = {}
        for name, tolerance in entries.items():
            try:
                key = _full_name(name)
            except ValueError as error:
                raise Misplaced(str(error), name) from None
            if key in full:
                raise Misplaced(f"{key} is bounded twice", name)
            full[key] = tolerance
        return full

    def of(self, name: str) -> Tolerance | None:
        """The tolerance of a metric, `None` where it has none."""
        return self.entries.get(name)


class Special(Model):
    """What holds for one match, one player or both, of one table, up to and including a day."""

    table: str
    match: str | None = Field(default=None, min_length=1)
    """Id of a match of the pack."""
    player: str | None = Field(default=None, min_length=1)
    """As the left file of a pair names him; without case and accents."""
    metric: Annotated[str, AfterValidator(_full_name)]
    until: Annotated[date, BeforeValidator(_day)]
    reason: str = Field(min_length=1)

    @model_validator(mode="after")
    def _somebodys(self) -> Special:
        if self.match is None and self.player is None:
            raise ValueError("expected a match, a player or both; a bound for everybody belongs into the table")
        return self

    def holds(self, today: date) -> bool:
        """Whether the day has not passed."""
        return today <= self.until

    def concerns(self, name: str, player: str) -> bool:
        """Whether it is about this figure of this player."""
        return self.metric == name and (self.player is None or fold(self.player) == fold(player))

    @property
    def key(self) -> tuple[str, ...]:
        """What can be given once only."""
        return self.table, self.match or "", fold(self.player or ""), self.metric

    @property
    def whose(self) -> str:
        """`pr of Nora in charlot`."""
        return self.metric + (f" of {self.player}" if self.player else "") + (f" in {self.match}" if self.match else "")


Particular = TypeVar("Particular", bound=Special)


class Override(Special, Bound):
    """Another bound than the table's."""


class KnownGap(Special):
    """A gap that is expected: it is taken off before the rest is judged."""

    gap: Number
    """Signed, right minus left, in the unit of the figure."""
    cause: str
    evidence: tuple[str, ...] = ()
    """Where it can be looked at: ids of matches, games and turns, addresses of issues."""

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

    def gone(self, gap: float, bound: float) -> bool:
        """Whether the figure agrees without it, and better than with it."""
        return abs(gap) <= bound + ROUNDING and abs(gap) < abs(gap - self.gap)


@dataclass(frozen=True, slots=True)
class Gate:
    """What judges the figures of one match: a table, and what holds there in particular."""

    table: Table
    overrides: tuple[Override, ...] = ()
    """For this table and match, whether or not their day has passed; the most particular first."""
    known_gaps: tuple[KnownGap, ...] = ()
    today: date = date.min

    def of(self, name: str, player: str) -> Bound | None:
        """The bound of a player's figure, `None` where it has none."""
        return _first(self.overrides, name, player, self.today) or self.table.of(name)

    def known_gap(self, name: str, player: str) -> KnownGap | None:
        """The gap that is expected of a player's figure."""
        return _first(self.known_gaps, name, player, self.today)

    @property
    def expired(self) -> Iterator[Override | KnownGap]:
        """What no longer holds."""
        entries: tuple[Override | KnownGap, ...] = (*self.overrides, *self.known_gaps)
        return (entry for entry in entries if not entry.holds(self.today))


def _first(entries: Iterable[Particular], name: str, player: str, today: date) -> Particular | None:
    return next((entry for entry in entries if entry.concerns(name, player) and entry.holds(today)), None)


class Tolerances(Model):
    """A file of tolerance tables."""

    schema_version: Literal[1]
    extends: Literal["bundled"] | None = None
    """`bundled` takes the tables that come with the program where this file has none of that name."""
    tables: dict[str, Table] = Field(default={}, min_length=1, validate_default=True)
    overrides: tuple[Override, ...] = ()
    known_gaps: tuple[KnownGap, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _extended(cls, file: Any) -> Any:
        if isinstance(file, dict) and file.get("extends") == "bundled" and isinstance(file.get("tables", {}), dict):
            return file | {"tables": {**load_tolerances().tables, **file.get("tables", {})}}
        return file

    @model_validator(mode="after")
    def _of_known_tables(self) -> Tolerances:
        for key, entries in (("overrides", self.overrides), ("known_gaps", self.known_gaps)):
            seen = set()
            for index, entry in enumerate(entries):
                if entry.table not in self.tables:
                    raise Misplaced(f"no table {entry.table!r}; there are {', '.join(self.tables)}", key, index, "table")
                if entry.metric not in self.tables[entry.table].entries:
                    raise Misplaced(f"table {entry.table!r} has no bound for {entry.metric}; add one there first", key, index, "metric")
                if entry.key in seen:
                    raise Misplaced(f"{entry.whose} is given twice for table {entry.table!r}", key, index)
                seen.add(entry.key)
        return self

    def table(self, name: str) -> Table:
        """A table by its id. Raises `UnknownName`."""
        if name not in self.tables:
            raise UnknownName(f"no table of tolerances {name!r}; there are {', '.join(self.tables)}")
        return self.tables[name]

    def gate(self, name: str, match: str | None = None, today: date | None = None) -> Gate:
        """What judges by a table: for a match of a pack by its id, on a day, by default this one. Raises `UnknownName`."""
        table = self.table(name)
        overrides, gaps = _particular(self.overrides, name, match), _particular(self.known_gaps, name, match)
        if not overrides and not gaps:
            return Gate(table)
        return Gate(table, overrides, gaps, today or datetime.now(UTC).date())


def _particular(entries: Iterable[Particular], table: str, match: str | None) -> tuple[Particular, ...]:
    here = [entry for entry in entries if entry.table == table and entry.match in (None, match)]
    return tuple(sorted(here, key=lambda entry: (entry.match is None, entry.player is None)))


def load_tolerances(path: str | Path | None = None) -> Tolerances:
    """Read a file of tolerances, by default the one that comes with the program. Raises `InvalidConfiguration`."""
    return read_yaml(Path(path) if path else bundled("tolerances.yaml"), Tolerances)
