"""Which function makes a form of a result: every result of a comparison, in every form in which it is written."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

from reconcile.document import dumps

FORMS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "Comparison": {
            "html": "report.html.render:comparison_page",
            "json": "results.comparison:comparison_document",
            "markdown": "report.ci.markdown.comparison:comparison_markdown",
            "text": "report.text.comparison:comparison_text",
            "terminal": "report.text.comparison:print_comparison",
            "judged": "report.text.pack:parts_of",
            "ledger": "report.ledger_file:ledger_content",
            "positions": "report.ledger_file:positions",
        },
        "Review": {
            "html": "report.html.many:many_page",
            "json": "results.review:review_document",
            "markdown": "report.ci.markdown.comparison:many_markdown",
            "text": "report.text.folders:many_text",
        },
        "FolderResult": {
            "html": "report.html.folders:folder_pages",
            "json": "results.review:folder_document",
            "markdown": "report.ci.markdown.pack:folder_markdown",
            "text": "report.text.folders:folder_text",
            "terminal": "report.text.folders:print_folders",
            "judged": "gate.judged_figures:folder_parts",
        },
        "ManyFolders": {
            "html": "report.html.folders:many_folder_pages",
            "json": "results.review:many_folders_document",
            "markdown": "report.ci.markdown.comparison:many_folders_markdown",
            "text": "report.text.folders:many_folders_text",
        },
    }
)
"""By the class of a result and the form, the module below `reconcile` and its function, which takes the result and what the form needs.

The HTML of folders is a folder of pages, and needs its path; `terminal` is the text in colour, and needs a stream; `judged` are the
figures that were judged, for a CI service.
"""


def in_form(result: object, form: str, *needs: object) -> Any:
    """A result in one of its forms, JSON as text; `needs` is what the form needs beside the result."""
    module, _, function = FORMS[type(result).__name__][form].partition(":")
    made = getattr(import_module(f"reconcile.{module}"), function)(result, *needs)
    return dumps(made) if form == "json" else made
