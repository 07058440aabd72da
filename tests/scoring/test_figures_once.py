"""A figure's formula stands in `scoring/figures.py` and nowhere else, so that no copy of it can
drift."""

from pathlib import Path

import numpy as np
import pytest

from reconcile.formats import load_match
from reconcile.scoring.figures import FIGURES, totals_of
from reconcile.scoring.metrics import METRICS, by_player, figures_of
from reconcile.scoring.statistics import result_of, statistics

DEMONSTRATION = (
    Path(__file__).parents[2]
    / "reference_matches"
    / "demonstration"
    / "nora-lindqvist-tomas-beck.sgf"
)


def test_every_figure_has_one_formula_and_one_name():
    assert len(FIGURES) == len(METRICS) > 0
    assert [figure.name for figure, _ in FIGURES] == list(METRICS)


@pytest.mark.parametrize("rules", ["xg", "gnubg", "snowie4"])
def test_figures_of_many_owners_are_to_the_last_bit_those_of_each(rules):
    ours = statistics(load_match(str(DEMONSTRATION)), rules)
    games = len(ours.match.games)
    both_ways = {name: np.stack((table, table[::-1])) for name, table in ours.sums.games.items()}
    sums = totals_of(both_ways, ours.rules, is_money=False, one_point=np.zeros((2, games, 1), bool))
    result = figures_of(sums)
    assert games > 1
    for name, values in result.items():
        for seat in (0, 1):
            side = np.array([ours.figures_at(seat, game)[name] for game in range(games)], float)
            assert np.array_equal(
                values[:, :, seat], np.stack((side, side[::-1])), equal_nan=True
            ), name


@pytest.mark.parametrize("rules", ["xg", "gnubg", "snowie4"])
def test_figures_from_plain_numbers_are_to_the_last_bit_those_from_arrays(rules):
    ours = statistics(load_match(str(DEMONSTRATION)), rules)
    result = {name: np.array(value) for name, value in result_of(ours.match).items()}
    arrays = by_player(
        figures_of(
            totals_of(ours.sums.match, ours.rules, is_money=False, one_point=False, **result)
        )
    )
    assert [repr(ours.figures(seat)) for seat in (0, 1)] == [repr(side) for side in arrays]
