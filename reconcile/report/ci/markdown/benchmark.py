"""A benchmark score as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from reconcile.benchmark.published import Reference
from reconcile.benchmark.score import Score
from reconcile.report.ci.markdown.table import escape
from reconcile.report.ci.markdown.table import table as markdown_table
from reconcile.report.text.benchmark import HEAD, HOW, PUBLISHED_HEAD, blocks, cube_lines, headline, published_rows, shown_references
from reconcile.scoring.findings import Finding


def benchmark_markdown(score: Score, references: Sequence[Reference], findings: Sequence[Finding]) -> str:
    """The score with its tables, published scores beside what was measured, and the findings."""
    parts = [f"### {escape(headline(score))}", HOW]
    for block in blocks(score):
        rows = [tuple(map(escape, row)) for row in block.rows]
        parts += [f"**{escape(block.title)}**", markdown_table(("class", *HEAD[1:]), rows, tuple(range(1, len(HEAD))))]
    if shown := shown_references(references):
        parts.append(markdown_table(PUBLISHED_HEAD, [tuple(map(escape, row)) for row in published_rows(shown)], (2, 3, 4)))
    lines = [*map(escape, cube_lines(score)), *(escape(f"{one.severity}: {one.title}: {one.evidence}") for one in findings)]
    if lines:
        parts.append("\n".join(f"- {line}" for line in lines))
    return "\n\n".join(parts) + "\n"
