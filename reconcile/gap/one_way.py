"""The way from one analysis to another in one direction, every figure's change split decision by decision."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.gap.paired_decisions import Items, Judged, Rows, judged_items
from reconcile.match.values import once
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import QUESTIONS, RuleSet
from reconcile.scoring.figures import CAPPED, cap_of, point_factor
from reconcile.scoring.metric import Form, Metric
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.open_rules import can_matter
from reconcile.scoring.score import Scored, score

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class State:
    """All a figure needs; `error` and `count` have a last axis of decisions, `factor` and `cap` one of length 1."""

    form: Form
    error: Vector
    count: Vector
    factor: Vector
    cap: Vector
    """Infinite where there is none."""

    def __getitem__(self, which: Any) -> State:
        """Some states of a stack."""
        return State(
            self.form, self.error[which], self.count[which], self.factor[which], self.cap[which]
        )

    def followed_by(self, other: State) -> State:
        """This stack of states, and then another one."""
        joined = (
            np.concatenate((getattr(self, name), getattr(other, name)))
            for name in ("error", "count", "factor", "cap")
        )
        return State(self.form, *joined)

    @property
    def defined(self) -> npt.NDArray[np.bool_]:
        """Whether a figure can be computed: a rate needs a decision that counts."""
        defined: npt.NDArray[np.bool_] = (self.count.sum(axis=-1) != 0) | (
            self.form is not Form.RATE
        )
        return defined

    def figure(self) -> Vector:
        """The figure, on a last axis of length 1."""
        if self.form is not Form.RATE:
            summed: Vector = (self.count if self.form is Form.COUNT else self.error).sum(
                axis=-1, keepdims=True
            )
            return summed
        rate: Vector = (
            self.factor
            * self.error.sum(axis=-1, keepdims=True)
            / self.count.sum(axis=-1, keepdims=True)
        )
        shown: Vector = np.minimum(rate, self.cap)
        return shown


def contributions(before: State, after: State) -> Vector:
    """What every decision adds to the change of a figure between two defined states; adds up to the change exactly."""
    if before.form is Form.COUNT:
        return after.count - before.count
    if before.form is Form.ERROR:
        return after.error - before.error
    e0, e1 = (state.error.sum(axis=-1, keepdims=True) for state in (before, after))
    n0, n1 = (state.count.sum(axis=-1, keepdims=True) for state in (before, after))
    factor = after.factor
    shares: Vector = factor * (after.error - before.error) * ((1 / n0 + 1 / n1) / 2)
    shares -= factor * (after.count - before.count) * ((e0 + e1) / (2 * n0 * n1))
    shares += before.error * ((factor - before.factor) / n0)
    capped = (before.factor * e0 / n0 > before.cap) | (factor * e1 / n1 > after.cap)
    if capped.any():
        shares = np.where(capped, _proportional(after, e1) - _proportional(before, e0), shares)
    return shares


def _proportional(state: State, total: Vector) -> Vector:
    """A figure shared in proportion to the errors; nothing where there is none."""
    shares: Vector = state.error * np.divide(
        state.figure(), total, out=np.zeros_like(total), where=total != 0
    )
    return shares


DEAD_CUBES: Final = "Q16"
"""The question that counts dead cubes."""
AFTER_THE_RULES: Final = ("coverage-left", "engine", "coverage-right")
"""The steps that follow those of the rules."""


class Stages(NamedTuple):
    """What the steps of a way change in one figure: an array for each, with a first axis of steps."""

    codes: tuple[str, ...]
    rows: Rows
    """The items that the figure looks at."""
    shares: Vector
    """The shares of these items."""
    low: Vector
    """The smallest and the largest change that another order of the rules would give."""
    high: Vector


@dataclass(eq=False, repr=False)
class Way:
    """From the first side to the second; what it needs is scored when first asked for, and once.

    `items` are the decisions of both, the first side's on the left. `rules` are those that the second side was asked to count by.
    `names` are what the two files are called.
    """

    left: Scored
    right: Scored
    items: Items
    rules: RuleSet
    names: tuple[str, str] = ("left", "right")

    @cached_property
    def target(self) -> RuleSet:
        """The right side's rules, as far as the left file has what they need."""
        return self.rules.for_match(self.left.match)[0]

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """The questions that are switched, in order."""
        return tuple(
            code
            for code, question in QUESTIONS.items()
            if question.effect is not Effect.NAMES
            and (
                self.left.met is not self.right.met
                if code == "Q11"
                else self.left.rules.answers[code] != self.target.answers[code]
            )
            and can_matter(code, self.left.match)
        )

    def judged(self, switched: frozenset[str]) -> Judged:
        """The left file's decisions with these questions answered as the right side answers them.

        Dead cubes that one file alone evaluates go in one step from what the one says of them to what the other does: counted first with
        their plays, then left out because nobody evaluated them, and then put in again by their values, they would be three steps.
        """
        return self._under(
            frozenset(code for code in switched if QUESTIONS[code].effect is not Effect.RATE)
        )

    @once
    def _under(self, switched: frozenset[str]) -> Judged:
        rules = self.left.rules
        for code in switched:
            rules = rules.switched(code, self.target.answers[code])
        scored = (
            score(self.left.match, rules, self.right.met if "Q11" in switched else self.left.met)
            if switched
            else self.left
        )
        judged = judged_items(scored, self.items.left)
        if switched and self.items.dead.any():
            judged = judged.replaced(
                self.items.dead,
                self.landing if DEAD_CUBES in switched else self.judged(frozenset()),
            )
        return judged

    @cached_property
    def landing(self) -> Judged:
        """The right file's decisions under its own rules."""
        return judged_items(self.right, self.items.right)

    @cached_property
    def ruled(self) -> Judged:
        """The left file's decisions under the right side's rules."""
        return self.judged(frozenset(self.questions))

    @cached_property
    def _orders(self) -> list[frozenset[str]]:
        """Every set of switched questions; bit i of its index is question i."""
        codes = self.questions
        return [
            frozenset(code for bit, code in enumerate(codes) if mask >> bit & 1)
            for mask in range(1 << len(codes))
        ]

    @cached_property
    def _stack(self) -> dict[str, Vector]:
        """Columns of `judged` for every set of switched questions, and last for the right file."""
        every = [*map(self.judged, self._orders), self.landing]
        return {
            name: np.array([getattr(judged, name) for judged in every])
            for name in ("error", "loss", "count", "moves")
        }

    def _constants(self, figure: Metric) -> tuple[Vector, Vector]:
        """Factor and cap of a figure for every row of the stack."""
        sides = self.left.rules, self.target, self.right.rules
        scaled, capped = self.left.match.length == 1 and not figure.per_move, figure.name == CAPPED
        scale = [float(point_factor(rules, scaled)) for rules in sides]
        cap = [cap_of(rules) if capped else inf for rules in sides]
        scales = [scale["Q09" in switched] for switched in self._orders] + scale[2:]
        caps = [cap["Q13" in switched] for switched in self._orders] + cap[2:]
        return np.array(scales)[:, None] * figure.factor, np.array(caps)[:, None]

    def _states(
        self, figure: Metric, owner: int, inside: npt.NDArray[np.bool_]
    ) -> tuple[Rows, State, State]:
        """The items a figure looks at; its states on the left under every set of switched questions; and its states after that."""
        items = self.items
        errors = items.player == owner
        if figure.classes:
            errors &= np.isin(items.decision_class, figure.classes)
        counts = np.ones(len(errors), bool) if figure.per_move else errors
        rows = np.flatnonzero(inside & (errors | counts))
        on_left, on_right, common = (
            kept[rows] for kept in (items.left >= 0, items.right >= 0, items.common)
        )
        error = self._stack["loss" if figure.in_mwc else "error"][:, rows] * errors[rows]
        count = self._stack["moves" if figure.per_move else "count"][:, rows] * counts[rows]
        factor, cap = self._constants(figure)
        form = figure.form or Form.ERROR
        ruled = State(form, error[:-1] * on_left, count[:-1] * on_left, factor[:-1], cap[:-1])
        last = [len(error) - 2, len(error) - 1, len(error) - 1]
        keep = np.stack((common, common, on_right))
        return (
            rows,
            ruled,
            State(form, error[last] * keep, count[last] * keep, factor[last], cap[last]),
        )

    def stages(
        self, name: str, owner: int, inside: npt.NDArray[np.bool_], unknown: str = ""
    ) -> Stages | str:
        """What every step changes in a figure of seat `owner` over these items; or why there is no way, in words.

        `unknown` says so where the figure of a side is not known. The rules are switched in the order of their codes; `low` and `high`
        are what every other order would give.
        """
        rows, ruled, after = self._states(METRICS[name], owner, inside)
        if reason := self._reason(ruled, after, unknown):
            return reason
        rules = len(self.questions)
        chain = ruled[[(1 << done) - 1 for done in range(rules + 1)]].followed_by(after)
        shares = contributions(chain[:-1], chain[1:])
        low = shares.sum(axis=1)
        high = low.copy()
        if (
            rules and ruled.defined.all()
        ):  # else a rate has no value under some set of rules, and no order is known but the documented one
            before, now = self._switches
            figures = ruled.figure()[:, 0]
            changes = figures[now] - figures[before]
            low[:rules], high[:rules] = changes.min(axis=1), changes.max(axis=1)
        return Stages((*self.questions, *AFTER_THE_RULES), rows, shares, low, high)

    @cached_property
    def _switches(self) -> tuple[Rows, Rows]:
        """For every question the sets of questions without it, and the same with it."""
        masks = np.arange(1 << len(self.questions))
        before = np.array([masks[masks >> bit & 1 == 0] for bit in range(len(self.questions))])
        return before, before | (1 << np.arange(len(before)))[:, None]

    def _reason(self, ruled: State, after: State, unknown: str) -> str:
        """Why no way can be walked; empty where one can."""
        if np.isnan(ruled.error).any() or np.isnan(after.error).any():
            return f"{self.right.met.name} table does not have a score at which the {self.names[0]} file has an error"
        if unknown:
            return unknown
        for position, code in enumerate(self.questions):
            if not ruled.defined[(2 << position) - 1]:
                return f"no decision of the {self.names[0]} file counts once {code} is switched"
        return "" if after.defined.all() else "the files have no counted decision in common"
