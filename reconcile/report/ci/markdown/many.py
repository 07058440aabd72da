"""Several analyses of one match, or of the matches of some folders, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from reconcile.gap.many import DisputedDecision, SeveralAnalyses
from reconcile.gap.many_folders import ManyFolders
from reconcile.gap.many_story import stories
from reconcile.report import numbers
from reconcile.report.ci.markdown.table import escape, table
from reconcile.report.html.figures import GROUPS
from reconcile.report.text.folders import LEFT_OVER
from reconcile.report.text.many import sentences_of
from reconcile.report.words import by_action, error_span, file_name, length_text
from reconcile.scoring.findings import level_text
from reconcile.scoring.metrics import METRICS

FIRST: Final = ("pr", "checker_pr", "cube_pr", "decisions.counted", "equity_error.total", "mwc_loss_percent.total")
"""Figures that are not folded away."""
SHOWN: Final = 20
"""Decisions of a list; JSON and the page have all."""


def many_markdown(many: SeveralAnalyses) -> str:
    """Story, figures, gaps of PR, decisions in dispute, and the files; all figures folded."""
    first, second = map(escape, many.names)
    parts = [
        f"### {len(many.sides)} analyses: {first} – {second}",
        *(escape(" ".join(story.sentences)) for story in stories(many)),
        *(f"**{escape(many.names[seat])}**\n\n{_figures(many, seat, FIRST)}" for seat in many.seats),
        *(f"**Gaps of PR, {escape(many.names[seat])}** (column less row)\n\n{_gaps(many, seat)}" for seat in many.seats),
        _decisions("In dispute, by what is at stake", many, many.disputes),
        _decisions("Wrong in every analysis, by the smallest error", many, many.agreed_errors),
        *(_folded(f"All figures of {escape(many.names[seat])}", _figures(many, seat, _every())) for seat in many.seats),
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


def _figures(many: SeveralAnalyses, seat: int, names: Sequence[str]) -> str:
    head = ["Figure", *map(escape, many.labels), "Consensus (ours)"]
    sides, ours = [many.figures(side, seat) for side in range(len(many.sides))], many.consensus.figures(seat)
    rows = []
    for name in names:
        cells = [numbers.ranged(name, one[name], many.ranges[side][seat].get(name)) for side, one in enumerate(sides)]
        rows.append([METRICS[name].label, *cells, numbers.figure(name, ours[name])])
    return table(head, rows, right=tuple(range(1, len(head))))


def _gaps(many: SeveralAnalyses, seat: int) -> str:
    rates = [many.figures(side, seat)["pr"] for side in range(len(many.sides))]
    rows = []
    for left, one in enumerate(rates[:-1]):
        gaps = [None if one is None or other is None else other - one for other in rates[left + 1 :]]
        rows.append([escape(many.labels[left]), *[""] * left, *(numbers.change("pr", gap) for gap in gaps)])
    return table(["", *map(escape, many.labels[1:])], rows, right=tuple(range(1, len(rates))))


def _decisions(title: str, many: SeveralAnalyses, found: Sequence[DisputedDecision]) -> str:
    if not found:
        return ""
    head = ["Game", "Turn", "Player", "Done", "Error", "At stake", "Best, with the error charged"]
    rows = []
    for one in found[:SHOWN]:
        said = "<br>".join(
            f"{escape(best)}: {', '.join(f'{escape(label)} {error}' for label, error in sides)}"
            for best, sides in by_action(one, many.labels)
        )
        place = [str(one.game), str(one.turn), escape(one.player), escape(one.played)]
        rows.append([*place, error_span(one), numbers.number(one.at_stake, numbers.EQUITY_DECIMALS), said])
    return f"**{title}** ({len(rows)} of {len(found)})\n\n{table(head, rows, right=(0, 1, 5))}"


def _files(many: SeveralAnalyses) -> str:
    files = []
    for label, match, side in zip(many.labels, many.matches, many.sides, strict=True):
        name = file_name(match.source.path).replace("`", "'")
        files.append(f"{escape(label)}: `{name}` ({escape(level_text(side.match))}, rules `{side.rules.name}`)")
    return f"{length_text(many.aligned.match.length)}, consensus counted by rules `{many.consensus_rules.name}`. {'; '.join(files)}."


def _folded(title: str, content: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{content}\n\n</details>"
