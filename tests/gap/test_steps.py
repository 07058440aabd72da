"""The steps of a bridge: their codes and order, what other orders change, and the reason where there is no bridge."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reconcile.errors import UnknownName
from reconcile.formats import load_match
from reconcile.formats import written as xg
from reconcile.gap.walk import Walk
from reconcile.match.board.position import START
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.metrics import BRIDGED, SHORT
from tests.support.balance import compared
from tests.support.bridged_pairs import read
from tests.support.claims import some
from tests.support.loaded import DEMONSTRATION, loaded

STEPS = {"reported-left", *QUESTIONS, "coverage-left", "engine", "coverage-right", "reported-right"}


def demonstration(order: str = "symmetric") -> Walk:
    return replace(compared(loaded(Path(f"{DEMONSTRATION}.xg")), loaded(Path(f"{DEMONSTRATION}.sgf"))).walk, order=order)


def test_mean_over_the_orders_of_the_rules_leaves_everything_but_the_split_among_them() -> None:
    symmetric, shapley = (demonstration(order).bridges() for order in ("symmetric", "shapley"))
    for one, two in some(zip(symmetric, shapley, strict=True)):
        assert [step.code for step in one.steps] == [step.code for step in two.steps]
        for step, other in zip(one.steps, two.steps, strict=True):
            if not step.code.startswith("Q"):
                assert step == other
            assert (step.low, step.high) == (other.low, other.high)


def test_shapley_does_not_depend_on_the_order_of_the_questions() -> None:
    walk, turned = demonstration("shapley"), demonstration("shapley")
    for way in turned.ways:
        way.questions = tuple(reversed(way.questions))
    for name in BRIDGED:
        one, two = ({step.code: step.change for step in which.bridge(name, 0).steps} for which in (walk, turned))
        assert one == pytest.approx(two)


@pytest.mark.parametrize(("order", "also_without_rules"), [("documented", False), ("symmetric", True), ("shapley", True)])
def test_step_that_other_orders_change_shows_their_range(order: str, also_without_rules: bool) -> None:
    spans = [step for bridge in demonstration(order).bridges() for step in bridge.steps if step.low is not None and step.high is not None]
    assert any(step.code.startswith("Q") for step in spans)
    assert any(step.code == "engine" for step in spans) == also_without_rules
    assert all(step.low < step.high for step in spans)  # type: ignore[operator]


def test_step_is_half_of_its_change_there_less_half_of_its_change_on_the_way_back() -> None:
    left, right = (loaded(Path(f"{DEMONSTRATION}{suffix}")) for suffix in (".xg", ".sgf"))
    there, back = (replace(compared(*files).walk, order="documented") for files in ((left, right), (right, left)))
    for name in BRIDGED:
        one, two = ({step.code: step.change for step in walk.bridge(name, seat).steps} for walk, seat in ((there, 0), (back, 0)))
        for step in some(demonstration().bridge(name, 0).steps):
            mirror = {"coverage-left": "coverage-right", "coverage-right": "coverage-left"}.get(step.code, step.code)
            assert step.change == pytest.approx((one.get(step.code, 0) - two.get(mirror, 0)) / 2)


def test_unknown_order_is_refused() -> None:
    with pytest.raises(UnknownName, match="symmetric, documented, shapley"):
        demonstration("random")


def test_steps_have_the_codes_of_the_contract_in_its_order() -> None:
    order = ["reported-left", *QUESTIONS, "coverage-left", "engine", "coverage-right", "reported-right"]
    for bridge in some(demonstration().bridges()):
        codes = [step.code for step in bridge.steps]
        assert STEPS >= set(codes) > {"engine"}
        assert codes == [code for code in order if code in codes]


def test_unknown_figure_has_a_reason_and_no_bridge() -> None:
    first = load_match(f"{DEMONSTRATION}.sgf")
    money = [xg.Turn(1, START, move=xg.Move((3, 1), (), None, ((8, 5),), START))]
    empty = read(xg.WrittenMatch(("A", "B"), 1, (xg.Game(tuple(money), (0, 0), None),), ended=False))
    bridge = compared(empty, empty).walk.bridge("pr", 0)
    assert (bridge.start, bridge.steps, bridge.reason) == (None, (), "PR is unknown on both sides")
    assert compared(first, first).walk.bridge("pr", 0).reason == ""


def test_totals_go_by_short_or_full_name() -> None:
    walk = demonstration()
    for full, short in SHORT.items():
        assert walk.bridge(full, 0) == walk.bridge(short, 0)


def test_one_player_alone_has_bridges_of_his_own() -> None:
    from reconcile.gap.comparison import compare

    comparison = compare(loaded(Path(f"{DEMONSTRATION}.xg")), loaded(Path(f"{DEMONSTRATION}.sgf")), player="Tomas Beck")
    assert {bridge.player for bridge in comparison.bridges} == {"Tomas Beck"}
