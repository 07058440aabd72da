"""A reference pack as Markdown."""

from __future__ import annotations

from reconcile.gap.verdict import OPEN, OUTSIDE
from reconcile.gate.pack_results import PackResult
from reconcile.report.ci.markdown.decision_list import list_bullets, list_tables
from reconcile.report.ci.markdown.table import escape
from reconcile.report.text.diagnosis import diagnosis_lines
from reconcile.report.text.judged import failure_line
from reconcile.report.text.pack import (
    about_tolerances,
    candidate_lines,
    failure_word,
    figures_of,
    in_order,
    match_verdict,
    notes_of,
    pack_sentence,
    walk_of,
    worst_of,
)


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
