"""Several analyses of one match made by hand: the outlier and its decision, who is asked, what counts, and what is in dispute."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.gap.aligned import SIZE, depth_of
from reconcile.gap.disputed import NOISE, far_from_others
from reconcile.gap.review import Review, review
from reconcile.gap.review_rows import review_rows
from reconcile.match.match import Level, Match
from reconcile.match.tools import BLUNDERDB, GNUBG, XG
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.hand_made import NAN, cubes, plays
from tests.support.hand_made_levels import two_opinions, with_levels
from tests.support.several import bundled_xg, chosen, named


def analysis(tool: str, *changes: float) -> Match:
    """One of several analyses of 100 plays of Ann, whose PR is 75 and these changes."""
    return named(two_opinions(*changes, error=0.15, tools=("", tool))[1], f"{tool}.sgf")


def rows_of_ann(*sides: Match) -> list[str]:
    (rows,) = (one for one in review_rows(review(*sides)) if one.player == "Ann")
    return list(rows.story())


NEAR = analysis("A"), analysis("B", 0.0, 0.1), analysis("D", 0.0, 0.0, 0.4)
"""75.00, 75.10 and 75.40: their median is B's."""


def test_outlier_below_the_others_is_named_with_the_decision_that_makes_most_of_its_gap_to_the_middle_one() -> (
    None
):
    odd = analysis("C", -0.3, 0.1, 0.0, *[-0.125] * 4)
    assert rows_of_ann(*NEAR, odd) == [
        "Ann: PR 74.30 to 75.40 by 4 programs, outlier C",
        "75.00 A",
        "75.10 B",
        "75.40 D",
        "74.30 C: 0.80 below the median of the others (75.10); nowhere alone with its choice",
        "−0.30 play, game 1 turn 1: most of C against B",
    ]


def test_nobody_is_the_outlier_where_two_are_equally_far() -> None:
    rows = rows_of_ann(analysis("A", -0.1), analysis("B"), analysis("C", 0.1))
    assert rows[0] == "Ann: PR 74.90 to 75.10 by 3 programs, no outlier"


def test_analysis_of_a_part_is_a_row_without_a_figure() -> None:
    part = analysis("E")
    part = replace(part, plays=part.plays.replaced(analysed=np.arange(100) < 60))
    assert "- E: only 60 of 100 checker plays analysed" in rows_of_ann(*NEAR, part)


def test_costliest_decisions_of_a_player_are_those_of_this_player_alone() -> None:
    match = bundled_xg()
    table = statistics(match).decisions().columns
    for seat, rows in enumerate(some(review_rows(review(match)))):
        costs = sorted(
            zip(-table["error"], table["game"], table["turn"], table["seat"], strict=True)
        )
        places = [(f"{-cost:.3f}", game, turn) for cost, game, turn, here in costs if here == seat]
        named = [(one.lead, one.place.game, one.place.turn) for one in rows.lines if one.place]
        assert named == places[:3]


def test_pr_is_the_sum_of_what_it_is_made_of_and_errors_have_one_border() -> None:
    match = bundled_xg()
    table = statistics(match).decisions().columns
    for seat, rows in enumerate(some(review_rows(review(match)))):
        parts = [float(one.lead) for one in rows.lines if one.place is None]
        pr = f"{statistics(match).figures(seat)['pr']:.2f}"
        assert f"PR {pr} by XG" in rows.headline
        assert f"{sum(parts):.2f}" == pr
        mine = np.round(table["error"][table["seat"] == seat], 5)
        errors, blunders = int((mine >= 0.02).sum()), int((mine >= 0.08).sum())
        assert rows.headline.endswith(f"{errors} errors, {blunders} of them blunders")


def test_capped_pr_says_what_it_would_be() -> None:
    (rows, _) = review_rows(review(two_opinions(error=0.3)[0], rules="xg"))
    assert "PR 100.00 by XG" in rows.headline
    assert [(one.lead, one.words, one.detail) for one in rows.lines[:2]] == [
        ("150.00", "checker plays", "100 decisions"),
        ("−50.00", "cap of PR at 100", "150.00 without it"),
    ]


def ann_s(seat: int = 0, **given: Any) -> Match:
    """A play of Ann, and a close no-double of hers while she is losing: XG may count it or not."""
    made = plays(player=[seat], **given)
    match = with_levels(
        made,
        cubes(no_double=[-0.7], double_take=[-0.75], stored_error=[0.0], player=[seat]),
        tool=XG.name,
    )
    return replace(match, players=("Ann", "Ben") if seat == 0 else ("Ben", "Ann"))


