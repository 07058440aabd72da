"""Why a decision moves a figure: the causes, and which of them a contribution has."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import starmap
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from reconcile.board.play import apply_play
from reconcile.board.position import Counts
from reconcile.columns import Kind, Plays, Validity
from reconcile.files.pages import Page, read_pages
from reconcile.gap.paired_decisions import Items, Judged, located
from reconcile.gap.pairing import Pairing
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.score import Scored

_CONVERSIONS: Final = {
    "Q09": "conversion.one-point-factor",
    "Q10": "conversion.response-cube",
    "Q11": "conversion.met",
    "Q13": "conversion.cap",
}
RULE_CAUSES: Final[Mapping[str, str]] = MappingProxyType(
    {code: _CONVERSIONS.get(code, f"rule.{code}") for code, question in QUESTIONS.items() if question.effect is not Effect.NAMES}
)
"""Question -> cause of the steps that switch it."""


def _of_rule(code: str) -> Page:
    """The page of the steps that switch a question."""
    page = f"The two rule sets answer {code} differently. `reconcile explain {code}` has the answers."
    return Page(RULE_CAUSES[code], QUESTIONS[code].title, page)


CAUSES: Final[Mapping[str, Page]] = MappingProxyType(
    {**{cause: _of_rule(code) for code, cause in RULE_CAUSES.items()}, **read_pages(Path(__file__).with_name("causes.md"))}
)


SAME_EQUITY: Final = 1e-6
"""EMG. Tools keep equities in single precision, so that two ways to the same number differ by less."""

Labels = npt.NDArray[np.object_]


class Attribution:
    """The causes of all steps of one comparison; which file is on the left does not matter."""

    def __init__(self, items: Items, left: Scored, right: Scored, pairing: Pairing) -> None:
        self.items, self.sides = items, (left, right)
        self.differing = {(difference.game, difference.turn) for difference in pairing.differences}
        self.same_tool = left.match.source.tool == right.match.source.tool
        self._analysis: dict[int, str] = {}

    def causes(self, step: str, rows: npt.NDArray[np.int64], before: Judged, after: Judged) -> Labels:
        """The cause of each of these items in a step.

        `before` and `after` are the items as both sides have them under one set of rules, before and after the analysis is exchanged.
        """
        if step in RULE_CAUSES:
            return np.full(len(rows), RULE_CAUSES[step], object)
        if step == "engine":
            return self._of_engine(rows, before, after)
        if step == "listed":
            return self._of_list(rows, before, after)
        return np.array([self._of_coverage(row) for row in rows.tolist()], object)

    def _of_coverage(self, item: int) -> str:
        items = self.items
        if items.common[item]:
            return "conversion.cap"  # nothing of it changes but its share of a capped figure
        if items.paired[item]:
            return "coverage.not-analysed"
        for scored, row in self._seen(item):
            if 0 <= row < len(scored.match.plays) and scored.match.plays.validity[row] != Validity.VALID:
                return "coverage.not-played"
        if (int(items.game[item]), int(items.turn[item])) in self.differing or (int(items.game[item]), 0) in self.differing:
            return "coverage.transcript"
        return "coverage.unpaired"

    def _seen(self, item: int) -> list[tuple[Scored, int]]:
        """Both sides, and the row of an item there."""
        return list(zip(self.sides, (int(self.items.left[item]), int(self.items.right[item])), strict=True))

    def _of_list(self, rows: npt.NDArray[np.int64], before: Judged, after: Judged) -> Labels:
        apart = np.abs(before.error - after.error)[rows] >= SAME_EQUITY
        counting = (before.count != after.count)[rows]
        return np.select([counting, apart], ["listed.counting", "listed.error"], _of_same_error(rows, before, after)).astype(object)

    def _of_engine(self, rows: npt.NDArray[np.int64], before: Judged, after: Judged) -> Labels:
        apart = np.abs(before.error - after.error)[rows] >= SAME_EQUITY
        counting = (before.count != after.count)[rows]
        causes = np.where(counting, "engine.counting", _of_same_error(rows, before, after)).astype(object)
        causes[apart] = [self.of_analysis(row) for row in rows[apart].tolist()]
        return causes

    def of_analysis(self, item: int) -> str:
        """Why two analyses find another error in a decision that both have."""
        if item not in self._analysis:
            self._analysis[item] = self._judge_analysis(item)
        return self._analysis[item]

    def _judge_analysis(self, item: int) -> str:
        seen = self._seen(item)
        if not all(starmap(_shows_equities, seen)):
            return "engine.error-alone"
        if self.items.kind[item] != Kind.PLAY:
            left, right = starmap(_cube_verdict, seen)
            if left != right:
                return "engine.other-cube-verdict"
        elif not all(np.isfinite(scored.match.plays.played[row]) for scored, row in seen):
            return "engine.not-listed"
        else:
            one, other = starmap(_best_result, seen)
            if one != other:
                return "engine.other-best-move"
        here, there = starmap(_level, seen)
        return "engine.level" if self.same_tool and here != there else "engine.error-size"


def _of_same_error(rows: npt.NDArray[np.int64], before: Judged, after: Judged) -> npt.NDArray[np.str_]:
    """The causes where the errors are the same but for rounding: nothing of the decision changes but its share of a capped figure."""
    same = ((before.error == after.error) & (before.loss == after.loss))[rows]
    return np.where(same, "conversion.cap", "rounding")


def _level(scored: Scored, row: int) -> str:
    table, index = located(scored.match, row)
    level = -1 if table is None else int(table.level[index])
    return scored.match.levels[level].label if level >= 0 else ""


def _shows_equities(scored: Scored, row: int) -> bool:
    """Whether a decision has more than a stored error: candidates of a play, or the values of a cube decision."""
    table, index = located(scored.match, row)
    if table is None or (isinstance(table, Plays) and not table.analysed[index]):
        return True
    equity = table.best if isinstance(table, Plays) else table.no_double
    return bool(np.isfinite(equity[index])) or not np.isfinite(table.stored_error[index])


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


def _best_result(scored: Scored, row: int) -> Counts | None:
    """The position that the first candidate leads to, mover's view; `None` where there is none or it does not fit."""
    candidates = scored.match.candidates(row)
    if not candidates:
        return None
    try:
        return apply_play(scored.match.plays.position[row].tolist(), candidates[0].play)
    except ValueError:
        return None
