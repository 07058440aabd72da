"""XG's own figures, read off its statistics window, against ours."""

import json

import pytest

from reconcile.rules.rulesets import rule_set
from reconcile.scoring.statistics import statistics
from tests.support.data import label, matching, skipped_if_empty
from tests.support.loaded import loaded
from tests.support.reported import WINDOW, match_file, scored


def figures_of(computed, name):
    return computed.figures(computed.match.players.index(name))


def reported():
    cases = []
    for path in matching("real/*.xg-reported.json"):
        for name, window in json.loads(path.read_text("utf-8"))["xg"].items():
            cases += [
                pytest.param(
                    match_file(path), name, *figure, id=f"{label(path)}-{name}-{figure[0]}"
                )
                for figure in window.items()
            ]
    return skipped_if_empty(cases, 4)


@pytest.mark.parametrize(("path", "name", "figure", "printed"), reported())
def test_figure_rounds_to_the_digits_xg_prints(path, name, figure, printed):
    metric, decimals = WINDOW[figure]
    value = figures_of(scored(path), name)[metric]
    assert value is not None
    assert round(value, decimals) == printed


@pytest.mark.parametrize(
    ("name", "first", "highest"), [("charlot1", 0.070, 0.190), ("charlot2", 0.058, 0.240)]
)
def test_best_is_the_first_candidate_and_not_the_highest(data, name, first, highest):
    (path,) = data.glob("real/charlot1*.xg")
    other = statistics(loaded(path), rule_set("xg").switched("Q06", "max-candidate"))
    stored, maximum = (
        figures_of(each, name)["equity_error.checker"] for each in (scored(path), other)
    )
    assert stored is not None
    assert maximum is not None
    assert (round(stored, 3), round(maximum, 3)) == (first, highest)
