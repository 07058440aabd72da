"""Every result in every form in which it is written: its type says which functions write it.

Results that are shown together are a tuple of one type. Imports are inside, so that a command loads
only what it writes; types of light modules are asked for first.
"""

from __future__ import annotations

from typing import Any, Final

from reconcile.document import Document, dumps
from reconcile.scoring.pool import Pooled
from reconcile.scoring.statistics import Statistics

FORMS: Final = (
    "text", "terminal", "markdown", "html", "json", "csv", "decisions", "ledger", "judged",
)  # fmt: skip


def in_form(result: Any, form: str, *needs: Any, **options: Any) -> Any:
    """A result in a form; `needs` is what that needs beside it, `options` what is to be shown.

    The HTML of folders and of players is a folder of pages, and needs its path; `judged` are the
    judged figures, for a CI service; `terminal` is the text in colour, and needs a stream. Raises
    `ValueError` for a form that the result has not.
    """
    if form in ("text", "terminal", "markdown"):
        from reconcile.report.blocks import terminal, text
        from reconcile.report.markdown import markdown

        look: Any = {"text": text, "terminal": terminal, "markdown": markdown}[form]
        return look(_writer(result, "blocks")(result, **options), *needs)
    write = _writer(result, form)
    if write is None:
        raise ValueError(form)
    content = write(result, *needs, **options)
    return dumps(content) if form == "json" else content


def _writer(result: Any, form: str) -> Any:
    """What writes a result; `None` for a form that it has not."""
    first = result[0] if isinstance(result, tuple) else result
    if isinstance(first, Statistics | Pooled):
        return (_of_statistics if first is result else _of_pool)(form)
    from reconcile.gap.comparison import Comparison
    from reconcile.gap.folders import FolderResult
    from reconcile.gap.review import Review

    kinds = {Comparison: _of_comparison, Review: _of_review, FolderResult: _of_folders}
    if type(result) in kinds:
        return kinds[type(result)](form)
    if form == "json" and isinstance(result, Document):
        return lambda document: document
    from reconcile.infer.investigation import Investigation

    if isinstance(first, Investigation):
        return _of_investigation(form)
    from reconcile.gate.pack_results import PackResult

    if isinstance(first, PackResult):
        return _of_pack(form)
    from reconcile.corpus.career import Careers

    if isinstance(result, Careers):
        from reconcile.report.html.player import player_pages

        return player_pages
    return _of_answer(form)


def _of_statistics(form: str) -> Any:
    match form:
        case "blocks":
            from reconcile.report.text.statistics import statistics_blocks

            return statistics_blocks
        case "json":
            from reconcile.results.statistics import statistics_document

            return statistics_document
        case "csv":
            from reconcile.report.text.statistics import csv_rows

            return csv_rows
        case "decisions":
            from reconcile.report.text.decisions import decisions_content

            return decisions_content
    return None


def _of_pool(form: str) -> Any:
    match form:
        case "blocks":
            from reconcile.report.text.statistics import pool_blocks

            return pool_blocks
        case "json":
            from reconcile.results.statistics import pool_document

            return pool_document
        case "csv":
            from reconcile.report.text.statistics import pool_csv

            return pool_csv
    return None


def _of_comparison(form: str) -> Any:
    match form:
        case "blocks":
            from reconcile.report.text.comparison import comparison_blocks

            return comparison_blocks
        case "html":
            from reconcile.report.html.render import comparison_page

            return comparison_page
        case "json":
            from reconcile.results.comparison import comparison_document

            return comparison_document
        case "ledger":
            from reconcile.report.ledger_file import ledger_content

            return ledger_content
        case "judged":
            from reconcile.report.text.pack import part_of

            return lambda comparison: [part_of(comparison)]
    return None


def _of_review(form: str) -> Any:
    match form:
        case "blocks":
            from reconcile.report.text.folders import many_blocks

            return many_blocks
        case "html":
            from reconcile.report.html.many import many_page

            return many_page
        case "json":
            from reconcile.results.review import review_document

            return review_document
        case "judged":
            return lambda result: []
    return None


def _of_folders(form: str) -> Any:
    match form:
        case "blocks":
            from reconcile.report.text.folders import folder_blocks

            return folder_blocks
        case "html":
            from reconcile.report.html.many import folder_pages

            return folder_pages
        case "json":
            from reconcile.results.review import folder_document

            return folder_document
        case "judged":
            from reconcile.gate.judged_figures import folder_parts

            return folder_parts
    return None


def _of_investigation(form: str) -> Any:
    match form:
        case "blocks":
            from reconcile.report.text.investigation import investigation_blocks

            return investigation_blocks
        case "html":
            from reconcile.report.html.investigation_page import investigation_page

            return investigation_page
    return None


def _of_pack(form: str) -> Any:
    match form:
        case "blocks":
            from reconcile.report.text.pack import pack_blocks

            return pack_blocks
        case "html":
            from reconcile.report.html.pack import pack_pages

            return pack_pages
        case "judged":
            from reconcile.gate.judged_figures import pack_parts

            return pack_parts
    return None


def _of_answer(form: str) -> Any:
    match form:
        case "blocks":
            from reconcile.report.text.query import answer_blocks

            return answer_blocks
        case "html":
            from reconcile.report.html.query_page import query_page

            return query_page
        case "json":
            from reconcile.report.text.query import answer_document

            return answer_document
        case "csv":
            from reconcile.report.text.query import answer_csv

            return answer_csv
    return None
