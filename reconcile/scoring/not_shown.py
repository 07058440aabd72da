"""What a file does not show of the decisions that count: digits that a text export does not print,
and whether a dead cube counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from reconcile.match.columns import Bools, Kind
from reconcile.match.match import Match
from reconcile.rules.q16_dead_cube import shows_what_counts
from reconcile.rules.rulesets import Q16
from reconcile.scoring.dead_cubes import is_dead
from reconcile.scoring.score import Scored, score
from reconcile.scoring.statistics import Statistics

LEADER = 1
"""Points away."""
OWNED = 1
"""Owner of a cube in the decider's view."""


def is_printed(match: Match) -> bool:
    """Whether the equities of a file are printed ones."""
    return bool(match.plays.half.any() or match.cubes.half.any())


def undecided(scored: Scored) -> Bools:
    """Whether a row counts or not, as far as the printed digits show it."""
    if not is_printed(scored.match):
        return np.zeros(len(scored.counted), bool)
    ends = [score(_moved(scored.match, sign), scored.rules, scored.met).counted for sign in (-1, 1)]
    differs: Bools = (ends[0] != scored.counted) | (ends[1] != scored.counted)
    return differs


def _moved(match: Match, sign: int) -> Match:
    """The match with every distance that decides what counts at one end of what the digits
    allow."""
    plays, cubes = match.plays, match.cubes
    answers = cubes.kind >= Kind.TAKE.value
    step = sign * cubes.half
    spread = np.maximum(plays.spread + sign * plays.half.max(initial=0.0), 0)
    moved: dict[str, Any] = {
        "no_double": np.where(answers, cubes.no_double, cubes.no_double + step),
        "double_take": np.where(answers, cubes.double_take + step, cubes.double_take),
    }
    return replace(
        match,
        plays=plays.replaced(spread=spread, highest=plays.highest),
        cubes=cubes.replaced(**moved),
    )


def dead_cubes(scored: Scored) -> Bools:
    """Which rows count as dead cubes (Q16) of which only BGBlitz's own file shows whether they do.

    BGBlitz evaluates the dead cube of a leader who owns it after the Crawford game, and counts it
    by its values.
    """
    match, cubes = scored.match, scored.match.cubes
    rows = np.zeros(len(scored.counted), bool)
    if not scored.rules.value(Q16) or match.is_money or shows_what_counts(match):
        return rows
    leads = match.away[cubes.game, cubes.player] == LEADER
    owned = is_dead(match) & leads & (cubes.owner == OWNED)
    rows[len(match.plays) : len(match.plays) + len(cubes)] = (
        owned & (cubes.kind == Kind.NO_DOUBLE) & ~cubes.analysed
    )
    return rows & scored.counted


def dead_cubes_of(scored: Scored) -> tuple[int, int]:
    """By seat, the number of dead cubes of which the file does not show whether they count."""
    decider = scored.player[dead_cubes(scored)]
    return int((decider == 0).sum()), int((decider == 1).sum())


def unseen(scored: Scored) -> set[tuple[int, int]]:
    """Game and turn of the dead cubes of which the file does not show whether they count."""
    match = scored.match
    rows = dead_cubes(scored).nonzero()[0] - len(match.plays)
    numbers = match.games.number[match.cubes.game[rows]]
    return set(zip(numbers.tolist(), match.cubes.turn[rows].tolist(), strict=True))


def extremes(scored: Scored) -> tuple[Scored, ...]:
    """The match with the fewest and with the most decisions that its file allows; nothing where
    that is one number only."""
    open_ = undecided(scored) | dead_cubes(scored)
    ends = (scored.counted & ~open_, scored.counted | open_) if open_.any() else ()
    return tuple(replace(scored, counted=counted) for counted in ends)


def ends(every: Sequence[Statistics]) -> Iterator[list[Statistics]]:
    """The matches with the fewest and with the most decisions that their files allow; nothing
    where that is one number only."""
    extreme = [extremes(each.scored) for each in every]
    for side in (0, 1) if any(extreme) else ():
        yield [
            Statistics(end[side]) if end else each for each, end in zip(every, extreme, strict=True)
        ]
