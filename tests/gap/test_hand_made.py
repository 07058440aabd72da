"""Comparisons of matches that were made by hand, as data: rows, steps, causes, and figures without
a bridge; the laws hold for each from either side."""

from dataclasses import replace
from operator import itemgetter

import pytest

from reconcile.gap.explanation import explanations
from tests.gap import rows
from tests.gap.mirror import unmirrored
from tests.support.balance import compared, shares_of, unbalanced
from tests.support.hand_made import match_from
from tests.support.hand_made_levels import LEVELS
from tests.support.tables import cases_of


def of_a_cube(kind, *sides_and_cause):
    """The comparison of two opinions on one cube decision."""
    *sides, cause = sides_and_cause
    names = ("no_double", "double_take", "stored_error")
    left, right = (
        {"plays": {}, "cubes": {"kind": [kind]} | dict(zip(names, side, strict=True))}
        for side in sides
    )
    causes = {"equity_error": [f"engine {cause}"]}
    return {"claim": f"{cause}, {kind}", "left": left, "right": right, "causes": causes}


CASES = [
    *cases_of(__file__, "comparisons"),
    *(of_a_cube(*row) for row in cases_of(__file__, "cube_decisions")),
]


@pytest.mark.parametrize("case", CASES, ids=itemgetter("claim"))
def test_comparison_made_by_hand(case):
    left, right = (
        replace(match_from(case.get(side) or case["both"]), levels=LEVELS)
        for side in ("left", "right")
    )
    rules = case.get("rules", ("xg", "xg"))
    there, back = compared(left, right, *rules), compared(right, left, *rules[::-1])
    assert unbalanced(there, games=False) == unmirrored(there, back, games=False) == []
    assert rows.faults(there) == rows.unmirrored(there, back) == []
    if "rows" in case:
        ann = next(each for each in explanations(there) if each.player == "Ann")
        assert list(ann.shown().story()) == case["rows"]
    for name, reason in case.get("reasons", {}).items():
        assert there.walk.bridge(name, 0).reason == reason
    for name, steps in case.get("steps", {}).items():
        changes = {step.code: step.change for step in there.walk.bridge(name, 0).steps}
        moved = {code: change for code, change in changes.items() if abs(change) > 1e-9}
        assert moved == pytest.approx(steps)
    titles = {step.code: step.title for step in there.walk.bridge("pr", 0).steps}
    for code, end in case.get("titles", {}).items():
        assert titles[code].endswith(end)
    for name, causes in case.get("causes", {}).items():
        every = shares_of(there.walk, [there.walk.bridge(name, 0)])
        assert [f"{each.step} {each.cause}" for each in every] == causes
        said = [list(each.said) for each in every]
        assert case.get("said", {}).get(name, said) == said
