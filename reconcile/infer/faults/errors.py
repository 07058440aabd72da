"""Faults about what a decision cost: its size, its cube, its score, and its share of the winning chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from reconcile.infer.faults.counting import DOUBLE, NO_DOUBLE, PASS, PLAY, TAKE
from reconcile.infer.faults.steps import (
    at_cube,
    cube,
    dropped,
    erring,
    forgiven,
    gap,
    kind,
    play,
    scaled,
)
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.match.met.equity import stakes
from reconcile.scoring.score import Scored, chance_lost


def _against_second(scored: Scored) -> Any:
    """The error against the best of the other candidates."""
    error = scored.error.astype(float)
    for row in range(len(scored.match.plays)):
        listed = [one for one in scored.match.candidates(row) if one.equity is not None]
        made = next((one for one in listed if one.made), None)
        others = [one.equity for one in listed if one is not made and one.equity is not None]
        if made is not None and others and made.equity is not None and error[row] > 0:
            error[row] = abs(max(others[1:] or others) - made.equity)
    return error


def _by_highest(scored: Scored) -> Any:
    error = scored.error.copy()
    plays = scored.match.plays
    better = plays.highest - plays.played
    error[: len(plays)] = np.where(
        better == better, np.where(plays.analysed, better, 0), error[: len(plays)]
    )
    return error


def _negative(scored: Scored) -> Any:
    """Errors of plays that show a higher equity than the first candidate: none, where they are negative, and the other way round."""
    error = scored.error.copy()
    plays = scored.match.plays
    shown = plays.best - plays.played
    mine = shown < 0
    error[: len(plays)] = np.where(
        mine, np.where(error[: len(plays)] == 0, shown, 0), error[: len(plays)]
    )
    return error


def _pass_ignored(scored: Scored) -> Any:
    """Errors as if every double were taken."""
    missed, wrong = kind(scored, NO_DOUBLE) & (gap(scored) < 0), kind(scored, DOUBLE)
    nd, dt = cube(scored, "no_double"), cube(scored, "double_take")
    return np.where(
        missed,
        np.maximum(dt - nd, 0),
        np.where(wrong & (nd == nd), np.maximum(nd - dt, 0), scored.error),
    )


def weighed(scored: Scored, match: Match | None = None, factor: Any = None) -> Scored:
    """The same errors, weighed at other scores or cubes."""
    match = match or scored.match
    value = np.maximum(at_cube(scored) if factor is None else factor, 1).astype(int)
    seat = scored.player
    at_stake = stakes(match, scored.met, int(value.max(initial=1)))
    win, lose = at_stake.of(scored.game, seat, value)
    return replace(
        scored, win=win, lose=lose, loss=chance_lost(scored.error, win, lose, scored.met)
    )


def _scores(change: Any) -> Any:
    """Weighed at other scores; of rows that are weighed in the doubler's view as for anybody."""

    def changed(scored: Scored) -> Scored:
        match = scored.match
        if match.is_money:
            return scored
        games = match.games.replaced(score=change(match.games.score))
        return weighed(scored, replace(match, games=games))

    return changed


def _at_cube_one(scored: Scored) -> Scored:
    return weighed(scored, factor=np.ones(len(scored.error), int))


def _doubles_after(scored: Scored) -> Scored:
    return weighed(
        scored,
        factor=at_cube(scored)
        << (kind(scored, DOUBLE, NO_DOUBLE) & (scored.error > 0)).astype(int),
    )


def _crawford_as_post(scored: Scored) -> Scored:
    """In the Crawford game errors are weighed as if the leader needed two points."""
    match = scored.match
    if match.is_money or match.length is None:
        return scored
    score = match.games.score.copy()
    leads = score == match.length - 1
    score[leads & match.games.crawford[:, None]] -= 1
    return weighed(scored, replace(match, games=match.games.replaced(score=score)))


def _crawford_ignored(scored: Scored) -> Scored:
    """After the Crawford game errors are weighed as if the leader needed two points."""
    match = scored.match
    if match.is_money or match.length is None:
        return scored
    score = match.games.score.copy()
    leads = score == match.length - 1
    score[leads & ~match.games.crawford[:, None]] -= 1
    return weighed(scored, replace(match, games=match.games.replaced(score=score)))


def _length(more: int) -> Any:
    def changed(scored: Scored) -> Scored:
        match = scored.match
        return (
            scored
            if match.length is None
            else weighed(scored, replace(match, length=max(match.length + more, 1)))
        )

    return changed


def _truncated(digits: int, near: float = 1e-4) -> Any:
    """Errors cut to so many digits; what is nearer than that to the next digit has it."""
    scale = 10.0**digits
    return lambda scored: np.trunc(scored.error * scale + near) / scale


def _rounded(digits: int) -> Any:
    return erring(lambda scored: np.round(scored.error.astype(float), digits))


