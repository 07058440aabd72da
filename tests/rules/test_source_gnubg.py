"""gnuBG's manual on its overall rating, and Guido Flohr's mail on the cube analysis of an SGF:
their numbers come out here."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reconcile.report.blocks import text
from reconcile.report.text.statistics import statistics_blocks
from reconcile.results.statistics import statistics_document
from reconcile.rules import QUESTIONS
from reconcile.scoring.gnubg_table import GnubgManual, GnubgTable, manual_results
from reconcile.scoring.grades import RATINGS, rating
from reconcile.scoring.statistics import statistics
from tests.support.computed import figures, real_statistics, statistics_of
from tests.support.data import FOLDER, cases

# -- gnuBG's manual
# ------------------------------------------------------------------------------------------------

THRESHOLDS = [0.000, 0.002, 0.005, 0.008, 0.012, 0.018, 0.026, 0.035]
WORDS = [
    "Supernatural",
    "World Class",
    "Expert",
    "Advanced",
    "Intermediate",
    "Casual Player",
    "Beginner",
    "Awful!",
]


def test_ratings_are_those_of_the_manual() -> None:
    assert [border for border, _ in RATINGS] == THRESHOLDS[1:]
    assert [word.lower() for _, word in RATINGS] == [word.lower() for word in WORDS[:-1]]
    for border, word in zip(THRESHOLDS, WORDS, strict=True):
        assert (rating(border) or "").lower() == word.lower()


def test_manual_and_code_count_other_no_doubles_and_are_two_rule_sets(data: Path) -> None:
    match = real_statistics("real/charlot1*.xg").match
    code, manual = (
        sum(figures(match, name, seat)["decisions.double"] for seat in (0, 1))
        for name in ("gnubg", "gnubg-manual")
    )
    assert code < manual
    assert QUESTIONS["Q02"].answers["gnubg-manual"].page != QUESTIONS["Q02"].answers["gnubg"].page


@pytest.mark.parametrize("path", cases("gnubg/m0[2-5]*.sgf"))
def test_luck_adjusted_result_is_the_actual_one_less_the_luck_of_both(path: Path) -> None:
    """The manual adds 50 %, which 1.07 and later no longer print; the sum itself is as it says."""
    table = GnubgTable(statistics_of(path))
    for seat in (0, 1):
        mine, theirs = table.table(seat)["dice"], table.table(1 - seat)["dice"]
        expected = mine["actual-result"] - mine["luck-cost"] + theirs["luck-cost"]
        assert mine["luck-adjusted-result"] == pytest.approx(expected, abs=1e-5)
        assert mine["actual-result"] == pytest.approx(-theirs["actual-result"])
    printed = path.with_name(path.name.replace(".sgf", ".stats.txt")).read_text("utf-8")
    assert "MWC against current opponent" not in printed
    actual = re.search(r"^Actual result +([+-][\d.]+)%", printed, re.M)
    assert actual is not None
    assert 100 * table.table(0)["dice"]["actual-result"] == pytest.approx(
        float(actual[1]), abs=0.006
    )


@pytest.mark.parametrize("path", cases("real/*_2ply.sgf", "gnubg/m0[2-5]*.sgf"))
def test_mwc_against_current_opponent_is_50_less_own_errors_plus_the_opponent_s(path: Path) -> None:
    each = statistics_of(path, "gnubg-manual")
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
    data: Path,
) -> None:
    """The manual: a lucky opponent who plays badly gives up more than there is."""
    match = real_statistics("real/match_with_comment_2ply.sgf").match
    worst = np.where(match.plays.player == 1, match.plays.played - 9, match.plays.played)
    awful = statistics(
        replace(match, plays=match.plays.replaced(played=worst.astype(np.float32))), "gnubg-manual"
    )
    assert [
        manual_results(awful, seat).mwc_against_current_opponent_percent for seat in (0, 1)
    ] == [100, 0]
    unanalysed, money = (
        real_statistics(f"gnubg/{name}*.sgf", "gnubg-manual") for name in ("m14", "m09")
    )
    assert manual_results(unanalysed, 0).mwc_against_current_opponent_percent is None
    assert manual_results(unanalysed, 0).luck_adjusted_result_percent is None
    assert manual_results(money, 0) == GnubgManual(None, None, None)


def test_rate_of_gnubg_is_higher_than_snowie_s_by_what_is_measured_and_not_always_1_4(
    data: Path,
) -> None:
    ratios = []
    for path in sorted(FOLDER.glob("real/*_2ply.sgf")):
        for seat in (0, 1):
            own = statistics_of(path).figures(seat)
            assert own["error_rate_memg"]
            assert own["snowie_memg"]
            ratios.append(own["error_rate_memg"] / own["snowie_memg"])
    assert len(ratios) == 8
    assert min(ratios) > 1.4
    assert max(ratios) - min(ratios) > 0.2
