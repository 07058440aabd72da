"""What a program may do to scored decisions: which count, whose they are, what they cost, and how
that is weighed in match winning chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from reconcile.infer.conditions import (
    EVERY,
    Condition,
    RowValues,
    cost_of_doubling,
    cube_values,
    decisions_where,
    of_cubes,
)
from reconcile.match.columns import Floats, Kind
from reconcile.match.match import Match
from reconcile.match.met.equity import stakes
from reconcile.rules.rulesets import Q02, Q03, Q04
from reconcile.rules.views import CubeView
from reconcile.scoring.dead_cubes import is_dead
from reconcile.scoring.score import Scored, chance_lost

ScoredChange: TypeAlias = Callable[[Scored], Scored]
OTHER: Final = "other"
"""Of what counts the reverse, of two players the other."""
SECOND_PLAY_COST: Final = 0.001
"""What a program may charge for a play as good as the first candidate."""
SINGLE_CUT_SLACK: Final = 1e-6
"""EMG; what is nearer than that to the next digit has it, for a program that cuts single
numbers."""
CUT_SLACK: Final = 1e-4


def with_errors(scored: Scored, error: Floats, loss: Floats | None = None) -> Scored:
    """The same decisions with other errors (EMG), and what these cost in chances unless that is
    given."""
    error = np.asarray(error, scored.error.dtype if loss is None else np.float64)
    if loss is None:
        loss = chance_lost(error, scored.win, scored.lose, scored.met)
    return replace(scored, error=error, loss=loss)


def changed(
    decisions: Condition,
    counts: int | str | None = None,
    costs: float | str = 1,
    whose: str = "",
) -> ScoredChange:
    """Decisions that count so many times, or the other way round (`other`), cost so many times as
    much, or are the opponent's (`other`)."""

    def change(scored: Scored) -> Scored:
        rows = decisions_where(scored, decisions)
        if counts is not None:
            numbers: Mapping[Any, RowValues] = {0: False, 1: True, 2: 2 * scored.counted}
            number = ~scored.counted if counts == OTHER else numbers[counts]
            scored = replace(scored, counted=np.where(rows, number, scored.counted))
        if whose == OTHER:
            scored = replace(scored, player=np.where(rows, 1 - scored.player, scored.player))
        if costs == 1:
            return scored
        times = np.where(rows, scored.error.dtype.type(costs), scored.error.dtype.type(1))
        return replace(scored, error=times * scored.error, loss=times * scored.loss)

    return change


def charged_to_both(condition: Condition) -> ScoredChange:
    """Errors that are the other player's, too: added to one of that player's decisions of the
    class."""

    def change(scored: Scored) -> Scored:
        error, loss = scored.error.astype(float), scored.loss.astype(float)
        rows = decisions_where(scored, condition)
        for seat in (0, 1):
            wrong = rows & (scored.error > 0) & (scored.player == 1 - seat)
            own = np.flatnonzero((scored.player == seat) & rows)
            target = own if len(own) else np.flatnonzero(scored.player == seat)
            if len(target):
                error[target[0]] += scored.error[wrong].sum()
                loss[target[0]] += scored.loss[wrong].sum()
        return with_errors(scored, error, loss)

    return change


def erring(error: Callable[[Scored], RowValues]) -> ScoredChange:
    """Other errors."""
    return lambda scored: with_errors(scored, error(scored))


def rounded(decimals: float) -> ScoredChange:
    """Errors rounded to so many decimals."""
    return erring(lambda scored: np.round(scored.error.astype(float), int(decimals)))


def cut(decimals: float, near: float = CUT_SLACK) -> ScoredChange:
    """Errors cut to so many decimals; what is nearer than that to the next digit has it."""
    scale = 10.0**decimals
    return erring(lambda scored: np.trunc(scored.error * scale + near) / scale)


def capped(border: float) -> ScoredChange:
    """Errors that are never larger than a border."""
    return erring(lambda scored: np.minimum(scored.error, float(border)))


CubeRule: TypeAlias = Callable[[CubeView], RowValues]


