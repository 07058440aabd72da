"""What a table of columns takes: the names, lengths and types that it has, and arrays that are its
own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reconcile.match.columns import Columns, Cubes, Games, Plays, Resignations
from tests.support.hand_made import cubes, plays

TABLES = [plays(2), cubes(2)]
DICE = np.array([[3, 1], [6, 6]])


@pytest.mark.parametrize("table", TABLES, ids=repr)
def test_misspelt_column_is_refused(table: Columns) -> None:
    with pytest.raises(
        TypeError,
        match=rf"^{type(table).__name__} has no column 'cubes'; expected one of game, turn, "
        r"player, ",
    ):
        table.replaced(cubes=np.ones(2, int))
    with pytest.raises(TypeError, match="has no column 'cubes'"):
        type(table)(2, {"cubes": lambda: np.ones(2, int)})


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
@pytest.mark.parametrize("lazily", [False, True])
def test_column_of_another_length_or_type_is_refused(
    name: str, column: Any, error: type[Exception], words: str, lazily: bool
) -> None:
    content = (
        (lambda: column) if lazily or (isinstance(column, list) and name != "play") else column
    )
    with pytest.raises(error, match=rf"^Plays\.{name}: expected {words}"):
        getattr(plays(2).replaced(**{name: content}), name)


def test_column_that_was_never_given_is_named() -> None:
    with pytest.raises(TypeError, match=r"^Games\.winner: expected a column, found none given$"):
        _ = Games(1, {"number": np.ones(1, int)}).winner


def test_array_given_to_a_table_is_its_own_from_then_on() -> None:
    lost = np.zeros(2)
    games = np.zeros(2, int)
    table = Resignations(2, {"stored_error": lost, "game": lambda: games})
    assert table.stored_error is lost
    assert table.game is games
    for take in (lost, games):
        with pytest.raises(ValueError, match="read-only"):
            take[0] = 1


def test_array_given_as_a_replacement_stays_the_caller_s_and_the_table_as_it_was() -> None:
    best, before = np.array([0.5, 0.25]), plays(2)
    table = before.replaced(best=best, spread=np.zeros(2))
    best[0] = -1
    assert table.best.tolist() == [0.5, 0.25]
    with pytest.raises(ValueError, match="read-only"):
        table.best[0] = 1
    assert (before.best.tolist(), before.spread.tolist()) == ([0.5, 0.5], [0.3, 0.3])


def test_table_without_rows_takes_empty_columns_of_any_width() -> None:
    assert Plays(0, {"position": np.zeros(0, int)}).position.tolist() == []
    assert Cubes(0, {"position": np.zeros((0, 26), int)}).position.shape == (0, 26)


def test_list_made_when_asked_for_is_as_long_as_the_table() -> None:
    table = plays(2).replaced(play=lambda: [((row, 0),) for row in range(2)])
    assert table.play[1] == ((1, 0),)
    with pytest.raises(ValueError, match=r"Plays\.play: expected 2 values"):
        _ = plays(2).replaced(play=lambda: [()] * 3).play
