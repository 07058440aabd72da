"""The tables of tolerances that come with the program."""

from __future__ import annotations

from docs.making.markdown import code, table
from reconcile.gap.bounds import Tolerance
from reconcile.gap.tolerances import DEFAULT_TABLE, load_tolerances


def tolerances() -> str:
    """Every table with what it is for and how far a figure may be off."""
    rows = []
    for name, one in load_tolerances().tables.items():
        bounds = ", ".join(f"{code(key)} {_bound(entry)}" for key, entry in one.entries.items())
        rows.append((f"{code(name)}{' (of `compare`)' if name == DEFAULT_TABLE else ''}", one.title, bounds))
    return table(["table", "for", "allowed"], rows)


def _bound(entry: Tolerance) -> str:
    return f"{entry.abs:g}" if entry.abs is not None else f"{entry.rel:g} of it"
