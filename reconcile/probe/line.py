"""A synthetic game, turn by turn: its plays are legal, its equities are whatever a contrast needs.

The player under study is the first, `STUDIED`; the other makes ordinary decisions that count under all rules.
"""

from __future__ import annotations

from typing import Any, Final

from reconcile.adapters.written import Candidate, Cube, Double, Ending, Game, Move, Take, Termination, Turn, WrittenMatch, level_equity
from reconcile.board.play import Play, carried_out, legal_plays
from reconcile.board.position import START, Counts, swap

STUDIED: Final = "Synthetic Ann"
OTHER: Final = "Synthetic Ben"
EVENT: Final = "Synthetic match"
LENGTH: Final = 7
BEST: Final = 0.25
"""Equity of the best candidate of every play."""
PLAIN: Final = (0.0, 0.1, 0.2)
"""What the candidates of an ordinary play cost: it counts under all rules."""
ANCHOR: Final = (0.0, 0.05, 0.07, 0.3)
"""The same of the first play of both players; the studied player makes the third, an error of 0.07."""
DICE: Final = ((3, 1), (4, 2), (6, 1), (5, 2), (4, 1), (3, 2), (6, 4), (5, 1), (2, 1), (5, 3), (6, 2), (4, 3), (6, 3), (5, 4))
"""Rolled in turn."""


def cube(no_double: float, double_take: float, **other: Any) -> Cube:
    """A turn without a double, by its equities; `double` and `take` make it a double."""
    return Cube(**{"double": Double.NO, "no_double": level_equity(no_double), "double_take": level_equity(double_take), **other})


FAR: Final = cube(0.3, -0.5)
"""A turn on which nobody would double: it counts under no rules."""


class SyntheticGame:
    """A game that grows turn by turn."""

    def __init__(self, *, cube_in_play: bool = True) -> None:
        self.turns: list[Turn] = []
        self.position: Counts = START
        self.player = 1
        self.owner = 0 if cube_in_play else -1
        self.value = 1

    def turn(
        self,
        costs: tuple[float, ...] = PLAIN,
        made: int = 0,
        *,
        cube: Cube | None = None,
        dice: tuple[int, int] | None = None,
        play: Play | None = None,
        **move: Any,
    ) -> SyntheticGame:
        """Add a turn of the player on roll.

        `costs` are what the candidates lose against the first, `made` is the one played; `play` makes the played candidate this one,
        legal or not. More costs than legal plays are left out. Without a cube it is one far from a double where the player has access.
        """
        rolled = dice or DICE[len(self.turns) % len(DICE)]
        listed = [(one.play, one.result) for one in legal_plays(self.position, *rolled)] or [((), self.position)]
        if play is not None:
            chosen = (play, carried_out(self.position, play))
            listed = [one for one in listed if one[1] != chosen[1]]
            listed.insert(made, chosen)
        candidates = tuple(
            Candidate(steps, result, level_equity(BEST - cost)) for (steps, result), cost in zip(listed, costs, strict=False)
        )
        if cube is None:
            cube = FAR if self.turns and self.owner in (0, self.player) else Cube()
        self.turns.append(Turn(self.player, self.position, cube, Move(rolled, candidates, made, **move)))
        if cube.take in (Take.TAKE, Take.BEAVER):
            self.owner = 3 - self.player
            self.value *= 4 if cube.take is Take.BEAVER else 2
        self.position = swap(candidates[made].position)
        self.player = 3 - self.player
        return self

    def opened(self) -> SyntheticGame:
        """The first turn of both players: the studied player loses 0.07."""
        return self.turn(ANCHOR, 2).turn(ANCHOR, 1)

    def danced(self) -> SyntheticGame:
        """The same, after which the studied player is on the bar and a 66 cannot be played."""
        self.turn(ANCHOR, 2, dice=(4, 1), play=((13, 9), (6, 5)))
        return self.turn(ANCHOR, 1, dice=(4, 3), play=((24, 20), (24, 21)))

    def match(
        self, *, length: int | None = LENGTH, score: tuple[int, int] = (0, 0), ending: Ending | None = None, **said: Any
    ) -> WrittenMatch:
        """The match of this game alone; by default the other player resigns, which is not analysed."""
        resigned = ending or Ending(1, self.value, Termination.RESIGNED_SINGLE)
        return WrittenMatch((STUDIED, OTHER), length, (Game(tuple(self.turns), score, resigned),), event=EVENT, **said)
