"""Written tolerances: how far a figure may be off, at which level, and why.

A tolerance is noise. Every entry gives a reason and a source; an unknown metric, table or key is an
error, since a misspelt threshold must never pass silently. What is known to be off, and why, is no
noise: it is separate, a *known gap*, signed, with a day on which it ends. So does an *override*,
another bound for one match or one player.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reconcile.errors import UnknownName, expect
from reconcile.files.bundled import bundled
from reconcile.gap.bounds import (
    BUNDLED,
    Gate,
    KnownGap,
    Override,
    Table,
    Tolerance,
    by_full_name,
    particular,
)
from reconcile.notebook import NotebookTable, frame_of, one_line
from reconcile.wording import did_you_mean, plural

if TYPE_CHECKING:
    import pandas as pd


DEFAULT_TABLE = "documented"


@dataclass(frozen=True, slots=True)
class Tolerances(NotebookTable):
    """Tables of tolerances with their overrides and known gaps, as a file has them:
    `load_tolerances` reads one."""

    tables: Mapping[str, Table]
    """By id: `documented`, `xg-reported`..."""
    overrides: tuple[Override, ...] = ()
    """Other bounds for one match or player, each until a day."""
    known_gaps: tuple[KnownGap, ...] = ()
    """Gaps that are expected, each until a day."""

    def __repr__(self) -> str:
        overrides, gaps = len(self.overrides), len(self.known_gaps)
        exceptions = f"{plural(overrides, 'override')}, {plural(gaps, 'known gap')}"
        tables = f"{plural(len(self.tables), 'table')}: {', '.join(self.tables)}"
        return one_line(self, f"{exceptions}; {tables}")

    def to_frame(self) -> pd.DataFrame:
        """A row for every entry of every table; overrides and known gaps are lists of their own.

        - `table`, `metric`: where it holds
        - `abs`, `rel`, `within`: how far a figure may be off, in its unit, as a share of the left
          figure, or as far as it was `printed`; two of them are missing
        - `level`: `error`, `warn` or `off`
        - `reason`, `source`: why so far, and how that is known
        """
        names = ("abs", "rel", "within", "level", "reason", "source")
        columns = ("table", "metric", *names)
        kinds = {name: "float64" if name in ("abs", "rel") else "object" for name in columns}
        rows = (
            {"table": table, "metric": metric, **{name: getattr(entry, name) for name in names}}
            for table, bounds in self.tables.items()
            for metric, entry in bounds.entries.items()
        )
        return frame_of(rows, kinds)

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object]) -> Tolerances:
        """Tolerances given as nested dictionaries with the keys of a `tolerances.yaml`. Raises
        `InvalidConfiguration`."""
        from reconcile.files.yaml_file import checked_mapping
        from reconcile.gap.tolerance_file import ToleranceFile

        return Tolerances(*checked_mapping("tolerances", mapping, ToleranceFile).values())

    def table(self, name: str) -> Table:
        """A table by its id. Raises `UnknownName`."""
        if name not in tuple(self.tables):  # a list or a mapping cannot be looked up
            near = did_you_mean(str(name), self.tables)
            expected = f"expected one of {', '.join(self.tables)}"
            raise UnknownName(f"no table of tolerances {name!r}{near}, {expected}")
        return self.tables[name]

    def gate(self, name: str, match: str | None = None, today: date | None = None) -> Gate:
        """What judges by a table: for a match of a pack by its id, on a day, by default this one.
        Raises `UnknownName`."""
        table = self.table(name)
        overrides = particular(self.overrides, name, match)
        gaps = particular(self.known_gaps, name, match)
        if not overrides and not gaps:
            return Gate(table)
        return Gate(table, overrides, gaps, today or datetime.now(UTC).date())


def load_tolerances(path: str | Path | None = None) -> Tolerances:
    """Read a file of tolerances, by default the one that comes with the program. Raises
    `InvalidConfiguration`."""
    if path is None:
        return _shipped()
    expect("path", path, (str, Path), "the path of a file")
    from reconcile.files.yaml_file import read_yaml
    from reconcile.gap.tolerance_file import ToleranceFile

    return Tolerances(*read_yaml(Path(path), ToleranceFile).values())


@cache
def _shipped() -> Tolerances:
    """The tables that come with the program, which needs no pydantic to read them."""
    from reconcile.files.yaml_file import read_tree

    tree: Any = read_tree(bundled(BUNDLED))
    tables = {}
    for name, table in tree["tables"].items():
        entries = {key: Tolerance(**_plain(entry)) for key, entry in table["entries"].items()}
        tables[name] = Table(title=table["title"], entries=by_full_name(entries))
    return Tolerances(tables)


def _plain(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry with the types of a `Tolerance`: YAML has whole numbers and lists."""
    bounds = {name: float(entry[name]) for name in ("abs", "rel") if name in entry}
    return {**entry, **bounds, "evidence": tuple(entry.get("evidence", ()))}
