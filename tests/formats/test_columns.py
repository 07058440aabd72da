"""What a table of columns takes: the names, lengths and types that it has, and arrays that are its
own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reconcile.match.columns import Columns, Games, Plays, Resignations
from tests.support.hand_made import cubes, plays

DICE = np.array([[3, 1], [6, 6]])


@pytest.mark.parametrize("table", [plays(2), cubes(2)], ids=repr)
def test_misspelt_column_is_refused(table: Columns) -> None:
    words = f"^{type(table).__name__} has no column 'cubes'; expected one of game, turn, player, "
    for make in (table.replaced, lambda **columns: type(table)(2, columns)):
        with pytest.raises(TypeError, match=words):
            make(cubes=np.ones(2, int))


@pytest.mark.parametrize(
    ("name", "column", "error", "words"),
    [
        ("best", np.ones(1), ValueError, r".*shape \(2,\), found \(1,\)"),
        ("best", np.ones((2, 1)), ValueError, r".*shape \(2,\), found \(2, 1\)"),
        ("dice", DICE[:, 0], ValueError, r".*shape \(2, 2\), found \(2,\)"),
        ("position", np.zeros((2, 25), int), ValueError, r".*shape \(2, 26\), found \(2, 25\)"),
        ("play", [()], ValueError, ".*2 values, one a row, found 1"),
        ("best", np.ones(2, int), TypeError, "an array of floats, found int64$"),
        ("best", [0.5, 0.5], TypeError, "an array of floats, found list$"),
        ("cube", np.ones(2), TypeError, "an array of ints, found float64$"),
        ("analysed", np.ones(2, np.int8), TypeError, "an array of bools, found int8$"),
    ],
)
def test_column_of_another_length_or_type_is_refused(
    name: str, column: Any, error: type[Exception], words: str
) -> None:
    for content in (column, lambda: column):
        if content is column and isinstance(column, list) and name != "play":
            continue  # a list of numbers is taken for what makes a column
        with pytest.raises(error, match=rf"^Plays\.{name}: expected {words}"):
            getattr(plays(2).replaced(**{name: content}), name)


def test_column_that_was_never_given_is_named() -> None:
    with pytest.raises(TypeError, match=r"^Games\.winner: expected a column, found none given$"):
        _ = Games(1, {"number": np.ones(1, int)}).winner


def test_array_given_to_a_table_is_its_own_and_one_given_as_a_replacement_is_copied() -> None:
    lost, games, best, before = np.zeros(2), np.zeros(2, int), np.array([0.5, 0.25]), plays(2)
    table = Resignations(2, {"stored_error": lost, "game": lambda: games})
    assert (table.stored_error is lost, table.game is games) == (True, True)
    replaced = before.replaced(best=best, spread=np.zeros(2))
    best[0] = -1
    assert replaced.best.tolist() == [0.5, 0.25]
    assert (before.best.tolist(), before.spread.tolist()) == ([0.5, 0.5], [0.3, 0.3])
    for array in (lost, games, replaced.best):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_table_without_rows_takes_empty_columns_of_any_width() -> None:
    for content in (np.zeros(0, int), np.zeros((0, 26), int)):
        assert Plays(0, {"position": content}).position.tolist() == []


def test_list_made_when_asked_for_is_taken() -> None:
    table = plays(2).replaced(play=lambda: [((row, 0),) for row in range(2)])
    assert table.play[1] == ((1, 0),)
