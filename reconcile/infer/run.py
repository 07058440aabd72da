"""Figures that a program gave, of one player and of all matches of a run, beside what every known rule set makes of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from reconcile.infer.figure_table import COLUMN, MATCH, figure_table
from reconcile.infer.reported import Reported, fits_figure, named, printed, slack
from reconcile.match.columns import Bools, Floats
from reconcile.match.match import Match
from reconcile.match.met import Met
from reconcile.match.values import once
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet, own_rules
from reconcile.scoring.figures import Figures
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import COUNTING_CUBES, Scored, rescored, score
from reconcile.scoring.statistics import Statistics, table_of

LUCK: Final = ("luck.equity", "luck.mwc_percent")
"""Figures that have a sign."""


@dataclass(frozen=True)
class Case:
    """Figures that somebody gave for a player, and every figure of the match they may be instead."""

    seat: int
    game: int | None
    """Index of the game, from 0; `None` for the match."""
    wanted: tuple[Reported, ...]
    statistics: Mapping[str, Statistics]
    """By rule set, the file's own first."""
    tables: Mapping[str, Floats]
    """By rule set, the file's own first: every figure, see `figure_table`."""
    others: tuple[Reported, ...] = ()
    """Figures that were given as well and that no question is about: luck with its sign, moves, errors and blunders."""
    figures_under: Callable[[str], Sequence[Figures]] | None = None
    """Every figure of the match by seat, by rule set, where it is known without the statistics."""

    @property
    def match(self) -> Match:
        """The match."""
        return self.statistics[self.own].match

    @property
    def luck(self) -> tuple[Reported, ...]:
        """Those that have a sign."""
        return tuple(one for one in self.others if one.metric in LUCK)

    def all_figures(self, rules: str) -> Figures:
        """Every figure of the player under a rule set; none where only those that depend on rules were given."""
        if not self.others:
            return {}
        return (
            self.figures_under(rules)[self.seat]
            if self.figures_under
            else self.statistics[rules].figures_at(self.seat, self.game)
        )

    def unlike(
        self, rules: str, ours: Mapping[str, float | None] | None = None
    ) -> tuple[Reported, ...]:
        """Those that are not what a rule set gives, or other figures (`ours`), where that is known."""
        return _unlike(self.others, ours) if ours else self._unlike_known(rules)

    @once
    def _unlike_known(self, rules: str) -> tuple[Reported, ...]:
        return _unlike(self.others, self.all_figures(rules))

    def known(self, rules: str) -> tuple[Reported, ...]:
        """All figures that were given, but for those of no question that a rule set does not have."""
        ours = self.all_figures(rules)
        return (*self.wanted, *(one for one in self.others if ours.get(one.metric) is not None))

    def wrong(self, rules: str) -> tuple[Reported, ...]:
        """All figures that are not what a rule set gives."""
        fits = self.fits(self.figures(rules))
        return (
            *(one for one, right in zip(self.wanted, fits, strict=True) if not right),
            *self.unlike(rules),
        )

    @property
    def met(self) -> Met:
        """The match equity table of the file's own rules."""
        return self.statistics[self.own].scored.met

    @property
    def own(self) -> str:
        """The rule set of the tool that wrote the file."""
        return next(iter(self.tables))

    @property
    def player(self) -> str:
        """The name as the file has it."""
        return self.match.names[self.seat]

    @property
    def row(self) -> int:
        """Of the tables, for the game or the match."""
        return MATCH if self.game is None else 1 + self.game

    @cached_property
    def columns(self) -> list[int]:
        """Of the tables, for the given figures."""
        return [COLUMN[one.metric] for one in self.wanted]

    @cached_property
    def values(self) -> Floats:
        """The given figures."""
        return np.array([one.value for one in self.wanted])

    @cached_property
    def reach(self) -> Floats:
        """How far each of them may be off, for its printed digits."""
        return np.array([one.half + slack(one) for one in self.wanted])

    def figures(self, rules: str, seat: int | None = None, row: int | None = None) -> Floats:
        """The figures that were given, as a rule set has them; of this player and game unless told otherwise."""
        values: Floats = self.tables[rules][
            self.seat if seat is None else seat, self.row if row is None else row, self.columns
        ]
        return values

    def figures_of(self, scored: Scored) -> Floats:
        """The figures that were given, with the decisions scored in another way."""
        like, names = self.statistics[self.own], {one.metric for one in self.wanted}
        table = figure_table(
            Statistics(scored),
            like,
            games=self.game is not None,
            both=False,
            names=names,
        )
        values: Floats = table[self.seat, self.row, self.columns]
        return values

    def fits(self, values: Floats) -> Bools:
        """Which figures equal those given, within their printed digits; `values` may have further axes before that of the figures."""
        return np.abs(values - self.values) <= self.reach

    def accident(self, used: Bools) -> float:
        """How likely any one number of this size fits the given figures by chance."""
        return float(
            np.prod(
                [_chance_of(one) for one, counts in zip(self.wanted, used, strict=True) if counts]
            )
        )

    def accident_near(self, plain: Floats, used: Bools) -> float:
        """How likely a number that is about as far from ours as the given one fits it by chance, by the figure that proves most.

        Figures of one player depend on each other: PR follows from what was lost and the decisions. So only one of them is evidence.
        """
        away = 2 * np.abs(np.where(np.isfinite(plain), plain, 0) - self.values)
        width = np.where([one.half > 0 for one in self.wanted], 2 * self.reach, 1.0)
        chances = (width / np.where(away > 0, away, np.inf))[used]
        return float(min(chances.min(initial=1.0), 1.0))

    def ours(self, rules: str | None = None) -> str:
        """The figures of a rule set in words, with the digits of those given."""
        rules = rules or self.own
        shown = self.statistics[rules].figures_at(self.seat, self.game)
        return named([(one.metric, printed(one, shown[one.metric])) for one in self.wanted])

    def given(self, which: Bools | None = None) -> str:
        """The given figures in words, or those of them that are marked."""
        chosen = [
            one
            for one, here in zip(
                self.wanted,
                np.ones(len(self.wanted), bool) if which is None else which,
                strict=True,
            )
            if here
        ]
        return named([(one.metric, one.text) for one in chosen])

    def plural(self, which: Bools | None = None) -> bool:
        """Whether the given figures, or those of them that are marked, are a plural: `PR 9.23` is none, `121 decisions` is one."""
        chosen = [one for index, one in enumerate(self.wanted) if which is None or which[index]]
        return len(chosen) > 1 or (METRICS[chosen[0].metric].is_whole and chosen[0].value != 1)

    def be(self, which: Bools | None = None) -> str:
        """`is` or `are`, for the given figures."""
        return "are" if self.plural(which) else "is"

    def under(self, rules: str) -> str:
        """By which rules, in words; empty for the file's own."""
        return "" if rules == self.own else f", counted by rule set {rules}"


