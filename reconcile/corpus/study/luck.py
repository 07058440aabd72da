"""Luck against result: how often the luckier player won, how often the better one, and who won
where the two were not the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reconcile.corpus.study.prepared import SQL, rows
from reconcile.scoring.rates import FEWEST_DECISIONS, Estimate, estimate, share

if TYPE_CHECKING:
    import duckdb

STEP: Final = 10.0
"""Width of a bin of net luck, percentage points of match winning chance."""
LAST_BIN: Final = 5
"""It holds all that is larger, too."""
PERSONS_SHOWN: Final = 12
FEWEST_MATCHES: Final = 5


@dataclass(frozen=True, slots=True)
class Bin:
    """Matches in which the luckier player had about so much more luck."""

    low: float
    high: float | None
    won: Estimate
    """Share that the luckier player won."""


@dataclass(frozen=True, slots=True)
class Fortune:
    """One player's luck."""

    name: str
    luck: Estimate
    """Net luck a match, percentage points of match winning chance."""
    won: Estimate


@dataclass(frozen=True, slots=True)
class Luck:
    """Luck and skill in finished matches, of those with a complete analysis."""

    luckier: Estimate
    """Share of matches that the luckier player won."""
    better: Estimate
    """Share that the player with the lower PR won."""
    luck_over_skill: Estimate
    """Share that the luckier player won where the other had the lower PR."""
    bins: tuple[Bin, ...]
    persons: tuple[Fortune, ...]
    """The players with most matches."""
    money: int
    """Money sessions left out: nobody wins them."""
    unfinished: int
    """Matches left out, since no player has won them."""
    without_luck: int
    """Finished matches of which not every roll is evaluated: they say nothing of luck."""
    without_pr: int
    """Finished matches in which a player has too few decisions for a PR."""


def luck_and_result(database: duckdb.DuckDBPyConnection) -> Luck:
    """What decided the finished matches, as they are pooled."""
    # A finished match was won by the winner of its last game.
    database.execute(SQL["results"], [FEWEST_DECISIONS])
    database.execute(SQL["sides_of_results"])
    ((luckier, with_luck, better, with_pr, over, torn),) = rows(database, SQL["counts_of_results"])
    bins = rows(database, SQL["wins_by_luck"], STEP, LAST_BIN)
    persons = rows(database, SQL["luck_by_person"], FEWEST_MATCHES, PERSONS_SHOWN)
    ((money, finished, pooled, without_luck, without_pr),) = rows(database, SQL["results_left_out"])
    return Luck(
        luckier=share(luckier, with_luck),
        better=share(better, with_pr),
        luck_over_skill=share(over, torn),
        bins=tuple(
            Bin(place * STEP, None if place == LAST_BIN else (place + 1) * STEP, share(won, number))
            for place, won, number in bins
        ),
        persons=tuple(
            Fortune(name, estimate(moments), share(won, moments["matches"]))
            for name, moments, won in persons
        ),
        money=money,
        unfinished=pooled - money - finished,
        without_luck=without_luck,
        without_pr=without_pr,
    )
