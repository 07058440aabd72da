"""What a program may do to figures before it shows them: rates by another number, units, classes
and players exchanged, grades and jokers by other borders, sums that go on from match to match."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from reconcile.infer.conditions import RowValues
from reconcile.match.columns import Validity
from reconcile.match.match import Match
from reconcile.scoring.figures import Figures, totals_of
from reconcile.scoring.metric import Form
from reconcile.scoring.metrics import METRICS, figures_of
from reconcile.scoring.statistics import Statistics
from reconcile.scoring.sums import CLASSES

Both: TypeAlias = list[Figures]
"""The figures of both players, by seat."""
FiguresChange: TypeAlias = Callable[[Both, Statistics], Both]
EarlierChange: TypeAlias = Callable[[Both, Sequence[Both]], Both]
RATES: Final = ("pr", "checker_pr", "cube_pr")
ALL_RATES: Final = (*RATES, "error_rate_memg", "snowie_er", "snowie_memg")
BORDER_SLACK: Final = 1e-6
OPERATIONS: Final[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
"""Of formulas."""
THIS_FIGURE: Final = "figure"
"""In a formula, the figure that it is for."""


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """A player's figures beside the opponent's, and the match that they are of."""

    own: Figures
    their: Figures
    statistics: Statistics
    seat: int

    def number(self, name: str) -> float | int | None:
        """A figure (`pr`), the opponent's (`their.pr`), both players' (`both.pr`) or one of
        `BESIDE`."""
        if name in BESIDE:
            return BESIDE[name](self)
        whose, _, rest = name.partition(".")
        if whose == "both":
            return (self.own.get(rest) or 0) + (self.their.get(rest) or 0)
        return self.their.get(rest) if whose == "their" else self.own.get(name)

    def rolls(self) -> RowValues:
        """Which plays are the player's."""
        return self.statistics.match.plays.player == self.seat

    def luck(self) -> RowValues:
        """The luck (EMG) of the player's rolls, where it is known."""
        luck = self.statistics.match.plays.luck
        return luck[self.rolls() & (luck == luck)]


def _unplayed(side: PlayerFigures) -> int:
    """Rolls that were never played."""
    validity = side.statistics.match.plays.validity
    return int((side.rolls() & (validity == Validity.UNPLAYED.value)).sum())


def _barred(side: PlayerFigures) -> int:
    """Rolls before which the player had no access to the cube."""
    match, plays = side.statistics.match, side.statistics.match.plays
    barred = match.games.crawford[plays.game] | (plays.owner < 0) | (match.length == 1)
    return int((side.rolls() & barred & (plays.validity == Validity.VALID.value)).sum())


BESIDE: Final[Mapping[str, Callable[[PlayerFigures], float]]] = {
    "games": lambda side: len(side.statistics.match.games),
    "resignations": lambda side: int(
        (side.statistics.match.resignations.player == side.seat).sum()
    ),
    "unplayed": _unplayed,
    "barred": _barred,
    "luck_of_rolls": lambda side: float(np.sum(side.luck())),
    "rolls_with_luck": lambda side: len(side.luck()),
}
"""By name, numbers in formulas that are no figures."""
PlayerChange: TypeAlias = Callable[[PlayerFigures], Mapping[str, Any]]


def shown(change: PlayerChange) -> FiguresChange:
    """Other figures of each player; what is unknown stays so."""

    def changed(both: Both, statistics: Statistics) -> Both:
        return [
            own
            | {
                name: value
                for name, value in change(
                    PlayerFigures(own, both[1 - seat], statistics, seat)
                ).items()
                if own.get(name) is not None
            }
            for seat, own in enumerate(both)
        ]

    return changed


def names_like(patterns: Iterable[str]) -> list[str]:
    """The figures whose names fit any pattern: `mwc_loss*`."""
    return [name for name in METRICS if any(fnmatchcase(name, pattern) for pattern in patterns)]


Formula: TypeAlias = Callable[[PlayerFigures], Any]


