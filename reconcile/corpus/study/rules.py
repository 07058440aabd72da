"""How much each rule matters: every question answered the other way, alone, and what is not known of the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reconcile.corpus.study.prepared import FEWEST_DECISIONS, Estimate, estimate, rows

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of one question alone."""

    question: str
    answers: str
    players: int
    """Number of player-matches considered."""
    changed: int
    """How many of them get another PR or number of decisions."""
    mean: float
    """Mean size of the change of PR."""
    interval: Estimate
    """The same with its interval over matches."""
    high: float
    """95 % quantile of the size; of few players it is no more than the largest."""
    most: float
    decisions: int
    """Decisions that count under only one of the answers, net per player."""
    file: str
    """The file and player where it changes most."""
    player: str


@dataclass(frozen=True, slots=True)
class OpenPr:
    """What the open answers of a rule set leave of the PRs that are pooled."""

    rules: str
    players: int
    """Number of player-matches."""
    changed: int
    """How many of them have a range instead of a number."""
    widest: float
    """The largest of the ranges, highest minus lowest PR."""


def effects(database: duckdb.DuckDBPyConnection) -> tuple[Effect, ...]:
    """Every question, the one that changes PR most first, from complete analyses of players with enough decisions."""
    database.execute(
        """create temp table usable as select match, seat from players semi join whole using (match)
        group by match, seat having min(decisions_counted) >= ?""",
        [FEWEST_DECISIONS],
    )
    found = rows(
        database,
        """with sized as (
            select q.*, abs(coalesce(q.pr, 0)) as size, "from" || ' → ' || "to" as answers from questions q
            semi join usable using (match, seat)
        ), most as (
            select question, arg_max(match, (size, -match, -seat)) as match, arg_max(name, (size, -match, -seat)) as name
            from sized group by question
        )
        select question, string_agg(distinct answers, ', ' order by answers),
            count(*), count(*) filter (where size > 1e-9 or decisions <> 0),
            avg(size) as mean, quantile_cont(size, 0.95), max(size), sum(abs(decisions)), any_value(m.file), any_value(most.name)
        from sized join most using (question) join matches m on m.match = most.match
        group by question order by mean desc, question""",
    )
    means = dict(
        rows(
            database,
            """select question, moments(lost, number) from (
                select question, q.match, sum(abs(coalesce(pr, 0))) as lost, count(*) as number
                from questions q semi join usable using (match, seat) group by question, q.match)
            group by question""",
        )
    )
    return tuple(Effect(*(*row[:5], estimate(means[row[0]], least=0.0), *row[5:])) for row in found)


def open_prs(database: duckdb.DuckDBPyConnection) -> tuple[OpenPr, ...]:
    """The rule sets under which some PR is a range, for the players of `effects`, which is to be called before."""
    found = rows(
        database,
        """select rules, count(*), count(pr_low), max(pr_high - pr_low) from pooled semi join usable using (match, seat)
        group by rules having count(pr_low) > 0 order by rules""",
    )
    return tuple(OpenPr(*row) for row in found)
