"""Pasted text of gnuBG's tables, and the figures read out of such text."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from reconcile.adapters.printed import Pasted


@cache
def tables(path: Path) -> tuple[str, ...]:
    """The tables of a file of gnuBG's: of the match, then of each game."""
    return tuple(re.split(r"(?m)^(?=Player {3,})", path.read_text("utf-8"))[1:])


def values(pasted: Pasted, column: int = 0) -> dict[str, float]:
    """The figures of one player by their metric."""
    return {one.metric: one.value for one in pasted.columns[column]}


HEAD = "Player                                   Ann B                   Ben\n\nChequerplay statistics\n\n"
"""How gnuBG's table begins."""
