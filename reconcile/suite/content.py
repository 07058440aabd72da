"""The files of a case, and the figures that are expected of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

from reconcile.formats import read_match
from reconcile.infer.reported import ROUNDING, Reported
from reconcile.match.match import Match
from reconcile.probe.synthetic import content_of
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.figures import Figures
from reconcile.scoring.metrics import METRICS
from reconcile.suite.cases import Case
from reconcile.suite.scorer import figures

SINGLE: Final = 2e-6
"""EMG: files in single precision differ by as much, a rate by its factor times that, and a percentage by ten times."""
IN_PERCENT: Final = 10
RELATIVE: Final = 1e-5
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
    def contents(self) -> Mapping[str, bytes]:
        """The bytes by format; the same every time."""
        return {form: content_of(self.case.match, form) for form in self.case.formats}

    @cached_property
    def matches(self) -> Mapping[str, Match]:
        """The files as our readers read them."""
        return {form: read_match(f"{self.case.id}.{form}", content) for form, content in self.contents.items()}

    @cached_property
    def expected(self) -> Mapping[str, Expected]:
        """The figures under every known rule set."""
        return {name: self.under(rules) for name, rules in RULE_SETS.items()}

    def under(self, rules: RuleSet) -> Expected:
        """The figures under a rule set: those that all files of the case have."""
        if rules.name not in self._under:
            made = [figures(match, rules) for match in self.matches.values()]
            self._under[rules.name] = {
                player: _agreed([both[seat] for both in made]) for seat, player in enumerate(self.case.match.players)
            }
        return self._under[rules.name]


def _agreed(made: Sequence[Figures]) -> dict[str, float]:
    return {name: value for name, value in made[0].items() if value is not None and all(one[name] is not None for one in made)}


def slack(name: str) -> float:
    """By how much a figure of a file in single precision may be off."""
    one = METRICS[name]
    return SINGLE * (IN_PERCENT if one.in_mwc else max(one.factor, 1.0))


def gives(value: float | None, found: Reported) -> bool:
    """Whether a program's figure is this number, within its printed digits and the precision of files."""
    if value is None:
        return False
    off = abs(value - found.value) if METRICS[found.metric].is_signed else abs(abs(value) - found.value)
    if METRICS[found.metric].is_whole:
        return off <= ROUNDING
    return off <= found.half + slack(found.metric) + RELATIVE * abs(value)
