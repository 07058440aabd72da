"""The tables of a corpus and the views over them, from what the program writes and creates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from docs.making.markdown import code, table
from reconcile.corpus.query import QUESTIONS, RECIPES, STUDIES
from reconcile.corpus.tables import schemas
from reconcile.corpus.views import ANY, VIEWS
from reconcile.match.tools import ANALYSERS

RULES: Final = tuple(tool.rules for tool in ANALYSERS.values())


def columns(name: str) -> Callable[[], str]:
    """A function that makes the list of a table's columns."""

    def table_of_columns() -> str:
        fields = schemas(RULES)[name]
        rows = (
            (code(field.name), str(field.type), field.metadata[b"description"].decode())
            for field in fields
        )
        return table(["column", "type", "what it holds"], rows)

    return table_of_columns


def views() -> str:
    """The views of `corpus-query`: first the columns of several, then of each those it has
    alone."""
    times = Counter(
        (column, text) for view in VIEWS.values() for column, (_, text) in view.columns.items()
    )
    shared: dict[str, str] = {}
    for (column, text), count in times.most_common():
        if count > 1 and column != ANY:
            shared.setdefault(column, text)
    parts = ["#### Columns of several views", _listed(shared.items())]
    for name, view in VIEWS.items():
        own = [
            (column, text)
            for column, (_, text) in view.columns.items()
            if shared.get(column) != text
        ]
        also = [
            code(column)
            for column in view.columns
            if column in shared and shared[column] == view.columns[column][1]
        ]
        parts += [f"#### {name}", view.row + (f" It also has {', '.join(also)}." if also else "")]
        parts += [_listed(own)] if own else []
    return "\n\n".join(parts)


def _listed(columns: Iterable[tuple[str, str]]) -> str:
    rows = (("..." if name == ANY else code(name), text) for name, text in columns)
    return table(["column", "what it holds"], rows)


def recipes(names: Iterable[str]) -> Callable[[], str]:
    """A function that makes the list of some questions with their SQL."""

    def listed() -> str:
        parts = []
        for name in names:
            question = QUESTIONS[name]
            parts += [f"### {question.title}"]
            parts += [f"`reconcile corpus-query archive {name}{_WHOM * (_ABOUT in question.sql)}`"]
            parts += [question.about] if question.about else []
            parts += [f"```sql\n{question.sql.strip()}\n```"]
            drawn = ", ".join(map(code, question.drawn))
            parts += [f"Drawn: {drawn}."] if drawn else []
        return "\n\n".join(parts)

    return listed


_ABOUT: Final = "person = getvariable('player')"
_WHOM: Final = " --player Nora"
PARTS: Final = {
    "corpus.recipes": recipes(RECIPES),
    "corpus.studies": recipes(STUDIES),
    "corpus.views": views,
    **{f"corpus.{name}": columns(name) for name in schemas(RULES) if name != "analyses"},
}
