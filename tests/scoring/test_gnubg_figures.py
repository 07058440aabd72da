"""gnuBG's own statistics, as its Python interface gives them, against ours: every counter equal,
every sum to float32.

Each match is compared as a whole and game by game, for both players, under the match equity table
it was analysed with.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from reconcile.formats import load_match
from reconcile.scoring.gnubg_table import GnubgTable, manual_results
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.data import cases
from tests.support.hand_made import NAN, match_of, plays
from tests.support.reported import met_of

SEATS = {"X": 0, "O": 1}
RELATIVE = 1e-6
LAST_PLACE = 6e-8
"""Of a float32 chance near 1/2: results are differences of such chances and may come out near
zero."""
FIBS_POINT = 1e-3
"""A rating difference takes the logarithm of a result, which gnuBG computes in float32."""
DIFFERENCES = {
    "actual-result": LAST_PLACE,
    "luck-adjusted-result": LAST_PLACE,
    "fibs-rating-difference": FIBS_POINT,
}
STATISTICS = ("gnubg/*.stats.json", "real/*.stats.json")


@cache
def table_of(path):
    match = load_match(path.with_name(path.name.replace(".stats.json", ".sgf")))
    return GnubgTable(statistics(match, "gnubg", met_of(path)))


@cache
def theirs(path):
    read: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return read


def leaves(table, path=()):
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def equal(name, ours, printed):
    if ours is None or isinstance(printed, int):
        return bool(ours == printed)
    return bool(ours == pytest.approx(printed, rel=RELATIVE, abs=DIFFERENCES.get(name, 0)))


@pytest.mark.parametrize("path", cases(*STATISTICS, short=12))
def test_every_counter_and_sum_is_gnubg_s(path):
    for game, part in some([(None, theirs(path)), *enumerate(theirs(path)["games"])]):
        for letter, seat in SEATS.items():
            ours = dict(leaves(table_of(path).table(seat, game)))
            wrong = {
                key: (ours.get(key), printed)
                for key, printed in leaves(part["stats"][letter])
                if not equal(key[-1], ours.get(key), printed)
                # gnuBG shows the first player's rolls for both players here; the printed tables
                # have the others, see below.
                and not (letter == "O" and key[:2] == ("dice", "marked-rolls"))
            }
            assert wrong == {}, (game, letter)


ROLLS = {
    "verygood": "Rolls marked very lucky",
    "good": "Rolls marked lucky",
    "unmarked": "Rolls unmarked",
    "bad": "Rolls marked unlucky",
    "verybad": "Rolls marked very unlucky",
}


@pytest.mark.parametrize("path", cases("gnubg/*.stats.txt", short=12))
def test_rolls_of_both_players_are_those_of_the_printed_table(path):
    printed = path.read_text("utf-8").partition("No game in progress")[0]
    for mark, title in ROLLS.items():
        line = re.search(rf"^{title} +(\d+) +(\d+) *$", printed, re.MULTILINE)
        if line is None:  # luck switched off
            assert "Luck statistics" not in printed
            return
        ours = [
            table_of(path.with_suffix(".json")).table(seat)["dice"]["marked-rolls"][mark]
            for seat in (0, 1)
        ]
        assert ours == [int(line[1]), int(line[2])], title


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
