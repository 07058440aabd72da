"""What an archive shows: pooled players, the gap between tools, and how much each rule matters. DuckDB queries the tables.

Rates are sums over sums. A gap of PR between two rule sets comes from one file scored twice; a gap between two tools comes from
two analyses of one transcript, each under its tool's rules, split into the parts caused by counting and by analysis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.corpus.assembly import Corpus
from reconcile.corpus.database import opened
from reconcile.files.aliases import Aliases
from reconcile.files.names import fold
from reconcile.gap.usual import Analysis
from reconcile.scoring.pool import interval
from reconcile.tools import ANALYSERS, TOOLS, Tool

if TYPE_CHECKING:
    import duckdb

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
PLAYERS_SHOWN: Final = 100
OUTLIERS_SHOWN: Final = 25
ERRORS_SHOWN: Final = 25
FEWEST_DECISIONS: Final = 20
"""Below that a rate jumps whatever the rules, so the player of a match is no outlier."""
COMPARED: Final = tuple(ANALYSERS.values())
"""Every two of these, in this order, are compared on transcripts that both analysed, each under its own rule set."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A pooled PR of one player under one rule set."""

    decisions: int
    pr: float | None
    low: float | None
    """95 % interval from resampling matches; `None` with fewer than five."""
    high: float | None
    snowie_er: float | None


@dataclass(frozen=True, slots=True)
class Person:
    """One player over the archive."""

    name: str
    matches: int
    rates: tuple[Rate, ...]
    """One per rule set."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """A distribution of PR gaps over players of matches."""

    values: npt.NDArray[np.float64]
    """Sorted."""

    @property
    def quantiles(self) -> tuple[float, ...]:
        """5, 25, 50, 75 and 95 %."""
        return tuple(float(value) for value in np.quantile(self.values, QUANTILES)) if len(self.values) else ()

    @property
    def mean_size(self) -> float | None:
        """Mean of the sizes."""
        return float(np.abs(self.values).mean()) if len(self.values) else None


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of one question alone."""

    question: str
    answers: str
    players: int
    """Number of players of matches considered."""
    changed: int
    """How many of them get another PR or number of decisions."""
    mean: float
    """Mean size of the change of PR."""
    high: float
    """95 % quantile of the size."""
    most: float
    decisions: int
    """Decisions that count under only one of the answers, net per player."""
    file: str
    """The file and player where it changes most."""
    player: str


@dataclass(frozen=True, slots=True)
class Outlier:
    """A player of a match whose gap is large."""

    player: str
    files: tuple[str, ...]
    left: float
    right: float
    decisions: int
    counting: float | None = None
    """The part of the gap caused by rules, for a gap between two tools."""

    @property
    def gap(self) -> float:
        """Right minus left."""
        return self.right - self.left


@dataclass(frozen=True, slots=True)
class BetweenTools:
    """Two tools on the transcripts that both analysed."""

    left: Tool
    right: Tool
    gap: Gaps
    counting: Gaps
    """The part of `gap` caused by rules."""
    outliers: tuple[Outlier, ...]


@dataclass(frozen=True, slots=True)
class Study:
    """Everything the report shows."""

    corpus: Corpus
    decisions: int
    sources: tuple[tuple[str, int, int], ...]
    """Tool, number of matches, and how many of them have no analysis."""
    people: tuple[Person, ...]
    persons: int
    rules_gap: Gaps
    rules_outliers: tuple[Outlier, ...]
    tools: tuple[BetweenTools, ...]
    """Only pairs of tools with a transcript in common."""
    effects: tuple[Effect, ...]
    errors: tuple[tuple[str, int, str], ...]
    """What was wrong, how often, and the first file."""


def study(corpus: Corpus, aliases: Aliases) -> Study:
    """Query the tables. Raises `MissingPackage`, and `InvalidConfiguration` for tables that are not a corpus's."""
    with opened(corpus) as database:
        return _study(corpus, database, aliases)


