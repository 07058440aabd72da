"""What an explanation turns on: how far counting moves a figure, which figure tells rules apart,
and which decisions they part on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.document import Count, Document, Positive
from reconcile.infer.reported import EXPLORED, ROUNDING, Reported
from reconcile.match.columns import Bools, Floats, Kind, KindName
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
        best: tuple[str, dict[str, list[str]]] = "", {}
        for metric in EXPLORED:
            if METRICS[metric].form is not form or metric in (*reported, *not_printed):
                continue
            values: dict[str, list[str]] = {}
            for name, figures in rules:
                values.setdefault(METRICS[metric].shown(figures[metric]), []).append(name)
            best = max(best, (metric, values), key=lambda pair: len(pair[1]))
        if len(best[1]) > 1:
            return best
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
    questions: tuple[str, ...]
    """Codes of the questions whose answers, each alone, count or rate it otherwise; where none
    does, of all that are answered otherwise."""
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


def differing(before: Scored, after: Scored) -> Bools:
    """Which rows count or cost otherwise."""
    rows = max(len(before.error), len(after.error))
    slack = {"counted": 0.0, "error": ROUNDING, "loss": SMALLEST_LOSS}
    differs = np.zeros(rows, bool)
    for name, most in slack.items():
        first, second = (filled(getattr(scored, name), rows) for scored in (before, after))
        differs |= np.abs(first.astype(float) - second) > most
    return differs


def rows_of(scored: Scored, seat: int, game: int | None) -> Bools:
    """Which rows are a player's, of the match or one game (index from 0)."""
    own: Bools = scored.player == seat
    return own if game is None else own & (scored.game == game)


def longer(first: Scored, second: Scored) -> Scored:
    """Of a match under two rule sets that with all rows: one may leave resignations out."""
    return first if len(first.error) >= len(second.error) else second


def turning(
    before: Scored,
    after: Scored,
    seat: int,
    game: int | None,
    alone: Mapping[str, Scored] = MappingProxyType({}),
) -> Iterator[Turning]:
    """A player's decisions whose count, error or cost differs, of the match or one game (index from
    0); what moves PR most comes first. `alone` is the match with each other answer by itself, by
    question."""
    match = before.match
    longest = longer(before, after)
    rows, mine = len(longest.error), rows_of(longest, seat, game)
    counted, error, loss = (
        [filled(getattr(scored, name), rows).astype(float) for scored in (before, after)]
        for name in ("counted", "error", "loss")
    )
    weight = _shares(counted, error, mine)
    chosen = np.flatnonzero(mine & differing(before, after))
    touched = {code: filled(differing(before, scored), rows) for code, scored in alone.items()}
    for row in chosen[np.argsort(-np.abs(weight[chosen]).round(12), kind="stable")].tolist():
        kind, turn = kind_and_turn(match, row)
        chances = [None if match.is_money else 100 * float(column[row]) for column in loss]
        xgid, gnubg_id = identifiers_of(match, row)
        yield Turning(
            game=int(match.games.number[longest.game[row]]),
            turn=turn,
            kind=kind.label,
            questions=tuple(code for code in touched if touched[code][row]) or tuple(touched),
            counted_from=bool(counted[0][row]),
            counted_to=bool(counted[1][row]),
            error_from=float(error[0][row]),
            error_to=float(error[1][row]),
            mwc_from=chances[0],
            mwc_to=chances[1],
            xgid=xgid,
            gnubg_id=gnubg_id,
        )


def _shares(counted: Sequence[Floats], error: Sequence[Floats], mine: Bools) -> Floats:
    """Each decision's exact share of the change of a player's rate, from before to after."""
    numbers = [max(column[mine].sum(), 1) for column in counted]
    lost = sum(column[mine].sum() for column in error)
    shares: Floats = (error[1] - error[0]) * (1 / numbers[0] + 1 / numbers[1]) / 2
    shares -= (counted[1] - counted[0]) * lost / (2 * numbers[0] * numbers[1])
    return shares


def filled(column: npt.NDArray[Any], rows: int) -> npt.NDArray[Any]:
    """A column with zeros in the rows of resignations, if its rules leave these out."""
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
