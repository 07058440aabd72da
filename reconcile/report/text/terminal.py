"""Text for rich, with control characters shown: what is in colour on a terminal obeys nothing that a name contains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reconcile.files.printable import printable

if TYPE_CHECKING:
    from rich.text import Text


def styled(text: str, style: str = "") -> Text:
    """Text in a style, without markup."""
    from rich.text import Text

    return Text(printable(text), style=style)


def plain(text: str) -> str:
    """Text in which rich finds no markup."""
    from rich.markup import escape

    return escape(printable(text))
