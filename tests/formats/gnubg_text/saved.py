"""In what a text export differs from the `.sgf` of the same analysis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reconcile.match.columns import Columns
from reconcile.match.match import Match

DIGIT = 0.0005
COMPARED = (
    ("games", "number score crawford winner points resigned automatic_doubles", 0.0),
    ("plays", "game turn player dice cube owner validity analysed moved position", 0.0),
    ("plays", "best luck", DIGIT + 1e-6),
    ("plays", "played", 2 * DIGIT + 1e-6),
    ("cubes", "game turn player kind cube owner access recount_access answers_beaver", 0.0),
    ("cubes", "expected analysed position", 0.0),
)
"""Tables, columns of them, and how far they may be apart."""


def differing(left: Columns, right: Columns, names: list[str], within: float) -> Iterator[str]:
    """Columns in which two tables differ."""
    for name in names:
        here, there = (
            np.asarray(getattr(left, name), float),
            np.asarray(getattr(right, name), float),
        )
        if here.shape != there.shape or not np.allclose(
            here, there, rtol=0, atol=within, equal_nan=True
        ):
            yield name


def unlike(text: Match, saved: Match) -> list[str]:
    """In what the text of an analysis differs from its `.sgf`, beyond the digits that are
    printed."""
    result = [
        f"{table}.{name}"
        for table, names, within in COMPARED
        for name in differing(getattr(text, table), getattr(saved, table), names.split(), within)
    ]
    error = [np.nan_to_num(match.plays.best - match.plays.played) for match in (text, saved)]
    assert np.all(np.abs(error[0] - error[1]) <= text.plays.half + 1e-6)
    return result
