"""What a program does otherwise, by all its matches: one or two answers of a known rule set, or an ordinary mistake.

A change of answers has to prove itself: it makes no match worse and improves more than one, or it accounts for everything there is, or a
change that fits by chance is unlikely. A mistake holds in every match where the figures do not fit, or in several.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Annotated, Final

import numpy as np

from reconcile.document import HIDDEN, Count, Document, Text
from reconcile.files.wording import some
from reconcile.infer.checks import CHECKS, CheckCode
from reconcile.infer.checks.check import MOST_IF_EXPLAINED, SAFE, Check, Fit, Place
from reconcile.infer.run import Case, Run
from reconcile.match.columns import Bools, Floats
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
    found = ((option, _joined(run, name, option, before, matches, max(least, int(before.sum()) + 1))) for option in options)
    tried = [(option, fits) for option, fits in found if fits is not None]
    return _proved(run, name, before, matches, tried, len(options))


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
    moved: dict[Change, list[Floats]] = {change: [] for change in singles}
    for index, subject in enumerate(run.subjects):
        rules = run.rules(subject, name)
        plain = run.values_of(index, rules)
        for change in singles:
            moved[change].append(np.nan_to_num(run.values_of(index, rules.switched(*change)) - plain, nan=-1.0))
    found: dict[bytes, Change] = {}
    for change in singles:
        shift = np.concatenate(moved[change]).round(9)
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
    if not fits.all():
        return None
    improved = tuple(
        subject.id for subject, match in zip(run.subjects, matches, strict=True) if (fits & match).sum() > (before & match).sum()
    )
    several = len(improved) > len(changes)
    if not (several and fits.all()) and number * _chance_of_change(run, name, before, fits) > SAFE:
        return None
    same = tuple(other for other, theirs in best[1:] if np.array_equal(theirs, fits))
    return Changed(name, changes, fits, int(before.sum()), improved, same)


def _chance_of_change(run: Run, name: str, before: Bools, fits: Bools) -> float:
    """How likely the figures that a change adds fit by chance, each player's by the figure that proves most."""
    chance, start = 1.0, 0
    for case in run.cases:
        gained = slice(start, start + len(case.wanted))
        new = fits[gained] & ~before[gained]
        chance *= case.accident_near(case.figures(run.key(case, name)), new) if new.any() else 1.0
        start = gained.stop
    return chance


NO_FIGURES: Final = ("other-tool", "misprint", "level")
"""Checks that say why no rules give the figures, and do not give them either. A program under test may print what a tool does not."""
MOST_MISSES: Final = 4
"""With so many players for whom it does not hold, and none for whom it does, a check is not tried on the others."""
FEW: Final = 8
"""A check with at most so many alternatives that accounts for every figure of several matches is no accident."""
MOST: Final = 3
"""Faults that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault(Document):
    """An ordinary mistake that a program makes."""

    code: CheckCode
    """Its code; `reconcile explain CODE` prints its page."""
    sentence: Text
    """In which matches, and an example."""
    rules: Text
    """The rule set under which it accounts for most figures."""
    matches: tuple[Text, ...]
    """Ids of the matches in which it shows."""
    explained: Count
    """Figures that the rules give with it."""
    decisions: tuple[Place, ...]
    """The decisions that may be missing, or counted twice, as far as the figures distinguish them."""
    brief: Annotated[str, HIDDEN]
    """What it does, in a few words: `the players are swapped`."""
    everywhere: Annotated[bool, HIDDEN]
    """Whether it holds in every match whose figures do not fit otherwise."""


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
                holding += [
                    one for one in _tried(run, check, rules) if one.explained > known and one.explained >= run.given and _holds(run, one)
                ]
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
            fitting = bool(case.fits(case.figures(key)).all())
            if fit is not None and (fit.others or not fitting):  # else such as equal figures of both players
                fits.append((subject.id, case, fit))
            else:
                (plain if fitting else missed).append((subject.id, case))
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
    brief, of = one.check.brief.format(kind=one.kind), len(run.subjects)
    where = f"in {len(one.matches)} of {of} matches ({some(one.matches, MOST)})" if len(one.matches) < of else f"in all {of} matches"
    name, _, fit = one.found[0]
    first = f"{fit.sentence[0].upper()}{fit.sentence[1:]}" if fit.sentence[:5].islower() else fit.sentence
    return Fault(
        code=one.check.code,
        brief=brief,
        sentence=f"{brief[0].upper()}{brief[1:]}, {'in the one match' if of == 1 else where}. {name}: {first}",
        rules=one.rules,
        matches=one.matches,
        everywhere=not one.missed,
        explained=one.explained,
        decisions=tuple(replace(place, match=match) for match, _, each in one.found for place in each.places),
    )
