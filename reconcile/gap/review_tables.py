"""A review as tables: every figure of every player by every analysis, and every decision by every analysis that has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np

from reconcile.gap.aligned import Aligned
from reconcile.scoring.decision_table import COLUMNS, STAGE, Decisions, DecisionTable


@dataclass(frozen=True, slots=True)
class ReviewedFigure:
    """A figure of a player by one analysis."""

    player: str
    """As the file with most decisions has the name."""
    metric: str
    analysis: int
    """Index of the analysis, in the order given."""
    value: float | int | None
    """`None` where unknown."""
    low: float | None
    high: float | None
    """The range that a question leaves open of which the tool's answer is not known; `None` where none moves the figure."""
    missing: str
    """What the analysis lacks of the player, in words; empty where nothing."""


FIGURE_COLUMNS: Final = {
    one.name: {"str": "object", "int": "int64"}.get(str(one.type), "float64")
    for one in fields(ReviewedFigure)
}
"""Its fields as columns, with the type of each."""


def decision_table(aligned: Aligned, shown_seats: Sequence[int]) -> DecisionTable:
    """A row for every decision and analysis that has it, in the order played."""
    parts: list[Mapping[str, Any]] = []
    for side, (statistics, pairing, rows) in enumerate(
        zip(aligned.sides, aligned.pairings, aligned.rows, strict=True)
    ):
        made = Decisions(statistics.scored)
        columns = made.columns()
        seats = np.argsort(np.array(pairing.seats))[columns["seat"]]
        item = np.full(made.size, -1)
        known = np.flatnonzero((rows >= 0) & (rows < made.size))
        item[rows[known]] = known
        there = item >= 0
        same = {name: getattr(aligned.items, name)[item[there]] for name in ("game", "turn")}
        for name, column in same.items():
            columns[name][there] = column
        names = np.array(aligned.match.names, object)[seats]
        order = np.where(there, item, len(rows) + np.arange(made.size))
        whole = {"analysis": np.full(made.size, side), **columns, "seat": seats, "player": names}
        parts.append({**whole, "item": order, "stage": STAGE[statistics.scored.kind]})
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    shown = np.isin(joined["seat"], shown_seats)
    order = np.lexsort(
        tuple(joined[name] for name in ("analysis", "item", "stage", "turn", "game"))
    )
    order = order[shown[order]]
    return DecisionTable({name: joined[name][order] for name in ("analysis", *COLUMNS)})
