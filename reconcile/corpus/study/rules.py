"""How much each rule matters: every question answered the other way, alone, and what is not
known of the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reconcile.corpus.study.prepared import SQL, rows
from reconcile.scoring.rates import FEWEST_DECISIONS, Estimate, estimate

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
    one_point: bool
    """Whether these are one-point matches, of which a program may scale the rate."""


def effects(database: duckdb.DuckDBPyConnection) -> tuple[Effect, ...]:
    """Every question, the one that changes PR most first, from complete analyses of players with
    enough decisions."""
    database.execute(SQL["usable"], [FEWEST_DECISIONS])
    answers = rows(database, SQL["effects"])
    return tuple(Effect(*(*row[:5], estimate(row[-1], least=0.0), *row[5:-1])) for row in answers)


def open_prs(database: duckdb.DuckDBPyConnection) -> tuple[OpenPr, ...]:
    """The rule sets under which some PR is a range, for the players of `effects`, which is to be
    called before."""
    answers = rows(database, SQL["open_prs"])
    return tuple(OpenPr(*row) for row in answers)
