"""A bridge is refused where a figure is unknown or a rate would divide by nothing, and nowhere
else."""

from __future__ import annotations

import numpy as np

from reconcile.gap.comparison import Comparison
from reconcile.match.match import Match
from reconcile.scoring.metrics import BRIDGED
from tests.support.balance import as_shown, compared, unbalanced
from tests.support.hand_made import NAN, cubes, plays
from tests.support.hand_made_levels import with_levels
from tests.support.mirror import unmirrored


def turns(*analysed: bool) -> Match:
    """Ann's first and third roll and Ben's second, each analysed or not."""
    errors = [0.1 if each else NAN for each in analysed]
    table = plays(3, turn=[1, 2, 3], player=[0, 1, 0], analysed=list(analysed), stored_error=errors)
    return with_levels(table)


def doubtful(short: float, no_double: float = 0.5) -> Match:
    """A play, and a no-double that is so much short of a double."""
    return with_levels(plays(), cubes(no_double=[no_double], double_take=[no_double - short]))


def reasons(comparison: Comparison) -> dict[str, str]:
    """Ann's bridges that there are not, and why; the books of the comparison balance."""
    assert unbalanced(comparison, as_shown(comparison)) == []
    bridges = {name: comparison.walk.bridge(name, 0) for name in BRIDGED}
    return {name: bridge.reason for name, bridge in bridges.items() if bridge.reason}


def test_files_with_the_same_decisions_have_a_bridge_for_every_figure_that_is_known() -> None:
    both = with_levels(plays(2, player=[0, 1]), cubes(2, player=[0, 1]))
    assert reasons(compared(both, both, right_rules="gnubg")) == {}


def test_figure_that_one_file_does_not_know_has_no_bridge() -> None:
    complete, incomplete = turns(True, True, True), turns(False, True, False)
    for side, files in (("right", (complete, incomplete)), ("left", (incomplete, complete))):
        refused = reasons(compared(*files))
        assert refused["pr"] == f"PR is unknown on the {side}"
        assert refused["decisions.counted"] == f"Decisions is unknown on the {side}"


NOTHING = "no decision of the {} file counts once {} is switched"


def test_way_that_cannot_be_walked_leaves_the_other_one_and_exchanged_files_the_mirror_image() -> (
    None
):
    # 0.18 short is close for XG (0.200) and not for gnuBG (0.16), 0.05 is close for both.
    there = compared(doubtful(0.18), doubtful(0.05), "xg", "gnubg")
    back = compared(doubtful(0.05), doubtful(0.18), "gnubg", "xg")
    every = np.ones(len(there.walk.items), bool)
    assert there.walk.forward.changes("cube_pr", 0, every) == NOTHING.format("left", "Q02")
    assert reasons(there) == reasons(back) == {}
    ways = [list(each.walk.bridge("cube_pr", 0).by_way) for each in (there, back)]
    assert (ways, unmirrored(there, back)) == ([[1], [0]], [])


def test_rate_that_no_way_can_reach_says_why_of_both() -> None:
    # Each side counts one no-double by its own rules and none by the other's.
    left, right = doubtful(0.18), doubtful(0.05, -0.95)
    there, back = compared(left, right, "xg", "gnubg"), compared(right, left, "gnubg", "xg")
    q02, q03 = NOTHING.format("{}", "Q02"), NOTHING.format("{}", "Q03")
    assert reasons(there)["cube_pr"] == f"{q02.format('left')}; {q03.format('right')}"
    assert reasons(back)["cube_pr"] == f"{q03.format('left')}; {q02.format('right')}"
    assert unmirrored(there, back) == []


def test_rate_has_no_bridge_between_files_that_share_no_counted_decision() -> None:
    left = plays(2, turn=[1, 2], player=[0, 1], dice=[(3, 1), (4, 2)])
    right = plays(2, turn=[2, 3], player=[1, 0], dice=[(4, 2), (5, 3)])
    # Ben's roll is a move that both files have: Snowie's rates have a bridge.
    assert reasons(compared(with_levels(left), with_levels(right))) == {
        "cube_pr": "PR of cube decisions is unknown on both sides",
        **dict.fromkeys(
            ("pr", "checker_pr", "error_rate_memg"), "the files have no counted decision in common"
        ),
    }


def test_list_of_figures_has_a_bridge_to_each_figure_it_gives_and_none_by_game() -> None:
    match = with_levels(plays(stored_error=[0.125]))
    reported = {("Ann", "pr"): (None, 62.0)}
    walk = compared(match, match, "xg", "xg").walk.towards(reported, totals_alone=True)
    pr = walk.bridge("pr", 0)
    assert (pr.start, pr.end, pr.reason) == (62.5, 62.0, "")
    for bridge in (walk.bridge("pr", 0, 1), walk.bridge("checker_pr", 0)):
        assert (bridge.start, bridge.end, bridge.steps) == (62.5, None, ())
        why = "the right side gives no such figure, and no decisions to make it of"
        assert bridge.reason == why
