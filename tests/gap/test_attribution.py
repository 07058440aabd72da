"""Which cause a difference between two analyses has, one decision at a time: files made by hand, so that only one thing differs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.gap.bridge import Contribution
from reconcile.gap.contributions import contributions_of
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.scoring.decision_table import situation_of
from tests.support.balance import as_shown, compared, ledger_of, unbalanced
from tests.support.hand_made import NAN, cubes, plays
from tests.support.hand_made_levels import with_levels
from tests.support.loaded import DEMONSTRATION, loaded


def found(
    left: Match,
    right: Match,
    metric: str = "equity_error",
    left_rules: str = "xg",
    right_rules: str = "xg",
) -> list[Contribution]:
    """Every decision that moves a figure of Ann's; the books of the comparison balance."""
    comparison = compared(left, right, left_rules, right_rules)
    assert unbalanced(comparison, as_shown(comparison)) == []
    walk = comparison.walk
    return [one for one in contributions_of(walk, walk.bridges((metric,))) if one.player == "Ann"]


def cube(**given: Any) -> Match:
    """A play and one cube decision."""
    return with_levels(plays(), cubes(**given))


def missed(error: float) -> Match:
    return cube(no_double=[0.5], double_take=[0.5 + error], stored_error=[error])


# -- how much is a difference ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("more", "cause"), [(5e-7, "rounding"), (5e-6, "engine.error-size")])
def test_errors_that_differ_by_less_than_a_millionth_are_the_same_up_to_rounding(
    more: float, cause: str
) -> None:
    (one,) = found(missed(0.25), missed(0.25 + more))
    assert (one.step, one.cause) == ("engine", cause)
    assert one.change == pytest.approx(more)


def test_same_error_in_another_precision_loses_other_last_digits_by_rounding() -> None:
    double, single = (
        with_levels(plays(best=[0.5], played=[0.5 - 0.375], stored_error=[error]))
        for error in (0.375, 0.375)
    )
    narrow = {
        name: getattr(single.plays, name).astype(np.float32)
        for name in ("stored_error", "best", "played", "highest", "spread")
    }
    nothing = {
        name: np.zeros(0, np.float32)
        for name in ("stored_error", "no_double", "double_take", "double_pass")
    }
    single = replace(
        single, plays=single.plays.replaced(**narrow), cubes=single.cubes.replaced(**nothing)
    )
    (one,) = found(double, single, "mwc_loss_percent")
    assert (one.step, one.cause) == ("engine", "rounding")
    assert abs(one.change) < 1e-4


# -- what the cube decision was ----------------------------------------------------------------------------------------


def test_double_that_changes_nothing_is_right_as_one_that_gains_is() -> None:
    (one,) = found(cube(no_double=[0.5], double_take=[0.5], stored_error=[0.0]), missed(0.125))
    assert one.cause == "engine.error-size"


def test_double_that_would_lose_is_another_verdict_than_one_that_changes_nothing() -> None:
    changes_nothing = cube(
        kind=[Kind.DOUBLE], no_double=[0.5], double_take=[0.5], stored_error=[0.0]
    )
    (one,) = found(
        changes_nothing,
        cube(kind=[Kind.DOUBLE], no_double=[0.625], double_take=[0.5], stored_error=[0.125]),
    )
    assert one.cause == "engine.other-cube-verdict"


@pytest.mark.parametrize(
    ("left", "right", "cause"),
    [
        (0.75, 1.0, "engine.error-size"),  # a take that is worth as much as a pass is right
        (0.75, 1.25, "engine.other-cube-verdict"),
        (1.25, 1.5, "engine.error-size"),
        (1.0, 1.25, "engine.other-cube-verdict"),
    ],
)
def test_take_is_right_where_it_costs_no_more_than_passing(
    left: float, right: float, cause: str
) -> None:
    one_side, other = (
        cube(kind=[Kind.TAKE], no_double=[0.5], double_take=[taken], stored_error=[error])
        for taken, error in ((left, 0.125), (right, 0.25))
    )
    (one,) = found(one_side, other)
    assert one.cause == cause


def test_pass_that_both_call_wrong_is_another_size_whatever_each_says_of_the_double() -> None:
    one_side, other = (
        cube(kind=[Kind.PASS], no_double=[undoubled], double_take=[0.5], stored_error=[error])
        for undoubled, error in ((0.25, 0.5), (0.75, 0.25))
    )
    (one,) = found(one_side, other)
    assert one.cause == "engine.error-size"


