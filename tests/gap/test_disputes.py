"""Which decisions of two analyses are in dispute, and in whose view a rollout is asked about them: on matches made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reconcile.gap.settle import Dispute
from reconcile.match.board.identifiers import Situation
from reconcile.match.board.play import Play
from reconcile.match.board.position import START
from reconcile.match.columns import Cubes, Kind
from reconcile.match.match import Candidate, Match
from tests.support.balance import compared
from tests.support.hand_made import cubes, plays
from tests.support.hand_made_levels import with_levels

POINT: Play = ((8, 5), (6, 5))
SPLIT: Play = ((24, 23), (13, 10))
RUN: Play = ((24, 20),)


def opinion(
    *best: Play, error: float = 0.125, cube: Cubes | None = None, tool: str = "XG", player: int = 0
) -> Match:
    """An opening 31 that was run with, and what a tool thinks best of it; nothing, if it did not analyse the roll."""
    made = plays(play=[RUN], stored_error=[error], analysed=[bool(best)], player=[player])
    found = tuple(Candidate(play, 0.5, "3-ply") for play in best)
    return replace(with_levels(made, cube, tool=tool), candidates=lambda _row: found)


def found(left: Match, right: Match, seats: tuple[int, ...] = (0, 1)) -> list[Dispute]:
    comparison = compared(left, right, "xg", "xg")
    return replace(comparison, walk=replace(comparison.walk, seats=seats)).to_settle


def test_roll_on_which_each_side_wants_another_play_is_in_dispute() -> None:
    (one,) = found(opinion(POINT), opinion(SPLIT, error=0.375, tool="GNU Backgammon"))
    assert (one.game, one.turn, one.kind, one.player, one.at_stake) == (1, 1, "play", "Ann", 0.25)
    assert (one.actions, one.plays, one.wanted) == (
        ("8/5 6/5", "24/23 13/10"),
        (POINT, SPLIT),
        (0, 1),
    )
    assert one.decided.dice == (3, 1)


def test_roll_on_which_a_best_play_is_common_is_in_dispute_over_its_size_alone() -> None:
    for theirs in ((POINT,), (SPLIT, POINT)):
        (one,) = found(opinion(POINT), opinion(*theirs, error=0.375))
        assert (set(one.wanted), one.charged, one.done is None) == ({0}, (0.125, 0.375), False)
        assert found(opinion(POINT), opinion(*theirs)) == []


def test_roll_that_only_one_side_analysed_is_not_in_dispute() -> None:
    """Nor does a side call the play made right that it did not look at."""
    assert (
        found(opinion(POINT), opinion(error=0.0)) == found(opinion(error=0.0), opinion(POINT)) == []
    )


def test_roll_in_another_position_is_another_decision() -> None:
    """Files that differ before it have the same roll, and nothing to settle: what is best here cannot be played there."""
    moved = list(START)
    moved[6], moved[5] = moved[6] - 1, moved[5] + 1
    right = opinion(SPLIT, error=0.375)
    elsewhere = replace(
        right, plays=right.plays.replaced(position=np.array([moved], right.plays.position.dtype))
    )
    assert len(found(opinion(POINT), right)) == 1
    assert found(opinion(POINT), elsewhere) == []


def test_side_of_which_only_the_error_is_known_wants_what_was_done_if_that_costs_nothing() -> None:
    """As it counts when analyses are held side by side."""
    nan = float("nan")
    left = opinion(POINT, cube=cubes(double_take=[0.625], stored_error=[0.125]))
    right = opinion(
        POINT, cube=cubes(no_double=[nan], double_take=[nan], double_pass=[nan], stored_error=[0.0])
    )
    assert [(one.kind, one.wanted) for one in found(left, right)] == [("no-double", (1, 0))]


def test_only_the_players_that_are_compared_have_disputes() -> None:
    for player, name in enumerate(("Ann", "Ben")):
        sides = opinion(POINT, player=player), opinion(SPLIT, player=player)
        assert [one.player for one in found(*sides, seats=(player,))] == [name]
        assert found(*sides, seats=(1 - player,)) == []


@pytest.mark.parametrize(
    ("kind", "taken", "wanted", "actions"),
    [
        (Kind.NO_DOUBLE, (0.375, 0.625), (0, 1), ("no double", "double")),
        (Kind.DOUBLE, (0.625, 0.375), (1, 0), ("no double", "double")),
        (Kind.TAKE, (0.875, 1.125), (0, 1), ("take", "pass")),
        (Kind.PASS, (1.125, 0.875), (1, 0), ("take", "pass")),
    ],
)
def test_cube_decision_is_in_dispute_where_each_side_wants_another_action(
    kind: Kind, taken: tuple[float, float], wanted: tuple[int, int], actions: tuple[str, str]
) -> None:
    """No double is worth 0.5 and a pass 1 to the player on roll: he doubles for more than 0.5, and his opponent passes from 1 on."""
    errors = 0.125, 0.25
    sides = [
        opinion(
            POINT, cube=cubes(kind=[kind], double_take=[taken[side]], stored_error=[errors[side]])
        )
        for side in (0, 1)
    ]
    (one,) = found(sides[0], sides[1])
    assert (one.kind, one.wanted, one.actions, one.at_stake) == (kind.label, wanted, actions, 0.125)
    assert one.decided.double_offered == (kind in (Kind.TAKE, Kind.PASS))


def test_action_that_is_worth_as_much_as_the_other_is_wanted_by_nobody() -> None:
    sides = [opinion(POINT, cube=cubes(double_take=[taken])) for taken in (0.5, 0.625)]
    assert found(sides[0], sides[1]) == []


ACE_POINT = tuple(-1 if point == 24 else 1 if point in (2, 5) else 0 for point in range(26))
"""Two checkers on 5 and 2 against one on the ace point of the other side."""
TURNED = tuple(1 if point == 1 else -1 if point in (20, 23) else 0 for point in range(26))
"""The same in the other player's view."""


def dispute(situation: Situation) -> Dispute:
    return Dispute(1, 3, "take", "Ben", 0.3, situation, ("take", "pass"), (0, 1))


def test_response_is_asked_about_as_the_double_of_the_opponent_in_his_view() -> None:
    answered = Situation(ACE_POINT, cube=2, owner=-1, length=7, score=(2, 5), double_offered=True)
    assert dispute(answered).asked == Situation(
        TURNED, cube=2, owner=1, length=7, score=(5, 2), decider_is_top=True
    )


def test_decision_of_the_player_on_roll_is_asked_about_as_it_is() -> None:
    for dice in ((0, 0), (3, 1)):
        here = Situation(
            ACE_POINT, dice=dice, cube=2, owner=1, length=7, score=(2, 5), decider_is_top=True
        )
        assert dispute(here).asked == here
