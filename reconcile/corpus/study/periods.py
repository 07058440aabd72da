"""Players over time: PR by month, or by year where the dates are further apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reconcile.corpus.study.persons import rows
from reconcile.corpus.study.spread import Estimate, pr

if TYPE_CHECKING:
    import duckdb

PERSONS_SHOWN: Final = 12
MOST_MONTHS: Final = 36
"""Dates further apart are taken by year."""
FEWEST_PERIODS: Final = 2
LATEST: Final = 60
"""Periods shown, the last ones."""


@dataclass(frozen=True, slots=True)
class Course:
    """A player, or all together, over time."""

    name: str | None
    """`None` for all players together."""
    rates: tuple[Estimate | None, ...]
    """PR by period, of the periods of `Periods`; `None` without a match."""

    @property
    def known(self) -> int:
        """The number of periods with a PR."""
        return sum(rate is not None and rate.value is not None for rate in self.rates)


@dataclass(frozen=True, slots=True)
class Periods:
    """The course of PR over time."""

    names: tuple[str, ...]
    """`2024` or `2024-05`, without gaps."""
    courses: tuple[Course, ...]
    """All players together, then those with most decisions who played in at least two periods."""
    undated: int
    """Matches with a complete analysis and without a date."""


def over_time(database: duckdb.DuckDBPyConnection, rules: str) -> Periods:
    """PR by period, from the matches as they are pooled and `shown`, the players by number of decisions."""
    ((undated, first, last),) = rows(database, "select count(*) filter (where date is null), min(date), max(date) from once")
    if first is None:
        return Periods((), (), undated)
    months = (last.year - first.year) * 12 + last.month - first.month + 1
    if months <= MOST_MONTHS:
        steps = [divmod(first.year * 12 + first.month - 1 + step, 12) for step in range(months)]
        names, form = [f"{year:04}-{month + 1:02}" for year, month in steps], "%Y-%m"
    else:
        names, form = [f"{year:04}" for year in range(first.year, last.year + 1)][-LATEST:], "%Y"
    database.execute(
        """create temp table dated as select match, person, strftime(date, ?) as period, rated_error as lost, decisions_counted as number
        from pooled where rules = ? and date is not null and rated_error is not null""",
        [form, rules],
    )
    every = """select null, period, moments(lost, number) from
        (select match, period, sum(lost) as lost, sum(number) as number from dated group by match, period) group by period"""
    single = "select person, period, moments(lost, number) from dated semi join shown using (person) group by person, period"
    found: dict[str | None, dict[str, Estimate]] = {}
    for person, period, moments in [*rows(database, every), *rows(database, single)]:
        found.setdefault(person, {})[period] = pr(moments)
    order = [None, *(person for (person,) in rows(database, "select person from shown order by rank"))]
    courses = [Course(name, tuple(found[name].get(period) for period in names)) for name in order if name in found]
    shown = [one for one in courses if one.known >= (FEWEST_PERIODS if one.name is not None else 1)]
    return Periods(tuple(names), tuple(shown[: PERSONS_SHOWN + 1]), undated)
