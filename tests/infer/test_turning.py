"""The decisions on which an explanation turns: whose, of which game, and what moves the rate most
comes first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reconcile.infer.turning import kind_and_turn, turning
from reconcile.match.columns import Games, Kind
from reconcile.match.match import Match
from reconcile.match.met import load_met
from reconcile.rules import rule_set
from reconcile.scoring.score import Scored, score
from tests.support.hand_made import match_of, plays, resignations


def two_games(match: Match) -> Match:
    columns = {
        name: np.repeat(getattr(match.games, name), 2, axis=0)
        for name in Games.__annotations__
        if name != "number"
    }
    return replace(match, games=Games(2, {**columns, "number": np.array([1, 2])}))


def before_and_after(match: Match, **after: Any) -> tuple[Scored, Scored]:
    before = score(match, rule_set("xg"), load_met("Kazaross-XG2"))
    columns: dict[str, Any] = {name: np.array(values) for name, values in after.items()}
    return before, replace(before, **columns)


def test_what_moves_the_rate_most_comes_first_by_count_and_error_together() -> None:
    """Four decisions lose 0.4, a rate of 0.1; afterwards three lose 0.4, a rate of 0.1333.

    The third decision no longer counts nor costs anything, which alone hardly moves the rate: 0.3 /
    3 instead of 0.4 / 4. The second loses 0.1 more, which moves it by about 0.03.
    """
    match = match_of(plays(4, turn=[1, 3, 5, 7], stored_error=[0.3, 0.0, 0.1, 0.0]))
    before, after = before_and_after(
        match, counted=[True, True, False, True], error=[0.3, 0.1, 0.0, 0.0]
    )
    assert before.counted.all()
    result = list(turning(before, after, 0, None))
    assert [(decision.turn, decision.counted_from, decision.counted_to) for decision in result] == [
        (3, True, True),
        (5, True, False),
    ]
    assert [(decision.error_from, decision.error_to) for decision in result] == [
        (0.0, 0.1),
        (0.1, 0.0),
    ]


def test_a_decision_that_no_longer_counts_moves_the_rate_by_what_the_others_lose() -> None:
    """Three decisions lose 0.3; the second loses 0.1 more, which moves the rate by 0.0417, and
    without the third it moves by 0.0583."""
    match = match_of(plays(3, turn=[1, 3, 5], stored_error=[0.3, 0.0, 0.0]))
    before, after = before_and_after(match, counted=[True, True, False], error=[0.3, 0.1, 0.0])
    assert [decision.turn for decision in turning(before, after, 0, None)] == [5, 3]


def test_only_decisions_of_the_player_and_the_game_are_named() -> None:
    match = two_games(match_of(plays(3, game=[0, 1, 1], turn=[1, 2, 3], player=[0, 0, 1])))
    before, after = before_and_after(match, error=[0.2, 0.3, 0.4])
    assert [(decision.game, decision.turn) for decision in turning(before, after, 0, None)] == [
        (2, 2),
        (1, 1),
    ]
    assert [(decision.game, decision.turn) for decision in turning(before, after, 0, 0)] == [(1, 1)]
    assert [(decision.game, decision.turn) for decision in turning(before, after, 1, 1)] == [(2, 3)]


def test_a_resignation_is_in_the_turn_after_the_last_roll_of_its_own_game() -> None:
    match = two_games(match_of(plays(4, game=[0, 0, 1, 1], turn=[1, 2, 1, 9])))
    match = replace(match, resignations=resignations(0.2))
    assert kind_and_turn(match, 4) == (Kind.RESIGN, 3)