def case_of(
    statistics: Mapping[str, Statistics], seat: int, game: int | None, wanted: tuple[Reported, ...]
) -> Case:
    """The case of a player (by seat) and game (index from 0, `None` for the match); `statistics` are those under every rule set by name.

    The rules that the file counts by come first.
    """
    own = own_rules(next(iter(statistics.values())).match).name
    tables = {
        name: figure_table(statistics[name])
        for name in sorted(statistics, key=lambda name: name != own)
    }
    return Case(seat=seat, game=game, wanted=wanted, statistics=statistics, tables=tables)


def _unlike(others: Sequence[Reported], ours: Mapping[str, float | None]) -> tuple[Reported, ...]:
    return tuple(
        one
        for one in others
        if (value := ours.get(one.metric)) is not None and not fits_figure(value, one)
    )


def _chance_of(one: Reported) -> float:
    """How likely a number of the figure's size equals it in the digits shown; counts are closer together than other figures."""
    width = 2 * (one.half + slack(one)) if one.half else 2.0
    return min(1.0, width / one.value) if one.value else 1.0


OWN: Final = "own"
"""The rules of the reference, where they are not the same for all matches."""
FAR: Final = 1e6


@dataclass(frozen=True)
class Subject:
    """A match of a run with the figures that a program gave for it."""

    id: str
    own: RuleSet
    """The rules by which the reference is counted."""
    cases: tuple[Case, ...]
    """One for every player, or for both together."""

    @property
    def match(self) -> Match:
        """The match, read where it is not at hand."""
        return self.cases[0].match

    def look_ahead(self) -> None:
        """Compute what a diagnosis asks of every match: all figures under the rules that give most of those that depend on rules."""
        for case in self.cases:
            case.all_figures(
                max(
                    case.tables,
                    key=lambda rules: sum(
                        int(one.fits(one.figures(rules)).sum()) for one in self.cases
                    ),
                )
            )


