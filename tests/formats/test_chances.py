"""Chances of plays and of the cube mean the same in every format: the decider's, gammons including
backgammons."""

import numpy as np
import pytest

from reconcile.formats import load_match
from reconcile.match.board.play import carried_out
from reconcile.match.columns import Kind
from tests.support.command_line import SGF, XG
from tests.support.loaded import loaded
from tests.support.tables import cases_of

Place = tuple[int, int, object]


def chances_of(match):
    """By game, turn and what is considered: the position after a play, or a cube action or
    answer."""
    result: dict[Place, tuple[float, ...]] = {}
    numbers = match.games.number
    for row in range(len(match.plays)):
        place = int(numbers[match.plays.game[row]]), int(match.plays.turn[row])
        position = tuple(match.plays.position[row].tolist())
        for candidate in match.candidates(row):
            if candidate.probabilities:
                result[(*place, carried_out(position, candidate.play))] = candidate.probabilities
    for row, (no_double, double_take) in enumerate(match.cubes.chances.tolist()):
        place = int(numbers[match.cubes.game[row]]), int(match.cubes.turn[row])
        answer = match.cubes.kind[row] >= Kind.TAKE.value
        for action, five in (("on", no_double), ("doubled", double_take)):
            if not np.isnan(five).any():
                result[(*place, f"{action} {answer}")] = tuple(five)
    return result


def assert_alike(left, right):
    """Engines disagree by about half a per cent; chances taken for others would by ten times as
    much. No set may contradict itself."""
    each, other = chances_of(left), chances_of(right)
    for win, gammon, backgammon, lost, worst in (*each.values(), *other.values()):
        assert -1e-6 <= backgammon <= gammon + 1e-6 <= win + 2e-6 <= 1 + 3e-6
        assert -1e-6 <= worst <= lost + 1e-6 <= 1 - win + 2e-6
    both = each.keys() & other.keys()
    assert len({key[2] for key in both if isinstance(key[2], str)}) == 4
    apart = np.array([np.subtract(each[key], other[key]) for key in both])
    assert len(apart) > 300
    assert np.median(np.abs(apart), axis=0).max() < 0.01
    assert np.abs(apart.mean(axis=0)).max() < 0.01


def test_two_programs_judge_the_bundled_match_alike():
    assert_alike(loaded(XG), loaded(SGF))


@pytest.mark.parametrize(
    ("left", "right", "files"),
    cases_of(__file__, "two programs judge real matches alike"),
)
def test_two_programs_judge_real_matches_alike(data, left, right, files):
    paths = [path for path in data.glob(right) if "0ply" not in path.name]
    assert len(paths) == files
    for path in paths:
        assert_alike(load_match(data / left.format(path.stem)), load_match(path))
