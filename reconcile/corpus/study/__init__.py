"""What an archive says: players, the gap between tools, disputes, rules, phases, luck and time; a
module for each, asking DuckDB.

Rates are sums over sums, and every one has its 95 % interval where matches are enough. A match
counts once, whatever the number of files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reconcile.corpus.assembly import Corpus
from reconcile.corpus.query import opened
from reconcile.corpus.study.disputes import Dispute, most_disputed
from reconcile.corpus.study.gaps import BetweenTools, Gaps, Outlier, between_rules, between_tools
from reconcile.corpus.study.luck import Luck, luck_and_result
from reconcile.corpus.study.players import (
    Periods,
    Person,
    Phase,
    cube_by_score,
    errors_by_phase,
    over_time,
    people,
    phases_by_person,
)
from reconcile.corpus.study.prepared import SQL, prepare, rows
from reconcile.corpus.study.rules import Effect, OpenPr, effects, open_prs
from reconcile.corpus.tables import under_rules
from reconcile.files.aliases import Aliases
from reconcile.scoring.rates import Analysis, Estimate, Score

if TYPE_CHECKING:
    import duckdb

ERRORS_SHOWN: Final = 25
COLUMNS: Final = "error", "counted"
"""Of a decision, under each rule set."""


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
    sources: tuple[tuple[str, int, int, int], ...]
    """Tool, number of matches, how many of them have no analysis, and how many an incomplete
    one."""
    pooled: tuple[tuple[Analysis, int], ...]
    """What the rates of all players together are made of: tools and depths, with the number of
    matches, most first."""
    rules: tuple[tuple[str, str], ...]
    """Tool and the rule set of its rates: its own, or the first one of the corpus if its own is
    not there."""
    years: tuple[int, int] | None
    """Of these matches, the first and the last; `None` where none is dated."""
    twins: int
    """Near twins of other matches: they are in no rate."""
    people: tuple[Person, ...]
    persons: int
    """In all matches."""
    rated: int
    """Players with a complete analysis of some match."""
    unanalysed: int
    """Matches without any analysis."""
    incomplete: int
    """Matches that have only incomplete analyses: they are in no rate."""
    rules_gap: Gaps
    rules_outliers: tuple[Outlier, ...]
    tools: tuple[BetweenTools, ...]
    """Only pairs of tools with a transcript in common."""
    disputes: tuple[Dispute, ...]
    effects: tuple[Effect, ...]
    open_prs: tuple[OpenPr, ...]
    phases: tuple[Phase, ...]
    by_person: tuple[tuple[str, Analysis, dict[str, Estimate]], ...]
    """PR by phase of the players with most decisions, of one tool and depth each."""
    cube_by_score: tuple[Score, ...]
    luck: Luck
    periods: Periods
    errors: tuple[tuple[str, int, str], ...]
    """What was wrong, how often, and the first file."""


def study(corpus: Corpus, aliases: Aliases) -> Study:
    """Query the tables. Raises `MissingPackage`, and `InvalidConfiguration` for tables that are
    not a corpus's."""
    with opened(corpus) as database:
        return _study(corpus, database, aliases)


def _study(corpus: Corpus, database: duckdb.DuckDBPyConnection, aliases: Aliases) -> Study:
    first, second = corpus.compared_rules
    spellings = prepare(database, aliases, corpus.rules)
    shown, rated = people(database, corpus.rules, spellings)
    rules_gap, rules_outliers = between_rules(database, first, second)
    # One analysis or transcript of every match: the one that is pooled, if there is one.
    database.execute(SQL["held"])
    under = {part: under_rules(f"d.{part}", "h.rules", corpus.rules) for part in COLUMNS}
    database.execute(SQL["decided"].format(**under))
    ((played, files, twins, decisions, persons, unanalysed, incomplete, first_year, last_year),) = (
        rows(database, SQL["counts"])
    )
    return Study(
        corpus=corpus,
        played=played,
        files=files,
        decisions=decisions or 0,
        sources=tuple(rows(database, SQL["sources"])),
        pooled=tuple((Analysis(*row[:2]), row[2]) for row in rows(database, SQL["mixed"])),
        rules=tuple(rows(database, SQL["rules_of_rates"])),
        years=None if first_year is None else (first_year, last_year),
        twins=twins,
        people=shown,
        persons=persons,
        rated=rated,
        unanalysed=unanalysed,
        incomplete=incomplete,
        rules_gap=rules_gap,
        rules_outliers=rules_outliers,
        tools=between_tools(database, corpus.rules),
        disputes=most_disputed(database, corpus.rules),
        effects=effects(database),
        open_prs=open_prs(database),
        phases=errors_by_phase(database),
        by_person=phases_by_person(database),
        cube_by_score=cube_by_score(database),
        luck=luck_and_result(database),
        periods=over_time(database),
        errors=tuple(rows(database, SQL["file_errors"], ERRORS_SHOWN)),
    )
