"""All figures that a program gave in a run, match by match, beside what every known rule set makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from reconcile.columns import Bools, Floats
from reconcile.diagnosis.case import Case, case_of
from reconcile.diagnosis.figure_table import BOTH, MATCH, figure_table
from reconcile.diagnosis.reported import Reported
from reconcile.match import Match
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.score import score
from reconcile.scoring.statistics import Statistics, statistics, table_of

OWN: Final = "own"
"""The rules of the reference, where they are not the same for all matches."""
FAR: Final = 1e6

Given = Mapping[int, Sequence[Reported]]
"""Figures by seat; `BOTH` for those of both players together."""


@dataclass(frozen=True)
class Subject:
    """A match of a run with the figures that a program gave for it."""

    id: str
    match: Match
    own: RuleSet
    """The rules by which the reference is counted."""
    cases: tuple[Case, ...]
    """One for every player, or for both together."""


class Memory:
    """The statistics of matches under rule sets, each computed once, whichever programs ask for them."""

    def __init__(self) -> None:
        self._statistics: dict[tuple[int, str, tuple[tuple[str, str], ...]], Statistics] = {}

    def of(self, match: Match, rules: RuleSet) -> Statistics:
        """A match under rules. Raises as `statistics` does."""
        key = id(match), rules.name, tuple(rules.answers.items())
        if key not in self._statistics:
            self._statistics[key] = statistics(match, rules)
        return self._statistics[key]

    def subject(self, name: str, match: Match, own: RuleSet, given: Given, luck: Given) -> Subject:
        """A match with the figures of each seat, of which those of `luck` do not depend on rules."""
        rules = {own.name: own, **{one.name: one for one in RULE_SETS.values() if one.name != own.name}}
        ours = {key: self.of(match, one) for key, one in rules.items()}
        tables = {key: figure_table(one, ours[own.name]) for key, one in ours.items()}
        seats = sorted({*given, *luck})
        cases = (case_of(ours, seat, None, tuple(given.get(seat, ())), tables=tables, luck=tuple(luck.get(seat, ()))) for seat in seats)
        return Subject(name, match, own, tuple(cases))


class Run:
    """The figures of a program over all matches of a run, one array after the other: case by case."""

    def __init__(self, subjects: Sequence[Subject]) -> None:
        self.subjects = tuple(subjects)
        self.cases = [case for subject in subjects for case in subject.cases]
        self.of_match = np.repeat(
            np.arange(len(self.subjects)), [sum(len(case.wanted) for case in subject.cases) for subject in self.subjects]
        )
        """For every figure, the index of its match."""
        self._values: dict[tuple[int, tuple[tuple[str, str], ...]], Floats] = {}

    @property
    def given(self) -> int:
        """How many figures that depend on rules there are."""
        return len(self.of_match)

    @cached_property
    def own(self) -> str:
        """The rules of the references: a name, or `OWN` where they differ."""
        names = {subject.own.name for subject in self.subjects}
        return next(iter(names)) if len(names) == 1 else OWN

    @cached_property
    def known(self) -> tuple[str, ...]:
        """The rule sets that are tried, those of the references first."""
        return tuple(dict.fromkeys((self.own, *(subject.own.name for subject in self.subjects), *RULE_SETS)))

    def key(self, case: Case, rules: str) -> str:
        """The name under which a case has these rules."""
        return rules if rules in case.tables else case.own

    def rules(self, subject: Subject, name: str) -> RuleSet:
        """The rule set of a name in a match."""
        return RULE_SETS.get(name, subject.own) if name != subject.own.name else subject.own

    def fits(self, rules: str) -> Bools:
        """Which figures a rule set gives."""
        return _joined([case.fits(case.figures(self.key(case, rules))) for case in self.cases])

    def off(self, rules: str) -> float:
        """How far the figure that is furthest off is from that of a rule set, in printed digits."""
        worst = 0.0
        for case in self.cases:
            away = np.abs(case.figures(self.key(case, rules)) - case.values) / np.maximum(case.reach, 1e-9)
            worst = max([worst, *np.minimum(np.nan_to_num(away, nan=FAR), FAR).tolist()])
        return worst

    def values_of(self, index: int, rules: RuleSet) -> Floats:
        """The given figures of a match as any rules have them; computed once for rules that are the same in this match."""
        subject = self.subjects[index]
        used, _ = rules.for_match(subject.match)
        key = index, tuple((code, name) for code, name in used.answers.items() if QUESTIONS[code].effect is not Effect.NAMES)
        if key not in self._values:
            base = subject.cases[0].statistics[subject.own.name]
            met = base.scored.met if used.answers["Q11"] == base.rules.answers["Q11"] else table_of(subject.match, used)
            both = any(case.seat == BOTH for case in subject.cases)
            table = figure_table(Statistics(score(subject.match, used, met)), base, games=False, both=both)
            self._values[key] = np.concatenate([table[case.seat, MATCH, case.columns] for case in subject.cases])
        return self._values[key]

    def fits_of(self, index: int, rules: RuleSet) -> Bools:
        """Which figures of a match any rules give."""
        cases = self.subjects[index].cases
        given, reach = (np.concatenate(parts) for parts in zip(*((case.values, case.reach) for case in cases), strict=True))
        fits: Bools = np.abs(self.values_of(index, rules) - given) <= reach
        return fits


def _joined(parts: Sequence[Bools]) -> Bools:
    return np.concatenate(parts) if parts else np.zeros(0, bool)
