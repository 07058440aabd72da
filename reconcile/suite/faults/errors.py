"""Faults about what a decision cost: its size, its cube, its score, and its share of the winning chance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.match.met import DEFAULT_MET, met_names
from reconcile.match.met.equity import stakes
from reconcile.scoring.score import Scored, chance_lost
from reconcile.suite.faults.counting import DOUBLE, NO_DOUBLE, PASS, PLAY, TAKE, F
from reconcile.suite.faults.steps import at_cube, cube, dropped, erring, forgiven, gap, kind, made, play

FORGIVEN: Final = (0.0001, 0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.04)
CUT: Final = (0.15, 0.3, 0.5, 1.0)
FACTORS: Final = (0.5, 2.0, 0.1, 10.0, 1.1, 1.5, 0.9)


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
    error[: len(plays)] = np.where(better == better, np.where(plays.analysed, better, 0), error[: len(plays)])
    return error


def _negative(scored: Scored) -> Any:
    """Errors of plays that show a higher equity than the first candidate: none, where they are negative, and the other way round."""
    error = scored.error.copy()
    plays = scored.match.plays
    shown = plays.best - plays.played
    mine = shown < 0
    error[: len(plays)] = np.where(mine, np.where(error[: len(plays)] == 0, shown, 0), error[: len(plays)])
    return error


def _stored(rules: Any) -> Any:
    return rules.switched("Q06", "candidate-0" if rules.answers["Q06"] in ("stored", "millipoint") else "stored")


def _pass_ignored(scored: Scored) -> Any:
    """Errors as if every double were taken."""
    missed, wrong = kind(scored, NO_DOUBLE) & (gap(scored) < 0), kind(scored, DOUBLE)
    nd, dt = cube(scored, "no_double"), cube(scored, "double_take")
    return np.where(missed, np.maximum(dt - nd, 0), np.where(wrong & (nd == nd), np.maximum(nd - dt, 0), scored.error))


def weighed(scored: Scored, match: Match | None = None, factor: Any = None) -> Scored:
    """The same errors, weighed at other scores or cubes."""
    match = match or scored.match
    value = np.maximum(at_cube(scored) if factor is None else factor, 1).astype(int)
    seat = scored.player
    at_stake = stakes(match, scored.met, int(value.max(initial=1)))
    win, lose = at_stake.of(scored.game, seat, value)
    return replace(scored, win=win, lose=lose, loss=chance_lost(scored.error, win, lose, scored.met))


def _scores(change: Any) -> Any:
    """Weighed at other scores; of rows that are weighed in the doubler's view as for anybody."""

    def changed(scored: Scored) -> Scored:
        match = scored.match
        if match.is_money:
            return scored
        games = match.games.replaced(score=change(match.games.score))
        return weighed(scored, replace(match, games=games))

    return changed


def _at_0_0(match: Match) -> Match:
    return replace(match, games=match.games.replaced(score=np.zeros_like(match.games.score)))


def _at_cube_one(scored: Scored) -> Scored:
    return weighed(scored, factor=np.ones(len(scored.error), int))


def _doubles_after(scored: Scored) -> Scored:
    return weighed(scored, factor=at_cube(scored) << (kind(scored, DOUBLE, NO_DOUBLE) & (scored.error > 0)).astype(int))


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
        return scored if match.length is None else weighed(scored, replace(match, length=max(match.length + more, 1)))

    return changed


def _truncated(digits: int, near: float = 1e-4) -> Any:
    """Errors cut to so many digits; what is nearer than that to the next digit has it."""
    scale = 10.0**digits
    return lambda scored: np.trunc(scored.error * scale + near) / scale


