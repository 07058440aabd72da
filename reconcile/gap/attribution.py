"""Which cause a decision's contribution has: looked up per decision, from what the two files say of it."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from reconcile.board.play import apply_play
from reconcile.columns import Kind, Validity
from reconcile.gap.causes import RULE_CAUSES
from reconcile.gap.paired_decisions import Items, Judged
from reconcile.gap.pairing import Pairing
from reconcile.match import Match
from reconcile.scoring.score import Scored

SAME_EQUITY: Final = 1e-6
"""EMG. Tools keep equities in single precision, so that two ways to the same number differ by less."""

Labels = npt.NDArray[np.object_]


class Attribution:
    """The causes of all steps of one comparison.

    `judged` is the state before and after the analysis is exchanged: both sides under the right side's rules.
    """

    def __init__(self, items: Items, left: Scored, right: Scored, pairing: Pairing, judged: tuple[Judged, Judged]) -> None:
        self.items, self.left, self.right = items, left, right
        self.before, self.after = judged
        self.differing = {(difference.game, difference.turn) for difference in pairing.differences}
        self.same_tool = left.match.source.tool == right.match.source.tool
        self._engine: dict[int, str] = {}

    def causes(self, step: str, rows: npt.NDArray[np.int64]) -> Labels:
        """The cause of each of these items in a step."""
        if step in RULE_CAUSES:
            return np.full(len(rows), RULE_CAUSES[step], object)
        one = self._of_engine if step == "engine" else self._of_coverage
        return np.array([one(row) for row in rows.tolist()], object)

    def _of_coverage(self, item: int) -> str:
        items = self.items
        if items.common[item]:
            return "conversion.cap"  # nothing of it changes but its share of a capped figure
        if items.paired[item]:
            return "coverage.not-analysed"
        for rows, scored in ((items.left, self.left), (items.right, self.right)):
            row = int(rows[item])
            if 0 <= row < len(scored.match.plays) and scored.match.plays.validity[row] != Validity.VALID:
                return "coverage.not-played"
        if (int(items.game[item]), int(items.turn[item])) in self.differing or (int(items.game[item]), 0) in self.differing:
            return "coverage.transcript"
        return "coverage.unpaired"

    def _of_engine(self, item: int) -> str:
        if item not in self._engine:
            self._engine[item] = self._judge_engine(item)
        return self._engine[item]

    def _judge_engine(self, item: int) -> str:
        rows = int(self.items.left[item]), int(self.items.right[item])
        sides = (self.left, self.right)
        before, after = self.before, self.after
        if abs(before.error[item] - after.error[item]) < SAME_EQUITY:
            if before.count[item] != after.count[item]:
                return "engine.counting"
            same = before.error[item] == after.error[item] and before.loss[item] == after.loss[item]
            return "conversion.cap" if same else "rounding"
        if not all(_shows_equities(scored, row) for scored, row in zip(sides, rows, strict=True)):
            return "engine.error-alone"
        if self.items.kind[item] != Kind.PLAY:
            verdicts = [_cube_verdict(scored, row) for scored, row in zip(sides, rows, strict=True)]
            if verdicts[0] != verdicts[1]:
                return "engine.other-cube-verdict"
            return self._size_or_level(rows)
        matches = (self.left.match, self.right.match)
        if any(not np.isfinite(match.plays.played[row]) for match, row in zip(matches, rows, strict=True)):
            return "engine.not-listed"
        best = [_best_result(match, row) for match, row in zip(matches, rows, strict=True)]
        if best[0] != best[1]:
            return "engine.other-best-move"
        return self._size_or_level(rows)

    def _size_or_level(self, rows: tuple[int, int]) -> str:
        if not self.same_tool:
            return "engine.error-size"
        levels = [_level(scored.match, row) for scored, row in zip((self.left, self.right), rows, strict=True)]
        return "engine.error-size" if levels[0] == levels[1] else "engine.level"


def _level(match: Match, row: int) -> str:
    plays = len(match.plays)
    index = int(match.plays.level[row]) if row < plays else int(match.cubes.level[row - plays]) if row - plays < len(match.cubes) else -1
    return match.levels[index].label if index >= 0 else ""


def _shows_equities(scored: Scored, row: int) -> bool:
    """Whether a decision has more than a stored error: candidates of a play, or the values of a cube decision."""
    plays, cubes = scored.match.plays, scored.match.cubes
    if row < len(plays):
        return bool(np.isfinite(plays.best[row])) or not plays.analysed[row] or not np.isfinite(plays.stored_error[row])
    cube = row - len(plays)
    return cube >= len(cubes) or bool(np.isfinite(cubes.no_double[cube])) or not np.isfinite(cubes.stored_error[cube])


def _cube_verdict(scored: Scored, row: int) -> bool | None:
    """What is right in this cube decision by one side's numbers; for a resignation `None`.

    Of a double and of a turn without one: whether to double, also where it changes nothing. Of a response: whether to take.
    """
    cube = row - len(scored.match.plays)
    view = scored.view
    if not 0 <= cube < len(view.kind):
        return None
    if view.kind[cube] >= Kind.TAKE.value:
        return bool(view.double_take[cube] <= view.double_pass[cube])
    return bool(view.least[cube] >= view.no_double[cube])


def _best_result(match: Match, row: int) -> tuple[int, ...] | None:
    """The position that the first candidate leads to, mover's view; `None` where there is none or it does not fit."""
    candidates = match.candidates(row)
    if not candidates:
        return None
    try:
        return tuple(apply_play(match.plays.position[row].tolist(), candidates[0].play))
    except ValueError:
        return None