def by_formulas(formulas: Mapping[str, str]) -> FiguresChange:
    """Figures by formulas, which are arithmetic over what `PlayerFigures.number` has; what is
    unknown is 0 in them.

    A key may be a pattern; then `*` in a name is what `*` stands for, and `figure` the figure. A
    figure whose formula divides by 0 stays as it is.
    """
    each: dict[str, Formula] = {}
    for pattern, formula in formulas.items():
        start, _, end = pattern.partition("*")
        for name in names_like([pattern]):
            part = name[len(start) : len(name) - len(end)]
            terms = [term.replace("*", part) if len(term) > 1 else term for term in formula.split()]
            each[name] = _formula(name, " ".join(terms).replace(THIS_FIGURE, name))
    return shown(lambda side: {name: formula(side) for name, formula in each.items()})


def _formula(name: str, text: str) -> Formula:
    tree = ast.parse(text, mode="eval").body
    if isinstance(tree, (ast.Name, ast.Attribute)):
        return lambda side: side.number(text)
    compute = _computing(tree)

    def value(side: PlayerFigures) -> Any:
        try:
            return compute(side)
        except ZeroDivisionError:
            return side.own[name]

    return value


def _computing(tree: ast.expr) -> Formula:
    """What computes a part of a formula."""
    if isinstance(tree, ast.Constant):
        return lambda side: tree.value
    if isinstance(tree, ast.BinOp):
        left, right = _computing(tree.left), _computing(tree.right)
        operation = OPERATIONS[type(tree.op)]
        return lambda side: operation(left(side), right(side))
    name = ast.unparse(tree)
    return lambda side: side.number(name) or 0


def at_most(change: Sequence[Any]) -> FiguresChange:
    """Figures that are never larger than a limit."""
    limit, names = float(change[0]), names_like(change[1])
    return shown(lambda side: {name: min(side.own[name] or 0, limit) for name in names})


def figures_cut(decimals: float, round_down: bool = True) -> FiguresChange:
    """The PR cut, or rounded, to so many decimals."""
    digits = int(decimals)

    def change(side: PlayerFigures) -> Mapping[str, float]:
        rate = side.own["pr"] or 0
        cut = math.floor(rate * 10**digits + BORDER_SLACK) / 10**digits
        return {"pr": cut if round_down else round(rate, digits)}

    return shown(change)


def of_games(
    names: Sequence[str], over: Callable[[Sequence[float]], Any] = np.mean
) -> FiguresChange:
    """Rates of the match made of those of its games."""

    def change(side: PlayerFigures) -> Mapping[str, float]:
        games = [
            side.statistics.figures_at(side.seat, game)
            for game in range(len(side.statistics.match.games))
        ]
        rates = {
            name: [float(rate) for game in games if (rate := game[name]) is not None]
            for name in names
        }
        return {name: float(over(values)) for name, values in rates.items() if values}

    return shown(change)


def one_point_times(factor: str) -> FiguresChange:
    """The rates of one-point matches times a factor."""
    scaled = by_formulas(dict.fromkeys(RATES, f"figure * {factor}"))
    return lambda both, statistics: (
        scaled(both, statistics) if statistics.match.length == 1 else both
    )


def _together(both: Both, statistics: Statistics) -> Both:
    """The figures of both players together: sums, and rates of sums."""
    sums = {
        name: np.stack([table.sum(axis=0)] * 2) for name, table in statistics.sums.match.items()
    }
    is_money, one_point = statistics.match.is_money, statistics.match.length == 1
    totals = totals_of(sums, statistics.rules, is_money=is_money, one_point=one_point)
    rates = figures_of(totals, ALL_RATES[:4])
    added: Figures = {}
    for name, first in both[0].items():
        second = both[1][name]
        added[name] = None if first is None or second is None else first + second
    added |= {name: float(rates[name][0]) for name in rates if added[name] is not None}
    return [added, dict(added)]


def _exchanged_if(condition: Callable[[Match], bool]) -> FiguresChange:
    return lambda both, statistics: both[::-1] if condition(statistics.match) else both


