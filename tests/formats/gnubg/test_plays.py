"""Every roll of a `.sgf` file becomes a row of plays: the play made, its candidates, its luck, and
what is wrong with it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from reconcile.formats import load_match
from reconcile.match.board.position import START, swap
from reconcile.match.columns import FAR, Validity
from reconcile.scoring.findings import findings_of
from tests.support import data as real
from tests.support.small_files import USUAL
from tests.support.small_sgf import (
    ANN,
    ANN_31,
    BEN,
    BEN_31,
    POINT,
    SPLIT,
    codes,
    read,
    root,
    score,
    scored,
)


def test_best_is_the_first_alternative_even_when_another_scores_higher() -> None:
    plays = read(root() + f";W[31{POINT}]A[0]{scored(POINT, 0.125)}{scored(SPLIT, 0.5)})").plays
    assert (plays.best[0], plays.played[0], plays.highest[0]) == (0.125, 0.125, 0.5)


OFF = "AE[a:y]AW[d][w]AB[b][b];W[32daaz]"
"""The checker on d goes to b, a made point, or to a and off."""


@pytest.mark.parametrize(
    ("node", "played"),
    [
        *(
            (f"W[31fehe]A[{index}]{scored(SPLIT, 0.5)}{scored('hefe', 0.25)}", 0.25)
            for index in (1, 0, 7, -1)
        ),
        # As in gnuBG, which stops an alternative at its first impossible step, once the checker has
        # left its point.
        (f"{OFF}A[1]{scored('dbbz', 0.5)}{scored('daaz', 0.25)}", 0.5),
        (f"{OFF}A[1]{scored('wubz', 0.5)}{scored('daaz', 0.25)}", 0.25),
        # In another order of its letters it stops at once.
        (f"W[22mkki]A[0]{scored('kimk', 0.5)}{scored(SPLIT, 0.25)}", math.nan),
        (f"W[31mjml]A[2]{scored(SPLIT, 0.5)}{scored(POINT, 0.25)}", math.nan),
    ],
)
def test_play_made_is_the_alternative_that_ends_in_its_position_whatever_the_index_says(
    node: str, played: float
) -> None:
    plays = read(f"{root()};{node})").plays
    assert plays.played.tolist() == pytest.approx([played], nan_ok=True)
    assert plays.legal.tolist() == [2]


def test_one_alternative_is_a_forced_play_and_none_a_dance() -> None:
    text = root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)};B[66])"
    plays = read(text).plays
    assert plays.legal.tolist() == [1, 0]
    assert plays.moved.tolist() == [True, False]
    assert plays.analysed.tolist() == [
        True,
        True,
    ]  # a dance needs no analysis in a game that has one
    assert score(text).figures(BEN)["moves.forced"] == 1


def test_play_without_alternatives_is_not_analysed_and_its_choices_come_from_the_rules() -> None:
    computed = score(root() + f";W[31{POINT}];B[66])")
    assert not computed.match.plays.analysed.any()
    assert computed.figures(ANN)["moves.unforced"] == 1
    assert computed.figures(ANN)["pr"] is None


def test_positions_are_the_mover_s_own_and_bar_and_off_are_25_and_0() -> None:
    plays = read(USUAL).plays
    assert tuple(plays.position[0]) == START
    after = list(START)
    for place, change in ((8, -1), (6, -1), (5, 2)):
        after[place] += change
    assert tuple(plays.position[1]) == swap(after)
    assert plays.play == [((8, 5), (6, 5)), ((8, 5), (6, 5))]
    assert read(root() + ";W[31yvaz];B[31ycxz])").plays.play == [
        ((25, 22), (1, 0)),
        ((25, 22), (1, 0)),
    ]


@pytest.mark.parametrize("node", ["W[71hefe]", "W[3]", "W[]", "W[trouble]", "W[00]", "W[take]"])
def test_node_that_is_no_roll_and_no_cube_action_is_passed_over_and_noted(node: str) -> None:
    match = read(root() + f";{node}" + BEN_31 + ")")
    assert (codes(match), len(match.plays)) == (["damaged-value"], 1)


def test_player_who_moves_twice_is_noted() -> None:
    match = read(root() + ANN_31 + ANN_31 + ")")
    assert (codes(match), match.plays.turn.tolist()) == (["damaged-value"], [1, 2])


@pytest.mark.parametrize(
    ("stored", "known"), [("0.25", 0.25), ("", 0.0), ("-inf", None), ("nan", None), ("inf", None)]
)
def test_luck_that_is_no_number_was_not_computed(stored: str, known: float | None) -> None:
    (luck,) = read(
        root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)}LU[{stored}])"
    ).plays.luck.tolist()
    assert luck == known or (known is None and math.isnan(luck))


def test_luck_class_is_the_mark_s_and_seen_by_the_roller() -> None:
    marks = ["GW[1]", "GW[2]", "GB[1]", "GB[2]", ""]
    white = (
        root()
        + "".join(f";W[31{POINT}]LU[0.1]{mark};B[31qtst]LU[0.1]{mark}" for mark in marks)
        + ")"
    )
    assert read(white).plays.luck_mark.tolist() == [1, -1, 2, -2, -1, 1, -2, 2, 0, 0]


def test_roll_that_was_not_played_is_the_last_dice_node() -> None:
    plays = read(root() + ANN_31 + ";PL[B]DI[52])").plays
    assert plays.validity.tolist() == [Validity.VALID, Validity.UNPLAYED]
    assert plays.dice[1].tolist() == [5, 2]
    assert plays.player[1] == BEN
    played = read(root() + ";PL[W]DI[31]" + ANN_31 + ")").plays
    assert played.validity.tolist() == [Validity.VALID]


def test_candidates_tell_plays_chances_levels_and_which_was_made_as_often_as_anybody_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = read(USUAL)
    monkeypatch.setattr("reconcile.formats.gnubg.game.MOST_LOCATED", 10)
    first, second = match.candidates(1)
    assert (first.play, first.equity, first.made) == (((24, 21), (6, 5)), 0.5, False)
    assert (second.play, second.equity, second.level, second.made) == (
        ((8, 5), (6, 5)),
        0.375,
        "2-ply cubeful",
        True,
    )
    assert second.probabilities == (0.55, 0.2, 0.01, 0.1, 0.005)
    assert {match.candidates(1) for _ in range(20)} == {(first, second)}


@pytest.mark.parametrize(
    "play", ["31cbba", "31efgh", "51xsfe"], ids=["no checker", "backwards", "made point"]
)
def test_play_that_cannot_be_made_is_found(play: str) -> None:
    """White's checkers are on his points 6, 8, 13 and 24: f, h, m and x; s is Black's 6-point."""
    (finding,) = [
        item
        for item in findings_of(score(root() + f";W[{play}]" + BEN_31 + ")"))
        if item.code == "illegal-play"
    ]
    assert finding.evidence == f"game 1: W[{play[:10]}] cannot be made on the board before it"
    assert "illegal-play" not in [item.code for item in findings_of(score(USUAL))]


def test_play_ends_with_its_fourth_step() -> None:
    endless = read(root() + f";W[22{'hf' * 16}]" + BEN_31 + ")")
    assert endless.plays.play[0] == read(root() + f";W[22{'hf' * 4}]" + BEN_31 + ")").plays.play[0]
    assert len(endless.plays.play[0]) == 4


@pytest.mark.parametrize("path", real.cases("real/*.sgf", "gnubg/m*.sgf", short=3, most=20))
def test_candidates_that_differ_are_found_without_reading_all(path: Path) -> None:
    plays = load_match(path).plays
    near = plays.spread < FAR
    assert np.array_equal(plays.reach[near], plays.spread[near])
    assert np.array_equal(np.isnan(plays.reach), np.isnan(plays.spread))
    assert (plays.reach[~near & (plays.spread == plays.spread)] >= FAR).all()
    assert not (plays.reach > plays.spread).any()
    assert plays.replaced(spread=np.zeros(len(plays))).reach.max(initial=0) == 0
