"""The day of a match is what its file states; what is no day is unknown, and the match is read all
the same."""

import math
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.formats import read_match
from reconcile.formats.common import DAY_ZERO, counted_day, written_day
from tests.support.small_sgf import ANN_31, root

DAY = date(2024, 8, 10)


DAYS = (
    "2024-08-10|2024.08.10| 2024/8/10|2024-08-10 14:27:05+02:00|2024-08-10T14:27:05Z|2024-08-10,11"
)
NONE = (
    "|today|2024|2024-08|2024-08.10|10.08.2024|2024-13-01|2023-02-29|2024-08-100|1899-12-30|"
    "9999-12-31|0000-00-00|٢٠٢٤-٠٨-١٠"
)


@pytest.mark.parametrize(("texts", "day"), [(DAYS, DAY), (NONE, None)])
def test_a_written_day_is_read_and_nothing_else_is(texts, day):
    assert {text: written_day(text) for text in texts.split("|")} == dict.fromkeys(
        texts.split("|"), day
    )


@given(st.dates(date(1900, 1, 1), date(2100, 12, 31)), st.floats(0, 0.999))
def test_a_day_survives_being_written_and_counted(day, time):
    assert written_day(f"{day:%Y-%m-%d}") == counted_day((day - DAY_ZERO).days + time) == day


def test_nonsense_in_a_file_is_no_day_and_no_error():
    for days in (0.0, 1.9, -1.0, -45000.0, 1e6, 1e300, -1e300, math.inf, -math.inf, math.nan):
        assert counted_day(days) is None
    assert read_match("a.sgf", f"{root(more='DT[yesterday]')}{ANN_31})".encode()).date is None
