"""What an explanation turns on: how far counting moves a figure, which figure tells rules apart,
and which decisions they part on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from reconcile.document import Row, with_keys
from reconcile.document import rows_of as in_rows
from reconcile.gap.rows import PLACE
from reconcile.infer.reported import ROUNDING, Reported
from reconcile.match.columns import Bools, Floats
from reconcile.match.facts import Facts
from reconcile.scoring.decisions import decisions_of
from reconcile.scoring.score import Scored


class Reach(NamedTuple):
    """The values of one figure over all combinations of answers; `None` where no combination has
    such a figure."""

    metric: str
    low: float | None
    high: float | None
    nearest: float | None
    """The value that is closest to the reported figure."""


def reach(figures: Mapping[str, Floats], wanted: Iterable[Reported]) -> tuple[Reach, ...]:
    """How far counting moves each reported figure; `figures` are those of all combinations by
    metric."""
    reached = []
    for figure in wanted:
        values = figures[figure.metric][np.isfinite(figures[figure.metric])]
        ends: list[float | None] = [None] * 3
        if len(values):
            nearest = values[np.argmin(np.abs(values - figure.value))]
            ends = [float(values.min()), float(values.max()), float(nearest)]
        reached.append(Reach(figure.metric, *ends))
    return tuple(reached)


SMALLEST_LOSS: Final = 1e-12
"""Smallest change of match winning chance; anything less is float noise."""


if TYPE_CHECKING:
    TurningDecision: TypeAlias = Row
else:
    TurningDecision = with_keys(
        "Decision",
        {
            **PLACE,
            "questions": (
                tuple[str, ...],
                "Codes of the questions whose answers, each alone, count or rate it otherwise; "
                "where none does, of all that are answered otherwise.",
            ),
            "counted_from": (bool, "Whether it counts under the rules of the file's own tool."),
            "counted_to": (bool, "Whether it counts by the explanation."),
            "error_from": (float, "Equity lost (EMG) under the rules of the file's own tool."),
            "error_to": (float, "Equity lost (EMG) by the explanation."),
            "mwc_from": (
                float | None,
                "Match winning chance lost (percent) under the rules of the file's own tool; null "
                "in money play.",
            ),
            "mwc_to": (float | None, "The same by the explanation."),
            "xgid": (
                str,
                "The position for eXtreme Gammon; empty if no ID describes it (a resignation).",
            ),
            "gnubg_id": (str, "The position for GNU Backgammon; empty if no ID describes it."),
        },
        "A decision on which an explanation turns.",
    )


def differing(before: Scored, after: Scored) -> Bools:
    """Which rows count or cost otherwise."""
    differs = np.zeros(len(before.facts), bool)
    for name, most in (("counted", 0.0), ("error", ROUNDING), ("loss", SMALLEST_LOSS)):
        first, second = columns_of(name, before, after)
        differs |= np.abs(first - second) > most
    return differs


def columns_of(name: str, *scored: Scored) -> list[Floats]:
    """A column under several rules, with zeros in the rows of resignations where rules leave these
    out."""
    return [each.facts.filled(getattr(each, name), 0).astype(float) for each in scored]


def rows_of(facts: Facts, seat: int, game: int | None) -> Bools:
    """Which rows are a player's, of the match or one game (index from 0)."""
    own: Bools = facts.seat == seat
    return own if game is None else own & (facts.in_game == game)


def turning(
    before: Scored,
    after: Scored,
    seat: int,
    game: int | None,
    alone: Mapping[str, Scored] = MappingProxyType({}),
) -> tuple[Row, ...]:
    """A player's decisions whose count, error or cost differs, of the match or one game (index from
    0); what moves PR most comes first. `alone` is the match with each other answer by itself, by
    question."""
    table, mine = decisions_of(before), rows_of(before.facts, seat, game)
    counted, error, loss = (
        columns_of(name, before, after) for name in ("counted", "error", "loss")
    )
    weight = _shares(counted, error, mine)
    rows = np.flatnonzero(mine & differing(before, after))
    rows = rows[np.argsort(-np.abs(weight[rows]).round(12), kind="stable")]
    touched = {code: differing(before, scored)[rows] for code, scored in alone.items()}
    questions = [
        tuple(compress(touched, each)) or tuple(touched)
        for each in zip(*touched.values(), strict=True)
    ]
    lost = [[None] * len(rows) if before.match.is_money else 100 * column[rows] for column in loss]
    return in_rows(
        {
            **{name: table[name][rows] for name in PLACE},
            "questions": questions or [()] * len(rows),
            "counted_from": counted[0][rows] > 0,
            "counted_to": counted[1][rows] > 0,
            "error_from": error[0][rows],
            "error_to": error[1][rows],
            "mwc_from": lost[0],
            "mwc_to": lost[1],
            **{name: table[name][rows] for name in ("xgid", "gnubg_id")},
        }
    )


def _shares(counted: Sequence[Floats], error: Sequence[Floats], mine: Bools) -> Floats:
    """Each decision's exact share of the change of a player's rate, from before to after."""
    numbers = [max(column[mine].sum(), 1) for column in counted]
    lost = sum(column[mine].sum() for column in error)
    shares: Floats = (error[1] - error[0]) * (1 / numbers[0] + 1 / numbers[1]) / 2
    shares -= (counted[1] - counted[0]) * lost / (2 * numbers[0] * numbers[1])
    return shares
