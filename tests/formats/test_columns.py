"""What a table of columns takes: the names, lengths and types that it has, and arrays that are its
own."""

from typing import Any

import numpy as np
import pytest

from reconcile.match.columns import Resignations
from tests.support.hand_made import cubes, plays
from tests.support.tables import cases_of


@pytest.mark.parametrize("table", [plays(2), cubes(2)], ids=repr)
def test_misspelt_column_is_refused(table):
    words = f"^{type(table).__name__} has no column 'cubes'; expected one of game, turn, player, "
    for make in (table.replaced, lambda **columns: type(table)(2, columns)):
        with pytest.raises(TypeError, match=words):
            make(cubes=np.ones(2, int))


@pytest.mark.parametrize(("name", "shape", "kind", "words"), cases_of(__file__, "refused"))
def test_column_of_another_length_or_type_is_refused(name, shape, kind, words):
    column: Any = [()] * shape[0] if kind == "list" else np.zeros(shape, kind)
    # A list of numbers is taken for what makes a column.
    contents = [lambda: column] + [column] * (kind != "list" or name == "play")
    for content in contents:
        with pytest.raises((TypeError, ValueError), match=rf"^Plays\.{name}: expected {words}"):
            getattr(plays(2).replaced(**{name: content}), name)


def test_array_given_to_a_table_is_its_own_and_one_given_as_a_replacement_is_copied():
    lost, best, before = np.zeros(2), np.array([0.5, 0.25]), plays(2)
    assert Resignations(2, {"stored_error": lost}).stored_error is lost
    replaced = before.replaced(best=best)
    best[0] = -1
    assert (replaced.best.tolist(), before.best.tolist()) == ([0.5, 0.25], [0.5, 0.5])
    for array in (lost, replaced.best):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