@pytest.mark.parametrize("seat", [0, 1])
def test_open_rule_is_told_of_its_player_in_whichever_seat_a_file_has_him(seat: int) -> None:
    other = replace(
        named(ann_s(), "other.sgf"), players=("Ann of Here", "Ben of There")
    )  # the reference, by its longer names
    other = replace(other, source=replace(other.source, tool=GNUBG.name))
    for player, told in (("Ann", True), ("Ben", False)):
        (found,) = (
            one
            for one in review_rows(review(named(ann_s(seat), "a.xg"), other))
            if one.player.startswith(player)
        )
        assert any("a rule is not known" in one for one in found.story()) == told, found


# -- who is asked, and what counts -------------------------------------------------------------------------------------


def test_analysis_of_nine_in_ten_decisions_takes_part_and_of_fewer_it_does_not() -> None:
    for rows, taking in ((100, True), (90, True), (89, False)):
        short = named(
            two_opinions(plays_of_the_second=rows, tools=("", "C"), error=0.15)[1], "C.sgf"
        )
        many = review(*NEAR, short)
        assert (3 in many.rates(0), bool(many.missing(3, 0))) == (taking, not taking), rows


def test_complete_analysis_of_a_program_votes_rather_than_a_deeper_one_of_a_part() -> None:
    deep = replace(named(analysis("A"), "deep.sgf"), levels=(Level("4-ply", 4),) * 2)
    part = replace(deep, plays=deep.plays.replaced(analysed=np.arange(100) < 60))
    for one, voting in ((deep, [1, 2]), (part, [0, 2])):
        assert review(NEAR[0], one, NEAR[1]).aligned.voters == voting


def test_analyses_of_one_program_alone_are_held_against_each_other() -> None:
    """Which is no outlier: that needs three programs."""
    sides = [
        named(analysis("A", *changes), f"{name}.x")
        for name, changes in {"a": (), "b": (5,), "c": (9,)}.items()
    ]
    many = review(*sides, sides[0])
    assert many.aligned.voters == [0, 1, 2]
    assert many.outliers == {0: None, 1: None}
    assert len(many.disputes) == 1


# -- what is in dispute ------------------------------------------------------------------------------------------------


def of(*sides: Match) -> Review:
    return review(*[named(side, f"{number}.xg") for number, side in enumerate(sides)])


def test_resignation_is_no_decision_in_dispute_or_agreed_on() -> None:
    many = of(*(with_levels(plays(), None, error, tool=XG.name) for error in (0.25, 0.5)))
    assert many.aligned.at_stake.tolist() == [0, 0.25]
    assert many.disputes == ()
    assert [one.kind for one in many.agreed_errors] == ["play"]


def cube(**given: Any) -> Match:
    return with_levels(plays(), cubes(**given))


def test_cube_action_that_is_worth_as_much_as_the_other_disputes_neither() -> None:
    level = cube(double_take=[0.5])
    for gain in (0.015, -0.015):
        assert of(level, cube(double_take=[0.5 + gain])).disputes == ()
    assert [
        one.dispute == "choice"
        for one in of(cube(double_take=[0.75]), cube(double_take=[0.25])).disputes
    ] == [True]


@pytest.mark.parametrize(("error", "disputed"), [(0.25, []), (0.0, [True])])
def test_error_without_equities_tells_what_was_right(error: float, disputed: list[bool]) -> None:
    """No double was made: an error says that doubling is right, none that it is not."""
    alone = cube(no_double=[NAN], double_take=[NAN], double_pass=[NAN], stored_error=[error])
    alone = replace(alone, source=replace(alone.source, tool=BLUNDERDB.name))
    found = of(cube(double_take=[0.75], stored_error=[0.25]), alone).disputes
    assert [one.dispute == "choice" for one in found] == disputed


def test_turn_without_access_to_the_cube_wants_no_double() -> None:
    sides = [
        cube(double_take=[taken], access=[False], recount_access=[False], stored_error=[0.0])
        for taken in (0.25, 0.75)
    ]
    assert of(*sides).disputes == ()


def test_each_side_calls_an_error_by_its_own_border() -> None:
    """0.03 is an error to XG, and to gnuBG, which wants more than 0.06, it is none."""
    one, other = (
        with_levels(plays(stored_error=[0.03], played=[0.47]), tool=tool.name)
        for tool in (XG, GNUBG)
    )
    assert len(of(one, one).agreed_errors) == 1
    assert len(of(one, other).agreed_errors) == len(of(other, one).agreed_errors) == 0


