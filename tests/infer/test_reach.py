"""How far counting reaches, and which further figure is asked for: the plainest that tells most
rules apart and is not known yet."""

from __future__ import annotations

import numpy as np
import pytest

from reconcile.infer.reported import EXPLORED, read_reported
from reconcile.infer.turning import deciding, reach


def three_rules(**figures: tuple[float, float, float]) -> list[tuple[str, dict[str, float | None]]]:
    """Rules `a`, `b` and `c` whose figures are all 1 but for those given, one value for each."""
    named = {name.replace("__", "."): values for name, values in figures.items()}
    return [
        (rules, {name: named.get(name, (1.0,) * 3)[index] for name in EXPLORED})
        for index, rules in enumerate("abc")
    ]


def test_a_count_decides_before_a_sum_and_a_sum_before_a_rate() -> None:
    rate: dict[str, tuple[float, float, float]] = {"pr": (1, 2, 3)}
    lost = {**rate, "equity_error__take": (1.0, 2.0, 2.0)}
    assert deciding(three_rules(**rate), (), ()) == (
        "pr",
        {"1.00": ["a"], "2.00": ["b"], "3.00": ["c"]},
    )
    assert deciding(three_rules(**lost), (), ()) == (
        "equity_error.take",
        {"1.000": ["a"], "2.000": ["b", "c"]},
    )
    counts = deciding(three_rules(**lost, decisions__double=(5, 5, 6)), (), ())
    assert counts == ("decisions.double", {"5": ["a", "b"], "6": ["c"]})


def test_of_several_counts_the_one_that_tells_most_rules_apart_decides() -> None:
    rules = three_rules(
        decisions__checker=(5, 5, 6), decisions__double=(5, 6, 7), decisions__take=(5, 6, 6)
    )
    result = deciding(rules, (), ())
    assert result is not None
    assert result[0] == "decisions.double"


@pytest.mark.parametrize(
    ("names", "not_printed"), [(["decisions.double"], []), ([], ["decisions.double"])]
)
def test_what_is_known_or_what_the_tool_does_not_print_is_not_asked_for(
    names: list[str], not_printed: list[str]
) -> None:
    rules = three_rules(decisions__double=(5, 6, 7), cube_pr=(5, 6, 7))
    result = deciding(rules, names, not_printed)
    assert result is not None
    assert result[0] == "cube_pr"


def test_rules_that_differ_only_beyond_the_printed_digits_are_not_told_apart() -> None:
    assert deciding(three_rules(pr=(1.001, 1.002, 1.004)), (), ()) is None


def test_reach_is_from_the_lowest_to_the_highest_and_knows_the_nearest() -> None:
    values = np.array([[7.5, np.nan], [6.0, 8.0]])
    (result,) = reach({"pr": values}, read_reported({"pr": "7.20"}))
    assert (result.low, result.high, result.nearest) == (6.0, 8.0, 7.5)
    (unknown,) = reach({"pr": np.array([np.nan])}, read_reported({"pr": "7.20"}))
    assert (unknown.low, unknown.high, unknown.nearest) == (None, None, None)
