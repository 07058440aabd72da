"""A gap is held against its bound; what is incomplete, off or without an entry is not judged, and what is complete decides alone."""

from __future__ import annotations

from math import inf

import pytest

from reconcile.gap.bounds import Table
from reconcile.gap.comparison import compare
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import INCOMPLETE, OUTSIDE, UNGATED, WITHIN, judged
from reconcile.scoring.metrics import METRICS
from tests.support.hand_made import NAN, cubes, plays
from tests.support.hand_made_levels import with_levels
from tests.support.tolerance_files import figure


def bounds(**entries: dict[str, float | str]) -> Tolerances:
    full = {
        name: {"level": "error", "reason": "r", "source": "s", **bound}
        for name, bound in entries.items()
    }
    return Tolerances.from_mapping(
        {"schema_version": 1, "tables": {"documented": {"title": "t", "entries": full}}}
    )


def table(**bound: float | str) -> Table:
    return bounds(pr=bound).table("documented")


@pytest.mark.parametrize(
    ("left", "right", "bound", "verdict"),
    [
        (9.0, 9.5, 0.5, WITHIN),
        (9.0, 8.5, 0.5, WITHIN),
        (9.0, 9.500001, 0.5, OUTSIDE),
        (9.0, 8.499999, 0.5, OUTSIDE),
        (None, 9.0, 0.5, INCOMPLETE),
        (9.0, None, 0.5, INCOMPLETE),
        (None, None, 0.5, UNGATED),
        (0.0, 0.0, 0.5, WITHIN),
        (9.28, 9.285, 0.005, WITHIN),  # binary fractions do not push a figure out
        (0.3, 0.1 + 0.2, 0, WITHIN),
    ],
)
def test_gap_is_held_against_the_bound_at_both_ends(
    left: float | None, right: float | None, bound: float, verdict: str
) -> None:
    assert judged(figure(left, right), table(abs=bound)).verdict == verdict


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        (8.0, 9.0, WITHIN),
        (8.0, 9.0625, OUTSIDE),
        (8.0, 7.0, WITHIN),
        (9.0625, 8.0, WITHIN),
        (9.0, 7.75, OUTSIDE),
        (-8.0, -9.0, WITHIN),
    ],
)
def test_relative_bound_is_a_share_of_the_left_figure(
    left: float, right: float, verdict: str
) -> None:
    seen = judged(figure(left, right), table(rel=0.125))
    assert (seen.verdict, seen.tolerance, seen.gap) == (verdict, abs(left) / 8, right - left)


def test_missing_analysis_is_never_judged() -> None:
    seen = judged(figure(0.0, 9.0), table(abs=0.5), "right: 27 of 94 cube decisions")
    assert (seen.verdict, seen.coverage) == (INCOMPLETE, "right: 27 of 94 cube decisions")


def test_level_off_shows_and_does_not_judge() -> None:
    seen = judged(figure(0.0, 9.0), table(abs=0.5, level="off"))
    assert (seen.verdict, seen.gap, seen.tolerance) == (UNGATED, 9.0, None)


def test_figure_without_an_entry_is_ungated() -> None:
    assert {
        judged(figure(0.0, 9.0, name), table(abs=0.5)).verdict for name in METRICS if name != "pr"
    } == {UNGATED}


@pytest.mark.parametrize(
    ("right", "half", "verdict"),
    [
        (9.28, 0.005, WITHIN),
        (9.285, 0.005, WITHIN),
        (9.2851, 0.005, OUTSIDE),
        (9.3, 0.05, WITHIN),
        (9.3, 0.0, OUTSIDE),
        (9.28, 0.0, WITHIN),
    ],
)
def test_printed_figure_may_be_off_by_half_its_last_digit(
    right: float, half: float, verdict: str
) -> None:
    seen = judged(figure(9.28, right), table(within="printed"), half=half)
    assert (seen.verdict, seen.tolerance) == (verdict, half)


def test_figures_that_are_complete_decide_where_others_are_incomplete() -> None:
    unknown = cubes(
        analysed=[False], stored_error=[NAN], no_double=[NAN], double_take=[NAN], double_pass=[NAN]
    )
    left, right = with_levels(plays(), cubes()), with_levels(plays(), unknown)
    result = compare(left, right, bounds(pr={"abs": 9}, checker_pr={"abs": 9}), player="Ann")
    assert {one.metric: one.verdict for one in result.judged} == {
        "pr": INCOMPLETE,
        "checker_pr": WITHIN,
    }
    assert (result.verdict, result.exit_code(), result.exit_code(strict=True)) == (WITHIN, 0, 1)


@pytest.mark.parametrize(
    ("bound", "right", "excess"),
    [(0.125, 8.0, 0.0), (0.125, 8.25, 2.0), (0.125, 7.5, 4.0), (0, 8.0, 0.0), (0, 8.25, inf)],
)
def test_excess_of_a_figure_is_its_gap_in_bounds_and_of_one_that_must_be_exact_worse_than_any(
    bound: float, right: float, excess: float
) -> None:
    assert judged(figure(8.0, right), table(abs=bound)).excess == excess
