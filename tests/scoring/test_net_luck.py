"""Luck as XG states it, against six sides of XG's own summaries and made matches."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from reconcile.adapters import load_match
from reconcile.scoring.gnubg_table import GnubgTable
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.net_luck import NAMES, skill_measures
from reconcile.scoring.statistics import statistics
from tests.support.data import cases
from tests.support.loaded import loaded

ROLLS_OFF = 4
"""How far gnuBG's number of rolls with luck is from XG's at most; the luck of a decided game is another tool's."""
DEMONSTRATION = Path(__file__).parents[2] / "reference_matches" / "demonstration" / "nora-lindqvist-tomas-beck.sgf"
SUMMARIES = cases("xg-summary/*.xg-reported.json")


def analysed(path: Path) -> Path:
    return path.with_name(path.name.replace(".xg-reported.json", "_0ply.sgf"))


@pytest.mark.parametrize("path", SUMMARIES)
def test_rating_and_elo_follow_from_xg_s_own_luck(path: Path) -> None:
    """The formulas of XG's author, on the figures that XG printed."""
    reported = json.loads(path.read_text("utf-8"))
    sides = list(reported["xg"].values())
    for side in sides:
        v = side["luck_based_rating_pct"] / 100
        won = 1 if abs(1 - side["luck_net_mwc_pct"] / 100 - v) < abs(-side["luck_net_mwc_pct"] / 100 - v) else 0
        assert 100 / (1 + math.exp(4 * (0.5 - won + side["luck_net_mwc_pct"] / 100))) == pytest.approx(100 * v, abs=0.011)
    v = sides[0]["luck_based_rating_pct"] / 100
    difference = 2000 / math.sqrt(reported["match_length"]) * math.log10(v / (1 - v))
    assert sides[0]["luck_based_elo"] - sides[1]["luck_based_elo"] == pytest.approx(difference, abs=1)


@pytest.mark.parametrize("path", SUMMARIES)
def test_our_rating_is_that_formula_of_our_luck(path: Path) -> None:
    computed = statistics(loaded(analysed(path)), "xg")
    match = computed.match
    one: dict[str, Any] = dict(computed.figures(0))
    two: dict[str, Any] = dict(computed.figures(1))
    for figures, other, seat in ((one, two, 0), (two, one, 1)):
        assert figures["luck.net_equity"] == pytest.approx(figures["luck.equity"] - other["luck.equity"])
        assert figures["luck.net_mwc_percent"] == pytest.approx(figures["luck.mwc_percent"] - other["luck.mwc_percent"])
        assert figures["luck.rate"] == pytest.approx(figures["luck.net_equity"] / (one["luck.rolls"] + two["luck.rolls"]))
        won = int(match.games.winner[-1]) == seat
        v = 1 / (1 + math.exp(4 * (0.5 - won + figures["luck.net_mwc_percent"] / 100)))
        assert figures["luck.rating_percent"] == pytest.approx(100 * v)
        assert figures["luck.elo"] == pytest.approx(1000 / math.sqrt(17) * math.log10(v / (1 - v)))
    assert one["luck.rating_percent"] + two["luck.rating_percent"] == pytest.approx(100)


@pytest.mark.parametrize("path", SUMMARIES)
def test_jokers_and_rolls_are_near_those_of_xg(path: Path) -> None:
    computed = statistics(loaded(analysed(path)), "xg")
    for seat, name in enumerate(computed.match.players):
        figures: dict[str, Any] = dict(computed.figures(seat))
        reported = json.loads(path.read_text("utf-8"))["xg"][name]
        assert abs(figures["luck.rolls"] - reported["rolls"]) <= ROLLS_OFF
        assert abs(figures["luck.jokers"] - reported["jokers"]) <= 3


@pytest.mark.parametrize("path", cases("gnubg/*.sgf", "real/*.xg", "real/*.mat"))
def test_figures_without_their_source_are_unknown_and_not_zero(path: Path) -> None:
    computed = statistics(loaded(path))
    covered = [computed.completeness(seat)["luck"] for seat in (0, 1)]
    for seat in (0, 1):
        whole = computed.figures(seat)
        if not covered[seat].analysed:
            assert {whole[name] for name in NAMES} == {None}
        if computed.match.is_money or not computed.match.complete or not all(one.complete for one in covered):
            assert whole["luck.rating_percent"] is None
        for game in range(len(computed.match.games)):
            assert computed.figures(seat, game)["luck.rating_percent"] is computed.figures(seat, game)["luck.elo"] is None
    assert set(NAMES) <= set(METRICS)


def test_points_of_a_money_session_make_the_elo(data: Path) -> None:
    computed = statistics(loaded(data / "gnubg" / "m10_money_nojacoby_nobeaver.sgf"))
    games = computed.match.games
    figures: list[dict[str, Any]] = [dict(computed.figures(seat)) for seat in (0, 1)]
    points = sum(int(p) if w == 0 else -int(p) for p, w in zip(games.points, games.winner, strict=True) if w >= 0)
    gained = computed.luck[1].sum(axis=0)
    assert computed.match.complete
    assert figures[0]["luck.elo"] == pytest.approx(250 * (points - gained[0] + gained[1]) / len(games), rel=1e-6)
    assert figures[1]["luck.elo"] == pytest.approx(-figures[0]["luck.elo"])
    assert figures[0]["luck.net_mwc_percent"] is None


def test_two_measures_of_who_played_better_stand_side_by_side() -> None:
    demonstration = statistics(load_match(str(DEMONSTRATION)), "gnubg")
    sides = [demonstration.figures(seat) for seat in (0, 1)]
    table = GnubgTable(demonstration)
    for seat in (0, 1):
        difference, result = skill_measures(demonstration.match, sides, seat)
        assert difference == pytest.approx((sides[1 - seat]["mwc_loss_percent.total"] or 0) - (sides[seat]["mwc_loss_percent.total"] or 0))
        assert result == pytest.approx(100 * float(table.adjusted[:, seat].sum()), abs=1e-3)
    unknown = [{**side, "luck.rating_percent": None} for side in sides]
    assert skill_measures(demonstration.match, unknown, 0)[1] is None