def recounted(
    close: CubeRule | None = None,
    losing: CubeRule | None = None,
    where: Mapping[str, Any] = EVERY,
) -> ScoredChange:
    """Turns without a double count by other rules than those of Q02 and Q03, each where it is
    given."""

    def change(scored: Scored) -> Scored:
        rules, view, cubes = scored.rules, scored.view, scored.match.cubes
        counts = (close or rules.value(Q02))(view) & (losing or rules.value(Q03))(view)
        counts = counts & rules.value(Q04)(view)
        counts = counts & cubes.analysed & (cubes.access | ~is_dead(scored.match))
        rows, start = np.zeros(len(scored.error), bool), len(scored.match.plays)
        rows[start : start + len(counts)] = counts
        judged = decisions_where(scored, {"kind": "no-double", **where})
        judged &= ~np.isnan(of_cubes("no_double")(scored))
        return replace(scored, counted=np.where(judged, rows, scored.counted))

    return change


def window(border: float, where: Mapping[str, Any] = EVERY) -> ScoredChange:
    """No-doubles that count if doubling would have cost less than a border."""
    return recounted(close=lambda view: view.no_double - view.least < float(border), where=where)


def losing_side(border: float) -> ScoredChange:
    """No-doubles that count unless both equities are below a border."""
    least = float(border)
    return recounted(losing=lambda view: ~((view.no_double < least) & (view.double_take < least)))


def _against_second(scored: Scored) -> RowValues:
    """The error against the best of the other candidates."""
    error = scored.error.astype(float)
    for row in np.flatnonzero(error[: len(scored.match.plays)] > 0).tolist():
        candidates = [
            (candidate.made, candidate.equity)
            for candidate in scored.match.candidates(row)
            if candidate.equity is not None
        ]
        played = next((place for place, (is_played, _) in enumerate(candidates) if is_played), None)
        if played is None or len(candidates) < 2:
            continue
        equity = candidates.pop(played)[1]
        error[row] = abs(max(other for _, other in candidates[1:] or candidates) - equity)
    return error


def _of_plays_alone(change: Callable[[Scored, RowValues], RowValues]) -> ScoredChange:
    """Other errors of plays, made of those as they are."""

    def errors(scored: Scored) -> RowValues:
        error, plays = scored.error.copy(), len(scored.match.plays)
        error[:plays] = change(scored, error[:plays])
        return error

    return erring(errors)


def _by_highest(scored: Scored, error: RowValues) -> RowValues:
    plays = scored.match.plays
    better = plays.highest - plays.played
    return np.where(better == better, np.where(plays.analysed, better, 0), error)


def _negative(scored: Scored, error: RowValues) -> RowValues:
    """Negative errors of plays above the first candidate: none where they are, and else the
    reverse."""
    lost = scored.match.plays.best - scored.match.plays.played
    return np.where(lost < 0, np.where(error == 0, lost, 0), error)


def _second_is_wrong(scored: Scored, error: RowValues) -> RowValues:
    plays = scored.match.plays
    second = (error == 0) & (plays.best - plays.played == 0) & (plays.spread > 0)
    return np.where(second, SECOND_PLAY_COST, error)


def _always_taken(scored: Scored) -> RowValues:
    """Errors as if every double were taken."""
    no_double, double_take = of_cubes("no_double")(scored), of_cubes("double_take")(scored)
    missed = (scored.kind == Kind.NO_DOUBLE.value) & (cost_of_doubling(scored) < 0)
    doubled = (scored.kind == Kind.DOUBLE.value) & ~np.isnan(no_double)
    error = np.where(missed, np.maximum(double_take - no_double, 0), scored.error)
    return np.where(doubled, np.maximum(no_double - double_take, 0), error)


def _single_precision(scored: Scored) -> Scored:
    error, loss = scored.error.astype(np.float32), scored.loss.astype(np.float32)
    return replace(scored, error=error, loss=loss)


