"""Positions copied from XG as text, in English, German, French and Japanese: an XGID, a board, and the analysis of one decision.

The words differ between the languages, the layout does not: plays are numbered lines that end in an equity, and a cube decision is
three lines in the order no double, take, pass, after the line with the cubeless equities.
"""

from __future__ import annotations

import re
from typing import Final

from reconcile.adapters.printed.text import tidy
from reconcile.board.identifiers import from_xgid
from reconcile.errors import InvalidConfiguration
from reconcile.gate.candidates.claims import StatedPosition

XGID: Final = re.compile(r"^[ \t]*XGID=\S+", re.MULTILINE)
_EQUITY = r"([+\-\N{MINUS SIGN}]?\d{1,3}[.,]\d{1,6})"
_VALUE = rf":\s*{_EQUITY}(?:\s+\([^)]*\))?"
_RANKED: Final = re.compile(r"\d{1,3}\.\s+\S.*")
_WORTH: Final = re.compile(rf"\S{{1,10}}{_VALUE}")
_GAP: Final = re.compile(r"\s{2,}")
"""What separates the columns of a play; each pattern is applied to one line or one cell, so that no text makes it slow."""
_MOST_CELLS: Final = 4
"""Cells in which an equity and the difference behind it can be."""
CUBE: Final = re.compile(rf"\s*[^:=\d\s][^:=]{{0,40}}{_VALUE}\s*")
CUBE_LINES: Final = 3
MOST_POSITIONS: Final = 1000


def positions(where: str, text: str) -> tuple[StatedPosition, ...]:
    """The decisions of a text, in order. Raises `InvalidConfiguration` for one that cannot be read."""
    text = tidy(text)
    starts = [found.start() for found in XGID.finditer(text)]
    if not starts:
        raise InvalidConfiguration(
            f"{where}: expected an XGID of a decision, found one in a line that is too long; copy the position again"
        )
    if len(starts) > MOST_POSITIONS:
        raise InvalidConfiguration(f"{where}: expected at most {MOST_POSITIONS} positions, found {len(starts)}; split the file")
    parts = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    return tuple(_position(f"{where}: position {number}" if len(parts) > 1 else where, part) for number, part in enumerate(parts, 1))


def _position(where: str, text: str) -> StatedPosition:
    identifier = text.split(None, 1)[0]
    try:
        situation = from_xgid(identifier)
    except ValueError as error:
        raise InvalidConfiguration(f"{where}: expected an XGID of a decision: {str(error)[:120]}; copy the position again") from None
    lines = text.split("\n")
    plays = [play for line in lines if (play := _play(line))]
    if plays:
        return StatedPosition(where, situation, tuple(plays), None)
    cube = [_number(found[1]) for line in lines if (found := CUBE.fullmatch(line))]
    if len(cube) != CUBE_LINES:
        raise InvalidConfiguration(
            f"{where}: expected plays with their equities or the three equities of a cube decision, found neither; "
            "copy the position with its analysis"
        )
    return StatedPosition(where, situation, (), (cube[0], cube[1], cube[2]))


def _play(line: str) -> tuple[str, float] | None:
    """The play and the equity of a line: rank and level, play, equity, in columns."""
    cells = _GAP.split(line.strip())
    if _RANKED.match(cells[0]):
        for size in range(1, min(_MOST_CELLS, len(cells) - 2) + 1):
            if found := _WORTH.fullmatch(" ".join(cells[-size:])):
                return "  ".join(cells[1:-size]), _number(found[1])
    return None


def _number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-").replace(",", "."))
