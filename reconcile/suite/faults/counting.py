"""Faults about what counts as a decision, and whose it is."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from reconcile.match.columns import Kind, Validity
from reconcile.scoring.score import Scored
from reconcile.suite.faults.steps import (
    also,
    at_cube,
    charged_to_other,
    cube,
    exchanged,
    games,
    gap,
    is_valid_play,
    kind,
    made,
    play,
    post_crawford,
    recounted,
    turn,
    without,
)
from reconcile.suite.scorer import Fault

PLAY, NO_DOUBLE, DOUBLE, TAKE, PASS, BEAVER = Kind.PLAY, Kind.NO_DOUBLE, Kind.DOUBLE, Kind.TAKE, Kind.PASS, Kind.BEAVER
BAR: Final = 25
WINDOWS: Final = (0.075, 0.12, 0.155, 0.16, 0.17, 0.18, 0.19, 0.2, 0.21, 0.225, 0.25, 0.28, 0.4, 1.0)
REDOUBLES: Final = (0.025, 0.1, 0.16, 0.17, 0.185, 0.195, 0.2, 0.225, 0.25, 0.5)
LOSING: Final = (0.0, -0.15, -0.4, -0.5, -0.6, -0.8, -0.9, -1.0)
OPTIONAL: Final = (0.00025, 0.001, 0.002, 0.005)
SPREADS: Final = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)


def F(code: str, sentence: str, of_scored: Any = None, **steps: Any) -> Fault:  # noqa: N802 - reads as a table
    """A fault of scored decisions, unless another step is named."""
    return Fault(code, sentence, of_scored=of_scored, **steps)


def equal(scored: Scored, border: float = 1e-6) -> Any:
    """Whether a row is a play with a choice among candidates that are all as good."""
    return is_valid_play(scored) & (play(scored, "legal") > 1) & (play(scored, "spread", 9.0) < border)


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


def _only_within(border: float) -> Any:
    return recounted(lambda view: view.no_double - view.least < border)


COUNTING: Final = (
    F("forced-counted", "it counts forced plays", also(lambda s: is_valid_play(s) & (play(s, "legal") == 1) & play(s, "moved", False))),
    F("dances-counted", "it counts rolls that cannot be played", also(lambda s: is_valid_play(s) & ~play(s, "moved", False))),
    F(
        "moves-without-choice-counted",
        "it counts forced plays and rolls that cannot be played",
        also(lambda s: is_valid_play(s) & (play(s, "legal") <= 1)),
    ),
    F("equal-plays-exchanged", "it treats plays whose candidates are all equal the other way round", exchanged(equal)),
    F(
        "equal-to-0.001-exchanged",
        "it treats plays whose candidates are equal to the thousandth the other way round",
        exchanged(lambda s: equal(s, 0.0005)),
    ),
    F("first-play-left-out", "it does not count the first play of a game", without(lambda s: kind(s, PLAY) & (turn(s) == 1))),
    F(
        "first-cube-left-out",
        "it does not count cube decisions of the first three turns",
        without(lambda s: ~kind(s, PLAY) & (turn(s) <= 3)),
    ),
    F("reply-left-out", "it does not count the second play of a game", without(lambda s: kind(s, PLAY) & (turn(s) == 2))),
    F("last-play-left-out", "it does not count the last play of a game", without(last_play)),
    F("right-plays-left-out", "it counts only plays with an error", without(lambda s: kind(s, PLAY) & (s.error <= 0))),
    F("right-decisions-left-out", "it counts only decisions with an error", without(lambda s: s.error <= 0)),
    F("errors-left-out", "it counts only plays without an error", without(lambda s: kind(s, PLAY) & (s.error > 0))),
    F("large-errors-left-out", "it does not count plays that lost more than 0.5", without(lambda s: kind(s, PLAY) & (s.error > 0.5))),
    F(
        "doublets-left-out",
        "it does not count doublets",
        without(lambda s: kind(s, PLAY) & (play(s, "dice")[:, 0] == play(s, "dice")[:, 1])),
    ),
    F("bar-plays-left-out", "it does not count plays from the bar", without(lambda s: kind(s, PLAY) & (play(s, "position")[:, BAR] > 0))),
    F("two-candidates-left-out", "it does not count plays with two candidates", without(lambda s: kind(s, PLAY) & (play(s, "legal") == 2))),
    F(
        "illegal-exchanged",
        "it treats illegal plays the other way round",
        exchanged(lambda s: kind(s, PLAY) & (play(s, "validity") == Validity.ILLEGAL.value)),
    ),
    F(
        "unplayed-counted",
        "it counts a roll that was never played",
        also(lambda s: kind(s, PLAY) & (play(s, "validity") == Validity.UNPLAYED.value)),
    ),
    F(
        "not-analysed-counted",
        "it counts decisions that were not analysed",
        None,
        of_rules=lambda rules: rules.switched("Q05", "counts-with-zero-error"),
    ),
    F(
        "plays-not-analysed-counted",
        "it counts plays that were not analysed",
        also(lambda s: is_valid_play(s) & ~play(s, "analysed", True)),
    ),
    F(
        "flag-ignored",
        "it ignores the mark of plays that do not count",
        None,
        of_rules=lambda rules: rules.switched("Q01", {"xg-flag": "xg-spread"}.get(rules.answers["Q01"], "xg-flag")),
    ),
    *(
        F(
            "small-spreads-left-out",
            f"it counts plays only if their candidates differ by {border:g} or more",
            made(lambda border: without(lambda s: kind(s, PLAY) & (play(s, "spread", 9.0) < border)), border),
        )
        for border in SPREADS
    ),
    F(
        "all-no-doubles-counted",
        "it counts every turn with access to the cube",
        recounted(lambda view: view.access & (view.no_double == view.no_double)),
    ),
    F("right-no-doubles-left-out", "it counts no right no-doubles", without(lambda s: kind(s, NO_DOUBLE) & (gap(s) >= 0))),
    F("missed-doubles-left-out", "it counts no missed doubles", without(lambda s: kind(s, NO_DOUBLE) & (gap(s) < 0))),
    F(
        "missed-doubles-left-out",
        "it counts no turns without a double that cost something",
        without(lambda s: kind(s, NO_DOUBLE) & (s.error > 0)),
    ),
    *(
        F(
            "late-left-out",
            f"it counts only the first {turns} turns of a game",
            made(lambda turns: without(lambda s: turn(s) > turns), turns),
        )
        for turns in (2, 3, 4, 5, 6, 8, 10)
    ),
    F("no-doubles-left-out", "it counts no turns without a double", without(lambda s: kind(s, NO_DOUBLE))),
    F("either-side", "it counts a missed double only within the window", without(lambda s: kind(s, NO_DOUBLE) & (gap(s) < -0.16))),
    F("one-no-double-a-game", "it counts one no-double a game", without(one_no_double)),
    F("no-doubles-with-plays", "it counts a right no-double only if the play of its roll counts", without(with_play)),
    *(F("window-moved", f"it counts no-doubles that would have cost less than {border:g}", _only_within(border)) for border in WINDOWS),
    *(
        F(
            "redouble-window-moved",
            f"it counts no-redoubles that would have cost less than {border:g}",
            made(lambda border: recounted(lambda view: view.no_double - view.least < border, where=lambda s: at_cube(s) > 1), border),
        )
        for border in REDOUBLES
    ),
    F("no-redoubles-left-out", "it counts no turns without a redouble", without(lambda s: kind(s, NO_DOUBLE) & (at_cube(s) > 1))),
    F("redoubles-left-out", "it does not count redoubles", without(lambda s: kind(s, DOUBLE) & (at_cube(s) > 1))),
    F(
        "too-good-exchanged",
        "it treats no-doubles of positions that are too good the other way round",
        exchanged(lambda s: kind(s, NO_DOUBLE) & (cube(s, "no_double") > 1)),
    ),
    F(
        "too-good-left-out",
        "it counts no no-doubles of positions that are too good",
        without(lambda s: kind(s, NO_DOUBLE) & (cube(s, "no_double") > 1)),
    ),
    *(
        fault
        for border in LOSING
        for fault in (
            F(
                "losing-side-moved",
                f"it counts a no-double unless both equities are below {border:g}",
                made(lambda border: recounted(losing=lambda view: ~((view.no_double < border) & (view.double_take < border))), border),
            ),
            F(
                "losing-side-moved",
                f"it counts a no-double only if not doubling is worth more than {border:g}",
                made(lambda border: recounted(losing=lambda view: view.no_double > border), border),
            ),
            F(
                "losing-side-moved",
                f"it leaves out no-doubles with an equity below {border:g}, beside those that its rules leave out",
                made(lambda border: without(lambda s: kind(s, NO_DOUBLE) & (cube(s, "no_double") < border)), border),
            ),
        )
    ),
    F(
        "losing-side-missed",
        "it treats missed doubles of the losing side the other way round",
        exchanged(lambda s: kind(s, NO_DOUBLE) & (gap(s) < 0) & (cube(s, "no_double") < 0)),
    ),
    F(
        "losing-side-either",
        "it leaves out no-doubles of which one equity is below -0.9",
        without(lambda s: kind(s, NO_DOUBLE) & ((cube(s, "no_double") < -0.9) | (cube(s, "double_take") < -0.9))),
    ),
    *(
        F(
            "optional-left-out",
            f"it leaves out no-doubles if doubling changes less than {border:g}",
            made(lambda border: without(lambda s: kind(s, NO_DOUBLE) & (np.abs(gap(s)) < border)), border),
        )
        for border in OPTIONAL
    ),
    *(
        F(
            "doubles-that-change-nothing-left-out",
            f"it leaves out cube actions that change less than {border:g}",
            made(
                lambda border: without(
                    lambda s: (
                        (kind(s, DOUBLE) & ((np.abs(gap(s)) < border) | (cube(s, "no_double") < -0.9)))
                        | (kind(s, TAKE, PASS) & (np.abs(cube(s, "double_take") - cube(s, "double_pass")) < border))
                    )
                ),
                border,
            ),
        )
        for border in OPTIONAL
    ),
    F("dead-cubes-counted", "it counts turns with a dead cube", None, of_rules=lambda rules: rules.switched("Q16", "with-the-play")),
    F("doubles-left-out", "it does not count doubles", without(lambda s: kind(s, DOUBLE))),
    F("right-doubles-left-out", "it does not count right doubles", without(lambda s: kind(s, DOUBLE) & (s.error <= 0))),
    F("answers-left-out", "it does not count takes and passes", without(lambda s: kind(s, TAKE, PASS, BEAVER))),
    F("takes-left-out", "it does not count takes", without(lambda s: kind(s, TAKE, BEAVER))),
    F("passes-left-out", "it does not count passes", without(lambda s: kind(s, PASS))),
    F(
        "right-answers-left-out",
        "it does not count right takes and passes",
        without(lambda s: kind(s, TAKE, PASS, BEAVER) & (s.error <= 0)),
    ),
    F("right-takes-left-out", "it does not count right takes", without(lambda s: kind(s, TAKE, BEAVER) & (s.error <= 0))),
    F("right-passes-left-out", "it does not count right passes", without(lambda s: kind(s, PASS) & (s.error <= 0))),
    F(
        "answers-charged-to-doubler",
        "it charges takes and passes to the player who doubled",
        charged_to_other(lambda s: kind(s, TAKE, PASS, BEAVER)),
    ),
    F("doubles-charged-to-opponent", "it charges doubles to the player who answers", charged_to_other(lambda s: kind(s, DOUBLE))),
    F(
        "beavers-recounted",
        "it treats beavers the other way round",
        None,
        of_rules=lambda rules: rules.switched("Q14", "as-played" if rules.answers["Q14"] != "as-played" else "gnubg-recount"),
    ),
    F(
        "second-players-cubes-left-out",
        "it counts no cube decisions of the second player",
        without(lambda s: ~kind(s, PLAY) & (s.player == 1)),
    ),
    F(
        "post-crawford-cubes-left-out",
        "it counts no cube decisions after the Crawford game",
        without(lambda s: ~kind(s, PLAY) & post_crawford(s)),
    ),
    F(
        "post-crawford-no-doubles-left-out",
        "it counts no turns without a double after the Crawford game",
        without(lambda s: kind(s, NO_DOUBLE) & post_crawford(s)),
    ),
    F("crawford-game-left-out", "it leaves out the Crawford game", games(lambda match: ~match.games.crawford)),
    F(
        "last-game-left-out",
        "it leaves out the last game of several",
        games(lambda match: np.arange(len(match.games)) < max(len(match.games) - 1, 1)),
    ),
    F(
        "first-game-left-out",
        "it leaves out the first game of several",
        games(lambda match: np.arange(len(match.games)) > (-1 if len(match.games) == 1 else 0)),
    ),
    F("first-game-only", "it has the first game only", games(lambda match: np.arange(len(match.games)) == 0)),
    *(
        F(
            "later-games-left-out",
            f"it has the first {most} games only",
            made(lambda most: games(lambda m: np.arange(len(m.games)) < most), most),
        )
        for most in (2, 3, 4)
    ),
    F("second-games-left-out", "it leaves out every second game", games(lambda match: np.arange(len(match.games)) % 2 == 0)),
    F("unfinished-left-out", "it leaves out games that were broken off", games(lambda match: match.games.winner >= 0)),
)
