"""Luck as XG states it: net of the opponent's, jokers, and the rating and Elo that follow from the result without luck.

Source: XG's author on bgonline.org, 31 July 2010, "The luck base rating"; checked against six sides of XG's own summaries.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from reconcile.columns import Bools, Floats
from reconcile.match import Match
from reconcile.scoring.grades import percent

JOKER: Final = 0.20
"""Luck of a roll (EMG) from which XG calls it a joker."""
SMALLEST_LUCK: Final = 1e-4
"""Luck of a roll (EMG) below which it has none: XG's files hold float noise up to 2e-5 in decided games."""
STEEPNESS: Final = 4.0
NOT_THEIRS: Final = MappingProxyType(
    {
        "gammonview": "GammonView rounds the luck of every roll to four decimals, adds that of rolls that were never played, and weighs it "
        "with a table of four decimals"
    }
)
"""By rule set, how a program adds up luck in another way than is done here."""
ELO_SCALE: Final = 2000.0
ELO_PER_POINT: Final = 500.0
"""Difference in Elo for a point per game: 50 for every 0.1."""
STEEPEST: Final = 700.0
"""Damaged luck may be any number; a larger power of e is none."""
NAMES: Final = tuple(f"luck.{name}" for name in ("net_equity", "net_mwc_percent", "jokers", "rolls", "rate", "rating_percent", "elo"))


def roll_columns(luck: Floats) -> dict[str, Bools]:
    """Which rolls are jokers, and which have luck at all; `luck` (EMG) is 0 where it is unknown."""
    return {"jokers": luck >= JOKER, "rolls with luck": np.abs(luck) >= SMALLEST_LUCK}


def net_luck(totals: Mapping[str, Sequence[Any]], seat: int, *, in_match: bool) -> dict[str, float | int | None]:
    """The figures of one player; unknown ones are `None`, and those of a finished match (`luck_rating`).

    `totals` are the sums by seat of `roll_columns`, of `moves` and those of them with luck, of `luck` (EMG) and of `chance` (match winning
    chance, 0 to 1; points in money play).
    """
    found: dict[str, float | int | None] = dict.fromkeys(NAMES)
    known = totals["luck analysed"]
    if known[seat]:
        found |= {"luck.jokers": totals["jokers"][seat], "luck.rolls": totals["rolls with luck"][seat]}
    if not all(known):
        return found
    net, chance = (totals[name][seat] - totals[name][1 - seat] for name in ("luck", "chance"))
    rolls = sum(totals["rolls with luck"])
    found |= {"luck.net_equity": net, "luck.rate": net / rolls if rolls else None}
    if in_match:
        found["luck.net_mwc_percent"] = percent(chance)
    return found


def skill_measures(match: Match, sides: Sequence[Mapping[str, float | int | None]], seat: int) -> tuple[float | None, float | None]:
    """Two measures of who played a match better, in percentage points of match winning chance: the opponent's errors less the player's own,
    and the result without luck less 50. Under perfect judgement both have the same expectation. `sides` are the figures by seat.
    """
    own, other = (sides[one]["mwc_loss_percent.total"] for one in (seat, 1 - seat))
    difference = None if own is None or other is None else other - own
    net = sides[seat]["luck.net_mwc_percent"]
    rating = sides[seat]["luck.rating_percent"]  # known only of a finished match whose rolls all have luck
    if net is None or rating is None:
        return difference, None
    return difference, 100 * float(match.games.winner[-1] == seat) - net - 50


def luck_rating(match: Match, totals: Mapping[str, Sequence[Any]], seat: int) -> dict[str, float | int | None]:
    """The rating and the Elo of a player in a finished match or session whose luck is known throughout; nothing in any other."""
    known, chance = totals["luck analysed"], totals["chance"][seat] - totals["chance"][1 - seat]
    whole = match.complete and all(known) and known == totals["moves"] and math.isfinite(chance)
    return rated(match, seat, chance) if whole else {}


def rated(match: Match, seat: int, chance: float) -> dict[str, float | int | None]:
    """The luck-based rating (percent) and half the difference in Elo of a finished match or session.

    `chance` is the net luck in match winning chance (0 to 1), in points for money.
    """
    games = match.games
    if match.length is None:
        points = np.where(games.winner == seat, games.points, -games.points) * (games.winner >= 0)
        return {"luck.elo": ELO_PER_POINT * (float(points.sum()) - chance) / len(games) / 2}
    result = float(games.winner[-1] == seat)
    odds = STEEPNESS * (result - chance - 0.5)  # the logarithm of rating to 1 - rating
    elo = ELO_SCALE / math.sqrt(match.length) * odds / math.log(10) / 2
    return {"luck.rating_percent": 100 / (1 + math.exp(min(-odds, STEEPEST))), "luck.elo": elo}
