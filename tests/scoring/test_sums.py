"""Sums of columns are what adding row by row gives."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reconcile.scoring.sums import Group, Sums
from tests.support.claims import some

GAMES = 4


@st.composite
def groups(draw, prefix):
    """Rows of any games, with a column of truth values and one of numbers, by class or not."""
    rows = draw(st.integers(0, 12))
    classes = draw(st.integers(1, 3))

    def column(values, kind):
        return np.array(draw(st.lists(values, min_size=rows, max_size=rows)), kind)

    code = column(st.integers(0, classes - 1), np.int8) if classes > 1 else None
    columns = {
        f"{prefix} counted": column(st.booleans(), np.bool_),
        f"{prefix} lost": column(st.integers(-64, 64).map(lambda number: number / 64), np.float32),
    }
    return Group(
        column(st.integers(0, GAMES - 1), np.int64),
        column(st.integers(0, 1), np.int64),
        columns,
        code,
        classes,
    )


def added(group, name):
    """Where each row of a column goes, and its value."""
    for row, value in enumerate(group.columns[name].tolist()):
        at = int(group.game[row]), int(group.seat[row])
        yield (at if group.code is None else (*at, int(group.code[row]))), value


@given(st.tuples(groups("first"), groups("second")))
def test_sums_are_those_of_the_rows(arguments_):
    sums = Sums(GAMES, *arguments_)
    first = np.array([0, 1])
    tables, by_match = sums.games, sums.matches(first)
    for group in some(arguments_):
        for name in some(group.columns):
            wanted = np.zeros((GAMES, 2) if group.classes == 1 else (GAMES, 2, group.classes))
            for at, value in added(group, name):
                wanted[at] += value
            assert tables[name].tolist() == wanted.tolist()
            assert by_match[name].tolist() == [wanted[0].tolist(), wanted[1:].sum(axis=0).tolist()]
            assert sums.match[name].tolist() == wanted.sum(axis=0).tolist()
            assert (tables[name].dtype.kind == "i") == (group.columns[name].dtype.kind == "b")
