"""Figures of an analysis that is not complete: those that depend on rules, however few of their
decisions are analysed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from reconcile.infer.reported import EXPLORED
from reconcile.scoring.figures import Figures, figures_of, totals_of
from reconcile.scoring.statistics import Statistics
from reconcile.scoring.sums import EXPECTED, Totals

PARTS: Final = ("checker", "cube")


def figures_in_part(ours: Statistics, seat: int, row: int | None = None) -> Figures:
    """The figures of a player, for the match or a row of `Match.games`; those that depend on rules
    however few of their decisions are analysed, and `None` where none is."""
    figures, covered = ours.figures_at(seat, row), ours.completeness_at(seat, row)
    if all(covered[part].complete for part in PARTS):
        return figures
    in_part = figures_of(totals_in_part(ours, row), EXPLORED)
    numbers = {name: float(values[seat]) for name, values in in_part.items()}
    return figures | {
        name: None if np.isnan(number) else number for name, number in numbers.items()
    }


def totals_in_part(ours: Statistics, row: int | None) -> Totals:
    """What such figures of both players are made of: a part of an analysis is shown where any of it
    was analysed, or there is nothing to be."""
    sums, match = ours.sums.of(row), ours.match
    totals = totals_of(sums, ours.rules, is_money=match.is_money, one_point=match.length == 1)
    analysed = {part: sums[f"{part} analysed"] > 0 for part in PARTS}
    shown = {part: analysed[part] | (sums[EXPECTED[part]] == 0) for part in PARTS}
    shown["decisions"] = analysed["checker"] | analysed["cube"]
    return replace(totals, shown={**totals.shown, **shown})
