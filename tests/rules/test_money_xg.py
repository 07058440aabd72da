"""Money sessions of XG: they have figures and settled games, and nothing in them decides what is open about rule set `xg`."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.rules import QUESTIONS, rule_set
from reconcile.scoring.statistics import statistics
from tests.support.data import cases
from tests.support.loaded import loaded

MONEY = cases("bgblitz/xg/B4*.xg", "bgblitz/xg/Sz*.xg")


@pytest.mark.parametrize("path", MONEY)
def test_money_session_has_every_figure_but_those_of_a_match(path: Path) -> None:
    computed = statistics(loaded(path))
    for seat in (0, 1):
        figures = computed.figures(seat)
        missing = {name for name, value in figures.items() if value is None}
        assert {name for name in missing if "mwc" in name} == {name for name in figures if "mwc" in name}
        assert all(coverage.complete for coverage in computed.completeness(seat).values())


@pytest.mark.parametrize("path", MONEY)
def test_last_game_was_settled_and_its_points_are_in_the_score(path: Path) -> None:
    games = loaded(path).games
    assert games.resigned.tolist() == [False] * (len(games) - 1) + [True]
    assert games.points[-1] > 0
    assert loaded(path).complete


@pytest.mark.parametrize("path", MONEY)
def test_every_clause_about_the_losing_side_counts_the_same(path: Path) -> None:
    match = loaded(path)
    counts = {
        name: [statistics(match, rule_set("xg").switched("Q03", name)).figures(seat)["decisions.double"] for seat in (0, 1)]
        for name in QUESTIONS["Q03"].answers
    }
    assert len(set(map(tuple, counts.values()))) == 1


@pytest.mark.parametrize("path", MONEY)
def test_neither_jacoby_nor_beavers_were_played(path: Path) -> None:
    assert not loaded(path).rules.jacoby
    assert not loaded(path).rules.beavers
