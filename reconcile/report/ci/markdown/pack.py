"""Judged packs and folders, their measurement, the changes between two results, and benchmark scores as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from reconcile.benchmark.results import Score
from reconcile.gap.folders import FolderResult
from reconcile.gap.verdict import INCOMPARABLE, OPEN, OUTSIDE, WITHIN
from reconcile.gate.changes import Changes
from reconcile.gate.match_results import MatchResult
from reconcile.gate.measure import Measured
from reconcile.gate.pack_results import PackResult
from reconcile.report import numbers
from reconcile.report.ci.markdown.table import escape, table
from reconcile.report.text import pack as texts
from reconcile.report.text.benchmark import HEAD, HOW, PUBLISHED_HEAD, blocks, cube_lines, headline, published_rows, shown_references
from reconcile.report.text.changes import changes_sentence, sections
from reconcile.report.text.decisions import list_sentences
from reconcile.report.text.folders import LEFT_OVER, ORDER, folders_sentence, leftovers_of, rows_of
from reconcile.report.text.investigation import diagnosis_lines

MOST: Final = 20
"""Rows of the table of one list."""


def pack_markdown(result: PackResult) -> str:
    """The verdict of a pack, a table of its matches, then what failed and what was not compared."""
    bullets = [f"- {escape(line)}" for line in list_sentences(result)]
    lines = [f"## {escape(texts.pack_sentence(result))}", "", *bullets, *[""] * bool(bullets)]
    for diagnosis in result.diagnoses:
        first, *more = diagnosis_lines(diagnosis)
        lines += [f"**{escape(first)}**", "", *(f"- {escape(line.strip())}" for line in more), *[""] * bool(more)]
    lines += ["| match | verdict | figures | worst |", "| --- | --- | ---: | --- |"]
    for match in texts.in_order(result):
        count = sum(1 for _ in match.figures)
        title = escape(match.title) + (" (synthetic)" if match.synthetic else "")
        lines.append(f"| {title} | {texts.match_verdict(match)} | {count} | {escape(texts.worst_of(match))} |")
    stopped = [(match.id, one) for match in result.matches for one in match.failures]
    failures = [(match, *named) for match in result.matches for named in texts.figures_of(match) if named[1].verdict in (OUTSIDE, OPEN)]
    lines += [
        "",
        *(f"- **failed**: {escape(str(one))}" for one in result.failures),
        *(f"- **{name}**: failed: {escape(str(reason))}" for name, reason in stopped),
        *(
            line
            for match, whose, figure in failures
            for line in (
                f"- **{match.id}**: {texts.failure_word(figure)}: {escape(whose + texts.failure_line(figure))}",
                *(f"  - {escape(walk)}" for walk in (texts.walk_of(match, figure),) if walk),
            )
        ),
    ]
    lines += [
        f"- {match.id}: not compared: {escape(str(reason))}"
        for match in result.matches
        for reason in match.not_compared
        if not reason.is_failure
    ]
    lines += [f"- not compared: {escape(str(reason))}" for reason in result.not_compared if not reason.is_failure]
    lines += [f"- {match.id}: {escape(told)}" for match in result.matches for told in texts.candidate_lines(match)]
    lines += [f"- {one.id}: judged with an exception: {escape(note)}" for one in result.matches for note in texts.notes_of(one)]
    lines += [f"- **{severity}**: {escape(told)}" for severity, told in texts.about_tolerances(result)]
    lines += [line for match in result.matches for line in _tables(match)]
    return "\n".join(lines).rstrip() + "\n"


FOLDER_MARKS: Final = {"noted": "ℹ️", "failed": "❌", OUTSIDE: "❌", "warned": "⚠️", INCOMPARABLE: "⚠️", WITHIN: "✅"}


def _tables(match: MatchResult) -> Iterator[str]:
    for candidate in match.candidates:
        decisions = candidate.decisions
        if decisions is None or not decisions.differing:
            continue
        more = f", the first {MOST} of {len(decisions.differing):,}" if len(decisions.differing) > MOST else ""
        yield f"\n### {match.id}: decisions of {escape(candidate.suite)} that differ{more}\n"
        yield "| decision | what differs | PR | XGID |"
        yield "| --- | --- | ---: | --- |"
        for one in decisions.differing[:MOST]:
            xgid = f"`{one.xgid}`" if one.xgid else ""
            yield f"| {escape(one.address)} | {escape(one.sentence)} | {numbers.change('pr', one.pr)} | {xgid} |"


def folder_markdown(result: FolderResult) -> str:
    """The verdict, a table of the pairs and one of the files that were not compared."""
    rows = rows_of(result)
    mark = FOLDER_MARKS["failed" if result.exit_code() == 2 else min((row.tone for row in rows), key=ORDER.index)]
    parts = [f"### {mark} {escape(folders_sentence(result))}"]
    cells = [(f"{FOLDER_MARKS[row.tone]} {row.said}", escape(row.pair.left), escape(row.pair.right), escape(row.sentence)) for row in rows]
    parts += [table(("Verdict", escape(result.left), escape(result.right), "Result"), cells)] if rows else []
    left = [(LEFT_OVER[one.why], one.side or "", escape(one.name), escape(one.reason)) for one in leftovers_of(result)]
    parts += [table(("Not compared", "Side", "File", "Reason"), left)] if left else []
    return "\n\n".join(parts) + "\n"


def measurement_markdown(rows: Sequence[Measured]) -> str:
    """A table for each tolerance table, for a pull request that changes one."""
    parts = []
    for name, group in texts.by_table(rows):
        title = f"`{name}`" if name else texts.UNJUDGED
        cells = ([escape(cell) for cell in texts.cells(row)] for row in group)
        parts.append(f"### {title}\n\n" + table(texts.GAPS_HEAD, cells, right=texts.NUMBERS))
    return "\n\n".join(parts) + "\n"


def changes_markdown(found: Changes, *, fail_on: str = "error") -> str:
    """What changed, the worst first."""
    mark = "\N{CROSS MARK}" if found.exit_code(fail_on=fail_on) else "\N{WHITE HEAVY CHECK MARK}"
    parts = [f"### {mark} {escape(changes_sentence(found, fail_on=fail_on))}"]
    for head, lines, more in sections(found):
        listed = "\n".join([*(f"- {escape(line)}" for line in lines), *([f"- and {more} more"] if more else [])])
        parts.append(f"**{head}**\n\n{listed}")
    return "\n\n".join(parts) + "\n"


def benchmark_markdown(score: Score) -> str:
    """The score with its tables, published scores beside what was measured, and the findings."""
    parts = [f"### {escape(headline(score))}", HOW]
    for title, rows in blocks(score):
        cells = [tuple(map(escape, row)) for row in rows]
        parts += [f"**{escape(title)}**", table(("class", *HEAD[1:]), cells, tuple(range(1, len(HEAD))))]
    if shown := shown_references(score):
        parts.append(table(PUBLISHED_HEAD, [tuple(map(escape, row)) for row in published_rows(shown)], (2, 3, 4)))
    lines = [*map(escape, cube_lines(score)), *(escape(f"{one.severity}: {one.title}: {one.evidence}") for one in score.findings)]
    if lines:
        parts.append("\n".join(f"- {line}" for line in lines))
    return "\n\n".join(parts) + "\n"
