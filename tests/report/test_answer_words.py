"""Words of an answer: what an explanation does to a decision, and figures with their nouns."""

import pytest

from reconcile.infer.reported import named
from reconcile.report.text.investigation import change_of


def decision(**fields):
    usual = {
        "game": 2,
        "turn": 7,
        "kind": "take",
        "questions": (),
        "counted_from": True,
        "counted_to": True,
        "error_from": 0.1,
        "error_to": 0.1,
    }
    return {**usual, "mwc_from": 1.0, "mwc_to": 1.0, **fields}


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
