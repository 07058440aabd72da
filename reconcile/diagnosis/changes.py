"""The one or two answers in which a program differs from a known rule set, by all its matches at once.

A change has to prove itself: it makes no match worse and improves more than one, or it accounts for everything there is, or a change
that fits by chance is unlikely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from reconcile.columns import Bools
from reconcile.diagnosis.case import Case
from reconcile.diagnosis.checks.check import SAFE
from reconcile.diagnosis.run import Run
from reconcile.rules.rulesets import QUESTIONS, RuleSet

MOST_PAIRS: Final = 400
"""Pairs of changes tried for a rule set."""
MOST_BASES: Final = 3
"""Known rule sets from which two changes are tried beside the references' own, those that give most figures first."""

Change = tuple[str, str]
"""A question and the answer to it."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A known rule set with one or two other answers."""

    rules: str
    changes: tuple[Change, ...]
    fits: Bools
    """Which figures of the run it gives."""
    before: int
    """How many the rule set gives without them."""
    improved: tuple[str, ...]
    """The matches of which it gives more figures."""
    also: tuple[tuple[Change, ...], ...] = ()
    """Other changes to the same rule set that give the same figures."""

    def applied(self, rules: RuleSet) -> RuleSet:
        """A rule set with these answers."""
        for code, answer in self.changes:
            rules = rules.switched(code, answer)
        return rules


def best_changes(run: Run, bases: Sequence[str], *, pairs: bool = True) -> Changed | None:
    """The change to one of the rule sets that gives most figures of a run; `None` where none proves itself.

    One change is preferred to two that give as many figures, and the rule sets in their order. Two are tried for the first rule sets, and
    only if they may give most of the figures.
    """
    found: Changed | None = None
    known = int(run.fits(bases[0]).sum())
    first = tuple(dict.fromkeys((*bases[:MOST_BASES], run.own, *(subject.own.name for subject in run.subjects))))
    for number in (1, 2) if pairs else (1,):
        for name in bases if number == 1 else first:
            least = max(known if found is None else int(found.fits.sum()), (number - 1) * run.given // 2) + 1
            one = _best(run, name, number, least)
            if one is not None and (found is None or one.fits.sum() > found.fits.sum()):
                found = one
            if found is not None and found.fits.all():
                return found
    return found


def _best(run: Run, name: str, number: int, least: int) -> Changed | None:
    """The best of so many changes to a rule set that give at least so many figures, if it proves itself."""
    before = run.fits(name)
    matches = [run.of_match == index for index in range(len(run.subjects))]
    singles = _singles(run, name)
    options: Sequence[tuple[Change, ...]] = [(one,) for one in singles]
    if number > 1:
        options = [(one, two) for one, two in combinations(_moving(run, name, singles), 2) if one[0] != two[0]][:MOST_PAIRS]
    tried = _tried(run, name, options, before, matches, max(least, int(before.sum()) + 1))
    return _proved(run, name, before, matches, tried, len(options))


def _tried(
    run: Run, name: str, options: Sequence[tuple[Change, ...]], before: Bools, matches: Sequence[Bools], least: int
) -> list[tuple[tuple[Change, ...], Bools]]:
    """The options that make no match worse, with the figures that they give."""
    found = ((option, _joined(run, name, option, before, matches, least)) for option in options)
    return [(option, fits) for option, fits in found if fits is not None]


def _singles(run: Run, name: str) -> list[Change]:
    """Every other answer to every question that can change a figure of any of the matches."""
    found = []
    for code, question in QUESTIONS.items():
        own = {run.rules(subject, name).answers[code] for subject in run.subjects}
        if question.is_varied and any(question.matters(subject.match) for subject in run.subjects):
            found += [(code, answer) for answer in question.answers if own != {answer}]
    return found


def _moving(run: Run, name: str, singles: Sequence[Change]) -> list[Change]:
    """The changes that move any of the figures, one of those that do the same."""
    plain = [run.values_of(index, run.rules(subject, name)) for index, subject in enumerate(run.subjects)]
    found: dict[bytes, Change] = {}
    for change in singles:
        moved = []
        for index, subject in enumerate(run.subjects):
            values = run.values_of(index, run.rules(subject, name).switched(*change))
            moved.append(np.nan_to_num(values - plain[index], nan=-1.0))
        shift = np.concatenate(moved).round(9)
        if shift.any():
            found.setdefault(shift.tobytes(), change)  # of those that do the same in these matches one will do
    return list(found.values())


def _joined(run: Run, name: str, changes: tuple[Change, ...], before: Bools, matches: Sequence[Bools], least: int) -> Bools | None:
    """Which figures a changed rule set gives; `None` as soon as a match becomes worse or the sum cannot reach `least`."""
    parts: list[Bools] = [before[match] for match in matches]
    possible = len(before)
    for index in sorted(range(len(parts)), key=lambda index: int(parts[index].sum()) - len(parts[index])):
        rules = run.rules(run.subjects[index], name)
        for change in changes:
            rules = rules.switched(*change)
        fits = run.fits_of(index, rules)
        possible -= int((~fits).sum())
        if fits.sum() < parts[index].sum() or possible < least:
            return None
        parts[index] = fits
    return np.concatenate(parts)


def _proved(
    run: Run, name: str, before: Bools, matches: Sequence[Bools], tried: Sequence[tuple[tuple[Change, ...], Bools]], number: int
) -> Changed | None:
    """The first of those that give most figures, if that is no accident of one match."""
    most = max((int(fits.sum()) for _, fits in tried), default=0)
    if most <= before.sum():
        return None
    best = [(changes, fits) for changes, fits in tried if fits.sum() == most]
    changes, fits = best[0]
    improved = tuple(
        subject.id for subject, match in zip(run.subjects, matches, strict=True) if (fits & match).sum() > (before & match).sum()
    )
    several = len(improved) > len(changes)
    if not (several and fits.all()) and number * _chance(run, name, before, fits) > SAFE:
        return None
    same = tuple(other for other, theirs in best[1:] if np.array_equal(theirs, fits))
    return Changed(name, changes, fits, int(before.sum()), improved, same)


def _chance(run: Run, name: str, before: Bools, fits: Bools) -> float:
    """How likely the figures that a change adds fit by chance, each player's by the figure that proves most."""
    chance, start = 1.0, 0
    for case in run.cases:
        gained = slice(start, start + len(case.wanted))
        chance *= _of_case(case, run.key(case, name), fits[gained] & ~before[gained])
        start = gained.stop
    return chance


def _of_case(case: Case, rules: str, gained: Bools) -> float:
    return case.accident_near(case.figures(rules), gained) if gained.any() else 1.0
