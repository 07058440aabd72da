"""A review of one analysis is its statistics, one of two their comparison, and its decisions are those of every analysis side by side."""

from __future__ import annotations

import numpy as np
import pytest

import reconcile
from reconcile.errors import NothingToCompare, NotTheSameMatch
from reconcile.gap.story import explanations
from reconcile.scoring.metrics import METRICS
from tests.support.hand_made_levels import two_opinions
from tests.support.several import bundled_sgf, bundled_xg


def test_one_analysis_has_the_figures_and_decisions_of_its_statistics() -> None:
    match = bundled_xg()
    one, alone = reconcile.review(match), reconcile.statistics(match)
    assert one.players == match.players
    for seat, name in enumerate(match.players):
        assert {found.metric: found.value for found in one.figures if found.player == name} == alone.figures(seat)
    table, expected = one.decisions(), alone.decisions()
    assert set(table["analysis"]) == {0}
    for name, column in expected.columns.items():
        np.testing.assert_array_equal(table[name], column, err_msg=name)
    assert one.disputes == ()
    assert one.explanation == ()
    assert one.consensus.figures(0)["pr"] == pytest.approx(alone.figures(0)["pr"])


def test_two_analyses_have_the_bridge_and_the_explanation_of_their_comparison() -> None:
    left, right = bundled_xg(), bundled_sgf()
    both, compared = reconcile.review(left, right), reconcile.compare(left, right)
    for seat, player in enumerate(left.players):
        assert both.bridge(0, 1, "pr", player) == compared.walk.bridge("pr", seat)
        assert both.bridge(1, 0, "pr", player).start == compared.walk.bridge("pr", seat).end
    assert both.explanation == explanations(compared)
    assert both.judged().verdict == compared.verdict
    assert len(both.figures) == 4 * len(METRICS)


def test_every_analysis_of_a_decision_stands_beside_the_others() -> None:
    matches = bundled_xg(), bundled_sgf(), bundled_xg()
    three = reconcile.review(*matches, rules=[None, None, "gnubg"])
    table = three.decisions()
    for side, (match, rules) in enumerate(zip(matches, ("xg", "gnubg", "gnubg"), strict=True)):
        alone = reconcile.statistics(match, rules)
        mine = table["analysis"] == side
        for seat in (0, 1):
            expected = alone.figures(three.seat(side, seat))
            found = mine & (table["seat"] == seat)
            assert np.nansum(table["error"][found]) == pytest.approx(expected["equity_error.total"], abs=1e-6)
            assert table["counted"][found].sum() == expected["decisions.counted"]
    in_all = [
        row
        for row in zip(*(table[name].tolist() for name in ("game", "turn", "player", "kind", "dice", "played")), strict=True)
        if row[3] == "play"
    ]
    assert len(in_all) > 450
    assert in_all[0] == in_all[1] == in_all[2]
    assert table["analysis"][:3].tolist() == [0, 1, 2]


def test_a_file_of_another_match_and_none_at_all_are_refused() -> None:
    with pytest.raises(NotTheSameMatch):
        reconcile.review(bundled_xg(), two_opinions()[0])
    with pytest.raises(NothingToCompare, match="expected 1 to 20 analyses of a match, found 0"):
        reconcile.review()
    with pytest.raises(NothingToCompare, match="expected a rule set for each of 1 analyses, found 2"):
        reconcile.review(bundled_xg(), rules=["xg", "gnubg"])
    with pytest.raises(NothingToCompare, match="expected two analyses"):
        reconcile.review(bundled_xg()).judged()
