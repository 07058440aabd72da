"""The tables of tolerances that come with the program."""

from __future__ import annotations

from collections.abc import Iterator

from docs.making.markdown import code, table
from reconcile.gap.bounds import Table, Tolerance
from reconcile.gap.tolerances import DEFAULT_TABLE, load_tolerances
from reconcile.scoring.figures import METRICS


def tolerances() -> str:
    """Every table with what it is for and how far a figure may be off."""
    rows = []
    for name, bounds in load_tolerances().tables.items():
        used = " (of `compare`)" if name == DEFAULT_TABLE else ""
        rows.append((f"{code(name)}{used}", bounds.title, "; ".join(_allowed(bounds))))
    return table(["table", "for", "allowed"], rows)


def _allowed(bounds: Table) -> Iterator[str]:
    """The figures with the same bound, and that bound."""
    groups: dict[str, list[str]] = {}
    for name, entry in bounds.entries.items():
        groups.setdefault(_bound(entry), []).append(code(name))
    for bound, names in groups.items():
        yield f"{'every figure' if len(names) == len(METRICS) else ', '.join(names)}: {bound}"


def _bound(entry: Tolerance) -> str:
    if entry.within is not None:
        return "as printed"
    return f"{entry.abs:g}" if entry.abs is not None else f"{entry.rel:g} of it"
