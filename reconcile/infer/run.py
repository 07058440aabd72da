"""The matches of a run with the figures that a program gave for them, beside what any rules make of
them.

Figures under a rule set are computed once; statistics, which are large, are made again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from reconcile.errors import ReconcileError
from reconcile.infer.catalogue import Fault, figures
from reconcile.infer.figure_changes import Both
from reconcile.infer.reported import EXPLORED, Reported, margin
from reconcile.match.columns import Bools, Floats
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.figures import Figures, totals_of
from reconcile.scoring.metrics import METRICS, figures_of
from reconcile.scoring.statistics import Statistics, statistics
from reconcile.scoring.sums import EXPECTED

OWN: Final = "own"
"""The rules of each reference, where they are not the same for all matches."""
MOST_HELD: Final = 64
"""Statistics that are held for the next question about their match."""
FAR: Final = 1e6
"""Printed digits; nothing is further off."""
COLUMN: Final = {name: place for place, name in enumerate(METRICS)}
RULED: Final = frozenset(EXPLORED)
"""Figures that depend on rules."""
PARTS: Final = ("checker", "cube")


def figures_in_part(ours: Statistics, seat: int, row: int | None = None) -> Figures:
    """The figures of a player, for the match or a row of `Match.games`; those that depend on rules
    however few of their decisions are analysed, and `None` where none is."""
    figures = ours.figures_at(seat, row)
    covered = ours.completeness_at(seat, row)
    if all(covered[part].complete for part in PARTS):
        return figures
    sums, match = ours.sums.of(row), ours.match
    totals = totals_of(sums, ours.rules, is_money=match.is_money, one_point=match.length == 1)
    totals = replace(totals, shown={**totals.shown, **shown_in_part(sums)})
    numbers = {name: float(values[seat]) for name, values in figures_of(totals, EXPLORED).items()}
    return figures | {
        name: None if number != number else number for name, number in numbers.items()
    }


def shown_in_part(sums: Mapping[str, Floats]) -> dict[str, Bools]:
    """By part of an analysis and seat, whether any of it was analysed, or there is nothing to
    be."""
    analysed = {part: sums[f"{part} analysed"] > 0 for part in PARTS}
    shown = {part: analysed[part] | (sums[EXPECTED[part]] == 0) for part in PARTS}
    return shown | {"decisions": analysed["checker"] | analysed["cube"]}


@dataclass(eq=False)
class Known:
    """A match and its figures under rule sets, each computed once: which programs ask, and in which
    process, makes no difference."""

    source: Match | Callable[[], Match]
    """A match, or what reads it, so that it need not be held; without candidates."""
    figures: dict[tuple[str, ...], Floats] = field(default_factory=dict)
    """By the name and answers of rules: complete figures and figures in part, by seat, in the order
    of `METRICS`, shape (2, 2, figures); NaN where unknown."""


class Memory:
    """The last matches and statistics of a run, and all their figures."""

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[object, ...], Any] = OrderedDict()

    def _hold(self, key: tuple[object, ...], make: Callable[[], Any]) -> Any:
        if key not in self._held:
            self._held[key] = make()
            if len(self._held) > MOST_HELD:
                self._held.popitem(last=False)
        self._held.move_to_end(key)
        return self._held[key]

    def match(self, record: Known) -> Match:
        """A match, read where it is not at hand."""
        source = record.source
        match: Match = source if isinstance(source, Match) else self._hold((record,), source)
        return match

    def statistics(self, record: Known, rules: RuleSet) -> Statistics:
        """A match under rules. Raises as `statistics` does."""
        key = record, *_key(rules)
        ours: Statistics = self._hold(key, lambda: statistics(self.match(record), rules))
        return ours

    def table(self, record: Known, rules: RuleSet, *, in_part: bool = True) -> Floats:
        """The figures by seat in the order of `METRICS`, shape (2, figures); NaN where unknown."""
        if (key := _key(rules)) not in record.figures:
            ours = self.statistics(record, rules)
            complete = [ours.figures(seat) for seat in (0, 1)]
            partly = [figures_in_part(ours, seat) for seat in (0, 1)]
            record.figures[key] = np.array(
                [[_row(own) for own in both] for both in (complete, partly)]
            )
        table: Floats = record.figures[key][int(in_part)]
        return table


def _key(rules: RuleSet) -> tuple[str, ...]:
    return rules.name, *rules.answers.values()


def _row(figures: Figures) -> list[float]:
    numbers = (figures[name] for name in METRICS)
    return [np.nan if number is None else float(number) for number in numbers]


@dataclass(eq=False)
class Subject:
    """A match of a run with the figures that a program gave for it."""

    id: str
    own: RuleSet
    """The rules by which the reference is counted."""
    record: Known
    memory: Memory
    figures: tuple[tuple[int, Reported], ...]
    """By seat."""
    tried: dict[tuple[object, ...], Bools] = field(default_factory=dict, init=False, repr=False)
    """By rules and faults, which figures they give."""

    def __post_init__(self) -> None:
        ordered = sorted(self.figures, key=lambda pair: pair[1].metric not in RULED)
        self.figures = tuple(ordered)
        self.is_ruled: Bools = np.array([figure.metric in RULED for _, figure in ordered], bool)
        self.is_unsigned = np.array(
            [not METRICS[figure.metric].is_signed for _, figure in ordered], bool
        )
        self.values: Floats = np.array([figure.value for _, figure in ordered], float)
        self.margins: Floats = np.array([margin(figure) for _, figure in ordered], float)
        self.places = (
            [seat for seat, _ in ordered],
            [COLUMN[figure.metric] for _, figure in ordered],
        )

    @property
    def match(self) -> Match:
        """The match."""
        return self.memory.match(self.record)

    def rules(self, name: str) -> RuleSet:
        """A known rule set by name, or that of the reference."""
        return self.own if name in (OWN, self.own.name) else RULE_SETS[name]

    def values_under(
        self, rules: RuleSet, faults: Sequence[Fault] = (), earlier: Sequence[Both] = ()
    ) -> Floats:
        """The given figures as a program that follows rules but for faults has them; NaN where
        unknown."""
        if not faults:
            return self.memory.table(self.record, rules)[self.places]
        plain = self.memory.statistics(self.record, rules)
        both = figures(self.match, rules, faults, plain, earlier, figures_in_part)
        numbers = [both[seat].get(figure.metric) for seat, figure in self.figures]
        return np.array([np.nan if number is None else number for number in numbers], float)

    def of_seat(self, seat: int) -> Bools:
        """Which given figures are a player's."""
        return np.array([owner == seat for owner, _ in self.figures], bool)

    def off(self, values: Floats) -> Floats:
        """How far figures are from those given."""
        return np.abs(np.where(self.is_unsigned, np.abs(values), values) - self.values)

    def fits(
        self, rules: RuleSet, faults: Sequence[Fault] = (), earlier: Sequence[Both] = ()
    ) -> Bools:
        """Which given figures these are, within their printed digits; those of no rule also where
        unknown."""
        key = _key(rules), *map(id, faults)
        if key not in self.tried:
            try:
                values = self.values_under(rules, faults, earlier)
            except (ReconcileError, ValueError):  # such as a score that no match has
                values = np.full(len(self.figures), np.inf)
            unknown = np.isnan(values) & ~self.is_ruled
            self.tried[key] = unknown | (self.off(values) <= self.margins)
        return self.tried[key]

    def look_ahead(self) -> None:
        """Compute what a diagnosis asks of every match: its figures under the known rules."""
        for rules in (self.own, *RULE_SETS.values()):
            self.memory.table(self.record, rules)


