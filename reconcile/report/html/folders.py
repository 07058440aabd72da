"""The pages of folders, with an index."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from reconcile.files.output import Output
from reconcile.gap.comparison import Comparison
from reconcile.gap.folders import FolderResult
from reconcile.gap.review import Review
from reconcile.report.html.many import many_page
from reconcile.report.html.render import comparison_page, render
from reconcile.report.text.folders import LEFT_OVER, folders_sentence, leftovers_of, rows_of

BADGES: Final = {
    "failed": "error",
    "unreadable": "error",
    "alone": "warning",
    "duplicate": "warning",
    "ignored": "info",
}


def folder_pages(result: FolderResult, folder: str) -> list[Output]:
    """Paths and contents: a page for every match that was compared, and `index.html`."""
    rows = rows_of(result)
    index = render(
        "folders.html.j2",
        title=folders_sentence(result),
        result=result,
        rows=rows,
        leftovers=leftovers_of(result),
        why=LEFT_OVER,
        badges=BADGES,
        counts=Counter((row.tone, row.said) for row in rows) if result.table else {},
    )
    return [
        *(
            (str(Path(folder) / row.page), _page(row.one.result))
            for row in rows
            if row.one.result is not None
        ),
        (str(Path(folder) / "index.html"), index),
    ]


def _page(found: Comparison | Review) -> str:
    return many_page(found) if isinstance(found, Review) else comparison_page(found)
