"""gnuBG's own statistics, as its Python interface gives them, against ours: every counter equal,
every sum to float32.

Each match is compared as a whole and game by game, for both players, under the match equity table
it was analysed with.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.formats import load_match
from reconcile.match.columns import NO_MARK, Kind
from reconcile.match.match import Match
from reconcile.scoring.gnubg_table import GnubgTable, manual_results
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.data import cases
from tests.support.hand_made import NAN, cubes, match_of, plays
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
def table_of(path: Path) -> GnubgTable:
    match = load_match(path.with_name(path.name.replace(".stats.json", ".sgf")))
    return GnubgTable(statistics(match, "gnubg", met_of(path)))


@cache
def theirs(path: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return read


def leaves(
    table: Mapping[str, Any], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def equal(name: str, ours: Any, printed: int | float) -> bool:
    if ours is None or isinstance(printed, int):
        return bool(ours == printed)
    return bool(ours == pytest.approx(printed, rel=RELATIVE, abs=DIFFERENCES.get(name, 0)))


@pytest.mark.parametrize("path", cases(*STATISTICS, short=12))
def test_every_counter_and_sum_is_gnubg_s(path: Path) -> None:
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
def test_rolls_of_both_players_are_those_of_the_printed_table(path: Path) -> None:
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


SINGLE = np.float32


def table(match: Match, rules: str = "gnubg", seat: int = 0) -> dict[str, Any]:
    return GnubgTable(statistics(match, rules)).table(seat)


def above(number: float) -> float:
    """The next single-precision number."""
    return float(np.nextafter(SINGLE(number), SINGLE(np.inf)))


def lost(*errors: float) -> Match:
    """Plays that lost just that, as gnuBG keeps equities: in single precision."""
    best, played = np.array(errors, SINGLE), np.zeros(len(errors), SINGLE)
    return match_of(plays(len(errors)).replaced(best=best, highest=best, played=played))


@pytest.mark.parametrize(
    ("border", "below", "beyond"),
    [(0.03, "unmarked", "doubtful"), (0.06, "doubtful", "bad"), (0.12, "bad", "very bad")],
)
def test_error_has_the_next_mark_only_beyond_the_border(
    border: float, below: str, beyond: str
) -> None:
    marked = table(lost(border, border, above(border)))["moves"]["marked"]
    assert {name: number for name, number in marked.items() if number} == {below: 2, beyond: 1}


@pytest.mark.parametrize(
    ("border", "below", "beyond"), [(0.3, "unmarked", "good"), (0.6, "good", "verygood")]
)
def test_roll_without_a_mark_is_lucky_only_beyond_the_border(
    border: float, below: str, beyond: str
) -> None:
    luck = np.array([border, border, above(border), -border, -above(border)], SINGLE)
    rolls = plays(5, luck_mark=[NO_MARK] * 5).replaced(luck=luck)
    bad = {"unmarked": "unmarked", "good": "bad", "verygood": "verybad"}
    expected = dict.fromkeys(("verybad", "bad", "unmarked", "good", "verygood"), 0)
    for name, number in ((below, 2), (beyond, 1), (bad[below], 1), (bad[beyond], 1)):
        expected[name] += number
    assert table(match_of(rolls))["dice"]["marked-rolls"] == expected


@pytest.mark.parametrize(("double_take", "where"), [(1.0, "below"), (1.01, "above")])
def test_missed_double_is_above_the_cash_point_only_where_taking_is_worth_more_than_1(
    double_take: float, where: str
) -> None:
    missed = table(
        match_of(cube=cubes(no_double=[0.5], double_take=[double_take], stored_error=[NAN]))
    )["cube"]
    assert (missed[f"missed-double-{where}-cp"], missed[f"err-missed-double-{where}-cp-skill"]) == (
        1,
        0.5,
    )
    assert missed["missed-double-below-cp"] + missed["missed-double-above-cp"] == 1


@pytest.mark.parametrize(
    ("no_double", "name"), [(1.0, "wrong-double-below-dp"), (1.25, "wrong-double-above-tg")]
)
def test_wrong_double_is_above_too_good_only_where_no_double_is_worth_more_than_1(
    no_double: float, name: str
) -> None:
    wrong = table(
        match_of(
            cube=cubes(
                kind=[Kind.DOUBLE], no_double=[no_double], double_take=[0.5], stored_error=[NAN]
            )
        )
    )["cube"]
    assert (wrong[name], wrong[f"err-{name}-skill"]) == (1, no_double - 0.5)
    assert wrong["wrong-double-below-dp"] + wrong["wrong-double-above-tg"] == 1


@pytest.mark.parametrize(("rules", "takes"), [("gnubg", 1), ("gnubg-manual", 0)])
def test_answer_to_a_beaver_is_among_the_takes_of_a_recounted_session_alone(
    rules: str, takes: int
) -> None:
    beaver = match_of(
        cube=cubes(kind=[Kind.TAKE], answers_beaver=[True], stored_error=[NAN]), length=None
    )
    outcome = table(beaver, rules)["cube"]
    assert (outcome["n-takes"], outcome["total-cube"], outcome["close-cube"]) == (
        takes,
        takes,
        takes,
    )


def test_forced_play_adds_no_error() -> None:
    # One entry in the list: gnuBG marks the play and adds nothing.
    two = match_of(
        plays(2, legal=[1, 10], stored_error=[NAN, NAN], best=[0.5, 0.5], played=[0.25, 0.375])
    )
    moves = table(two)["moves"]
    assert (moves["unforced-moves"], moves["error-skill"], moves["marked"]["very bad"]) == (
        1,
        0.125,
        2,
    )


def one_point(luck: float, winner: int) -> Match:
    """A one-point match with one roll of Ann's; all her luck is half of it in match winning
    chance."""
    match = match_of(plays(luck=[luck]), length=1)
    return replace(
        match, games=match.games.replaced(winner=np.array([winner]), points=np.array([1]))
    )


def test_luck_that_explains_nearly_all_is_worth_at_most_2100_fibs_points() -> None:
    # 50 % - 50 % + 2 % is a chance of 0.02: -2000 * log10(49) is -3380.
    assert table(one_point(-0.04, winner=1))["dice"]["fibs-rating-difference"] == -2100
    # 0.1 is just above the floor: -2000 * log10(9)
    assert table(one_point(-0.2, winner=1))["dice"]["fibs-rating-difference"] == pytest.approx(
        -1908.485, abs=0.01
    )


def test_luck_adjusted_result_needs_the_luck_of_both_players() -> None:
    for luck, expected in (([0.1, 0.2], True), ([0.1, NAN], False), ([NAN, 0.2], False)):
        computed = statistics(match_of(plays(2, player=[0, 1], luck=luck)), "gnubg-manual")
        assert [
            manual_results(computed, seat).luck_adjusted_result_percent is not None
            for seat in (0, 1)
        ] == [expected] * 2
