"""What XG derives from a match and from its own equities: the stakes of a decision, errors with
their signs and sentinels, flags.

Equities are compared as the file keeps them, in single precision.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from typing import Final

from reconcile.formats.written import (
    UNSCORED,
    Candidate,
    Cube,
    Double,
    Game,
    Take,
    Turn,
    Verdict,
    WrittenMatch,
)
from reconcile.formats.xg.records import MONEY_LENGTH

NOTHING_BELOW: Final = 0.0001
"""XG writes a smaller error as 0."""
NOMINAL_POST_CRAWFORD_ERROR: Final = 0.0001
"""What XG charges for not doubling against an opponent one away when doubling changes nothing."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a record says of the match around it: the score, the rules, and the cube as it
    stands."""

    match: WrittenMatch
    game: Game
    exponent: int = 0
    owner: int = 0
    """0 nobody, else player 1 or 2."""

    @property
    def code(self) -> int:
        """The cube as the file has it: the sign is that of the player who owns it, not of the
        player on roll."""
        return self.owner and sign(self.owner) * self.exponent

    def away(self, player: int) -> tuple[int, int]:
        """Points that the player and the opponent still need."""
        length = MONEY_LENGTH if self.match.length is None else self.match.length
        first, second = (length - points for points in self.game.score)
        return (first, second) if player == 1 else (second, first)

    @property
    def jacoby(self) -> int:
        """The rules of money play as a record has them."""
        return (
            int(self.match.jacoby) + 2 * int(self.match.beaver) if self.match.length is None else 0
        )

    def after(self, turn: Turn) -> Stakes:
        """The stakes once a double has been answered."""
        if turn.cube.double != Double.YES or turn.cube.take not in (Take.TAKE, Take.BEAVER):
            return self
        return replace(
            self,
            exponent=self.exponent + (2 if turn.cube.take == Take.BEAVER else 1),
            owner=3 - turn.player,
        )


def sign(player: int) -> int:
    """A player as the file has it: 1 for the first, -1 for the second."""
    return 1 if player == 1 else -1


def stored(equity: float) -> float:
    """The equity after a trip through the file's single precision."""
    return float(struct.unpack("<f", struct.pack("<f", equity))[0])


def checker_error(candidates: tuple[Candidate, ...], played: int) -> float:
    """The error of a play: what it lost against the FIRST candidate, <= 0."""
    lost = stored(candidates[played].evaluation.equity) - stored(candidates[0].evaluation.equity)
    return min(0.0, lost) if abs(lost) >= NOTHING_BELOW else 0.0


def is_irrelevant(candidates: tuple[Candidate, ...]) -> bool:
    """Whether a play is no decision: a dance, a single legal play, or candidates that are all worth
    the same."""
    equities = [stored(candidate.evaluation.equity) for candidate in candidates]
    return len(equities) < 2 or max(equities) - min(equities) < NOTHING_BELOW


def verdict(
    no_double: float,
    double_take: float,
    double_pass: float = 1.0,
    *,
    opponent_one_away: bool = False,
) -> Verdict:
    """The verdict on an analysed cube."""
    if opponent_one_away:
        return Verdict.OPPONENT_ONE_AWAY
    if no_double > min(double_take, double_pass):
        return Verdict.TOO_GOOD if double_take > double_pass else Verdict.NO_DOUBLE
    return Verdict.DOUBLE_PASS if double_take > double_pass else Verdict.DOUBLE_TAKE


def _gains(cube: Cube) -> tuple[float, float] | None:
    """What doubling and taking gain for the roller; `None` where XG has not judged."""
    if cube.no_double is None or cube.double_take is None or cube.double < Double.NO:
        return None
    double_take = stored(cube.double_take.equity)
    doubling = min(double_take, cube.double_pass) - stored(cube.no_double.equity)
    return doubling, double_take - cube.double_pass


def cube_error(cube: Cube, flag: int) -> float:
    """What the roller's cube action lost, >= 0."""
    gains = _gains(cube)
    if gains is None:
        return UNSCORED
    gain = gains[0]
    if cube.double == Double.NO and flag == Verdict.OPPONENT_ONE_AWAY and gain == 0:
        return NOMINAL_POST_CRAWFORD_ERROR
    lost = gain if cube.double == Double.NO else -gain
    return lost if lost >= NOTHING_BELOW else 0.0


def take_error(cube: Cube) -> float:
    """What the answer to a double lost, <= 0; 0 when there was no double."""
    gains = _gains(cube)
    if gains is None:
        return UNSCORED
    if cube.double == Double.NO:
        return 0.0
    lost = gains[1] if cube.take != Take.PASS else -gains[1]
    return -lost if lost >= NOTHING_BELOW else 0.0
