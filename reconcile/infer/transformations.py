"""What may be done to all figures of a program alike: undone first, so that it hides neither rules nor faults behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reconcile.infer.checks.printed import FACTORS
from reconcile.infer.reported import Reported
from reconcile.infer.run import Case, Run, Subject
from reconcile.match.columns import Bools

GROUPS: Final = (
    ("pr",),
    ("pr", "checker_pr", "cube_pr"),
    ("pr", "checker_pr", "cube_pr", "error_rate_memg"),
    ("error_rate_memg",),
    ("snowie_er", "snowie_memg"),
    ("equity_error.",),
    ("mwc_loss_percent.",),
    ("equity_error.", "mwc_loss_percent."),
)
"""Figures that are scaled together, by the beginnings of their names."""
SHOWS: Final = 3
"""Figures that have to be right once it is undone, and wrong before."""
FEW: Final = 0.1
SOME: Final = 0.3
MORE: Final = 0.5
"""Of the figures that it concerns, where rules give few before, some have to be right once it is undone; otherwise half of all more."""


@dataclass(frozen=True, slots=True)
class Transformation:
    """One thing done to figures, and how to undo it."""

    code: str
    """Of the check that has its page."""
    kind: str
    """In words, for a factor."""
    concerns: Callable[[str], bool]
    """Whether a figure is one of those that it changes."""
    undo: Callable[[Case], Case]


def transformations() -> Iterator[Transformation]:
    """All of them; the players first."""
    yield Transformation(
        "other-player", "", lambda name: True, lambda case: replace(case, seat=1 - case.seat)
    )
    for group in GROUPS:
        for number, words in FACTORS:
            yield Transformation("factor", words, _begins(group), _scaled(group, number))


def _begins(group: Sequence[str]) -> Callable[[str], bool]:
    return lambda name: any(
        name == start or (start.endswith(".") and name.startswith(start)) for start in group
    )


def _scaled(group: Sequence[str], times: float) -> Callable[[Case], Case]:
    concerned = _begins(group)

    def part(figures: Sequence[Reported]) -> tuple[Reported, ...]:
        return tuple(
            replace(one, value=one.value / times, half=one.half / times)
            if concerned(one.metric)
            else one
            for one in figures
        )

    return lambda case: replace(case, wanted=part(case.wanted), others=part(case.others))


def undone(run: Run) -> tuple[Transformation, list[Subject]] | None:
    """The transformation that shows most, and the matches without it; `None` where none shows itself."""
    before = {name: run.fits(name) for name in run.known}
    best: tuple[int, Transformation, list[Subject]] | None = None
    for transformation in transformations():
        mine = np.array(
            [transformation.concerns(one.metric) for case in run.cases for one in case.wanted], bool
        )
        if mine.sum() < SHOWS:
            continue
        wrong = max(float(fits[mine].mean()) for fits in before.values())
        least = SOME if wrong <= FEW else wrong + MORE
        if least > 1:
            continue
        subjects = [
            replace(subject, cases=tuple(map(transformation.undo, subject.cases)))
            for subject in run.subjects
        ]
        right, more = _shown(Run(subjects), before, mine)
        if right >= max(SHOWS, least * mine.sum()) and (best is None or more > best[0]):
            best = more, transformation, subjects
    return best and best[1:]


def _shown(run: Run, before: dict[str, Bools], mine: Bools) -> tuple[int, int]:
    """How many of the figures that are concerned the best rules give, and how many more of all than any rules before."""
    fits = {name: run.fits(name) for name in run.known}
    best = max(fits, key=lambda name: int(fits[name].sum()))
    most = max(int(one.sum()) for one in before.values())
    return int(fits[best][mine].sum()), int(fits[best].sum()) - most
