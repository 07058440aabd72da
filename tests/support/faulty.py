"""Figures as a program with a known fault prints them, made from the decisions of a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from reconcile.errors import At
from reconcile.files.bundled import bundled
from reconcile.gate.candidates.claims import stated
from reconcile.infer.program import diagnose
from reconcile.infer.reported import Reported
from reconcile.infer.run import MatchFigures, Memory, Subject, figures_in_part
from reconcile.match.match import Match
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.score import score
from reconcile.scoring.statistics import Statistics, table_of
from tests.support.hand_made import resignations
from tests.support.loaded import loaded
from tests.support.planted import LISTED, printed, program

PACK: Final = bundled("reference_matches")
MATCHES: Final = (
    PACK / "demonstration" / "nora-lindqvist-tomas-beck.xg",
    PACK / "gnubg-11pt-cube-rich" / "ann-ben-11pt-cube-rich.sgf",
    PACK / "gnubg-7pt-0ply" / "alice-bob-7pt-0ply.sgf",
)
USUAL: Final = (
    "pr",
    "decisions.counted",
    "equity_error.total",
    "equity_error.checker",
    "mwc_loss_percent.total",
)
FEW: Final = ("pr", "decisions.counted")

Printed = Mapping[int, Mapping[str, str]]
"""Figures as printed, by seat."""


def matches_for(code):
    """Three matches in which the fault of a check shows."""
    prepared = {"resignations": with_resignations, "unanalysed-as-zero": partly_analysed}
    return tuple(prepared.get(code, replace)(loaded(path)) for path in MATCHES)


def with_resignations(match):
    """The same match in which both players resigned, with errors."""
    return replace(match, resignations=resignations(0.123, 0.087).replaced(player=np.array([0, 1])))


def partly_analysed(match):
    """The same match with every seventh checker play not analysed."""
    analysed = match.plays.analysed.copy()
    analysed[::7] = False
    return replace(match, plays=match.plays.replaced(analysed=analysed))


def of_scored(scored, names):
    """The printed figures of both players from scored decisions."""
    computed = Statistics(scored)
    return {seat: printed(computed.figures(seat), names) for seat in (0, 1)}


def under(match, rules, names):
    """The printed figures of both players under rules."""
    return of_scored(score(match, rules, table_of(match, rules)), names)


def subjects(pairs):
    """Matches with printed figures, as a run has them."""
    memory = Memory()
    asked = []
    for number, (match, figures) in enumerate(pairs, 1):
        shown = (
            (seat, stated(At("test"), seat, name, text))
            for seat, texts in figures.items()
            for name, text in texts.items()
        )
        reported = tuple(
            (seat, Reported(figure.metric, figure.text, figure.value, figure.half))
            for seat, figure in shown
            if figure.value is not None
        )
        asked.append(
            Subject(f"match-{number}", own_rules(match), MatchFigures(match), memory, reported)
        )
    return asked


def said_of(program, matches, rules, names):
    """What is said of a program that prints these figures."""
    outputs = [
        {seat: printed(own, names) for seat, own in enumerate(both)}
        for both in program.answers(matches, rules)
    ]
    result = diagnose("prog", subjects(list(zip(matches, outputs, strict=True))))
    assert result is not None
    return result


def resigning_otherwise(rules):
    """Resignations count, or do not."""
    yes, no = "yes-without-decision", "no"
    return rules.switched("Q07", yes if rules.answers["Q07"] == no else no)


Bug = Callable[[Match, Sequence[str]], Printed]


def prints(program, *more):
    """What a program prints of a match by the rules of its tool: these figures, and `more`."""

    def make(match, names):
        (both,) = program.answers([match], own_rules(match))
        return {seat: printed(figures, (*names, *more)) for seat, figures in enumerate(both)}

    return make


def mistaken(name, steps):
    """The code of the check that names a mistake, and how its figures are made."""
    more: dict[str, Any] = {
        "one game for the match": {
            "shows": lambda both, ours: [ours.figures_at(seat, 0) for seat in (0, 1)]
        },
        "resignations": {"rules": resigning_otherwise},
        "unanalysed counted as right": {
            "shows": lambda both, ours: [dict(figures_in_part(ours, seat)) for seat in (0, 1)]
        },
    }
    own = replace(program(steps), **more.get(name, {}))
    return steps["code"], prints(own, *["luck.equity"][: name == "sign of luck"])


BUGS: Final = {name: mistaken(name, steps) for name, steps in LISTED["mistakes"].items()}
"""By what a program does: the code of the check that names it, and how its figures are made."""
