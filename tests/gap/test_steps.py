"""The steps of a bridge: their codes and order, what other orders change, and exact shares of a
change."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.formats import read_match
from reconcile.gap.walk import States
from reconcile.match.met.equity import own_table
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.figures import Form
from reconcile.scoring.statistics import statistics
from tests.support.balance import CLOSES, compared, ledger_of, unbalanced
from tests.support.claims import some
from tests.support.loaded import beginning
from tests.support.small_bgf import match as bgblitz_match
from tests.support.small_bgf import written
from tests.support.tables import cases_of

ORDER = "reported-left", *QUESTIONS, "coverage-left", "engine", "coverage-right", "reported-right"


@cache
def demonstration():
    return compared(beginning(".xg", 4), beginning(".sgf", 4)).walk


def test_steps_are_in_the_order_of_the_contract_with_a_range_where_another_order_changes_them():
    spans = set()
    for bridge in some(demonstration().bridges()):
        codes = [step.code for step in bridge.steps]
        assert codes == [code for code in ORDER if code in codes]
        for step in bridge.steps:
            if step.low is not None:
                assert step.low < (step.high or 0.0)
                spans.add(step.code)
    assert {"engine"} < spans


# -- in exact fractions ----------------------------------------------------------------------------


def test_another_match_equity_table_on_one_side_is_a_step_of_its_own():
    match = beginning(".sgf")
    comparison = compared(match, match, met=("Kazaross-XG2", "zadeh"))
    assert unbalanced(comparison) == []
    bridge = comparison.walk.bridge("mwc_loss_percent", 0)
    (step,) = (step for step in bridge.steps if step.code == "Q11")
    assert (step.change != 0, step.title[-21:]) == (True, "Kazaross-XG2 -> zadeh")
    ledger = ledger_of(comparison.walk, [bridge])
    assert set(ledger["cause"][ledger["step"] == "Q11"]) == {"conversion.met"}


def test_table_from_a_file_on_both_sides_is_one_table(tmp_path):
    table = tmp_path / "even.xml"
    table.write_text(EVEN_TABLE, "utf-8")
    match = beginning(".sgf")
    assert compared(match, match, met=str(table)).walk.ways[0].questions == ()


EVEN_TABLE = """<?xml version="1.0"?>
<met><info><name>Even</name><description>d</description><length>2</length></info>
<pre-crawford-table type="explicit">
<row><me>0.5</me><me>0.7</me></row><row><me>0.3</me><me>0.5</me></row></pre-crawford-table>
<post-crawford-table player="both" type="explicit">
<row><me>0.5</me><me>0.48</me></row></post-crawford-table></met>
"""


def test_error_at_a_score_that_the_table_does_not_have_has_no_cost_and_no_bridge():
    """Another file of the same match with an error where BGBlitz's file shows nothing: its loss is
    unknown, and no other table is used."""
    full, short = read_match("full.bgf", written(bgblitz_match())), bgblitz_match()
    del short["games"][0]["moves"][4:]
    part = read_match("part.bgf", written(short))
    weighed = statistics(full, met=own_table(part))
    assert np.isnan(weighed.scored.loss).sum() == 1  # the pass at a cube of 2
    first, second = weighed.figures(0), weighed.figures(1)
    assert first["mwc_loss_percent.take"] is first["mwc_loss_percent.total"] is None
    assert None not in (first["equity_error.take"], second["mwc_loss_percent.total"])
    way = compared(full, part).walk.ways[0]
    every = np.ones(len(way.aligned), bool)
    assert "does not have a score" in str(way.changes("mwc_loss_percent.total", 0, every))
    assert not isinstance(way.changes("equity_error.total", 0, every), str)


# -- shares of a change ----------------------------------------------------------------------------

NUMBERS = st.sampled_from([0.0, 0.0, 0.1, 0.25, 1.0, 7.5])
COUNTS = st.sampled_from([0.0, 1.0])
FACTORS = st.sampled_from([500.0, 750.0, 1000.0])
CAPS = st.sampled_from([100.0, np.inf])


@given(
    st.lists(st.tuples(NUMBERS, COUNTS, NUMBERS, COUNTS), min_size=1, max_size=8),
    st.tuples(FACTORS, FACTORS),
    st.tuples(CAPS, CAPS),
    st.sampled_from(list(Form)),
)
def test_shares_are_the_change_of_a_figure_exactly(
    rows,
    factors,
    caps,
    form,
):
    columns = np.array(rows).T
    both = States(form, columns[::2], columns[1::2], *np.array([factors, caps])[..., None])
    if not np.isnan(both.figure()).any():
        change = np.diff(both.figure(), axis=0).item()
        closes = CLOSES * max(1, abs(change))
        assert both.shares().sum() == pytest.approx(change, abs=closes)


@pytest.mark.parametrize("row", cases_of(__file__, "change_of_a_rate_is_split_as_documented"))
def test_change_of_a_rate_is_split_as_documented(row):
    e0, n0, e1, n1, caps, shares = map(np.array, row)
    factors = np.full((2, 1), 500.0)
    both = States(Form.RATE, np.array([e0, e1]), np.array([n0, n1]), factors, caps[:, None])
    assert both.shares()[0].tolist() == pytest.approx(shares.tolist())
