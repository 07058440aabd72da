"""A pasted or exported text: its encoding, the tables of an HTML page, and a figure as printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any, Final

from reconcile.files.yaml_file import read_tree
from reconcile.formats import values

TABLES: Final[dict[str, Any]] = read_tree(Path(__file__).with_name("tables.yaml"))
LONGEST_LINE: Final = 500
"""Characters; lines of statistics are shorter, so that one endless line costs no time."""
LONGEST_NUMBER: Final = re.compile(r"\d{20}")
"""A run of digits longer than any figure: a checksum, or damage."""
WIDE: Final = "    "
"""Separator between two columns of a table read from HTML."""


@dataclass(frozen=True, slots=True)
class PastedFigure:
    """A figure by the name of its metric, as printed, and its precision."""

    metric: str
    text: str
    value: float
    half: float
    """Half of the last printed digit; 0 for a count."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """The figures in a text."""

    program: str
    """Short name of the program: that of gnuBG or XG in `reconcile.match.tools`."""
    players: tuple[str, ...]
    """Names above the columns; empty if there are none."""
    columns: tuple[tuple[PastedFigure, ...], ...]
    """Figures of one or two players."""
    ignored: int
    """Lines with a number but no recognised figure."""
    notes: tuple[str, ...] = ()
    """Sentences on what the text does not say."""


def count(metric: str, value: int) -> PastedFigure:
    """A number of decisions, errors or rolls."""
    return PastedFigure(metric, str(value), value, 0.0)


def amount(metric: str, printed: str, factor: float = 1.0, *, signed: bool = False) -> PastedFigure:
    """A sum or a rate as printed, times a factor; without its sign unless `signed`, since programs
    print losses as negative numbers."""
    text = printed.replace("\N{MINUS SIGN}", "-").replace(",", ".")
    text = text if signed else text.lstrip("+-")
    digits = len(text.partition(".")[2])
    value = factor * float(text)
    return PastedFigure(
        metric,
        text if factor == 1 else f"{value:.{digits + 1 if factor < 1 else 2}f}",
        value,
        factor * 0.5 * 10.0**-digits,
    )


def decoded(content: bytes) -> str:
    """Text in one of the encodings of clipboards and files; an HTML page as the rows of its
    tables."""
    text = values.decoded(values.in_utf8(content))
    is_page = re.search(r"<(?:!doctype html|html)\b", text[:4096], re.IGNORECASE) is not None
    return _rows(text) if is_page else text


def _rows(page: str) -> str:
    """The rows of a page's tables as lines, worded as in gnuBG's text export; text outside a row
    becomes a separate line."""
    lines: list[str] = []
    cells: list[list[str]] | None = None
    for piece in page.split("<"):
        tag, _, data = piece.partition(">")
        name = tag.split(None, 1)[0].lower() if tag.strip() else ""
        text = " ".join(unescape(data).split())
        if name == "tr":
            cells = []
        elif name == "/tr" and cells is not None:
            lines.append(WIDE.join(map("".join, cells)))
            cells = None
        elif name in ("td", "th") and cells is not None:
            cells.append([text])
            continue
        if text and cells:
            cells[-1].append(text)
        elif text and cells is None:
            lines.append(text)
    return "\n".join(lines).replace("Chequer play statistics", "Chequerplay statistics") + "\n"


def lines_of(text: str) -> list[str]:
    """The lines that may contain a figure, without blank ones, those too long, and those with a
    number too long.

    So a text of blanks, or one endless line, costs no time.
    """
    return [
        line
        for line in text.splitlines()
        if line.strip() and len(line) <= LONGEST_LINE and not LONGEST_NUMBER.search(line)
    ]
