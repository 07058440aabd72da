"""A bridge is refused where a figure is unknown or a rate would divide by nothing, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from reconcile.gap.comparison import Comparison
from reconcile.match.match import Match
from reconcile.scoring.metrics import BRIDGED
from tests.support.balance import Walked, as_shown, compared, ledger_of, unbalanced, walks
from tests.support.hand_made import NAN, cubes, plays
from tests.support.hand_made_levels import with_levels
from tests.support.loaded import beginning
from tests.support.mirror import unmirrored

RATES_OF_PLAYS = {"pr", "checker_pr", "error_rate_memg"}
SNOWIE = {"snowie_er", "snowie_memg"}


def turns(*analysed: bool) -> Match:
    """Ann's first and third roll and Ben's second, each analysed or not."""
    known = [0.1 if one else NAN for one in analysed]
    return with_levels(
        plays(3, turn=[1, 2, 3], player=[0, 1, 0], analysed=list(analysed), stored_error=known)
    )


def doubtful(short: float) -> Match:
    """A play, and a no-double that is so much short of a double."""
    return with_levels(plays(), cubes(no_double=[0.5], double_take=[0.5 - short]))


def reasons(comparison: Comparison) -> dict[str, str]:
    """Ann's bridges that there are not, and why."""
    walk = comparison.walk
    return {name: bridge.reason for name in BRIDGED if (bridge := walk.bridge(name, 0)).reason}


# -- where a bridge is refused -----------------------------------------------------------------------------------------


def test_files_with_the_same_decisions_have_a_bridge_for_every_figure_that_is_known() -> None:
    both = with_levels(plays(2, player=[0, 1]), cubes(2, player=[0, 1]))
    comparison = compared(both, both, right_rules="gnubg")
    assert reasons(comparison) == {}
    assert unbalanced(comparison, as_shown(comparison)) == []


@pytest.mark.parametrize(("order", "side"), [((0, 1), "right"), ((1, 0), "left")])
def test_figure_that_one_file_does_not_know_has_no_bridge(
    order: tuple[int, int], side: str
) -> None:
    files = turns(True, True, True), turns(False, True, False)
    comparison = compared(files[order[0]], files[order[1]])
    found = reasons(comparison)
    assert found["pr"] == f"PR is unknown on the {side}"
    assert found["decisions.counted"] == f"Decisions is unknown on the {side}"
    assert unbalanced(comparison, as_shown(comparison)) == []


def test_rate_has_no_bridge_where_another_rule_leaves_nothing_to_divide_by() -> None:
    # 0.18 short is close for XG (0.200) and not for gnuBG (0.16), 0.05 is close for both.
    comparison = compared(doubtful(0.18), doubtful(0.05), "xg", "gnubg")
    way, every = comparison.walk.forward, np.ones(len(comparison.walk.items), bool)
    reason = "no decision of the left file counts once Q02 is switched"
    assert way.stages("cube_pr", 0, every) == reason
    assert unbalanced(comparison) == []


def test_way_that_cannot_be_walked_leaves_the_other_one_and_exchanged_files_the_mirror_image() -> (
    None
):
    there = compared(doubtful(0.18), doubtful(0.05), "xg", "gnubg")
    back = compared(doubtful(0.05), doubtful(0.18), "gnubg", "xg")
    assert reasons(there) == reasons(back) == {}
    assert list(there.walk.bridge("cube_pr", 0).by_way) == [1]
    assert list(back.walk.bridge("cube_pr", 0).by_way) == [0]
    assert unmirrored(there, back) == []


def test_rate_that_no_way_can_reach_says_why_of_both() -> None:
    # Each side counts one no-double by its own rules and none by the other's.
    left, right = doubtful(0.18), with_levels(plays(), cubes(no_double=[-0.95], double_take=[-1.0]))
    there, back = compared(left, right, "xg", "gnubg"), compared(right, left, "gnubg", "xg")
    no_left, no_right = (
        "no decision of the {} file counts once Q02 is switched",
        "no decision of the {} file counts once Q03 is switched",
    )
    assert reasons(there)["cube_pr"] == f"{no_left.format('left')}; {no_right.format('right')}"
    assert reasons(back)["cube_pr"] == f"{no_right.format('left')}; {no_left.format('right')}"
    assert unmirrored(there, back) == []


