"""What may be done to all figures of a program alike: undone first, so that it hides neither rules
nor faults behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Final

import numpy as np

from reconcile.infer.checks import FACTORS
from reconcile.infer.run import Run, Subject

GROUPS: Final = (
    ("pr",),
    ("*pr",),
    ("*pr", "error_rate_memg"),
    ("error_rate_memg",),
    ("snowie_*",),
    ("equity_error.*",),
    ("mwc_loss_percent.*",),
    ("equity_error.*", "mwc_loss_percent.*"),
)
"""Figures that are scaled together, by patterns of their names."""
LEAST_FIGURES: Final = 3
"""Figures that have to be right once it is undone, and wrong before."""
FEW_RIGHT: Final = 0.1
"""Share of the figures that it concerns up to which rules give but few of them as they are."""
LEAST_SHARE: Final = 0.3
"""The share that has to be right once it is undone, where few are before."""
LEAST_MORE: Final = 0.5
"""How much larger the share has to be once it is undone, where more than a few are right before."""


@dataclass(frozen=True, slots=True)
class Transformation:
    """One thing done to figures, and how to undo it."""

    check: str
    """The check that has its page."""
    words: str
    patterns: tuple[str, ...] = ("*",)
    """Of the names of the figures that it changes."""
    factor: float = 1.0
    exchanges: bool = False
    """Whether each player has the other's figures."""

    def concerns(self, name: str) -> bool:
        """Whether a figure is one of those that it changes."""
        return any(fnmatchcase(name, pattern) for pattern in self.patterns)

    def undone(self, subject: Subject) -> Subject:
        """A match with the figures as they are without it."""
        figures = []
        for seat, figure in subject.figures:
            if self.concerns(figure.metric):
                value, half = figure.value / self.factor, figure.half / self.factor
                figure = replace(figure, value=value, half=half)
            figures.append((seat ^ self.exchanges, figure))
        return replace(subject, figures=tuple(figures))


def transformations() -> Iterator[Transformation]:
    """All of them; the players first."""
    swapped = "the players are swapped: it gives each the figures of the other"
    yield Transformation("other-player", swapped, exchanges=True)
    for patterns in GROUPS:
        for number, times in FACTORS.items():
            words = f"figures are {times} what they should be"
            yield Transformation("factor", words, patterns, number)


def transformation_undone(run: Run) -> tuple[Transformation, Run] | None:
    """The transformation that shows most, and the run without it; `None` where none shows
    itself."""
    before = [run.fits(name) for name in run.rule_sets]
    best: tuple[Transformation, Run] | None = None
    most = -1
    for transformation in transformations():
        concerned = run.is_ruled & np.array(list(map(transformation.concerns, run.names)), bool)
        number = int(concerned.sum())
        if number < LEAST_FIGURES:
            continue
        right = max(float(fits[concerned].mean()) for fits in before)
        least = LEAST_SHARE if right <= FEW_RIGHT else right + LEAST_MORE
        if least > 1:
            continue
        after = Run(list(map(transformation.undone, run.subjects)))
        rules = max(after.rule_sets, key=after.number_of)
        shown = after.fits(rules)[concerned].sum()
        if shown >= max(LEAST_FIGURES, least * number) and after.number_of(rules) > most:
            best, most = (transformation, after), after.number_of(rules)
    return best
