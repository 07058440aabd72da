"""Figures over many matches: sums over sums, names put together, intervals that tell how little is
known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.errors import InvalidConfiguration
from reconcile.formats import load_match
from reconcile.match.aliases import NO_ALIASES, Aliases, load_aliases
from reconcile.match.match import Level, Match
from reconcile.rules import RuleSet
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.pool import Pooled, match_intervals, pool, resampled
from reconcile.scoring.statistics import Coverage, Statistics, statistics
from tests.support.claims import some
from tests.support.data import cases
from tests.support.hand_made import NAN, cubes, match_of, plays, switched
from tests.support.loaded import loaded

PACK = Path(__file__).parents[2] / "reference_matches"
SEVEN = PACK / "gnubg-7pt-0ply" / "alice-bob-7pt-0ply.sgf"
THREE = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
DEMONSTRATION = PACK / "demonstration" / "nora-lindqvist-tomas-beck.xg"
NOBODY = Aliases(schema_version=1, players={})


def scored(*paths: Path) -> list[Statistics]:
    return [statistics(load_match(path)) for path in paths]


def of(pooled: tuple[Pooled, ...], name: str) -> Pooled:
    return next(person for person in pooled if person.name == name)


def check_pool_of_one(match: Match, rules: str) -> None:
    first = statistics(match, rules)
    pooled, undecided = pool([first], NOBODY), open_range(first)
    for seat, name in enumerate(match.players):
        figures = of(pooled, name)
        assert figures.figures == first.figures(seat)
        assert figures.ranges == undecided.figures[seat]
        assert figures.open_rules == undecided.by_player[seat]
        assert figures.completeness == first.completeness(seat)


@pytest.mark.parametrize(
    "path",
    [SEVEN, THREE, DEMONSTRATION, *cases("bgblitz/bgf/*.bgf", "real/*.xg", "gnubg/*.sgf", short=3)],
)
def test_pool_of_one_match_has_exactly_the_figures_of_the_match(path: Path) -> None:
    for rules in some(RULE_SETS):
        check_pool_of_one(loaded(path), rules)


def test_rates_are_sums_over_sums_and_no_means() -> None:
    together = Aliases(schema_version=1, players={"Alice": ("Alice m04", "Alice m26")})
    files = scored(SEVEN, THREE)
    alice = of(pool(files, together), "Alice")
    parts = [side.figures(0) for side in files]
    lost = sum(part["equity_error.total"] or 0 for part in parts)
    decisions = sum(part["decisions.counted"] or 0 for part in parts)
    assert (alice.matches, alice.games) == (2, sum(len(side.match.games) for side in files))
    assert alice.figures["pr"] == pytest.approx(500 * lost / decisions)
    assert alice.figures["pr"] != pytest.approx(sum(part["pr"] or 0 for part in parts) / 2)


def test_different_rule_sets_are_never_put_together() -> None:
    files = [statistics(load_match(SEVEN), rules) for rules in ("gnubg", "blunderdb")]
    assert [(person.name, person.rules, person.matches) for person in pool(files, NOBODY)] == [
        (name, rules, 1) for name in ("Alice m04", "Bob m04") for rules in ("blunderdb", "gnubg")
    ]


def test_name_variant_of_two_people_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "names.yaml"
    file.write_text('schema_version: 1\nplayers:\n  Ann: ["A."]\n  Abe: ["a."]\n', "utf-8")
    with pytest.raises(InvalidConfiguration, match=r"names.yaml:2: players: .*belongs to both"):
        load_aliases(str(file))


def test_single_match_has_the_interval_of_a_pool_of_it_which_holds_the_rate_every_time() -> None:
    (match,) = scored(SEVEN)
    for seat, name in some(enumerate(match.match.players)):
        pooled, again = (of(pool(each, NOBODY), name) for each in ([match], scored(SEVEN)))
        assert match_intervals(match, seat) == pooled.intervals == again.intervals
        assert pooled.resampled == "games"
        low, high = pooled.intervals["pr"]
        assert low < (match.figures(seat)["pr"] or 0) < high


def test_rate_that_a_program_does_not_have_has_no_interval() -> None:
    assert set(match_intervals(statistics(load_match(SEVEN), "snowie4"), 0)) == {"snowie_er"}


UNKNOWN: dict[str, Any] = {
    key: [NAN] for key in ("stored_error", "best", "played", "highest", "spread")
}


def ann(*matches: Match, rules: str | RuleSet = "xg") -> Pooled:
    """Ann's figures over these matches."""
    levelled = [replace(match, levels=(Level("2-ply", 2.0),)) for match in matches]
    return pool([statistics(match, rules) for match in levelled], NO_ALIASES)[0]


