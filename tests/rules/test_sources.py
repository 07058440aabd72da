"""What gnuBG's manual, a mail on its files and blunderDB's page say of statistics: their
numbers come out here, and where a page errs the measured fact is shown; real money sessions of
XG."""

from dataclasses import replace

import numpy as np
import pytest

from reconcile.report.blocks import text
from reconcile.report.text.statistics import statistics_blocks
from reconcile.results.statistics import statistics_document
from reconcile.rules.rulesets import QUESTIONS, rule_set
from reconcile.scoring.gnubg_table import GnubgManual, manual_results
from reconcile.scoring.grades import RATINGS, rating
from reconcile.scoring.statistics import statistics
from tests.support.data import cases
from tests.support.loaded import loaded, real
from tests.support.tables import cases_of


def real_statistics(pattern, rules=None):
    """The statistics of the one file of the real ones that a pattern names."""
    return statistics(real(pattern), rules)


def test_ratings_are_those_of_the_manual():
    for border, word in cases_of(__file__, "ratings_of_the_manual"):
        assert (rating(border, 20) or "").lower() == word.lower()
    assert len(RATINGS) == len(cases_of(__file__, "ratings_of_the_manual")) - 1


@pytest.mark.parametrize("path", cases("real/*_2ply.sgf", "gnubg/m0[2-5]*.sgf"))
def test_mwc_against_current_opponent_is_50_less_own_errors_plus_the_opponent_s(path):
    each = statistics(loaded(path), "gnubg-manual")
    mine, theirs = (manual_results(each, seat) for seat in (0, 1))
    lost = [each.figures(seat)["mwc_loss_percent.total"] for seat in (0, 1)]
    assert lost[0] is not None
    assert lost[1] is not None
    against = mine.mwc_against_current_opponent_percent
    assert against == pytest.approx(min(max(50 - lost[0] + lost[1], 0), 100))
    assert theirs.mwc_against_current_opponent_percent == pytest.approx(100 - (against or 0))
    assert mine.actual_result_percent in (pytest.approx(0, abs=1e-4), pytest.approx(100, abs=1e-4))
    assert statistics_document(each).players[0].gnubg_manual == mine
    assert "MWC against current opponent (%)" in text(statistics_blocks(each))


def test_mwc_against_current_opponent_ends_at_100_and_is_unknown_without_analysis_or_for_money(
    data,
):
    """The manual: a lucky opponent who plays badly gives up more than there is."""
    match = real_statistics("real/match_with_comment_2ply.sgf").match
    worst = np.where(match.plays.player == 1, match.plays.played - 9, match.plays.played)
    awful = statistics(
        replace(match, plays=match.plays.replaced(played=worst.astype(np.float32))), "gnubg-manual"
    )
    for seat, against in ((0, 100), (1, 0)):
        assert manual_results(awful, seat).mwc_against_current_opponent_percent == against
    unanalysed, money = (
        manual_results(real_statistics(f"gnubg/{name}*.sgf", "gnubg-manual"), 0)
        for name in ("m14", "m09")
    )
    assert unanalysed.mwc_against_current_opponent_percent is None
    assert unanalysed.luck_adjusted_result_percent is None
    assert money == GnubgManual(None, None, None)


@pytest.mark.parametrize("path", cases("bgblitz/xg/B4*.xg", "bgblitz/xg/Sz*.xg"))
def test_money_session_is_settled_and_has_every_figure_but_those_of_a_match(
    path,
):
    match = loaded(path)
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
