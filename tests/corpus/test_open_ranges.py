"""A PR that an open rule may move is a range in the tables too: the one that `stats` shows for
the match."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reconcile.corpus.rows import ReadMatch, identity, rows_of
from reconcile.formats import load_match
from reconcile.scoring.figures import METRICS
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.statistics import statistics
from tests.support.bridged_pairs import read
from tests.support.examples import examples
from tests.support.strategies import matches

RULES = ("xg", "gnubg")
HALF_A_DIGIT = 0.5 * 10.0 ** -METRICS["pr"].decimals

Ends = tuple[float, float]


def ranges(every):
    """By match, rule set and seat, what the table of players has."""
    by_seat = {}
    read = [
        ReadMatch(match, f"{number}", "", identity(match)) for number, match in enumerate(every)
    ]
    place = {each.analysis_id: number for number, each in enumerate(read)}
    for tables in rows_of(read, RULES):
        for row in tables["players"].to_pylist():
            ends = row["pr_low"], row["pr_high"]
            key = place[row["analysis_id"]], row["rules"], row["seat"]
            by_seat[key] = None if None in ends else ends
    return by_seat


def check(every, within):
    """Compare both; how many ranges there are. Ends nearer to each other than `within` may be
    shown or not."""
    shown = 0
    for (number, rules, seat), ends in ranges(every).items():
        scored = statistics(every[number], rules)
        wanted = open_range(scored).figures[seat].get("pr")
        width = max(high - low for low, high in (ends or (0.0, 0.0), wanted or (0.0, 0.0)))
        if ends is None or wanted is None:
            assert ends == wanted or width <= HALF_A_DIGIT + within
        else:
            own = scored.figures(seat)["pr"]
            assert own is not None
            assert ends == pytest.approx(wanted, abs=within + 1e-9)
            assert ends[0] - 1e-9 <= own <= ends[1] + 1e-9
        shown += ends is not None
    return shown


def test_ranges_of_real_matches(data):
    every = [
        load_match(path)
        for path in sorted(data.glob("real/*.xg")) + sorted(data.glob("bgblitz/xg/*.xg"))
    ]
    assert check(every, 0.0) >= 4


@settings(
    max_examples=examples(5),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.lists(matches(), min_size=1, max_size=4))
def test_ranges_of_any_matches(every):
    # An answer that alone moves no figure by half a digit is left out by `stats`, so the ends may
    # differ by as much for each of the three.
    check([read(match) for match in every], 3 * HALF_A_DIGIT)
