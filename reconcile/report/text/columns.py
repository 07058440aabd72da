"""Columns of text, plain and as a terminal shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from reconcile.files.wording import printable

if TYPE_CHECKING:
    from rich.text import Text


GAP: Final = "  "
NARROW: Final = " "
WIDTH: Final = 80


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> Iterator[str]:
    """Rows as columns of equal width, those in `right` aligned to the right; no blanks at the end.

    Columns that would not fit a terminal of 80 stand closer together.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    gap = GAP if sum(widths) + len(GAP) * (len(widths) - 1) <= WIDTH else NARROW
    for row in rows:
        cells = (f"{cell:{'>' if index in right else '<'}{widths[index]}}" for index, cell in enumerate(row))
        yield gap.join(cells).rstrip()


def styled(text: str, style: str = "") -> Text:
    """Text in a style, without markup."""
    from rich.text import Text

    return Text(printable(text), style=style)


def unstyled(text: str) -> str:
    """Text in which rich finds no markup."""
    from rich.markup import escape

    return escape(printable(text))
