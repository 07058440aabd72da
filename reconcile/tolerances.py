"""Written tolerances: how far a figure may be off, at which level, and why.

A tolerance is noise. Every entry gives a reason and a source; an unknown metric, table or key is an error, since a misspelt
threshold must never pass silently.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from pydantic import Field, field_validator, model_validator

from reconcile.bundled import bundled
from reconcile.errors import UnknownName
from reconcile.metrics import ALIASES, METRICS, metric
from reconcile.yaml_file import Model, read_yaml

DEFAULT_TABLE: Final = "documented"
SHARES: Final = ("rules", "engine", "coverage", "reporting")
ROUNDING: Final = 1e-9
"""Slack for binary fractions: 9.28 and 9.285 are 0.005 apart whatever their floats say."""

Level = Literal["error", "warn", "off"]


class Tolerance(Model):
    """How far one figure may be off."""

    abs: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """In the unit of the figure."""
    rel: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """As a share of the left figure."""
    level: Level
    reason: str = Field(min_length=1)
    source: str = Field(min_length=1)
    evidence: tuple[str, ...] = ()
    """Ids of reference matches."""
    measured: str | None = None

    @model_validator(mode="after")
    def _one_bound(self) -> Tolerance:
        if (self.abs is None) == (self.rel is None):
            raise ValueError("expected either abs or rel")
        return self

    def bound(self, left: float) -> float:
        """The bound in the unit of the figure."""
        return self.abs if self.abs is not None else (self.rel or 0.0) * abs(left)


class Table(Model):
    """The tolerances of one kind of comparison."""

    title: str = Field(min_length=1)
    entries: dict[str, Tolerance] = Field(min_length=1)

    @field_validator("entries")
    @classmethod
    def _known_metrics(cls, entries: dict[str, Tolerance]) -> dict[str, Tolerance]:
        full: dict[str, Tolerance] = {}
        for name, tolerance in entries.items():
            plain, _, share = name.partition("@")
            if ALIASES.get(plain, plain) not in METRICS:
                raise ValueError(f"unknown metric {plain!r}, expected one of {', '.join(METRICS)} or {', '.join(ALIASES)}")
            if (share and share not in SHARES) or name.endswith("@"):
                raise ValueError(f"unknown share {share!r} of {plain}, expected one of {', '.join(SHARES)}")
            key = metric(plain).name + ("@" + share if share else "")
            if key in full:
                raise ValueError(f"{key} is bounded twice")
            full[key] = tolerance
        return full

    def of(self, name: str) -> Tolerance | None:
        """The tolerance of a metric, `None` where it has none."""
        return self.entries.get(name)


class Tolerances(Model):
    """A file of tolerance tables."""

    schema_version: Literal[1]
    tables: dict[str, Table] = Field(min_length=1)

    def table(self, name: str) -> Table:
        """A table by its id. Raises `UnknownName`."""
        if name not in self.tables:
            raise UnknownName(f"no table of tolerances {name!r}; there are {', '.join(self.tables)}")
        return self.tables[name]


def load_tolerances(path: str | Path | None = None) -> Tolerances:
    """Read a file of tolerances, by default the one that comes with the program. Raises `InvalidConfiguration`."""
    return read_yaml(Path(path) if path else bundled("tolerances.yaml"), Tolerances)
