"""Folders with several analyses of each match as an index with a page for every match."""

from __future__ import annotations

from pathlib import Path

from reconcile.files.output import Output
from reconcile.gap.many_folders import ManyFolders
from reconcile.report.html.folders import BADGES
from reconcile.report.html.many import many_page
from reconcile.report.text.folders import LEFT_OVER
from reconcile.report.text.many_folders import pages_of, sentences_of


def many_folder_pages(result: ManyFolders, folder: str) -> list[Output]:
    """Paths and contents: `index.html`, and a page for every match that was compared."""
    from reconcile.report.html.render import render

    rows = [(one, page, sentences_of(one)) for one, page in zip(result.matches, pages_of(result.matches), strict=True)]
    pages = [(str(Path(folder) / page), many_page(one.many)) for one, page, _ in rows if one.many is not None]
    index = render("many_folders.html.j2", result=result, rows=rows, why=LEFT_OVER, badges=BADGES)
    return [*pages, (str(Path(folder) / "index.html"), index)]
