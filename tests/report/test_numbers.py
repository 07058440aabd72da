"""Numbers for people: fixed decimals, a true minus, no signed zero, and a gap that shows on which
side of its bound it is.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.report import numbers
from reconcile.report.html.charts import scale


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (1.005, 1, "1.0"),
        (-2.3066, 2, "−2.31"),
        (-0.001, 2, "0.00"),
        (0.0, 3, "0.000"),
        (7, 0, "7"),
        (-10.0, 0, "−10"),
        (None, 2, "–"),
    ],
)
def test_number(value, decimals, text):
    assert numbers.number(value, decimals) == text


def test_unknown_is_a_dash_and_a_sign_is_shown_unless_the_value_rounds_to_zero():
    assert numbers.number(float("nan"), 2) == numbers.UNKNOWN
    assert numbers.signed(None, 3) == numbers.UNKNOWN
    assert numbers.signed(0.31, 2) == "+0.31"
    assert numbers.signed(-0.31, 2) == "−0.31"
    assert numbers.signed(0.004, 2) == "0.00"


def test_gap_just_beyond_its_bound_gets_the_digits_that_show_it():
    assert numbers.gap_and_bound("pr", 0.31, 0.1) == ("+0.31", "0.10")
    assert numbers.gap_and_bound("pr", 0.1004, 0.1) == ("+0.1004", "0.10")
    assert numbers.gap_and_bound("pr", 0.1, 0.1) == ("+0.10", "0.10")
    assert numbers.gap_and_bound("pr", 0.004, 0.005) == ("0.00", "0.005")
    assert numbers.gap_and_bound("decisions.counted", 3, 0) == ("+3", "0")
    assert numbers.gap_and_bound("pr", None, None) == ("–", "–")
    bounds = (9.86607e-17, 0.0, 0.0001, 5.38147e-05, 0.05, 3.0)
    shown = ["0", "0", "0.0001", "0.000054", "0.05", "3"]
    assert [numbers.bound_of_list(bound) for bound in bounds] == shown


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_number_reads_back_within_its_rounding(value, decimals):
    text = numbers.number(value, decimals)
    assert "-" not in text
    assert abs(float(text.replace("−", "-")) - value) <= 0.5 * 10**-decimals * (1 + 1e-9)


@given(st.floats(-1e5, 1e5), st.floats(1e-4, 1e5))
def test_axis_holds_both_ends_and_has_a_few_ticks(low, span):
    axis = scale(low, low + span, 200, 20)
    assert axis.low <= low + 1e-6 * span
    assert axis.high >= low + span - 1e-6 * span
    assert 2 <= len(axis.ticks) <= 8
    assert axis(axis.low) == 200
    assert axis(axis.high) == pytest.approx(20)