def lost(*errors: float, length: int | None = 7) -> Match:
    """A match of Ann's in one game with a play for each error."""
    return match_of(plays(len(errors), stored_error=list(errors)), length=length)


def test_one_point_match_weighs_its_own_errors_with_its_factor_and_no_other_s() -> None:
    pooled = ann(lost(0.125, length=1), lost(0.125)).figures
    assert pooled["pr"] == 500 * (1.5 * 0.125 + 0.125) / 2
    assert pooled["checker_pr"] == pooled["pr"]
    assert pooled["snowie_er"] == 500 * (0.125 + 0.125) / 2  # no factor in a rate per move
    assert pooled["equity_error.total"] == 0.25


def test_snowie_rate_divides_by_the_moves_of_both_players_of_every_match() -> None:
    one_of_three = match_of(plays(4, player=[0, 1, 1, 1], stored_error=[0.125, 0, 0, 0]))
    pooled = ann(one_of_three, lost(0.125)).figures
    names = "moves.total", "snowie_er", "snowie_memg"
    assert [pooled[name] for name in names] == [2, 500 * 0.25 / 5, 1000 * 0.25 / 5]


def test_one_money_session_makes_match_winning_chances_of_the_whole_pool_unknown() -> None:
    pooled = ann(lost(0.125), lost(0.125, length=None)).figures
    assert {pooled[name] for name in pooled if name.startswith("mwc_loss_percent")} == {None}
    assert pooled["equity_error.total"] == 0.25


def test_match_of_which_only_the_cube_was_analysed_is_left_out_of_the_pool() -> None:
    cube_alone = match_of(plays(analysed=[False], **UNKNOWN), cubes(stored_error=[0.125]))
    pooled = ann(cube_alone)
    assert (pooled.matches, pooled.unanalysed, pooled.figures["pr"]) == (0, 1, None)
    assert pooled.completeness["checker"] == Coverage(1, 0)
    both, alone = ann(cube_alone, lost(0.25)), ann(lost(0.25))
    assert (both.matches, both.unanalysed) == (1, 1)
    assert (both.figures, both.intervals) == (alone.figures, alone.intervals)
    nothing = ann(cube_alone, cube_alone)
    assert (nothing.intervals, nothing.figures["decisions.double"]) == ({}, 2)
    assert {nothing.figures[name] for name in ("pr", "checker_pr", "decisions.counted")} == {None}


def test_luck_rate_of_a_match_without_lucky_rolls_is_part_of_the_pool() -> None:
    """Luck of 0.25 and -0.25 in the one, none in the other: net 0.5 over 2 rolls."""
    lucky = match_of(plays(2, player=[0, 1], luck=[0.25, -0.25]))
    flat = match_of(plays(2, player=[0, 1], luck=[0.0, 0.0]))
    assert ann(flat).figures["luck.rate"] is None
    assert ann(lucky, flat).figures["luck.rate"] == 0.25


def test_cap_is_of_the_figure_shown_and_never_of_what_is_added_up() -> None:
    """0.285 in one decision is a PR of 142.5, which XG shows as 100; with an errorless decision it
    is 71.25 and not 50."""
    assert ann(lost(0.285)).figures["pr"] == 100
    assert ann(lost(0.285), lost(0.285)).figures["pr"] == 100
    assert ann(lost(0.285), lost(0.0)).figures["pr"] == pytest.approx(71.25)
    assert ann(lost(0.285)).figures["checker_pr"] == pytest.approx(142.5)
    assert ann(lost(0.285), rules=switched("Q13", "none")).figures["pr"] == pytest.approx(142.5)


def test_interval_of_a_capped_rate_is_capped() -> None:
    assert ann(*[lost(0.285)] * 5).intervals["pr"] == (100, 100)
    assert ann(*[lost(0.285)] * 5).intervals["error_rate_memg"] == pytest.approx((285, 285))


