"""Every figure of a match under one rule set as an array: of each player and of both together, for the match and every game."""

from __future__ import annotations

from typing import Final

import numpy as np

from reconcile.columns import Floats
from reconcile.diagnosis.reported import EXPLORED
from reconcile.scoring.metrics import METRICS, Form
from reconcile.scoring.statistics import Statistics

BOTH: Final = 2
"""Index of both players together; 0 and 1 are the seats."""
MATCH: Final = 0
"""Index of the whole match; a game with index n (from 0) is at 1 + n."""
COLUMN: Final = {name: index for index, name in enumerate(EXPLORED)}
_PER_DECISIONS: Final = {
    "pr": ("decisions.counted",),
    "error_rate_memg": ("decisions.counted",),
    "checker_pr": ("decisions.checker",),
    "cube_pr": ("decisions.double", "decisions.take"),
}


def figure_table(ours: Statistics) -> Floats:
    """The figures in the order of `EXPLORED`, shape (3, 1 + games, figures); NaN where a figure is unknown.

    Of both players together counts and sums are added, a rate is that of the sums; a Snowie rate divides by the moves of both, so it is
    added.
    """
    games = [None, *range(len(ours.match.games))]
    table = np.full((3, len(games), len(EXPLORED)), np.nan)
    for seat in (0, 1):
        for row, game in enumerate(games):
            figures = ours.figures(seat, game)
            table[seat, row] = [np.nan if (value := figures[name]) is None else value for name in EXPLORED]
    table[BOTH] = table[:BOTH].sum(axis=0)
    for name, counts in _PER_DECISIONS.items():
        number = table[:BOTH][:, :, [COLUMN[count] for count in counts]].sum(axis=2)
        lost = np.where(number > 0, table[:BOTH, :, COLUMN[name]], 0) * number
        table[BOTH, :, COLUMN[name]] = lost.sum(axis=0) / np.where(number.sum(axis=0) > 0, number.sum(axis=0), np.nan)
    return table


COUNTS: Final = tuple(name for name in EXPLORED if METRICS[name].form is Form.COUNT)
