"""A comparison as Markdown, for a step summary or a comment on a pull request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from reconcile.gap.comparison import Comparison, Side
from reconcile.gap.story import led_by_cause, stories
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE, UNGATED, WITHIN, Figure
from reconcile.report import numbers
from reconcile.report.ci.markdown.table import escape, table
from reconcile.report.verdict import failures, incomplete, undecided, verdict_of
from reconcile.report.words import bridge_of, file_name, length_text, match_title, side_labels, step_name, verdict_words

MARKS: Final = {"noted": "ℹ️", "within": "✅", "warned": "⚠️", "outside": "❌", "incomparable": "⚠️"}
FIGURE_MARKS: Final = {WITHIN: "✅ within", OUTSIDE: "❌ outside", OPEN: "⚠️ open", INCOMPLETE: "⚠️ incomplete", UNGATED: "not judged"}
SHORT_HASH: Final = 12


def comparison_markdown(comparison: Comparison) -> str:
    """The comparison for GitHub: verdict, judged figures, where the gaps come from, findings, and all figures folded."""
    verdict = verdict_of(comparison)
    story = "\n\n".join(escape(" ".join(one.sentences)) for one in stories(comparison))
    judged = [f"{MARKS[verdict.tone]} {verdict.label}", escape(verdict.sentence)]
    if led_by_cause(comparison):
        opening = [f"### {' against '.join(side_labels(comparison))}: {escape(match_title(comparison))}", story, ": ".join(judged)]
    else:
        opening = [f"### {judged[0]}: {escape(match_title(comparison))}", judged[1], story]
    parts = [
        *opening,
        _figures(comparison, _judged(comparison)),
        _coverage(comparison),
        _notes(comparison),
        _bridges(comparison),
        _findings(comparison),
        f"{_folded('All figures', _figures(comparison, comparison.figures))}",
        _pair(comparison),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _judged(comparison: Comparison) -> list[Figure]:
    bad = list(failures(comparison))
    missing = list(incomplete(comparison))
    return [*bad, *undecided(comparison), *missing, *[figure for figure in comparison.judged if figure.verdict == WITHIN]]


def _figures(comparison: Comparison, figures: Sequence[Figure]) -> str:
    if not figures:
        return ""
    noted = verdict_of(comparison).tone == "noted"
    head = ("Figure", "Player", *map(escape, side_labels(comparison)), "Gap", "Allowed", "Verdict")
    rows = []
    for figure in figures:
        gap, bound = numbers.gap_and_bound(figure.metric, figure.gap, figure.tolerance)
        sides = ((figure.left, figure.left_range), (figure.right, figure.right_range))
        values = (*(numbers.ranged(figure.metric, value, range_) for value, range_ in sides), gap, bound)
        word = "outside" if noted and figure.verdict == OUTSIDE else FIGURE_MARKS[figure.verdict]
        if figure.verdict == OUTSIDE and figure.level == "warn":
            word = "outside (warning)" if noted else "⚠️ outside (warning)"
        word = verdict_words(figure, word)
        rows.append((figure.title, escape(figure.player), *values, word))
    return table(head, rows, right=(2, 3, 4, 5))


def _coverage(comparison: Comparison) -> str:
    missing = incomplete(comparison)
    lines = dict.fromkeys(f"- {escape(figure.player)}: {escape(figure.coverage or 'unknown on one side')}" for figure in missing)
    return "**Incomplete analysis, not judged**\n\n" + "\n".join(lines) if lines else ""


def _notes(comparison: Comparison) -> str:
    lines = [f"- {escape(figure.title)} of {escape(figure.player)}: {escape(figure.note)}" for figure in comparison.judged if figure.note]
    return "**Judged with other bounds**\n\n" + "\n".join(lines) if lines else ""


def _bridges(comparison: Comparison) -> str:
    rows = []
    for figure in comparison.judged:
        bridge = bridge_of(comparison, figure)
        if bridge is None or figure.share:
            continue
        steps = ", ".join(f"{step_name(step.code)} {numbers.change(figure.metric, step.change)}" for step in bridge.steps if step.change)
        values = numbers.figure(figure.metric, bridge.start), numbers.figure(figure.metric, bridge.end)
        walk = steps if bridge.steps else f"no bridge: {bridge.reason}"
        rows.append((figure.title, escape(figure.player), values[0], escape(walk) or "no step changes it", values[1]))
    if not rows:
        return ""
    left, right = map(escape, side_labels(comparison))
    return "**Where the gaps come from**\n\n" + table(("Figure", "Player", left, "Steps", right), rows, right=(2, 4))


def _findings(comparison: Comparison) -> str:
    lines = []
    for finding in comparison.findings:
        where = f" ({finding.side})" if finding.side else ""
        text = f"{escape(finding.title)}: {escape(finding.evidence)} (`{finding.code}`). {escape(finding.advice)}"
        lines.append(f"- **{finding.severity}**{where}: {text}")
    return "**Findings**\n\n" + "\n".join(lines) if lines else ""


def _pair(comparison: Comparison) -> str:
    sides = zip(side_labels(comparison), (comparison.left, comparison.right), strict=True)
    files = "; ".join(f"{escape(label)}: {_side(side)}" for label, side in sides)
    return f"{length_text(comparison.length)}, tolerances `{comparison.table}`. {files}."


def _side(side: Side) -> str:
    version = f" {side.tool_version}" if side.tool_version else ""
    name = file_name(side.path).replace("`", "'")
    digest = f", SHA-256 `{side.sha256[:SHORT_HASH]}`" if side.sha256 else ""
    return f"`{name}` ({escape(side.tool + version)}, rules `{side.rules}`{digest})"


def _folded(title: str, content: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{content}\n\n</details>" if content else ""
