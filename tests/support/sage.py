"""Open Sage, for tests that ask it; without wasmtime and its networks they are skipped. And
questions to it, of positions that were played."""

import random
from functools import cache
from importlib.util import find_spec

import pytest

from reconcile.engines.sage import Sage
from reconcile.formats import load_match
from reconcile.match.board.play import carried_out
from reconcile.match.board.position import Situation
from tests.support.data import PROJECT

needs_sage = pytest.mark.skipif(
    not (find_spec("wasmtime") and find_spec("bgsage")),
    reason="wasmtime and bgsage are not installed (extra `engine`)",
)
MATCHES = (
    "demonstration/nora-lindqvist-tomas-beck.sgf",
    "gnubg-3pt-2ply/alice-bob-3pt-2ply.sgf",
    "gnubg-11pt-cube-rich/ann-ben-11pt-cube-rich.sgf",
)


@cache
def sage():
    """The engine, started once."""
    return Sage()


@cache
def positions():
    """The plays of three bundled matches: position, dice, position after the play."""
    matches = [load_match(PROJECT / "reference_matches" / name) for name in MATCHES]
    return [
        (position, tuple(dice), carried_out(position, play))
        for match in matches
        for position, dice, play, validity in zip(
            map(tuple, match.plays.position.tolist()),
            match.plays.dice.tolist(),
            match.plays.play,
            match.plays.validity.tolist(),
            strict=True,
        )
        if validity == 0
    ]


def drawn(count, seed):
    """Questions: a position that was played, with any score, cube and rule; dice; what was played.

    Match scores of 1 to 25 away, Crawford games and later ones, money with and without the Jacoby
    rule, cubes of 1 to 8 on either side.
    """
    chance = random.Random(seed)
    return [
        (Situation(position, **_cube_and_score(chance)), dice, after)
        for position, dice, after in chance.choices(positions(), k=count)
    ]


def _cube_and_score(chance):
    cube = chance.choice([1, 1, 2, 4, 8])
    owner = chance.choice([1, -1]) if cube > 1 else 0
    kind = chance.choice(["money", "jacoby", "match", "match", "crawford", "post-crawford"])
    if kind in ("money", "jacoby"):
        return {"cube": cube, "owner": owner, "jacoby": kind == "jacoby"}
    score = [25 - chance.randint(1, 25), 25 - chance.randint(1, 25)]
    if kind != "match":
        score[chance.randrange(2)] = 24
    if kind == "crawford":
        cube, owner = 1, 0
    at_score = {"length": 25, "score": tuple(score), "crawford": kind == "crawford"}
    return {"cube": cube, "owner": owner, **at_score}
