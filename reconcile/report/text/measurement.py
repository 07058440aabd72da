"""The gaps measured on a pack, as text, as Markdown and as a draft of tolerance tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from reconcile.files.wording import plural
from reconcile.gate.measure import Measured
from reconcile.report.text.columns import aligned

GAPS_HEAD = ("Figure", "n", "matches", "widest gap", "95 % within", "where", "allowed", "times the widest")
NUMBERS = (1, 2, 3, 4, 6, 7)
UNJUDGED = "not judged"


def measurement_text(rows: Sequence[Measured]) -> str:
    """A block for each tolerance table."""
    lines: list[str] = []
    for name, group in by_table(rows):
        lines += [f"{name or UNJUDGED}:", *("  " + line for line in aligned([GAPS_HEAD, *map(cells, group)], right=NUMBERS)), ""]
    return "\n".join(lines)


def measurement_yaml(rows: Sequence[Measured], pack: str, *, of_program: bool = False) -> str:
    """Tolerance tables with the tightest bounds that would have passed; the reasons are left for people to write.

    The file is rejected until they are filled in, since the reason for a bound cannot be measured. Of a program (`of_program`), a figure
    that never differs in a printed digit needs no other reason.
    """
    lines = [
        "# The tightest bounds within which everything measured would have passed, rounded up to two digits. Add some margin,",
        "# and give the `reason` why the figures may differ: the file is rejected until every reason is filled in.",
        "schema_version: 1",
        *(["extends: bundled"] if of_program else []),
        "tables:",
    ]
    for name, group in by_table(rows):
        title = f"Figures of {name}, measured on {pack}" if of_program else f"Measured on {pack}"
        lines += [f"  {name or UNJUDGED.replace(' ', '-')}:", f'    title: "{_quoted(title)}"', "    entries:"]
        for row in group:
            counted = f"{plural(row.count, 'figure')} of {plural(row.matches, 'match', 'matches')}"
            source = f"reconcile measure {pack}: {counted}, the widest gap {row.widest:.4g}, 95 % within {row.percentile_95:.4g}"
            is_exact = of_program and row.is_exact
            lines += [
                f"      {row.metric}:",
                "        within: printed" if is_exact else f"        abs: {row.suggested:f}",
                "        level: error",
                '        reason: "the same in every printed digit"' if is_exact else '        reason: ""',
                f'        source: "{_quoted(source)}"',
                f"        evidence: [{row.match}]",
            ]
    return "\n".join(lines) + "\n"


def by_table(rows: Sequence[Measured]) -> Iterator[tuple[str, list[Measured]]]:
    """The measurements by tolerance table; those that no table judges come last."""
    ordered = sorted(rows, key=lambda row: (not row.table, row.table))
    return ((name, list(group)) for name, group in groupby(ordered, key=lambda row: row.table))


def cells(row: Measured) -> tuple[str, ...]:
    """A row of the table."""
    where = f"{row.match}, {row.player}" if row.widest else "-"
    allowed = "-" if row.tolerance is None else f"{row.tolerance:g}"
    ratio = "-" if row.ratio is None else f"{row.ratio:.3g}"
    return (row.metric, str(row.count), str(row.matches), f"{row.widest:.4g}", f"{row.percentile_95:.4g}", where, allowed, ratio)


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
