"""Decisions of which a file does not show whether they count: the figures are known within bounds only."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reconcile.columns import Bools, Kind
from reconcile.rules.q16_dead_cube import shows_what_counts
from reconcile.rules.rulesets import Q16
from reconcile.scoring.dead_cubes import is_dead
from reconcile.scoring.printed_digits import undecided
from reconcile.scoring.score import Scored

LEADER = 1
"""Points away."""
OWNED = 1
"""Owner of a cube in the decider's view."""


def dead_cubes(scored: Scored) -> Bools:
    """Which rows count as dead cubes (Q16) of which only BGBlitz's own file shows whether they do.

    BGBlitz evaluates the dead cube of a leader who owns it after the Crawford game, and counts it by its values.
    """
    match, cubes = scored.match, scored.match.cubes
    rows = np.zeros(len(scored.counted), bool)
    if not scored.rules.value(Q16) or match.is_money or shows_what_counts(match):
        return rows
    leads = match.away[cubes.game, cubes.player] == LEADER
    owned = is_dead(match) & leads & (cubes.owner == OWNED)
    rows[len(match.plays) : len(match.plays) + len(cubes)] = owned & (cubes.kind == Kind.NO_DOUBLE) & ~cubes.analysed
    return rows & scored.counted


def extremes(scored: Scored) -> tuple[Scored, ...]:
    """The match with the fewest and with the most decisions that its file allows; nothing where that is one number only."""
    open_ = undecided(scored) | dead_cubes(scored)
    return (replace(scored, counted=scored.counted & ~open_), replace(scored, counted=scored.counted | open_)) if open_.any() else ()