def _cut(border: float) -> Any:
    return erring(lambda scored: np.minimum(scored.error, border))


def _second_is_wrong(scored: Scored) -> Any:
    """A thousandth for a play that is as good as the first candidate, where others are not."""
    second = (
        kind(scored, PLAY)
        & (scored.error == 0)
        & (play(scored, "best") - play(scored, "played") == 0)
    )
    return np.where(second & (play(scored, "spread") > 0), 0.001, scored.error)


ERRORS: Final[Mapping[str, Any]] = {
    "errors-rounded-to-3": _rounded(3),
    "errors-rounded-to-2": _rounded(2),
    "errors-rounded-to-4": _rounded(4),
    "errors-rounded-to-1": _rounded(1),
    "errors-truncated-to-3": erring(_truncated(3)),
    "errors-truncated-to-2": erring(_truncated(2)),
    "single-errors-truncated": erring(_truncated(3, 1e-6)),
    "errors-squared": erring(lambda s: s.error**2),
    "errors-negative": erring(lambda s: -s.error),
    "negative-exchanged": erring(_negative),
    "highest-is-best": erring(_by_highest),
    "second-is-wrong": erring(_second_is_wrong),
    "error-against-second": erring(_against_second),
    "errors-times-cube": erring(lambda s: s.error * at_cube(s)),
    "answers-doubled": scaled(2, lambda s: kind(s, TAKE, PASS)),
    "takes-doubled": scaled(2, lambda s: kind(s, TAKE)),
    "passes-doubled": scaled(2, lambda s: kind(s, PASS)),
    "doubles-doubled": scaled(2, lambda s: kind(s, DOUBLE)),
    "missed-doubles-doubled": scaled(2, lambda s: kind(s, NO_DOUBLE)),
    "doubles-halved": scaled(0.5, lambda s: kind(s, DOUBLE)),
    "missed-doubles-halved": scaled(0.5, lambda s: kind(s, NO_DOUBLE)),
    "answers-halved": scaled(0.5, lambda s: kind(s, TAKE, PASS)),
    "passes-halved": scaled(0.5, lambda s: kind(s, PASS)),
    "takes-halved": scaled(0.5, lambda s: kind(s, TAKE)),
    "cube-errors-halved": scaled(0.5, lambda s: ~kind(s, PLAY)),
    "cube-errors-doubled": scaled(2, lambda s: ~kind(s, PLAY)),
    "passes-ignored": erring(_pass_ignored),
    "wrong-passes-forgiven": forgiven(lambda s: kind(s, PASS)),
    "wrong-takes-forgiven": forgiven(lambda s: kind(s, TAKE)),
    "wrong-doubles-forgiven": forgiven(lambda s: kind(s, DOUBLE)),
    "missed-doubles-forgiven": forgiven(lambda s: kind(s, NO_DOUBLE)),
    "missed-redoubles-forgiven": forgiven(lambda s: kind(s, NO_DOUBLE) & (at_cube(s) > 1)),
    "plays-not-counted-forgiven": forgiven(lambda s: kind(s, PLAY) & ~s.counted),
    "not-counted-forgiven": forgiven(lambda s: ~s.counted),
    "resignations-accepted-ignored": forgiven(lambda s: kind(s, Kind.ACCEPT_RESIGN)),
    "mwc-at-cube-1": _at_cube_one,
    "mwc-doubles-after": _doubles_after,
    "mwc-at-first-score": _scores(lambda score: np.broadcast_to(score[:1], score.shape).copy()),
    "mwc-at-last-score": _scores(lambda score: np.broadcast_to(score[-1:], score.shape).copy()),
    "mwc-at-0-0": _scores(np.zeros_like),
    "mwc-longer": _length(1),
    "mwc-shorter": _length(-1),
    "crawford-played-as-post": _crawford_as_post,
    "crawford-ignored-in-table": _crawford_ignored,
    "small-errors-forgiven": lambda border: forgiven(lambda s: s.error < border),
    "small-errors-left-out": lambda border: dropped(lambda s: (s.error > 0) & (s.error < border)),
    "large-errors-cut": _cut,
    "errors-capped": _cut,
    "large-errors-left-out-whole": lambda border: dropped(lambda s: s.error > border),
    "large-errors-halved": lambda border: erring(
        lambda s: np.where(s.error > border, s.error / 2, s.error)
    ),
    "errors-of-first-scaled": lambda factor: scaled(factor, lambda s: s.player == 0),
    "errors-of-second-scaled": lambda factor: scaled(factor, lambda s: s.player == 1),
    "errors-in-single-precision": lambda s: replace(
        s, error=s.error.astype(np.float32), loss=s.loss.astype(np.float32)
    ),
    "errors-scaled": lambda factor: erring(lambda s: s.error * factor),
}
"""By name what is done to scored decisions, or what makes it of a number."""