def test_rate_has_no_bridge_between_files_that_share_no_counted_decision() -> None:
    left = plays(2, turn=[1, 2], player=[0, 1], dice=[(3, 1), (4, 2)])
    right = plays(2, turn=[2, 3], player=[1, 0], dice=[(4, 2), (5, 3)])
    comparison = compared(with_levels(left), with_levels(right))
    found = reasons(comparison)
    alone = "the files have no counted decision in common"
    assert {name: why for name, why in found.items() if name != "cube_pr"} == dict.fromkeys(
        RATES_OF_PLAYS, alone
    )
    assert found["cube_pr"] == "PR of cube decisions is unknown on both sides"
    assert not set(found) & SNOWIE  # Ben's roll is a move that both files have
    assert unbalanced(comparison, as_shown(comparison)) == []


def test_list_of_figures_has_a_bridge_to_each_figure_it_gives_and_to_no_other_and_none_by_game() -> (
    None
):
    match = with_levels(plays(stored_error=[0.125]))
    comparison = compared(match, match, "xg", "xg")
    walk = comparison.walk.towards({("Ann", "pr"): (None, 62.0)}, totals_alone=True)
    whole, game, other = walk.bridge("pr", 0), walk.bridge("pr", 0, 1), walk.bridge("checker_pr", 0)
    assert (whole.start, whole.end, whole.reason) == (62.5, 62.0, "")
    for bridge in (game, other):
        assert (bridge.start, bridge.end, bridge.steps) == (62.5, None, ())
        assert (
            bridge.reason == "the right side gives no such figure, and no decisions to make it of"
        )


# -- what the books of a comparison do not let pass --------------------------------------------------------------------


@cache
def walked_once() -> tuple[Comparison, Walked]:
    """A comparison of which every bridge is walked, and the first walk over it."""
    comparison = compared(beginning(".xg"), beginning(".sgf"))
    return comparison, next(iter(walks(comparison)))


def with_reasons(walked: list[Walked], reason: str, *names: str) -> list[Walked]:
    """The same bridges; those of some figures are refused for a reason, or told without theirs."""
    return [
        (
            walk,
            tuple(
                replace(one, reason=reason, steps=(), contributions=())
                if one.metric in names
                else one
                for one in bridges
            ),
            ledger,
        )
        for walk, bridges, ledger in walked
    ]


@pytest.mark.parametrize("name", ["pr", "mwc_loss_percent.total"])
def test_bridge_refused_without_need_is_a_fault(name: str) -> None:
    comparison, (walk, bridges, _) = walked_once()
    assert not any(bridge.reason for bridge in bridges)
    refused = with_reasons(
        [(walk, bridges, ledger_of(walk, [one for one in bridges if one.metric != name]))],
        "not today",
        name,
    )
    found = unbalanced(comparison, refused)
    assert len(found) == 2
    assert all(
        "the reason told is not today, and in the way of a bridge is nothing" in fault
        for fault in found
    )


def test_bridge_without_steps_and_without_a_reason_is_a_fault() -> None:
    comparison = compared(turns(True, True, True), turns(False, True, False))
    (fault, *_) = unbalanced(comparison, with_reasons(list(walks(comparison))[:1], "", "pr"))
    assert "pr: the reason told is none, and in the way of a bridge is an unknown end" in fault


def test_bridge_between_other_figures_than_those_of_the_files_is_a_fault() -> None:
    comparison, (walk, bridges, ledger) = walked_once()
    moved = tuple(
        replace(one, start=one.start + 1, end=one.end + 1)
        for one in bridges
        if one.start is not None and one.end is not None
    )
    assert len(
        [
            fault
            for fault in unbalanced(comparison, [(walk, moved, ledger)])
            if "but the figures are" in fault
        ]
    ) == len(bridges)
