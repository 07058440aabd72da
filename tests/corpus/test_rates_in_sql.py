"""The rates of questions have the intervals of `scoring/pool.py` and of the textbooks."""

import duckdb
import numpy as np
import pytest

from reconcile.corpus.tables import macros
from reconcile.scoring.pool import estimate, moments


@pytest.fixture
def database():
    with duckdb.connect() as opened:
        for macro in macros(("xg",)):
            opened.execute(macro)
        yield opened


@pytest.mark.parametrize("games", [1, 4, 5, 60])
def test_a_rate_has_the_interval_of_a_pool(games, database):
    draw = np.random.default_rng(games)
    lost, number = draw.gamma(2.0, 0.5, games), draw.integers(1, 60, games).astype(float)
    database.execute("create table games (lost double, number double)")
    database.executemany("insert into games values (?, ?)", np.stack((lost, number), 1).tolist())
    rate = "(select mean_of(lost, number) as r from games)"
    sql = f"select r.value, r.value - r.half, r.value + r.half, r.number from {rate}"
    expected = estimate(moments(lost, number, np.arange(games)))
    found = database.execute(sql).fetchone()
    wanted = expected.value, expected.low, expected.high, expected.number
    assert found == tuple(value and pytest.approx(value, rel=1e-12) for value in wanted)


def test_a_share_has_wilsons_interval(database):
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3: 81 of 263, 15 of 148, 0 of 20,
    # 1 of 29.
    for won, of, low, high in (
        (81, 263, 25.53, 36.62),
        (15, 148, 6.24, 16.05),
        (0, 20, 0.0, 16.11),
        (1, 29, 0.61, 17.18),
    ):
        sql = "select r.low, r.high from (select percent_of(?, ?) as r)"
        assert database.execute(sql, [won, of]).fetchone() == pytest.approx((low, high), abs=0.051)
