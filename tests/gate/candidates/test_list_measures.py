"""What lists of decisions show together: the lines that a program draws in all of them, and how it numbers its rows."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from reconcile.gate.candidates.claims import StatedRows
from reconcile.gate.candidates.differing import Border
from reconcile.gate.candidates.list_result import ListResult, shared_borders
from reconcile.gate.candidates.listed import Listed, listed_beside
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.rules import rule_set
from tests.support.hand_made import NAN, match_of, plays


def pooled(*borders: tuple[float, float, int]) -> list[tuple[float, float, int]]:
    """The line of several lists: what counts, what does not, and how many decisions the reference has on the other side."""
    lists = [
        SimpleNamespace(borders=(Border("Q02", "a no-double counts", *one),)) for one in borders
    ]
    found = shared_borders(cast("list[ListResult]", lists))
    return [(one.counts, one.not_counts, one.moved) for one in found]


def test_line_of_several_lists_is_as_narrow_as_they_make_it() -> None:
    assert pooled((0.28, 0.35, 2), (0.25, 0.31, 1)) == [(0.28, 0.31, 3)]
    assert pooled((0.5, 0.2, 2), (0.4, 0.1, 1)) == [(0.4, 0.2, 3)]


def test_lists_that_contradict_each_other_show_no_line() -> None:
    assert pooled((0.28, 0.35, 2), (0.4, 0.5, 2)) == []
    assert pooled((0.5, 0.2, 2), (0.15, 0.1, 2)) == []


def test_one_decision_on_the_other_side_shows_no_line() -> None:
    assert pooled((0.28, 0.35, 1)) == []
    assert pooled((0.28, 0.35, 1), (0.28, 0.35, 1)) == [(0.28, 0.35, 2)]


def beside_a_list(
    match: Match, turns: Sequence[int], games: Sequence[int] | None = None
) -> Listed | str:
    """Plays of the first player in these turns (of game 1 if no games are given), beside the decisions of a match."""
    rows = len(turns)
    columns: dict[str, Any] = {
        "line": np.arange(rows) + 1,
        "game": np.ones(rows, int) if games is None else np.array(games),
        "turn": np.array(turns),
        "player": np.zeros(rows, int),
        "kind": np.full(rows, Kind.PLAY.value),
        "counted": np.ones(rows, bool),
        "error": np.zeros(rows),
        "half": np.zeros(rows),
        "luck": np.full(rows, NAN),
        "luck_half": np.zeros(rows),
        "played": ("",) * rows,
    }
    return listed_beside(
        match, rule_set("xg"), StatedRows(names=("Ann",), **columns), {"Ann": 0, "Ben": 1}.get
    )


def test_list_that_pairs_as_it_is_numbered_is_not_said_to_be_numbered_otherwise() -> None:
    """Only Ann has turns, so that numbering her own turns would pair as many of the rows; one row is about no decision."""
    match = match_of(plays(10, turn=range(1, 11)))
    found = beside_a_list(match, [*range(1, 10), 99])
    assert isinstance(found, Listed)
    assert found.at.tolist() == [*range(9), -1]


@pytest.mark.parametrize(
    ("turns", "games", "words"),
    [
        (range(1, 6), None, "turns that count one player's turns only"),
        (range(0, 9, 2), None, "a turn number too low by one"),
        (range(1, 10, 2), [0] * 5, "a game number too low by one"),
        (range(2, 11, 2), None, "the players exchanged"),
    ],
)
def test_list_that_pairs_in_another_numbering_is_told_which(
    turns: Sequence[int], games: Sequence[int] | None, words: str
) -> None:
    """Ann has the odd turns from 1 to 9, Ben the even ones from 2 to 10."""
    match = match_of(plays(10, turn=range(1, 11), player=[0, 1] * 5))
    found = beside_a_list(match, turns, games)
    assert isinstance(found, str)
    assert f"5 would with {words}" in found


def test_of_two_rows_about_a_decision_the_first_is_taken() -> None:
    found = beside_a_list(match_of(plays(3, turn=[1, 3, 5])), [3, 1, 3])
    assert isinstance(found, Listed)
    assert found.row_of.tolist() == [1, 0, -1]
    assert found.repeated.tolist() == [False, False, True]
