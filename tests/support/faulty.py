"""Figures as a program with a known fault prints them, made from the decisions of a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from reconcile.errors import At
from reconcile.files.bundled import bundled
from reconcile.gate.candidates.claims import stated
from reconcile.infer.figure_changes import FIGURE_CHANGES
from reconcile.infer.reported import Reported
from reconcile.infer.run import Known, Memory, Subject, figures_in_part
from reconcile.match.match import Match
from reconcile.match.met import load_met
from reconcile.rules.rulesets import RuleSet, own_rules
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import Scored, score
from reconcile.scoring.statistics import Statistics, statistics, table_of
from tests.support.hand_made import resignations
from tests.support.loaded import loaded

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
    matches = map(loaded, MATCHES)
    prepared = {"resignations": with_resignations, "unanalysed-as-zero": partly_analysed}
    return tuple(prepared[code](match) if code in prepared else match for match in matches)


def with_resignations(match: Match) -> Match:
    """The same match in which both players resigned, with errors."""
    return replace(match, resignations=resignations(0.123, 0.087).replaced(player=np.array([0, 1])))


def partly_analysed(match: Match, every: int = 7) -> Match:
    """The same match with some checker plays that were not analysed."""
    analysed = match.plays.analysed.copy()
    analysed[::every] = False
    return replace(match, plays=match.plays.replaced(analysed=analysed))


def printed(
    figures: Mapping[str, float | None], names: Sequence[str], times: float = 1.0
) -> dict[str, str]:
    """Figures with the digits with which programs print them; without those that are unknown."""
    shown = {name: figures.get(name) for name in names}
    return {
        name: str(value)
        if METRICS[name].is_whole
        else f"{value * times:.{METRICS[name].decimals}f}"
        for name, value in shown.items()
        if value is not None
    }


def of_scored(scored: Scored, names: Sequence[str]) -> dict[int, dict[str, str]]:
    """The printed figures of both players from scored decisions."""
    ours = Statistics(scored)
    return {seat: printed(ours.figures(seat), names) for seat in (0, 1)}


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
        asked.append(Subject(f"match-{number}", own_rules(match), Known(match), memory, reported))
    return asked


def _own(match: Match) -> Scored:
    return statistics(match).scored


def _each(change: Callable[[Scored], Scored]) -> Callable[[Match, Sequence[str]], Printed]:
    return lambda match, names: of_scored(change(_own(match)), names)


def _swapped(match: Match, names: Sequence[str]) -> Printed:
    plain = of_scored(_own(match), names)
    return {0: plain[1], 1: plain[0]}


def _times(factor: float, *scaled: str) -> Callable[[Match, Sequence[str]], Printed]:
    def make(match: Match, names: Sequence[str]) -> Printed:
        ours = statistics(match)
        return {
            seat: {
                **printed(ours.figures(seat), names),
                **printed(
                    ours.figures(seat), [name for name in names if name.startswith(scaled)], factor
                ),
            }
            for seat in (0, 1)
        }

    return make


def _in_part(ours: Statistics, names: Sequence[str]) -> list[dict[str, str]]:
    """The printed figures of each player, however little was analysed."""
    return [printed(figures_in_part(ours, seat), names) for seat in (0, 1)]


def _together(match: Match, names: Sequence[str]) -> Printed:
    ours = statistics(match)
    both = FIGURE_CHANGES["both-players"]([ours.figures(0), ours.figures(1)], ours)
    return {seat: printed(figures, names) for seat, figures in enumerate(both)}


def _first_game(match: Match, names: Sequence[str]) -> Printed:
    ours = statistics(match)
    return {seat: printed(ours.figures_at(seat, 0), names) for seat in (0, 1)}


def _other_table(match: Match, names: Sequence[str]) -> Printed:
    rules = own_rules(match)
    return of_scored(score(match, rules, load_met("woolsey")), names)


def _resigned(match: Match, names: Sequence[str]) -> Printed:
    rules = own_rules(match)
    other = "no" if rules.answers["Q07"] != "no" else "yes-without-decision"
    return under(match, rules.switched("Q07", other), names)


def _as_right(match: Match, names: Sequence[str]) -> Printed:
    rules = own_rules(match).switched("Q05", "counts-with-zero-error")
    return dict(enumerate(_in_part(statistics(match, rules), names)))


def _rounded(decimals: int) -> Callable[[Scored], Scored]:
    return lambda scored: replace(scored, error=np.round(scored.error.astype(float), decimals))


def _by_cube(scored: Scored) -> Scored:
    match = scored.match
    cube = np.concatenate([table.cube for table in (match.plays, match.cubes, match.resignations)])[
        : len(scored.error)
    ]
    return replace(scored, error=scored.error * cube)


def _weighted(times: int) -> Callable[[Match, Sequence[str]], Printed]:
    """One wrong decision of each player less or more: the third that costs anything."""

    def make(match: Match, names: Sequence[str]) -> Printed:
        scored = _own(match)
        counted, error, loss = (
            np.array(column, float) for column in (scored.counted, scored.error, scored.loss)
        )
        for seat in (0, 1):
            row = np.flatnonzero(scored.counted & (scored.player == seat) & (scored.error > 0.01))[
                2
            ]
            for column in (counted, error, loss):
                column[row] *= 1 + times
        return of_scored(replace(scored, counted=counted, error=error, loss=loss), names)

    return make


def _unlucky(match: Match, names: Sequence[str]) -> Printed:
    ours = statistics(match)
    return {
        seat: {
            **printed(ours.figures(seat), names),
            **printed(ours.figures(seat), ["luck.equity"], -1),
        }
        for seat in (0, 1)
    }


Bug = Callable[[Match, Sequence[str]], Printed]
BUGS: Final[Mapping[str, tuple[str, Bug]]] = {
    "players swapped": ("other-player", _swapped),
    "PR doubled": ("factor", _times(2, "pr")),
    "PR halved": ("factor", _times(0.5, "pr")),
    "equity in thousandths": ("factor", _times(1000, "equity_error")),
    "fraction for percentage": ("factor", _times(0.01, "mwc_loss_percent")),
    "sign of luck": ("sign", _unlucky),
    "both players added": ("both-players", _together),
    "one game for the match": ("one-game", _first_game),
    "another match equity table": ("other-match-equity-table", _other_table),
    "errors rounded to hundredths": ("rounded-errors", _each(_rounded(2))),
    "errors rounded to thousandths": ("rounded-errors", _each(_rounded(3))),
    "match scored as money": ("match-as-money", _each(_by_cube)),
    "resignations": ("resignations", _resigned),
    "unanalysed counted as right": ("unanalysed-as-zero", _as_right),
    "one decision missing": ("decision-missing", _weighted(-1)),
    "one decision twice": ("decision-twice", _weighted(1)),
}
"""By what a program does: the code of the check that names it, and how its figures are made."""
