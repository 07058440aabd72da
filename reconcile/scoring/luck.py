"""Luck beside skill: who played a match better, and BGBlitz's own luck, the result minus the
difference in skill.

In a match a game changes a player's chance of winning it from that at the score before to that at
the score after; what the players' errors do not explain of this change is BGBlitz's luck. In money
play the points won take the place of the chances, 0 for a game that was broken off, and the errors
are weighed in equity whatever the cube. Source: the `luck` of every game in 11 files of BGBlitz,
which holds it in the view of the second player (red)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from reconcile.document import Document
from reconcile.match.columns import Floats
from reconcile.match.match import Match
from reconcile.match.met.equity import chance_at_score
from reconcile.scoring.statistics import Statistics

SETTLED = "game-settled"
"""Note of a last game whose points are known from the final score only."""


@dataclass(frozen=True, slots=True)
class BgblitzLuck(Document):
    """Of this player, positive is lucky."""

    plain: float | None
    """In chances of winning the match, 0 to 1, or points in a money session; null at a score that
    the file does not show."""
    weighted: float | None
    """As an equity at cube 1; the same as plain in a money session."""


def result_minus_skill(statistics: Statistics, seat: int, game: int | None = None) -> BgblitzLuck:
    """The luck of a player in the match or one game (index from 0), positive is lucky; unknown
    where a skill is."""
    skills = [statistics.figures_at(each, game)["equity_error.total"] for each in (0, 1)]
    if None in skills:
        return BgblitzLuck(None, None)
    sign = 1 if seat else -1
    luck = (
        sign * float(np.sum(part if game is None else part[game])) for part in _by_game(statistics)
    )
    return BgblitzLuck(*(None if value != value else value for value in luck))


def _by_game(statistics: Statistics) -> tuple[Floats, Floats]:
    """Plain and weighted luck of every game, the view of the second player."""
    match, met = statistics.match, statistics.scored.met
    games = match.games
    points = np.where(games.winner >= 0, games.points, 0)
    won = np.where(games.winner == 1, points, -points)
    if match.is_money:
        broken_off = any(note.code == SETTLED for note in match.notes) and bool(
            (match.plays.game == len(games) - 1).any()
        )
        won = won * np.where(np.arange(len(games)) == len(games) - 1, not broken_off, True)
        plain = won + _difference(statistics.sums.games["error"])
        return plain, plain
    before = 1 - chance_at_score(match, met).astype(np.float64)
    away = match.away
    post = games.crawford | (away == 1).any(axis=1)

    def after(first: Floats, second: Floats) -> Floats:
        chance: Floats = 1 - met.chance(away[:, 0] - first, away[:, 1] - second, post).astype(
            np.float64
        )
        return chance

    ones, none = np.ones_like(points), np.zeros_like(points)
    result = np.where(
        games.winner >= 0,
        after(np.where(games.winner == 0, points, 0), np.where(games.winner == 1, points, 0)),
        before,
    )
    win, lose = after(none, ones), after(ones, none)
    plain = result - before + _difference(statistics.sums.games["loss"])
    return plain, (2 * (before + plain) - (win + lose)) / (win - lose)


def _difference(lost: Floats) -> Any:
    """By how much the second player lost more than the first in every game."""
    return np.diff(lost.sum(axis=2))[:, 0]


NOT_THEIRS: Final = MappingProxyType(
    {
        "gammonview": "GammonView rounds the luck of every roll to four decimals, adds that of "
        "rolls that were never played, and weighs it with a table of four decimals"
    }
)
"""By rule set, how a program adds up luck in another way than is done here."""


@dataclass(frozen=True, slots=True)
class Skill(Document):
    """Two measures of who played a match better, percentage points of match winning chance; under
    perfect judgement both have the same expectation."""

    error_difference_mwc_percent: float | None
    """What the opponent's errors cost less what the player's own did; null where one is unknown."""
    luck_adjusted_mwc_percent: float | None
    """The result without luck, less 50; null of an unfinished match, and where the luck of a roll
    is unknown."""


def skill_measures(
    match: Match, sides: Sequence[Mapping[str, float | int | None]], seat: int
) -> Skill:
    """Who played a match better, from the figures by seat."""
    own, other = (sides[side]["mwc_loss_percent.total"] for side in (seat, 1 - seat))
    difference = None if own is None or other is None else other - own
    net = sides[seat]["luck.net_mwc_percent"]
    rating = sides[seat][
        "luck.rating_percent"
    ]  # known only of a finished match whose rolls all have luck
    if net is None or rating is None:
        return Skill(difference, None)
    return Skill(difference, 100 * float(match.games.winner[-1] == seat) - net - 50)
