"""Judged packs and folders, their measurement, the changes between two results, and benchmark scores as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from reconcile.benchmark.published import Reference
from reconcile.benchmark.score import Score
from reconcile.gap.folders import FolderResult
from reconcile.gap.verdict import INCOMPARABLE, OPEN, OUTSIDE, WITHIN
from reconcile.gate.changes import Changes
from reconcile.gate.measure import Measured
from reconcile.gate.pack_results import PackResult
from reconcile.report.ci.markdown.table import escape, list_bullets, list_tables, table
from reconcile.report.text.benchmark import HEAD, HOW, PUBLISHED_HEAD, blocks, cube_lines, headline, published_rows, shown_references
from reconcile.report.text.changes import changes_sentence, sections
from reconcile.report.text.folders import LEFT_OVER, ORDER, folders_sentence, leftovers_of, rows_of
from reconcile.report.text.investigation import diagnosis_lines
from reconcile.report.text.measurement import GAPS_HEAD, NUMBERS, UNJUDGED, by_table, cells
from reconcile.report.text.pack import (
    about_tolerances,
    candidate_lines,
    failure_line,
    failure_word,
    figures_of,
    in_order,
    match_verdict,
    notes_of,
    pack_sentence,
    walk_of,
    worst_of,
)
from reconcile.scoring.findings import Finding


def pack_markdown(result: PackResult) -> str:
    """The verdict of a pack, a table of its matches, then what failed and what was not compared."""
    lines = [f"## {escape(pack_sentence(result))}", "", *list_bullets(result)]
    for diagnosis in result.diagnoses:
        sentence, *more = diagnosis_lines(diagnosis)
        lines += [f"**{escape(sentence)}**", "", *(f"- {escape(line.strip())}" for line in more), *[""] * bool(more)]
    lines += ["| match | verdict | figures | worst |", "| --- | --- | ---: | --- |"]
    for match in in_order(result):
        count = sum(1 for _ in match.figures)
        title = escape(match.manifest.title) + (" (synthetic)" if match.manifest.synthetic else "")
        lines.append(f"| {title} | {match_verdict(match)} | {count} | {escape(worst_of(match))} |")
    stopped = [(match.manifest.id, one) for match in result.matches for one in match.failures]
    failures = [(match, *named) for match in result.matches for named in figures_of(match) if named[1].verdict in (OUTSIDE, OPEN)]
    lines += [
        "",
        *(f"- **failed**: {escape(str(one))}" for one in result.failures),
        *(f"- **{name}**: failed: {escape(str(reason))}" for name, reason in stopped),
        *(
            line
            for match, whose, figure in failures
            for line in (
                f"- **{match.manifest.id}**: {failure_word(figure)}: {escape(whose + failure_line(figure))}",
                *(f"  - {escape(walk)}" for walk in (walk_of(match, figure),) if walk),
            )
        ),
    ]
    lines += [
        f"- {match.manifest.id}: not compared: {escape(str(reason))}"
        for match in result.matches
        for reason in match.not_compared
        if not reason.is_failure
    ]
    lines += [f"- not compared: {escape(str(reason))}" for reason in result.not_compared if not reason.is_failure]
    lines += [f"- {match.manifest.id}: {escape(told)}" for match in result.matches for told in candidate_lines(match)]
    lines += [f"- {match.manifest.id}: judged with an exception: {escape(note)}" for match in result.matches for note in notes_of(match)]
    lines += [f"- **{severity}**: {escape(told)}" for severity, told in about_tolerances(result)]
    lines += list_tables(result)
    return "\n".join(lines).rstrip() + "\n"


FOLDER_MARKS: Final = {"noted": "ℹ️", "failed": "❌", OUTSIDE: "❌", "warned": "⚠️", INCOMPARABLE: "⚠️", WITHIN: "✅"}


def folder_markdown(result: FolderResult) -> str:
    """The verdict, a table of the pairs and one of the files that were not compared."""
    rows = rows_of(result)
    mark = FOLDER_MARKS["failed" if result.exit_code() == 2 else min((row.tone for row in rows), key=ORDER.index)]
    parts = [f"### {mark} {escape(folders_sentence(result))}"]
    cells = [(f"{FOLDER_MARKS[row.tone]} {row.said}", escape(row.pair.left), escape(row.pair.right), escape(row.sentence)) for row in rows]
    parts += [table(("Verdict", escape(result.left), escape(result.right), "Result"), cells)] if rows else []
    left = [(LEFT_OVER[one.why], one.side, escape(one.name), escape(one.reason)) for one in leftovers_of(result)]
    parts += [table(("Not compared", "Side", "File", "Reason"), left)] if left else []
    return "\n\n".join(parts) + "\n"


def measurement_markdown(rows: Sequence[Measured]) -> str:
    """A table for each tolerance table, for a pull request that changes one."""
    parts = []
    for name, group in by_table(rows):
        title = f"`{name}`" if name else UNJUDGED
        parts.append(f"### {title}\n\n" + table(GAPS_HEAD, ([escape(cell) for cell in cells(row)] for row in group), right=NUMBERS))
    return "\n\n".join(parts) + "\n"


def changes_markdown(found: Changes, *, fail_on: str = "error") -> str:
    """What changed, the worst first."""
    mark = "\N{CROSS MARK}" if found.exit_code(fail_on=fail_on) else "\N{WHITE HEAVY CHECK MARK}"
    parts = [f"### {mark} {escape(changes_sentence(found, fail_on=fail_on))}"]
    for head, lines, more in sections(found):
        listed = "\n".join([*(f"- {escape(line)}" for line in lines), *([f"- and {more} more"] if more else [])])
        parts.append(f"**{head}**\n\n{listed}")
    return "\n\n".join(parts) + "\n"


def benchmark_markdown(score: Score, references: Sequence[Reference], findings: Sequence[Finding]) -> str:
    """The score with its tables, published scores beside what was measured, and the findings."""
    parts = [f"### {escape(headline(score))}", HOW]
    for block in blocks(score):
        rows = [tuple(map(escape, row)) for row in block.rows]
        parts += [f"**{escape(block.title)}**", table(("class", *HEAD[1:]), rows, tuple(range(1, len(HEAD))))]
    if shown := shown_references(references):
        parts.append(table(PUBLISHED_HEAD, [tuple(map(escape, row)) for row in published_rows(shown)], (2, 3, 4)))
    lines = [*map(escape, cube_lines(score)), *(escape(f"{one.severity}: {one.title}: {one.evidence}") for one in findings)]
    if lines:
        parts.append("\n".join(f"- {line}" for line in lines))
    return "\n\n".join(parts) + "\n"
