"""Every result in every form in which it is written: a table says which functions write it.

Results that are shown together are a tuple of one type. A function is loaded when it is asked for,
so that a command loads only what it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from reconcile.document import Document, dumps, pieces
from reconcile.errors import InvalidArgument

if TYPE_CHECKING:
    from reconcile.gap.comparison import Comparison
    from reconcile.gap.review import Review
    from reconcile.gate.pack_results import PackResult
    from reconcile.infer.investigation import Investigation
    from reconcile.scoring.statistics import Statistics

Result: TypeAlias = "Statistics | Comparison | Review | Investigation | PackResult"
RESULTS = ("Statistics", "Comparison", "Review", "Investigation", "PackResult")
"""What a user of the library writes."""

FORMS = (
    "text", "terminal", "markdown", "html", "json", "csv", "decisions", "ledger", "judged", "badge",
    "yaml",
)  # fmt: skip
WRITERS: Mapping[str, Mapping[str, str]] = {
    "Statistics": {
        "blocks": "report.text.statistics.statistics_blocks",
        "json": "results.statistics.statistics_document",
        "csv": "report.text.statistics.csv_rows",
        "html": "report.html.page.statistics_page",
        "decisions": "report.decision_files.decisions_content",
    },
    "Pooled": {
        "blocks": "report.text.statistics.pool_blocks",
        "json": "results.statistics.pool_document",
        "csv": "report.text.statistics.pool_csv",
    },
    "Comparison": {
        "blocks": "report.text.comparison.comparison_blocks",
        "html": "report.html.page.comparison_page",
        "json": "results.comparison.comparison_document",
        "ledger": "report.decision_files.ledger_content",
        "judged": "report.text.pack.comparison_parts",
    },
    "Review": {
        "blocks": "report.text.comparison.many_blocks",
        "html": "report.html.page.many_page",
        "json": "results.comparison.review_document",
    },
    "FolderResult": {
        "blocks": "report.text.comparison.folder_blocks",
        "html": "report.html.page.folder_pages",
        "json": "results.comparison.folder_document",
    },
    "Investigation": {
        "blocks": "report.text.investigation.investigation_blocks",
        "html": "report.html.page.investigation_page",
    },
    "PackResult": {
        "blocks": "report.text.pack.pack_blocks",
        "html": "report.text.pack.pack_pages",
        "page": "report.text.pack.pack_page",
        "judged": "gate.pack_results.pack_parts",
        "badge": "report.ci.badge_text",
    },
    "Measurement": {
        "blocks": "report.text.pack.measurement_blocks",
        "yaml": "report.text.pack.measurement_yaml",
    },
    "Changes": {"blocks": "report.text.pack.changes_blocks"},
    "Study": {"blocks": "report.text.query.study_blocks"},
    "SuiteRun": {"blocks": "report.text.suite.run_blocks"},
    "Answer": {
        "blocks": "report.text.query.answer_blocks",
        "json": "report.text.query.answer_document",
        "csv": "report.text.query.answer_csv",
    },
}
"""By type and form a function of the package; a document is its own JSON."""
LOOKS = {
    "text": "report.blocks.text",
    "terminal": "report.blocks.terminal",
    "markdown": "report.blocks.markdown",
    "html": "report.html.look.page",
}
"""The forms of what a result has as blocks, unless it has one of its own."""


def in_form(result: Any, form: str, *needs: Any, **options: Any) -> Any:
    """A result in a form; `needs` is what that needs beside it, `options` what is to be shown.

    The HTML of a folder and of a pack is a folder of pages, by their names; `judged` are the judged
    figures, for a CI service; `terminal` is the text in colour, and needs a stream; the JSON of a
    document may have what writes its lists, as `pieces` takes it. Raises `ValueError` for a form
    that the result has not.
    """
    if form in LOOKS and not _name(result, form):
        return _function(LOOKS[form])(writer(result, "blocks")(result, **options), *needs)
    if form == "json":
        if isinstance(result, Document):
            return pieces(result, *needs) if needs else dumps(result)
        return dumps(writer(result, form)(result, *needs, **options))
    return writer(result, form)(result, *needs, **options)


def writer(result: Any, form: str) -> Callable[..., Any]:
    """What writes a result, or results of one type, in a form. Raises `ValueError`."""
    name = _name(result, form)
    if not name:
        raise ValueError(form)
    return _function(name)


def _name(result: Any, form: str) -> str:
    """Of the function that writes a form of its own; empty without one."""
    kind = type(result[0] if type(result) is tuple else result)
    rows = (WRITERS.get(each.__name__, {}) for each in kind.__mro__)
    return next((row[form] for row in rows if form in row), "")


def _function(name: str) -> Callable[..., Any]:
    module, _, function = name.rpartition(".")
    named: Callable[..., Any] = getattr(import_module(f"reconcile.{module}"), function)
    return named


def to_html(result: Result) -> str:
    """The page of a match, of figures that somebody saw, or of a pack: one file that asks nobody
    for anything. Raises `InvalidArgument`."""
    _check(result)
    page: str = in_form(result, "page" if _name(result, "page") else "html")
    return page


def to_json(result: Result) -> str:
    """A result as the command line writes it with `--json`; docs/json.md describes every key.
    Raises `InvalidArgument`."""
    _check(result)
    text: str = in_form(result, "json")
    return text


def _check(result: Result) -> None:
    """Raise `InvalidArgument` for anything else."""
    if {each.__name__ for each in type(result).__mro__}.isdisjoint(RESULTS):
        raise InvalidArgument("result", f"a {' or '.join(RESULTS)}", result)
