"""What a match of the suite has that most of them lack, in words: by these failing cases are told
from others."""

import numpy as np

from reconcile.match.columns import Kind, Validity
from reconcile.scoring.score import is_dead
from tests.suite.writer.synthetic import LENGTH

NEAR = 0.5
"""How much a double may cost (EMG) that is near one; turns on which nobody would double are 0.8
away."""

SMALL = 0.02


def facts(match):
    """What follows "all of them have"."""
    plays, cubes, games = match.plays, match.cubes, match.games
    kinds = {Kind.DOUBLE: "a double", Kind.TAKE: "a take", Kind.PASS: "a pass"}
    ours = cubes.kind == Kind.NO_DOUBLE
    unlike = cubes.no_double - np.minimum(cubes.double_take, 1.0)
    is_played = plays.validity != Validity.UNPLAYED
    resigned = np.nan_to_num(match.resignations.stored_error)
    each = {
        "money play": match.is_money,
        "a match to one point": match.length == 1,
        f"a length other than {LENGTH}": match.length not in (LENGTH, None, 1),
        "several games": len(games) > 1,
        "a score other than 0:0": games.score.any(),
        "a Crawford game": games.crawford.any(),
        "a game without an end": (games.winner < 0).any(),
        "a roll that was not played": not is_played.all(),
        "an illegal play": (plays.validity == Validity.ILLEGAL).any(),
        "a roll that cannot be played": (is_played & ~plays.moved).any(),
        "a forced play": (plays.moved & (plays.legal == 1)).any(),
        "a doublet": (plays.dice[:, 0] == plays.dice[:, 1]).any(),
        "luck": np.nan_to_num(plays.luck).any(),
        "a play with nearly equal candidates": _is_small(match),
        "decisions that are not analysed": not plays.analysed.all()
        or not cubes.analysed[cubes.expected].all(),
        "a resignation with a loss": resigned.any(),
        "a cube that was turned": (plays.cube > 1).any(),
        "a dead cube": is_dead(match).any(),
        "a beaver": (cubes.kind == Kind.BEAVER).any(),
        "a no-double near a double": (ours & (np.abs(unlike) < NEAR)).any(),
        "a missed double": (ours & (unlike < 0)).any(),
        **{words: (cubes.kind == kind).any() for kind, words in kinds.items()},
    }
    yield from (words for words, holds in each.items() if holds)


def _is_small(match):
    """Whether the first player has a play whose candidates hardly differ."""
    own = match.plays.player == 0
    return bool((own & (match.plays.legal > 1) & (match.plays.spread < SMALL)).any())
