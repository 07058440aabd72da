"""Which function makes a form of a result: every result, in every form in which it is written."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

from reconcile.document import dumps

FORMS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "Comparison": {
            "blocks": "report.text.comparison:comparison_blocks",
            "html": "report.html.render:comparison_page",
            "json": "results.comparison:comparison_document",
            "judged": "report.text.pack:parts_of",
            "ledger": "report.ledger_file:ledger_content",
        },
        "Review": {
            "blocks": "report.text.folders:many_blocks",
            "html": "report.html.many:many_page",
            "json": "results.review:review_document",
        },
        "FolderResult": {
            "blocks": "report.text.folders:folder_blocks",
            "html": "report.html.folders:folder_pages",
            "json": "results.review:folder_document",
            "judged": "gate.judged_figures:folder_parts",
        },
        "Statistics": {
            "blocks": "report.text.statistics:statistics_blocks",
            "csv": "report.text.statistics:csv_rows",
            "decisions": "report.text.decisions:decisions_content",
            "json": "results.statistics:statistics_document",
        },
        "Pooled": {
            "blocks": "report.text.statistics:pool_blocks",
            "csv": "report.text.statistics:pool_csv",
            "json": "results.statistics:pool_document",
        },
        "Careers": {"html": "report.html.player:player_pages"},
        "Answer": {
            "blocks": "report.text.query:answer_blocks",
            "csv": "report.text.query:answer_csv",
            "html": "report.html.query_page:query_page",
            "json": "report.text.query:answer_document",
        },
        "Investigation": {
            "blocks": "report.text.investigation:investigation_blocks",
            "html": "report.html.investigation_page:investigation_page",
        },
        "PackResult": {
            "blocks": "report.text.pack:pack_blocks",
            "html": "report.html.pack:pack_pages",
            "judged": "gate.judged_figures:pack_parts",
        },
    }
)
"""By the class of a result and the form, the module below `reconcile` and its function, which takes the result and what the form needs.

Results that are shown together are a tuple, listed by the class of one. The HTML of folders and of players is a folder of pages, and
needs its path; `judged` are the figures that were judged, for a CI service. From the
`blocks` three forms are made, see `LOOKS`.
"""
LOOKS: Final = MappingProxyType(
    {
        "text": "report.blocks:text",
        "terminal": "report.blocks:terminal",
        "markdown": "report.markdown:markdown",
    }
)
"""The renderers of blocks; `terminal` is the text in colour, and needs a stream."""


def forms_of(result: object) -> tuple[str, ...]:
    """The forms that a result has."""
    return (*LOOKS, *FORMS[type(result).__name__])


def in_form(result: object, form: str, *needs: object, **options: object) -> Any:
    """A result in one of its forms, JSON as text; `needs` is what the form needs beside the result, `options` what it is to show."""
    made_by = FORMS[type(result[0] if isinstance(result, tuple) else result).__name__]
    if form in LOOKS:
        return _function(LOOKS[form])(_function(made_by["blocks"])(result, **options), *needs)
    if form == "json":  # a result is its own document unless it names one
        return dumps(
            _function(made_by[form])(result, *needs, **options) if form in made_by else result
        )
    return _function(made_by[form])(result, *needs, **options)


def _function(name: str) -> Any:
    module, _, function = name.partition(":")
    return getattr(import_module(f"reconcile.{module}"), function)
