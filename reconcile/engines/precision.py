"""How far gnuBG's figures and ours may lie apart because both are added up in single precision.

A number between 1/2 and 1 is kept to 2^-25 and one below 2 to 2^-24, so an addition of match winning chances rounds by at most 2^-24
and a sum of n of them is known to n times that. gnuBG 1.07 is compiled so that its operations may be reordered; it and we can be apart
by as much. Errors are added with one sign, and a relative bound covers them. Luck and results have both signs: their sum can be
small beside what was added up, so they have a bound of their own, and so has what follows from them by a logarithm.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from reconcile.scoring.gnubg_table import FIBS_BASE, MARKS, GnubgTable
from reconcile.scoring.statistics import roll_gains

ROUNDING: Final = 2.0**-24
"""Of one addition of chances, in single precision."""
RELATIVE: Final = 1e-6
"""Of sums with one sign: 17 roundings. In fresh matches they are apart by at most seven."""


def slacks(table: GnubgTable, seat: int, game: int | None) -> dict[str, float]:
    """How far figures of a player with signed parts may be apart, by the last part of gnuBG's name; infinite at a pole.

    Units are those of the figures: match winning chance (points in money play), rating points. The match is `game` `None`.
    """
    at = -1 if game is None else game
    games = table.games if game is None else 1
    own, other = (sum(table.counts.games[f"rolls {mark}"][at][one] for mark in MARKS) for one in (seat, 1 - seat))
    unit = ROUNDING * _scale(table)
    found = {
        "luck-cost": own * unit,
        "actual-result": games * unit,
        "luck-adjusted-result": (own + other + games) * unit,
        # The rating is 2050 less two losses, of which one can be larger.
        "total": RELATIVE * FIBS_BASE,
    }
    if game is None and not table.match.is_money:
        # gnuBG takes both players' luck from the result, after adding up each.
        found["fibs-rating-difference"] = _rating_slack(table, seat, (2 * (own + other) + games) * unit)
    return found


def _scale(table: GnubgTable) -> float:
    """The size of what is added up: 1 for chances; in money play all points that rolls gained or lost."""
    if not table.match.is_money:
        return 1.0
    luck = table.match.plays.luck
    gained = roll_gains(table.scored, np.where(table.luck_known, luck, luck.dtype.type(0)))
    return max(1.0, float(np.abs(gained).sum()))


def _rating_slack(table: GnubgTable, seat: int, apart: float) -> float:
    """How far the rating differences of two chances that are this much apart can be from each other."""
    chance = 0.5 + float(table.adjusted[:, seat].sum())
    low, high = chance - apart, chance + apart
    if low <= 0 or high >= 1:
        return math.inf
    return 2000 / math.sqrt(table.match.length or 1) * math.log10((1 / low - 1) / (1 / high - 1))
