"""What a gap taken apart looks like: bridges, their steps, the share of single decisions, and why a
decision moves a figure.

`reconcile.gap.walk` makes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import starmap
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final

import numpy as np
import numpy.typing as npt

from reconcile.document import HIDDEN, LEFT_OUT, OR_NULL, Amount, Count, Document, Key, within
from reconcile.files.bundled import Page, read_pages
from reconcile.gap.paired_decisions import COUNT, ERROR, LOSS, Items, level_label
from reconcile.gap.pairing import Pairing
from reconcile.match.all_rows import located
from reconcile.match.board.play import apply_play
from reconcile.match.board.position import Counts
from reconcile.match.columns import Floats, Ints, Kind, Plays, Validity
from reconcile.match.match import Decision
from reconcile.match.values import once
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.metrics import MetricName, short_metric
from reconcile.scoring.score import Scored

SHARES: Final = {
    "rules": "counting rules",
    "engine": "analysis",
    "coverage": "coverage",
    "reporting": "reporting",
}
"""What a gap is made of: key as in tolerances, and in words."""


@dataclass(frozen=True, slots=True)
class Step(Document):
    """One step of a bridge."""

    code: Annotated[
        str,
        within(
            pattern="^(Q[0-9]{2}|reported-left|coverage-left|engine|coverage-right|reported-right)$"
        ),
    ]
    """A switched rule, or what else changed from left to right."""
    title: str
    """The step in words."""
    change: float
    """The change of the figure."""
    decisions: Count
    """How many decisions moved the figure in this step."""
    low: Annotated[float | None, LEFT_OUT] = None
    """Smallest change over the directions and the orders in which the steps can be taken, where
    that makes a difference."""
    high: Annotated[float | None, LEFT_OUT] = None
    """Largest change over them."""


@dataclass(frozen=True, slots=True)
class Bridge(Document):
    """From the left figure to the right one in steps whose changes add up to the gap."""

    player: str
    """The player, under the left file's name."""
    metric: Annotated[MetricName, Key(by=short_metric)]
    """The name of a figure; totals have their short name."""
    start: Annotated[float | None, Key("from")]
    """Where it starts: the left figure."""
    end: Annotated[float | None, Key("to")]
    """Where it ends: the right figure."""
    steps: tuple[Step, ...]
    """The steps in order; codes are unique."""
    reason: Annotated[str, LEFT_OUT] = ""
    """Why there is no bridge, if there are no steps."""
    contributions: Annotated[Mapping[str, Floats], HIDDEN] = field(
        default_factory=dict, repr=False, compare=False
    )
    """By the code of a step, what every item adds in it."""
    by_way: Annotated[Mapping[int, Mapping[str, Floats]], HIDDEN] = field(
        default_factory=dict, repr=False, compare=False
    )
    """The same by the ways that were walked, 0 there and 1 back."""

    @property
    def by_item(self) -> Floats:
        """What every item adds over all steps; empty without steps."""
        vectors = list(self.contributions.values())
        return np.sum(vectors, axis=0) if vectors else np.zeros(0)

    def moving(self) -> Bridge:
        """The bridge without the steps that move nothing."""
        moving = (
            step for step in self.steps if step.change or step.decisions or step.low or step.high
        )
        return replace(self, steps=tuple(moving))


def shares(bridge: Bridge) -> dict[str, float]:
    """What each share adds to the gap, in the order of the steps; one without a step is left
    out."""
    sums: dict[str, float] = {}
    for step in bridge.steps:
        name = step.code.partition("-")[0]
        name = "reporting" if name == "reported" else name
        share = name if name in SHARES else "rules"
        sums[share] = sums.get(share, 0.0) + step.change
    return sums


@dataclass(frozen=True, slots=True)
class SideOfDecision(Document):
    """What a file says of a decision under its own rules."""

    error: Amount | None
    """Equity lost (EMG); null where the file has no analysis of it."""
    counted: bool
    """Whether it counts."""
    level: Annotated[str, OR_NULL]
    """The level of its analysis in the tool's words; null where the file has none."""
    decision: Annotated[Decision, HIDDEN]
    no_double: Annotated[float | None, HIDDEN] = None
    double_take: Annotated[float | None, HIDDEN] = None
    double_pass: Annotated[float | None, HIDDEN] = None
    """EMG, player on roll's view; `None` for checker plays and where not analysed."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """One decision's share of a gap, with everything needed to look at it."""

    player: str
    """Whose figure it moves."""
    metric: str
    step: str
    cause: str
    cause_title: str
    change: float
    sentence: str
    left: SideOfDecision | None
    right: SideOfDecision | None
    xgid: str
    gnubg_id: str
    item: int = -1
    """Of `Walk.items`."""


