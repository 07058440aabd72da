"""The players of an archive, each pooled over the matches: sums over sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from reconcile.corpus.study.persons import rows
from reconcile.corpus.study.spread import FEWEST_DECISIONS
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.figures import capped, per
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.pool import interval

if TYPE_CHECKING:
    import duckdb

PLAYERS_SHOWN: Final = 100
MOST_DRAWN: Final = 250
"""The matches of a player with more are drawn in this many groups, so that an interval costs the same for any number."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A pooled PR of one player under one rule set."""

    decisions: int
    pr: float | None
    """`None` of too few decisions, as all that follows."""
    low: float | None
    """95 % interval from resampling matches; `None` with fewer than five."""
    high: float | None
    snowie_er: float | None


@dataclass(frozen=True, slots=True)
class Person:
    """One player over the archive."""

    name: str
    spellings: tuple[str, ...]
    """The other names in the files."""
    matches: int
    rates: tuple[Rate, ...]
    """One per rule set."""


def people(
    database: duckdb.DuckDBPyConnection, rules: tuple[str, ...], spellings: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[Person, ...], int]:
    """The players with the most decisions, and the number of players with a complete analysis."""
    database.execute(
        """create temp table shown as
        select person, count(*) as matches, row_number() over (order by sum(decisions_counted) desc, person) as rank
        from pooled where rules = ? group by person""",
        [rules[0]],
    )
    ((number,),) = rows(database, "select count(*) from shown")
    database.execute("delete from shown where rank > ?", [PLAYERS_SHOWN])
    rates = {(person, of): rate for person, of, rate in _rates(database)}
    return tuple(
        Person(name, spellings[name], matches, tuple(rates[name, of] for of in rules))
        for name, matches in rows(database, "select person, matches from shown order by rank")
    ), number


def _rates(database: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, str, Rate]]:
    columns = database.execute(
        """select shown.rank, p.rules, decisions_counted, coalesce(rated_error, 0), coalesce(equity_error_total, 0), moves_both
        from pooled p join shown on shown.person = p.person order by shown.rank, p.rules, match, seat"""
    ).fetchnumpy()
    rank, of, counted, rated, error, both = columns.values()
    if not len(rank):
        return
    names = dict(rows(database, "select rank, person from shown"))
    ranks = np.asarray(rank).tolist()
    starts = np.flatnonzero(np.r_[True, (rank[1:] != rank[:-1]) | (of[1:] != of[:-1])])
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(rank)], strict=True):
        mine = slice(start, end)
        yield (
            names[ranks[start]],
            str(of[start]),
            _rate(RULE_SETS[str(of[start])], *(np.asarray(one[mine], np.float64) for one in (counted, rated, error, both))),
        )


def _rate(
    rules: RuleSet,
    counted: npt.NDArray[np.float64],
    rated: npt.NDArray[np.float64],
    error: npt.NDArray[np.float64],
    both: npt.NDArray[np.float64],
) -> Rate:
    if counted.sum() < FEWEST_DECISIONS:
        return Rate(int(counted.sum()), None, None, None, None)
    drawn = rated, counted
    if len(counted) > MOST_DRAWN:
        group = np.arange(len(counted)) % MOST_DRAWN
        drawn = np.bincount(group, rated).astype(np.float64), np.bincount(group, counted).astype(np.float64)
    between = interval(*drawn)
    return Rate(
        decisions=int(counted.sum()),
        pr=capped(float(per(METRICS["pr"].factor, rated.sum(), counted.sum())), rules),
        low=capped(between[0], rules) if between else None,
        high=capped(between[1], rules) if between else None,
        snowie_er=float(per(METRICS["snowie_er"].factor, error.sum(), both.sum())) if both.sum() else None,
    )
