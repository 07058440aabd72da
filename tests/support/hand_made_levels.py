"""Hand-made matches with levels of analysis, as a comparison needs them."""

from dataclasses import replace

import numpy as np

from reconcile.match.match import Level
from tests.support.hand_made import match_of, plays

PLAYS = 100
LEVELS = (Level("3-ply", 2), Level("XG Roller", None))


def with_levels(own_plays=None, cube=None, *resigned, **rest):
    """A hand-made match whose decisions are at one of two levels, the first unless their column
    says otherwise."""
    return replace(match_of(own_plays, cube, *resigned, **rest), levels=LEVELS)


def two_opinions(
    *changes,
    error=0.1,
    tools=("eXtreme Gammon", "GNU Backgammon"),
    plays_of_the_second=PLAYS,
):
    """One match as two tools value it: 100 plays of Ann, each with the change of her PR that the
    second tool's error of it makes."""
    dearer = error + np.array([*changes, *[0.0] * (PLAYS - len(changes))]) * PLAYS / 500
    left, right = ([error] * PLAYS, tools[0]), (dearer.tolist()[:plays_of_the_second], tools[1])
    return _valued(*left), _valued(*right)


def _valued(errors, tool):
    rows = len(errors)
    own_plays = plays(
        rows,
        turn=list(range(1, rows + 1)),
        stored_error=errors,
        best=errors,
        highest=errors,
        played=[0.0] * rows,
    )
    return with_levels(own_plays, tool=tool)


def turned(match, players=()):
    """The match with its seats exchanged, under the same names or these."""
    first, second = players or match.players[::-1]
    winner = np.where(match.games.winner < 0, match.games.winner, 1 - match.games.winner)
    return replace(
        match,
        players=(first, second),
        games=match.games.replaced(score=match.games.score[:, ::-1], winner=winner),
        plays=match.plays.replaced(player=1 - match.plays.player),
        cubes=match.cubes.replaced(player=1 - match.cubes.player),
        resignations=match.resignations.replaced(player=1 - match.resignations.player),
    )
