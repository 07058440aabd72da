"""What an explanation turns on: how far counting moves a figure, which figure tells rules apart,
and which decisions they part on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.document import HIDDEN, Count, Document, Positive
from reconcile.infer.answer_grid import Table
from reconcile.infer.reported import EXPLORED, ROUNDING, Reported
from reconcile.match.columns import Kind, KindName
from reconcile.match.match import Match
from reconcile.scoring.decision_table import identifiers_of
from reconcile.scoring.metric import Form
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import Scored


class Reach(NamedTuple):
    """The values of one figure over all combinations of answers; `None` where no combination has
    such a figure."""

    metric: str
    low: float | None
    high: float | None
    nearest: float | None
    """The value that is closest to the reported figure."""


def reach(figures: Mapping[str, Table], wanted: Iterable[Reported]) -> tuple[Reach, ...]:
    """How far counting moves each reported figure; `figures` are those of all combinations by
    metric."""
    reached = []
    for figure in wanted:
        values = figures[figure.metric][np.isfinite(figures[figure.metric])]
        if len(values):
            nearest = values[np.argmin(np.abs(values - figure.value))]
            reached.append(
                Reach(figure.metric, float(values.min()), float(values.max()), float(nearest))
            )
        else:
            reached.append(Reach(figure.metric, None, None, None))
    return tuple(reached)


def deciding(
    rules: Sequence[tuple[str, Mapping[str, float | None]]],
    reported: Sequence[str],
    not_printed: Sequence[str],
) -> tuple[str, dict[str, list[str]]] | None:
    """The figure that tells most of these rules apart, and the names of the rules for each of its
    values as printed.

    `rules` are names with figures by metric; `reported` are the figures that are known already,
    `not_printed` those that the file's tool does not show. A count is preferred to a sum and a sum
    to a rate, since rounding and other figures blur them. `None` where all other figures agree.
    """
    for form in (Form.COUNT, Form.ERROR, Form.RATE):
        best: dict[str, dict[str, list[str]]] = {}
        for metric in (
            name
            for name in EXPLORED
            if METRICS[name].form is form and name not in (*reported, *not_printed)
        ):
            values: dict[str, list[str]] = {}
            for name, figures in rules:
                values.setdefault(METRICS[metric].shown(figures[metric]), []).append(name)
            best[metric] = values
        most = max(best, key=lambda name: len(best[name]), default=None)
        if most is not None and len(best[most]) > 1:
            return most, best[most]
    return None


SMALLEST_LOSS: Final = 1e-12
"""Smallest change of match winning chance; anything less is float noise."""


@dataclass(frozen=True, slots=True)
class Turning(Document):
    """A decision on which an explanation turns."""

    game: Positive
    """Number of the game, from 1."""
    turn: Count
    """Number of the turn, from 1."""
    kind: KindName
    """What was decided."""
    counted_from: bool
    """Whether it counts under the rules of the file's own tool."""
    counted_to: bool
    """Whether it counts by the explanation."""
    error_from: float
    """Equity lost (EMG) under the rules of the file's own tool."""
    error_to: float
    """Equity lost (EMG) by the explanation."""
    mwc_from: float | None
    """Match winning chance lost (percent) under the rules of the file's own tool; null in money
    play."""
    mwc_to: float | None
    """The same by the explanation."""
    xgid: str
    """The position for eXtreme Gammon; empty if no ID describes it (a resignation)."""
    gnubg_id: str
    """The position for GNU Backgammon; empty if no ID describes it."""
    row: Annotated[int, HIDDEN]
    """Of the match: plays, then cubes, then resignations."""


def turning(before: Scored, after: Scored, seat: int, game: int | None) -> Iterator[Turning]:
    """A player's decisions whose count, error or cost differs, of the match or one game (index from
    0); what moves PR most comes first."""
    match, rows = before.match, max(len(before.error), len(after.error))
    longest = before if len(before.error) == rows else after
    mine = longest.player == seat
    if game is not None:
        mine &= longest.game == game
    counted, error, loss = (
        [filled(getattr(scored, name), rows) for scored in (before, after)]
        for name in ("counted", "error", "loss")
    )
    differs = mine & (
        (counted[0] != counted[1])
        | (np.abs(error[0] - error[1]) > ROUNDING)
        | (np.abs(loss[0] - loss[1]) > SMALLEST_LOSS)
    )
    numbers = [max(int(column[mine].sum()), 1) for column in counted]
    totals = [float(column[mine].sum()) for column in error]
    # Each decision's exact share of the change of the rate.
    weight = (error[1] - error[0]) * (1 / numbers[0] + 1 / numbers[1]) / 2
    weight -= (counted[1] * 1 - counted[0] * 1) * sum(totals) / (2 * numbers[0] * numbers[1])
    chosen = np.flatnonzero(differs)
    for row in chosen[np.argsort(-np.abs(weight[chosen]).round(12), kind="stable")].tolist():
        kind, turn = kind_and_turn(match, row)
        ids = identifiers_of(match, row)
        yield Turning(
            game=int(match.games.number[longest.game[row]]),
            turn=turn,
            kind=kind.label,
            counted_from=bool(counted[0][row]),
            counted_to=bool(counted[1][row]),
            error_from=float(error[0][row]),
            error_to=float(error[1][row]),
            mwc_from=None if match.is_money else 100 * float(loss[0][row]),
            mwc_to=None if match.is_money else 100 * float(loss[1][row]),
            xgid=ids[0],
            gnubg_id=ids[1],
            row=row,
        )


def filled(column: npt.NDArray[Any], rows: int) -> npt.NDArray[Any]:
    """A column padded with zeros if the rules leave resignations out."""
    return np.concatenate((column, np.zeros(rows - len(column), column.dtype)))


def kind_and_turn(match: Match, row: int) -> tuple[Kind, int]:
    """What was decided in a row of the match (plays, then cubes, then resignations), and the number
    of the turn, from 1."""
    plays, cubes = match.plays, match.cubes
    if row < len(plays):
        return Kind.PLAY, int(plays.turn[row])
    row -= len(plays)
    if row < len(cubes):
        return Kind(int(cubes.kind[row])), int(cubes.turn[row])
    row -= len(cubes)
    resigned = match.resignations
    turns = plays.turn[plays.game == resigned.game[row]]
    return Kind(int(resigned.kind[row])), 1 + (int(turns.max()) if len(turns) else 0)
