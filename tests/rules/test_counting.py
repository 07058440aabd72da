"""Q01 to Q04, which decisions count: every answer has a hand-made decision that tells it apart from
every other answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from reconcile.match.columns import Kind, Validity
from reconcile.rules import QUESTIONS
from tests.support.hand_made import cubes, judged, match_of, plays, view

DECISIONS: dict[str, dict[str, dict[str, Any]]] = yaml.safe_load(
    Path(__file__).with_name("counting.yaml").read_text("utf-8")
)
NAMED = {"validity": Validity, "kind": Kind}


@pytest.mark.parametrize(
    ("table", "code"), [("plays", "Q01"), *(("cubes", code) for code in ("Q02", "Q03", "Q04"))]
)
def test_decisions_that_count(table: str, code: str) -> None:
    counted: dict[str, set[str]] = {}
    for name, case in DECISIONS[table].items():
        facts: Any = {
            key: NAMED[key][value] if key in NAMED else value for key, value in case.items()
        }
        del facts["left_out"]
        row: Any = (
            plays(1, **{key: [value] for key, value in facts.items()})
            if table == "plays"
            else view(*facts.pop("equities"), **facts)
        )
        counted[name] = {
            answer for answer, rule in QUESTIONS[code].answers.items() if rule.value(row)[0]
        }
    assert counted == {
        name: {*QUESTIONS[code].answers} - {*case["left_out"]}
        for name, case in DECISIONS[table].items()
    }


@pytest.mark.parametrize("answer", ["xg", "gnubg"])
def test_doubles_and_answers_always_count(answer: str) -> None:
    far = cubes(
        3, kind=[Kind.DOUBLE, Kind.TAKE, Kind.PASS], no_double=[0.9] * 3, double_take=[-0.9] * 3
    )
    assert judged(match_of(cube=far), "Q02", answer).counted.tolist() == [True] * 3
