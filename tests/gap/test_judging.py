"""What a verdict is held against: a bound of the left figure, and every figure that could be judged."""

from __future__ import annotations

from math import inf

import pytest

from reconcile.gap.comparison import compare
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import INCOMPLETE, OUTSIDE, UNGATED, WITHIN, Figure, judged
from tests.support.hand_made import NAN, cubes, plays
from tests.support.hand_made_levels import with_levels


def bounds(**entries: dict[str, float]) -> Tolerances:
    full = {name: {**bound, "level": "error", "reason": "r", "source": "s"} for name, bound in entries.items()}
    return Tolerances.from_mapping({"schema_version": 1, "tables": {"documented": {"title": "t", "entries": full}}})


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [(8.0, 9.0, WITHIN), (8.0, 9.0625, OUTSIDE), (8.0, 7.0, WITHIN), (9.0625, 8.0, WITHIN), (9.0, 7.75, OUTSIDE)],
)
def test_relative_bound_is_a_share_of_the_left_figure(left: float, right: float, verdict: str) -> None:
    table = bounds(pr={"rel": 0.125}).table("documented")
    figure = judged(Figure("pr", "Ann", left, right, None, None, None, UNGATED), table)
    assert (figure.verdict, figure.tolerance, figure.gap) == (verdict, left / 8, right - left)


@pytest.mark.parametrize(("gap", "verdict"), [(0.125, WITHIN), (-0.125, WITHIN), (0.126, OUTSIDE), (-0.126, OUTSIDE)])
def test_gap_of_just_the_bound_is_within_it_in_either_direction(gap: float, verdict: str) -> None:
    table = bounds(pr={"abs": 0.125}).table("documented")
    assert judged(Figure("pr", "Ann", 8.0, 8.0 + gap, None, None, None, UNGATED), table).verdict == verdict


def test_figures_that_are_complete_decide_where_others_are_incomplete() -> None:
    unknown = cubes(analysed=[False], stored_error=[NAN], no_double=[NAN], double_take=[NAN], double_pass=[NAN])
    left, right = with_levels(plays(), cubes()), with_levels(plays(), unknown)
    result = compare(left, right, bounds(pr={"abs": 9}, checker_pr={"abs": 9}), player="Ann")
    assert {figure.metric: figure.verdict for figure in result.judged} == {"pr": INCOMPLETE, "checker_pr": WITHIN}
    assert (result.verdict, result.exit_code(), result.exit_code(strict=True)) == (WITHIN, 0, 1)


@pytest.mark.parametrize(("right", "excess"), [(8.0, 0.0), (8.25, 2.0), (7.5, 4.0)])
def test_excess_of_a_figure_is_its_gap_in_bounds(right: float, excess: float) -> None:
    table = bounds(pr={"abs": 0.125}).table("documented")
    assert judged(Figure("pr", "Ann", 8.0, right, None, None, None, UNGATED), table).excess == excess


def test_figure_that_must_be_exact_and_is_not_is_worse_than_any_other() -> None:
    table = bounds(pr={"abs": 0}).table("documented")
    assert [judged(Figure("pr", "Ann", 8.0, right, None, None, None, UNGATED), table).excess for right in (8.0, 8.25)] == [0, inf]


@pytest.mark.parametrize(("level", "failing"), [("error", (True, True)), ("warn", (False, True))])
def test_error_fails_also_where_warnings_do(level: str, failing: tuple[bool, bool]) -> None:
    table = Tolerances.from_mapping(
        {"schema_version": 1, "tables": {"t": {"title": "t", "entries": {"pr": {"abs": 0, "level": level, "reason": "r", "source": "s"}}}}}
    ).table("t")
    found = judged(Figure("pr", "Ann", 8.0, 8.25, None, None, None, UNGATED), table)
    assert (found.failing(), found.failing(fail_on="warn")) == failing
