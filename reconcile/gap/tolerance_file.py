"""A file of tolerances as people write it: its tables, and the exceptions from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field, model_validator

from reconcile.files.bundled import bundled
from reconcile.files.yaml_file import Misplaced, Model, read_yaml
from reconcile.gap.bounds import KnownGap, Override, Table

BUNDLED = "tolerances.yaml"


class ToleranceFile(Model):
    """A file of tolerance tables."""

    schema_version: Literal[1]
    extends: Literal["bundled"] | None = None
    """`bundled` takes the tables that come with the program where this file has none of that name."""
    tables: dict[str, Table] = Field(default={}, min_length=1, validate_default=True)
    overrides: tuple[Override, ...] = ()
    known_gaps: tuple[KnownGap, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _extended(cls, file: object) -> object:
        if isinstance(file, dict) and file.get("extends") == "bundled" and isinstance(file.get("tables", {}), dict):
            shipped = read_yaml(bundled(BUNDLED), ToleranceFile).tables
            return file | {"tables": {**shipped, **file.get("tables", {})}}
        return file

    @model_validator(mode="after")
    def _of_known_tables(self) -> ToleranceFile:
        written: dict[str, Sequence[Override | KnownGap]] = {"overrides": self.overrides, "known_gaps": self.known_gaps}
        for key, entries in written.items():
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
