"""Where the errors are made: by phase of the game, and at the cube by score."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reconcile.corpus.study.persons import rows
from reconcile.corpus.study.spread import MOMENTS, Estimate, pr

if TYPE_CHECKING:
    import duckdb

PHASES: Final = ("opening", "contact", "race", "bear-off")
PARTS: Final = ("checker", "cube", "both")
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
    share: float
    """Of all equity lost."""


@dataclass(frozen=True, slots=True)
class Score:
    """Cube decisions at one score, seen by who decides."""

    away: int
    opponent_away: int
    rate: Estimate


def phases(database: duckdb.DuckDBPyConnection, rules: str) -> tuple[Phase, ...]:
    """Every phase with decisions, from the matches as they are pooled."""
    column = rules.replace("-", "_")
    database.execute(
        f"""create temp table by_phase as
        select d.match, phase, kind = 'play' as checker, sum(error_{column}) as lost, count(*) as number
        from decisions d semi join once using (match)
        where counted_{column} and analysed and phase is not null group by d.match, phase, checker"""
    )
    found: dict[str, dict[str, Estimate]] = defaultdict(dict)
    lost: dict[str, float] = {}
    parts = f"select phase, checker, {MOMENTS} from (select * from by_phase order by match) group by phase, checker"
    whole = f"""select phase, null, {MOMENTS} from
        (select phase, match, sum(lost) as lost, sum(number) as number from by_phase group by phase, match order by match) group by phase"""
    for phase, checker, *moments in [*rows(database, parts), *rows(database, whole)]:
        part = "both" if checker is None else "checker" if checker else "cube"
        found[phase][part] = pr(*moments)
        if part == "both":
            lost[phase] = moments[1]
    total = sum(lost.values()) or 1.0
    return tuple(Phase(name, found[name], lost[name], lost[name] / total) for name in PHASES if name in found)


def cube_by_score(database: duckdb.DuckDBPyConnection, rules: str) -> tuple[Score, ...]:
    """PR of cube decisions at every score of a match."""
    column = rules.replace("-", "_")
    found = rows(
        database,
        f"""select away, opponent_away, {MOMENTS} from (
            select match, away, opponent_away, sum(error_{column}) as lost, count(*) as number
            from decisions d semi join once using (match)
            where counted_{column} and analysed and kind in ('no-double', 'double', 'take', 'pass', 'beaver')
                and away <= {LONGEST_AWAY} and opponent_away <= {LONGEST_AWAY}
            group by match, away, opponent_away order by match)
        group by away, opponent_away order by away, opponent_away""",
    )
    return tuple(Score(away, other, pr(*moments)) for away, other, *moments in found)
