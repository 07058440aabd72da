"""What a gap taken apart looks like: bridges, their steps, the share of single decisions, and why a
decision moves a figure.

`reconcile.gap.walk` makes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final

import numpy as np
import numpy.typing as npt

from reconcile.document import HIDDEN, LEFT_OUT, Count, Document, Key, within
from reconcile.files.bundled import Page, read_pages
from reconcile.gap.aligned import COUNT, ERROR, LOSS, Aligned
from reconcile.gap.pairing import Pairing
from reconcile.match.board.play import apply_play
from reconcile.match.board.position import Counts
from reconcile.match.columns import Bools, Floats, Ints, Kind, Validity
from reconcile.match.match import Match
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.metrics import MetricName, short_metric

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
    shares: Annotated[Mapping[str, Floats], HIDDEN] = field(
        default_factory=dict, repr=False, compare=False
    )
    """By the code of a step, shape [way, decision]: what every decision adds in it."""
    ways: Annotated[tuple[int, ...], HIDDEN] = field(default=(), repr=False, compare=False)
    """The ways that were walked, 0 there and 1 back."""

    @property
    def contributions(self) -> dict[str, Floats]:
        """By the code of a step, what every decision adds in it over all ways."""
        return {code: shares.sum(axis=0) for code, shares in self.shares.items()}

    @property
    def by_decision(self) -> Floats:
        """What every decision adds over all steps; empty without steps."""
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
OF_ANALYSIS: Final = (
    "engine.error-alone",
    "engine.other-cube-verdict",
    "engine.not-listed",
    "engine.other-best-move",
    "engine.level",
)
"""Why two analyses find another error, the first that holds."""
Labels = npt.NDArray[np.object_]


class Attribution:
    """The causes of all steps of one comparison; which file is on the left does not matter."""

    def __init__(self, aligned: Aligned, pairing: Pairing) -> None:
        self.aligned = aligned
        self._causes: Labels = np.full(len(aligned), "", object)
        self.differing = {(difference.game, difference.turn) for difference in pairing.differences}

    def causes(self, step: str, rows: Ints, before: Floats, after: Floats) -> Labels:
        """The cause of each of these decisions in a step.

        `before` and `after` are what both sides charge (`charges`) under one set of rules, before
        and after the analysis is exchanged.
        """
        if step in RULE_CAUSES:
            return np.full(len(rows), RULE_CAUSES[step], object)
        if step != "engine":
            return self._of_coverage[rows]
        old, new = before[:, rows], after[:, rows]
        differs, apart = old != new, np.abs(old[ERROR] - new[ERROR]) >= SAME_EQUITY
        # Of the same errors nothing changes but their share of a capped figure.
        causes = np.where(differs[ERROR] | differs[LOSS], "rounding", "conversion.cap").astype(
            object
        )
        causes[differs[COUNT]] = "engine.counting"
        causes[apart] = self.of_analysis(rows[apart])
        return causes

    @cached_property
    def _of_coverage(self) -> Labels:
        aligned, valid = self.aligned, Validity.VALID.value
        not_played = (aligned.column("validity", valid) != valid).any(axis=0)
        places = zip(aligned.game.tolist(), aligned.turn.tolist(), strict=True)
        unlike = [not self.differing.isdisjoint({place, (place[0], 0)}) for place in places]
        # Of what is common nothing changes but its share of a capped figure.
        chosen = aligned.common, aligned.paired, not_played, np.array(unlike, bool)
        names = ("conversion.cap", "coverage.not-analysed", "coverage.not-played")
        causes = np.select(chosen, (*names, "coverage.transcript"), "coverage.unpaired")
        return causes.astype(object)

    def of_analysis(self, rows: Ints) -> Labels:
        """Why two analyses find another error in decisions that both have."""
        new = rows[self._causes[rows] == ""]
        if len(new):
            self._causes[new] = self._of_analysis(new)
        return self._causes[rows]

    def _of_analysis(self, rows: Ints) -> Labels:
        aligned = self.aligned
        is_play, levels = aligned.kind[rows] == Kind.PLAY, aligned.level[:, rows]
        same_tool = len({side.match.source.tool for side in aligned.sides}) == 1
        unlisted = np.isnan(self.aligned.column("equity_played")[:, rows]).any(axis=0)
        moves = is_play & self._shown[rows] & ~unlisted
        moves[moves] = list(map(self._other_best_move, rows[moves].tolist()))
        chosen = (
            ~self._shown[rows],
            ~is_play & np.logical_xor(*self._right[:, rows]),
            is_play & unlisted,
            moves,
            (levels[0] != levels[1]) & same_tool,
        )
        return np.select(chosen, OF_ANALYSIS, "engine.error-size").astype(object)

    @cached_property
    def _shown(self) -> Bools:
        """Whether both sides have more of a decision than a stored error: candidates of a play, or
        the values of a cube decision."""
        aligned = self.aligned
        is_play = aligned.kind == Kind.PLAY
        equity = np.where(is_play, aligned.column("equity_best"), aligned.column("no_double"))
        silent = np.isnan(equity) & ~np.isnan(aligned.column("stored_error"))
        shown: Bools = ~(silent & (aligned.evaluated | ~is_play)).any(axis=0)
        return shown

    @cached_property
    def _right(self) -> Bools:
        """Shape [side, decision]: what is right in a cube decision by a side's own numbers.

        Of a double and of a turn without one: whether to double, also where it changes nothing. Of
        a response: whether to take.
        """
        on, take, passed = map(self.aligned.column, ("no_double", "double_take", "double_pass"))
        double = np.minimum(take, passed) >= on
        right: Bools = np.where(self.aligned.kind >= Kind.TAKE, take <= passed, double)
        return right

    def _other_best_move(self, decision: int) -> bool:
        """Whether the first candidates of a play lead to two positions."""
        rows = zip(self.aligned.sides, self.aligned.rows[:, decision].tolist(), strict=True)
        return len({_best_result(scored.match, row) for scored, row in rows}) > 1


def _best_result(match: Match, row: int) -> Counts | None:
    """The position that the first candidate leads to, mover's view; `None` where there is none or
    it does not fit."""
    for candidate in match.candidates(row)[:1]:
        with suppress(ValueError):
            return apply_play(match.plays.position[row].tolist(), candidate.play)
    return None
