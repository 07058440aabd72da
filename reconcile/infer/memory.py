"""Matches of a run with their figures under every known rule set, computed once; their statistics, which are large, are made again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from reconcile.infer.figure_table import figure_table
from reconcile.infer.reported import Reported
from reconcile.infer.run import Case, Subject
from reconcile.match.columns import Floats
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.figures import Figures
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics, statistics

Given = Mapping[int, Sequence[Reported]]
"""Figures by seat."""
Source = Match | Callable[[], Match]
"""A match, or what reads it, so that it need not be held in memory; without candidates, which no figure needs."""
MOST_HELD: Final = 64
"""Statistics that are held for the next question about their match."""
Key = tuple[str, ...]
"""The name of a rule set, and its answers."""


@dataclass(eq=False)
class Known:
    """A match and its figures under rule sets, each computed once: which programs ask, and in which process, makes no difference."""

    source: Source
    tables: dict[tuple[Key, Key], Floats] = field(default_factory=dict)
    """By rules, and by those whose moves and coverage are taken: see `figure_table`."""
    figures: dict[Key, list[tuple[float | int | None, ...]]] = field(default_factory=dict)
    """By rules, for each seat every figure of the match in the order of `METRICS`."""


class Memory:
    """Matches under rule sets: what is known of their figures, and their statistics when these are needed."""

    def __init__(self) -> None:
        self._statistics: OrderedDict[tuple[Known, Key], Statistics] = OrderedDict()

    def of(self, known: Known, rules: RuleSet) -> Statistics:
        """A match under rules. Raises as `statistics` does."""
        key = known, _key(rules)
        if key not in self._statistics:
            self._statistics[key] = statistics(
                known.source if isinstance(known.source, Match) else known.source(), rules
            )
            if len(self._statistics) > MOST_HELD:
                self._statistics.popitem(last=False)
        self._statistics.move_to_end(key)
        return self._statistics[key]

    def figures(self, known: Known, rules: RuleSet) -> list[Figures]:
        """Every figure of the match, by seat."""
        if (key := _key(rules)) not in known.figures:
            ours = self.of(known, rules)
            known.figures[key] = [tuple(map(ours.figures(seat).get, METRICS)) for seat in (0, 1)]
        return [dict(zip(METRICS, values, strict=True)) for values in known.figures[key]]

    def table(self, known: Known, rules: RuleSet, own: RuleSet) -> Floats:
        """Those that a question is about, see `figure_table`."""
        if (key := (_key(rules), _key(own))) not in known.tables:
            known.tables[key] = figure_table(self.of(known, rules), self.of(known, own))
        return known.tables[key]

    def subject(
        self, name: str, known: Known, own: RuleSet, given: Given, others: Given
    ) -> Subject:
        """A match with the figures of each seat, of which no question is about the `others`."""
        rules = {
            own.name: own,
            **{one.name: one for one in RULE_SETS.values() if one.name != own.name},
        }
        ours = _Under(self, known, rules)
        tables = {key: self.table(known, one, own) for key, one in rules.items()}
        seats = sorted({*given, *others})
        return Subject(
            name,
            own,
            tuple(
                Case(
                    seat,
                    None,
                    tuple(given.get(seat, ())),
                    ours,
                    tables,
                    tuple(others.get(seat, ())),
                    ours.figures,
                )
                for seat in seats
            ),
        )


def _key(rules: RuleSet) -> Key:
    return rules.name, *rules.answers.values()


@dataclass(frozen=True)
class _Under(Mapping[str, Statistics]):
    """A match under rule sets, by their names."""

    memory: Memory
    known: Known
    rules: Mapping[str, RuleSet]

    def __getitem__(self, name: str) -> Statistics:
        return self.memory.of(self.known, self.rules[name])

    def figures(self, name: str) -> list[Figures]:
        """Every figure of the match, by seat."""
        return self.memory.figures(self.known, self.rules[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)
