"""The phase of the game that a decision belongs to."""

from __future__ import annotations

import numpy as np

from reconcile.match.board.position import BAR
from reconcile.match.columns import Bools, Ints

OPENING, CONTACT, RACE, BEAR_OFF = range(4)
PHASES = ("opening", "contact", "race", "bear-off")
OPENING_TURNS = 6
"""Of a game, both players counted."""
HOME = 6
"""The own points up to this one are the home board."""


def phases(turn: Ints, positions: Ints) -> Ints:
    """The phase of decisions in these turns and positions: an index of `PHASES`."""
    contact, home = race_state(positions)
    return np.where(
        contact, np.where(turn <= OPENING_TURNS, OPENING, CONTACT), np.where(home, BEAR_OFF, RACE)
    )


def race_state(positions: Ints) -> tuple[Bools, Bools]:
    """Of positions, shape (rows, 26): whether the players can still meet, and whether all own
    checkers are home."""
    by_place = np.ascontiguousarray(
        positions.T
    )  # a maximum over places is then one of whole columns
    place = np.arange(BAR + 1, dtype=np.int8)[:, np.newaxis]
    last = ((by_place > 0) * place).max(axis=0)
    first = BAR - ((by_place < 0) * (BAR - place)).max(axis=0)
    return first < last, last <= HOME
