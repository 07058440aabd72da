"""Luck beside skill: who played a match better, and where a program adds up luck in another way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from reconcile.match import Match

NOT_THEIRS: Final = MappingProxyType(
    {
        "gammonview": "GammonView rounds the luck of every roll to four decimals, adds that of rolls that were never played, and weighs it "
        "with a table of four decimals"
    }
)
"""By rule set, how a program adds up luck in another way than is done here."""


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