@pytest.mark.parametrize("kind", [Kind.NO_DOUBLE, Kind.DOUBLE])
def test_double_that_both_want_is_another_size_whatever_each_says_of_the_take(kind: Kind) -> None:
    taken, passed = (
        cube(kind=[kind], no_double=[0.5], double_take=[after], stored_error=[error])
        for after, error in ((0.75, 0.25), (1.25, 0.5))
    )
    (one,) = found(taken, passed)
    assert one.cause == "engine.error-size"


def test_level_that_differs_is_the_cause_where_one_tool_made_both_analyses() -> None:
    deeper = cube(no_double=[0.5], double_take=[0.625], stored_error=[0.125], level=[1])
    (one,) = found(missed(0.25), deeper)
    assert one.cause == "engine.level"
    other_tool = replace(deeper, source=replace(deeper.source, tool="another"))
    (one,) = found(missed(0.25), other_tool)
    assert one.cause == "engine.error-size"


# -- what only one file has --------------------------------------------------------------------------------------------


def third(validity: Validity) -> Match:
    made = plays(
        3,
        turn=[1, 2, 3],
        player=[0, 1, 0],
        dice=[(3, 1), (4, 2), (6, 5)],
        validity=[Validity.VALID, Validity.VALID, validity],
    )
    return with_levels(made)


@pytest.mark.parametrize(
    ("validity", "cause"),
    [(Validity.VALID, "coverage.transcript"), (Validity.ILLEGAL, "coverage.not-played")],
)
def test_play_that_only_one_file_has_is_one_that_cannot_be_judged_or_a_difference_of_the_transcripts(
    validity: Validity, cause: str
) -> None:
    two = with_levels(plays(2, turn=[1, 2], player=[0, 1], dice=[(3, 1), (4, 2)]))
    for left, right, step in (
        (third(validity), two, "coverage-left"),
        (two, third(validity), "coverage-right"),
    ):
        (one,) = found(left, right, "decisions", "gnubg", "gnubg")
        assert (one.step, one.cause) == (step, cause)


def test_decisions_of_a_game_that_only_one_file_has_are_a_difference_of_the_transcripts() -> None:
    match = loaded(Path(f"{DEMONSTRATION}.sgf"))
    number = match.games.number.copy()
    number[-1] += 10
    walk = compared(match, replace(match, games=match.games.replaced(number=number))).walk
    ledger = ledger_of(walk, walk.bridges(["moves.total"]))
    assert set(zip(ledger["step"], ledger["cause"], strict=True)) == {
        ("coverage-left", "coverage.transcript"),
        ("coverage-right", "coverage.transcript"),
    }


# -- resignations ------------------------------------------------------------------------------------------------------


def test_resignation_has_its_partner_in_the_other_file() -> None:
    same = with_levels(plays(), None, 0.25)
    assert found(same, same) == []
    (one,) = found(same, with_levels(plays(), None, 0.125))
    assert (one.step, one.cause, one.change) == ("engine", "engine.error-size", -0.125)


def test_resignation_comes_after_the_last_turn_of_its_game() -> None:
    match = with_levels(plays(2, turn=[1, 7]), None, 0.25)
    walk = compared(match, match, "xg", "gnubg").walk
    ledger = ledger_of(walk, [walk.bridge("equity_error", 0)])
    (row,) = ledger[ledger["step"] == "Q07"].to_dict("records")
    assert (row["turn"], row["kind"], row["change"], row["cause"]) == (
        8,
        "resign",
        -0.25,
        "rule.Q07",
    )


def test_resignation_that_one_file_does_not_judge_is_left_out_on_the_other_side() -> None:
    (one,) = found(with_levels(plays(), None, 0.25), with_levels(plays(), None, NAN))
    assert (one.step, one.cause, one.change) == ("coverage-left", "coverage.not-analysed", -0.25)


# -- what is said of it ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("owner", [1, 0])
def test_response_is_described_in_the_view_of_who_answers(owner: int) -> None:
    """Columns say who owns the cube in the view of the player on roll, who doubles."""
    found = situation_of(cube(kind=[Kind.TAKE], owner=[owner], cube=[2]), 1)
    assert found is not None
    assert (found.owner, found.double_offered) == (-owner, True)


def test_another_match_equity_table_is_named() -> None:
    match = with_levels(plays(stored_error=[0.125]))
    walk = compared(match, match, "xg", "xg", met=("Kazaross-XG2", "zadeh")).walk
    (one,) = contributions_of(walk, [walk.bridge("mwc_loss_percent", 0)])
    assert (one.step, one.cause) == ("Q11", "conversion.met")
    assert walk.bridge("mwc_loss_percent", 0).steps[1].title.endswith("Kazaross-XG2 -> zadeh")
