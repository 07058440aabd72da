"""The steps of a bridge: their codes and order, what other orders change, what the tools reported, and exact shares of a change."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.gap.walk import States, Walk
from reconcile.match.match import Match
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.metric import Form
from reconcile.scoring.metrics import BRIDGED, SHORT
from tests.support.balance import CLOSES, as_shown, compared, ledger_of, unbalanced
from tests.support.claims import some
from tests.support.hand_made import cubes, plays
from tests.support.hand_made_levels import with_levels
from tests.support.loaded import beginning

STEPS = {"reported-left", *QUESTIONS, "coverage-left", "engine", "coverage-right", "reported-right"}


@cache
def demonstration() -> Walk:
    return compared(beginning(".xg", 4), beginning(".sgf", 4)).walk


def test_step_that_another_order_or_direction_changes_shows_its_range() -> None:
    spans = [
        step
        for bridge in demonstration().bridges()
        for step in bridge.steps
        if step.low is not None and step.high is not None
    ]
    assert any(step.code.startswith("Q") for step in spans)
    assert any(step.code == "engine" for step in spans)
    assert all(step.low < step.high for step in spans)  # type: ignore[operator]


def test_step_is_half_of_its_change_there_less_half_of_its_change_on_the_way_back() -> None:
    walk = demonstration()
    every = np.ones(len(walk.items), bool)
    seats = 0, walk.pairing.seats[0]
    for name in BRIDGED:
        there, back = (
            dict(zip(stages.codes, stages.shares.sum(axis=1).tolist(), strict=True))
            for way, seat in zip(walk.ways, seats, strict=True)
            if not isinstance(stages := way.stages(name, seat, every), str)
        )
        changes = {step.code: step.change for step in walk.bridge(name, 0).steps}
        for code, change in some(changes.items()):
            mirror = {"coverage-left": "coverage-right", "coverage-right": "coverage-left"}
            other = back.get(mirror.get(code, code), 0)
            assert change == pytest.approx((there.get(code, 0) - other) / 2)


def test_steps_have_the_codes_of_the_contract_in_its_order() -> None:
    order = [
        "reported-left",
        *QUESTIONS,
        "coverage-left",
        "engine",
        "coverage-right",
        "reported-right",
    ]
    for bridge in some(demonstration().bridges()):
        codes = [step.code for step in bridge.steps]
        assert STEPS >= set(codes) > {"engine"}
        assert codes == [code for code in order if code in codes]


def test_totals_go_by_short_or_full_name() -> None:
    walk = demonstration()
    for full, short in SHORT.items():
        assert walk.bridge(full, 0) == walk.bridge(short, 0)


# -- in exact fractions -------------------------------------------------------------------------------------------------


def test_bridge_between_reported_figures_passes_through_ours() -> None:
    left, right = (
        with_levels(plays(stored_error=[0.125])),
        with_levels(plays(stored_error=[0.0625])),
    )
    comparison = compared(left, right, "xg", "xg")
    bridge = comparison.walk.towards({("Ann", "pr"): (62.0, 31.5)}).bridge("pr", 0)
    assert unbalanced(comparison, as_shown(comparison)) == []
    changes = {step.code: step.change for step in bridge.steps}
    assert (bridge.start, bridge.end) == (62.0, 31.5)
    assert (changes["reported-left"], changes["engine"], changes["reported-right"]) == (
        0.5,
        -31.25,
        0.25,
    )
    assert sum(changes.values()) == 31.5 - 62


def test_figure_that_only_one_tool_reported_leaves_the_other_end_as_computed() -> None:
    match = with_levels(plays(stored_error=[0.125]))
    bridge = (
        compared(match, match, "xg", "xg")
        .walk.towards({("Ann", "pr"): (None, 62.0)})
        .bridge("pr", 0)
    )
    assert (bridge.start, bridge.end) == (62.5, 62.0)
    assert {step.code: step.change for step in bridge.steps if step.change} == {
        "reported-right": -0.5
    }


def test_order_of_rules_that_leaves_nothing_to_count_is_not_needed_for_a_bridge() -> None:
    # 0.10 short and losing badly: not XG's, for Q03 alone; 0.18 short: not gnuBG's, for Q02 alone.
    two = cubes(
        2, turn=[1, 3], no_double=[-0.95, 0.5], double_take=[-1.05, 0.32], stored_error=[0.0, 0.0]
    )
    match = with_levels(plays(2, turn=[1, 3]), two)
    comparison = compared(match, match, "gnubg", "xg")
    walk = comparison.walk
    assert {"Q02", "Q03"} <= set(walk.forward.questions)
    assert walk.forward.judged(frozenset({"Q03"})).count[walk.items.decision_class == 1].sum() == 0
    bridge = walk.bridge("decisions.double", 0)
    assert {step.code: step.change for step in bridge.steps if step.change} == pytest.approx(
        {"Q02": 1, "Q03": -1}
    )
    rate = walk.bridge("cube_pr", 0)
    assert (rate.reason, rate.start, rate.end) == ("", 0, 0)
    assert not any(step.low is not None for step in rate.steps)
    bridges = walk.bridges()
    assert unbalanced(comparison, [(walk, bridges, ledger_of(walk, bridges))]) == []


def test_owner_of_the_cube_after_a_beaver_is_a_question_also_where_nobody_answered_one() -> None:
    plain, beavered = (
        with_levels(plays(), cubes(recount_access=[access]), length=None)
        for access in (True, False)
    )
    assert "Q14" not in compared(plain, plain, "xg", "gnubg").walk.forward.questions
    assert "Q14" in compared(beavered, beavered, "xg", "gnubg").walk.forward.questions


def test_decisions_of_a_step_are_those_that_moved_it_up_or_down() -> None:
    left, right = (
        with_levels(plays(3, turn=[1, 2, 3], stored_error=errors))
        for errors in ([0.125, 0.25, 0.5], [0.25, 0.125, 0.5])
    )
    bridge = compared(left, right, "xg", "xg").walk.bridge("equity_error", 0)
    assert [(step.change, step.decisions) for step in bridge.steps if step.code == "engine"] == [
        (0, 2)
    ]


def test_step_of_a_rule_is_called_by_the_left_answer_and_the_right_one() -> None:
    match = with_levels(plays(), cubes(no_double=[0.5], double_take=[0.32]))
    for rules in (("xg", "gnubg"), ("gnubg", "xg")):
        (step,) = (
            one
            for one in compared(match, match, *rules).walk.bridge("decisions.double", 0).steps
            if one.change
        )
        assert (step.code, step.title.endswith(f" {rules[0]} -> {rules[1]}")) == ("Q02", True), (
            step.title
        )


def test_money_session_has_no_bridge_of_match_winning_chances() -> None:
    def bridged(match: Match) -> set[str]:
        return {
            bridge.metric
            for bridge in compared(match, match, "xg", "gnubg").walk.bridges()
            if "mwc" in bridge.metric
        }

    assert bridged(with_levels(plays(), length=None)) == set()
    assert len(bridged(with_levels(plays(), length=7))) == 4


def test_factor_of_a_one_point_match_is_in_pr_and_not_in_a_rate_per_move() -> None:
    match = with_levels(plays(stored_error=[0.125], played=[0.375]), length=1)
    comparison = compared(match, match, "xg", "gnubg")
    assert unbalanced(comparison, as_shown(comparison)) == []
    changes = {
        name: {step.code for step in comparison.walk.bridge(name, 0).steps if step.change}
        for name in ("pr", "snowie_er")
    }
    assert changes == {"pr": {"Q09"}, "snowie_er": set()}


# -- shares of a change ----------------------------------------------------------------------------


NUMBERS = st.sampled_from([0.0, 0.0, 0.1, 0.25, 1.0, 7.5])
COUNTS = st.sampled_from([0.0, 1.0])
FACTORS = st.sampled_from([500.0, 750.0, 1000.0])
CAPS = st.sampled_from([100.0, np.inf])


def states(
    *rows: tuple[Sequence[float], Sequence[float]],
    factors: Sequence[float] = (500.0, 500.0),
    caps: Sequence[float] = (np.inf, np.inf),
    form: Form = Form.RATE,
) -> States:
    """Two states, each with the errors and the counts of some decisions."""
    errors, counts = (np.array(column) for column in zip(*rows, strict=True))
    return States(form, errors, counts, np.array(factors)[:, None], np.array(caps)[:, None])


@given(
    st.lists(st.tuples(NUMBERS, COUNTS, NUMBERS, COUNTS), min_size=1, max_size=8),
    st.tuples(FACTORS, FACTORS),
    st.tuples(CAPS, CAPS),
    st.sampled_from(list(Form)),
)
def test_shares_are_the_change_of_a_figure_exactly(
    rows: list[tuple[float, ...]],
    factors: tuple[float, float],
    caps: tuple[float, float],
    form: Form,
) -> None:
    e0, n0, e1, n1 = zip(*rows, strict=True)
    both = states((e0, n0), (e1, n1), factors=factors, caps=caps, form=form)
    if both.defined.all():
        change = np.diff(both.figure(), axis=0).item()
        closes = CLOSES * max(1, abs(change))
        assert both.shares().sum() == pytest.approx(change, abs=closes)


@pytest.mark.parametrize(
    ("both", "shares"),
    [
        # f (de (1/N + 1/N')/2 - dn (E + E')/(2 N N')), with E 0.4 -> 0.3 and N 2 -> 1
        (states(([0.3, 0.1], [1, 1]), ([0.3, 0], [1, 0])), [0, 500 * (-0.1 * 0.75 + 0.7 / 4)]),
        # in proportion to the errors where a side is capped
        (states(([0.3, 0.1], [1, 1]), ([0.3, 0.1], [1, 1]), caps=(50, np.inf)), [37.5, 12.5]),
        # a rate of just its cap is not capped: the decision that is new alone moves it
        (states(([0.25, 0], [1, 0]), ([0.25, 0], [1, 1]), caps=(125, 125)), [0, -62.5]),
        (states(([0.25, 0], [1, 1]), ([0.25, 0], [1, 0]), caps=(125, 125)), [0, 62.5]),
    ],
)
def test_change_of_a_rate_is_split_as_documented(both: States, shares: list[float]) -> None:
    assert both.shares()[0].tolist() == pytest.approx(shares)
