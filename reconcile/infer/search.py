"""Which known faults, or other answers, give every figure that a program gave of a match: the core of every diagnosis.

A cause is named only if with it every figure is right. So one printed figure is enough to refute it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from reconcile.errors import ReconcileError
from reconcile.infer.reported import Reported, fits_figure
from reconcile.infer.scorer import Both, Fault, counted, figures
from reconcile.match.match import Match
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.score import score
from reconcile.scoring.statistics import Statistics, one_figure, table_of


@dataclass(frozen=True, eq=False)
class Observed:
    """A match, the rules by which a program counts it but for its faults, and the figures that it gave, by seat."""

    match: Match
    rules: RuleSet
    given: Sequence[tuple[int, Reported]]
    earlier: Callable[[], Sequence[Both]] = tuple
    """The figures of the matches before, by these rules."""
    tried: dict[tuple[int, ...], bool] = field(default_factory=dict, repr=False)
    """By faults, whether they give every figure."""

    def fits(self, faults: Sequence[Fault]) -> bool:
        """Whether a program with these faults gives every figure that this one gave."""
        key = tuple(map(id, faults))
        if key not in self.tried:
            self.tried[key] = self._fits(faults)
        return self.tried[key]

    @cached_property
    def plain(self) -> Statistics:
        """The match by these rules. Raises as `score` does."""
        return Statistics(score(self.match, self.rules, table_of(self.match, self.rules)))

    def leaves(self, fault: Fault) -> bool:
        """Whether a fault changes none of the given figures."""
        right, wrong = (
            figures(self.match, self.rules, faults, self.plain) for faults in ((), (fault,))
        )
        return all(
            right[seat].get(one.metric) == wrong[seat].get(one.metric) for seat, one in self.given
        )

    def _fits(self, faults: Sequence[Fault]) -> bool:
        try:
            if any(fault.of_figures or fault.of_earlier for fault in faults):
                before = self.earlier() if any(fault.of_earlier for fault in faults) else ()
                both = figures(self.match, self.rules, faults, self.plain, before)
                return all(fits_figure(both[seat].get(one.metric), one) for seat, one in self.given)
            made = counted(self.match, self.rules, faults, self.plain)
            with np.errstate(invalid="ignore", over="ignore"):
                return all(
                    fits_figure(one_figure(made, seat, one.metric), one) for seat, one in self.given
                )  # mostly the first few refute it
        except (ReconcileError, ValueError):  # such as a score that no match has
            return False


def single(observed: Sequence[Observed], every: Sequence[Fault]) -> Iterator[Fault]:
    """The faults that alone give every figure; what is likely to refute most should come first in `observed`."""
    return (fault for fault in every if all(one.fits((fault,)) for one in observed))
