"""What a gap taken apart looks like: bridges, their steps, and the share of single decisions. `reconcile.gap.walk` makes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.match import Decision

Vector = npt.NDArray[np.float64]

DECISIONS: Final = "decisions"
"""The format of a side that is a list of decisions, without an analysis of its own."""
SHARES: Final = {"rules": "counting rules", "engine": "analysis", "coverage": "coverage", "reporting": "reporting"}
"""What a gap is made of: key as in tolerances, and in words."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a bridge."""

    code: str
    """`reported-left`, `Q01`...`Q14` (a rule switched), `coverage-left`, `engine` (`listed` where the right side is a list of
    decisions), `coverage-right`, `reported-right`."""
    title: str
    change: float
    decisions: int
    """How many decisions moved the figure in this step."""
    low: float | None = None
    high: float | None = None
    """Smallest and largest change that another order of the steps, or the other direction, would give, where these differ."""


class ByWay(NamedTuple):
    """What the contributions of a bridge are the sum of."""

    rows: npt.NDArray[np.int64]
    """The items that its figure looks at."""
    parts: tuple[tuple[int, Vector], ...]
    """The ways that were walked, 0 there and 1 back, each with its part for every step and row."""


NO_WAY: Final = ByWay(np.zeros(0, np.int64), ())


@dataclass(frozen=True, slots=True)
class Bridge:
    """From the left figure of a player to the right one."""

    player: str
    metric: str
    start: float | None
    end: float | None
    steps: tuple[Step, ...]
    reason: str = ""
    """Why there is no bridge, where `steps` is empty."""
    contributions: tuple[tuple[str, Vector], ...] = field(default=(), repr=False, compare=False)
    """Step code and the contribution of every item."""
    by_way: ByWay = field(default=NO_WAY, repr=False, compare=False)
    """The same by direction, for the ledger."""


def share_of(step: Step | str) -> str:
    """Which share of a gap a step belongs to: `rules`, `engine`, `coverage` or `reporting`."""
    code = step if isinstance(step, str) else step.code
    return {"eng": "engine", "lis": "engine", "cov": "coverage", "rep": "reporting"}.get(code[:3], "rules")


def shares(bridge: Bridge) -> dict[str, float]:
    """What each share adds to the gap, in the order of the steps; shares without a step are left out."""
    sums: dict[str, float] = {}
    for step in bridge.steps:
        key = share_of(step)
        sums[key] = sums.get(key, 0.0) + step.change
    return sums


@dataclass(frozen=True, slots=True)
class SideOfDecision:
    """What one file says of a decision."""

    decision: Decision
    counted: bool
    error: float | None
    """Equity lost (EMG) under the side's own rules; `None` where not analysed."""
    level: str
    no_double: float | None = None
    double_take: float | None = None
    double_pass: float | None = None
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
