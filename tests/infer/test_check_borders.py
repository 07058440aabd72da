"""Where a check stops: how much is proof, how many decisions are named, what only counts can
show."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.infer.investigation import investigate
from reconcile.match.match import Match
from tests.support.hand_made import match_of, plays
from tests.support.loaded import DEMONSTRATION, loaded

XG = Path(f"{DEMONSTRATION}.xg")


def checks_by_code(match: Match, player: str, **figures: str) -> dict[str, str]:
    """The checks that hold, by code, with their sentences."""
    return {check.code: check.sentence for check in investigate(match, player, figures).checks}


def test_one_figure_that_is_cut_off_is_recognised() -> None:
    """Her PR is 7.1565: both digits of it are there, and the rest was dropped."""
    assert checks_by_code(loaded(XG), "nora", pr="7.15")["rounding"].startswith(
        "PR 7.15 is 7.1565 cut off to 2 decimals: "
    )


def test_another_digit_beside_a_single_figure_is_no_slip() -> None:
    assert "misprint" not in checks_by_code(loaded(XG), "nora", pr="5.16", equity_error="1.489")
    assert "misprint" in checks_by_code(
        loaded(XG), "nora", pr="5.16", equity_error="1.489", decisions="104"
    )


@pytest.mark.parametrize(("alike", "named"), [(5, True), (6, False)])
def test_five_decisions_that_it_may_be_are_named_and_six_are_not(alike: int, named: bool) -> None:
    match = match_of(
        plays(alike + 3, turn=range(1, alike + 4), stored_error=[0.1] * alike + [0.3] * 3),
        tool="eXtreme Gammon",
    )
    lost = 0.1 * (alike - 1) + 0.9
    sentence = checks_by_code(match, "Ann", equity_error=f"{lost:.6f}", decisions=str(alike + 2))[
        "decision-missing"
    ]
    assert [f"turn {turn} (play" in sentence for turn in range(1, alike + 4)] == [named] * alike + [
        False
    ] * 3
    assert (f"one of {alike} decisions that cost the same" in sentence) != named
