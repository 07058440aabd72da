"""The players of an archive, each pooled over the matches, and all of them over time, by phase
of the game and by score: sums over sums."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from reconcile.corpus.study.prepared import SQL, rows
from reconcile.match.phases import PHASES
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.figures import capped, per
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.pool import interval
from reconcile.scoring.rates import FEWEST_DECISIONS, LONGEST_AWAY, Analysis, Estimate, Score, pr

if TYPE_CHECKING:
    import duckdb


PLAYERS_SHOWN: Final = 100
MOST_DRAWN: Final = 250
"""The matches of a player with more are drawn in this many groups, so that an interval costs the
same for any number."""


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
    """One player over the matches of the archive that one tool analysed at one depth."""

    name: str
    analysis: Analysis
    spellings: tuple[str, ...]
    """The other names in the files."""
    matches: int
    rates: tuple[Rate, ...]
    """One per rule set."""
    own: Rate
    """That by the rules of the tool."""


def people(
    database: duckdb.DuckDBPyConnection,
    rules: tuple[str, ...],
    spellings: Mapping[str, tuple[str, ...]],
) -> tuple[tuple[Person, ...], int]:
    """The players with the most decisions by one tool at one depth, and the number of players
    with a complete analysis."""
    database.execute(SQL["shown"])
    ((number,),) = rows(database, "select count(distinct person) from shown")
    database.execute("delete from shown where rank > ?", [PLAYERS_SHOWN])
    rates = {(rank, of): rate for rank, of, rate in _rates(database)}
    return tuple(
        Person(
            person,
            Analysis(tool, depth),
            spellings.get(person, ()),
            matches,
            tuple(rates[rank, name] for name in rules),
            rates[rank, own],
        )
        for rank, person, tool, depth, matches, own in rows(
            database, "select rank, person, tool, depth, matches, own from shown order by rank"
        )
    ), number


def _rates(database: duckdb.DuckDBPyConnection) -> Iterator[tuple[int, str, Rate]]:
    columns = database.execute(SQL["sides_rated"]).fetchnumpy()
    rank, of, counted, rated, error, both = columns.values()
    if not len(rank):
        return
    ranks = np.asarray(rank).tolist()
    starts = np.flatnonzero(np.r_[True, (rank[1:] != rank[:-1]) | (of[1:] != of[:-1])])
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(rank)], strict=True):
        mine = slice(start, end)
        yield (
            ranks[start],
            str(of[start]),
            _rate(
                RULE_SETS[str(of[start])],
                *(np.asarray(column[mine], np.float64) for column in (counted, rated, error, both)),
            ),
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
        drawn = (
            np.bincount(group, rated).astype(np.float64),
            np.bincount(group, counted).astype(np.float64),
        )
    between = interval(*drawn)
    return Rate(
        decisions=int(counted.sum()),
        pr=capped(float(per(METRICS["pr"].factor, rated.sum(), counted.sum())), rules),
        low=capped(between[0], rules) if between else None,
        high=capped(between[1], rules) if between else None,
        snowie_er=float(per(METRICS["snowie_er"].factor, error.sum(), both.sum()))
        if both.sum()
        else None,
    )


COURSES_SHOWN: Final = 12
MOST_MONTHS: Final = 36
"""Dates further apart are taken by year."""
FEWEST_PERIODS: Final = 2
LATEST: Final = 60
"""Periods shown, the last ones."""


@dataclass(frozen=True, slots=True)
class Course:
    """A player, or all together, over time, in analyses by one tool at one depth: another would
    show progress that is none."""

    name: str | None
    """`None` for all players together."""
    analysis: Analysis
    rates: tuple[Estimate | None, ...]
    """PR by period, of the periods of `Periods`; `None` without a match."""

    @property
    def periods_with_rate(self) -> int:
        """The number of periods with a PR."""
        return sum(rate is not None and rate.value is not None for rate in self.rates)


@dataclass(frozen=True, slots=True)
class Periods:
    """The course of PR over time."""

    names: tuple[str, ...]
    """`2024` or `2024-05`, without gaps."""
    courses: tuple[Course, ...]
    """All players together, for every tool and depth, then those with most decisions who played
    in at least two periods."""
    undated: int
    """Matches with a complete analysis and without a date."""


def over_time(database: duckdb.DuckDBPyConnection) -> Periods:
    """PR by period, from the matches as they are pooled and `shown`, the players by number of
    decisions."""
    ((undated, first, last),) = rows(
        database, "select count(*) filter (where date is null), min(date), max(date) from once"
    )
    if first is None:
        return Periods((), (), undated)
    months = (last.year - first.year) * 12 + last.month - first.month + 1
    if months <= MOST_MONTHS:
        steps = [divmod(first.year * 12 + first.month - 1 + step, 12) for step in range(months)]
        names, form = [f"{year:04}-{month + 1:02}" for year, month in steps], "%Y-%m"
    else:
        names, form = [f"{year:04}" for year in range(first.year, last.year + 1)][-LATEST:], "%Y"
    database.execute(SQL["dated"], [form])
    rates_of: dict[tuple[str | None, Analysis], dict[str, Estimate]] = defaultdict(dict)
    for person, tool, depth, period, moments in [
        *rows(database, SQL["rates_of_all_by_period"]),
        *rows(database, SQL["rates_by_period"]),
    ]:
        rates_of[person, Analysis(tool, depth)][period] = pr(moments)
    courses = [
        Course(*whose, tuple(rates.get(period) for period in names))
        for whose, rates in rates_of.items()
    ]
    everybody = [course for course in courses if course.name is None and course.periods_with_rate]
    persons = [
        course
        for course in courses
        if course.name is not None and course.periods_with_rate >= FEWEST_PERIODS
    ]
    return Periods(tuple(names), (*everybody, *persons[:COURSES_SHOWN]), undated)


PHASES_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of the games, all players together."""

    name: str
    rates: dict[str, Estimate]
    """PR of `checker` plays, `cube` decisions and `both`; `number` counts decisions."""
    lost: float
    """Equity lost in it, EMG."""
    share: float | None
    """Of all equity lost; `None` if none was."""


