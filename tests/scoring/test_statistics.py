"""Figures: rates are sums over sums, unknown is never zero, and nothing depends on who sits
where."""

from dataclasses import astuple
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.formats import load_match
from reconcile.match.columns import UNKNOWN_COUNT, Kind, Validity
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.figures import METRICS
from reconcile.scoring.gnubg_table import grouped_sum
from reconcile.scoring.statistics import legal_plays, statistics
from tests.support.claims import some
from tests.support.data import cases
from tests.support.hand_made import cubes, match_of, plays
from tests.support.loaded import DEMONSTRATION
from tests.support.tables import cases_of

MATCHES = ("real/*.xg", "real/*.sgf", "gnubg/*.sgf")
PER_DECISION = {"pr": 500, "error_rate_memg": 1000}
ADDITIVE = (
    "decisions.",
    "moves.",
    "equity_error.",
    "mwc_loss_percent.",
    "luck.",
    "errors.",
    "blunders.",
    "doubtful.",
)
OF_A_MATCH = ("luck.rate", "luck.rating_percent", "luck.elo")


@cache
def figures_of(path, rules=None):
    return statistics(load_match(path), rules)


@cache
def both(path):
    return figures_of(path).figures(0), figures_of(path).figures(1)


def test_unanalysed_match_has_moves_but_no_rates_no_errors_and_no_luck_and_says_what_is_missing(
    data,
):
    computed = figures_of(data / "gnubg" / "m14_5pt_unanalysed.sgf")
    for seat in (0, 1):
        figures: dict[str, Any] = computed.figures(seat)
        moves = {name: figures.pop(name) for name in list(figures) if name.startswith("moves.")}
        assert moves["moves.total"] == moves["moves.unforced"] + moves["moves.forced"] > 100
        assert set(figures.values()) == {None}
        for coverage in computed.completeness(seat).values():
            assert (coverage.analysed, coverage.complete) == (0, False)
            assert coverage.expected > 100


def test_game_of_a_partly_analysed_match_is_unknown_alone(data):
    computed = figures_of(data / "gnubg" / "m15_5pt_partly_game2.sgf")
    expected = [computed.figures_at(0, game)["pr"] is not None for game in range(3)]
    assert expected == [False, True, False]
    assert computed.figures(0)["pr"] is None


@pytest.mark.parametrize(
    ("analysed", "expected", "shown"),
    cases_of(__file__, "figures_are_shown_from_nine_in_ten_on"),
)
def test_figures_are_shown_from_nine_in_ten_on(analysed, expected, shown):
    """Each part counts for itself, a figure over both parts needs both, and moves need no
    analysis."""
    is_analysed = [True] * analysed + [False] * (expected - analysed)
    some_plays = plays(expected, analysed=is_analysed)
    some_cubes = cubes(expected, analysed=is_analysed)
    for match, parts in (
        (match_of(some_plays, cubes()), {"checker"}),
        (match_of(plays(), some_cubes), {"cube"}),
        (match_of(some_plays, some_cubes), {"checker", "cube"}),
    ):
        figures = statistics(match, "gnubg").figures(0)
        for name in ("decisions", "equity_error", "mwc_loss_percent", "errors", "blunders"):
            for key, rests_on in {
                ("counted" if name == "decisions" else "total"): {"checker", "cube"},
                "checker": {"checker"},
                "double": {"cube"},
                "take": {"cube"},
            }.items():
                is_known = figures[f"{name}.{key}"] is not None
                assert is_known == (shown or not rests_on & parts), (name, key, parts)
        assert figures["moves.total"] == len(match.plays)
        if not shown:
            assert {figures[name] for name in ("pr", "error_rate_memg", "snowie_er")} == {None}


@pytest.mark.parametrize("path", [DEMONSTRATION.with_suffix(".xg"), *cases(*MATCHES, short=14)])
def test_sums_of_a_match_are_those_of_its_games_and_its_rates_are_sums_over_sums(
    path,
):
    computed, figures = figures_of(path), both(path)
    moves = sum(side["moves.total"] for side in figures)
    assert moves == int((computed.match.plays.validity != Validity.UNPLAYED).sum())
    for seat, own in enumerate(figures):
        lost = own["equity_error.total"]
        assert set(own) == set(METRICS)
        # By the moves of both players.
        for name, factor in (("snowie_memg", 1000), ("snowie_er", 500)):
            assert own[name] == (
                None if lost is None else pytest.approx(factor * lost / moves, rel=1e-12)
            )
        for name, factor in PER_DECISION.items():
            is_plain = name != "pr" or (own[name] or 100) < 100
            if own[name] is not None and is_plain and computed.match.length != 1:
                rate = factor * lost / own["decisions.counted"]
                assert own[name] == pytest.approx(rate, rel=1e-12)
        rows = range(len(computed.match.games))
        games: list[dict[str, Any]] = [computed.figures_at(seat, game) for game in rows]
        for name, full in own.items():
            if name.startswith(ADDITIVE) and name not in OF_A_MATCH and full is not None:
                parts = [game[name] for game in games if game[name] is not None]
                assert sum(parts) == pytest.approx(full, rel=1e-9, abs=1e-9), name
        covered = [computed.completeness_at(seat, game) for game in rows]
        for part, coverage in computed.completeness(seat).items():
            counts = np.array([astuple(game[part]) for game in covered])
            assert (counts[:, 1] <= counts[:, 0]).all(), part
            assert tuple(counts.sum(axis=0)) == astuple(coverage), part


