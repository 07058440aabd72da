"""How large the gap between two analyses usually is: gaps of PR measured on real matches, from the program's table or a user's archive."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from reconcile.match.match import Match
from reconcile.scoring.statistics import Statistics

TABLE: Final = Path(__file__).with_name("usual_gaps.json")
"""Made by `python -m benchmarks.usual_gaps`, with its date."""
FEWEST: Final = 4
"""Player-matches below which nothing is usual."""
SAME: Final = 1e-9
"""Two computations of one gap differ by less."""

Analysis = tuple[str, float | None]
"""The name of a tool, and how many plies it looked ahead in most evaluations, on one scale; `None` for rollouts and the like."""


def usual_gaps(left: Statistics, right: Statistics) -> tuple[float, ...]:
    """Sizes of the gaps of PR between two such analyses, sorted, one for each player of a match; empty where none are known."""
    return _table().get(frozenset((analysis_of(left.match), analysis_of(right.match))), ())


def analysis_of(match: Match) -> Analysis:
    """What a file's analysis is compared by."""
    return match.source.tool, match.lookahead


@cache
def _table() -> dict[frozenset[Analysis], tuple[float, ...]]:
    pairs = json.loads(TABLE.read_text("utf-8"))["pairs"]
    return {frozenset(zip(pair["tools"], pair["lookahead"], strict=True)): tuple(pair["gaps"]) for pair in pairs}


def of_others(gaps: Sequence[float], own: Sequence[float]) -> tuple[float, ...]:
    """The sizes of the gaps without those of this match, `own`, if it is one of those measured: all of its sizes are among them then.

    Sizes are kept with all digits, which no other match has, unless all are 0.
    """
    rest = list(gaps)
    for size in own if any(own) else ():
        place = next((number for number, one in enumerate(rest) if abs(one - size) <= SAME), None)
        if place is None:
            return tuple(gaps)
        del rest[place]
    return tuple(rest)


def place_of(gap: float, gaps: Sequence[float]) -> str:
    """`larger than 11 of them`."""
    smaller = sum(one < abs(gap) for one in gaps)
    return f"larger than {'all' if smaller == len(gaps) else smaller or 'none'} of them"
