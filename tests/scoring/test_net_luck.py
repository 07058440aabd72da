"""Luck as XG states it, against six sides of XG's own summaries and made matches."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reconcile.scoring.figures import METRICS, luck_elo, luck_rating
from reconcile.scoring.gnubg_table import GnubgTable
from reconcile.scoring.statistics import result_minus_skill, result_of, skill_measures, statistics
from tests.support.claims import some
from tests.support.data import cases
from tests.support.hand_made import match_of, of_games
from tests.support.loaded import loaded
from tests.support.several import bundled_sgf
from tests.support.tables import cases_of

ROLLS_OFF = 4
"""How far gnuBG's number of rolls with luck is from XG's at most; the luck of a decided game is
another tool's."""
NAMES = tuple(name for name in METRICS if name.startswith("luck."))
WITHOUT = cases("gnubg/m09*.sgf", "gnubg/m1[45]*.sgf", "gnubg/m24*.sgf", "real/test.mat")
"""Money, not or partly analysed, without luck, a transcript."""
SUMMARIES = cases("xg-summary/*.xg-reported.json")


def analysed(path):
    return path.with_name(path.name.replace(".xg-reported.json", "_0ply.sgf"))


@pytest.mark.parametrize("path", SUMMARIES)
def test_rating_and_elo_of_xg_s_own_luck_are_those_that_xg_prints(path):
    """The file does not say who won: one of the two players has, and both ratings fit only then."""
    reported = json.loads(path.read_text("utf-8"))
    length, sides = reported["match_length"], list(reported["xg"].values())
    printed = [side["luck_based_rating_pct"] for side in sides]
    fitting = []
    for winner in (0, 1):
        match = finished([winner], [length], length=length)
        luck = [rated(match, seat, sides[seat]["luck_net_mwc_pct"] / 100) for seat in (0, 1)]
        if [figures["luck.rating_percent"] for figures in luck] == pytest.approx(
            printed, abs=0.011
        ):
            fitting.append(luck[0]["luck.elo"] - luck[1]["luck.elo"])
    assert fitting == [
        pytest.approx(sides[0]["luck_based_elo"] - sides[1]["luck_based_elo"], abs=1)
    ]


@pytest.mark.parametrize("path", SUMMARIES)
def test_jokers_and_rolls_are_near_those_of_xg(path):
    computed = statistics(loaded(analysed(path)), "xg")
    for seat, name in some(enumerate(computed.match.players)):
        figures: dict[str, Any] = dict(computed.figures(seat))
        reported = json.loads(path.read_text("utf-8"))["xg"][name]
        assert abs(figures["luck.rolls"] - reported["rolls"]) <= ROLLS_OFF
        assert abs(figures["luck.jokers"] - reported["jokers"]) <= 3


@pytest.mark.parametrize(
    "path", [*WITHOUT, *cases("gnubg/*.sgf", "real/*.xg", "real/*.mat", short=0)]
)
def test_figures_without_their_source_are_unknown_and_not_zero(path):
    computed = statistics(loaded(path))
    covered = [computed.completeness(seat)["luck"] for seat in (0, 1)]
    for seat in (0, 1):
        full, match = computed.figures(seat), computed.match
        if not covered[seat].analysed:
            assert {full[name] for name in NAMES} == {None}
        if match.is_money or not match.complete or not all(each.complete for each in covered):
            assert full["luck.rating_percent"] is None
        for index in range(len(match.games)):
            game = computed.figures_at(seat, index)
            assert game["luck.rating_percent"] is game["luck.elo"] is None


def test_points_of_a_money_session_make_the_elo(data):
    computed = statistics(loaded(data / "gnubg" / "m10_money_nojacoby_nobeaver.sgf"))
    games, first, second = computed.match.games, computed.figures(0), computed.figures(1)
    points = (games.points * np.array([1, -1, 0])[games.winner]).sum()
    gained = computed.sums.games["chance"].sum(axis=0)
    assert computed.match.complete
    elo = 250 * (points - gained[0] + gained[1]) / len(games)
    assert (first["luck.elo"], second["luck.elo"]) == pytest.approx((elo, -elo), rel=1e-6)
    assert first["luck.net_mwc_percent"] is None


def finished(winners, points, *, length):
    """Games with these winners (seat, -1 for none) and points."""
    results = {"winner": np.array(winners), "points": np.array(points)}
    return replace(of_games(match_of(length=length), len(winners), **results), complete=True)


def rated(match, seat, chance):
    """The luck-based rating and Elo of a player with this net luck."""
    of = result_of(match)
    result, facts = of["result"][seat], {name: of[name] for name in ("length", "games")}
    elo = luck_elo(result, chance, **facts, in_match=not match.is_money)
    rating = {} if match.is_money else {"luck.rating_percent": float(luck_rating(result, chance))}
    return {"luck.elo": float(elo), **rating}


@pytest.mark.parametrize("case", cases_of(__file__, "rating_and_elo_of_a_result"))
def test_rating_and_elo_of_a_result(case):
    result = rated(
        finished(case["winners"], case["points"], length=case["length"]), 0, case["luck"]
    )
    for name, value in case["figures"].items():
        assert result[name] == pytest.approx(value, abs=1e-3)


def test_two_measures_of_who_played_better_stand_side_by_side():
    demonstration = statistics(bundled_sgf(), "gnubg")
    sides = [demonstration.figures(seat) for seat in (0, 1)]
    table = GnubgTable(demonstration)
    for seat in (0, 1):
        skill = skill_measures(demonstration.match, sides, seat)
        own, other = (sides[each]["mwc_loss_percent.total"] or 0 for each in (seat, 1 - seat))
        assert skill.error_difference_mwc_percent == pytest.approx(other - own)
        assert skill.luck_adjusted_mwc_percent == pytest.approx(
            100 * float(table.adjusted[:, seat].sum()), abs=1e-3
        )
    unknown = [{**side, "luck.rating_percent": None} for side in sides]
    assert skill_measures(demonstration.match, unknown, 0).luck_adjusted_mwc_percent is None


RED = 1


@pytest.mark.parametrize("path", cases("bgblitz/bgf/*.bgf"))
def test_luck_of_every_game_is_that_in_the_file(path):
    own = json.loads(path.with_name(f"{path.name}-reported.json").read_text())
    computed = statistics(loaded(path))
    compared = 0
    for index, item in enumerate(own["games"]):
        luck = result_minus_skill(computed, RED, index)
        if luck.plain is not None:
            assert luck.plain == pytest.approx(item["luck"]["plain"], abs=2e-6)
            assert luck.weighted == pytest.approx(item["luck"]["weighted"], abs=2e-5)
            compared += 1
    assert compared  # a gammon can lead to a score that no evaluation shows
    total = result_minus_skill(computed, RED)
    if total.plain is not None:
        assert total.plain == pytest.approx(own["match"]["luck"]["plain"], abs=2e-6)
