"""Two folders, judged, as an index with a page for every pair."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from reconcile.files.output import Output
from reconcile.gap.folders import FolderResult
from reconcile.report.text.folders import LEFT_OVER, leftovers_of, rows_of, sentence

BADGES: Final = {"failed": "error", "unreadable": "error", "alone": "warning", "duplicate": "warning", "ignored": "info"}


def folder_pages(result: FolderResult, folder: str) -> list[Output]:
    """Paths and contents: `index.html`, and a page for every pair that was judged."""
    from reconcile.report.html.render import comparison_page, render

    rows = rows_of(result)
    pages = [(row.page, row.pair.comparison) for row in rows if row.pair.comparison is not None]
    outputs: list[Output] = [(str(Path(folder) / name), comparison_page(comparison)) for name, comparison in pages]
    index = render(
        "folders.html.j2",
        title=sentence(result),
        result=result,
        rows=rows,
        leftovers=leftovers_of(result),
        why=LEFT_OVER,
        badges=BADGES,
        counts=Counter((row.tone, row.said) for row in rows),
    )
    return [*outputs, (str(Path(folder) / "index.html"), index)]
