"""The arithmetic of a bridge: what a figure is made of, and what every decision adds when it changes.

A figure is E (a sum), N (a count) or f E/N (a rate) over decisions with error e and count n. Between two states of a rate a
decision contributes `f de (1/N + 1/N')/2 - f dn (E + E')/(2 N N')`, and `e (f' - f)/N` where the factor changes; these add up to
the change with no residual. A capped figure is shared in proportion to e.

All functions work on one state or on a stack of states at once: the last axis is the decisions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from reconcile.scoring.figures import Form

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
        return State(self.form, self.error[which], self.count[which], self.factor[which], self.cap[which])

    def followed_by(self, other: State) -> State:
        """This stack of states, and then another one."""
        joined = (np.concatenate((getattr(self, name), getattr(other, name))) for name in ("error", "count", "factor", "cap"))
        return State(self.form, *joined)

    @property
    def defined(self) -> npt.NDArray[np.bool_]:
        """Whether a figure can be computed: a rate needs a decision that counts."""
        decisions: npt.NDArray[np.bool_] = self.count.sum(axis=-1) != 0
        return decisions if self.form is Form.RATE else np.ones_like(decisions)

    def figure(self) -> Vector:
        """The figure, on a last axis of length 1."""
        if self.form is not Form.RATE:
            summed: Vector = (self.count if self.form is Form.COUNT else self.error).sum(axis=-1, keepdims=True)
            return summed
        rate: Vector = self.factor * self.error.sum(axis=-1, keepdims=True) / self.count.sum(axis=-1, keepdims=True)
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
    shares: Vector = state.error * np.divide(state.figure(), total, out=np.zeros_like(total), where=total != 0)
    return shares
