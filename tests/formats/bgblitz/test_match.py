"""A made `.bgf` as a match: players, positions, cube, errors, BGBlitz's own table, and everything
else that can be in one."""

import zlib
from typing import Any

import numpy as np
import pytest

from reconcile.formats import read_match
from reconcile.match.met.equity import own_table
from reconcile.scoring.statistics import statistics
from tests.formats.facts import fact
from tests.support.small_bgf import (
    DEAD,
    FRAME,
    GREEN,
    RED,
    Table,
    action,
    evaluation,
    first_game,
    game,
    match,
    roll,
    written,
)


def read(root):
    return read_match("small.bgf", written(root))


@pytest.fixture(scope="module")
def small():
    return read(match())


def test_table_of_the_file_is_found_from_its_evaluations_and_no_other_score_is_guessed(
    small,
):
    assert small.known_chances == pytest.approx(
        {(2, 3, False): 0.6, (3, 2, False): 0.4, (1, 3, False): 0.8, (3, 1, False): 0.2}, abs=1e-7
    )
    table = own_table(small)
    assert table is not None
    assert not np.isnan(table.chance(2, 2, False))  # even scores follow from themselves
    assert np.isnan(table.chance(1, 2, False))


@pytest.mark.parametrize("smile", [True, False])
@pytest.mark.parametrize("packing", ["gzip", "zlib", "none"])
def test_every_container_gives_the_same_match_whatever_its_name(small, smile, packing):
    content = written(match(), smile=smile, packed=packing == "gzip")
    if packing == "zlib":
        line, _, payload = content.partition(b"\n")
        content = line + b"\n" + zlib.compress(payload)
    other = read_match("match.dat", content)
    assert other.source.format == "bgf"
    assert statistics(other).figures(0) == statistics(small).figures(0)


def test_money_session_counts_equities_of_its_own(small):
    session = read(match(game(first_game(money=True), wonPoints=2), length=0))
    green, in_match = statistics(session).figures(0), statistics(small).figures(0)
    assert session.is_money
    assert green["mwc_loss_percent.total"] is None
    for name in ("equity_error.total", "decisions.counted"):
        assert green[name] == pytest.approx(in_match[name])


OPENED = first_game()[:2]
MONEY = first_game(money=True)
DANCE = action(RED, 5) | {"from": [6, -1, -1, -1], "to": [6, -1, -1, -1]}
ILLEGAL = roll(
    RED, (4, 2), {"13/12 13/10": 0.15, "8/4 6/4": 0.13}, "13/12 13/10", FRAME[1], (0.1, 0.0)
)
TURNED = [action(player, 1 + (player == RED)) for _ in range(12) for player in (GREEN, RED)]
CASES: dict[str, tuple[Table, dict[str, Any]]] = {
    "the last game of a session is settled": (
        match(
            game(MONEY, wonPoints=2),
            game([action(GREEN, 4)], (0, 2), wonPoints=1),
            length=0,
            finalGreen=1,
        ),
        {"games.points": [2, 1], "codes": ["game-settled"]},
    ),
    "by its final score": (
        match(
            game([*MONEY[:2], action(GREEN, 4)], wonPoints=0), length=0, finalGreen=0, finalRed=6
        ),
        {"games.winner": [1], "games.points": [6], "complete": True},
    ),
    "a resignation is seen although its mark is not set": (
        match(game([*OPENED, action(GREEN, 9), action(RED, 4)], wasResignation=False)),
        {"games.resigned": [True], "resignations.stored_error": [None, None]},
    ),
    "a dance has its dice in the lists": (
        match(game([OPENED[0], DANCE])),
        {"plays.dice.1": [6, 6], "plays.moved": [True, False], "plays.analysed": [True, True]},
    ),
    "an illegal play is marked and counts all the same": (
        match(game([OPENED[0], ILLEGAL])),
        {
            "plays.validity": ["valid", "illegal"],
            "figures.1.decisions.checker": 1,
            "figures.xg 1.decisions.checker": 0,
        },
    ),
    "any cube that is allowed can be followed": (
        match(game([*OPENED, *TURNED, MONEY[4]])),
        {"plays.cube.-1": 2**12, "cubes.no_double.-1": None},
    ),
}


@pytest.mark.parametrize("claim", CASES)
def test_case(claim):
    root, expected = CASES[claim]
    outcome = read(root)
    assert {path: fact(outcome, path) for path in expected} == expected


def with_dead_cube(plays):
    """Green needs one point with the cube in the middle, after the Crawford game."""
    frame = (0.75, 0.25)
    dead = roll(GREEN, (4, 2), plays, "13/11 13/9", frame)
    values = dict.fromkeys(("eqNoDouble", "eqDoubleTake", "eqDoublePass"), DEAD)
    dead["equity"] = evaluation(0.2, frame, (0, 0)) | {"cubeDecision": values}
    first = roll(RED, (3, 1), {"8/5 6/5": 0.2, "24/23 13/10": 0.1}, "8/5 6/5", (0.25, 0.25))
    crawford = game([action(RED, 4)], (2, 0), isCrawford=True)
    return read(match(crawford, game([first, dead, action(GREEN, 4)], (2, 1)), finalGreen=3))


def test_turn_with_a_dead_cube_is_a_no_double_of_bgblitz_alone():
    post = with_dead_cube({"13/11 13/9": 0.15, "8/4 6/4": 0.12})
    assert len(post.cubes) == 0
    own, other = statistics(post), statistics(post, "xg")
    green = own.figures(0)
    assert (green["decisions.checker"], green["decisions.double"]) == (1, 1)
    assert (green["equity_error.double"], own.figures(1)["decisions.double"]) == (0, 0)
    assert other.figures(0)["decisions.double"] == 0
    forced = with_dead_cube({"13/11 13/9": 0.15})
    assert statistics(forced).figures(0)["decisions.double"] == 0
