"""One decision too few or too many: the figures without each decision of a player, or with it
twice, all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from reconcile.infer.in_part import totals_in_part
from reconcile.infer.reported import COUNTS, Reported, margin
from reconcile.match.columns import Bools, Floats, Ints, Kind
from reconcile.scoring.metrics import figures_of
from reconcile.scoring.statistics import Statistics
from reconcile.scoring.sums import DecisionClass

TWO_WAYS: Final = 2
"""In which it may be one: too few, or too many."""
NO_EVIDENCE: Final = 0.6
"""How likely a count is one off by chance, where nothing else shows which decision it is."""


def place_of(statistics: Statistics, row: int) -> str:
    """A decision by its row in the match (plays, then cubes, then resignations), in words."""
    scored = statistics.scored
    xgid, _ = scored.facts.identifiers(row)
    game, turn = int(scored.match.games.number[scored.game[row]]), int(scored.match.turns[row])
    error = f"{Kind(int(scored.kind[row])).label}, error {float(scored.error[row]):.3f}"
    return f"game {game}, turn {turn} ({error}{f', {xgid}' if xgid else ''})"


def with_each(
    statistics: Statistics,
    seat: int,
    game: int | None,
    wanted: Sequence[Reported],
    times: int,
) -> tuple[Ints, Floats, Bools]:
    """A player's decisions, of the match or a game (its index), that count; the figures with each
    of them `times` more often, shape (decisions, figures), NaN where unknown; and which decisions
    give every figure that is wanted."""
    scored, totals = statistics.scored, totals_in_part(statistics, game)
    chosen = scored.counted & (scored.player == seat)
    if game is not None:
        chosen &= scored.game == game
    rows = np.flatnonzero(chosen)
    classes = [times * (scored.decision_class[rows] == code) for code in DecisionClass]
    columns = {"counted": np.ones(len(scored.error)), "error": scored.error, "loss": scored.loss}
    sums = {
        name: [
            total[seat] + more * column[rows]
            for total, more in zip(totals.sums[name], classes, strict=True)
        ]
        for name, column in columns.items()
    }
    shown = {part: bool(np.broadcast_to(seats, 2)[seat]) for part, seats in totals.shown.items()}
    names = [figure.metric for figure in wanted]
    own = replace(totals, sums=sums, shown=shown, moves=totals.moves[seat])
    figures = figures_of(own, names)
    values = np.stack([np.broadcast_to(figures[name], len(rows)) for name in names], axis=-1)
    off = np.abs(values - [figure.value for figure in wanted])
    fits: Bools = np.all(off <= [margin(figure) for figure in wanted], axis=-1)
    return rows, values, fits


def chance(wanted: Sequence[Reported], plain: Floats, values: Floats) -> float:
    """How likely any of these decisions accounts for figures by chance: how much of the way from
    our figure to as far beyond the given one they cover, of the figure that proves most.

    `plain` are our figures, shape (figures), `values` those with each decision, shape (rows,
    figures).
    """
    least = NO_EVIDENCE
    for column, figure in enumerate(wanted):
        away = figure.value - plain[column]
        if figure.metric in COUNTS or abs(away) <= margin(figure):
            continue
        width = 2 * margin(figure)
        way = (values[:, column] - plain[column]) / away
        near = values[:, column][(way > 0) & (way < 2)]
        covered = len(np.unique(np.round(near / width))) * width
        least = min(least, covered / (2 * abs(away)))
    return float(least)