MOST_VALUES: Final = 50_000
"""Matches under changed rules whose figures are held."""
MOST_SCORED: Final = 256
"""The same of their decisions."""
ANSWERED: Final = tuple(
    code for code, question in QUESTIONS.items() if question.effect is not Effect.NAMES
)
"""The questions whose answers change a figure."""


class Run:
    """The figures of a program over all matches of a run, one array after the other: case by case."""

    def __init__(self, subjects: Sequence[Subject]) -> None:
        self.subjects = tuple(subjects)
        self.cases = [case for subject in subjects for case in subject.cases]
        given = [sum(len(case.wanted) for case in subject.cases) for subject in self.subjects]
        self.of_match = np.repeat(np.arange(len(given)), given)
        """For every figure, the index of its match."""
        self._values: dict[tuple[int, tuple[str, ...]], Floats] = {}
        self._scored: OrderedDict[tuple[int, bool, tuple[str, ...]], Scored] = OrderedDict()

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
        return tuple(
            dict.fromkeys((self.own, *(subject.own.name for subject in self.subjects), *RULE_SETS))
        )

    def key(self, case: Case, rules: str) -> str:
        """The name under which a case has these rules."""
        return rules if rules in case.tables else case.own

    def rules(self, subject: Subject, name: str) -> RuleSet:
        """The rule set of a name in a match."""
        return RULE_SETS.get(name, subject.own) if name != subject.own.name else subject.own

    def fits(self, rules: str) -> Bools:
        """Which figures a rule set gives."""
        return np.concatenate(
            [
                np.zeros(0, bool),
                *(case.fits(case.figures(self.key(case, rules))) for case in self.cases),
            ]
        )

    def off(self, rules: str) -> float:
        """How far the figure that is furthest off is from that of a rule set, in printed digits."""
        worst = 0.0
        for case in self.cases:
            away = np.abs(case.figures(self.key(case, rules)) - case.values) / np.maximum(
                case.reach, 1e-9
            )
            worst = max([worst, *np.minimum(np.nan_to_num(away, nan=FAR), FAR).tolist()])
        return worst

    def values_of(self, index: int, rules: RuleSet) -> Floats:
        """The given figures of a match as any rules have them; for rules that are the same in this match the same array."""
        subject = self.subjects[index]
        used, _ = rules.for_match(subject.match)
        key = index, tuple(used.answers[code] for code in ANSWERED)
        if key not in self._values:
            if len(self._values) >= MOST_VALUES:
                self._values.clear()
            base = subject.cases[0].statistics[subject.own.name]
            names = {one.metric for case in subject.cases for one in case.wanted}
            table = figure_table(
                Statistics(self._scored_by(index, used, base)),
                base,
                games=False,
                both=False,
                names=names,
            )
            self._values[key] = np.concatenate(
                [table[case.seat, MATCH, case.columns] for case in subject.cases]
            )
        return self._values[key]

    def _scored_by(self, index: int, used: RuleSet, base: Statistics) -> Scored:
        """A match under rules that it supports; those that differ only in which cube decisions count are scored as one."""
        key = (
            index,
            used.rates_decisions,
            tuple(name for code, name in used.answers.items() if code not in COUNTING_CUBES),
        )
        if key in self._scored:
            self._scored.move_to_end(key)
            return rescored(self._scored[key], used)
        match = self.subjects[index].match
        met = (
            base.scored.met
            if used.answers["Q11"] == base.rules.answers["Q11"]
            else table_of(match, used)
        )
        self._scored[key] = score(match, used, met)
        if len(self._scored) > MOST_SCORED:
            self._scored.popitem(last=False)
        return self._scored[key]

    def fits_of(self, index: int, rules: RuleSet) -> Bools:
        """Which figures of a match any rules give."""
        cases = self.subjects[index].cases
        given, reach = (
            np.concatenate(parts)
            for parts in zip(*((case.values, case.reach) for case in cases), strict=True)
        )
        fits: Bools = np.abs(self.values_of(index, rules) - given) <= reach
        return fits
