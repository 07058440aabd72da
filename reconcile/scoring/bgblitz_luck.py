"""BGBlitz's own luck of a game and a match: the result minus the difference in skill, which is not the sum of the rolls' luck.

In a match a game changes a player's chance of winning it from that at the score before to that at the score after; what the
players' errors do not explain of this change is luck. In money play the points won take the place of the chances, 0 for a game
that was broken off, and the errors are weighed in equity whatever the cube.

Source: the `luck` of every game in 11 files of BGBlitz, which holds it in the view of the second player (red).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reconcile.columns import Floats
from reconcile.met.equity import chance_at_score
from reconcile.scoring.statistics import Statistics

SETTLED = "game-settled"
"""Note of a last game whose points are known from the final score only."""


class Luck(NamedTuple):
    """The two figures that BGBlitz stores; NaN where its table is unknown at a score."""

    plain: float
    """In chances of winning the match (0 to 1); in points in a money session."""
    weighted: float
    """As an equity at cube 1; the same in a money session."""


def result_minus_skill(statistics: Statistics, seat: int, game: int | None = None) -> Luck:
    """The luck of a player in the match or one game (index from 0), positive is lucky."""
    plain, weighted = (part if game is None else part[game] for part in _by_game(statistics))
    sign = 1 if seat else -1
    return Luck(sign * float(np.sum(plain)), sign * float(np.sum(weighted)))


def _by_game(statistics: Statistics) -> tuple[Floats, Floats]:
    """Plain and weighted luck of every game, the view of the second player."""
    match, met = statistics.match, statistics.scored.met
    games = match.games
    points = np.where(games.winner >= 0, games.points, 0)
    won = np.where(games.winner == 1, points, -points)
    if match.is_money:
        broken_off = any(note.code == SETTLED for note in match.notes) and bool((match.plays.game == len(games) - 1).any())
        won = won * np.where(np.arange(len(games)) == len(games) - 1, not broken_off, True)
        plain = won + _difference(statistics.error)
        return plain, plain
    before = 1 - chance_at_score(match, met).astype(np.float64)
    away = match.away
    post = games.crawford | (away == 1).any(axis=1)

    def after(first: Floats, second: Floats) -> Floats:
        chance: Floats = 1 - met.chance(away[:, 0] - first, away[:, 1] - second, post).astype(np.float64)
        return chance

    ones, none = np.ones_like(points), np.zeros_like(points)
    result = np.where(games.winner >= 0, after(np.where(games.winner == 0, points, 0), np.where(games.winner == 1, points, 0)), before)
    win, lose = after(none, ones), after(ones, none)
    plain = result - before + _difference(statistics.loss)
    return plain, (2 * (before + plain) - (win + lose)) / (win - lose)


def _difference(lost: Floats) -> Floats:
    """By how much the second player lost more than the first in every game."""
    by_seat = lost.sum(axis=2)
    difference: Floats = by_seat[:, 1] - by_seat[:, 0]
    return difference
