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
SHOWS: Final = 3
"""Figures that have to be right once it is undone, and wrong before."""
FEW: Final = 0.1
SOME: Final = 0.3
MORE: Final = 0.5
"""Of the figures that it concerns, where rules give few before, some have to be right once it is
undone; otherwise half of all more."""
Figure = tuple[int, Reported]
"""With its seat."""


@dataclass(frozen=True, slots=True)
class Transformation:
    """One thing done to figures, and how to undo it."""

    check: str
    """The check that has its page."""
    words: str
    concerns: Callable[[str], bool]
    """Whether a figure is one of those that it changes."""
    undo: Callable[[Figure], Figure]


def transformations() -> Iterator[Transformation]:
    """All of them; the players first."""
    swapped = "the players are swapped: it gives each the figures of the other"
    yield Transformation(
        "other-player", swapped, lambda name: True, lambda figure: (1 - figure[0], figure[1])
    )
    for patterns in GROUPS:
        for number, words in FACTORS:
            yield _factor(patterns, number, f"figures are {words} what they should be")


def _factor(patterns: tuple[str, ...], number: float, words: str) -> Transformation:
    def concerns(name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in patterns)

    def undo(figure: Figure) -> Figure:
        seat, reported = figure
        if not concerns(reported.metric):
            return figure
        return seat, replace(reported, value=reported.value / number, half=reported.half / number)

    return Transformation("factor", words, concerns, undo)


def undone(run: Run) -> tuple[Transformation, Run] | None:
    """The transformation that shows most, and the run without it; `None` where none shows
    itself."""
    before = {name: run.fits(name) for name in run.rule_sets}
    most = max(int(fits.sum()) for fits in before.values())
    best: tuple[int, Transformation, Run] | None = None
    for transformation in transformations():
        mine = np.array(
            [transformation.concerns(reported.metric) for _, reported in run.ruled], bool
        )
        if mine.sum() < SHOWS:
            continue
        right = max(float(fits[mine].mean()) for fits in before.values())
        least = SOME if right <= FEW else right + MORE
        if least > 1:
            continue
        after = Run([_without(subject, transformation) for subject in run.subjects])
        fits = max((after.fits(name) for name in run.rule_sets), key=lambda fits: int(fits.sum()))
        gained = int(fits.sum()) - most
        shown = int(fits[mine].sum()) >= max(SHOWS, least * mine.sum())
        if shown and (best is None or gained > best[0]):
            best = gained, transformation, after
    return best and best[1:]


def _without(subject: Subject, transformation: Transformation) -> Subject:
    return replace(subject, figures=tuple(map(transformation.undo, subject.figures)))
