"""The matches of a run with the figures that a program gave for them, beside what any rules make of
them.

Figures under a rule set are computed once; statistics, which are large, are made again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import numpy as np

from reconcile.errors import ReconcileError
from reconcile.infer.catalogue import Fault, program_figures
from reconcile.infer.changes import Both, Earlier
from reconcile.infer.reported import EXPLORED, Reported, margin
from reconcile.match.columns import Bools, Floats, Ints
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.figures import Figures, totals_of
from reconcile.scoring.metrics import METRICS, figures_of
from reconcile.scoring.statistics import Statistics, statistics
from reconcile.scoring.sums import EXPECTED, Totals

OWN: Final = "own"
"""The rules of each reference, where they are not the same for all matches."""
MOST_HELD: Final = 32
"""Matches, and statistics, that are held for the next question about them."""
FARTHEST: Final = 1e6
"""Printed digits; nothing is further off."""
COLUMN: Final = {name: place for place, name in enumerate(METRICS)}
PARTS: Final = ("checker", "cube")
Change = tuple[Fault, ...]
"""What a program does otherwise than rules say."""


def figures_in_part(ours: Statistics, seat: int, row: int | None = None) -> Figures:
    """The figures of a player, for the match or a row of `Match.games`; those that depend on rules
    however few of their decisions are analysed, and `None` where none is."""
    figures, covered = ours.figures_at(seat, row), ours.completeness_at(seat, row)
    if all(covered[part].complete for part in PARTS):
        return figures
    in_part = figures_of(totals_in_part(ours, row), EXPLORED)
    numbers = {name: float(values[seat]) for name, values in in_part.items()}
    return figures | {
        name: None if np.isnan(number) else number for name, number in numbers.items()
    }


def totals_in_part(ours: Statistics, row: int | None) -> Totals:
    """What such figures of both players are made of: a part of an analysis is shown where any of it
    was analysed, or there is nothing to be."""
    sums, match = ours.sums.of(row), ours.match
    totals = totals_of(sums, ours.rules, is_money=match.is_money, one_point=match.length == 1)
    analysed = {part: sums[f"{part} analysed"] > 0 for part in PARTS}
    shown = {part: analysed[part] | (sums[EXPECTED[part]] == 0) for part in PARTS}
    shown["decisions"] = analysed["checker"] | analysed["cube"]
    return replace(totals, shown={**totals.shown, **shown})


@dataclass(eq=False)
class MatchFigures:
    """A match and its figures under rule sets, each computed once: which programs ask, and in which
    process, makes no difference."""

    source: Match | Callable[[], Match]
    """A match, or what reads it, so that it need not be held; without candidates."""
    figures: dict[tuple[str, ...], Floats] = field(default_factory=dict)
    """By the name and answers of rules: complete figures and figures in part, by seat, in the order
    of `METRICS`, shape (2, 2, figures); NaN where unknown."""

    def match(self) -> Match:
        """The match."""
        return self.source if isinstance(self.source, Match) else self.source()


class Memory:
    """The last matches and statistics of a run, and all their figures."""

    def __init__(self, most: int = MOST_HELD) -> None:
        """Hold the last `most` matches and as many statistics."""
        self._rules: dict[tuple[str, ...], RuleSet] = {}
        self.match: Callable[[MatchFigures], Match] = lru_cache(most)(MatchFigures.match)
        """A match, read where it is not at hand."""
        self._statistics: Callable[..., Statistics] = lru_cache(most)(
            lambda record, key: statistics(self.match(record), self._rules[key])
        )

    def statistics(self, record: MatchFigures, rules: RuleSet) -> Statistics:
        """A match under rules. Raises as `statistics` does."""
        key = _key(rules)
        self._rules[key] = rules
        return self._statistics(record, key)

    def table(self, record: MatchFigures, rules: RuleSet, *, in_part: bool = True) -> Floats:
        """The figures by seat in the order of `METRICS`, shape (2, figures); NaN where unknown."""
        if (key := _key(rules)) not in record.figures:
            ours = self.statistics(record, rules)
            rows = [
                [[figures(ours, seat)[name] for name in METRICS] for seat in (0, 1)]
                for figures in (Statistics.figures, figures_in_part)
            ]
            record.figures[key] = np.array(rows, float)
        table: Floats = record.figures[key][int(in_part)]
        return table


def _key(rules: RuleSet) -> tuple[str, ...]:
    return rules.name, *rules.answers.values()


@dataclass(eq=False)
class Subject:
    """A match of a run with the figures that a program gave for it."""

    id: str
    own: RuleSet
    """The rules by which the reference is counted."""
    record: MatchFigures
    """The match, with its figures under rule sets."""
    memory: Memory
    figures: tuple[tuple[int, Reported], ...]
    """By seat."""
    in_part: bool = True
    """Whether figures are those of few analysed decisions, too."""

    def __post_init__(self) -> None:
        reported = [figure for _, figure in self.figures]
        self.names = [figure.metric for figure in reported]
        self.seats: Ints = np.array([seat for seat, _ in self.figures], int)
        self.values: Floats = np.array([figure.value for figure in reported], float)
        self._margins: Floats = np.array([margin(figure) for figure in reported], float)
        self.is_ruled: Bools = np.isin(self.names, EXPLORED)
        self._columns: Ints = np.array([COLUMN[name] for name in self.names], int)
        self._signed: Bools = np.array([METRICS[name].is_signed for name in self.names], bool)
        self._tried: dict[tuple[object, ...], Bools] = {}

    @property
    def match(self) -> Match:
        """The match."""
        return self.memory.match(self.record)

    def rules(self, name: str) -> RuleSet:
        """A known rule set by name, or that of the reference."""
        return self.own if name in (OWN, self.own.name) else RULE_SETS[name]

    def statistics(self, rules: RuleSet) -> Statistics:
        """The match under rules."""
        return self.memory.statistics(self.record, rules)

    def chosen(self, rows: Bools) -> list[Reported]:
        """The given figures that are marked."""
        return [self.figures[row][1] for row in np.flatnonzero(rows).tolist()]

    def values_under(self, rules: RuleSet, change: Change = (), earlier: Earlier = list) -> Floats:
        """The given figures as a program that follows rules but for a change has them; NaN where
        unknown."""
        if not change:
            return self.table(rules)[self.seats, self._columns]
        of_player = figures_in_part if self.in_part else Statistics.figures
        plain = self.statistics(rules)
        both = program_figures(self.match, rules, change, plain, earlier, of_player)
        return np.array([both[seat].get(figure.metric) for seat, figure in self.figures], float)

    def table(self, rules: RuleSet) -> Floats:
        """All figures by seat, in the order of `METRICS`."""
        return self.memory.table(self.record, rules, in_part=self.in_part)

    def fits(self, rules: RuleSet, change: Change = (), earlier: Earlier = list) -> Bools:
        """Which given figures these are, within their printed digits; those of no rule also where
        unknown."""
        key = _key(rules), *map(id, change)
        if key not in self._tried:
            try:
                values = self.values_under(rules, change, earlier)
            except (ReconcileError, ValueError):  # such as a score that no match has
                values = np.full(len(self.figures), np.inf)
            unknown = np.isnan(values) & ~self.is_ruled
            self._tried[key] = unknown | (self._off(values) <= self._margins)
        return self._tried[key]

    def farthest(self, rules: RuleSet) -> float:
        """How far the figure that is furthest off is from that of rules, in printed digits."""
        digits = self._off(self.values_under(rules)) / np.maximum(self._margins, 1 / FARTHEST)
        far = np.nan_to_num(digits[self.is_ruled], nan=FARTHEST)
        return float(far.clip(max=FARTHEST).max(initial=0))

    def _off(self, values: Floats) -> Floats:
        return np.abs(np.where(self._signed, values, np.abs(values)) - self.values)

    def look_ahead(self) -> None:
        """Compute what a diagnosis asks of every match: its figures under the known rules."""
        for rules in (self.own, *RULE_SETS.values()):
            self.table(rules)


class Run:
    """The figures of a program over all its matches, one after the other."""

    def __init__(self, subjects: Sequence[Subject]) -> None:
        each = self.subjects = tuple(subject for subject in subjects if subject.figures)
        numbers = [len(subject.figures) for subject in each]
        self.of_match: Ints = np.repeat(np.arange(len(each)), numbers)
        """For every figure the index of its match."""
        self.names = [name for subject in each for name in subject.names]
        """For every figure what it is."""
        self.is_ruled: Bools = np.isin(self.names, EXPLORED)
        """Which figures depend on rules; luck, moves and grades do not."""
        self.number = int(self.is_ruled.sum())
        own = list(dict.fromkeys(subject.own.name for subject in each))
        self.own = own[0] if len(own) == 1 else OWN
        """The rules of the references."""
        self.rule_sets = tuple(dict.fromkeys((self.own, *own, *RULE_SETS)))
        """The rule sets that are tried, those of the references first."""

    def fits(self, name: str, change: Change = ()) -> Bools:
        """Which figures a rule set gives, with a change."""
        each = [self.fits_of(index, name, change) for index in range(len(self.subjects))]
        return np.concatenate([np.zeros(0, bool), *each])

    def number_of(self, name: str) -> int:
        """How many figures that depend on rules a rule set gives."""
        return int((self.fits(name) & self.is_ruled).sum())

    def fits_of(self, index: int, name: str, change: Change = ()) -> Bools:
        """Which figures of a match a rule set gives, with a change."""

        def earlier() -> list[Both]:
            """Unknown figures of the matches before are 0."""
            tables = [before.table(before.rules(name)) for before in self.subjects[:index]]
            each = [np.nan_to_num(table).tolist() for table in tables]
            return [[dict(zip(METRICS, row, strict=True)) for row in rows] for rows in each]

        subject = self.subjects[index]
        return subject.fits(subject.rules(name), change, earlier)

    def gives(self, name: str, change: Change = ()) -> bool:
        """Whether rules with a change give every figure; what they give least of without is tried
        first."""
        order = dict.fromkeys((*self.wrong(name), *range(len(self.subjects))))
        return all(self.fits_of(index, name, change).all() for index in order)

    def wrong(self, name: str) -> list[int]:
        """The matches of which a rule set does not give every figure, most wrong figures first."""
        numbers = np.bincount(self.of_match[~self.fits(name)], minlength=len(self.subjects))
        order = np.argsort(-numbers, kind="stable")
        return [index for index in order.tolist() if numbers[index]]
