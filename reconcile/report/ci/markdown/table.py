"""Cells and tables of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def escape(text: str) -> str:
    """Text on one line, escaped for Markdown and HTML; a mention or a link in a name stays text."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    plain = re.sub(r"([\\`*_{}\[\]()#|~!])", r"\\\1", plain)
    return plain.replace("@", "&#64;").replace("://", "&#58;//")


def table(head: Sequence[str], rows: Iterable[Sequence[str]], right: tuple[int, ...] = ()) -> str:
    """A table of cells, which must be escaped already."""
    rule = ["---:" if index in right else "---" for index in range(len(head))]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))
