"""A made `.bgf` as a match: players, positions, cube, errors, BGBlitz's own table, and everything
else that can be in one."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest

from reconcile.formats import load_match, read_match
from reconcile.match.columns import Validity
from reconcile.match.match import Match
from reconcile.match.met.own import own_table
from reconcile.scoring.statistics import statistics
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


def read(root: Table) -> Match:
    return read_match("small.bgf", written(root))


@pytest.fixture(scope="module")
def small() -> Match:
    return read(match())


def test_table_of_the_file_is_found_from_its_evaluations_and_no_other_score_is_guessed(
    small: Match,
) -> None:
    assert small.known_chances == pytest.approx(
        {(2, 3, False): 0.6, (3, 2, False): 0.4, (1, 3, False): 0.8, (3, 1, False): 0.2}, abs=1e-7
    )
    table = own_table(small)
    assert table is not None
    assert not np.isnan(table.chance(2, 2, False))  # even scores follow from themselves
    assert np.isnan(table.chance(1, 2, False))


@pytest.mark.parametrize("smile", [True, False])
@pytest.mark.parametrize("packing", ["gzip", "zlib", "none"])
def test_every_container_gives_the_same_match_whatever_its_name(
    small: Match, tmp_path: Path, smile: bool, packing: str
) -> None:
    content = written(match(), smile=smile, packed=packing == "gzip")
    if packing == "zlib":
        line, _, payload = content.partition(b"\n")
        content = line + b"\n" + zlib.compress(payload)
    (tmp_path / "match.dat").write_bytes(content)
    other = load_match(tmp_path / "match.dat")
    assert other.source.format == "bgf"
    assert statistics(other).figures(0) == statistics(small).figures(0)


def test_money_session_counts_equities_of_its_own(small: Match) -> None:
    session = read(match(game(first_game(money=True), wonPoints=2), length=0))
    green, in_match = statistics(session).figures(0), statistics(small).figures(0)
    assert session.is_money
    assert green["mwc_loss_percent.total"] is None
    for name in ("equity_error.total", "decisions.counted"):
        assert green[name] == pytest.approx(in_match[name])


def test_last_game_of_a_session_may_be_settled() -> None:
    alone = game([action(GREEN, 4)], (0, 2), wonPoints=1)
    session = read(match(game(first_game(money=True), wonPoints=2), alone, length=0, finalGreen=1))
    assert (session.games.points.tolist(), [note.code for note in session.notes]) == (
        [2, 1],
        ["game-settled"],
    )
    broken = game([*first_game(money=True)[:2], action(GREEN, 4)], wonPoints=0)
    session = read(match(broken, length=0, finalGreen=0, finalRed=6))
    assert (session.games.winner.tolist(), session.games.points.tolist(), session.complete) == (
        [1],
        [6],
        True,
    )


def test_resignation_is_seen_although_its_mark_is_not_set() -> None:
    resigned = read(
        match(game([*first_game()[:2], action(GREEN, 9), action(RED, 4)], wasResignation=False))
    )
    assert resigned.games.resigned.tolist() == [True]
    assert np.isnan(resigned.resignations.stored_error).all()


def test_dance_has_its_dice_in_the_lists() -> None:
    dance = action(RED, 5) | {"from": [6, -1, -1, -1], "to": [6, -1, -1, -1]}
    plays = read(match(game([*first_game()[:1], dance]))).plays
    assert (plays.dice[1].tolist(), plays.moved.tolist(), plays.analysed.tolist()) == (
        [6, 6],
        [True, False],
        [True, True],
    )


def test_illegal_play_is_marked_and_counts_all_the_same() -> None:
    illegal = roll(
        RED, (4, 2), {"13/12 13/10": 0.15, "8/4 6/4": 0.13}, "13/12 13/10", FRAME[1], (0.1, 0.0)
    )
    outcome = read(match(game([*first_game()[:1], illegal])))
    assert outcome.plays.validity.tolist() == [Validity.VALID, Validity.ILLEGAL]
    assert statistics(outcome).figures(1)["decisions.checker"] == 1
    assert statistics(outcome, "xg").figures(1)["decisions.checker"] == 0


def dead_cube() -> list[Table]:
    """Green needs one point with the cube in the middle, after the Crawford game."""
    frame = (0.75, 0.25)
    no_cube = {**evaluation(0.2, frame, (0, 0))}
    no_cube["cubeDecision"] = dict.fromkeys(("eqNoDouble", "eqDoubleTake", "eqDoublePass"), DEAD)
    plays = {"13/11 13/9": 0.15, "8/4 6/4": 0.12}
    dead = roll(GREEN, (4, 2), plays, "13/11 13/9", frame)
    dead["equity"] = no_cube
    return [
        roll(RED, (3, 1), {"8/5 6/5": 0.2, "24/23 13/10": 0.1}, "8/5 6/5", (0.25, 0.25)),
        dead,
        action(GREEN, 4),
    ]


def test_turn_with_a_dead_cube_is_a_no_double_of_bgblitz_alone() -> None:
    post = read(
        match(
            game([action(RED, 4)], (2, 0), isCrawford=True), game(dead_cube(), (2, 1)), finalGreen=3
        )
    )
    assert len(post.cubes) == 0
    own, other = statistics(post).figures(0), statistics(post, "xg").figures(0)
    assert (own["decisions.checker"], own["decisions.double"], own["equity_error.double"]) == (
        1,
        1,
        0,
    )
    assert (other["decisions.double"], statistics(post).figures(1)["decisions.double"]) == (0, 0)
    forced = dead_cube()
    forced[1]["moveAnalysis"] = forced[1]["moveAnalysis"][:1]
    post = read(
        match(game([action(RED, 4)], (2, 0), isCrawford=True), game(forced, (2, 1)), finalGreen=3)
    )
    assert statistics(post).figures(0)["decisions.double"] == 0


def test_any_cube_that_is_allowed_can_be_followed() -> None:
    turned = [action(player, 1 + (player == RED)) for _ in range(12) for player in (GREEN, RED)]
    high = read(match(game([*first_game()[:2], *turned, *first_game(money=True)[4:5]])))
    assert high.plays.cube.max() == 2**12
    assert np.isnan(high.cubes.no_double[1:]).all()