errors = st.floats(0, 0.19).map(lambda error: round(error, 6))
made_plays = st.lists(
    st.tuples(st.integers(0, 1), errors, st.booleans(), st.integers(0, 3)), min_size=1, max_size=30
)
made_cubes = st.lists(
    st.tuples(
        st.integers(0, 1),
        errors,
        st.sampled_from([Kind.NO_DOUBLE, Kind.DOUBLE, Kind.TAKE, Kind.PASS]),
        st.integers(0, 3),
    ),
    max_size=15,
)


def built(
    play_rows,
    cube_rows,
    **turned,
):
    scale, turn = turned.get("scale", 1.0), turned.get("turn", 0)
    tables: list[Any] = []
    for make, name, rows in ((plays, "flag", play_rows), (cubes, "kind", cube_rows)):
        columns: dict[str, Any] = {
            "player": [row[0] ^ turn for row in rows],
            "stored_error": [scale * row[1] for row in rows],
            name: [int(row[2]) for row in rows],
            "cube": [2 ** row[3] for row in rows],
        }
        tables.append(make(len(rows), **columns))
    return match_of(*tables)


def differing(each, other, rel):
    return {
        name: (value, other[name])
        for name, value in each.items()
        if value != other[name]
        and (None in (value, other[name]) or value != pytest.approx(other[name], rel=rel, abs=1e-9))
    }


@given(made_plays, made_cubes, st.floats(0.01, 1))
def test_scaling_every_error_scales_every_rate_and_no_count(
    play_rows,
    cube_rows,
    scale,
):
    full, part = (
        statistics(built(play_rows, cube_rows, scale=factor), "xg") for factor in (1.0, scale)
    )
    for seat in (0, 1):
        before, after = full.figures(seat), part.figures(seat)
        for name, value in some(before.items()):
            if value is None or name.startswith(("decisions.", "moves.")):
                assert after[name] == value
            elif (name != "pr" or value < 100) and not name.startswith(("errors.", "blunders.")):
                assert after[name] == pytest.approx(scale * value, rel=1e-9, abs=1e-12), name


@given(made_plays, made_cubes)
def test_swapping_the_seats_swaps_the_figures(play_rows, cube_rows):
    plain, swapped = (built(play_rows, cube_rows, turn=turn) for turn in (0, 1))
    for rules in ("xg", "gnubg"):
        first, other = statistics(plain, rules), statistics(swapped, rules)
        for seat in (0, 1):
            assert differing(first.figures(seat), other.figures(1 - seat), rel=1e-6) == {}
            assert first.completeness(seat) == other.completeness(1 - seat)


def test_float32_sums_are_added_one_after_the_other_as_gnubg_adds_them():
    values = np.array([1e8, 1, 1, 1, 1, -1e8], np.float32)
    (sequential,) = grouped_sum(np.zeros(6, np.int64), values, 1)
    assert sequential == 0
    assert sequential.dtype == np.float32
    (double,) = grouped_sum(np.zeros(6, np.int64), values.astype(float), 1)
    assert double == 4


def test_number_of_legal_plays_is_completed_where_the_file_is_silent_and_only_there():
    silent = plays(3, legal=[UNKNOWN_COUNT, 7, UNKNOWN_COUNT])
    assert (legal_plays(silent) > 1).tolist() == [True, True, True]
    assert silent.legal.tolist() == [UNKNOWN_COUNT, 7, UNKNOWN_COUNT]
    unplayed = plays(1, legal=[UNKNOWN_COUNT], validity=[Validity.UNPLAYED])
    assert legal_plays(unplayed).tolist() == [UNKNOWN_COUNT]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_wrong_pass_before_any_roll_counts_under_every_rule_set(rules):
    values = {"double_take": [0.1, 0.1], "stored_error": [0.4, 0.9]}
    match = match_of(cube=cubes(2, kind=[Kind.DOUBLE, Kind.PASS], player=[1, 0], **values))
    figures = statistics(match, rules).figures(0)
    assert (figures["decisions.counted"], figures["decisions.take"], len(match.plays)) == (1, 1, 0)
    assert figures["equity_error.take"] not in (None, 0)
