"""Two folders, judged, as Markdown."""

from __future__ import annotations

from typing import Final

from reconcile.gap.folders import FolderResult
from reconcile.gap.verdict import INCOMPARABLE, OUTSIDE, WITHIN
from reconcile.report.ci.markdown.table import escape, table
from reconcile.report.text.folders import LEFT_OVER, ORDER, leftovers_of, rows_of, sentence

MARKS: Final = {"noted": "ℹ️", "failed": "❌", OUTSIDE: "❌", "warned": "⚠️", INCOMPARABLE: "⚠️", WITHIN: "✅"}


def folder_markdown(result: FolderResult) -> str:
    """The verdict, a table of the pairs and one of the files that were not compared."""
    rows = rows_of(result)
    mark = MARKS["failed" if result.exit_code() == 2 else min((row.tone for row in rows), key=ORDER.index)]
    parts = [f"### {mark} {escape(sentence(result))}"]
    cells = [(f"{MARKS[row.tone]} {row.said}", escape(row.pair.left), escape(row.pair.right), escape(row.sentence)) for row in rows]
    parts += [table(("Verdict", escape(result.left), escape(result.right), "Result"), cells)] if rows else []
    left = [(LEFT_OVER[one.why], one.side, escape(one.name), escape(one.reason)) for one in leftovers_of(result)]
    parts += [table(("Not compared", "Side", "File", "Reason"), left)] if left else []
    return "\n\n".join(parts) + "\n"