def _exchanged_in_later_games(both: Both, statistics: Statistics) -> Both:
    """In every game but the first the players are the other way round: the sums, and what is made
    of them."""
    scored = statistics.scored
    player = np.where(scored.game > 0, 1 - scored.player, scored.player)
    turned = Statistics(replace(scored, player=player))
    return [
        own
        | {
            name: value
            for name, value in turned.figures(seat).items()
            if not name.startswith(("luck", "moves", "snowie"))
        }
        for seat, own in enumerate(both)
    ]


def jokers(border: float, *, both_signs: bool = False) -> FiguresChange:
    """Jokers from another border (EMG) on."""

    def change(side: PlayerFigures) -> Mapping[str, int]:
        luck = np.abs(side.luck()) if both_signs else side.luck()
        return {"luck.jokers": int((luck >= float(border)).sum())}

    return shown(change)


def graded(change: Sequence[Any]) -> FiguresChange:
    """Grades (`errors.*`) from another border (EMG) on."""
    names, border = names_like([change[0]]), float(change[1])

    def graded_so(side: PlayerFigures) -> Mapping[str, int]:
        scored = side.statistics.scored
        over = (scored.player == side.seat) & (scored.error.astype(float) >= border - BORDER_SLACK)
        numbers = np.bincount(scored.decision_class[over], minlength=len(CLASSES)).tolist()
        parts = {part: numbers[place] for part, place in CLASSES.items()}
        parts["total"] = sum(numbers)
        return {name: parts[name.partition(".")[2]] for name in names}

    return shown(graded_so)


def goes_on(names: Sequence[str]) -> EarlierChange:
    """Figures to which those of the matches before are added."""

    def change(both: Both, earlier: Sequence[Both]) -> Both:
        return [
            own
            | {
                name: value + sum(before[seat].get(name) or 0 for before in earlier)
                for name in names
                if (value := own.get(name)) is not None
            }
            for seat, own in enumerate(both)
        ]

    return change


SUMS: Final = [name for name, figure in METRICS.items() if figure.form not in (None, Form.RATE)]
EARLIER_CHANGES: Final[Mapping[str, EarlierChange]] = {
    "luck-goes-on": goes_on(["luck.equity", "luck.mwc_percent"]),
    "luck-equity-goes-on": goes_on(["luck.equity"]),
    "counts-go-on": goes_on([name for name in SUMS if name.startswith("decisions")]),
    "sums-go-on": goes_on(SUMS),
    "moves-go-on": goes_on(names_like(["moves.*"])),
}
"""By the name of an entry of the catalogue, what is made of figures and those of the matches
before."""
FIGURE_OPERATIONS: Final[Mapping[str, Callable[[Any], FiguresChange]]] = {
    "figures": by_formulas,
    "figures_at_most": at_most,
    "pr_cut": figures_cut,
    "pr_rounded": partial(figures_cut, round_down=False),
    "one_point_times": one_point_times,
    "jokers": jokers,
    "graded": graded,
}
"""By the key of an entry of the catalogue, what makes a change of its formulas or number."""
FIGURE_CHANGES: Final[Mapping[str, FiguresChange]] = {
    "players-swapped": lambda both, statistics: both[::-1],
    "both-players": _together,
    "players-by-name": _exchanged_if(lambda match: match.players[0] > match.players[1]),
    "order-of-play": _exchanged_if(lambda match: match.plays.player[:1].tolist() == [1]),
    "players-swapped-in-later-games": _exchanged_in_later_games,
    "one-players-figures-for-both": lambda both, statistics: [both[0], both[0]],
    "second-players-figures-for-both": lambda both, statistics: [both[1], both[1]],
    "mean-of-games": of_games(ALL_RATES),
    "mean-pr-of-games": of_games(["pr"]),
    "mean-rates-of-games": of_games(RATES),
    "worst-of-games": of_games(ALL_RATES, np.max),
    "worst-pr-of-games": of_games(["pr"], np.max),
    "jokers-of-both-signs": jokers(0.2, both_signs=True),
}
"""By the name of an entry of the catalogue, what is done to the figures of both players."""
