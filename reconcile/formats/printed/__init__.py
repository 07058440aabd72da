"""Figures in text that a program prints: gnuBG's statistics (text, HTML, one file per game) and
XG's statistics summary.

One reader for text that somebody pastes and for exports of a program. What is printed where is in
`tables.yaml`. Time is linear in the size of the text.
"""

from __future__ import annotations

from typing import Final

from reconcile.errors import InvalidConfiguration
from reconcile.formats.printed import gnubg, xg
from reconcile.formats.printed.text import Pasted, PastedFigure, decoded, lines_of

__all__ = ["MOST_CHARACTERS", "Pasted", "PastedFigure", "is_printed", "read_pasted"]

MOST_CHARACTERS: Final = 16 * 2**20


def read_pasted(where: str, content: bytes, game: int | None = None) -> Pasted:
    """Read figures from the bytes of a text: of the match, or of one game (its number) if the text
    has several.

    `where` only names it in messages. Raises `InvalidConfiguration` if there are no figures, or if
    it is not certain whose they are.
    """
    lines = lines_of(decoded(content[:MOST_CHARACTERS]))
    if gnubg.is_table(lines):
        return gnubg.read(where, lines, game)
    if xg.is_summary(lines):
        return xg.read(where, lines)
    raise InvalidConfiguration(
        "expected the text of gnuBG's or XG's statistics, found no figure in it; copy the whole "
        "window, or give single figures",
        where,
    )


def is_printed(content: bytes) -> bool:
    """Whether a text has gnuBG's statistics or XG's summary."""
    lines = lines_of(decoded(content))
    return gnubg.is_table(lines) or xg.is_summary(lines)
