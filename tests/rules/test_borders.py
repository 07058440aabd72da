"""Where exactly each rule begins and ends: the border itself, and the nearest number on either side
of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reconcile.match.board.position import START
from reconcile.match.columns import Plays
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
        rules, _ = rule_set("xg").for_match(match_of(plays(flag=[0]), tool=tool))
        assert rules.answers["Q01"] == used


CUBE: dict[str, list[tuple[tuple[float, ...], bool]]] = {
    "Q02 xg bgblitz": [((0.2, 0.0), False), ((below(0.2), 0.0), True)],
    "Q02 gnubg": [
        ((0.16, 0.0), False),
        ((below(0.16), 0.0), True),
        ((0.5, 1.2, 0.3), True),  # the best action less 1, whatever a pass is: 0.5 - 1
        ((1.0, 1.4, 1.3), False),  # 1.3 - 1
    ],
    "Q02 gnubg-manual": [
        ((0.50, 0.25), True),  # no double less double/take is 0.25
        ((0.25, 0.50), True),
        ((above(0.50), 0.25), False),
        ((0.0, 0.75), True),  # 1 - 0.75
        ((0.0, below(0.75)), False),
        ((0.0, 1.25), True),
        ((0.0, above(1.25)), False),
        ((1.0, 0.5), False),  # not too good yet
        ((above(1.0), 0.5), True),
    ],
    "Q02 window-0.16": [
        ((0.16, 0.0), True),
        ((0.0, 0.16), True),
        ((above(0.16), 0.0), False),
        ((0.0, above(0.16)), False),
    ],
    **{
        f"Q03 {answer}": [
            ((below(border), below(border)), False),
            ((border, below(border)), True),
            ((below(border), border), True),
            ((border + 0.3, border - 0.3), True),
            ((border - 0.3, border + 0.3), True),
        ]
        for answer, border in (("minus-0.9", -0.9), ("minus-0.5", -0.5))
    },
    "Q03 nd-positive": [((0.0, 0.5), False), ((above(0.0), 0.5), True)],
    "Q04 within-0.001-no no-unless-error trivial-no": [
        ((0.001, 0.0), True),
        ((0.0, 0.001), True),
        ((0.0009, 0.0), False),
        ((0.0, 0.0009), False),
    ],
    # A double that the opponent passes is optional when no double is worth 1 too.
    "Q04 within-0.001-no": [((1.0, 1.3), False), ((1.3, 1.3), True)],
}
"""By question and answers, equities of the cube and whether the decision counts."""


@pytest.mark.parametrize("rule", CUBE)
def test_border_of_a_rule_of_the_cube(rule: str) -> None:
    code, *answers = rule.split()
    for answer in answers:
        assert [counts(code, answer, view(*equities)) for equities, _ in CUBE[rule]] == [
            counted for _, counted in CUBE[rule]
        ]


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
    match = match_of(plays(), tool="blunderDB")
    source = replace(match.source, tool_version=version)
    assert own_rules(replace(match, source=source)).name == rules
