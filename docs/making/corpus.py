"""The tables of a corpus, from the schemas that the program uses to write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from docs.making.markdown import code, table
from reconcile.corpus.tables import FILES, schemas

RULES: Final = ("xg", "gnubg")


def columns(name: str) -> Callable[[], str]:
    """A function that makes the list of a table's columns."""

    def made() -> str:
        schema = FILES if name == "files" else schemas(RULES)[name]
        rows = ((code(field.name), str(field.type), field.metadata[b"description"].decode()) for field in schema)
        return table(["column", "type", "what it holds"], rows)

    return made


PARTS: Final = {f"corpus.{name}": columns(name) for name in ("files", *schemas(RULES))}
