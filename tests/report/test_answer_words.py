"""What decides which sentence an answer has: the number of changes, of rules that give a figure, of
decisions, and what is open.
"""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reconcile.infer.investigation import investigate
from reconcile.infer.reported import named
from reconcile.infer.turning import Turning
from reconcile.report.answer import answer, change_of
from tests.report import samples
from tests.support.hand_made import cubes, match_of, plays
from tests.support.loaded import DEMONSTRATION

XG = Path(f"{DEMONSTRATION}.xg")
ONE_FIGURE = re.compile(r"would (decide|narrow it down): (.+)\.$")


def decision(**fields):
    usual: dict[str, Any] = {
        "game": 2,
        "turn": 7,
        "kind": "take",
        "questions": (),
        "counted_from": True,
        "counted_to": True,
        "error_from": 0.1,
        "error_to": 0.1,
    }
    return Turning(
        **{**usual, "mwc_from": 1.0, "mwc_to": 1.0, "xgid": "", "gnubg_id": "", **fields}
    )


@pytest.mark.parametrize(
    ("turning", "words"),
    [
        (decision(counted_from=False), "counts now"),
        (decision(counted_to=False), "no longer counts"),
        (decision(error_to=0.25), "error 0.100 -> 0.250"),
        (decision(error_to=0.1004), "error 0.1000 -> 0.1004"),
        (decision(error_to=0.1000007), "error 0.100000 -> 0.100001"),
        (decision(counted_to=False, error_to=0.0), "no longer counts, error 0.100 -> 0.000"),
        (decision(error_to=0.1 + 1e-9), ""),
        (decision(mwc_from=1.25, mwc_to=1.5), "MWC lost 1.250 -> 1.500 %"),
        (decision(error_to=0.2, mwc_to=1.5), "error 0.100 -> 0.200"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_change_of_a_decision_is_whether_it_counts_and_what_it_costs(turning, words):
    assert change_of(turning) == words


def test_rules_told_apart_by_a_further_figure_are_counted_once_each():
    investigation = samples.nora(pr="7.16")
    rules = {rule_set.name for rule_set in investigation.rule_sets if rule_set.fits} | {
        explanation.rules for explanation in investigation.explanations[:10]
    }
    sentence = ONE_FIGURE.search(answer(investigation)[-1])
    assert sentence is not None
    assert sentence[1] == "narrow it down"
    more = [int(number) for number in re.findall(r"\(and (\d+) more\)", sentence[2])]
    assert len(sentence[2].split(", ")) + sum(more) == len(rules)


def test_figure_that_is_another_for_every_rule_set_decides():
    investigation = samples.nora(pr="7.16")
    two = replace(
        investigation,
        rule_sets=tuple(
            rule_set
            for rule_set in investigation.rule_sets
            if rule_set.name in ("xg", "gammonview")
        ),
        explanations=investigation.explanations[:1],
    )
    assert two.explanations[0].rules == "xg"
    sentence = ONE_FIGURE.search(answer(two)[-1])
    assert sentence is not None
    assert sentence.groups() == ("decide", "22.35 for xg, 22.36 for gammonview")


def test_a_program_may_count_so_itself_only_where_its_answer_is_open():
    """Whether XG counts the no-double of a losing side is not known outside (Q03); which plays it
    counts is.
    """
    losing = match_of(
        plays(turn=[3]),
        cubes(turn=[3], no_double=[-0.6], double_take=[-0.65]),
        tool="eXtreme Gammon",
    )
    open_one = answer(investigate(losing, "Ann", {"decisions.double": "0"}))
    assert sum("XG may count so itself" in sentence for sentence in open_one) == 1
    closed = samples.nora(pr="6.47")
    assert [difference.question for difference in closed.explanations[0].differences] == [
        "Q01",
        "Q02",
    ]
    assert not any("may count so itself" in sentence for sentence in answer(closed))


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("decisions.take", "1 take or pass"),
        ("decisions.double", "1 double decision"),
        ("decisions.counted", "1 decision"),
        ("pr", "PR 1"),
    ],
)
def test_one_of_a_kind_is_named_in_the_singular(metric, words):
    assert named([(metric, "1")]) == words
