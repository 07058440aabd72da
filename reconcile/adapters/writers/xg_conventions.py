"""What XG derives from its own equities, and how it writes it: errors, their signs and sentinels, flags.

Equities are compared as the file keeps them, in single precision.
"""

from __future__ import annotations

import struct

from reconcile.adapters.writers.match import UNSCORED, Candidate, Cube, Double, Take, Verdict

NOTHING_BELOW = 0.0001
"""XG writes a smaller error as 0."""
NOMINAL_POST_CRAWFORD_ERROR = 0.0001
"""What XG charges for not doubling against an opponent one away when doubling changes nothing."""


def stored(equity: float) -> float:
    """The equity after a trip through the file's single precision."""
    return float(struct.unpack("<f", struct.pack("<f", equity))[0])


def checker_error(candidates: tuple[Candidate, ...], played: int) -> float:
    """ErrMove: what the play lost against the FIRST candidate, <= 0."""
    lost = stored(candidates[played].evaluation.equity) - stored(candidates[0].evaluation.equity)
    return min(0.0, lost) if abs(lost) >= NOTHING_BELOW else 0.0


def is_irrelevant(candidates: tuple[Candidate, ...]) -> bool:
    """Whether a play is no decision: a dance, a single legal play, or candidates that are all worth the same."""
    equities = [stored(candidate.evaluation.equity) for candidate in candidates]
    return len(equities) < 2 or max(equities) - min(equities) < NOTHING_BELOW


def verdict(no_double: float, double_take: float, double_pass: float = 1.0, *, opponent_one_away: bool = False) -> Verdict:
    """FlagDouble of an analysed cube."""
    if opponent_one_away:
        return Verdict.OPPONENT_ONE_AWAY
    if no_double > min(double_take, double_pass):
        return Verdict.TOO_GOOD if double_take > double_pass else Verdict.NO_DOUBLE
    return Verdict.DOUBLE_PASS if double_take > double_pass else Verdict.DOUBLE_TAKE


def cube_error(cube: Cube, flag: int) -> float:
    """ErrCube: what the roller's cube action lost, >= 0."""
    if cube.no_double is None or cube.double_take is None or cube.double not in (Double.NO, Double.YES):
        return UNSCORED
    gain = min(stored(cube.double_take.equity), cube.double_pass) - stored(cube.no_double.equity)
    if cube.double == Double.NO and flag == Verdict.OPPONENT_ONE_AWAY and gain == 0:
        return NOMINAL_POST_CRAWFORD_ERROR
    lost = gain if cube.double == Double.NO else -gain
    return lost if lost >= NOTHING_BELOW else 0.0


def take_error(cube: Cube) -> float:
    """ErrTake: what the answer to a double lost, <= 0; 0 when there was no double."""
    if cube.no_double is None or cube.double_take is None or cube.double not in (Double.NO, Double.YES):
        return UNSCORED
    if cube.double == Double.NO:
        return 0.0
    given_away = stored(cube.double_take.equity) - cube.double_pass
    lost = given_away if cube.take != Take.PASS else -given_away
    return -lost if lost >= NOTHING_BELOW else 0.0
