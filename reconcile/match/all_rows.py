"""Columns over all decisions of a match: rows are those of `Match.plays`, then of `Match.cubes`,
then of `Match.resignations`."""

from __future__ import annotations

from typing import Any

import numpy as np

from reconcile.match.columns import Bools, Ints, Kind
from reconcile.match.match import Match


def over_all(match: Match, name: str) -> Any:
    """A column that all three tables have: `game`, `player` or `cube`."""
    return np.concatenate(
        [getattr(table, name) for table in (match.plays, match.cubes, match.resignations)]
    )


def kinds(match: Match) -> Ints:
    """`Kind` of each."""
    return np.concatenate(
        (np.full(len(match.plays), Kind.PLAY.value), match.cubes.kind, match.resignations.kind)
    )


def evaluated(match: Match) -> Bools:
    """Whether the tool evaluated it."""
    stored = match.resignations.stored_error
    return np.concatenate((match.plays.analysed, match.cubes.analysed, stored == stored))
