"""The pages of two folders and of several, with an index."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from reconcile.files.output import Output
from reconcile.gap.folders import FolderResult
from reconcile.gap.many_folders import ManyFolders
from reconcile.report.html.many import many_page
from reconcile.report.html.render import comparison_page, render
from reconcile.report.text.folders import LEFT_OVER, folders_sentence, leftovers_of, pages_of, rows_of, sentences_of

BADGES: Final = {"failed": "error", "unreadable": "error", "alone": "warning", "duplicate": "warning", "ignored": "info"}


def folder_pages(result: FolderResult, folder: str) -> list[Output]:
    """Paths and contents: `index.html`, and a page for every pair that was judged."""
    rows = rows_of(result)
    pages = [(row.page, row.pair.comparison) for row in rows if row.pair.comparison is not None]
    outputs: list[Output] = [(str(Path(folder) / name), comparison_page(comparison)) for name, comparison in pages]
    index = render(
        "folders.html.j2",
        title=folders_sentence(result),
        result=result,
        rows=rows,
        leftovers=leftovers_of(result),
        why=LEFT_OVER,
        badges=BADGES,
        counts=Counter((row.tone, row.said) for row in rows),
    )
    return [*outputs, (str(Path(folder) / "index.html"), index)]


def many_folder_pages(result: ManyFolders, folder: str) -> list[Output]:
    """Paths and contents: `index.html`, and a page for every match that was compared."""
    rows = [(one, page, sentences_of(one)) for one, page in zip(result.matches, pages_of(result.matches), strict=True)]
    pages = [(str(Path(folder) / page), many_page(one.many)) for one, page, _ in rows if one.many is not None]
    index = render("many_folders.html.j2", result=result, rows=rows, why=LEFT_OVER, badges=BADGES)
    return [*pages, (str(Path(folder) / "index.html"), index)]
