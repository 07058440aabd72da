"""Luck as XG states it, against six sides of XG's own summaries and made matches."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.formats import load_match, read_match
from reconcile.match.columns import Games, Plays
from reconcile.match.match import Match
from reconcile.scoring.figures import luck_elo, luck_rating
from reconcile.scoring.gnubg_table import GnubgTable
from reconcile.scoring.luck import BgblitzLuck, result_minus_skill, skill_measures
from reconcile.scoring.statistics import result_of, statistics
from tests.support.claims import some
from tests.support.data import cases
from tests.support.hand_made import NAN, match_of, plays
from tests.support.loaded import loaded
from tests.support.small_bgf import first_game, game, match, written

ROLLS_OFF = 4
"""How far gnuBG's number of rolls with luck is from XG's at most; the luck of a decided game is
another tool's."""
DEMONSTRATION = (
    Path(__file__).parents[2]
    / "reference_matches"
    / "demonstration"
    / "nora-lindqvist-tomas-beck.sgf"
)
NAMES = tuple(
    f"luck.{name}"
    for name in (
        "net_equity",
        "net_mwc_percent",
        "jokers",
        "rolls",
        "rate",
        "rating_percent",
        "elo",
    )
)
WITHOUT = cases("gnubg/m09*.sgf", "gnubg/m1[45]*.sgf", "gnubg/m24*.sgf", "real/test.mat")
"""Money, not or partly analysed, without luck, a transcript."""
SUMMARIES = cases("xg-summary/*.xg-reported.json")


def analysed(path: Path) -> Path:
    return path.with_name(path.name.replace(".xg-reported.json", "_0ply.sgf"))


@pytest.mark.parametrize("path", SUMMARIES)
def test_rating_and_elo_of_xg_s_own_luck_are_those_that_xg_prints(path: Path) -> None:
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
def test_jokers_and_rolls_are_near_those_of_xg(path: Path) -> None:
    computed = statistics(loaded(analysed(path)), "xg")
    for seat, name in some(enumerate(computed.match.players)):
        figures: dict[str, Any] = dict(computed.figures(seat))
        reported = json.loads(path.read_text("utf-8"))["xg"][name]
        assert abs(figures["luck.rolls"] - reported["rolls"]) <= ROLLS_OFF
        assert abs(figures["luck.jokers"] - reported["jokers"]) <= 3


@pytest.mark.parametrize(
    "path", [*WITHOUT, *cases("gnubg/*.sgf", "real/*.xg", "real/*.mat", short=0)]
)
def test_figures_without_their_source_are_unknown_and_not_zero(path: Path) -> None:
    computed = statistics(loaded(path))
    covered = [computed.completeness(seat)["luck"] for seat in (0, 1)]
    for seat in (0, 1):
        full = computed.figures(seat)
        if not covered[seat].analysed:
            assert {full[name] for name in NAMES} == {None}
        if (
            computed.match.is_money
            or not computed.match.complete
            or not all(each.complete for each in covered)
        ):
            assert full["luck.rating_percent"] is None
        for index in range(len(computed.match.games)):
            assert (
                computed.figures_at(seat, index)["luck.rating_percent"]
                is computed.figures_at(seat, index)["luck.elo"]
                is None
            )


def test_points_of_a_money_session_make_the_elo(data: Path) -> None:
    computed = statistics(loaded(data / "gnubg" / "m10_money_nojacoby_nobeaver.sgf"))
    games = computed.match.games
    figures: list[dict[str, Any]] = [dict(computed.figures(seat)) for seat in (0, 1)]
    points = sum(
        int(p) if w == 0 else -int(p)
        for p, w in zip(games.points, games.winner, strict=True)
        if w >= 0
    )
    gained = computed.sums.games["chance"].sum(axis=0)
    assert computed.match.complete
    assert figures[0]["luck.elo"] == pytest.approx(
        250 * (points - gained[0] + gained[1]) / len(games), rel=1e-6
    )
    assert figures[1]["luck.elo"] == pytest.approx(-figures[0]["luck.elo"])
    assert figures[0]["luck.net_mwc_percent"] is None


