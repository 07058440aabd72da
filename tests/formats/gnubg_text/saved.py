"""In what a text export differs from the `.sgf` of the same analysis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reconcile.match.columns import Columns
from reconcile.match.match import Match

DIGIT = 0.0005


def differing(
    left: Columns, right: Columns, names: tuple[str, ...], within: float = 0.0
) -> Iterator[str]:
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
        *differing(
            text.games,
            saved.games,
            ("number", "score", "crawford", "winner", "points", "resigned", "automatic_doubles"),
        )
    ]
    result += differing(
        text.plays,
        saved.plays,
        (
            "game",
            "turn",
            "player",
            "dice",
            "cube",
            "owner",
            "validity",
            "analysed",
            "moved",
            "position",
        ),
    )
    result += differing(text.plays, saved.plays, ("best", "luck"), DIGIT + 1e-6)
    result += differing(text.plays, saved.plays, ("played",), 2 * DIGIT + 1e-6)
    result += differing(
        text.cubes,
        saved.cubes,
        ("game", "turn", "player", "kind", "cube", "owner", "access", "recount_access"),
    )
    result += differing(
        text.cubes, saved.cubes, ("answers_beaver", "expected", "analysed", "position")
    )
    error = [np.nan_to_num(match.plays.best - match.plays.played) for match in (text, saved)]
    assert np.all(np.abs(error[0] - error[1]) <= text.plays.half + 1e-6)
    return result
