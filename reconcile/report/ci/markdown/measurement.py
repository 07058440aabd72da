"""The gaps measured on a pack, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from reconcile.gate.measure import Measured
from reconcile.report.ci.markdown.table import escape, table
from reconcile.report.text.measurement import HEAD, NUMBERS, UNJUDGED, by_table, cells


def measurement_markdown(rows: Sequence[Measured]) -> str:
    """A table for each tolerance table, for a pull request that changes one."""
    parts = []
    for name, group in by_table(rows):
        title = f"`{name}`" if name else UNJUDGED
        parts.append(f"### {title}\n\n" + table(HEAD, ([escape(cell) for cell in cells(row)] for row in group), right=NUMBERS))
    return "\n\n".join(parts) + "\n"
