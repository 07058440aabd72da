"""Intervals of rates over games, against the textbook's tables and resampling."""

import numpy as np
import pytest

from reconcile.scoring.pool import estimate, student
from reconcile.scoring.pool import moments as moments_of


def moments(lost, number):
    """Of one game a match."""
    return moments_of(lost, number, np.arange(len(lost)))


def test_interval_is_about_that_of_resampling():
    """The middle 95 % of the rates of games that are drawn again and again."""
    draw = np.random.default_rng(7)
    number = draw.integers(40, 160, 400).astype(float)
    lost = number * draw.gamma(2.0, 0.005, 400)
    estimated = estimate(moments(lost, number), factor=500, least=0.0)
    drawn = draw.integers(0, 400, (20_000, 400))
    rates = 500 * lost[drawn].sum(axis=1) / number[drawn].sum(axis=1)
    assert (estimated.low, estimated.high) == pytest.approx(
        np.quantile(rates, (0.025, 0.975)), rel=0.01
    )


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [(4, 2.776), (5, 2.571), (9, 2.262), (29, 2.045), (99, 1.984), (10**6, 1.960)],
)
def test_width_is_that_of_printed_tables(freedom, expected):
    assert student(freedom) == pytest.approx(expected, rel=0.005)


def test_too_few_matches_have_a_rate_without_interval():
    four = np.array([0.1, 0.2, 0.3, 0.4]), np.full(4, 10.0)
    estimated = estimate(moments(*four))
    assert (estimated.low, estimated.high, estimated.matches, estimated.number) == (
        None,
        None,
        4,
        40,
    )
    assert estimated.value == pytest.approx(0.025)
    assert estimate(moments(np.zeros(2), np.zeros(2))).value is None


def test_pr_is_never_below_nothing():
    estimated = estimate(moments(np.array([1.0, 0, 0, 0, 0]), np.full(5, 10.0)), least=0.0)
    assert estimated.low == 0
