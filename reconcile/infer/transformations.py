"""What may be done to all figures of a program alike: undone first, so that it hides neither rules
nor faults behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Final

import numpy as np

from reconcile.infer.checks import FACTORS
from reconcile.infer.reported import Reported
from reconcile.infer.run import Run

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
Figure = tuple[int, Reported]
"""The seat of its player, and the figure."""


@dataclass(frozen=True, slots=True)
class Transformation:
    """One thing done to figures, and how to undo it."""

    check: str
    """The check that has its page."""
    words: str
    undo: Callable[[Figure], Figure]
    patterns: tuple[str, ...] = ("*",)
    """Of the names of the figures that it changes."""

    def concerns(self, name: str) -> bool:
        """Whether a figure is one of those that it changes."""
        return any(fnmatchcase(name, pattern) for pattern in self.patterns)

    def undone(self, figure: Figure) -> Figure:
        """A figure without it."""
        return self.undo(figure) if self.concerns(figure[1].metric) else figure


def transformations() -> Iterator[Transformation]:
    """All of them; the players first."""
    swapped = "the players are swapped: it gives each the figures of the other"
    yield Transformation("other-player", swapped, lambda figure: (1 - figure[0], figure[1]))
    for patterns in GROUPS:
        for number, words in FACTORS.items():
            sentence = f"figures are {words} what they should be"
            yield Transformation("factor", sentence, _divided_by(number), patterns)


def _divided_by(number: float) -> Callable[[Figure], Figure]:
    return lambda figure: (
        figure[0],
        replace(figure[1], value=figure[1].value / number, half=figure[1].half / number),
    )


def transformation_undone(run: Run) -> tuple[Transformation, Run] | None:
    """The transformation that shows most, and the run without it; `None` where none shows
    itself."""
    before = [run.fits(name) for name in run.rule_sets]
    most = max(map(run.number_of, run.rule_sets))
    best: tuple[int, Transformation, Run] | None = None
    for transformation in transformations():
        concerned = run.is_ruled & np.array(list(map(transformation.concerns, run.names)), bool)
        number = int(concerned.sum())
        if number < LEAST_FIGURES:
            continue
        right = max(float(fits[concerned].mean()) for fits in before)
        least = LEAST_SHARE if right <= FEW_RIGHT else right + LEAST_MORE
        if least > 1:
            continue
        after = Run(
            [
                replace(subject, figures=tuple(map(transformation.undone, subject.figures)))
                for subject in run.subjects
            ]
        )
        rules = max(after.rule_sets, key=after.number_of)
        gained, shown = after.number_of(rules) - most, after.fits(rules)[concerned].sum()
        is_shown = shown >= max(LEAST_FIGURES, least * number)
        if is_shown and (best is None or gained > best[0]):
            best = gained, transformation, after
    return best and best[1:]
