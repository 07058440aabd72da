"""The ordinary mistakes of a program, by all its matches: a check that holds in every match where the figures do not fit, or in several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from reconcile.diagnosis.case import Case
from reconcile.diagnosis.checks import CHECKS
from reconcile.diagnosis.checks.check import MOST_IF_EXPLAINED, SAFE, Check, Fit, Place
from reconcile.diagnosis.run import Run
from reconcile.files.wording import some

NO_FIGURES: Final = ("other-tool", "misprint", "level")
"""Checks that say why no rules give the figures, and do not give them either. A program under test may print what a tool does not."""
MOST_MISSES: Final = 4
"""With so many players for whom it does not hold, and none for whom it does, a check is not tried on the others."""
FEW: Final = 8
"""A check with at most so many alternatives that accounts for every figure of several matches is no accident."""
MOST: Final = 3
"""Faults that are named."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A mistake that a program makes."""

    code: str
    brief: str
    """What it does, in a few words: `the players are swapped`."""
    sentence: str
    """In which matches, how many figures that accounts for, and the first of them as an example."""
    rules: str
    """The rule set under which it accounts for most."""
    matches: tuple[str, ...]
    """Ids of the matches in which it shows."""
    everywhere: bool
    """Whether it holds in every match whose figures do not fit otherwise."""
    explained: int
    """Figures that the rules give with it and without it."""
    decisions: tuple[tuple[str, Place], ...] = ()
    """Where one decision is missing or counts twice: those that it may be, each after the id of its match."""


@dataclass(slots=True)
class _Tried:
    """A check under a rule set, case by case."""

    check: Check
    rules: str
    kind: str
    found: list[tuple[str, Case, Fit]] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    """Matches whose figures it does not account for."""
    explained: int = 0

    @property
    def matches(self) -> tuple[str, ...]:
        """The matches in which it shows."""
        return tuple(dict.fromkeys(name for name, _, _ in self.found))

    @property
    def accidents(self) -> float:
        """How many such alternatives can be expected to fit by chance."""
        return max(fit.tried for _, _, fit in self.found) * float(np.prod([min(fit.chance, 1.0) for _, _, fit in self.found]))


def faults_of(run: Run, best: str, *, last: bool = False) -> tuple[Fault, ...]:
    """The faults that account for more figures than the best known rule set alone, those that account for most first.

    With `last` those that are thought of only when nothing else accounts for the figures. Where the rules give every figure that depends
    on rules, only luck can be wrong.
    """
    fits = run.fits(best)
    known = int(fits.sum())
    checks = [one for one in CHECKS.values() if one.last == last and one.code not in NO_FIGURES]
    holding: list[_Tried] = []
    for rules in dict.fromkeys((run.own, best, *run.known)):
        for check in [CHECKS["sign"]] if fits.all() else checks:
            if not check.own or rules in (run.own, best):
                holding += [one for one in _tried(run, check, rules) if one.explained > known and _holds(run, one)]
        if any(one.explained >= run.given for one in holding):
            break
    order = list(CHECKS)
    holding.sort(key=lambda one: (-one.explained, order.index(one.check.code), run.known.index(one.rules)))
    named: dict[str, _Tried] = {}
    for one in holding:
        named.setdefault(one.check.code, one)
    return tuple(_fault(run, one) for one in list(named.values())[:MOST])


def another_analysis(run: Run) -> tuple[Fault, ...]:
    """What shows that the figures come from another analysis of the matches, where no rules and no mistake give them."""
    tried = _tried(run, CHECKS["level"], run.own)
    return tuple(_fault(run, one) for one in tried if 2 * len(one.matches) > len(run.subjects) and one.accidents <= SAFE)[:1]


def _tried(run: Run, check: Check, rules: str) -> Iterator[_Tried]:
    """The alternatives of a check that fit anywhere, each over all cases."""
    by_kind: dict[str, _Tried] = {}
    missed: list[tuple[str, Case]] = []
    plain: list[tuple[str, Case]] = []
    fits: list[tuple[str, Case, Fit]] = []
    for subject in run.subjects:
        for case in subject.cases:
            key = run.key(case, rules)
            fit = check.find(case, key) if case.wanted or (case.luck and check.code == "sign") else None
            if fit is not None and not fit.others and case.fits(case.figures(key)).all():
                fit = None  # such as equal figures of both players
            if fit is not None:
                fits.append((subject.id, case, fit))
            elif case.fits(case.figures(key)).all():
                plain.append((subject.id, case))
            else:
                missed.append((subject.id, case))
        if len(missed) >= MOST_MISSES and not fits:
            return
    for _, _, fit in fits:
        for kind in fit.kinds:
            by_kind.setdefault(kind, _Tried(check, rules, kind))
    for one in by_kind.values():
        for name, case, fit in fits:
            if one.kind in fit.kinds:
                one.found.append((name, case, fit))
                one.explained += len(case.wanted) + fit.others
            else:
                one.missed.append(name)
                one.explained += int(case.fits(case.figures(run.key(case, rules))).sum())
        one.missed += [name for name, _ in missed]
        one.explained += sum(int(case.fits(case.figures(run.key(case, rules))).sum()) for _, case in (*plain, *missed))
        yield one


def _holds(run: Run, one: _Tried) -> bool:
    """Whether it is no accident: by chance, and, where it does not hold everywhere, by more than one match."""
    several = len(one.matches) > 1
    if several and not one.missed and not one.check.last and one.rules == run.own and all(fit.tried <= FEW for _, _, fit in one.found):
        return True
    return one.accidents <= (SAFE if one.rules == run.own and (several or not one.missed) else MOST_IF_EXPLAINED)


def _fault(run: Run, one: _Tried) -> Fault:
    brief = one.check.brief.format(kind=one.kind)
    of = len(run.subjects)
    everywhere = not one.missed
    where = f"in all {of} matches"
    if len(one.matches) < of:
        where = f"in {len(one.matches)} of {of} matches ({some(one.matches, MOST)})"
    if of == 1:
        where = "in the one match"
    name, _, fit = one.found[0]
    first = f"{fit.sentence[0].upper()}{fit.sentence[1:]}" if fit.sentence[:5].islower() else fit.sentence
    return Fault(
        one.check.code,
        brief,
        f"{brief[0].upper()}{brief[1:]}, {where}. {name}: {first}",
        one.rules,
        one.matches,
        everywhere,
        one.explained,
        tuple((match, place) for match, _, each in one.found for place in each.places),
    )
