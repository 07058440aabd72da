"""Hand-made matches with levels of analysis, as a comparison needs them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reconcile.columns import Cubes, Plays
from reconcile.match import Level, Match
from tests.support.hand_made import match_of

LEVELS = (Level("3-ply", 2), Level("XG Roller", None))


def with_levels(made: Plays | None = None, cube: Cubes | None = None, *resigned: float, **rest: Any) -> Match:
    """A hand-made match whose decisions are at one of two levels, the first unless their column says otherwise."""
    return replace(match_of(made, cube, *resigned, **rest), levels=LEVELS)
