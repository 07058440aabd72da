"""A judged pack as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reconcile.gap.verdict import OPEN, OUTSIDE
from reconcile.gate.match_results import MatchResult
from reconcile.gate.pack_results import PackResult
from reconcile.report import numbers
from reconcile.report.markdown import code, escape, table
from reconcile.report.text import pack as texts
from reconcile.report.text.comparison import walk_line
from reconcile.report.text.decisions import list_sentences
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
    rows = []
    for match in texts.in_order(result):
        title = escape(match.title) + (" (synthetic)" if match.synthetic else "")
        rows.append((title, texts.match_verdict(match), str(sum(1 for _ in match.figures)), escape(texts.worst_of(match))))
    lines.append(table(("match", "verdict", "figures", "worst"), rows, (2,)))
    stopped = [(match.id, one) for match in result.matches for one in match.failures]
    failures = [(match, *named) for match in result.matches for named in texts.figures_of(match) if named[1].verdict in (OUTSIDE, OPEN)]
    lines += [
        "",
        *(f"- **failed**: {escape(str(one))}" for one in result.failures),
        *(f"- **{name}**: failed: {escape(str(reason))}" for name, reason in stopped),
        *(
            line
            for match, whose, figure in failures
            for comparison in (texts.comparison_of(match, figure),)
            for line in (
                f"- **{match.id}**: {texts.failure_word(figure)}: {escape(whose + texts.failure_line(figure, comparison))}",
                *(f"  - {escape(walk)}" for walk in (walk_line(comparison, figure),) if walk),
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


def _tables(match: MatchResult) -> Iterator[str]:
    for candidate in match.candidates:
        decisions = candidate.decisions
        if decisions is None or not decisions.differing:
            continue
        more = f", the first {MOST} of {len(decisions.differing):,}" if len(decisions.differing) > MOST else ""
        yield f"\n### {match.id}: decisions of {escape(candidate.suite)} that differ{more}\n"
        rows = [
            (escape(one.address), escape(one.sentence), numbers.change("pr", one.pr), code(one.xgid) if one.xgid else "")
            for one in decisions.differing[:MOST]
        ]
        yield table(("decision", "what differs", "PR", "XGID"), rows, (2,))
