"""A handful of matches made anew; `python -m tests.oracles.gnubg` makes as many as wanted."""

from collections import Counter

import pytest

from tests.oracles.gnubg import analysed, counted, recipe
from tests.support.gnubg import needs_gnubg, needs_tables, program
from tests.support.long import long_but_first

SEEDS = (
    43,  # money with Jacoby and automatic doubles, passes, a resignation
    17,  # 15 points in five games, doubles taken and passed
    14,  # one point, a ply deep
    23,  # every second game, 64 points
    34,  # no cube analysis, no Crawford rule
    45,  # no analysis of plays, Nackgammon
    1,  # no luck, a resignation
    52,  # no cube, broken off
    16,  # a position set up by hand
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
