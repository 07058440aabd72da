"""Who is the outlier among several PRs, and who votes in the consensus."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.gap.aligned import SIZE
from reconcile.gap.disputed import NOISE, depth_of, far_from_others, is_shallow, without_a_vote
from reconcile.gap.review import Review, review
from reconcile.gap.review_story import sentences
from reconcile.match.match import Level, Match
from tests.support.several import bundled_sgf, bundled_xg, chosen, dearer, named


def by_another_tool(match: Match, name: str, tool: str) -> Match:
    one = named(match, name)
    return replace(one, source=replace(one.source, tool=tool))


def at_level(match: Match, lookahead: float | None) -> Match:
    return replace(match, levels=tuple(Level(f"{lookahead}-ply", lookahead) for _ in match.levels))


def test_distance_is_from_the_median_of_the_others() -> None:
    apart = far_from_others({0: 5.0, 1: 5.25, 2: 8.0, 3: 5.75}, {})
    assert apart is not None
    assert (apart.side, apart.from_median, apart.distance, apart.median) == (2, 2.75, (2.75, 2.75), (5.25, 5.25))


def test_range_of_an_open_rule_is_the_range_of_the_distance() -> None:
    apart = far_from_others({0: 6.5, 1: 5.25, 2: 5.5}, {0: (6.5, 6.75)})
    assert apart is not None
    assert (apart.side, apart.from_median, apart.distance, apart.median) == (0, 1.125, (1.125, 1.375), (5.375, 5.375))


def test_range_of_another_side_moves_the_median() -> None:
    apart = far_from_others({0: 2.0, 1: 7.25, 2: 6.5}, {1: (7.0, 7.5)})
    assert apart is not None
    assert (apart.distance, apart.median) == ((-5.0, -4.75), (6.75, 7.0))


def test_no_outlier_where_an_open_rule_decides_who_it_is() -> None:
    rates = {0: 5.0, 1: 5.0, 2: 5.5}
    assert far_from_others(rates, {}) is not None
    assert far_from_others(rates, {2: (5.05, 5.5)}) is None  # it may be within noise
    assert far_from_others(rates, {1: (5.0, 5.9)}) is None  # it may be the other one


@given(st.lists(st.integers(0, 2000), min_size=3, max_size=6), st.data())
def test_outlier_holds_wherever_every_pr_is_in_its_range(hundredths: list[int], data: st.DataObject) -> None:
    rates = {side: value / 100 for side, value in enumerate(hundredths)}
    ranges = {side: (pr - data.draw(st.integers(0, 100)) / 100, pr + data.draw(st.integers(0, 100)) / 100) for side, pr in rates.items()}
    apart = far_from_others(rates, ranges)
    if apart is None:
        return
    moved = {side: data.draw(st.sampled_from((*ranges[side], pr))) for side, pr in rates.items()}
    there = far_from_others(moved, {})
    assert there is not None
    assert there.side == apart.side
    assert apart.distance[0] - 1e-9 <= there.from_median <= apart.distance[1] + 1e-9
    assert abs(there.from_median) > NOISE


def rank_of(*depths: float) -> list[tuple[float, int]]:
    return [(-depth, side) for side, depth in enumerate(depths)]


def test_each_program_has_one_vote_that_of_its_first_by_rank() -> None:
    rank = rank_of(2, 1, 2, 3)
    found = without_a_vote(("XG", "gnuBG", "gnuBG", "gnuBG"), [False] * 4, None, rank.__getitem__)
    assert found == {1: "same-program", 2: "same-program"}


def test_outlier_and_shallow_analysis_have_no_vote() -> None:
    rank = rank_of(2, 0, 2)
    assert without_a_vote(("XG", "gnuBG", "BGBlitz"), [False, True, False], 0, rank.__getitem__) == {0: "outlier", 1: "shallow"}


def test_next_analysis_of_a_program_votes_where_its_deepest_is_the_outlier() -> None:
    rank = rank_of(2, 4, 2)
    found = without_a_vote(("XG", "gnuBG", "gnuBG"), [False] * 3, 1, rank.__getitem__)
    assert found == {1: "outlier"}


def test_shallow_analyses_vote_where_there_are_no_others() -> None:
    rank = rank_of(0, 0, 2)
    assert without_a_vote(("XG", "gnuBG"), [True, True], None, rank.__getitem__) == {}
    assert without_a_vote(("XG", "gnuBG", "BGBlitz"), [True, True, False], 2, rank.__getitem__) == {2: "outlier"}


def test_depth_of_a_rollout_is_above_any_ply_and_of_nothing_below() -> None:
    order = [None, Level("0-ply", 0.0), Level("4-ply", 4.0), Level("rollout", None)]
    assert [depth_of(level) for level in order] == sorted(depth_of(level) for level in order)
    assert [is_shallow(level) for level in order] == [False, True, False, False]


def test_second_file_of_a_program_changes_no_consensus() -> None:
    """One program has one vote, whatever the number of its files."""
    two = review(bundled_xg(), bundled_sgf())
    more = review(bundled_xg(), bundled_sgf(), named(bundled_sgf(), "again.sgf"), named(bundled_sgf(), "third.sgf"))
    if more.outliers == {0: None, 1: None}:
        for seat in (0, 1):
            assert more.consensus.figures(more.names.index(two.names[seat])) == two.consensus.figures(seat)
    assert all(len(more.voters(seat)) < 3 for seat in (0, 1))


def with_an_outlier() -> Review:
    match = bundled_xg()
    odd = by_another_tool(dearer(match, "odd.x", chosen(match, 0, 4), 0.25), "odd.x", "BGBlitz")
    return review(named(match, "a.xg"), by_another_tool(match, "b.x", "GNU Backgammon"), odd)


def test_outlier_has_no_vote_on_the_player_whose_outlier_it_is() -> None:
    many = with_an_outlier()
    seat = many.names.index(bundled_xg().players[0])
    assert many.without_a_vote == {seat: {2: "outlier"}, 1 - seat: {}}
    said = sentences(many)
    assert f"BGBlitz has no vote on {many.names[seat]}: it is the outlier." in said
    rate = f"{many.figures_of(0, seat)['pr']:.2f}"
    assert any(f"a PR of {rate} for {many.names[seat]} (XG {rate} and gnuBG {rate} vote)" in one for one in said)


def test_shallow_analysis_has_no_vote_and_the_story_says_so() -> None:
    match = bundled_xg()
    sides = [at_level(named(match, "a.xg"), 2.0), at_level(by_another_tool(match, "b.x", "GNU Backgammon"), 0.0)]
    many = review(*sides)
    assert {why for found in many.without_a_vote.values() for why in found.values()} == {"shallow"}
    assert "gnuBG has no vote: its analysis is shallow." in sentences(many)


def test_decision_on_which_the_size_differs_is_in_dispute_and_named() -> None:
    """All agree on the best play; one charges much more for the one made."""
    match = bundled_xg()
    row = chosen(match, 0, 1)[0]
    error = match.plays.stored_error.copy()
    error[row] += 0.5
    dear = replace(named(match, "dear.xg"), plays=match.plays.replaced(stored_error=error))
    many = review(named(match, "a.xg"), dear)
    assert [(one.dispute == "choice", one.item) for one in many.disputes] == [(False, row)]
    asked = many.to_settle[0]
    assert asked.actions[asked.done or 0] == many.disputes[0].played
    assert list(asked.charged) == pytest.approx([error[row] - 0.5, error[row]])
    sentence = next(one for one in sentences(many) if "in dispute" in one)
    small, large = (f"{float(value):.3f}" for value in (match.plays.stored_error[row], error[row]))
    one, other = many.labels
    best, played = many.disputes[0].majority, many.disputes[0].played
    assert f"they agree on {best}; {played} costs {small} by {one} and {large} by {other}" in sentence


@pytest.mark.parametrize(("apart", "disputed"), [(SIZE - 0.001, 0), (SIZE, 1)])
def test_sizes_are_in_dispute_from_an_error_on(apart: float, disputed: int) -> None:
    match = bundled_xg()
    row = chosen(match, 0, 1)[0]
    error = match.plays.stored_error.astype(np.float64)
    error[row] = 0.25
    higher = error.copy()
    higher[row] = 0.25 + apart
    sides = [replace(named(match, name), plays=match.plays.replaced(stored_error=one)) for name, one in (("a.xg", error), ("b.xg", higher))]
    assert len(review(*sides).disputes) == disputed


def test_of_four_analyses_every_pr_is_said_and_of_more_the_lowest_and_the_highest() -> None:
    match = bundled_xg()
    four = sentences(review(*[named(match, f"{name}.xg") for name in "abcd"]))[0]
    assert four.count(" at ") == 4
    five = sentences(review(*[named(match, f"{name}.xg") for name in "abcde"]))[0]
    assert five.startswith("Five analyses put the PR of ")
