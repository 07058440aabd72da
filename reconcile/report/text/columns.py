"""Rows of text as columns of equal width."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

GAP: Final = "  "


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> Iterator[str]:
    """Rows as columns of equal width, those in `right` aligned to the right; no blanks at the end."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{'>' if index in right else '<'}{widths[index]}}" for index, cell in enumerate(row))
        yield GAP.join(cells).rstrip()
