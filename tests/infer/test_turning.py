"""What an explanation turns on: the decisions, what moves the rate most first; how far counting
reaches; which further figure is asked for."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reconcile.infer.investigation import reach, turning
from reconcile.infer.reported import read_reported
from reconcile.match.met import load_met
from reconcile.rules.rulesets import rule_set
from reconcile.scoring.score import score
from tests.support.hand_made import match_of, of_games, plays, resignations


def two_games(match):
    return of_games(match, 2, number=np.array([1, 2]))


def before_and_after(match, **after):
    before = score(match, rule_set("xg"), load_met("Kazaross-XG2"))
    columns: dict[str, Any] = {name: np.array(values) for name, values in after.items()}
    return before, replace(before, **columns)


FOUR = plays(4, turn=[1, 3, 5, 7], stored_error=[0.3, 0.0, 0.1, 0.0])
THREE = plays(3, turn=[1, 3, 5], stored_error=[0.3, 0.0, 0.0])


@pytest.mark.parametrize(
    ("rolls", "counted", "error", "turns"),
    [
        (FOUR, [True, True, False, True], [0.3, 0.1, 0.0, 0.0], [(3, True), (5, False)]),
        (THREE, [True, True, False], [0.3, 0.1, 0.0], [(5, False), (3, True)]),
    ],
)
def test_what_moves_the_rate_most_comes_first_by_count_and_error_together(
    rolls, counted, error, turns
):
    """Four decisions lose 0.4, a rate of 0.1; afterwards three lose 0.4, a rate of 0.1333. The
    third no longer counts nor costs anything, which alone hardly moves the rate: 0.3 / 3 instead of
    0.4 / 4. The second loses 0.1 more, which moves it by about 0.03. Of three that lose 0.3 the
    second loses 0.1 more, which moves the rate by 0.0417, and without the third it moves by
    0.0583."""
    before, after = before_and_after(match_of(rolls), counted=counted, error=error)
    assert [(each["turn"], each["counted_to"]) for each in turning(before, after, 0, None)] == turns


def test_a_rate_per_move_has_only_the_decisions_that_cost_otherwise():
    """Of four the third counts no longer, and the last loses more than the second."""
    before, after = before_and_after(
        match_of(FOUR), counted=[True, True, False, True], error=[0.3, 0.1, 0.1, 0.2]
    )
    turned = turning(before, after, 0, None, counting=False)
    assert [each["turn"] for each in turned] == [7, 3]


@pytest.mark.parametrize(
    ("seat", "game", "turns"), [(0, None, [(2, 2), (1, 1)]), (0, 0, [(1, 1)]), (1, 1, [(2, 3)])]
)
def test_only_decisions_of_the_player_and_the_game_are_named(seat, game, turns):
    match = two_games(match_of(plays(3, game=[0, 1, 1], turn=[1, 2, 3], player=[0, 0, 1])))
    before, after = before_and_after(match, error=[0.2, 0.3, 0.4])
    assert [(each["game"], each["turn"]) for each in turning(before, after, seat, game)] == turns


def test_question_is_named_whose_answer_alone_counts_a_decision_otherwise():
    before, after = before_and_after(match_of(THREE), counted=[True, False, False])
    alone = {"Q01": replace(before, counted=np.array([True, False, True])), "Q06": before}
    result = {each["turn"]: each["questions"] for each in turning(before, after, 0, None, alone)}
    assert result == {3: ("Q01",), 5: ("Q01", "Q06")}  # of the last no answer alone is enough


def test_a_resignation_is_in_the_turn_after_the_last_roll_of_its_own_game():
    match = two_games(match_of(plays(4, game=[0, 0, 1, 1], turn=[1, 2, 1, 9])))
    match = replace(match, resignations=resignations(0.2))
    assert match.turns[4] == 3


def test_reach_is_from_the_lowest_to_the_highest_and_knows_the_nearest():
    values = np.array([[7.5, np.nan], [6.0, 8.0]])
    (result,) = reach({"pr": values}, read_reported({"pr": "7.20"}))
    assert result == ("pr", 6.0, 8.0, 7.5)
    (unknown,) = reach({"pr": np.array([np.nan])}, read_reported({"pr": "7.20"}))
    assert unknown == ("pr", None, None, None)
