"""The situation of every decision for the table: its phase and score, and of mistakes the position, what was done and what was best."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.board.play import play_text
from reconcile.board.position import BAR
from reconcile.columns import Bools, Ints, Kind
from reconcile.gap.best_actions import CUBE_ACTIONS
from reconcile.gap.contributions import identifiers_of
from reconcile.match import Match
from reconcile.scoring.score import Scored

OPENING, CONTACT, RACE, BEAR_OFF = range(4)
PHASES: Final = np.array(["opening", "contact", "race", "bear-off"], object)
OPENING_TURNS: Final = 6
"""Of a game, both players counted."""
HOME: Final = 6
"""The own points up to this one are the home board."""
SHOWN: Final = 0.02
"""Equity lost (EMG) from which a decision's position and actions are in the table: an error to every program that counts one."""

_Objects = npt.NDArray[np.object_]


def phases(match: Match) -> Ints:
    """The phase of every play, then of every cube decision: an index of `PHASES`."""
    turn = np.concatenate((match.plays.turn, match.cubes.turn))
    contact, home = race_state(np.concatenate((match.plays.position, match.cubes.position)))
    return np.where(contact, np.where(turn <= OPENING_TURNS, OPENING, CONTACT), np.where(home, BEAR_OFF, RACE))


def race_state(positions: Ints) -> tuple[Bools, Bools]:
    """Of positions, shape (rows, 26): whether the players can still meet, and whether all own checkers are home."""
    own, other = positions > 0, positions < 0
    last = np.where(own.any(axis=1), BAR - own[:, ::-1].argmax(axis=1), 0)
    first = np.where(other.any(axis=1), other.argmax(axis=1), BAR)
    return first < last, last <= HOME


def mistakes(scored: Scored, rows: Ints) -> dict[str, list[str | None]]:
    """The columns `xgid`, `action` and `best` of these rows (plays, cube decisions, resignations)."""
    return {
        "xgid": [identifiers_of(scored.match, row)[0] or None for row in rows.tolist()],
        "action": [_action(scored.match, row) for row in rows.tolist()],
        "best": list(_best(scored, rows)),
    }


def _action(match: Match, row: int) -> str:
    plays, cubes = match.plays, match.cubes
    if row < len(plays):
        return play_text(tuple(plays.position[row].tolist()), plays.play[row])
    index = row - len(plays)
    kind = cubes.kind[index] if index < len(cubes) else match.resignations.kind[index - len(cubes)]
    return Kind(int(kind)).label.replace("-", " ")


def _best(scored: Scored, rows: Ints) -> Iterator[str | None]:
    match, view = scored.match, scored.view
    plays = len(match.plays)
    for row in rows.tolist():
        index = row - plays
        if index < 0:
            candidates = match.candidates(row)
            yield play_text(tuple(match.plays.position[row].tolist()), candidates[0].play) if candidates else None
        elif index < len(match.cubes) and view.no_double[index] == view.no_double[index] and not match.cubes.answers_beaver[index]:
            response = bool(view.kind[index] >= Kind.TAKE.value)
            second = view.double_take[index] > view.double_pass[index] if response else view.least[index] >= view.no_double[index]
            yield CUBE_ACTIONS[response][int(second)]
        else:
            yield None


def spread_over(rows: Ints, size: int, values: Any) -> _Objects:
    """A column with these values in these rows, `None` in the others."""
    column = np.full(size, None, object)
    column[rows] = values
    return column
