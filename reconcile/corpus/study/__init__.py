"""What an archive says: players, the gap between tools, disputes, rules, phases, luck and time; a module for each, asking DuckDB.

Rates are sums over sums, and every one has its 95 % interval where matches are enough. A match counts once, whatever the number of files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reconcile.corpus.assembly import Corpus
from reconcile.corpus.database import opened
from reconcile.corpus.study.disputes import Dispute, most_disputed
from reconcile.corpus.study.gaps import BetweenTools, Gaps, Outlier, between_rules, between_tools
from reconcile.corpus.study.luck import Luck, luck_and_result
from reconcile.corpus.study.periods import Periods, over_time
from reconcile.corpus.study.persons import prepare, rows
from reconcile.corpus.study.phases import Phase, Score, cube_by_score, errors_by_phase, phases_by_person
from reconcile.corpus.study.players import Person, people
from reconcile.corpus.study.rules import Effect, effects
from reconcile.corpus.study.spread import Estimate
from reconcile.files.aliases import Aliases

if TYPE_CHECKING:
    import duckdb

ERRORS_SHOWN: Final = 25


@dataclass(frozen=True, slots=True)
class Study:
    """Everything the report shows."""

    corpus: Corpus
    played: int
    """Matches, each once whatever the number of files."""
    files: int
    """Files that hold a match."""
    decisions: int
    """In these matches, each once."""
    sources: tuple[tuple[str, int, int], ...]
    """Tool, number of matches, and how many of them have no analysis."""
    people: tuple[Person, ...]
    persons: int
    rules_gap: Gaps
    rules_outliers: tuple[Outlier, ...]
    tools: tuple[BetweenTools, ...]
    """Only pairs of tools with a transcript in common."""
    disputes: tuple[Dispute, ...]
    effects: tuple[Effect, ...]
    phases: tuple[Phase, ...]
    by_person: tuple[tuple[str, dict[str, Estimate]], ...]
    """PR by phase of the players with most decisions."""
    cube_by_score: tuple[Score, ...]
    luck: Luck
    periods: Periods
    errors: tuple[tuple[str, int, str], ...]
    """What was wrong, how often, and the first file."""


def study(corpus: Corpus, aliases: Aliases) -> Study:
    """Query the tables. Raises `MissingPackage`, and `InvalidConfiguration` for tables that are not a corpus's."""
    with opened(corpus) as database:
        return _study(corpus, database, aliases)


def _study(corpus: Corpus, database: duckdb.DuckDBPyConnection, aliases: Aliases) -> Study:
    first, second = corpus.compared_rules
    spellings = prepare(database, aliases, first)
    shown, persons = people(database, corpus.rules, spellings)
    rules_gap, rules_outliers = between_rules(database, first, second)
    tools = between_tools(database, corpus.rules)
    ((played,),) = rows(database, "select count(distinct same_as) from matches")
    ((files,),) = rows(database, "select count(*) from files where matches > 0")
    ((decisions,),) = rows(
        database,
        """select count(*) from decisions semi join (
            select coalesce(any_value(o.match), min(m.match)) as match from matches m left join once o on o.match = m.match
            where duplicate_of is null group by m.same_as) using (match)""",
    )
    sources = rows(
        database,
        """select tool, count(*), count(*) filter (where analysed = 0) from matches
        where duplicate_of is null group by tool order by count(*) desc, tool""",
    )
    errors = rows(
        database,
        """select any_value(what order by file), count(*), min(file) from
        (select file, error as what, regexp_replace(error, '[0-9]+', '#', 'g') as kind from files where error is not null)
        group by kind order by count(*) desc, kind limit ?""",
        ERRORS_SHOWN,
    )
    return Study(
        corpus=corpus,
        played=played,
        files=files,
        decisions=decisions,
        sources=tuple(sources),
        people=shown,
        persons=persons,
        rules_gap=rules_gap,
        rules_outliers=rules_outliers,
        tools=tools,
        disputes=most_disputed(database, corpus.rules),
        effects=effects(database),
        phases=errors_by_phase(database),
        by_person=phases_by_person(database),
        cube_by_score=cube_by_score(database),
        luck=luck_and_result(database, first),
        periods=over_time(database, first),
        errors=tuple(errors),
    )
