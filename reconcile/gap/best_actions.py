"""What one analysis thinks best."""

from __future__ import annotations

from typing import Final

from reconcile.board.play import Play, apply_play
from reconcile.scoring.statistics import Statistics

CUBE_ACTIONS: Final = {False: ("no double", "double"), True: ("take", "pass")}
"""What a cube decision is between: of the player on roll, and of the player who answers."""


def best_plays(side: Statistics, row: int) -> dict[tuple[int, ...], Play]:
    """The positions that the best plays of a row lead to, each with the play.

    These are the first candidate, those with exactly its equity and level, and the play made where it costs nothing.
    """
    match = side.match
    candidates, position = match.candidates(row), tuple(match.plays.position[row].tolist())
    plays = [one.play for one in candidates if (one.equity, one.level) == (candidates[0].equity, candidates[0].level)]
    if side.scored.error[row] == 0:
        plays.append(match.plays.play[row])
    found: dict[tuple[int, ...], Play] = {}
    for play in plays:
        try:
            found.setdefault(tuple(apply_play(position, play)), play)
        except ValueError:
            continue
    return found
