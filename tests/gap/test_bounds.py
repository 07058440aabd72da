"""A gap is held against its bound; what is incomplete, off or without an entry is not judged."""

from __future__ import annotations

import pytest

from reconcile.gap.bounds import Table
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import INCOMPLETE, OUTSIDE, UNGATED, WITHIN, judged
from reconcile.scoring.metrics import METRICS
from tests.support.tolerance_files import figure


def table(**bounds: float | str) -> Table:
    options = {"level": "error", "reason": "r", "source": "s"} | bounds
    tolerances = {"schema_version": 1, "tables": {"one": {"title": "t", "entries": {"pr": options}}}}
    return Tolerances.from_mapping(tolerances).table("one")


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        (9.0, 9.5, WITHIN),
        (9.0, 8.5, WITHIN),
        (9.0, 9.500001, OUTSIDE),
        (9.28, 9.285, WITHIN),
        (None, 9.0, INCOMPLETE),
        (9.0, None, INCOMPLETE),
        (None, None, UNGATED),
        (0.0, 0.0, WITHIN),
    ],
)
def test_gap_is_held_against_the_bound_at_both_ends(left: float | None, right: float | None, verdict: str) -> None:
    assert judged(figure(left, right), table(abs=0.5)).verdict == verdict


def test_binary_fractions_do_not_push_a_figure_out() -> None:
    assert judged(figure(9.28, 9.285), table(abs=0.005)).verdict == WITHIN
    assert judged(figure(0.3, 0.1 + 0.2), table(abs=0)).verdict == WITHIN


def test_missing_analysis_is_never_judged() -> None:
    seen = judged(figure(0.0, 9.0), table(abs=0.5), "right: 27 of 94 cube decisions")
    assert (seen.verdict, seen.coverage) == (INCOMPLETE, "right: 27 of 94 cube decisions")


def test_level_off_shows_and_does_not_judge() -> None:
    seen = judged(figure(0.0, 9.0), table(abs=0.5, level="off"))
    assert (seen.verdict, seen.gap, seen.tolerance) == (UNGATED, 9.0, None)


def test_figure_without_an_entry_is_ungated() -> None:
    assert {judged(figure(0.0, 9.0, name), table(abs=0.5)).verdict for name in METRICS if name != "pr"} == {UNGATED}


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
def test_printed_figure_may_be_off_by_half_its_last_digit(right: float, half: float, verdict: str) -> None:
    seen = judged(figure(9.28, right), table(within="printed"), half=half)
    assert (seen.verdict, seen.tolerance) == (verdict, half)