def losing(no_double: float) -> Match:
    """A play that lost 0.125, and a no-double of a side that is losing by that much."""
    turn = cubes(no_double=[no_double], double_take=[no_double - 0.1])
    return match_of(plays(stored_error=[0.125]), turn)


def test_open_rule_has_one_answer_for_all_matches_of_a_pool() -> None:
    """`nd-positive` counts neither no-double, `minus-0.5` the first, `minus-0.9` both: 2, 3 or 4
    decisions, never another way."""
    pooled = ann(losing(-0.3), losing(-0.6))
    assert pooled.ranges["decisions.counted"] == (2, 4)
    assert pooled.ranges["pr"] == (500 * 0.25 / 4, 500 * 0.25 / 2)
    assert pooled.open_rules == ("Q03",)
    assert "equity_error.total" not in pooled.ranges


def test_range_of_a_pool_is_that_of_its_sums_even_where_no_match_shows_one() -> None:
    """Each error of a resignation is too small to be seen in its match; ten of them are not."""
    small = match_of(plays(100, stored_error=[0.125] * 100), None, 0.0004)
    assert "equity_error.total" not in ann(small).ranges
    assert ann(*[small] * 10).ranges["equity_error.total"] == pytest.approx((125.0, 125.004))
    assert ann(*[small] * 10).open_rules == ("Q07",)


def test_two_answers_of_which_each_matters_in_another_match_are_combined() -> None:
    pooled = ann(losing(-0.3), lost(0.125, length=1))
    assert pooled.open_rules == ("Q03", "Q09")
    assert pooled.ranges["pr"] == pytest.approx((500 * 0.25 / 3, 500 * (0.125 + 1.5 * 0.125) / 2))


@pytest.mark.parametrize(("number", "drawn"), [(4, "games"), (5, "matches")])
def test_matches_are_drawn_from_five_on(number: int, drawn: str) -> None:
    assert ann(*[lost(0.0, 0.125)] * number).resampled == drawn


def test_two_games_are_enough_to_draw_from_and_one_is_not() -> None:
    assert set(ann(lost(0.125), lost(0.0)).intervals) == {"pr", "error_rate_memg", "snowie_er"}
    assert ann(lost(0.125)).intervals == {}


def test_interval_of_each_rate_has_its_own_factor_and_denominator() -> None:
    """The same match over and over: every draw gives the rate itself."""
    match = match_of(
        plays(4, player=[0, 0, 1, 1], stored_error=[0.125, 0.125, 0, 0]), cubes(stored_error=[0.0])
    )
    pooled = ann(match, match)
    rates = {"pr": 500 * 0.25 / 3, "error_rate_memg": 1000 * 0.25 / 3, "snowie_er": 500 * 0.25 / 4}
    assert pooled.intervals.keys() == rates.keys()
    for name, rate in rates.items():
        assert (*pooled.intervals[name], pooled.figures[name]) == pytest.approx((rate,) * 3)


def test_draw_without_a_decision_is_left_out() -> None:
    lost_here, decisions = np.array([0.25, 0.0]), np.array([2.0, 0.0])
    assert resampled(lost_here, decisions, 500.0) == (62.5, 62.5)
    assert resampled(np.zeros(2), np.zeros(2), 500.0) is None


def test_interval_is_the_middle_95_percent_of_the_draws() -> None:
    # Four groups of 40 lose 1 each: how many are drawn is binomial with mean 4. P(0) = 0.015 and
    # P(<= 1) = 0.081, so it begins at 1; P(<= 7) = 0.958 and P(<= 8) = 0.985, so it ends at 8,
    # where the middle 90 % would end at 7.
    assert resampled(np.array([1.0] * 4 + [0.0] * 36), np.ones(40), 40.0) == (1.0, 8.0)


def test_large_draws_are_made_in_parts_that_give_the_same_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lost_here, decisions = np.arange(10.0), np.ones(10)
    full = resampled(lost_here, decisions, 1.0)
    monkeypatch.setattr("reconcile.scoring.pool.LARGEST_DRAW", 70)
    assert resampled(lost_here, decisions, 1.0) == full
