"""Faults about what counts as a decision, and whose it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from reconcile.infer.faults.steps import (
    also,
    also_charged,
    at_cube,
    charged_to_other,
    cube,
    danced,
    doubled,
    dropped,
    exchanged,
    games,
    gap,
    is_valid_play,
    kind,
    play,
    post_crawford,
    recounted,
    turn,
    without,
)
from reconcile.match.columns import Kind, Validity
from reconcile.scoring.score import Scored

PLAY, NO_DOUBLE, DOUBLE, TAKE, PASS, BEAVER = (
    Kind.PLAY,
    Kind.NO_DOUBLE,
    Kind.DOUBLE,
    Kind.TAKE,
    Kind.PASS,
    Kind.BEAVER,
)
BAR: Final = 25


def equal(scored: Scored, border: float = 1e-6) -> Any:
    """Whether a row is a play with a choice among candidates that are all as good."""
    return (
        is_valid_play(scored) & (play(scored, "legal") > 1) & (play(scored, "spread", 9.0) < border)
    )


def one_no_double(scored: Scored) -> Any:
    """The later close no-doubles of a player in a game."""
    late = np.zeros(len(scored.error), bool)
    rows = np.flatnonzero(kind(scored, NO_DOUBLE) & scored.counted)
    seen = set()
    for row in rows.tolist():
        key = int(scored.game[row]), int(scored.player[row])
        late[row] = key in seen
        seen.add(key)
    return late


def last_play(scored: Scored) -> Any:
    """The last play of every game."""
    found = np.zeros(len(scored.error), bool)
    rolled = np.flatnonzero(is_valid_play(scored))
    for game in range(len(scored.match.games)):
        mine = rolled[scored.game[rolled] == game]
        found[mine[-1:]] = True
    return found


def with_play(scored: Scored) -> Any:
    """Right no-doubles whose roll is no decision."""
    right = kind(scored, NO_DOUBLE) & (gap(scored) >= 0)
    played = scored.counted & kind(scored, PLAY)
    counted = set(zip(scored.game[played].tolist(), turn(scored)[played].tolist(), strict=True))
    keys = zip(scored.game.tolist(), turn(scored).tolist(), strict=True)
    return right & ~np.array([key in counted for key in keys], bool)


def _changes_nothing(scored: Scored, border: float) -> Any:
    """Doubles, takes and passes that change less than a border, and doubles of positions that are as good as lost."""
    doubled = kind(scored, DOUBLE) & (
        (np.abs(gap(scored)) < border) | (cube(scored, "no_double") < -0.9)
    )
    return doubled | (
        kind(scored, TAKE, PASS)
        & (np.abs(cube(scored, "double_take") - cube(scored, "double_pass")) < border)
    )


COUNTING: Final[Mapping[str, Any]] = {
    "forced-counted": also(
        lambda s: is_valid_play(s) & (play(s, "legal") == 1) & play(s, "moved", False)
    ),
    "dances-counted": (
        also(lambda s: is_valid_play(s) & ~play(s, "moved", False)),
        also(lambda s: kind(s, PLAY) & ~play(s, "moved", False)),
    ),
    "moves-without-choice-counted": also(lambda s: is_valid_play(s) & (play(s, "legal") <= 1)),
    "equal-plays-exchanged": exchanged(equal),
    "equal-to-0.001-exchanged": exchanged(lambda s: equal(s, 0.0005)),
    "first-play-left-out": without(lambda s: kind(s, PLAY) & (turn(s) == 1)),
    "first-cube-left-out": without(lambda s: ~kind(s, PLAY) & (turn(s) <= 3)),
    "reply-left-out": without(lambda s: kind(s, PLAY) & (turn(s) == 2)),
    "last-play-left-out": without(last_play),
    "right-plays-left-out": without(lambda s: kind(s, PLAY) & (s.error <= 0)),
    "right-decisions-left-out": without(lambda s: s.error <= 0),
    "errors-left-out": without(lambda s: kind(s, PLAY) & (s.error > 0)),
    "large-errors-left-out": without(lambda s: kind(s, PLAY) & (s.error > 0.5)),
    "doublets-left-out": without(
        lambda s: kind(s, PLAY) & (play(s, "dice")[:, 0] == play(s, "dice")[:, 1])
    ),
    "bar-plays-left-out": without(lambda s: kind(s, PLAY) & (play(s, "position")[:, BAR] > 0)),
    "two-candidates-left-out": without(lambda s: kind(s, PLAY) & (play(s, "legal") == 2)),
    "illegal-exchanged": exchanged(
        lambda s: kind(s, PLAY) & (play(s, "validity") == Validity.ILLEGAL.value)
    ),
    "unplayed-counted": also(
        lambda s: kind(s, PLAY) & (play(s, "validity") == Validity.UNPLAYED.value)
    ),
    "plays-not-analysed-counted": also(lambda s: is_valid_play(s) & ~play(s, "analysed", True)),
    "all-no-doubles-counted": recounted(
        lambda view: view.access & (view.no_double == view.no_double)
    ),
    "right-no-doubles-left-out": without(lambda s: kind(s, NO_DOUBLE) & (gap(s) >= 0)),
    "missed-doubles-left-out": without(lambda s: kind(s, NO_DOUBLE) & (gap(s) < 0)),
    "costly-no-doubles-left-out": without(lambda s: kind(s, NO_DOUBLE) & (s.error > 0)),
    "no-doubles-left-out": without(lambda s: kind(s, NO_DOUBLE)),
    "either-side": without(lambda s: kind(s, NO_DOUBLE) & (gap(s) < -0.16)),
    "one-no-double-a-game": without(one_no_double),
    "no-doubles-with-plays": without(with_play),
    "no-redoubles-left-out": without(lambda s: kind(s, NO_DOUBLE) & (at_cube(s) > 1)),
    "redoubles-left-out": without(lambda s: kind(s, DOUBLE) & (at_cube(s) > 1)),
    "too-good-exchanged": exchanged(lambda s: kind(s, NO_DOUBLE) & (cube(s, "no_double") > 1)),
    "too-good-left-out": without(lambda s: kind(s, NO_DOUBLE) & (cube(s, "no_double") > 1)),
    "losing-side-missed": exchanged(
        lambda s: kind(s, NO_DOUBLE) & (gap(s) < 0) & (cube(s, "no_double") < 0)
    ),
    "losing-side-either": without(
        lambda s: (
            kind(s, NO_DOUBLE) & ((cube(s, "no_double") < -0.9) | (cube(s, "double_take") < -0.9))
        )
    ),
    "no-doubles-after-dances-left-out": (
        dropped(lambda s: kind(s, NO_DOUBLE) & danced(s)),
        without(lambda s: kind(s, NO_DOUBLE) & danced(s)),
        dropped(lambda s: kind(s, NO_DOUBLE) & danced(s, before=True)),
        without(lambda s: kind(s, NO_DOUBLE) & danced(s, before=True)),
    ),
    "doublets-counted-twice": doubled(
        lambda s: kind(s, PLAY) & (play(s, "dice")[:, 0] == play(s, "dice")[:, 1])
    ),
    "doubles-counted-twice": (
        doubled(lambda s: kind(s, DOUBLE)),
        doubled(lambda s: kind(s, DOUBLE), costs=False),
        doubled(lambda s: kind(s, NO_DOUBLE, DOUBLE), costs=False),
    ),
    "answers-counted-twice": (
        doubled(lambda s: kind(s, TAKE, PASS)),
        doubled(lambda s: kind(s, TAKE, PASS), costs=False),
    ),
    "post-crawford-cubes-dropped": (
        dropped(lambda s: ~kind(s, PLAY) & post_crawford(s)),
        dropped(lambda s: kind(s, NO_DOUBLE) & post_crawford(s)),
    ),
    "answers-errors-to-doubler": charged_to_other(
        lambda s: kind(s, TAKE, PASS, BEAVER) & (s.error > 0)
    ),
    "answers-charged-to-both": also_charged(lambda s: kind(s, TAKE, PASS, BEAVER)),
    "doubles-charged-to-both": also_charged(lambda s: kind(s, DOUBLE)),
    "doubles-left-out": without(lambda s: kind(s, DOUBLE)),
    "right-doubles-left-out": without(lambda s: kind(s, DOUBLE) & (s.error <= 0)),
    "answers-left-out": without(lambda s: kind(s, TAKE, PASS, BEAVER)),
    "takes-left-out": without(lambda s: kind(s, TAKE, BEAVER)),
    "passes-left-out": without(lambda s: kind(s, PASS)),
    "right-answers-left-out": without(lambda s: kind(s, TAKE, PASS, BEAVER) & (s.error <= 0)),
    "right-takes-left-out": without(lambda s: kind(s, TAKE, BEAVER) & (s.error <= 0)),
    "right-passes-left-out": without(lambda s: kind(s, PASS) & (s.error <= 0)),
    "answers-charged-to-doubler": charged_to_other(lambda s: kind(s, TAKE, PASS, BEAVER)),
    "doubles-charged-to-opponent": charged_to_other(lambda s: kind(s, DOUBLE)),
    "second-players-cubes-left-out": without(lambda s: ~kind(s, PLAY) & (s.player == 1)),
    "post-crawford-cubes-left-out": without(lambda s: ~kind(s, PLAY) & post_crawford(s)),
    "post-crawford-no-doubles-left-out": without(lambda s: kind(s, NO_DOUBLE) & post_crawford(s)),
    "decisions-of-unfinished-left-out": games(lambda match: match.games.winner >= 0),
    "decisions-of-crawford-game-left-out": games(lambda match: ~match.games.crawford),
    "decisions-of-last-game-left-out": games(
        lambda match: np.arange(len(match.games)) < max(len(match.games) - 1, 1)
    ),
    "decisions-of-first-game-left-out": games(
        lambda match: np.arange(len(match.games)) > (-1 if len(match.games) == 1 else 0)
    ),
    "decisions-of-later-games-left-out": lambda most: games(
        lambda match: np.arange(len(match.games)) < most
    ),
    "decisions-of-second-games-left-out": games(lambda match: np.arange(len(match.games)) % 2 == 0),
    "small-spreads-left-out": lambda border: without(
        lambda s: kind(s, PLAY) & (play(s, "spread", 9.0) < border)
    ),
    "late-left-out": lambda turns: without(lambda s: turn(s) > turns),
    "window-moved": lambda border: recounted(lambda view: view.no_double - view.least < border),
    "redouble-window-moved": lambda border: recounted(
        lambda view: view.no_double - view.least < border, where=lambda s: at_cube(s) > 1
    ),
    "losing-side-moved": lambda border: (
        recounted(losing=lambda view: ~((view.no_double < border) & (view.double_take < border))),
        recounted(losing=lambda view: view.no_double > border),
        without(lambda s: kind(s, NO_DOUBLE) & (cube(s, "no_double") < border)),
    ),
    "optional-left-out": lambda border: without(
        lambda s: kind(s, NO_DOUBLE) & (np.abs(gap(s)) < border)
    ),
    "doubles-that-change-nothing-left-out": lambda border: without(
        lambda s: _changes_nothing(s, border)
    ),
}
"""By name what is done to scored decisions, or what makes it of a number."""
