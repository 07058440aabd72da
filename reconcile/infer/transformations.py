"""What may have been done to figures of a program, all or some of them alike, in all its matches:
a dozen plain transformations, each refuted by a single figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from reconcile.match.columns import Floats, Ints
from reconcile.scoring.figures import totals_of
from reconcile.scoring.metrics import METRICS, figures_of
from reconcile.scoring.statistics import Statistics

VERSIONS: Final = 5
MATCH, BOTH, MEAN, NOT_FIRST, NOT_LAST = range(VERSIONS)
"""Figures of a match; of both players together; the mean of those of the games; those without the
first and without the last game."""
PER_DECISION: Final = ("pr", "checker_pr", "cube_pr", "error_rate_memg")
RATES: Final = {name: figure.factor for name, figure in METRICS.items() if figure.factor > 1}
"""The rates, and the number of decisions or moves that they are per."""


@dataclass(frozen=True, slots=True)
class Transformation:
    """One thing that may have been done to figures."""

    code: str
    """Its name; several may share it."""
    words: str
    """What was done, as the end of a sentence: they are `of the other player`."""
    concerns: Callable[[str], bool] = lambda name: True
    """Whether a figure of this name can be one of those that it changes."""
    factor: float = 1.0
    version: int = MATCH
    exchanges: bool = False
    """Whether each player has the other's figures."""
    of_match: Callable[[Ints], Ints] = lambda match: match
    """The match whose figures are given for each match."""


def versions(ours: Statistics) -> Floats:
    """The figures of a match as transformations need them, shape (versions, seats, figures), in the
    order of `METRICS`; NaN where unknown."""
    sums, games = ours.sums, range(len(ours.match.games))
    played = shown(ours, None)
    each = np.array([shown(ours, game) for game in games])
    finite = np.isfinite(each)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(finite, each, 0).sum(axis=0) / finite.sum(axis=0)
    both = np.stack([played.sum(axis=0)] * 2)
    rates = _figures(ours, {name: np.stack([s.sum(axis=0)] * 2) for name, s in sums.match.items()})
    columns = [list(METRICS).index(name) for name in PER_DECISION]
    both[:, columns] = np.where(np.isnan(both[:, columns]), np.nan, rates[:, columns])
    less = [
        _figures(ours, {name: table - sums.games[name][game] for name, table in sums.match.items()})
        for game in (0, -1)
    ]
    return np.array([played, both, mean, *less])


def shown(ours: Statistics, game: int | None) -> Floats:
    """The figures of both players, of the match or a game."""
    both = [ours.figures_at(seat, game) for seat in (0, 1)]
    return np.array([[figures[name] for name in METRICS] for figures in both], float)


def _figures(ours: Statistics, sums: dict[str, Floats]) -> Floats:
    """The figures of both players by sums of them."""
    match = ours.match
    totals = totals_of(sums, ours.rules, is_money=match.is_money, one_point=match.length == 1)
    figures = figures_of(totals)
    return np.array([np.broadcast_to(figures[name], 2) for name in METRICS], float).T


TRANSFORMATIONS: Final = (
    Transformation("players-exchanged", "of the other player", exchanges=True),
    Transformation(
        "per-1000", "per 1000, and should be per 500", lambda name: RATES.get(name) == 500, 2
    ),
    Transformation(
        "per-500", "per 500, and should be per 1000", lambda name: RATES.get(name) == 1000, 0.5
    ),
    Transformation(
        "as-fractions",
        "given as a fraction, and should be a percentage",
        lambda name: METRICS[name].in_mwc,
        0.01,
    ),
    Transformation(
        "percent-of-percent",
        "given as a percentage of a percentage, 100 times too large",
        lambda name: METRICS[name].in_mwc,
        100,
    ),
    Transformation("sign", "given with the other sign", lambda name: METRICS[name].is_signed, -1),
    Transformation("twice", "given twice as large as is right", lambda name: name not in RATES, 2),
    Transformation("half", "given half as large as is right", lambda name: name not in RATES, 0.5),
    Transformation(
        "match-before", "of the match before", of_match=lambda match: np.maximum(match - 1, 0)
    ),
    Transformation("mean-of-games", "the mean of those of the games", version=MEAN),
    Transformation("both-players", "of both players together", version=BOTH),
    Transformation("game-missing", "without the last game", version=NOT_LAST),
    Transformation("game-missing", "without the first game", version=NOT_FIRST),
)
"""Those that are the same in all matches, the likeliest first."""
OTHER_MATCH: Final = "another-match"
CODES: Final = (*dict.fromkeys(way.code for way in TRANSFORMATIONS), OTHER_MATCH)


def of_other_matches(matches: int) -> Iterator[Transformation]:
    """That all figures are those of one match of the pack, by its index."""
    for index in range(matches if matches > 1 else 0):
        of_one = partial(np.full_like, fill_value=index)
        yield Transformation(OTHER_MATCH, "of one match, for all matches", of_match=of_one)
