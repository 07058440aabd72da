"""The match equity table of the tool that analysed a match, as far as its file shows it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from reconcile.match.match import Match
from reconcile.match.met.table import Met
from reconcile.match.tools import short_name

EVEN = 0.5
"""The chance of either player at an even score: the same for both, and together they are 1."""


def own_table(match: Match) -> Met | None:
    """The table that the file shows, with NaN at every score that it does not; `None` if it shows
    none."""
    if match.known_chances is None or match.length is None:
        return None
    return _table(
        short_name(match.source.tool), match.length, tuple(sorted(match.known_chances.items()))
    )


@lru_cache(maxsize=64)
def _table(tool: str, length: int, chances: tuple[tuple[tuple[int, int, bool], float], ...]) -> Met:
    listed = np.full((length, length), np.nan, np.float32)
    np.fill_diagonal(listed, EVEN)
    post = np.full((2, length), np.nan, np.float32)
    post[:, 0] = EVEN
    for (away, opponent, after_crawford), chance in chances:
        if not after_crawford:
            listed[away - 1, opponent - 1] = chance
        elif opponent == 1:
            post[:, away - 1] = chance
    return Met(
        name=f"{tool}'s own",
        title=f"{tool}'s own table",
        source="fitted to the evaluations of the file; unknown at scores that the games played "
        "could not lead to",
        explicit_length=length,
        listed=listed,
        post=post,
        is_partial=True,
    )