def finished(
    winners: list[int],
    points: list[int],
    *,
    length: int | None,
    built: Plays | None = None,
    complete: bool = True,
) -> Match:
    """Games with these winners (seat, -1 for none) and points."""
    number = len(winners)
    columns = {
        "number": np.arange(1, number + 1),
        "score": np.zeros((number, 2), np.int64),
        "crawford": np.zeros(number, bool),
        "winner": np.array(winners),
        "points": np.array(points),
        "resigned": np.zeros(number, bool),
        "automatic_doubles": np.zeros(number, np.int64),
    }
    return replace(match_of(built, length=length), games=Games(number, columns), complete=complete)


def lucky(*luck: float, cube: int = 1) -> Plays:
    """Rolls of Ann and Ben in turn."""
    return plays(
        len(luck),
        player=[index % 2 for index in range(len(luck))],
        luck=list(luck),
        cube=[cube] * len(luck),
    )


def rated(match: Match, seat: int, chance: float) -> dict[str, float]:
    """The luck-based rating and Elo of a player with this net luck."""
    of = result_of(match)
    result = of["result"][seat]
    elo = {
        "luck.elo": float(
            luck_elo(
                result, chance, length=of["length"], games=of["games"], in_match=not match.is_money
            )
        )
    }
    return (
        elo
        if match.is_money
        else {"luck.rating_percent": float(luck_rating(result, chance)), **elo}
    )


@pytest.mark.parametrize(("seat", "rating", "elo"), [(0, 88.0797, 434.294), (1, 11.9203, -434.294)])
def test_rating_without_net_luck_is_that_of_the_result(
    seat: int, rating: float, elo: float
) -> None:
    """v = 1: odds of e to the 2; 2000 / sqrt(4) * 2 / ln(10) = 868.589, of which each player has
    half."""
    result = rated(finished([1, 0], [1, 4], length=4), seat, 0.0)
    assert result == {
        "luck.rating_percent": pytest.approx(rating, abs=1e-4),
        "luck.elo": pytest.approx(elo, abs=1e-3),
    }


def test_last_game_says_who_won_and_luck_counts_against_the_winner() -> None:
    """v = 1 - 0.25: odds of e to the 1."""
    assert rated(finished([1, 1, 0], [1, 1, 4], length=4), 0, 0.25)[
        "luck.rating_percent"
    ] == pytest.approx(73.1059, abs=1e-4)
    assert rated(finished([0, 0, 1], [1, 1, 4], length=4), 0, 0.25)[
        "luck.rating_percent"
    ] == pytest.approx(4.7426, abs=1e-4)


def test_luck_of_a_damaged_file_makes_no_rating_beyond_its_ends() -> None:
    assert rated(finished([0], [1], length=1), 0, 1e6)["luck.rating_percent"] == pytest.approx(0)
    assert rated(finished([0], [1], length=1), 0, -1e6)["luck.rating_percent"] == pytest.approx(100)


@pytest.mark.parametrize(
    ("seat", "luck", "elo"), [(0, 0.4, 50.0), (1, -0.4, -50.0), (0, -0.2, 100.0)]
)
def test_elo_of_a_session_is_from_points_won_less_points_of_luck_per_game(
    seat: int, luck: float, elo: float
) -> None:
    """2 points won, 1 lost, a game of 4 broken off: (1 - 0.4) / 3 games, 500 for a point per game,
    half for each player."""
    result = rated(finished([0, 1, -1], [2, 1, 4], length=None), seat, luck)
    assert result == {"luck.elo": pytest.approx(elo)}


def test_points_of_luck_are_those_of_the_cube() -> None:
    """Luck of 0.25 and of -0.05 at a cube of 2: net 0.6 points, of one game won by 2 points: 250 *
    (2 - 0.6)."""
    computed = statistics(finished([0], [2], length=None, built=lucky(0.25, -0.05, cube=2)), "xg")
    assert [computed.figures(seat)["luck.elo"] for seat in (0, 1)] == pytest.approx([350, -350])
    assert computed.figures(0)["luck.net_equity"] == pytest.approx(0.3)
    assert {
        computed.figures(seat)[name]
        for seat in (0, 1)
        for name in ("luck.mwc_percent", *NAMES)
        if "percent" in name
    } == {None}


