"""Programs for a probe that count by known rules, in this process: what they print is read as that of any program."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from reconcile.formats import read_match
from reconcile.gate.candidates.claims import Candidate
from reconcile.gate.candidates.read import read_printed
from reconcile.match.match import Match
from reconcile.probe.contrasts import Series
from reconcile.probe.inference import Ask
from reconcile.probe.probe import Probed, probed
from reconcile.probe.synthetic import OTHER, STUDIED
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics

RATES: Final = {"500/counted": "pr", "1000/counted": "error_rate_memg", "snowie": "snowie_memg"}


def few(rules: RuleSet) -> tuple[str, ...]:
    """The rate of these rules, decisions and equity lost: what most programs print."""
    return RATES[rules.answers["Q08"]], "decisions.counted", "equity_error.total"


def every(rules: RuleSet) -> tuple[str, ...]:
    """All figures, with the rate of these rules alone."""
    return tuple(name for name in METRICS if name not in RATES.values() or name == RATES[rules.answers["Q08"]])


def rules_of(answers: dict[str, str]) -> RuleSet:
    """Rules of any answers."""
    return replace(RULE_SETS["gnubg"], name="drawn", answers=MappingProxyType(answers))


def printed(match: Match, rules: RuleSet, names: Sequence[str]) -> dict[str, object]:
    """Both players' figures in the plain format, with the usual digits."""
    made = statistics(match, rules)
    players = {}
    for seat, player in enumerate((STUDIED, OTHER)):
        figures = made.figures(seat)
        players[player] = {name: METRICS[name].shown(figures[name]) for name in names if figures[name] is not None}
    return {"schema_version": 1, "matches": [{"players": players}]}


@cache
def read(name: str, content: bytes) -> Match:
    """A file, read once for all programs."""
    return read_match(name, content)


def counting(rules: RuleSet, names: Sequence[str]) -> Ask:
    """A program that counts by these rules and prints these figures."""

    def ask(name: str, content: bytes, _length: int) -> Candidate:
        text = json.dumps(printed(read(name, content), rules, names))
        return read_printed(name, text.encode())

    return ask


def probe_of(rules: RuleSet, names: Sequence[str], form: str, looked_for: Sequence[Series] = ()) -> Probed:
    """What a probe finds of such a program."""
    return probed("drawn", counting(rules, names), form, looked_for=looked_for)


def write_answers(folder: Path, rules: RuleSet, form: str = "xg") -> None:
    """What such a program prints for every match of a probe, as files: what prints `FOLDER/{match}.json` is then the program."""
    folder.mkdir()
    ask = counting(rules, few(rules))

    def noted(name: str, content: bytes, length: int) -> Candidate:
        text = json.dumps(printed(read_match(name, content), rules, few(rules)))
        (folder / f"{Path(name).stem}.json").write_text(text, "utf-8")
        return ask(name, content, length)

    probed("noted", noted, form)