def measured_gaps(corpus: Corpus, left: Analysis, right: Analysis) -> tuple[float, ...]:
    """Sizes of the gaps of PR between two tools at these levels, one for each player of a match. Raises as `study` does."""
    with opened(corpus) as database:
        _persons(database, Aliases(schema_version=1, players={}))
        every = _tools(database, TOOLS[left[0]], TOOLS[right[0]], (left[1], right[1])) if {left[0], right[0]} <= TOOLS.keys() else []
    return tuple(abs(one.gap) for one in every)


def _study(corpus: Corpus, database: duckdb.DuckDBPyConnection, aliases: Aliases) -> Study:
    _persons(database, aliases)
    first, second = corpus.compared_rules
    rules = _rows(
        database,
        """select p.name, m.file, p.pr, q.pr as other, least(p.decisions_counted, q.decisions_counted) as decisions
        from analysed p join players q on p.match = q.match and p.seat = q.seat join matches m on m.match = p.match
        where p.rules = ? and q.rules = ? and p.pr is not null and q.pr is not null order by p.match, p.seat""",
        first,
        second,
    )
    rules_outliers = [Outlier(name, (file,), left, right, number) for name, file, left, right, number in rules]
    people, persons = _people(database, corpus)
    return Study(
        corpus=corpus,
        decisions=_rows(database, "select count(*) from decisions")[0][0],
        sources=tuple(
            _rows(
                database,
                """select tool, count(*), count(*) filter (where analysed = 0) from matches
                where duplicate_of is null group by tool order by count(*) desc, tool""",
            )
        ),
        people=people,
        persons=persons,
        rules_gap=_gaps(rules_outliers),
        rules_outliers=_largest(rules_outliers),
        tools=tuple(_between(database, corpus)),
        effects=_effects(database),
        errors=tuple(
            _rows(
                database,
                """select any_value(what order by file), count(*), min(file) from
                (select file, error as what, regexp_replace(error, '[0-9]+', '#', 'g') as kind from files where error is not null)
                group by kind order by count(*) desc, kind limit ?""",
                ERRORS_SHOWN,
            )
        ),
    )


def _rows(database: duckdb.DuckDBPyConnection, question: str, *values: object) -> list[tuple[Any, ...]]:
    return database.execute(question, list(values)).fetchall()


def _persons(database: duckdb.DuckDBPyConnection, aliases: Aliases) -> None:
    """Create a table of names and the persons they belong to, and a view of the figures with some analysis."""
    names = [name for (name,) in _rows(database, "select distinct name from players order by name")]
    variants = {fold(name): group[0] for group in aliases.groups for name in group}
    chosen: dict[str, str] = {}
    meant = [chosen.setdefault(fold(variants.get(fold(name), name)), variants.get(fold(name), name)) for name in names]
    database.execute("create table persons (name varchar, person varchar)")
    if names:
        database.execute("insert into persons select unnest(?), unnest(?)", [names, meant])
    database.execute(
        """create view analysed as select p.*, n.person from players p join persons n on n.name = p.name
        where checker_analysed + cube_analysed > 0"""
    )
    # A match that two tools analysed was played once: the analysis of the first tool in `TOOLS` is pooled.
    database.execute(
        """create table once as select match from matches where duplicate_of is null and analysed > 0
        qualify row_number() over (
            partition by if(transcript = '', match::varchar, transcript) order by coalesce(list_position(?, tool), 9), match) = 1""",
        [[tool.name for tool in COMPARED]],
    )
    database.execute("create view pooled as select a.* from analysed a join once on once.match = a.match")


def _people(database: duckdb.DuckDBPyConnection, corpus: Corpus) -> tuple[tuple[Person, ...], int]:
    """The players with the most decisions, and the number of players."""
    order = _rows(
        database,
        """select person, count(*) from pooled where rules = ? group by person
        order by sum(decisions_counted) desc, person""",
        corpus.rules[0],
    )
    return tuple(
        Person(name, matches, tuple(_rate(database, name, rules) for rules in corpus.rules)) for name, matches in order[:PLAYERS_SHOWN]
    ), len(order)