_CONVERSIONS: Final = {
    "Q09": "conversion.one-point-factor",
    "Q10": "conversion.response-cube",
    "Q11": "conversion.met",
    "Q13": "conversion.cap",
}
RULE_CAUSES: Final[Mapping[str, str]] = MappingProxyType(
    {
        code: _CONVERSIONS.get(code, f"rule.{code}")
        for code, question in QUESTIONS.items()
        if question.effect is not Effect.NAMES
    }
)
"""Question -> cause of the steps that switch it."""
_OF_RULE: Final = (
    "The two rule sets answer {0} differently. `reconcile explain {0}` has the answers."
)
CAUSES: Final[Mapping[str, Page]] = MappingProxyType(
    {
        cause: Page(cause, QUESTIONS[code].title, _OF_RULE.format(code))
        for code, cause in RULE_CAUSES.items()
    }
    | dict(read_pages(Path(__file__).with_name("causes.md")))
)
"""Every cause, with its page."""
SAME_EQUITY: Final = 1e-6
"""EMG. Tools keep equities in single precision: two ways to one number differ by less."""
Labels = npt.NDArray[np.object_]


class Attribution:
    """The causes of all steps of one comparison; which file is on the left does not matter."""

    def __init__(self, items: Items, left: Scored, right: Scored, pairing: Pairing) -> None:
        self.items, self.sides = items, (left, right)
        self.differing = {(difference.game, difference.turn) for difference in pairing.differences}
        self.same_tool = left.match.source.tool == right.match.source.tool

    def causes(self, step: str, rows: Ints, before: Floats, after: Floats) -> Labels:
        """The cause of each of these items in a step.

        `before` and `after` are what both sides charge (`charges`) under one set of rules, before
        and after the analysis is exchanged.
        """
        if step in RULE_CAUSES:
            return np.full(len(rows), RULE_CAUSES[step], object)
        if step != "engine":
            return np.array([self._of_coverage(row) for row in rows.tolist()], object)
        old, new = before[:, rows], after[:, rows]
        differs, apart = old != new, np.abs(old[ERROR] - new[ERROR]) >= SAME_EQUITY
        # Of the same errors nothing changes but their share of a capped figure.
        causes = np.where(differs[ERROR] | differs[LOSS], "rounding", "conversion.cap").astype(
            object
        )
        causes[differs[COUNT]] = "engine.counting"
        causes[apart] = [self.of_analysis(row) for row in rows[apart].tolist()]
        return causes

    def _of_coverage(self, item: int) -> str:
        items = self.items
        if items.common[item]:
            return "conversion.cap"  # nothing of it changes but its share of a capped figure
        if items.paired[item]:
            return "coverage.not-analysed"
        for scored, row in self._rows(item):
            plays = scored.match.plays
            if 0 <= row < len(plays) and plays.validity[row] != Validity.VALID:
                return "coverage.not-played"
        game, turn, _ = items.place(item)
        if self.differing & {(game, turn), (game, 0)}:
            return "coverage.transcript"
        return "coverage.unpaired"

    def _rows(self, item: int) -> list[tuple[Scored, int]]:
        """Both sides, and the row of an item there."""
        rows = int(self.items.left[item]), int(self.items.right[item])
        return list(zip(self.sides, rows, strict=True))

    @once
    def of_analysis(self, item: int) -> str:
        """Why two analyses find another error in a decision that both have."""
        rows = self._rows(item)
        if not all(starmap(_shows_equities, rows)):
            return "engine.error-alone"
        if self.items.kind[item] != Kind.PLAY:
            if len(set(starmap(_cube_verdict, rows))) > 1:
                return "engine.other-cube-verdict"
        elif not all(np.isfinite(scored.match.plays.played[row]) for scored, row in rows):
            return "engine.not-listed"
        elif len(set(starmap(_best_result, rows))) > 1:
            return "engine.other-best-move"
        levels = {level_label(scored.match, row) for scored, row in rows}
        return "engine.level" if self.same_tool and len(levels) > 1 else "engine.error-size"


def _shows_equities(scored: Scored, row: int) -> bool:
    """Whether a decision has more than a stored error: candidates of a play, or the values of a
    cube decision."""
    table, index = located(scored.match, row)
    if table is None or (isinstance(table, Plays) and not table.analysed[index]):
        return True
    equity = table.best if isinstance(table, Plays) else table.no_double
    return bool(np.isfinite(equity[index])) or not np.isfinite(table.stored_error[index])


def _cube_verdict(scored: Scored, row: int) -> bool | None:
    """What is right in this cube decision by one side's numbers; for a resignation `None`.

    Of a double and of a turn without one: whether to double, also where it changes nothing. Of a
    response: whether to take.
    """
    cube, view = row - len(scored.match.plays), scored.view
    if not 0 <= cube < len(view.kind):
        return None
    if view.kind[cube] >= Kind.TAKE.value:
        return bool(view.double_take[cube] <= view.double_pass[cube])
    return bool(view.least[cube] >= view.no_double[cube])


def _best_result(scored: Scored, row: int) -> Counts | None:
    """The position that the first candidate leads to, mover's view; `None` where there is none or
    it does not fit."""
    for candidate in scored.match.candidates(row)[:1]:
        with suppress(ValueError):
            return apply_play(scored.match.plays.position[row].tolist(), candidate.play)
    return None
