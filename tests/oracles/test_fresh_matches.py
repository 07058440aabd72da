"""A handful of matches made anew; `python -m tests.oracles.gnubg` makes as many as wanted."""

from collections import Counter

import pytest

from tests.oracles.gnubg import analysed, counted, recipe
from tests.support.gnubg import needs_gnubg, needs_tables, program
from tests.support.long import long_but_first

SEEDS = (
    31,  # money with Jacoby and beavers, Nackgammon, a set-up, broken off
    11,  # 11 points, doubles taken and passed
    5,  # a resignation, a table that differs by seat
    38,  # every second game
    34,  # no cube analysis, a table of parameters
    41,  # no analysis of plays
    35,  # without luck
)


@needs_gnubg
@needs_tables
@pytest.mark.parametrize("seed", long_but_first(SEEDS, 1, 4))
def test_every_figure_of_a_fresh_match_is_gnubg_s(seed):
    part = recipe(seed)
    check = counted(part, analysed(part, program()), program())
    assert check is not None
    assert check.wrong == ()
    names = Counter(figure.name for figure in check.figures)
    # Both players, the match and every game.
    assert names["cube/close-cube"] == names["moves/error-skill"] == 2 + 2 * len(check.match.games)
