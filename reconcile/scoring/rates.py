"""Rates over matches and how uncertain they are, and what a rate depends on besides the play.

A rate is a sum over a sum. The decisions of one game are not independent of each other, so its
uncertainty comes from the spread between games: the variance of `lost - rate * number`, the
linearised ratio estimator (Cochran, Sampling Techniques, section 6.3)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from reconcile.match.match import Match
from reconcile.match.names import fold
from reconcile.scoring.sums import Table

Moments = Mapping[str, float]
FEWEST_GAMES: Final = 5
"""With fewer there is no interval."""
UNKNOWN_DEPTH: Final = "at an unknown depth"
LONGEST_DEPTH: Final = 30
NORMAL: Final = 1.959963984540054
"""Half the width of a 95 % interval in standard errors."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rate with its 95 % interval."""

    value: float | None
    """`None` without anything to divide by, and for a PR of too few decisions."""
    low: float | None
    """`None` with fewer than five games; the gap of two tools has one for each match."""
    high: float | None
    matches: int
    number: int
    """What the rate is divided by: decisions, matches, player-matches."""


def estimate(moments: Moments, *, factor: float = 1.0, least: float | None = None) -> Estimate:
    """`factor` times `lost` over `number`, from the moments over games; the rate cannot be below
    `least`, so its interval is not."""
    matches, lost, number = int(moments["matches"]), moments["lost"], moments["number"]
    games = int(moments["games"])
    if not number:
        return Estimate(None, None, None, matches, 0)
    rate = lost / number
    if games < FEWEST_GAMES:
        return Estimate(factor * rate, None, None, matches, int(number))
    scatter = (
        moments["squares"]
        - 2 * rate * moments["products"]
        + rate * rate * moments["number_squares"]
    )
    half = student(games - 1) * math.sqrt(max(scatter, 0.0) * games / (games - 1)) / number
    low = rate - half if least is None else max(rate - half, least)
    return Estimate(factor * rate, factor * low, factor * (rate + half), matches, int(number))


def moments(lost: Table, number: Table, match: Table) -> dict[str, float]:
    """The moments of a rate over games, from what each adds to it; `match` is that of each."""
    return {
        "matches": len(set(match.tolist())),
        "games": len(lost),
        "lost": lost.sum(),
        "number": number.sum(),
        "squares": (lost * lost).sum(),
        "products": (lost * number).sum(),
        "number_squares": (number * number).sum(),
    }


def student(freedom: int) -> float:
    """Half the width of a 95 % interval of Student's t, in standard errors (Cornish-Fisher, within
    0.5 % from 4 degrees of freedom)."""
    z = NORMAL
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


@dataclass(frozen=True, slots=True)
class Score:
    """Cube decisions at one score, seen by who decides."""

    away: int
    opponent_away: int
    rate: Estimate


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a rate depends on besides the play."""

    tool: str
    depth: str
    """Of most evaluations: plies ahead, or the tool's own words for a level that has no place on
    that scale."""


def analysis_of(match: Match) -> Analysis:
    """The tool of a file and its depth, in the words that `depth_of` has for the tables."""
    level, ahead = match.usual_level, match.lookahead
    if ahead is None:
        return Analysis(
            match.source.tool, (level.label if level else UNKNOWN_DEPTH)[:LONGEST_DEPTH]
        )
    return Analysis(match.source.tool, f"{ahead:g} {'ply' if ahead == 1 else 'plies'} ahead")


def best_spelling(names: Iterable[str], used: Mapping[str, int]) -> str:
    """The spelling to show: the longest, with blanks in place of underscores, the most frequent,
    not in capitals."""
    return min(
        names,
        key=lambda name: (-len(fold(name)), name.count("_"), -used[name], name.isupper(), name),
    )
