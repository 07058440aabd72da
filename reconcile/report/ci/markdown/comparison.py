"""Comparisons of two and of several files, and investigations, as Markdown: for a step summary, a comment, a mail or a forum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from reconcile.gap.comparison import Comparison, Side
from reconcile.gap.disputed import DisputedDecision
from reconcile.gap.many_folders import ManyFolders
from reconcile.gap.many_story import stories as many_stories
from reconcile.gap.review import Review
from reconcile.gap.story import led_by_cause, stories
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE, UNGATED, WITHIN, Figure
from reconcile.infer.investigation import Investigation
from reconcile.match.tools import short_name
from reconcile.report import numbers, words
from reconcile.report.answer import answer, change_of, shows_reach, side_by_side
from reconcile.report.ci.markdown.table import escape, table
from reconcile.report.html.figures import GROUPS
from reconcile.report.text.folders import LEFT_OVER, sentences_of
from reconcile.report.verdict import failures, incomplete, undecided, verdict_of
from reconcile.scoring.findings import level_text
from reconcile.scoring.metrics import METRICS

MARKS: Final = {"noted": "ℹ️", "within": "✅", "warned": "⚠️", "outside": "❌", "incomparable": "⚠️"}
FIGURE_MARKS: Final = {WITHIN: "✅ within", OUTSIDE: "❌ outside", OPEN: "⚠️ open", INCOMPLETE: "⚠️ incomplete", UNGATED: "not judged"}
SHORT_HASH: Final = 12


def comparison_markdown(comparison: Comparison) -> str:
    """The comparison for GitHub: verdict, judged figures, where the gaps come from, findings, and all figures folded."""
    verdict = verdict_of(comparison)
    story = "\n\n".join(escape(" ".join(one.sentences)) for one in stories(comparison))
    judged = [f"{MARKS[verdict.tone]} {verdict.label}", escape(verdict.sentence)]
    match = escape(words.match_title(comparison))
    if led_by_cause(comparison):
        opening = [f"### {' against '.join(words.side_labels(comparison))}: {match}", story, ": ".join(judged)]
    else:
        opening = [f"### {judged[0]}: {match}", judged[1], story]
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
    head = ("Figure", "Player", *map(escape, words.side_labels(comparison)), "Gap", "Allowed", "Verdict")
    rows = []
    for figure in figures:
        gap, bound = numbers.gap_and_bound(figure.metric, figure.gap, figure.tolerance)
        word = "outside" if noted and figure.verdict == OUTSIDE else FIGURE_MARKS[figure.verdict]
        if figure.verdict == OUTSIDE and figure.level == "warn":
            word = "outside (warning)" if noted else "⚠️ outside (warning)"
        word = words.verdict_words(figure, word)
        rows.append((figure.title, escape(figure.player), *numbers.both_sides(figure), gap, bound, word))
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
        bridge = words.bridge_of(comparison, figure)
        if bridge is None or figure.share:
            continue
        changes = [f"{words.step_name(step.code)} {numbers.change(figure.metric, step.change)}" for step in bridge.steps if step.change]
        values = numbers.figure(figure.metric, bridge.start), numbers.figure(figure.metric, bridge.end)
        walk = ", ".join(changes) if bridge.steps else f"no bridge: {bridge.reason}"
        rows.append((figure.title, escape(figure.player), values[0], escape(walk) or "no step changes it", values[1]))
    if not rows:
        return ""
    left, right = map(escape, words.side_labels(comparison))
    return "**Where the gaps come from**\n\n" + table(("Figure", "Player", left, "Steps", right), rows, right=(2, 4))


def _findings(comparison: Comparison) -> str:
    lines = []
    for finding in comparison.findings:
        where = f" ({finding.side})" if finding.side else ""
        text = f"{escape(finding.title)}: {escape(finding.evidence)} (`{finding.code}`). {escape(finding.advice)}"
        lines.append(f"- **{finding.severity}**{where}: {text}")
    return "**Findings**\n\n" + "\n".join(lines) if lines else ""


def _pair(comparison: Comparison) -> str:
    sides = zip(words.side_labels(comparison), (comparison.left, comparison.right), strict=True)
    files = "; ".join(f"{escape(label)}: {_side(side)}" for label, side in sides)
    return f"{words.length_text(comparison.length)}, tolerances `{comparison.table}`. {files}."


def _side(side: Side) -> str:
    version = f" {side.tool_version}" if side.tool_version else ""
    name = words.file_name(side.path).replace("`", "'")
    digest = f", SHA-256 `{side.sha256[:SHORT_HASH]}`" if side.sha256 else ""
    return f"`{name}` ({escape(side.tool + version)}, rules `{side.rules}`{digest})"


def _folded(title: str, content: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{content}\n\n</details>" if content else ""


FIRST: Final = ("pr", "checker_pr", "cube_pr", "decisions.counted", "equity_error.total", "mwc_loss_percent.total")
"""Figures that are not folded away."""
SHOWN: Final = 20
"""Decisions of a list; JSON and the page have all."""


def many_markdown(many: Review) -> str:
    """Story, figures, gaps of PR, decisions in dispute, and the files; all figures folded."""
    first, second = map(escape, many.names)
    parts = [
        f"### {len(many.analyses)} analyses: {first} – {second}",
        *(escape(" ".join(story.sentences)) for story in many_stories(many)),
        *(f"**{escape(many.names[seat])}**\n\n{_many_figures(many, seat, FIRST)}" for seat in many.seats),
        *(f"**Gaps of PR, {escape(many.names[seat])}** (column less row)\n\n{_gaps(many, seat)}" for seat in many.seats),
        _decisions("In dispute, by what is at stake", many, many.disputes),
        _decisions("Wrong in every analysis, by the smallest error", many, many.agreed_errors),
        *(_folded(f"All figures of {escape(many.names[seat])}", _many_figures(many, seat, _every())) for seat in many.seats),
        _files(many),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def many_folders_markdown(result: ManyFolders) -> str:
    """The sentence, a table of the matches and one of the files that were not compared."""
    rows = [("<br>".join(map(escape, one.files)), escape(" ".join(sentences_of(one)))) for one in result.matches]
    left = [(LEFT_OVER[one.why], escape(one.name), escape(one.reason)) for one in result.left]
    parts = [f"### {escape(result.sentence)}"]
    parts += [table(("Files", "Result"), rows)] if rows else []
    parts += [table(("Not compared", "File", "Reason"), left)] if left else []
    return "\n\n".join(parts) + "\n"


def _every() -> list[str]:
    return list(dict.fromkeys([name for _, names in GROUPS for name in names] + list(METRICS)))


def _many_figures(many: Review, seat: int, names: Sequence[str]) -> str:
    head = ["Figure", *map(escape, many.labels), "Consensus (ours)"]
    sides, ours = [many.figures_of(side, seat) for side in range(len(many.analyses))], many.consensus.figures(seat)
    rows = []
    for name in names:
        cells = [numbers.ranged(name, one[name], many.ranges[side][seat].get(name)) for side, one in enumerate(sides)]
        rows.append([METRICS[name].label, *cells, numbers.figure(name, ours[name])])
    return table(head, rows, right=tuple(range(1, len(head))))


def _gaps(many: Review, seat: int) -> str:
    rates = [many.figures_of(side, seat)["pr"] for side in range(len(many.analyses))]
    rows = []
    for left, one in enumerate(rates[:-1]):
        gaps = [None if one is None or other is None else other - one for other in rates[left + 1 :]]
        rows.append([escape(many.labels[left]), *[""] * left, *(numbers.change("pr", gap) for gap in gaps)])
    return table(["", *map(escape, many.labels[1:])], rows, right=tuple(range(1, len(rates))))


def _decisions(title: str, many: Review, found: Sequence[DisputedDecision]) -> str:
    if not found:
        return ""
    head = ["Game", "Turn", "Player", "Done", "Error", "At stake", "Best, with the error charged"]
    rows = []
    for one in found[:SHOWN]:
        said = "<br>".join(
            f"{escape(best)}: {', '.join(f'{escape(label)} {error}' for label, error in sides)}"
            for best, sides in words.by_action(one, many.labels)
        )
        place = [str(one.game), str(one.turn), escape(one.player), escape(one.played)]
        rows.append([*place, words.error_span(one), numbers.number(one.at_stake, numbers.EQUITY_DECIMALS), said])
    return f"**{title}** ({len(rows)} of {len(found)})\n\n{table(head, rows, right=(0, 1, 5))}"


def _files(many: Review) -> str:
    files = []
    for label, match, side in zip(many.labels, many.matches, many.analyses, strict=True):
        name = words.file_name(match.source.path).replace("`", "'")
        files.append(f"{escape(label)}: `{name}` ({escape(level_text(side.match))}, rules `{side.rules.name}`)")
    return f"{words.length_text(many.aligned.match.length)}, consensus counted by rules `{many.consensus_rules.name}`. {'; '.join(files)}."


MOST_DECISIONS: Final = 5


def investigation_markdown(result: Investigation, command: str = "") -> str:
    """The answer, the figures side by side, and the decisions it turns on; `command` is what reproduces it."""
    match, tool = result.match, short_name(result.match.source.tool)
    title = _text(f"{match.players[0]} \N{EN DASH} {match.players[1]}, {words.length_text(match.length)}")
    first, *more = answer(result)
    parts = [f"**{_text(first)}**", _text(" ".join(more)), _reported_figures(result, tool), _turning(result)]
    parts.append(f"{title}, {_code(words.file_name(match.source.path))}")
    if command:
        parts.append(_code(command))
    return "\n\n".join(part for part in parts if part) + "\n"


def _text(sentence: str) -> str:
    """A sentence that also reads well as it is: without a link's brackets a parenthesis means nothing."""
    return escape(sentence).replace("\\(", "(").replace("\\)", ")")


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"


def _reported_figures(result: Investigation, tool: str) -> str:
    rows = [tuple(map(escape, row)) for row in side_by_side(result)]
    head = ["Figure", "Reported", f"{escape(tool)}'s rules", "Nearest of any rules", "Counting alone reaches"]
    if not shows_reach(result):
        head, rows = head[:3], [row[:3] for row in rows]
    return table(head, rows, right=(1, 2, 3))


def _turning(result: Investigation) -> str:
    """The decisions that the likeliest explanation counts otherwise."""
    if not result.explanations or not result.explanations[0].decisions or any(one.code != "sign" for one in result.checks):
        return ""
    first = result.explanations[0]
    decisions = first.decisions
    lines = [
        f"- game {one.game}, turn {one.turn}, {one.kind}: {_text(change_of(one))}" + (f" {_code(one.xgid)}" if one.xgid else "")
        for one in decisions[:MOST_DECISIONS]
    ]
    lines += [f"- and {len(decisions) - MOST_DECISIONS} more"] if len(decisions) > MOST_DECISIONS else []
    return f"What is counted or weighed differently than by rule set {_code(first.nearest)}:\n\n" + "\n".join(lines)