def errors_by_phase(database: duckdb.DuckDBPyConnection) -> tuple[Phase, ...]:
    """Every phase with decisions, from the matches as they are pooled."""
    database.execute(SQL["by_phase"])
    rates_in: dict[str, dict[str, Estimate]] = defaultdict(dict)
    lost: dict[str, float] = {}
    for phase, part, moments in [
        *rows(database, SQL["rates_by_phase"]),
        *rows(database, SQL["rates_of_whole_phases"]),
    ]:
        rates_in[phase][part] = pr(moments)
        lost[phase] = moments["lost"]  # at last that of the whole
    total = sum(lost.values())
    return tuple(
        Phase(name, rates_in[name], lost[name], lost[name] / total if total else None)
        for name in PHASES
        if name in rates_in
    )


def phases_by_person(
    database: duckdb.DuckDBPyConnection,
) -> tuple[tuple[str, Analysis, dict[str, Estimate]], ...]:
    """PR by phase of the players with most decisions, from `shown` and what `errors_by_phase`
    made."""
    rates_of: dict[tuple[str, Analysis], dict[str, Estimate]] = defaultdict(dict)
    for name, tool, depth, phase, moments in rows(
        database, SQL["rates_by_person_and_phase"], PHASES_SHOWN
    ):
        rates_of[name, Analysis(tool, depth)][phase] = pr(moments)
    return tuple((*whose, rates) for whose, rates in rates_of.items())


def cube_by_score(database: duckdb.DuckDBPyConnection) -> tuple[Score, ...]:
    """PR of cube decisions at every score of a match."""
    scores = rows(database, SQL["cube_by_score"], LONGEST_AWAY, LONGEST_AWAY)
    return tuple(Score(away, other, pr(moments)) for away, other, moments in scores)
