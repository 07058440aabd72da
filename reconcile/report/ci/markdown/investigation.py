"""An investigation as Markdown: an answer to copy into a mail or a forum."""

from __future__ import annotations

from typing import Final

from reconcile.diagnosis.investigation import Investigation
from reconcile.report.answer import answer, change_of, shows_reach, side_by_side
from reconcile.report.ci.markdown.table import escape, table
from reconcile.report.words import file_name, length_text
from reconcile.tools import short_name

MOST_DECISIONS: Final = 5


def investigation_markdown(result: Investigation, command: str = "") -> str:
    """The answer, the figures side by side, and the decisions it turns on; `command` is what reproduces it."""
    match, tool = result.match, short_name(result.match.source.tool)
    title = _text(f"{match.players[0]} \N{EN DASH} {match.players[1]}, {length_text(match.length)}")
    first, *more = answer(result)
    parts = [f"**{_text(first)}**", _text(" ".join(more)), _figures(result, tool), _decisions(result)]
    parts.append(f"{title}, {_code(file_name(match.source.path))}")
    if command:
        parts.append(_code(command))
    return "\n\n".join(part for part in parts if part) + "\n"


def _text(sentence: str) -> str:
    """A sentence that also reads well as it is: without a link's brackets a parenthesis means nothing."""
    return escape(sentence).replace("\\(", "(").replace("\\)", ")")


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"


def _figures(result: Investigation, tool: str) -> str:
    rows = [tuple(map(escape, row)) for row in side_by_side(result)]
    head = ["Figure", "Reported", f"{escape(tool)}'s rules", "Nearest of any rules", "Counting alone reaches"]
    if not shows_reach(result):
        head, rows = head[:3], [row[:3] for row in rows]
    return table(head, rows, right=(1, 2, 3))


def _decisions(result: Investigation) -> str:
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
