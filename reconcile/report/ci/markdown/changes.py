"""What changed between two results, as Markdown."""

from __future__ import annotations

from reconcile.gate.changes import Changes
from reconcile.report.ci.markdown.table import escape
from reconcile.report.text.changes import sections, sentence


def changes_markdown(found: Changes, *, fail_on: str = "error") -> str:
    """What changed, the worst first."""
    mark = "\N{CROSS MARK}" if found.exit_code(fail_on=fail_on) else "\N{WHITE HEAVY CHECK MARK}"
    parts = [f"### {mark} {escape(sentence(found, fail_on=fail_on))}"]
    for head, lines, more in sections(found):
        listed = "\n".join([*(f"- {escape(line)}" for line in lines), *([f"- and {more} more"] if more else [])])
        parts.append(f"**{head}**\n\n{listed}")
    return "\n\n".join(parts) + "\n"
