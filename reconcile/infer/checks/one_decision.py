"""One decision too few or too many: the figures without each decision of a player, or with it twice, all at once."""

from __future__ import annotations

from typing import Final

import numpy as np

from reconcile.files.wording import either
from reconcile.infer.checks.check import Fit, Place, check
from reconcile.infer.figure_table import COUNTS, explored
from reconcile.infer.run import Case
from reconcile.infer.turning import kind_and_turn
from reconcile.match.columns import Bools, Floats, Ints
from reconcile.scoring.decision_table import identifiers_of
from reconcile.scoring.sums import DecisionClass

MOST_NAMED: Final = 5
"""With more decisions that it may be, none is named."""
NO_EVIDENCE: Final = 0.6
"""How likely a count is one off by chance, where nothing else shows which decision it is."""
GRADES: Final = ("errors.", "blunders.", "doubtful.")
"""Figures that one decision may change."""
WAYS: Final = 2
"""A decision may be missing, or count twice."""


def place_of(case: Case, rules: str, row: int, match: str = "") -> Place:
    """A decision by its row in the match (with this id): plays, then cubes, then resignations."""
    scored = case.statistics[rules].scored
    kind, turn = kind_and_turn(scored.match, row)
    number = int(scored.match.games.number[scored.game[row]])
    player = scored.match.names[int(scored.player[row])]
    return Place(
        match,
        player,
        number,
        turn,
        kind.label,
        float(scored.error[row]),
        *identifiers_of(scored.match, row),
    )


def changed_by_one(
    case: Case, rules: str, times: int, *, counted: bool = True
) -> tuple[Ints, Floats]:
    """The rows of a player's decisions, and the given figures with each of them `times` more often, shape (rows, figures).

    `counted` chooses those that count, otherwise those that were analysed and do not count.
    """
    ours = case.statistics[rules]
    scored = ours.scored
    mine = scored.counted == counted
    if not counted:
        mine &= _analysed(case, rules) & (scored.decision_class != DecisionClass.RESIGNATION.value)
    mine &= scored.player == case.seat
    if case.game is not None:
        mine &= scored.game == case.game
    rows = np.flatnonzero(mine)
    seats = [case.seat]
    games = slice(None) if case.game is None else slice(case.game, case.game + 1)
    sums = [
        table[games][:, seats].sum(axis=(0, 1)) for table in (ours.counted, ours.error, ours.loss)
    ]
    like = case.statistics[case.own]
    moves = like.moves[0][games].sum()
    coverage = {
        part: [table[games][:, seats] for table in like.coverage[part]]
        for part in ("checker", "cube")
    }
    seen = {part: np.asarray((analysed > 0).any()) for part, (_, analysed) in coverage.items()}
    bare = {part: np.asarray((expected == 0).all()) for part, (expected, _) in coverage.items()}
    here = scored.decision_class[rows, np.newaxis] == np.arange(len(DecisionClass))
    columns = [np.ones(len(rows)), scored.error[rows], scored.loss[rows]]
    tables = [
        total + times * here * column[:, np.newaxis]
        for total, column in zip(sums, columns, strict=True)
    ]
    return rows, explored(tables, moves, seen, bare, ours)[:, case.columns]


def _analysed(case: Case, rules: str) -> Bools:
    match, scored = case.statistics[rules].match, case.statistics[rules].scored
    known = np.concatenate((match.plays.analysed, match.cubes.analysed))
    return np.concatenate((known, np.zeros(len(scored.counted) - len(known), bool)))


def _fit(case: Case, rules: str, times: int, words: str) -> Fit | None:
    """The figures without a decision (`times` is -1) or with it twice (1), where that accounts for those given."""
    plain = case.figures(rules)
    used = ~case.fits(plain)
    weighed = ~np.isin([one.metric for one in case.wanted], COUNTS)
    if not used.any() or not weighed.any():
        return None
    rows, values = changed_by_one(case, rules, times)
    fitting = case.fits(values).all(axis=1)
    if not fitting.any():
        return None
    chosen = rows[fitting]
    places = [place_of(case, rules, row) for row in chosen[:MOST_NAMED].tolist()]
    which = (
        either([str(place) for place in places])
        if len(chosen) <= MOST_NAMED
        else f"one of {len(chosen)} decisions that cost the same"
    )
    sentence = f"{case.given(used)} {'come' if case.plural(used) else 'comes'} out {words}{case.under(rules)}: {which}"
    return Fit(
        f"{sentence}. With every decision once, {case.player} has {case.ours(rules)}.",
        values[np.argmax(fitting)],
        _chance(case, plain, values, used & weighed),
        WAYS,
        figures={
            name: value
            for name, value in case.all_figures(rules).items()
            if not name.startswith(GRADES)
        },
        places=tuple(places) if len(chosen) <= MOST_NAMED else (),
    )


def _chance(case: Case, plain: Floats, values: Floats, used: Bools) -> float:
    """How likely any of these decisions fits by chance: how much of the way from our figure to as far beyond the given one they cover."""
    chance = NO_EVIDENCE
    for index in np.flatnonzero(used):
        away, width = case.values[index] - plain[index], 2 * case.reach[index]
        way = (values[:, index] - plain[index]) / away
        covered = len(np.unique(np.round(values[:, index][(way > 0) & (way < 2)] / width))) * width
        chance = min(chance, covered / (2 * abs(away)))
    return float(chance)


@check(
    "decision-missing", "One decision is missing", "one decision of a player is missing", last=True
)
def missing(case: Case, rules: str) -> Fit | None:
    """The given figures fit if one decision of the player is left out, with its error. The possible decisions are named by game and turn,
    with an ID to paste into XG, as far as the digits of the figures tell them apart. Usual reasons are a loop that ends one turn too soon,
    or the last roll of a game.
    """
    return _fit(case, rules, -1, "without one decision")


@check(
    "decision-twice",
    "One decision is counted twice",
    "one decision of a player counts twice",
    last=True,
)
def twice(case: Case, rules: str) -> Fit | None:
    """The given figures fit if one decision of the player counts twice. The possible decisions are named by game and turn, with an ID to
    paste into XG.
    """
    return _fit(case, rules, 1, "with one decision counted twice")
