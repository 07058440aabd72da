"""The faults that are planted, each a step of the scoring done otherwise."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

import numpy as np

from reconcile.infer.scorer import Fault
from tests.support.planted_steps import (
    DOUBLE,
    ILLEGAL,
    NO,
    PASS,
    PLAY,
    TAKE,
    VALID,
    _but_largest,
    _capped,
    _exchanged,
    _half_each,
    _mean_pr,
    _turn,
    _with_two_more,
    answer,
    charged_to_other,
    counting,
    cubes,
    erring,
    games,
    kinds,
    legal,
    of,
    plays,
    right_window,
    scores,
    shown,
    times,
    value,
)

USUAL: Final = (
    "pr", "checker_pr", "cube_pr", "error_rate_memg", "snowie_er", "snowie_memg",
    *(f"decisions.{part}" for part in ("counted", "checker", "double", "take")),
    *(f"moves.{part}" for part in ("total", "unforced", "forced")),
    *(f"equity_error.{part}" for part in ("total", "checker", "double", "take")),
    *(f"mwc_loss_percent.{part}" for part in ("total", "checker", "double", "take")),
    *(f"{grade}.{part}" for grade in ("errors", "blunders") for part in ("total", "checker", "double", "take")),
    "luck.equity", "luck.mwc_percent", "luck.jokers", "luck.rolls", "luck.rate",
)  # fmt: skip
"""What the programs print."""


def F(code: str, sentence: str, **steps: Any) -> Fault:  # noqa: N802
    """A fault."""
    return Fault(code, sentence, **steps)


QUESTIONED: Final = (
    F(
        "p-q01",
        "forced plays count",
        of_scored=counting(
            lambda s: True, lambda s: (legal(s) == 1) & (of(s, "moved", False)) & kinds(s, PLAY)
        ),
    ),
    F("p-q02", "window of 0.18", of_scored=right_window(0.18)),
    F(
        "p-q03",
        "no-doubles below -0.6 do not count",
        of_scored=counting(lambda s: ~(kinds(s, NO) & (cubes(s, "no_double") < -0.6))),
    ),
    F(
        "p-q04",
        "no-doubles within 0.002 do not count",
        of_scored=counting(
            lambda s: ~(kinds(s, NO) & (np.abs(cubes(s, "no_double") - cubes(s, "least")) < 0.002))
        ),
    ),
    F(
        "p-q05",
        "decisions without analysis count",
        of_rules=answer("Q05", "counts-with-zero-error"),
    ),
    F("p-q06", "errors against the highest candidate", of_rules=answer("Q06", "max-candidate")),
    F(
        "p-q07",
        "resignation errors go to the winner",
        of_match=lambda m: replace(
            m, resignations=m.resignations.replaced(player=1 - m.resignations.player)
        ),
    ),
    F("p-q08", "PR is in thousandths", of_figures=times(2, "pr", "checker_pr", "cube_pr")),
    F(
        "p-q09",
        "one-point matches times 2",
        of_figures=shown(
            lambda o, t, m, s: (
                {k: o[k] * 2 for k in ("pr", "checker_pr", "cube_pr") if o[k] is not None}
                if m.match.length == 1
                else {}
            )
        ),
    ),
    F("p-q10", "answers at the doubled cube", of_rules=answer("Q10", "after-double")),
    F("p-q11", "table of Woolsey", table="woolsey"),
    F(
        "p-q12",
        "blunders from 0.05",
        of_figures=shown(
            lambda o, t, m, s: {
                "blunders.total": int(((m.scored.player == s) & (m.scored.error >= 0.0499)).sum())
            }
        ),
    ),
    F(
        "p-q13",
        "PR capped at 50",
        of_figures=shown(lambda o, t, m, s: {"pr": min(o["pr"] or 0, 50)}),
    ),
    F(
        "p-q14",
        "beavers recounted otherwise",
        of_rules=lambda r: r.switched(
            "Q14", "as-played" if r.answers["Q14"] != "as-played" else "gnubg-recount"
        ),
    ),
    F("p-q15", "only wrong cube actions count", of_rules=answer("Q15", "only-errors")),
    F("p-q16", "dead cubes count with the play", of_rules=answer("Q16", "with-the-play")),
)
"""One a question."""
EDGES: Final = (
    F(
        "p-dances",
        "dances count",
        of_scored=counting(
            lambda s: True,
            lambda s: kinds(s, PLAY) & ~of(s, "moved", True) & (of(s, "validity") == VALID),
        ),
    ),
    F(
        "p-first",
        "the first roll does not count",
        of_scored=counting(lambda s: ~(kinds(s, PLAY) & (_turn(s) == 1))),
    ),
    F(
        "p-illegal",
        "illegal plays are errors",
        of_match=lambda m: plays(
            m, validity=np.where(m.plays.validity == ILLEGAL, VALID, m.plays.validity)
        ),
    ),
    F("p-redouble", "redoubles within 0.1", of_scored=right_window(0.1, lambda s: value(s) > 1)),
    F(
        "p-too-good",
        "too good never counts",
        of_scored=counting(lambda s: ~(kinds(s, NO) & (cubes(s, "no_double") > 1))),
    ),
    F(
        "p-takes-doubler",
        "answers are charged to the doubler",
        of_scored=charged_to_other(TAKE, PASS),
    ),
    F("p-passes", "passes do not count", of_scored=counting(lambda s: ~kinds(s, PASS))),
    F(
        "p-crawford",
        "the Crawford game is lost",
        of_scored=games(lambda s: ~s.match.games.crawford),
    ),
    F(
        "p-post-crawford",
        "no cubes after the Crawford game",
        of_scored=counting(
            lambda s: (
                ~(
                    kinds(s, NO)
                    & ((s.match.away == 1).any(axis=1) & ~s.match.games.crawford)[s.game]
                )
            )
        ),
    ),
    F(
        "p-last-game",
        "the last game is lost",
        of_scored=games(lambda s: np.arange(len(s.match.games)) < max(len(s.match.games) - 1, 1)),
    ),
    F(
        "p-unfinished",
        "unfinished games are lost",
        of_scored=games(lambda s: s.match.games.winner >= 0),
    ),
    F(
        "p-luck-swapped",
        "luck is the other's",
        of_figures=shown(
            lambda o, t, m, s: {k: t[k] for k in o if k.startswith("luck.") and t[k] is not None}
        ),
    ),
    F(
        "p-luck-sign",
        "luck has the other sign",
        of_figures=times(-1, "luck.equity", "luck.mwc_percent", "luck.rate"),
    ),
    F("p-players", "players are swapped", of_figures=lambda both, made: both[::-1]),
    F(
        "p-round-2",
        "errors are rounded to hundredths",
        of_scored=erring(lambda s: np.round(s.error, 2)),
    ),
    F(
        "p-cube",
        "errors are multiplied by the cube",
        of_scored=erring(lambda s: s.error * value(s)),
    ),
    F(
        "p-fraction",
        "MWC as a fraction",
        of_figures=times(0.01, *(name for name in USUAL if "mwc" in name)),
    ),
    F(
        "p-snowie-own",
        "Snowie's rate by the own moves",
        of_figures=shown(
            lambda o, t, m, s: {
                k: o[k] * (o["moves.total"] + t["moves.total"]) / max(o["moves.total"], 1)
                for k in ("snowie_er", "snowie_memg")
                if o[k] is not None
            }
        ),
    ),
    F(
        "p-joker",
        "jokers from 0.25",
        of_figures=shown(
            lambda o, t, m, s: {
                "luck.jokers": int(
                    ((m.match.plays.player == s) & (m.match.plays.luck >= 0.25)).sum()
                )
            }
        ),
    ),
)
"""Edges that everybody thinks of."""
OTHERS: Final = (
    F(
        "p-doublets-twice",
        "doublets are not counted",
        of_scored=counting(
            lambda s: ~(kinds(s, PLAY) & (of(s, "dice")[:, 0] == of(s, "dice")[:, 1]))
        ),
    ),
    F(
        "p-big-dice",
        "plays of ten pips and more are not counted",
        of_scored=counting(lambda s: ~(kinds(s, PLAY) & (of(s, "dice").sum(axis=1) >= 10))),
    ),
    F("p-squares", "squares of errors", of_scored=erring(lambda s: s.error**2)),
    F(
        "p-even-games",
        "every second game is lost",
        of_scored=games(lambda s: np.arange(len(s.match.games)) % 2 == 0),
    ),
    F(
        "p-second-more",
        "the second player's errors are a tenth larger",
        of_scored=erring(lambda s: np.where(s.player == 1, s.error * 1.1, s.error)),
    ),
    F(
        "p-half-large",
        "errors above 0.5 are halved",
        of_scored=erring(lambda s: np.where(s.error > 0.5, s.error / 2, s.error)),
    ),
    F("p-worst-game", "the PR is that of the worst game", of_figures=shown(_mean_pr)),
    F("p-early", "only the first three turns count", of_scored=counting(lambda s: _turn(s) <= 3)),
    F(
        "p-one-more",
        "one decision too many divides the PR",
        of_figures=shown(
            lambda o, t, m, s: {
                "pr": (o["pr"] or 0) * o["decisions.counted"] / (o["decisions.counted"] + 1)
            }
        ),
    ),
    F(
        "p-floor",
        "the PR is rounded down to a whole number",
        of_figures=shown(lambda o, t, m, s: {"pr": math.floor(o["pr"] or 0)}),
    ),
    F("p-half-double", "wrong doubles cost half", of_scored=_half_each),
    F(
        "p-take-class",
        "takes and doubles are exchanged",
        of_figures=shown(
            lambda o, t, m, s: {
                **_exchanged(o, "decisions.take", "decisions.double"),
                **_exchanged(o, "equity_error.take", "equity_error.double"),
                **_exchanged(o, "mwc_loss_percent.take", "mwc_loss_percent.double"),
            }
        ),
    ),
    F(
        "p-lucky-only",
        "only good luck is added up",
        of_match=lambda m: plays(m, luck=np.maximum(m.plays.luck, 0)),
    ),
    F(
        "p-luck-doublets",
        "the luck of doublets is lost",
        of_match=lambda m: plays(
            m, luck=np.where(m.plays.dice[:, 0] == m.plays.dice[:, 1], 0, m.plays.luck)
        ),
    ),
    F(
        "p-odd-turns",
        "no-doubles count in odd turns only",
        of_scored=counting(lambda s: ~kinds(s, NO) | (_turn(s) % 2 == 1)),
    ),
    F(
        "p-moves",
        "a move too many a game",
        of_figures=shown(lambda o, t, m, s: {"moves.total": o["moves.total"] + len(m.match.games)}),
    ),
    F(
        "p-snowie-unforced",
        "Snowie's rate by unforced moves",
        of_figures=shown(
            lambda o, t, m, s: {
                k: o[k]
                * (o["moves.total"] + t["moves.total"])
                / max(o["moves.unforced"] + t["moves.unforced"], 1)
                for k in ("snowie_er", "snowie_memg")
                if o[k] is not None
            }
        ),
    ),
    F(
        "p-score-first",
        "every game is weighed at 0 to 0",
        of_match=lambda m: scores(m, np.zeros_like),
    ),
    F(
        "p-score-last",
        "every game is weighed at the score of the last",
        of_match=lambda m: scores(m, lambda score: np.broadcast_to(score[-1], score.shape).copy()),
    ),
    F(
        "p-longer",
        "matches are a point too long",
        of_match=lambda m: replace(m, length=m.length + 1) if m.length else m,
    ),
    F(
        "p-without-takes",
        "the total is without takes",
        of_figures=shown(
            lambda o, t, m, s: {
                "equity_error.total": (o["equity_error.total"] or 0) - (o["equity_error.take"] or 0)
            }
        ),
    ),
    F(
        "p-small",
        "errors below 0.015 are none",
        of_scored=erring(lambda s: np.where(s.error < 0.015, 0, s.error)),
    ),
    F("p-five", "at most three decisions count", of_scored=_capped(3)),
    F(
        "p-wrong-pass",
        "wrong passes cost twice",
        of_scored=erring(lambda s: np.where(kinds(s, PASS), 2 * s.error, s.error)),
    ),
    F(
        "p-right-doubles",
        "right doubles do not count",
        of_scored=counting(lambda s: ~(kinds(s, DOUBLE) & (s.error <= 0))),
    ),
    F("p-mean-table", "table of Jacobs", table="jacobs"),
    F(
        "p-money",
        "matches are scored as money",
        of_figures=times(0, *(name for name in USUAL if "mwc" in name)),
    ),
    F(
        "p-error-count",
        "errors are counted without blunders",
        of_figures=shown(
            lambda o, t, m, s: {
                f"errors.{p}": (o[f"errors.{p}"] or 0) - (o[f"blunders.{p}"] or 0)
                for p in ("total", "checker", "double", "take")
            }
        ),
    ),
    F(
        "p-cube-rate",
        "the rate of the cube is of all decisions",
        of_figures=shown(
            lambda o, t, m, s: {
                "cube_pr": (o["cube_pr"] or 0)
                * (o["decisions.double"] + o["decisions.take"])
                / max(o["decisions.counted"], 1)
            }
        ),
    ),
    F(
        "p-truncated",
        "errors are cut to thousandths",
        of_scored=erring(lambda s: np.floor(s.error * 1000 + 1e-6) / 1000),
    ),
    F(
        "p-missed-not",
        "missed doubles are no decisions",
        of_scored=counting(lambda s: ~(kinds(s, NO) & (s.error > 0))),
    ),
)
"""What nobody thinks of, and some that few do."""
UNLIKE: Final = (
    F(
        "p-far-games",
        "games after the third are lost",
        of_scored=games(lambda s: np.arange(len(s.match.games)) < 3),
    ),
    F(
        "p-begun-cubes",
        "no-doubles of the first four turns do not count",
        of_scored=counting(lambda s: ~(kinds(s, NO) & (_turn(s) <= 4))),
    ),
    F(
        "p-behind",
        "cube decisions of the player behind do not count",
        of_scored=counting(
            lambda s: (
                kinds(s, PLAY)
                | ~(s.match.away[s.game, s.player] > s.match.away[s.game, 1 - s.player])
            )
        ),
    ),
    F(
        "p-between",
        "errors from 0.05 to 0.06 are none",
        of_scored=erring(lambda s: np.where((s.error >= 0.05) & (s.error < 0.06), 0, s.error)),
    ),
    F(
        "p-large-pass",
        "passes that cost more than 0.1 do not count",
        of_scored=counting(lambda s: ~(kinds(s, PASS) & (s.error > 0.1))),
    ),
    F(
        "p-after-luck",
        "plays of lucky rolls do not count",
        of_scored=counting(lambda s: ~(kinds(s, PLAY) & (of(s, "luck", 0.0) > 0.2))),
    ),
    F(
        "p-two-plays",
        "a choice of two plays does not count",
        of_scored=counting(lambda s: ~(kinds(s, PLAY) & (of(s, "legal") == 2))),
    ),
    F(
        "p-high-cube",
        "errors with the cube at 4 are halved",
        of_scored=erring(lambda s: np.where(value(s) >= 4, s.error / 2, s.error)),
    ),
    F(
        "p-mean-rate",
        "the PR is the mean of those of plays and cube",
        of_figures=shown(
            lambda o, t, m, s: {"pr": ((o["checker_pr"] or 0) + (o["cube_pr"] or 0)) / 2}
        ),
    ),
    F(
        "p-later-luck",
        "luck after the first game is lost",
        of_match=lambda m: plays(m, luck=np.where(m.plays.game > 0, 0, m.plays.luck)),
    ),
)
"""Written when most faults were known to the diagnosis: it must not take them for these."""
LATER: Final = (
    F(
        "p-right-takes",
        "right takes do not count",
        of_scored=counting(lambda s: ~(kinds(s, TAKE) & (s.error <= 0))),
    ),
    F(
        "p-play-cap",
        "plays cost at most 0.15",
        of_scored=erring(lambda s: np.where(kinds(s, PLAY), np.minimum(s.error, 0.15), s.error)),
    ),
    F(
        "p-luck-begun",
        "the luck of the first two turns is lost",
        of_match=lambda m: plays(m, luck=np.where(m.plays.turn <= 2, 0, m.plays.luck)),
    ),
    F(
        "p-per-unforced",
        "the PR is per unforced move",
        of_figures=shown(
            lambda o, t, m, s: {
                "pr": 500 * (o["equity_error.total"] or 0) / max(o["moves.unforced"], 1)
            }
        ),
    ),
    F(
        "p-mwc-parts",
        "the loss in match winning chance is without doubles",
        of_figures=shown(
            lambda o, t, m, s: {
                "mwc_loss_percent.total": (o["mwc_loss_percent.total"] or 0)
                - (o["mwc_loss_percent.double"] or 0)
            }
        ),
    ),
    F(
        "p-snowie-their",
        "Snowie's rate by twice the other's moves",
        of_figures=shown(
            lambda o, t, m, s: {
                k: o[k] * (o["moves.total"] + t["moves.total"]) / max(2 * t["moves.total"], 1)
                for k in ("snowie_er", "snowie_memg")
                if o[k] is not None
            }
        ),
    ),
    F(
        "p-ahead",
        "no-doubles of the player ahead do not count",
        of_scored=counting(
            lambda s: (
                ~(
                    kinds(s, NO)
                    & (s.match.away[s.game, s.player] < s.match.away[s.game, 1 - s.player])
                )
            )
        ),
    ),
    F(
        "p-ones",
        "rolls with a 1 do not count",
        of_scored=counting(lambda s: ~(kinds(s, PLAY) & (of(s, "dice") == 1).any(axis=1))),
    ),
    F(
        "p-won",
        "errors in games that the player won are none",
        of_scored=erring(lambda s: np.where(s.match.games.winner[s.game] == s.player, 0, s.error)),
    ),
    F("p-largest", "the largest error of each player is none", of_scored=erring(_but_largest)),
)
"""Written when the list of known faults was closed: of these only the first is on it."""
NEWEST: Final = (
    F(
        "p-gammons",
        "games won with a gammon are lost",
        of_scored=games(lambda s: s.match.games.points < 2),
    ),
    F(
        "p-owned-answers",
        "answers to redoubles do not count",
        of_scored=counting(lambda s: ~(kinds(s, TAKE, PASS) & (value(s) > 1))),
    ),
    F("p-two-more", "the PR is of two decisions more", of_figures=shown(_with_two_more)),
    F(
        "p-net-luck",
        "the luck of a player is net",
        of_figures=shown(
            lambda o, t, m, s: {"luck.equity": (o["luck.equity"] or 0) - (t["luck.equity"] or 0)}
        ),
    ),
    F(
        "p-jokers-both",
        "jokers are those of both players",
        of_figures=shown(
            lambda o, t, m, s: {"luck.jokers": (o["luck.jokers"] or 0) + (t["luck.jokers"] or 0)}
        ),
    ),
    F(
        "p-luck-cap",
        "the luck of a roll is at most 0.3",
        of_match=lambda m: plays(m, luck=np.clip(m.plays.luck, -0.3, 0.3)),
    ),
    F(
        "p-less",
        "every error is 0.005 smaller",
        of_scored=erring(lambda s: np.maximum(s.error - 0.005, 0)),
    ),
    F("p-wide", "window of 0.3", of_scored=right_window(0.3)),
    F(
        "p-in-checker",
        "decisions to double are among those of checker play",
        of_figures=shown(
            lambda o, t, m, s: {
                "decisions.checker": o["decisions.checker"] + o["decisions.double"],
                "decisions.double": 0,
            }
        ),
    ),
    F(
        "p-round-3",
        "errors are rounded to thousandths",
        of_scored=erring(lambda s: np.round(s.error, 3)),
    ),
    F(
        "p-per-game",
        "the PR is divided by the games",
        of_figures=shown(lambda o, t, m, s: {"pr": (o["pr"] or 0) / len(m.match.games)}),
    ),
    F(
        "p-late-double",
        "errors after turn 10 cost twice",
        of_scored=erring(lambda s: np.where(_turn(s) > 10, 2 * s.error, s.error)),
    ),
    F(
        "p-two-blunders",
        "a blunder is an error twice",
        of_figures=shown(
            lambda o, t, m, s: {
                "errors.total": (o["errors.total"] or 0) + (o["blunders.total"] or 0)
            }
        ),
    ),
    F(
        "p-bar",
        "plays from the bar are forced",
        of_scored=counting(lambda s: ~(kinds(s, PLAY) & (of(s, "position")[:, 25] > 0))),
    ),
    F(
        "p-cheap-takes",
        "wrong takes cost half",
        of_scored=erring(lambda s: np.where(kinds(s, TAKE), s.error / 2, s.error)),
    ),
)
"""Written before the diagnosis ranked mistakes and rules together; it was not looked at what it
says of them."""
