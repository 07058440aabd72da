"""What gnuBG's rating and its luck-adjusted result are worth where they end; `tests/oracles` asks
gnuBG for its whole table."""

from dataclasses import replace

import numpy as np
import pytest

from reconcile.scoring.gnubg_table import GnubgTable, manual_results
from reconcile.scoring.statistics import statistics
from tests.support.hand_made import NAN, match_of, plays


def one_point(luck, winner):
    """A one-point match with one roll of Ann's; all her luck is half of it in match winning
    chance."""
    match = match_of(plays(luck=[luck]), length=1)
    return replace(
        match, games=match.games.replaced(winner=np.array([winner]), points=np.array([1]))
    )


def test_luck_that_explains_nearly_all_is_worth_at_most_2100_fibs_points():
    # 50 % - 50 % + 2 % is a chance of 0.02: -2000 * log10(49) is -3380.
    # 0.1 is just above the floor: -2000 * log10(9)
    for luck, points in ((-0.04, -2100), (-0.2, -1908.485)):
        dice = GnubgTable(statistics(one_point(luck, winner=1), "gnubg")).table(0)["dice"]
        assert dice["fibs-rating-difference"] == pytest.approx(points, abs=0.01)


def test_luck_adjusted_result_needs_the_luck_of_both_players():
    for luck, expected in (([0.1, 0.2], True), ([0.1, NAN], False), ([NAN, 0.2], False)):
        computed = statistics(match_of(plays(2, player=[0, 1], luck=luck)), "gnubg-manual")
        results = [manual_results(computed, seat).luck_adjusted_result_percent for seat in (0, 1)]
        assert [result is not None for result in results] == [expected] * 2
