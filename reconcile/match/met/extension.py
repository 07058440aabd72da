"""Scores that are not listed: those that gnuBG 1.07.001 computes beyond a file's length, and tables
given only by parameters.

All of it reproduces gnuBG on Debian 12 to the last bit of float32;
`tests/match/met/test_met_against_gnubg.py` compares them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

LONGEST_MATCH: Final = 64
"""gnuBG's tables end here; for a longer match it reads past their end."""

GAMMON_RATE: Final = 0.25
"""Share of gammons among the trailer's wins, after the Crawford game."""
WIN_RATE: Final = 0.5
FREE_DROP_2_AWAY: Final = 0.015
FREE_DROP_4_AWAY: Final = 0.004

# Standard deviation of one game's points when a player is 1-away, 2-away, ...; 11-away and more are
# all 1.77.
_DEVIATIONS: Final = (1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72) + (1.77,) * (
    LONGEST_MATCH - 10
)

# The single precision erf of Debian 12's C library (glibc 2.36) is one unit in the last place above
# or below the nearest float32 at these scores (away, away), and gnuBG's chance shows it. Measured;
# the rest of the 2 080 scores agree with rounding.
_ERF_ABOVE: Final = (
    (12, 2), (15, 6), (17, 15), (21, 9), (25, 12), (26, 14), (27, 16), (28, 13), (28, 15),
    (29, 14), (32, 12), (32, 17), (34, 22), (36, 20), (37, 19), (37, 20), (37, 23), (38, 22),
    (39, 21), (41, 11), (43, 26), (44, 16), (45, 29), (53, 32), (54, 25), (54, 36), (55, 19),
    (55, 35), (56, 36), (58, 42), (59, 38), (61, 30), (61, 32), (63, 32), (64, 42),
)  # fmt: skip
_ERF_BELOW: Final = (
    (9, 1), (16, 4), (18, 3), (19, 17), (24, 6), (24, 21), (25, 23), (26, 3), (36, 33), (42, 8),
    (42, 14), (42, 19), (42, 38), (42, 39), (43, 30), (44, 18), (45, 40), (46, 42), (56, 40),
    (58, 29), (59, 31), (60, 45), (61, 28), (61, 42), (63, 58), (64, 48),
)  # fmt: skip


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
    for scores, towards in ((_ERF_ABOVE, 1), (_ERF_BELOW, 0)):
        at = tuple(np.array(scores).T - 1)
        error_function[at] = np.nextafter(error_function[at], np.float32(towards))
    chances = np.empty_like(error_function)
    chances[row, column] = np.float32(0.5) - np.float32(0.5) * error_function[row, column]
    chances[column, row] = np.float32(1) - chances[row, column]
    chances.flags.writeable = False
    return chances


def trailing_series(
    listed: Sequence[float],
    gammon_rate: float = GAMMON_RATE,
    free_drop_2_away: float = FREE_DROP_2_AWAY,
    free_drop_4_away: float = FREE_DROP_4_AWAY,
) -> NDArray[np.float32]:
    """Continue the listed post-Crawford chances of the trailer, or make a `zadeh` series if none is
    listed.

    The trailer doubles at once, so a win gains 2 points, or 4 with a gammon. The free drop is
    subtracted from the chance at 2-away and 4-away, and the scores further away inherit it.
    """
    rate, half, won = np.float32(gammon_rate), np.float32(0.5), np.float32(1)
    gammon, single = rate * half, (won - rate) * half
    free_drop = {1: np.float32(free_drop_2_away), 3: np.float32(free_drop_4_away)}
    series = [np.float32(chance) for chance in listed]
    for i in range(len(series), LONGEST_MATCH):
        chance = gammon * (series[i - 4] if i >= 4 else won) + single * (
            series[i - 2] if i >= 2 else won
        )
        series.append(chance - free_drop[i] if i in free_drop else chance)
    return np.array(series, np.float32)


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
    series: list[float] = []
    for i in range(LONGEST_MATCH):
        series.append(
            rate * win * (series[i - 4] if i >= 4 else 1.0)
            + (1.0 - rate) * win * (series[i - 2] if i >= 2 else 1.0)
        )
    series[1] -= drop_2
    series[3] += drop_4
    return np.array(series, np.float32)