def _rate(database: duckdb.DuckDBPyConnection, person: str, rules: str) -> Rate:
    rows = _rows(
        database,
        """select decisions_counted, rated_error, equity_error_total, moves_both from pooled
        where person = ? and rules = ? order by match, seat""",
        person,
        rules,
    )
    counted, rated, error, both = (np.array(column, np.float64) for column in zip(*rows, strict=True))
    between = interval(rated, counted)
    return Rate(
        decisions=int(counted.sum()),
        pr=float(500 * rated.sum() / counted.sum()) if counted.sum() else None,
        low=between[0] if between else None,
        high=between[1] if between else None,
        snowie_er=float(500 * error.sum() / both.sum()) if both.sum() else None,
    )


def _between(database: duckdb.DuckDBPyConnection, corpus: Corpus) -> Iterator[BetweenTools]:
    """Every two tools whose rules were applied and that have a transcript in common."""
    for left, right in combinations(COMPARED, 2):
        found = _tools(database, left, right) if {left.rules, right.rules} <= set(corpus.rules) else []
        if found:
            counting = Gaps(np.sort(np.array([one.counting for one in found], np.float64)))
            yield BetweenTools(left, right, _gaps(found), counting, _largest(found))


def _tools(
    database: duckdb.DuckDBPyConnection, left: Tool, right: Tool, lookahead: tuple[float | None, float | None] | None = None
) -> list[Outlier]:
    """Players of transcripts that both tools analysed, at these levels if any are given.

    A tool may cut names, so a common beginning is enough.
    """
    rows = _rows(
        database,
        """select l.name, lm.file, rm.file, l.pr, r.pr, c.pr, least(l.decisions_counted, r.decisions_counted)
        from matches lm join matches rm on lm.transcript = rm.transcript and lm.transcript <> ''
        join analysed l on l.match = lm.match and l.rules = ?
        join analysed c on c.match = lm.match and c.rules = ? and c.seat = l.seat
        join analysed r on r.match = rm.match and r.rules = ?
            and (r.person = l.person or starts_with(l.name, replace(r.name, '_', ' ')) or starts_with(r.name, l.name))
        where lm.tool = ? and rm.tool = ? and lm.duplicate_of is null and rm.duplicate_of is null
            and l.pr is not null and r.pr is not null and c.pr is not null
            and (? or lm.lookahead is not distinct from ? and rm.lookahead is not distinct from ?)
        order by lm.match, l.seat, r.seat""",
        left.rules,
        right.rules,
        right.rules,
        left.name,
        right.name,
        lookahead is None,
        *(lookahead or (None, None)),
    )
    return [Outlier(name, (one, two), here, there, number, ruled - here) for name, one, two, here, there, ruled, number in rows]


def _gaps(every: list[Outlier]) -> Gaps:
    return Gaps(np.sort(np.array([one.gap for one in every], np.float64)))


def _largest(every: list[Outlier]) -> tuple[Outlier, ...]:
    enough = [one for one in every if one.decisions >= FEWEST_DECISIONS and one.gap]
    return tuple(sorted(enough, key=lambda one: (-abs(one.gap), one.files, one.player))[:OUTLIERS_SHOWN])


def _effects(database: duckdb.DuckDBPyConnection) -> tuple[Effect, ...]:
    """Every question, the one that changes PR most first."""
    rows = _rows(
        database,
        """select question, string_agg(distinct "from" || ' → ' || "to", ', ' order by "from" || ' → ' || "to"),
            count(*), count(*) filter (where abs(coalesce(q.pr, 0)) > 1e-9 or q.decisions <> 0),
            avg(abs(coalesce(q.pr, 0))), quantile_cont(abs(coalesce(q.pr, 0)), 0.95), max(abs(coalesce(q.pr, 0))), sum(abs(q.decisions)),
            arg_max(m.file, (abs(coalesce(q.pr, 0)), -q.match, -q.seat)), arg_max(q.name, (abs(coalesce(q.pr, 0)), -q.match, -q.seat))
        from questions q join matches m on m.match = q.match where m.analysed > 0
        group by question order by 5 desc, question""",
    )
    return tuple(Effect(*row) for row in rows)
