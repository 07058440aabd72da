"""Every result in every form in which it is written: a function for each form, which asks what the result is.

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
    judged figures, for a CI service; `terminal` is the text in colour, and needs a stream.
    """
    match form:
        case "text" | "terminal" | "markdown":
            from reconcile.report.blocks import terminal, text
            from reconcile.report.markdown import markdown

            look: Any = {"text": text, "terminal": terminal, "markdown": markdown}[form]
            return look(_blocks(result, **options), *needs)
        case "html":
            return _html(result, *needs, **options)
        case "json":
            return dumps(_document(result, *needs, **options))
        case "csv":
            return _csv(result, **options)
        case "decisions":
            from reconcile.report.text.decisions import decisions_content

            return decisions_content(result, *needs)
        case "ledger":
            from reconcile.report.ledger_file import ledger_content

            return ledger_content(result, *needs)
        case "judged":
            return _judged(result)
    raise ValueError(form)


def _blocks(result: Any, **options: Any) -> Any:
    first = result[0] if isinstance(result, tuple) else result
    if isinstance(first, Statistics | Pooled):
        from reconcile.report.text.statistics import pool_blocks, statistics_blocks

        return (statistics_blocks if first is result else pool_blocks)(result, **options)
    from reconcile.gap.comparison import Comparison

    if isinstance(result, Comparison):
        from reconcile.report.text.comparison import comparison_blocks

        return comparison_blocks(result, **options)
    from reconcile.gap.folders import FolderResult
    from reconcile.gap.review import Review

    if isinstance(result, Review | FolderResult):
        from reconcile.report.text.folders import folder_blocks, many_blocks

        return (
            many_blocks(result) if isinstance(result, Review) else folder_blocks(result, **options)
        )
    from reconcile.infer.investigation import Investigation

    if isinstance(first, Investigation):
        from reconcile.report.text.investigation import investigation_blocks

        return investigation_blocks(result, **options)
    from reconcile.gate.pack_results import PackResult

    if isinstance(result, PackResult):
        from reconcile.report.text.pack import pack_blocks

        return pack_blocks(result)
    from reconcile.report.text.query import answer_blocks

    return answer_blocks(result, **options)


def _html(result: Any, *needs: Any, **options: Any) -> Any:
    from reconcile.gap.comparison import Comparison
    from reconcile.gap.folders import FolderResult
    from reconcile.gap.review import Review

    if isinstance(result, Comparison):
        from reconcile.report.html.render import comparison_page

        return comparison_page(result, *needs, **options)
    if isinstance(result, Review):
        from reconcile.report.html.many import many_page

        return many_page(result)
    if isinstance(result, FolderResult):
        from reconcile.report.html.folders import folder_pages

        return folder_pages(result, *needs)
    from reconcile.gate.pack_results import PackResult
    from reconcile.infer.investigation import Investigation

    if isinstance(result, Investigation):
        from reconcile.report.html.investigation_page import investigation_page

        return investigation_page(result, **options)
    if isinstance(result, PackResult):
        from reconcile.report.html.pack import pack_pages

        return pack_pages(result, *needs)
    from reconcile.corpus.career import Careers

    if isinstance(result, Careers):
        from reconcile.report.html.player import player_pages

        return player_pages(result, *needs)
    from reconcile.report.html.query_page import query_page

    return query_page(result, *needs)


def _document(result: Any, *needs: Any, **options: Any) -> Any:
    """What is written as JSON: a result is its own document unless it has another."""
    first = result[0] if isinstance(result, tuple) else result
    if isinstance(first, Statistics | Pooled):
        from reconcile.results.statistics import pool_document, statistics_document

        return (statistics_document if first is result else pool_document)(result, **options)
    from reconcile.gap.comparison import Comparison
    from reconcile.gap.folders import FolderResult
    from reconcile.gap.review import Review

    if isinstance(result, Comparison):
        from reconcile.results.comparison import comparison_document

        return comparison_document(result, *needs, **options)
    if isinstance(result, Review):
        from reconcile.results.review import review_document

        return review_document(result, *needs)
    if isinstance(result, FolderResult):
        from reconcile.results.review import folder_document

        return folder_document(result)
    if isinstance(result, Document):
        return result
    from reconcile.report.text.query import answer_document

    return answer_document(result)


def _csv(result: Any, **options: Any) -> str:
    first = result[0] if isinstance(result, tuple) else result
    if isinstance(first, Statistics | Pooled):
        from reconcile.report.text.statistics import csv_rows, pool_csv

        return (csv_rows if first is result else pool_csv)(result, **options)
    from reconcile.report.text.query import answer_csv

    return answer_csv(result)


def _judged(result: Any) -> Any:
    from reconcile.gap.comparison import Comparison
    from reconcile.gap.folders import FolderResult
    from reconcile.gap.review import Review

    if isinstance(result, Comparison):
        from reconcile.report.text.pack import parts_of

        return parts_of(result)
    if isinstance(result, Review):
        return []
    from reconcile.gate.judged_figures import folder_parts, pack_parts

    return (folder_parts if isinstance(result, FolderResult) else pack_parts)(result)