def test_decision_that_one_side_alone_evaluated_is_at_no_stake() -> None:
    both = plays(2, turn=[1, 2], stored_error=[0.1, 0.5], best=[0.5, 0.5], played=[0.4, 0.0])
    one = both.replaced(analysed=np.array([True, False]), stored_error=np.array([0.1, NAN]))
    many = of(with_levels(both), with_levels(one))
    assert many.disputes == ()
    assert many.aligned.at_stake.tolist() == [0, 0]


def test_errors_that_all_agree_on_come_by_what_the_mildest_side_charges() -> None:
    sides = [
        with_levels(plays(2, turn=[1, 2], best=[0.5] * 2, played=[0.5 - one for one in errors]))
        for errors in ((0.2, 0.5), (0.25, 0.1))
    ]
    assert [(one.turn, round(one.least, 3)) for one in of(*sides).agreed_errors] == [
        (1, 0.2),
        (2, 0.1),
    ]


# -- votes -------------------------------------------------------------------------------------------------------------


def test_distance_is_from_the_median_of_the_others() -> None:
    apart = far_from_others({0: 5.0, 1: 5.25, 2: 8.0, 3: 5.75}, {})
    assert apart is not None
    assert (apart.side, apart.from_median, apart.distance, apart.median) == (
        2,
        2.75,
        (2.75, 2.75),
        (5.25, 5.25),
    )


def test_range_of_an_open_rule_is_the_range_of_the_distance() -> None:
    apart = far_from_others({0: 6.5, 1: 5.25, 2: 5.5}, {0: (6.5, 6.75)})
    assert apart is not None
    assert (apart.side, apart.from_median, apart.distance, apart.median) == (
        0,
        1.125,
        (1.125, 1.375),
        (5.375, 5.375),
    )


def test_range_of_another_side_moves_the_median() -> None:
    apart = far_from_others({0: 2.0, 1: 7.25, 2: 6.5}, {1: (7.0, 7.5)})
    assert apart is not None
    assert (apart.distance, apart.median) == ((-5.0, -4.75), (6.75, 7.0))


def test_no_outlier_where_an_open_rule_decides_who_it_is() -> None:
    rates = {0: 5.0, 1: 5.0, 2: 5.5}
    assert far_from_others(rates, {}) is not None
    assert far_from_others(rates, {2: (5.05, 5.5)}) is None  # it may be within noise
    assert far_from_others(rates, {1: (5.0, 5.9)}) is None  # it may be the other one
    assert far_from_others({0: 4.9, 1: 5.0, 2: 5.1}, {}) is None  # two are equally far


@given(st.lists(st.integers(0, 2000), min_size=3, max_size=6), st.data())
def test_outlier_holds_wherever_every_pr_is_in_its_range(
    hundredths: list[int], data: st.DataObject
) -> None:
    rates = {side: value / 100 for side, value in enumerate(hundredths)}
    ranges = {
        side: (pr - data.draw(st.integers(0, 100)) / 100, pr + data.draw(st.integers(0, 100)) / 100)
        for side, pr in rates.items()
    }
    apart = far_from_others(rates, ranges)
    if apart is None:
        return
    moved = {side: data.draw(st.sampled_from((*ranges[side], pr))) for side, pr in rates.items()}
    there = far_from_others(moved, {})
    assert there is not None
    assert there.side == apart.side
    assert apart.distance[0] - 1e-9 <= there.from_median <= apart.distance[1] + 1e-9
    assert abs(there.from_median) > NOISE


def test_depth_of_a_rollout_is_above_any_ply_and_of_nothing_below() -> None:
    order = [None, Level("0-ply", 0.0), Level("4-ply", 4.0), Level("rollout", None)]
    assert [depth_of(level) for level in order] == sorted(depth_of(level) for level in order)


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
    small, large = (f"{float(value):.3f}" for value in (match.plays.stored_error[row], error[row]))
    one, other = many.labels
    rows = review_rows(many)[-1]
    assert rows.headline.startswith("1 decision in dispute: 1 over its cost")
    assert rows.lines[0].detail.endswith(f"{small} by {one}, {large} by {other}")


@pytest.mark.parametrize(("apart", "disputed"), [(SIZE - 0.001, 0), (SIZE, 1)])
def test_sizes_are_in_dispute_from_an_error_on(apart: float, disputed: int) -> None:
    match = bundled_xg()
    row = chosen(match, 0, 1)[0]
    error = match.plays.stored_error.astype(np.float64)
    error[row] = 0.25
    higher = error.copy()
    higher[row] = 0.25 + apart
    sides = [
        replace(named(match, name), plays=match.plays.replaced(stored_error=one))
        for name, one in (("a.xg", error), ("b.xg", higher))
    ]
    assert len(review(*sides).disputes) == disputed