ERRORS: Final = (
    F(
        "errors-rounded-to-3",
        "it rounds errors to the thousandth before it adds them up",
        erring(lambda s: np.round(s.error.astype(float), 3)),
    ),
    F(
        "errors-rounded-to-2",
        "it rounds errors to the hundredth before it adds them up",
        erring(lambda s: np.round(s.error.astype(float), 2)),
    ),
    F(
        "errors-rounded-to-4",
        "it rounds errors to the ten-thousandth before it adds them up",
        erring(lambda s: np.round(s.error.astype(float), 4)),
    ),
    F("errors-rounded-to-1", "it rounds errors to the tenth before it adds them up", erring(lambda s: np.round(s.error.astype(float), 1))),
    F("errors-truncated-to-3", "it cuts errors to the thousandth before it adds them up", erring(_truncated(3))),
    F("errors-truncated-to-2", "it cuts errors to the hundredth before it adds them up", erring(_truncated(2))),
    F("errors-truncated-to-3", "it cuts errors in single precision to the thousandth", erring(_truncated(3, 1e-6))),
    F("errors-squared", "it adds up the squares of errors", erring(lambda s: s.error**2)),
    F("errors-negative", "it adds up errors with the wrong sign", erring(lambda s: -s.error)),
    F("negative-exchanged", "it treats plays with a higher equity than the first candidate the other way round", erring(_negative)),
    F("highest-is-best", "it takes the highest candidate for the best", erring(_by_highest)),
    F(
        "second-is-wrong",
        "it takes the second of two equal plays for an error",
        erring(
            lambda s: np.where(
                kind(s, PLAY) & (s.error == 0) & (play(s, "best") - play(s, "played") == 0) & (play(s, "spread") > 0), 0.001, s.error
            )
        ),
    ),
    F("error-against-second", "it takes an error against the second candidate", erring(_against_second)),
    F("stored-exchanged", "it takes the stored error where the candidates decide, or the other way round", None, of_rules=_stored),
    *(
        F(
            "small-errors-forgiven",
            f"it takes errors below {border:g} for none",
            made(lambda border: forgiven(lambda s: s.error < border), border),
        )
        for border in FORGIVEN
    ),
    *(
        F(
            "small-errors-left-out",
            f"it leaves out decisions with an error below {border:g}",
            made(lambda border: dropped(lambda s: (s.error > 0) & (s.error < border)), border),
        )
        for border in FORGIVEN
    ),
    *(
        F(
            "large-errors-cut" if border < 1 else "errors-capped",
            f"it cuts errors to {border:g}",
            made(lambda border: erring(lambda s: np.minimum(s.error, border)), border),
        )
        for border in CUT
    ),
    *(
        F(
            "large-errors-left-out-whole",
            f"it leaves out errors above {border:g}",
            made(lambda border: dropped(lambda s: s.error > border), border),
        )
        for border in CUT
    ),
    *(
        F(
            "large-errors-halved",
            f"it halves errors above {border:g}",
            made(lambda border: erring(lambda s: np.where(s.error > border, s.error / 2, s.error)), border),
        )
        for border in CUT
    ),
    F("errors-times-cube", "it multiplies errors by the cube", erring(lambda s: s.error * at_cube(s))),
    F(
        "answers-doubled",
        "it takes errors of takes and passes at the doubled cube",
        erring(lambda s: np.where(kind(s, TAKE, PASS), 2 * s.error, s.error)),
    ),
    F("takes-doubled", "it doubles errors of takes", erring(lambda s: np.where(kind(s, TAKE), 2 * s.error, s.error))),
    F("passes-doubled", "it doubles errors of passes", erring(lambda s: np.where(kind(s, PASS), 2 * s.error, s.error))),
    F(
        "doubles-doubled",
        "it takes errors of doubles at the doubled cube",
        erring(lambda s: np.where(kind(s, DOUBLE), 2 * s.error, s.error)),
    ),
    F(
        "missed-doubles-doubled",
        "it doubles errors of missed doubles",
        erring(lambda s: np.where(kind(s, NO_DOUBLE), 2 * s.error, s.error)),
    ),
    F("doubles-halved", "it halves errors of doubles", erring(lambda s: np.where(kind(s, DOUBLE), s.error / 2, s.error))),
    F("missed-doubles-halved", "it halves errors of missed doubles", erring(lambda s: np.where(kind(s, NO_DOUBLE), s.error / 2, s.error))),
    F("answers-halved", "it halves errors of takes and passes", erring(lambda s: np.where(kind(s, TAKE, PASS), s.error / 2, s.error))),
    F("passes-halved", "it halves errors of passes", erring(lambda s: np.where(kind(s, PASS), s.error / 2, s.error))),
    F("takes-halved", "it halves errors of takes", erring(lambda s: np.where(kind(s, TAKE), s.error / 2, s.error))),
    F("cube-errors-halved", "it halves errors of the cube", erring(lambda s: np.where(kind(s, PLAY), s.error, s.error / 2))),
    F("cube-errors-doubled", "it doubles errors of the cube", erring(lambda s: np.where(kind(s, PLAY), s.error, s.error * 2))),
    F("passes-ignored", "it takes every double for one that is taken", erring(_pass_ignored)),
    F("wrong-passes-forgiven", "it charges no wrong passes", forgiven(lambda s: kind(s, PASS))),
    F("wrong-takes-forgiven", "it charges no wrong takes", forgiven(lambda s: kind(s, TAKE))),
    F("wrong-doubles-forgiven", "it charges no wrong doubles", forgiven(lambda s: kind(s, DOUBLE))),
    F("missed-doubles-forgiven", "it charges no missed doubles", forgiven(lambda s: kind(s, NO_DOUBLE))),
    F("missed-redoubles-forgiven", "it charges no missed redoubles", forgiven(lambda s: kind(s, NO_DOUBLE) & (at_cube(s) > 1))),
    F("plays-not-counted-forgiven", "it charges only plays that count", forgiven(lambda s: kind(s, PLAY) & ~s.counted)),
    F("not-counted-forgiven", "it charges only decisions that count", forgiven(lambda s: ~s.counted)),
    *(
        F(
            "errors-of-seat-scaled",
            f"it multiplies errors of the {('first', 'second')[seat]} player by {factor:g}",
            made(lambda seat, factor: erring(lambda s: np.where(s.player == seat, s.error * factor, s.error)), seat, factor),
        )
        for seat in (0, 1)
        for factor in FACTORS
    ),
    *(
        F("errors-scaled", f"it multiplies errors by {factor:g}", made(lambda factor: erring(lambda s: s.error * factor), factor))
        for factor in FACTORS
    ),
    F(
        "answers-at-doubled-cube",
        "it weighs takes and passes at the doubled cube",
        None,
        of_rules=lambda rules: rules.switched("Q10", "after-double"),
    ),
    F(
        "resignations-exchanged",
        "it treats errors of resigning the other way round",
        None,
        of_rules=lambda rules: rules.switched("Q07", "no" if rules.answers["Q07"] != "no" else "yes-without-decision"),
    ),
    F(
        "resignations-swapped",
        "it charges errors of resigning to the other player",
        None,
        of_match=lambda match: replace(match, resignations=match.resignations.replaced(player=1 - match.resignations.player)),
    ),
    F("resignations-accepted-ignored", "it charges no accepted resignations", forgiven(lambda s: kind(s, Kind.ACCEPT_RESIGN))),
    F("mwc-at-cube-1", "it weighs every error at a cube of 1", _at_cube_one),
    F("mwc-doubles-after", "it weighs errors of doubling at the doubled cube", _doubles_after),
    F(
        "mwc-at-first-score",
        "it weighs every game at the score of the first",
        _scores(lambda score: np.broadcast_to(score[:1], score.shape).copy()),
    ),
    F(
        "mwc-at-last-score",
        "it weighs every game at the score of the last",
        _scores(lambda score: np.broadcast_to(score[-1:], score.shape).copy()),
    ),
    F("score-ignored", "it takes every game for one at 0 to 0", None, of_match=_at_0_0),
    F("mwc-at-0-0", "it weighs every game at 0 to 0", _scores(np.zeros_like)),
    F("score-swapped", "it turns the score round", _scores(lambda score: score[:, ::-1].copy())),
    F("mwc-longer", "it weighs errors as if the match were a point longer", _length(1)),
    F("mwc-shorter", "it weighs errors as if the match were a point shorter", _length(-1)),
    F("crawford-played-as-post", "it weighs the Crawford game as if the leader needed two points", _crawford_as_post),
    F("crawford-ignored-in-table", "after the Crawford game it weighs errors as if the leader needed two points", _crawford_ignored),
    *(
        F(
            {"jacobs": "table-of-jacobs", "Rockwell-Kazaross": "table-of-rockwell"}.get(name, f"table-of-{name}"),
            f"it uses the match equity table {name}",
            None,
            table=name,
        )
        for name in met_names()
        if name != DEFAULT_MET
    ),
)
