"""Figures, counts and costs of matches that were made by hand, as data."""

from operator import itemgetter

import pytest

from reconcile.scoring.gnubg_table import GnubgTable
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.hand_made import match_from, ruled
from tests.support.tables import cases_of


def result(computed, subject):
    """A player's figures, the coverage of Ann's analysis, her table of gnuBG's, or a column."""
    if subject in computed.match.players:
        return computed.figures(computed.match.players.index(subject))
    if subject == "coverage":
        return {
            part: [covered.expected, covered.analysed]
            for part, covered in computed.completeness(0).items()
        }
    if subject in ("moves", "cube", "dice"):
        table = GnubgTable(computed).table(0)[subject]
        return table | table.get("marked", {}) | table.get("marked-rolls", {})
    return getattr(computed.scored, subject).tolist()


@pytest.mark.parametrize("case", cases_of(__file__, "matches"), ids=itemgetter("claim"))
def test_match_made_by_hand_has_these_figures(case):
    for rules, subjects in some(case["rules"].items()):
        computed = statistics(match_from(case), ruled(rules))
        for subject, expected in some(subjects.items()):
            values = result(computed, subject)
            for name, value in expected.items() if isinstance(expected, dict) else ():
                near = value if value is None else pytest.approx(value, rel=1e-6, abs=1e-9)
                assert values[name] == near, (rules, name)
            if isinstance(expected, list):
                assert values == pytest.approx(expected), (rules, subject)
