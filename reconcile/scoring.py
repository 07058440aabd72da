"""A match under a rule set: which decisions count, and how much each lost. Arithmetic over columns only.

Rows of a result are the rows of `Match.plays`, then `Match.cubes`, then `Match.resignations`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from reconcile.equity import Stakes, chance_of, equity_of, stakes
from reconcile.match import Bools, Cubes, Floats, Ints, Kind, Match, Plays
from reconcile.met import Met
from reconcile.rules.q06_error_size import ErrorSize
from reconcile.rules.rulesets import RuleSet
from reconcile.rules.views import CubeView, cube_view


class DecisionClass(IntEnum):
    """The classes in which figures are split."""

    CHECKER = 0
    DOUBLE = 1
    TAKE = 2
    RESIGNATION = 3


@dataclass(frozen=True, slots=True)
class Scored:
    """Every decision of a match judged under one rule set."""

    match: Match
    rules: RuleSet
    """As the file can bear them, see `RuleSet.for_match`."""
    replaced: tuple[tuple[str, str, str], ...]
    """Answers the file could not bear: (question, wanted, used)."""
    met: Met
    game: Ints
    player: Ints
    """Seat of the decider."""
    decision_class: Ints
    counted: Bools
    error: Floats
    """Equity lost (EMG); 0 where nothing is known (see `Plays.analysed`)."""
    loss: Floats
    """The same in match winning chance (0 to 1), in points for money."""
    view: CubeView
    stakes: Stakes


def score(match: Match, rules: RuleSet, met: Met) -> Scored:
    """Judge every decision of a match."""
    rules, replaced = rules.for_match(match)
    plays, cubes, resignations = match.plays, match.cubes, match.resignations
    as_recounted: bool = rules.value("Q14")
    kind = cubes.kind
    response = kind >= Kind.TAKE.value
    # A response is weighed at the cube of the double, with the doubler's eyes.
    doubler = np.where(response & ~cubes.answers_beaver, 1 - cubes.player, cubes.player)
    cube = cubes.cube << (response * rules.value("Q10"))
    highest = max((int(values.max()) for values in (plays.cube, cube, resignations.cube) if len(values)), default=1)
    at_stake = stakes(match, met, highest)
    win, lose = at_stake.of(cubes.game, doubler, cubes.cube)
    view = _view(match, cubes, cubes.recount_access if as_recounted else cubes.access, win, lose)

    counted_plays = rules.value("Q01")(plays) & plays.analysed
    close = rules.value("Q02")(view) & rules.value("Q03")(view) & rules.value("Q04")(view)
    counted_cubes = cubes.analysed & (close | (kind != Kind.NO_DOUBLE.value))
    size: ErrorSize = rules.value("Q06")
    play_errors = _play_errors(plays, size)
    cube_errors = _cube_errors(cubes, view, size)
    if not as_recounted:
        counted_cubes &= ~cubes.answers_beaver
        cube_errors = np.where(cubes.answers_beaver, 0, cube_errors)
    if rules.value("Q05"):
        counted_plays = counted_plays | (~plays.analysed & (plays.legal > 1))
        counted_cubes = counted_cubes | (~cubes.analysed & cubes.expected)

    # Columns of the result: the rows of the plays, of the cubes and, if they count, of the resignations.
    parts: list[tuple[Ints, Ints, Ints, Ints, Ints, Bools, Floats]] = [
        (plays.game, plays.player, plays.player, plays.cube, np.zeros(len(plays), np.int64), counted_plays, play_errors),
        (cubes.game, cubes.player, doubler, cube, np.where(response, DecisionClass.TAKE, DecisionClass.DOUBLE), counted_cubes, cube_errors),
    ]
    if rules.value("Q07") and len(resignations):
        uncounted = np.zeros(len(resignations), bool)
        kind_of_loss = uncounted + np.int64(DecisionClass.RESIGNATION)
        # Without a value to add they must not change the precision of the others: the same file would be scored two ways.
        stored = resignations.stored_error.astype(np.result_type(play_errors, cube_errors))
        seat = resignations.player
        parts.append((resignations.game, seat, seat, resignations.cube, kind_of_loss, uncounted, np.where(stored == stored, stored, 0)))
    all_games, player, seats, cubes_at_stake, classes, counted, all_errors = map(np.concatenate, zip(*parts, strict=True))
    win, lose = at_stake.of(all_games, seats, cubes_at_stake)
    return Scored(
        match=match,
        rules=rules,
        replaced=replaced,
        met=met,
        game=all_games,
        player=player,
        decision_class=classes,
        counted=counted,
        error=all_errors,
        # As gnuBG does it: the image of minus the error, minus the image of nothing.
        loss=(win + lose) / 2 - chance_of(-all_errors, win, lose),
        view=view,
        stakes=at_stake,
    )


def _view(match: Match, cubes: Cubes, access: Bools, win: Floats, lose: Floats) -> CubeView:
    no_double, double_take, double_pass = cubes.no_double, cubes.double_take, cubes.double_pass
    if match.cube_unit == "mwc":
        # Passing loses the cube as it is: its equity is 1 up to float32, as in gnuBG.
        double_pass = np.where(cubes.analysed, equity_of(win, win, lose), np.float32(np.nan))
        no_double, double_take = equity_of(no_double, win, lose), equity_of(double_take, win, lose)
    return cube_view(no_double, double_take, double_pass, access, cubes.stored_error, cubes.flag)


def _play_errors(plays: Plays, size: ErrorSize) -> Floats:
    stored = plays.stored_error
    error: Floats
    if size is ErrorSize.HIGHEST_CANDIDATE:
        error = plays.highest - plays.played
    elif size is ErrorSize.FIRST_CANDIDATE or not (stored == stored).any():
        error = plays.best - plays.played
    else:
        error = stored
    if size is ErrorSize.MILLIPOINT:
        error = np.round(error, 3)
    return np.where((error == error) & plays.analysed, error, error.dtype.type(0))


def _cube_errors(cubes: Cubes, view: CubeView, size: ErrorSize) -> Floats:
    stored = cubes.stored_error
    error: Floats
    if size in (ErrorSize.STORED, ErrorSize.MILLIPOINT) and (stored == stored).any():
        error = stored
    else:
        kind = cubes.kind
        gap = view.double_take - view.double_pass
        error = np.select(
            [kind == Kind.NO_DOUBLE, kind == Kind.DOUBLE, kind == Kind.PASS],
            [view.best - view.no_double, view.best - view.least, -gap],
            gap,
        )
        error = np.maximum(error, 0)
    if size is ErrorSize.MILLIPOINT:
        error = np.round(error, 3)
    return np.where((error == error) & cubes.analysed, error, error.dtype.type(0))
