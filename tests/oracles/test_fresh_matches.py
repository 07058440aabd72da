"""A handful of matches made anew; `python -m tests.oracles.gnubg` makes as many as wanted."""

from collections import Counter

import pytest

from tests.oracles.fresh_matches import recipe
from tests.oracles.gnubg import counted
from tests.support.gnubg import needs_gnubg, needs_tables, program
from tests.support.long import long_but_first

SEEDS = (
    18,  # 3 points, many doubles, Rockwell-Kazaross
    57,  # money with Jacoby, beavers and automatic doubles
    28,  # 1 point, Nackgammon, a set-up, a table of parameters
    51,  # 4 points without luck
    4,  # Nackgammon, a set-up, a table that differs by seat
    21,  # 3 points, a table of parameters
    39,  # no cube analysis
    45,  # a set-up, no analysis of plays
    1,  # every second game
)


@needs_gnubg
@needs_tables
@pytest.mark.parametrize("seed", long_but_first(SEEDS, 1, 4))
def test_every_figure_of_a_fresh_match_is_gnubg_s(seed):
    check = counted(recipe(seed), program()).check
    assert check is not None
    assert check.wrong == ()
    names = Counter(figure.name for figure in check.figures)
    # Both players, the match and every game.
    assert names["cube/close-cube"] == names["moves/error-skill"] == 2 + 2 * len(check.match.games)
