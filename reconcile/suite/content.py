"""The files of a case, and the figures that are expected of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from reconcile.infer.reported import Reported
from reconcile.infer.scorer import figures
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.figures import Figures
from reconcile.suite.cases import Case

Expected: TypeAlias = Mapping[str, Mapping[str, float]]
"""Figures by player and name."""
Found: TypeAlias = Mapping[str, Mapping[str, Reported]]
"""The same as a program gives them."""


@dataclass(frozen=True, eq=False)
class CaseFiles:
    """A case with its files."""

    case: Case
    _under: dict[str, Expected] = field(default_factory=dict, repr=False)

    @cached_property
    def matches(self) -> Mapping[str, Match]:
        """The files as our readers read them."""
        return {form: self.case.read(form) for form in self.case.formats}

    @property
    def contents(self) -> Mapping[str, bytes]:
        """The bytes by format; the same every time."""
        return {form: self.case.content(form) for form in self.case.formats}

    @cached_property
    def expected(self) -> Mapping[str, Expected]:
        """The figures under every known rule set."""
        return {name: self.under(rules) for name, rules in RULE_SETS.items()}

    def under(self, rules: RuleSet) -> Expected:
        """The figures under a rule set: those that all files of the case have."""
        if rules.name not in self._under:
            scored = [figures(match, rules) for match in self.matches.values()]
            self._under[rules.name] = {
                player: _agreed([both[seat] for both in scored])
                for seat, player in enumerate(self.case.players)
            }
        return self._under[rules.name]


def _agreed(made: Sequence[Figures]) -> dict[str, float]:
    if len(made) == 1:
        return {name: value for name, value in made[0].items() if value is not None}
    return {
        name: value
        for name, value in made[0].items()
        if value is not None and all(one[name] is not None for one in made)
    }
