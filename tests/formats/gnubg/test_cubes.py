"""Every turn with access to the cube is a decision; doubles, answers, beavers and set-up nodes move
the cube."""

from __future__ import annotations

from typing import Final

import pytest

from reconcile.match.board.position import position_id, swap
from reconcile.match.columns import Kind
from reconcile.scoring.statistics import Coverage
from tests.support.small_sgf import ANN, ANN_31, BEN, BEN_31, codes, cube, read, root, score


def test_no_double_is_a_row_of_every_turn_with_access_but_the_first() -> None:
    text = root() + ANN_31 + BEN_31.replace("]A[", f"]{cube(0.5, 0.375)}A[") + ANN_31 + ")"
    cubes = read(text).cubes
    assert cubes.player.tolist() == [BEN, ANN]
    assert cubes.turn.tolist() == [2, 3]
    assert cubes.analysed.tolist() == [True, False]
    assert score(text).completeness(ANN)["cube"] == Coverage(1, 0)


def test_double_and_answer_share_the_analysis_and_move_the_cube() -> None:
    text = root() + ANN_31 + f";B[double]{cube(0.5, 0.625)};W[take]" + BEN_31 + ANN_31 + ")"
    match = read(text)
    cubes = match.cubes
    assert cubes.kind.tolist() == [Kind.DOUBLE, Kind.NO_DOUBLE, Kind.TAKE]
    assert cubes.player.tolist() == [BEN, ANN, ANN]
    assert cubes.turn.tolist() == [2, 3, 2]
    assert cubes.double_take.tolist()[::2] == [0.625, 0.625]
    assert match.plays.cube.tolist() == [1, 2, 2]
    assert match.plays.owner.tolist() == [0, -1, 1]
    assert tuple(cubes.position[2]) == swap(cubes.position[0])


def test_analysis_of_an_answer_is_also_that_of_its_double() -> None:
    """gnuBG keeps one for both, the one it read last."""
    cubes = read(root() + ANN_31 + f";B[double]{cube(0.5, 0.625)};W[drop]{cube(0.5, 0.75)})").cubes
    assert cubes.kind.tolist() == [Kind.DOUBLE, Kind.PASS]
    assert cubes.double_take.tolist() == [0.75, 0.75]


def test_beaver_turns_the_cube_twice_and_is_owned_by_the_player_who_beavered() -> None:
    match = read(
        root(length=0, rules="")
        + ANN_31
        + f";B[double]{cube(0.5, -0.25)};W[double];B[take]"
        + BEN_31
        + ANN_31
        + ")"
    )
    cubes = match.cubes
    assert [Kind(kind).label for kind in cubes.kind] == ["double", "no-double", "beaver", "take"]
    assert cubes.player.tolist() == [BEN, ANN, ANN, BEN]
    assert cubes.answers_beaver.tolist() == [False, False, False, True]
    assert match.plays.cube.tolist() == [1, 4, 4]
    assert match.plays.owner.tolist() == [0, -1, 1]
    assert cubes.access.tolist()[1]
    assert not cubes.recount_access.tolist()[1]  # gnuBG's recount takes the doubler for the owner


def test_double_left_unanswered_is_noted_when_play_goes_on() -> None:
    assert codes(read(root() + ANN_31 + ";B[double]" + BEN_31 + ")")) == ["damaged-value"]


@pytest.mark.parametrize(
    ("written", "value"),
    [("2", 2), ("4096", 4096), ("8192", 1), ("3", 1), ("0", 1), ("-2", 1), ("x", 1)],
)
def test_cube_of_the_root_is_a_power_of_two_up_to_4096(written: str, value: int) -> None:
    assert read(root(length=0, more=f"CV[{written}]") + ANN_31 + ")").plays.cube.tolist() == [value]


def test_match_without_a_cube_has_no_cube_decisions() -> None:
    match = read(
        root(rules="Crawford:NoCube")
        + ANN_31
        + BEN_31.replace("]A[", f"]{cube(0.5, 0.375)}A[")
        + ")"
    )
    assert len(match.cubes) == 0
    assert not match.rules.cube


def test_set_up_nodes_place_checkers_cube_and_owner() -> None:
    match = read(
        root(length=7)
        + "\n;PL[B]AE[a:y]AW[a][a][h:j]AB[x][x][m]\n;CV[2]\n;CP[b]\n;PL[B]DI[31]\n;B[31lomp])"
    )
    (position,) = match.plays.position.tolist()
    mine = {place: count for place, count in enumerate(position) if count > 0}
    theirs = {25 - place: -count for place, count in enumerate(position) if count < 0}
    assert mine == {1: 2, 12: 1}
    assert theirs == {1: 2, 8: 1, 9: 1, 10: 1}
    assert (match.plays.cube.tolist(), match.plays.owner.tolist()) == ([2], [1])
    assert match.cubes.kind.tolist() == [
        Kind.NO_DOUBLE
    ]  # access on the first turn, as nobody started from the opening


SOME_SET: Final = "AE[f:g][s]AW[c][d]AB[w]"


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        (f";{SOME_SET};W[64xrrn]", "AgcfAEPh4ANgAA"),
        (f"{ANN_31};{SOME_SET};B[42tvtx]", "Ygw+AIbCwQfAAA"),
        (f";{SOME_SET}PL[B];B[42tvtx]", "FA4+AEbg4ANgAA"),
        (f"{ANN_31}{BEN_31};PL[B]{SOME_SET};B[42tvtx]", "Ygw+AIYagw+AAQ"),
    ],
    ids=["White on roll", "Black on roll", "Black on roll afterwards", "Black on roll before"],
)
def test_board_after_checkers_are_moved_by_hand_is_gnubgs(nodes: str, expected: str) -> None:
    """The identifiers are those of gnuBG 1.07's `gnubg.match(boards=1)`, in White's view."""
    match = read(root() + nodes + ")")
    position = match.plays.position[-1].tolist()
    assert position_id(position if match.plays.player[-1] == ANN else swap(position)) == expected


def test_impossible_play_after_a_set_up_is_found() -> None:
    assert codes(read(root() + ANN_31 + ";AE[a:y]" + BEN_31 + ")")) == ["illegal-play"]
