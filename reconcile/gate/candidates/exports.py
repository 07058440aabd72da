"""Statistics that gnuBG and XG print: gnuBG's exports as text and HTML, `show statistics match`, the text of XG's window.

gnuBG writes one file per game: `X.txt`, `X_002.txt`, and so on. Each ends with the statistics of its game, the last one with those of
the match as well; the files of one match are found in the same folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final

from reconcile.adapters.printed import GNUBG, Pasted, read_pasted
from reconcile.errors import InvalidConfiguration
from reconcile.gate.candidates.claims import Claim, Stated
from reconcile.tools import ANALYSERS

TOOL_NAMES: Final = {tool.short: tool.name for tool in ANALYSERS.values()}
MATCH_STATISTICS: Final = re.compile(r"^[ \t]*(?:Match|Session) statistics[ \t]*\r?$", re.MULTILINE)
GAME_STATISTICS: Final = re.compile(r"^[ \t]*Game statistics for game \d+[ \t]*\r?$", re.MULTILINE)
GNUBG_TABLE: Final = re.compile(r"^[ \t]*(?:Chequerplay statistics|Overall statistics)[ \t]*\r?$", re.MULTILINE)
LENGTH: Final = re.compile(r"\(?(?:match to (\d{1,4}) points?|(\d{1,4}) points? match)\b")
TOTAL_MOVES: Final = re.compile(r"^[ \t]*Total moves[ \t]+(\d{1,6})(?:[ \t]+(\d{1,6}))?[ \t]*$", re.MULTILINE)
GAME_NUMBER: Final = re.compile(r"^(?P<stem>.*?)(?:_(?P<game>\d{3}))?$")
LARGEST_GAME_FILE: Final = 16 * 2**20
LONGEST_LINE: Final = 500
"""Characters; lines of statistics are shorter."""
WIDE: Final = "    "
"""Separator between two columns of a table read from HTML."""


def is_gnubg(text: str) -> bool:
    """Whether a text has a table of gnuBG's statistics."""
    return GNUBG_TABLE.search(text) is not None


def export_claims(where: str, text: str) -> tuple[Claim, ...]:
    """The claim of a text with gnuBG's or XG's statistics of a match. Raises `InvalidConfiguration` if there are none."""
    if GAME_STATISTICS.search(text) and not MATCH_STATISTICS.search(text):
        raise InvalidConfiguration(
            f"{where}: expected the statistics of the match, found only those of a game; "
            "give the export of the last game, which ends with both, or put it in the same folder"
        )
    text = tidy(text)
    pasted = read_pasted(where, text.encode("utf-8"))
    return (Claim(where, tuple(_stated(pasted, text)), players=pasted.players, length=_length(text), tool=TOOL_NAMES.get(pasted.program)),)


def _stated(pasted: Pasted, text: str) -> Iterator[Stated]:
    for column, figures in enumerate(pasted.columns):
        player: str | int = pasted.players[column] if column < len(pasted.players) else column
        for one in figures:
            yield Stated(player, one.metric, one.text, one.value, one.half)
    moves = list(TOTAL_MOVES.finditer(text))
    if pasted.program == GNUBG and moves:
        for column, count in enumerate(filter(None, moves[-1].groups())):
            if column < len(pasted.columns):
                yield Stated(pasted.players[column] if column < len(pasted.players) else column, "moves.total", count, float(count), 0.0)


def _length(text: str) -> int | None:
    found = LENGTH.search(text)
    return int(next(filter(None, found.groups()))) if found else None


def match_file(path: Path, text: str) -> tuple[Path, str]:
    """The file of a set that ends with the statistics of the match: this one, or another in the same folder."""
    if MATCH_STATISTICS.search(text) or not GAME_STATISTICS.search(text):
        return path, text
    for other in sorted(siblings(path), reverse=True):
        if other.stat().st_size <= LARGEST_GAME_FILE:
            found = other.read_bytes().decode("utf-8-sig", "replace")
            found = html_text(found) if looks_like_html(found) else found
            if MATCH_STATISTICS.search(found):
                return other, found
    return path, text


def siblings(path: Path) -> Iterator[Path]:
    """The files of the other games of a match, as gnuBG names them."""
    stem = set_name(path)
    for other in path.parent.iterdir():
        if other != path and other.suffix == path.suffix and set_name(other) == stem and other.is_file() and not other.is_symlink():
            yield other


def set_name(path: Path) -> str:
    """The part of the name that the files of one match share."""
    found = GAME_NUMBER.match(path.stem)
    return found["stem"] if found else path.stem


def looks_like_html(text: str) -> bool:
    """Whether a text is an HTML page."""
    return re.search(r"<(?:!doctype html|html)\b", text[:4096], re.IGNORECASE) is not None


def html_text(page: str) -> str:
    """The rows of a page's tables as lines, worded as in gnuBG's text export; text outside a row becomes a separate line."""
    lines: list[str] = []
    cells: list[str] | None = None
    for piece in page.split("<"):
        tag, _, data = piece.partition(">")
        name = tag.split(None, 1)[0].lower() if tag.strip() else ""
        text = " ".join(unescape(data).split())
        if name == "tr":
            cells = []
        elif name == "/tr" and cells is not None:
            lines.append(WIDE.join(cells))
            cells = None
        elif name in ("td", "th") and cells is not None:
            cells.append(text)
            continue
        if text and cells:
            cells[-1] += text
        elif text and cells is None:
            lines.append(text)
    return "\n".join(lines).replace("Chequer play statistics", "Chequerplay statistics") + "\n"


def tidy(text: str) -> str:
    """The lines that may contain a figure, so that a text of blanks or one endless line costs no time."""
    return "\n".join(line for line in text.splitlines() if line.strip() and len(line) <= LONGEST_LINE) + "\n"
