"""BackgammonDB's page on PR: what it leaves out, scales and pools is left out, scaled and pooled here."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.match.columns import Kind
from reconcile.rules import rule_set
from reconcile.scoring.statistics import statistics
from tests.support.computed import figures, real_statistics
from tests.support.hand_made import cubes, match_of, plays


def test_optional_double_is_left_out() -> None:
    match = match_of(plays(), cubes(no_double=[0.3], double_take=[0.3]))
    assert figures(match, "backgammondb")["decisions.double"] == 0
    assert figures(match, "xg")["decisions.double"] == 1


def test_page_leaves_out_optional_doubles_that_xg_s_window_counts(data: Path) -> None:
    """The page says XG leaves them out; no XG figure at hand turns on it but that of a public match, so the rule is told apart here.

    The optional doubles of this match are a losing side's, so that they meet Q04 only where Q03 lets all of them in.
    """
    match = real_statistics("real/match_with_comment.xg").match
    everybody = [rule_set(name).switched("Q03", "all") for name in ("xg", "backgammondb")]
    window, page = (int(statistics(match, rules).figures(0)["decisions.double"] or 0) for rules in everybody)
    assert 0 < page < window == 26


@pytest.mark.parametrize(
    ("no_double", "double_take", "counted"),
    [
        (0.5, 0.1, 0),  # an obvious no-double
        (1.5, 1.9, 0),  # too good to double by far
        (-0.95, -1.0, 0),  # very negative either way
        (0.5, 0.45, 1),
        (-0.5, -0.6, 1),
    ],
)
def test_obvious_cube_decisions_of_the_page(no_double: float, double_take: float, counted: int) -> None:
    match = match_of(plays(), cubes(no_double=[no_double], double_take=[double_take]))
    assert figures(match, "backgammondb")["decisions.double"] == counted


def test_doubles_made_and_answers_are_never_obvious() -> None:
    match = match_of(plays(), cubes(3, kind=[Kind.DOUBLE, Kind.TAKE, Kind.PASS], no_double=[-0.95] * 3, double_take=[-1.0] * 3))
    own = figures(match, "backgammondb")
    assert (own["decisions.double"], own["decisions.take"]) == (1, 2)


def test_flag_is_honoured_without_a_spread_of_its_own() -> None:
    match = match_of(plays(2, flag=[1, 0], spread=[0.5, 0.0], stored_error=[0.0, 0.0]))
    assert figures(match, "backgammondb")["decisions.checker"] == 1
    assert figures(match, "gammonview")["decisions.checker"] == 1
    assert statistics(match, "backgammondb").scored.counted.tolist() == [False, True]
    assert statistics(match, "gammonview").scored.counted.tolist() == [True, False]