class Run:
    """The figures of a program over all its matches."""

    def __init__(self, subjects: Sequence[Subject]) -> None:
        self.subjects = tuple(subject for subject in subjects if subject.figures)
        ruled = [int(subject.is_ruled.sum()) for subject in self.subjects]
        self.of_match = np.repeat(np.arange(len(ruled)), ruled)
        """For every figure that depends on rules, the index of its match."""
        self.explained = sum(len(subject.figures) for subject in self.subjects)
        """All figures, luck, moves and grades among them."""
        names = {subject.own.name for subject in self.subjects}
        self.own = names.pop() if len(names) == 1 else OWN
        """The rules of the references."""
        own = (subject.own.name for subject in self.subjects)
        self.rule_sets = tuple(dict.fromkeys((self.own, *own, *RULE_SETS)))
        """The rule sets that are tried, those of the references first."""

    @property
    def ruled(self) -> list[tuple[int, Reported]]:
        """The figures that depend on rules, with their seats."""
        each = ((subject, subject.is_ruled) for subject in self.subjects)
        return [
            figure
            for subject, ruled in each
            for figure, here in zip(subject.figures, ruled, strict=True)
            if here
        ]

    @property
    def number(self) -> int:
        """How many figures depend on rules."""
        return len(self.of_match)

    def fits(self, name: str, faults: Sequence[Fault] = ()) -> Bools:
        """Which figures that depend on rules a rule set gives, with faults."""
        each = [self.fits_of(index, name, faults) for index in range(len(self.subjects))]
        ruled = [fits[subject.is_ruled] for fits, subject in zip(each, self.subjects, strict=True)]
        return np.concatenate([np.zeros(0, bool), *ruled])

    def fits_of(self, index: int, name: str, faults: Sequence[Fault] = ()) -> Bools:
        """Which figures of a match a rule set gives, with faults."""
        subject = self.subjects[index]
        earlier: Sequence[Both] = ()
        if any(fault.of_earlier for fault in faults):
            earlier = self._earlier(index, name)
        return subject.fits(subject.rules(name), faults, earlier)

    def _earlier(self, index: int, name: str) -> list[Both]:
        """The figures of the matches before one under a rule set."""
        tables = [
            subject.memory.table(subject.record, subject.rules(name))
            for subject in self.subjects[:index]
        ]
        return [
            [dict(zip(METRICS, np.nan_to_num(row).tolist(), strict=True)) for row in table]
            for table in tables
        ]

    def wrong(self, name: str) -> list[int]:
        """The matches of which a rule set does not give every figure, most wrong figures first."""
        numbers = [int((~self.fits_of(index, name)).sum()) for index in range(len(self.subjects))]
        wrong = [index for index, number in enumerate(numbers) if number]
        return sorted(wrong, key=lambda index: -numbers[index])

    def off(self, name: str) -> float:
        """How far the figure that is furthest off is from that of a rule set, in printed digits."""
        worst = 0.0
        for subject in self.subjects:
            digits = subject.off(subject.values_under(subject.rules(name))) / np.maximum(
                subject.margins, 1e-9
            )
            far = np.minimum(np.nan_to_num(digits[subject.is_ruled], nan=FAR), FAR)
            worst = max([worst, *far.tolist()])
        return worst
