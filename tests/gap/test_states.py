"""The contributions of decisions to the change of a figure add up to it exactly, however the figure is made."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.gap.one_way import State, contributions
from reconcile.scoring.metric import Form
from tests.support.balance import CLOSES

NUMBERS = st.sampled_from([0.0, 0.0, 0.1, 0.25, 1.0, 7.5])
COUNTS = st.sampled_from([0.0, 1.0])


@given(
    st.lists(st.tuples(NUMBERS, COUNTS, NUMBERS, COUNTS), min_size=1, max_size=8),
    st.sampled_from([500.0, 750.0, 1000.0]),
    st.sampled_from([500.0, 1000.0]),
    st.sampled_from([100.0, np.inf]),
    st.sampled_from([100.0, np.inf]),
    st.sampled_from(list(Form)),
)
def test_contributions_are_the_change_of_a_figure_exactly(
    rows: list[tuple[float, ...]], factor: float, other: float, cap: float, other_cap: float, form: Form
) -> None:
    e0, n0, e1, n1 = np.array(rows).T
    before, after = (
        State(form, error, count, np.array([f]), np.array([c]))
        for error, count, f, c in ((e0, n0, factor, cap), (e1, n1, other, other_cap))
    )
    if before.defined.all() and after.defined.all():
        change = (after.figure() - before.figure()).item()
        assert contributions(before, after).sum() == pytest.approx(change, abs=CLOSES * max(1, abs(change)))


def test_rate_is_split_as_documented() -> None:
    before = State(Form.RATE, np.array([0.3, 0.1]), np.array([1.0, 1.0]), np.array([500.0]), np.array([np.inf]))
    after = State(Form.RATE, np.array([0.3, 0.0]), np.array([1.0, 0.0]), np.array([500.0]), np.array([np.inf]))
    # f (de (1/N + 1/N')/2 - dn (E + E')/(2 N N')), with E 0.4 -> 0.3 and N 2 -> 1
    assert contributions(before, after).tolist() == pytest.approx([0, 500 * (-0.1 * 0.75 + 0.7 / 4)])


def test_capped_rate_is_shared_in_proportion_to_the_errors() -> None:
    before = State(Form.RATE, np.array([0.3, 0.1]), np.array([1.0, 1.0]), np.array([500.0]), np.array([50.0]))
    after = State(Form.RATE, np.array([0.3, 0.1]), np.array([1.0, 1.0]), np.array([500.0]), np.array([np.inf]))
    assert before.figure().item() == 50
    assert contributions(before, after).tolist() == pytest.approx([50 * 0.75, 50 * 0.25])
