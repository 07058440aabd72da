"""The tables of tolerances that come with the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs.making.markdown import code, table
from reconcile.gap.bounds import Table, Tolerance
from reconcile.gap.tolerances import DEFAULT_TABLE, load_tolerances
from reconcile.scoring.figures import METRICS

MOST_SINGLE: Final = 20


def tolerances() -> str:
    """Every table with what it is for and how far a figure may be off."""
    rows = []
    for name, table_ in load_tolerances().tables.items():
        bounds = ", ".join(f"{code(names)} {bound}" for names, bound in _bounds(table_))
        rows.append(
            (
                f"{code(name)}{' (of `compare`)' if name == DEFAULT_TABLE else ''}",
                table_.title,
                bounds,
            )
        )
    return table(["table", "for", "allowed"], rows)


def _bounds(table_: Table) -> Iterator[tuple[str, str]]:
    """The figures of a table and their bounds; in a long table the figures with the same bound are
    named together."""
    if len(table_.entries) <= MOST_SINGLE:
        yield from ((key, _bound(entry)) for key, entry in table_.entries.items())
        return
    groups: dict[str, list[str]] = {}
    for key, entry in table_.entries.items():
        groups.setdefault(_bound(entry), []).append(key)
    yield from (
        ("every figure" if len(keys) == len(METRICS) else ", ".join(keys), bound)
        for bound, keys in groups.items()
    )


def _bound(entry: Tolerance) -> str:
    if entry.within is not None:
        return "as printed"
    return f"{entry.abs:g}" if entry.abs is not None else f"{entry.rel:g} of it"
