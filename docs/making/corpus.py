"""The tables of a corpus and the views over them, from what the program writes and creates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from docs.making.markdown import code, table
from reconcile.corpus.tables import schemas
from reconcile.corpus.views import ANY, VIEWS
from reconcile.match.tools import ANALYSERS

RULES: Final = tuple(tool.rules for tool in ANALYSERS.values())


def columns(name: str) -> Callable[[], str]:
    """A function that makes the list of a table's columns."""

    def made() -> str:
        fields = schemas(RULES)[name]
        rows = (
            (code(field.name), str(field.type), field.metadata[b"description"].decode())
            for field in fields
        )
        return table(["column", "type", "what it holds"], rows)

    return made


def views() -> str:
    """The views of `corpus-query` with their columns."""
    parts = []
    for name, view in VIEWS.items():
        rows = [
            ("..." if column == ANY else code(column), text)
            for column, (_, text) in view.columns.items()
        ]
        parts.append(f"#### {name}\n\n{view.row}\n\n{table(['column', 'what it holds'], rows)}")
    return "\n\n".join(parts)


PARTS: Final = {
    "corpus.views": views,
    **{f"corpus.{name}": columns(name) for name in schemas(RULES) if name != "analyses"},
}
