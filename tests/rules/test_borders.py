"""Where exactly each rule begins and ends: the border itself, and the nearest number on either side
of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reconcile.match.board.position import START
from reconcile.match.columns import Plays
from reconcile.match.match import Match
from reconcile.rules import QUESTIONS, own_rules, rule_set
from reconcile.rules.views import CubeView
from tests.support.hand_made import match_of, plays, view


def below(number: float) -> float:
    """The nearest number that is smaller."""
    return float(np.nextafter(number, -np.inf))


def above(number: float) -> float:
    """The nearest number that is larger."""
    return float(np.nextafter(number, np.inf))


def counts(code: str, answer: str, case: CubeView | Plays) -> bool:
    return bool(QUESTIONS[code].answers[answer].value(case)[0])


@pytest.mark.parametrize("answer", ["xg-spread", "gnubg", "blunderdb"])
def test_one_legal_play_is_no_choice_whatever_its_candidates_say(answer: str) -> None:
    assert not counts("Q01", answer, plays(legal=[1], spread=[0.3], flag=[-1]))
    assert counts("Q01", answer, plays(legal=[2], spread=[0.3], flag=[-1]))


@pytest.mark.parametrize(
    ("highest", "spread", "counted"),
    [
        (0.5004, 0.0008, False),  # 0.5004 and 0.4996 are 0.500 both
        (0.5006, 0.0002, True),  # 0.5006 is 0.501, 0.5004 is 0.500, however near they are
        (0.500, 0.004, True),  # 0.500 and 0.496: equal to the hundredth, not to the thousandth
        (0.500, 0.0, False),
    ],
)
def test_blunderdb_rounds_each_equity_to_the_thousandth_and_compares_then(
    highest: float, spread: float, counted: bool
) -> None:
    every_play_kept = plays(
        legal=[16], highest=[highest], spread=[spread], position=[START], dice=[(3, 1)]
    )
    assert counts("Q01", "blunderdb", every_play_kept) is counted


def test_mark_of_a_blunderdb_database_is_not_taken_for_xg_s() -> None:
    for tool, used in (("eXtreme Gammon", "xg-flag"), ("blunderDB", "xg-spread")):
        assert (
            rule_set("xg").for_match(match_of(plays(flag=[0]), tool=tool))[0].answers["Q01"] == used
        )


def test_gnubg_weighs_the_best_action_against_a_double_worth_at_most_1_whatever_a_pass_is() -> None:
    # best - min(DT, 1) < 0.16
    assert counts("Q02", "gnubg", view(0.5, 1.2, 0.3))  # 0.5 - 1
    assert not counts("Q02", "gnubg", view(1.0, 1.4, 1.3))  # 1.3 - 1


@pytest.mark.parametrize(
    ("no_double", "double_take", "counted"),
    [
        (0.50, 0.25, True),  # ND - DT is 0.25
        (0.25, 0.50, True),
        (above(0.50), 0.25, False),
        (0.0, 0.75, True),  # 1 - DT is 0.25
        (0.0, below(0.75), False),
        (0.0, 1.25, True),  # DT - 1 is 0.25
        (0.0, above(1.25), False),
        (1.0, 0.5, False),  # not too good yet
        (above(1.0), 0.5, True),
    ],
)
def test_window_of_gnubg_s_manual_holds_0_25_itself_and_too_good_begins_above_1(
    no_double: float, double_take: float, counted: bool
) -> None:
    assert counts("Q02", "gnubg-manual", view(no_double, double_take)) is counted


def test_two_sided_window_holds_its_border() -> None:
    for no_double, double_take in ((0.16, 0.0), (0.0, 0.16)):
        assert counts("Q02", "window-0.16", view(no_double, double_take))
    for no_double, double_take in ((above(0.16), 0.0), (0.0, above(0.16))):
        assert not counts("Q02", "window-0.16", view(no_double, double_take))


@pytest.mark.parametrize(("answer", "border"), [("minus-0.9", -0.9), ("minus-0.5", -0.5)])
def test_no_double_is_left_out_only_where_both_equities_are_below_the_border(
    answer: str, border: float
) -> None:
    assert not counts("Q03", answer, view(below(border), below(border)))
    assert counts("Q03", answer, view(border, below(border)))
    assert counts("Q03", answer, view(below(border), border))
    assert counts("Q03", answer, view(border + 0.3, border - 0.3))
    assert counts("Q03", answer, view(border - 0.3, border + 0.3))


def test_winning_side_begins_above_0() -> None:
    assert not counts("Q03", "nd-positive", view(0.0, 0.5))
    assert counts("Q03", "nd-positive", view(above(0.0), 0.5))


@pytest.mark.parametrize("answer", ["within-0.001-no", "no-unless-error", "trivial-no"])
def test_difference_of_0_001_is_no_optional_double(answer: str) -> None:
    for no_double, double_take in ((0.001, 0.0), (0.0, 0.001)):
        assert counts("Q04", answer, view(no_double, double_take))
        assert not counts("Q04", answer, view(no_double * 0.9, double_take * 0.9))


def test_double_that_the_opponent_passes_is_optional_when_no_double_is_worth_1_too() -> None:
    assert not counts("Q04", "within-0.001-no", view(1.0, 1.3))
    assert counts("Q04", "within-0.001-no", view(1.3, 1.3))


@pytest.mark.parametrize(
    ("version", "rules"),
    [
        ("2.36.9", "blunderdb"),
        ("2.37", "blunderdb-2026"),
        ("2.37.0", "blunderdb-2026"),
        ("2.39.0", "blunderdb-2026"),
        (None, "blunderdb-2026"),
    ],
)
def test_blunderdb_counts_otherwise_from_schema_2_37_on(version: str | None, rules: str) -> None:
    table: Match = match_of(plays(), tool="blunderDB")
    assert (
        own_rules(replace(table, source=replace(table.source, tool_version=version))).name == rules
    )
