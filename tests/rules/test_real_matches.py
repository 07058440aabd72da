"""Real money sessions of XG, which decide nothing that is open."""

import pytest

from reconcile.rules import QUESTIONS, rule_set
from reconcile.scoring.statistics import statistics
from tests.support.data import cases
from tests.support.loaded import loaded


@pytest.mark.parametrize("path", cases("bgblitz/xg/B4*.xg", "bgblitz/xg/Sz*.xg"))
def test_money_session_is_settled_and_has_every_figure_but_those_of_a_match(
    path,
):
    match = loaded(path)
    games = match.games
    assert games.resigned.tolist() == [False] * (len(games) - 1) + [True]
    assert games.points[-1] > 0
    assert match.complete
    assert not match.rules.jacoby
    assert not match.rules.beavers
    computed = statistics(match)
    rest = [
        statistics(match, rule_set("xg").switched("Q03", name)) for name in QUESTIONS["Q03"].answers
    ]
    for seat in (0, 1):
        figures = computed.figures(seat)
        missing = {name for name, value in figures.items() if value is None}
        assert {name for name in missing if "mwc" in name} == {
            name for name in figures if "mwc" in name
        }
        assert all(coverage.complete for coverage in computed.completeness(seat).values())
        assert {other.figures(seat)["decisions.double"] for other in rest} == {
            figures["decisions.double"]
        }
