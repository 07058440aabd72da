"""Figures as a program with a known fault prints them, made from the decisions of a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from reconcile.errors import At
from reconcile.files.bundled import bundled
from reconcile.gate.candidates.claims import stated
from reconcile.infer.figure_changes import FIGURE_CHANGES
from reconcile.infer.reported import Reported
from reconcile.infer.run import MatchFigures, Memory, Subject, figures_in_part
from reconcile.match.match import Match
from reconcile.rules.rulesets import RuleSet, own_rules
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import Scored, score
from reconcile.scoring.statistics import Statistics, table_of
from tests.support.hand_made import resignations
from tests.support.loaded import loaded
from tests.support.planted import Program, Rows, answering, scaled, swapped

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


def matches_for(code: str) -> tuple[Match, ...]:
    """Three matches in which the fault of a check shows."""
    prepared = {"resignations": with_resignations, "unanalysed-as-zero": partly_analysed}
    matches = tuple(map(loaded, MATCHES))
    return tuple(map(prepared[code], matches)) if code in prepared else matches


def with_resignations(match: Match) -> Match:
    """The same match in which both players resigned, with errors."""
    return replace(match, resignations=resignations(0.123, 0.087).replaced(player=np.array([0, 1])))


def partly_analysed(match: Match) -> Match:
    """The same match with every seventh checker play not analysed."""
    analysed = match.plays.analysed.copy()
    analysed[::7] = False
    return replace(match, plays=match.plays.replaced(analysed=analysed))


def printed(
    figures: Mapping[str, float | None], names: Sequence[str], times: float = 1.0
) -> dict[str, str]:
    """Figures with the digits with which programs print them; without those that are unknown."""
    values = {name: figures.get(name) for name in names}
    return {
        name: METRICS[name].shown(value if METRICS[name].is_whole else value * times)
        for name, value in values.items()
        if value is not None
    }


def of_scored(scored: Scored, names: Sequence[str]) -> dict[int, dict[str, str]]:
    """The printed figures of both players from scored decisions."""
    computed = Statistics(scored)
    return {seat: printed(computed.figures(seat), names) for seat in (0, 1)}


def under(match: Match, rules: RuleSet, names: Sequence[str]) -> dict[int, dict[str, str]]:
    """The printed figures of both players under rules."""
    return of_scored(score(match, rules, table_of(match, rules)), names)


def subjects(pairs: Sequence[tuple[Match, Printed]]) -> list[Subject]:
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


def with_errors(change: Callable[[Scored], Any]) -> Program:
    """Has other errors, and what they cost of the match as it was."""
    return Program(decisions=lambda s: replace(s, error=change(s)))


def weighted(times: int) -> Program:
    """One wrong decision of each player less or more: the third that costs anything."""

    def change(scored: Scored) -> Scored:
        columns: dict[str, Any] = {
            name: np.array(getattr(scored, name), float) for name in ("counted", "error", "loss")
        }
        for seat in (0, 1):
            wrong = scored.counted & (scored.player == seat) & (scored.error > 0.01)
            for column in columns.values():
                column[np.flatnonzero(wrong)[2]] *= 1 + times
        return replace(scored, **columns)

    return Program(decisions=change)


def switched(rules: RuleSet) -> RuleSet:
    """Resignations count, or do not."""
    yes, no = "yes-without-decision", "no"
    return rules.switched("Q07", yes if rules.answers["Q07"] == no else no)


Bug = Callable[[Match, Sequence[str]], Printed]


def prints(program: Program, *more: str) -> Bug:
    """What a program prints of a match by the rules of its tool: these figures, and `more`."""

    def make(match: Match, names: Sequence[str]) -> Printed:
        (both,) = program.answers([match], own_rules(match))
        return {seat: printed(figures, (*names, *more)) for seat, figures in enumerate(both)}

    return make


BUGS: Final[Mapping[str, tuple[str, Bug]]] = {
    "players swapped": ("other-player", prints(Program(shows=swapped))),
    "PR doubled": ("factor", prints(scaled(2, "pr"))),
    "PR halved": ("factor", prints(scaled(0.5, "pr"))),
    "equity in thousandths": ("factor", prints(scaled(1000, "equity_error."))),
    "fraction for percentage": ("factor", prints(scaled(0.01, "mwc_loss_percent."))),
    "sign of luck": ("sign", prints(scaled(-1, "luck.equity"), "luck.equity")),
    "both players added": (
        "both-players",
        prints(Program(shows=lambda both, ours: list(FIGURE_CHANGES["both-players"](both, ours)))),
    ),
    "one game for the match": (
        "one-game",
        prints(Program(shows=lambda both, ours: [ours.figures_at(seat, 0) for seat in (0, 1)])),
    ),
    "another match equity table": ("other-match-equity-table", prints(Program(table="woolsey"))),
    "errors rounded to hundredths": (
        "rounded-errors",
        prints(with_errors(lambda s: np.round(s.error.astype(float), 2))),
    ),
    "errors rounded to thousandths": (
        "rounded-errors",
        prints(with_errors(lambda s: np.round(s.error.astype(float), 3))),
    ),
    "match scored as money": (
        "match-as-money",
        prints(with_errors(lambda s: s.error * Rows(s).cube)),
    ),
    "resignations": ("resignations", prints(Program(rules=switched))),
    "unanalysed counted as right": (
        "unanalysed-as-zero",
        prints(
            replace(
                answering("Q05", "counts-with-zero-error"),
                shows=lambda both, ours: [dict(figures_in_part(ours, seat)) for seat in (0, 1)],
            )
        ),
    ),
    "one decision missing": ("decision-missing", prints(weighted(-1))),
    "one decision twice": ("decision-twice", prints(weighted(1))),
}
"""By what a program does: the code of the check that names it, and how its figures are made."""
