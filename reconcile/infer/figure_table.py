"""Every figure of a match as an array: of each player and of both together, for the match and every game, or for many sums at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.infer.reported import EXPLORED
from reconcile.match.columns import Floats
from reconcile.scoring.figures import cap_of, scale_of
from reconcile.scoring.metric import Form
from reconcile.scoring.metrics import METRICS, figures_of
from reconcile.scoring.statistics import Statistics, of_decisions
from reconcile.scoring.sums import Sums, Totals, by_class

BOTH: Final = 2
"""Index of both players together; 0 and 1 are the seats."""
MATCH: Final = 0
"""Index of the whole match; a game with index n (from 0) is at 1 + n."""
COLUMN: Final = {name: index for index, name in enumerate(EXPLORED)}
COUNTS: Final = tuple(name for name in EXPLORED if METRICS[name].form is Form.COUNT)


def figure_table(
    ours: Statistics,
    like: Statistics | None = None,
    *,
    games: bool = True,
    both: bool = True,
    names: Collection[str] = EXPLORED,
) -> Floats:
    """The figures in the order of `EXPLORED`, shape (3, 1 + games, figures); NaN where a figure is unknown.

    Of both players together counts and sums are added, a rate is that of the sums; a Snowie rate divides by the moves of both, so it is
    added. `like` are statistics of the same match whose moves and coverage, which no rule changes, are known already.
    Without `games` there is only the row of the match, without `both` there are only the two players. Figures that are not among the
    `names` are NaN.
    """
    like = like or ours
    coverage = {
        part: [_with_match(table, games) for table in like.coverage[part]]
        for part in ("checker", "cube")
    }
    added = Sums(len(ours.match.games), of_decisions(ours.scored))  # no other sums are needed
    sums = [_with_match(added.games[name], games) for name in ("counted", "error", "loss")]
    moves = _with_match(like.moves[0], games).sum(axis=1, keepdims=True)
    seen = {part: analysed > 0 for part, (_, analysed) in coverage.items()}
    bare = {part: expected == 0 for part, (expected, _) in coverage.items()}
    one = explored(sums, moves, seen, bare, ours, names)
    if not both:
        return np.moveaxis(one, 1, 0)
    known = {part: np.asarray(table.any(axis=1)) for part, table in seen.items()}
    none = {part: np.asarray(table.all(axis=1)) for part, table in bare.items()}
    together = explored(
        [table.sum(axis=1) for table in sums], moves[:, 0], known, none, ours, names
    )
    for name in names:
        column = COLUMN[name]
        if (
            METRICS[name].per_move or METRICS[name].form is not Form.RATE
        ):  # a sum with an unknown part is unknown
            together[:, column] = one[:, :, column].sum(axis=1)
    return np.concatenate((np.moveaxis(one, 1, 0), together[np.newaxis]))


def _with_match(table: npt.NDArray[Any], games: bool) -> npt.NDArray[Any]:
    """Sums over the match, and after them those by game if they are wanted."""
    match: npt.NDArray[Any] = table.sum(axis=0, keepdims=True)
    return np.concatenate((match, table)) if games else match


def explored(
    sums: Sequence[npt.NDArray[Any]],
    moves: npt.NDArray[Any],
    seen: dict[str, npt.NDArray[np.bool_]],
    bare: dict[str, npt.NDArray[np.bool_]],
    ours: Statistics,
    names: Collection[str] = EXPLORED,
) -> Floats:
    """Figures in the order of `EXPLORED`, shape (..., figures), from sums over the four classes of decisions.

    `sums` are how many count, the equity and the winning chance lost, each of shape (..., 4). `moves` are those of both players; `seen`
    says by part (`checker`, `cube`) whether any of it was analysed, `bare` whether there is none. The rules and the match are those of
    `ours`.
    """
    known = {part: seen[part] | bare[part] for part in seen} | {
        "decisions": seen["checker"] | seen["cube"]
    }
    scale, cap = scale_of(ours.rules, ours.match.length == 1), cap_of(ours.rules)
    columns = dict(zip(("counted", "error", "loss"), map(by_class, sums), strict=True))
    of = Totals(columns, known, moves, scale=scale, cap=cap, in_match=not ours.match.is_money)
    table = np.full((*of.decisions.shape, len(EXPLORED)), np.nan)
    for name, values in figures_of(of, names).items():
        table[..., COLUMN[name]] = values
    return table
