"""What was measured on a pack, as text, Markdown and as the beginning of a table of tolerances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from reconcile.gate.measure import Measured
from reconcile.report.text.comparison import aligned

HEAD = ("Figure", "n", "widest gap", "95 % within", "where", "allowed", "times the widest")
NUMBERS = (1, 2, 3, 5, 6)
UNJUDGED = "not judged"


def measurement_text(rows: Sequence[Measured]) -> str:
    """A block for each table of tolerances."""
    lines: list[str] = []
    for name, group in by_table(rows):
        lines += [f"{name or UNJUDGED}:", *("  " + line for line in aligned([HEAD, *map(cells, group)], right=NUMBERS)), ""]
    return "\n".join(lines)


def measurement_yaml(rows: Sequence[Measured], pack: str) -> str:
    """Tables of tolerances with the tightest bounds that would have passed; their reasons are left for people to write.

    The file is refused until they are there: what a bound is good for cannot be measured.
    """
    lines = [
        "# The tightest bounds that everything measured would have passed, rounded up to two digits. Leave some room on purpose,",
        "# and say in `reason` why the figures may differ: the file is refused until every reason is there.",
        "schema_version: 1",
        "tables:",
    ]
    for name, group in by_table(rows):
        lines += [f"  {name or UNJUDGED.replace(' ', '-')}:", f'    title: "Measured on {_quoted(pack)}"', "    entries:"]
        for row in group:
            source = f"reconcile measure {pack}: {row.count} figures, the widest gap {row.widest:.4g}, 95 % within {row.percentile_95:.4g}"
            lines += [
                f"      {row.metric}:",
                f"        abs: {row.suggested:f}",
                "        level: error",
                '        reason: ""',
                f'        source: "{_quoted(source)}"',
                f"        evidence: [{row.match}]",
            ]
    return "\n".join(lines) + "\n"


def by_table(rows: Sequence[Measured]) -> Iterator[tuple[str, list[Measured]]]:
    """What was measured by the table that judges it, what nothing judges last."""
    ordered = sorted(rows, key=lambda row: (not row.table, row.table))
    return ((name, list(group)) for name, group in groupby(ordered, key=lambda row: row.table))


def cells(row: Measured) -> tuple[str, ...]:
    """A row of a table."""
    where = f"{row.match}, {row.player}" if row.widest else "-"
    allowed = "-" if row.tolerance is None else f"{row.tolerance:g}"
    ratio = "-" if row.ratio is None else f"{row.ratio:.3g}"
    return (row.metric, str(row.count), f"{row.widest:.4g}", f"{row.percentile_95:.4g}", where, allowed, ratio)


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
