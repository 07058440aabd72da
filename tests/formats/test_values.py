"""The day of a match is what its file states; what is no day is unknown, and the match is read all
the same."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.formats import load_match, read_match
from reconcile.formats.values import DAY_ZERO, counted_day, written_day
from reconcile.formats.xg.writer import write
from tests.support import blunderdb_writer, small_bgf
from tests.support import data as real
from tests.support.small_files import game_of, match_of
from tests.support.small_sgf import ANN_31, root
from tests.support.small_transcripts import SHORT

DAY = date(2024, 8, 10)


DAYS = (
    "2024-08-10|2024.08.10| 2024/8/10|2024-08-10 14:27:05+02:00|2024-08-10T14:27:05Z|2024-08-10,11"
)
NONE = (
    "|today|2024|2024-08|2024-08.10|10.08.2024|2024-13-01|2023-02-29|2024-08-100|1899-12-30|"
    "9999-12-31|0000-00-00|٢٠٢٤-٠٨-١٠"
)


@pytest.mark.parametrize(("texts", "day"), [(DAYS, DAY), (NONE, None)])
def test_a_written_day_is_read_and_nothing_else_is(texts: str, day: date | None) -> None:
    assert {text: written_day(text) for text in texts.split("|")} == dict.fromkeys(
        texts.split("|"), day
    )


@given(st.dates(date(1900, 1, 1), date(2100, 12, 31)), st.floats(0, 0.999))
def test_a_day_survives_being_written_and_counted(day: date, time: float) -> None:
    assert written_day(f"{day:%Y-%m-%d}") == counted_day((day - DAY_ZERO).days + time) == day


def test_every_format_keeps_its_day(tmp_path: Path) -> None:
    files = {
        "a.xg": write(replace(match_of(game_of()), date=datetime(2024, 8, 10, 23, 59))),
        "a.sgf": f"{root(more='DT[2024-08-10]')}{ANN_31})".encode(),
        "a.mat": SHORT.replace("; [Crawford", '; [EventDate "2024.08.10"]\n; [Crawford').encode(),
        "a.bgf": small_bgf.written(small_bgf.match(date="2024.08.10")),
    }
    assert {
        name: read_match(name, content).date for name, content in files.items()
    } == dict.fromkeys(files, DAY)
    database = blunderdb_writer.write(tmp_path / "club.db", [read_match("a.mat", files["a.mat"])])
    assert load_match(database).date == DAY  # the writer's own


def test_nonsense_in_a_file_is_no_day_and_no_error() -> None:
    for days in (0.0, 1.9, -1.0, -45000.0, 1e6, 1e300, -1e300, math.inf, -math.inf, math.nan):
        assert counted_day(days) is None
    assert read_match("a.sgf", f"{root(more='DT[yesterday]')}{ANN_31})".encode()).date is None
    for value in (None, 20240810, ["2024.08.10"], "x" * 5000):
        assert read_match("a.bgf", small_bgf.written(small_bgf.match(date=value))).date is None


@pytest.mark.parametrize("path", real.cases("bgblitz/xg/*.xg", short=1))
def test_three_files_of_one_match_state_the_same_day(path: Path) -> None:
    rest = [path.parents[1] / ending / f"{path.stem}.{ending}" for ending in ("bgf", "mat")]
    assert {load_match(each).date for each in rest} == {load_match(path).date} != {None}
