"""Turns with a dead cube as decisions: the cube could be turned, but its present value already wins
the match.

Programs keep no record of such a turn, because there is nothing to evaluate. A rule set that counts
them (Q16) needs a row for each, in every file of a match alike, so that files can be paired.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reconcile.match.columns import Bools, Cubes, Ints, Kind, Validity
from reconcile.match.match import Match
from reconcile.rules.rulesets import QUESTIONS

FIRST_TURN_WITH_A_CUBE = 2
WIDEST_GAME = 1_000_000
"""More turns than any game has."""


def is_dead(match: Match) -> Bools:
    """Whether the cube is dead for the decider of every row of `Match.cubes`; false in money
    play."""
    cubes = match.cubes
    if match.is_money:
        return np.zeros(len(cubes), bool)
    dead: Bools = cubes.cube >= match.away[cubes.game, cubes.player]
    return dead


def can_matter(code: str, match: Match) -> bool:
    """Whether the match has anything that a question is about; true for a question that is about
    every match."""
    if code == "Q16":  # rules do not know what a dead cube is
        return bool((is_dead(match) & (match.cubes.kind == Kind.NO_DOUBLE)).any())
    return QUESTIONS[code].matters(match)


def play_rows(match: Match) -> Ints:
    """For every row of `Match.cubes` the row of `Match.plays` with the roll of the same turn, -1
    where nothing was rolled."""
    plays, cubes = match.plays, match.cubes
    if not len(plays):
        return np.full(len(cubes), -1)
    rolled, wanted = (table.game * WIDEST_GAME + table.turn for table in (plays, cubes))
    nearest = rolled.searchsorted(wanted).clip(0, len(plays) - 1)
    return np.where(rolled[nearest] == wanted, nearest, -1)


def with_dead_cubes(match: Match) -> Match:
    """The match with a no-double, not analysed and not expected to be, for every turn with a dead
    cube that has no cube action."""
    plays, cubes = match.plays, match.cubes
    if match.is_money or not match.rules.cube:
        return match
    dead = (
        (plays.cube >= match.away[plays.game, plays.player])
        & (plays.owner >= 0)
        & (plays.turn >= FIRST_TURN_WITH_A_CUBE)
    )
    dead &= ~match.games.crawford[plays.game] & (plays.validity != Validity.UNPLAYED.value)
    acted = play_rows(match)[cubes.kind <= Kind.DOUBLE.value]
    dead[acted[acted >= 0]] = False
    rows = np.flatnonzero(dead)
    if not len(rows):
        return match
    fixed = {"kind": Kind.NO_DOUBLE.value, "flag": -1, "level": -1, "half": 0.0}

    def column(name: str) -> Any:
        present = getattr(cubes, name)
        if name in ("game", "turn", "player", "cube", "owner", "position"):
            added = getattr(plays, name)[rows]
        else:
            value = fixed.get(name, np.nan if present.dtype.kind == "f" else 0)
            added = np.full((len(rows), *present.shape[1:]), value, present.dtype)
        return np.concatenate((present, added)) if len(present) else added

    order = np.lexsort((column("turn"), column("game"), column("kind") >= Kind.TAKE.value))
    columns = {
        name: (lambda name=name: column(name)[order]) for name in (*Cubes.names(), "chances")
    }
    return replace(match, cubes=Cubes(len(order), columns))
