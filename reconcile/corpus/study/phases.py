"""Where the errors are made: by phase of the game, and at the cube by score."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reconcile.corpus.study.persons import rows
from reconcile.corpus.study.spread import Estimate, pr

if TYPE_CHECKING:
    import duckdb

PHASES: Final = ("opening", "contact", "race", "bear-off")
PERSONS_SHOWN: Final = 20
LONGEST_AWAY: Final = 15
"""Scores further away are left out of the picture."""


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


@dataclass(frozen=True, slots=True)
class Score:
    """Cube decisions at one score, seen by who decides."""

    away: int
    opponent_away: int
    rate: Estimate


def errors_by_phase(database: duckdb.DuckDBPyConnection) -> tuple[Phase, ...]:
    """Every phase with decisions, from the matches as they are pooled."""
    database.execute(
        """create temp table by_phase as
        select match, seat, phase, kind = 'play' as checker, sum(error) as lost, count(*) as number
        from counted where phase is not null group by match, seat, phase, checker"""
    )
    parts = """select phase, if(checker, 'checker', 'cube'), moments(lost, number) from
        (select phase, checker, match, sum(lost) as lost, sum(number) as number from by_phase group by phase, checker, match)
        group by phase, checker"""
    whole = """select phase, 'both', moments(lost, number) from
        (select phase, match, sum(lost) as lost, sum(number) as number from by_phase group by phase, match) group by phase"""
    found: dict[str, dict[str, Estimate]] = defaultdict(dict)
    lost: dict[str, float] = {}
    for phase, part, moments in [*rows(database, parts), *rows(database, whole)]:
        found[phase][part] = pr(moments)
        lost[phase] = moments["lost"]  # at last that of the whole
    total = sum(lost.values())
    return tuple(Phase(name, found[name], lost[name], lost[name] / total if total else None) for name in PHASES if name in found)


def phases_by_person(database: duckdb.DuckDBPyConnection) -> tuple[tuple[str, dict[str, Estimate]], ...]:
    """PR by phase of the players with most decisions, from `shown` and what `errors_by_phase` made."""
    names = [name for (name,) in rows(database, "select person from shown order by rank limit ?", PERSONS_SHOWN)]
    found: dict[str, dict[str, Estimate]] = {name: {} for name in names}
    for name, phase, moments in rows(
        database,
        """select person, phase, moments(lost, number) from (
            select person, phase, b.match, sum(lost) as lost, sum(number) as number
            from by_phase b join matches m on m.match = b.match join persons p on p.name = if(seat = 0, player0, player1)
            where list_contains(?, person) group by person, phase, b.match)
        group by person, phase""",
        names,
    ):
        found[name][phase] = pr(moments)
    return tuple((name, rates) for name, rates in found.items() if rates)


def cube_by_score(database: duckdb.DuckDBPyConnection) -> tuple[Score, ...]:
    """PR of cube decisions at every score of a match."""
    found = rows(
        database,
        """select away, opponent_away, moments(lost, number) from (
            select match, away, opponent_away, sum(error) as lost, count(*) as number
            from counted where class_of(kind) > 0 and away <= ? and opponent_away <= ? group by match, away, opponent_away)
        group by away, opponent_away order by away, opponent_away""",
        LONGEST_AWAY,
        LONGEST_AWAY,
    )
    return tuple(Score(away, other, pr(moments)) for away, other, moments in found)
