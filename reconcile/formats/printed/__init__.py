"""Figures in text that a program prints: gnuBG's statistics (text, HTML, one file per game) and
XG's statistics summary.

One reader for text that somebody pastes and for exports that a candidate gives. Time is linear in
the size of the text.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from reconcile.errors import InvalidConfiguration
from reconcile.formats.printed import gnubg, xg
from reconcile.formats.printed.text import Pasted, PastedFigure, decoded, file_with, lines_of

__all__ = [
    "MOST_CHARACTERS",
    "Pasted",
    "PastedFigure",
    "is_printed",
    "read_pasted",
    "read_printed_text",
]

MOST_CHARACTERS: Final = 16 * 2**20


def read_pasted(path: str, content: bytes, game: int | None = None) -> Pasted:
    """Read figures from the bytes of a text: of the match, or of one game (its number) if the text
    has several.

    If `path` is the file of one game of a match exported by gnuBG, the other files of that match
    are looked for beside it. Raises `InvalidConfiguration` if there are no figures, or if it is not
    certain whose they are.
    """
    text = decoded(content[:MOST_CHARACTERS])
    try:
        beside = Path(path).is_file()
    except (OSError, ValueError):  # the name is too long or has a zero byte
        beside = False
    if beside:
        last, text = file_with(Path(path), text, game)
        path = str(last)
    return read_printed_text(path, text, game)


def read_printed_text(where: str, text: str, game: int | None = None) -> Pasted:
    """The same from text; `where` only names it in messages."""
    lines = lines_of(text)
    if gnubg.is_table(lines):
        return gnubg.read(where, lines, game)
    if xg.is_summary(lines):
        return xg.read(where, lines)
    raise InvalidConfiguration(
        "expected the text of gnuBG's or XG's statistics, found no figure in it; copy the whole "
        "window, or give single figures",
        where,
    )


def is_printed(text: str) -> bool:
    """Whether a text has gnuBG's statistics or XG's summary."""
    lines = lines_of(text)
    return gnubg.is_table(lines) or xg.is_summary(lines)
