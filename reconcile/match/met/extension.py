"""Scores that are not listed: those that gnuBG 1.07.001 computes beyond a file's length, and tables
given only by parameters.

All of it reproduces gnuBG on Debian 12 to the last bit of float32;
`tests/match/met/test_met_against_gnubg.py` compares them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

LONGEST_MATCH = 64
"""gnuBG's tables end here; for a longer match it reads past their end."""

GAMMON_RATE = 0.25
"""Share of gammons among the trailer's wins, after the Crawford game."""
WIN_RATE = 0.5
FREE_DROP_2_AWAY = 0.015
FREE_DROP_4_AWAY = 0.004

# Standard deviation of one game's points when a player is 1-away, 2-away, ...; 11-away and more are
# all 1.77.
_DEVIATIONS = (1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72) + (1.77,) * (
    LONGEST_MATCH - 10
)

_ERF = Path(__file__).with_name("erf.json")
"""The scores (away, away) at which the single precision erf of Debian 12's C library (glibc 2.36)
is one unit in the last place above or below the nearest float32, and gnuBG's chance shows it.
Measured; the rest of the 2 080 scores agree with rounding."""


@cache
def projected_chances() -> NDArray[np.float32]:
    """Return the chance of the row's player at every score before the Crawford game, by the normal
    approximation.

    A player who is `a` away against `b`, `a >= b`, wins with probability 1 - Phi((a - b) / S),
    where S^2 = (s_a^2 + s_b^2) (a + b) / 2 and s is the deviation of one game. The leader has the
    rest.
    """
    deviation = np.array(_DEVIATIONS, np.float32)
    row, column = np.tril_indices(LONGEST_MATCH)
    games = (row + column + 2).astype(np.float32) / np.float32(2)
    spread = np.sqrt(
        (deviation[row] * deviation[row] + deviation[column] * deviation[column]) * games
    )
    # gnuBG is compiled with -ffast-math: it multiplies by 1/sqrt(2), which rounds differently from
    # a division by sqrt(2).
    distance = (row - column).astype(np.float32) / spread * np.float32(math.sqrt(0.5))
    error_function = np.zeros((LONGEST_MATCH, LONGEST_MATCH), np.float32)
    error_function[row, column] = [math.erf(x) for x in distance.tolist()]
    corrections = json.loads(_ERF.read_bytes())
    for side, towards in (("above", 1), ("below", 0)):
        at = tuple(np.array(corrections[side]).T - 1)
        error_function[at] = np.nextafter(error_function[at], np.float32(towards))
    chances = np.empty_like(error_function)
    chances[row, column] = np.float32(0.5) - np.float32(0.5) * error_function[row, column]
    chances[column, row] = np.float32(1) - chances[row, column]
    chances.flags.writeable = False
    return chances


Number = Any
"""In the precision of whoever computes: `float` or `np.float32`."""


def _continued(
    listed: Sequence[Number], gammon: Number, single: Number, drops: Mapping[int, Number]
) -> list[Number]:
    """The chances of a trailer who doubles at once, so that a win gains 2 points, or 4 with a
    gammon; `drops` are subtracted by place in the series."""
    won = type(gammon)(1)
    series = [won] * 4 + [*listed]  # before 1-away the match is won
    for place in range(len(listed), LONGEST_MATCH):
        chance = gammon * series[-4] + single * series[-2]
        series.append(chance - drops[place] if place in drops else chance)
    return series[4:]


def trailing_series(
    listed: Sequence[float],
    gammon_rate: float = GAMMON_RATE,
    free_drop_2_away: float = FREE_DROP_2_AWAY,
    free_drop_4_away: float = FREE_DROP_4_AWAY,
) -> NDArray[np.float32]:
    """Continue the listed post-Crawford chances of the trailer, or make a `zadeh` series if none is
    listed.

    The free drop is subtracted from the chance at 2-away and 4-away, and the scores further away
    inherit it.
    """
    rate, half, won = np.float32(gammon_rate), np.float32(0.5), np.float32(1)
    drops = {1: np.float32(free_drop_2_away), 3: np.float32(free_drop_4_away)}
    series = [np.float32(chance) for chance in listed]
    return np.array(_continued(series, rate * half, (won - rate) * half, drops), np.float32)


def mec_series(
    gammon_rate: float = GAMMON_RATE,
    win_rate: float = WIN_RATE,
    free_drop_2_away: float = FREE_DROP_2_AWAY,
    free_drop_4_away: float = FREE_DROP_4_AWAY,
) -> NDArray[np.float32]:
    """Return the post-Crawford chances of the trailer in a `mec` table.

    Unlike `trailing_series`, it uses double precision from float32 parameters and a win rate, and
    applies the free drop at the end, so that no other score inherits it; at 4-away gnuBG adds it.
    """
    rate, win, drop_2, drop_4 = (
        float(np.float32(value))
        for value in (gammon_rate, win_rate, free_drop_2_away, free_drop_4_away)
    )
    series = _continued((), rate * win, (1.0 - rate) * win, {})
    series[1] -= drop_2
    series[3] += drop_4
    return np.array(series, np.float32)
