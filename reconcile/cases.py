"""Every judged figure of a result as one flat case: what gates and lists of figures are made from.

A case has a stable id, so that one run can be held against another: JUnit, annotations, the badge, the pytest plugin and `diff`
all go by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reconcile.comparison import OUTSIDE, Comparison, Figure
from reconcile.metrics import SHORT

if TYPE_CHECKING:
    from reconcile.reference import PackResult


@dataclass(frozen=True, slots=True)
class Case:
    """One figure of one player, judged."""

    match: str
    """Id of the reference match; for a plain comparison the names of the two files."""
    suite: str
    """What was judged: `reported xg`, `xg against gnubg`, `candidate NAME`."""
    figure: Figure
    comparison: Comparison | None
    """Where the figure has a bridge."""

    @property
    def metric(self) -> str:
        """The metric under its short name."""
        return SHORT.get(self.figure.metric, self.figure.metric)

    @property
    def id(self) -> str:
        """The same from run to run: match, suite, player, metric."""
        return "::".join((self.match, self.suite, self.figure.player, self.metric))

    @property
    def fails(self) -> bool:
        """Whether it makes the exit code 1 at the default level."""
        return self.figure.verdict == OUTSIDE and self.figure.level == "error"

    @property
    def excess(self) -> float:
        """How many tolerances wide the gap is; 0 where there is none."""
        figure = self.figure
        if figure.gap is None or figure.tolerance is None:
            return 0.0
        return abs(figure.gap) / figure.tolerance if figure.tolerance else (float("inf") if figure.gap else 0.0)


def comparison_cases(comparison: Comparison, match: str, suite: str) -> Iterator[Case]:
    """The judged figures of one comparison."""
    for figure in comparison.judged:
        yield Case(match, suite, figure, comparison)


def pack_cases(result: PackResult) -> Iterator[Case]:
    """The judged figures of a pack, in its order."""
    for match in result.matches:
        for reported in match.reported:
            for figure in reported.figures:
                yield Case(match.manifest.id, f"reported {reported.file}", figure, None)
        for pair in match.pairs:
            if pair.gates:
                yield from comparison_cases(pair.comparison, match.manifest.id, f"{pair.pair.left} against {pair.pair.right}")