def test_only_a_finished_match_with_the_luck_of_every_roll_is_rated() -> None:
    def ratings(match: Match, game: int | None = None) -> set[float | int | None]:
        return {
            statistics(match, "xg").figures_at(0, game)[name]
            for name in ("luck.rating_percent", "luck.elo")
        }

    full = finished([0], [3], length=3, built=lucky(0.1, 0.1))
    assert None not in ratings(full)
    assert ratings(full, game=0) == {None}
    assert ratings(replace(full, complete=False)) == {None}
    assert ratings(finished([0], [3], length=3, built=lucky(0.1, 0.1, NAN))) == {None}
    assert ratings(finished([0], [3], length=3, built=lucky(math.inf, 0.1))) == {None}
    assert ratings(finished([0], [3], length=3, built=lucky(0.1, NAN))) == {
        None
    }  # nothing of Ben's is known


def test_joker_gains_a_fifth_and_a_roll_with_luck_a_ten_thousandth_either_way() -> None:
    """Ann: 0.20, 0.1999, -0.0001, 0.00009; Ben: -0.3, 0.5, 0, 0."""
    computed = statistics(
        match_of(lucky(0.20, -0.3, 0.1999, 0.5, -0.0001, 0.0, 0.00009, 0.0)), "xg"
    )
    figures = [computed.figures(seat) for seat in (0, 1)]
    assert [side["luck.jokers"] for side in figures] == [1, 1]
    assert [side["luck.rolls"] for side in figures] == [3, 2]
    net = 0.20 + 0.1999 - 0.0001 + 0.00009 - 0.2
    assert [side["luck.net_equity"] for side in figures] == pytest.approx([net, -net])
    assert [side["luck.rate"] for side in figures] == pytest.approx([net / 5, -net / 5])


def test_net_luck_needs_both_players_and_jokers_only_their_own() -> None:
    figures = [statistics(match_of(lucky(0.25, NAN)), "xg").figures(seat) for seat in (0, 1)]
    assert [(side["luck.equity"], side["luck.jokers"], side["luck.rolls"]) for side in figures] == [
        (0.25, 1, 1),
        (None, None, None),
    ]
    assert {
        side[name]
        for side in figures
        for name in ("luck.net_equity", "luck.net_mwc_percent", "luck.rate")
    } == {None}


def test_two_measures_of_who_played_better_stand_side_by_side() -> None:
    demonstration = statistics(load_match(str(DEMONSTRATION)), "gnubg")
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
def test_luck_of_every_game_is_that_in_the_file(path: Path) -> None:
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


def test_luck_is_the_result_without_the_errors() -> None:
    """Red won two points of three: from 0.5 to 0.8. Red's errors cost 0.002, green's 0.05 (see
    `small_bgf`)."""
    computed = statistics(read_match("small.bgf", written(match())))
    luck = result_minus_skill(computed, RED)
    assert luck.plain == pytest.approx(0.3 + 0.002 - 0.05, abs=1e-6)
    assert luck.weighted == pytest.approx((0.3 + 0.002 - 0.05) / 0.1, abs=1e-5)
    assert luck.plain is not None
    assert luck.weighted is not None
    assert result_minus_skill(computed, 0, 0) == BgblitzLuck(-luck.plain, -luck.weighted)
    assert computed.figures(1)["luck.equity"] == pytest.approx(
        0.1
    )  # of the one roll, which is another thing


def test_points_take_the_place_of_chances_in_money_play() -> None:
    session = read_match(
        "small.bgf", written(match(game(first_game(money=True), wonPoints=2), length=0))
    )
    assert result_minus_skill(statistics(session), RED).plain == pytest.approx(2 + 0.02 - 0.3)
    broken = match(
        game([*first_game(money=True)[:7], first_game()[-1]], wonPoints=0), length=0, finalRed=6
    )
    assert result_minus_skill(
        statistics(read_match("small.bgf", written(broken))), RED
    ).plain == pytest.approx(0.02 - 0.3)
