"""The decisions on which an explanation turns: those that two rule sets count or weigh differently."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.columns import Kind
from reconcile.diagnosis.reported import ROUNDING
from reconcile.gap.contributions import identifiers_of
from reconcile.match import Match
from reconcile.scoring.score import Scored

SMALLEST_LOSS: Final = 1e-12
"""Smallest change of match winning chance; anything less is float noise."""


@dataclass(frozen=True, slots=True)
class Turning:
    """A decision on which an explanation turns."""

    game: int
    """Number of the game, from 1."""
    turn: int
    """Number of the turn in its game, from 1."""
    kind: str
    """`play`, `no-double`, `double`, `take`, `pass`, `beaver`, `resign`, `accept-resign`."""
    counted_from: bool
    """Whether it counts under the rules of the file's own tool."""
    counted_to: bool
    """The same by the explanation."""
    error_from: float
    """Equity lost (EMG)."""
    error_to: float
    """The same by the explanation."""
    mwc_from: float | None
    """Match winning chance lost, in percent; `None` for money."""
    mwc_to: float | None
    """The same by the explanation."""
    xgid: str
    """As XG takes it; empty where there is no such ID."""
    gnubg_id: str
    """gnuBG's `Position ID:Match ID`."""
    row: int
    """Of the match: plays, then cubes, then resignations."""


def turning(before: Scored, after: Scored, seat: int, game: int | None) -> Iterator[Turning]:
    """A player's decisions whose count, error or cost differs, of the match or one game (index from 0); what moves PR most comes first."""
    match, rows = before.match, max(len(before.error), len(after.error))
    longest = before if len(before.error) == rows else after
    mine = longest.player == seat
    if game is not None:
        mine &= longest.game == game
    counted, error, loss = ([_filled(getattr(one, name), rows) for one in (before, after)] for name in ("counted", "error", "loss"))
    differs = mine & ((counted[0] != counted[1]) | (np.abs(error[0] - error[1]) > ROUNDING) | (np.abs(loss[0] - loss[1]) > SMALLEST_LOSS))
    numbers = [max(int(one[mine].sum()), 1) for one in counted]
    totals = [float(one[mine].sum()) for one in error]
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


def _filled(column: npt.NDArray[Any], rows: int) -> npt.NDArray[Any]:
    """A column padded with zeros if the rules leave resignations out."""
    return np.concatenate((column, np.zeros(rows - len(column), column.dtype)))


def kind_and_turn(match: Match, row: int) -> tuple[Kind, int]:
    """What was decided in a row of the match (plays, then cubes, then resignations), and the number of the turn, from 1."""
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
