"""Statistics that gnuBG and XG print, as a claim: gnuBG's exports as text and HTML, `show statistics match`, XG's summary.

gnuBG writes one file per game: `X.txt`, `X_002.txt`, and so on. Each ends with the statistics of its game, the last one with those of
the match as well; the files of one match are found in the same folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from reconcile.adapters.printed import Pasted, read_printed_text
from reconcile.adapters.printed.text import has_statistics, is_of_a_game, lines_of
from reconcile.errors import InvalidConfiguration
from reconcile.gate.candidates.claims import Claim, Stated
from reconcile.tools import ANALYSERS, GNUBG

TOOL_NAMES: Final = {tool.short: tool.name for tool in ANALYSERS.values()}
LENGTH: Final = re.compile(r"\(?(?:match to (\d{1,4}) points?|(\d{1,4}) points? match)\b")
TOTAL_MOVES: Final = re.compile(r"Total moves\s+(\d{1,6})(?:\s+(\d{1,6}))?")


def export_claims(where: str, text: str) -> tuple[Claim, ...]:
    """The claim of a text with gnuBG's or XG's statistics of a match. Raises `InvalidConfiguration` if there are none."""
    if is_of_a_game(text) and not has_statistics(text, None):
        raise InvalidConfiguration(
            f"{where}: expected the statistics of the match, found only those of a game; "
            "give the export of the last game, which ends with both, or put it in the same folder"
        )
    pasted, lines = read_printed_text(where, text), lines_of(text)
    figures, tool = tuple(_stated(pasted, lines)), TOOL_NAMES.get(pasted.program)
    return (Claim(where, figures, players=pasted.players, length=_length(lines), tool=tool, kind="export", notes=pasted.notes),)


def _stated(pasted: Pasted, lines: list[str]) -> Iterator[Stated]:
    for column, figures in enumerate(pasted.columns):
        player: str | int = pasted.players[column] if column < len(pasted.players) else column
        for one in figures:
            yield Stated(player, one.metric, one.text, one.value, one.half)
    moves = [found for line in lines if (found := TOTAL_MOVES.fullmatch(line.strip()))]
    if pasted.program == GNUBG.short and moves:
        for column, count in enumerate(filter(None, moves[-1].groups())):
            if column < len(pasted.columns):
                yield Stated(pasted.players[column] if column < len(pasted.players) else column, "moves.total", count, float(count), 0.0)


def _length(lines: list[str]) -> int | None:
    found = next(filter(None, map(LENGTH.search, lines)), None)
    return int(next(filter(None, found.groups()))) if found else None