def weighed(scored: Scored, match: Match | None = None, cubes: RowValues = None) -> Scored:
    """The same errors, weighed at other scores or cubes."""
    values = np.maximum(cube_values(scored) if cubes is None else cubes, 1).astype(int)
    at_stake = stakes(match or scored.match, scored.met, int(values.max(initial=1)))
    win, lose = at_stake.of(scored.game, scored.player, values)
    loss = chance_lost(scored.error, win, lose, scored.met)
    return replace(scored, win=win, lose=lose, loss=loss)


def _at_scores(score_of: Callable[[Match], RowValues]) -> ScoredChange:
    """Errors of a match weighed at other scores."""

    def change(scored: Scored) -> Scored:
        match = scored.match
        if match.length is None:
            return scored
        games = match.games.replaced(score=score_of(match))
        return weighed(scored, replace(match, games=games))

    return change


def _as_two_away(match: Match, *, crawford: bool) -> RowValues:
    """Scores at which the leader, with one point to go, needs two, in the Crawford game or after
    it."""
    score = match.games.score.copy()
    leads = score == (match.length or 0) - 1
    score[leads & (match.games.crawford == crawford)[:, None]] -= 1
    return score


def _of_game(row: int) -> Callable[[Match], RowValues]:
    """The score of one game for all."""
    return lambda match: np.broadcast_to(match.games.score[row], match.games.score.shape).copy()


def _longer(points: int) -> ScoredChange:
    def change(scored: Scored) -> Scored:
        match = scored.match
        if match.length is None:
            return scored
        return weighed(scored, replace(match, length=max(match.length + points, 1)))

    return change


def _doubles_after(scored: Scored) -> Scored:
    doubling = decisions_where(scored, {"kind": ["double", "no-double"], "error": "> 0"})
    return weighed(scored, cubes=cube_values(scored) << doubling.astype(int))


DECISION_OPERATIONS: Final[Mapping[str, Callable[..., ScoredChange]]] = {
    "decisions": changed,
    "charged_to_both": charged_to_both,
    "errors_rounded": rounded,
    "errors_cut": cut,
    "errors_capped": capped,
    "window": window,
    "redouble_window": partial(window, where={"cube": "> 1"}),
    "losing_side": losing_side,
    "worth_more": lambda border: recounted(losing=lambda view: view.no_double > float(border)),
}
"""By the first key of an entry of the catalogue, what makes a change of it and those behind it."""
DECISION_CHANGES: Final[Mapping[str, ScoredChange]] = {
    "all-no-doubles-counted": recounted(
        lambda view: view.access & (view.no_double == view.no_double)
    ),
    "single-errors-truncated": cut(3, SINGLE_CUT_SLACK),
    "errors-squared": erring(lambda scored: scored.error**2),
    "errors-negative": erring(lambda scored: -scored.error),
    "negative-exchanged": _of_plays_alone(_negative),
    "highest-is-best": _of_plays_alone(_by_highest),
    "second-is-wrong": _of_plays_alone(_second_is_wrong),
    "error-against-second": erring(_against_second),
    "errors-times-cube": erring(lambda scored: scored.error * cube_values(scored)),
    "points-times-cube": lambda scored: replace(scored, error=scored.error * cube_values(scored)),
    "passes-ignored": erring(_always_taken),
    "errors-in-single-precision": _single_precision,
    "mwc-at-cube-1": lambda scored: weighed(scored, cubes=np.ones(len(scored.error), int)),
    "mwc-doubles-after": _doubles_after,
    "mwc-at-first-score": _at_scores(_of_game(0)),
    "mwc-at-last-score": _at_scores(_of_game(-1)),
    "mwc-at-0-0": _at_scores(lambda match: np.zeros_like(match.games.score)),
    "mwc-longer": _longer(1),
    "mwc-shorter": _longer(-1),
    "crawford-played-as-post": _at_scores(partial(_as_two_away, crawford=True)),
    "crawford-ignored-in-table": _at_scores(partial(_as_two_away, crawford=False)),
}
"""By the name of an entry of the catalogue, what is done to scored decisions."""
