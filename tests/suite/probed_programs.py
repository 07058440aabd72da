"""Programs that count by known rules, in this process: what they print is read as that of any
program."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from reconcile.formats import read_match
from reconcile.gate.candidates.harness import About
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics
from reconcile.suite.answers import ReadBack, read_back, read_cases
from reconcile.suite.cases import Case
from reconcile.suite.run import Answer, Question, Ran, add_printed, ask_all
from reconcile.suite.synthetic import OTHER, STUDIED

RATES: Final = {"500/counted": "pr", "1000/counted": "error_rate_memg", "snowie": "snowie_memg"}


def few(rules: RuleSet) -> tuple[str, ...]:
    """The rate of these rules, decisions and equity lost: what most programs print."""
    return RATES[rules.answers["Q08"]], "decisions.counted", "equity_error.total"


def every(rules: RuleSet) -> tuple[str, ...]:
    """All figures, with the rate of these rules alone."""
    return tuple(
        name
        for name in METRICS
        if name not in RATES.values() or name == RATES[rules.answers["Q08"]]
    )


def rules_of(answers: dict[str, str]) -> RuleSet:
    """Rules of any answers."""
    return replace(RULE_SETS["gnubg"], name="drawn", answers=MappingProxyType(answers))


def printed(match: Match, rules: RuleSet, names: Sequence[str]) -> dict[str, object]:
    """Both players' figures in the plain format, with the usual digits."""
    computed = statistics(match, rules)
    players = {}
    for seat, player in enumerate((STUDIED, OTHER)):
        figures = computed.figures(seat)
        players[player] = {
            name: METRICS[name].shown(figures[name]) for name in names if figures[name] is not None
        }
    return {"schema_version": 1, "matches": [{"players": players}]}


@cache
def read(name: str, content: bytes) -> Match:
    """A file, read once for all programs."""
    return read_match(name, content)


@dataclass
class Counting:
    """A program that counts by these rules and prints these figures; `change` is done to what it
    prints."""

    rules: RuleSet
    names: Sequence[str]
    change: Callable[[str, bytes], bytes | None] = lambda name, printed: printed
    about: About = field(default_factory=lambda: About("prog"))

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Answer:
        """What it prints of a file, read as that of any program; the program fails where the change
        raises."""
        text = json.dumps(printed(read(path.name, path.read_bytes()), self.rules, self.names))
        answer, content = Answer(), self.change(path.name, text.encode()) or b""
        add_printed(answer.figures, case, content, self.about.program)
        return answer


def read_of(program: Counting, form: str = "xg") -> ReadBack:
    """The answers of such a program, read back from the cases from which answers are read."""
    cases = [entry.case for entry in read_cases(form).values()]
    asked = tuple(ask_all(program, cases, (form,)))
    return read_back(Ran(program.about.program, "", None, asked))
