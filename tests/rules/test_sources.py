"""What gnuBG's manual, a mail on its files and blunderDB's page say of statistics: their
numbers come out here, and where a page errs the measured fact is shown."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reconcile.gap.tolerances import load_tolerances
from reconcile.match.columns import Kind, Validity
from reconcile.report.blocks import text
from reconcile.report.text.statistics import statistics_blocks
from reconcile.results.statistics import statistics_document
from reconcile.rules import QUESTIONS, RULE_SETS
from reconcile.scoring.gnubg_table import GnubgManual, GnubgTable, manual_results
from reconcile.scoring.grades import RATINGS, rating
from reconcile.scoring.statistics import legal_plays, statistics
from tests.rules.computed import figures, real_statistics, statistics_of
from tests.support.data import FOLDER, cases
from tests.support.hand_made import view
from tests.support.tables import cases_of

# -- gnuBG's manual
# ------------------------------------------------------------------------------------------------


def test_ratings_are_those_of_the_manual():
    for border, word in cases_of(__file__, "ratings_of_the_manual"):
        assert (rating(border, 20) or "").lower() == word.lower()
    assert len(RATINGS) == len(cases_of(__file__, "ratings_of_the_manual")) - 1


def test_manual_and_code_count_other_no_doubles_and_are_two_rule_sets(data):
    match = real_statistics("real/charlot1*.xg").match
    code, manual = (
        sum(figures(match, name, seat)["decisions.double"] for seat in (0, 1))
        for name in ("gnubg", "gnubg-manual")
    )
    assert code < manual
    assert QUESTIONS["Q02"].answers["gnubg-manual"].page != QUESTIONS["Q02"].answers["gnubg"].page


@pytest.mark.parametrize("path", cases("gnubg/m0[2-5]*.sgf"))
def test_luck_adjusted_result_is_the_actual_one_less_the_luck_of_both(path):
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
def test_mwc_against_current_opponent_is_50_less_own_errors_plus_the_opponent_s(path):
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


def test_rate_of_gnubg_is_higher_than_snowie_s_by_what_is_measured_and_not_always_1_4(
    data,
):
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


DEMONSTRATION = "reference_matches/demonstration/nora-lindqvist-tomas-beck.xg"


def test_both_tolerance_tables_of_the_page_can_be_chosen():
    tables = load_tolerances().tables
    for name, bounds in cases_of(__file__, "tolerance_tables_of_the_page"):
        assert {metric: entry.abs for metric, entry in tables[name].entries.items()} == bounds


def test_close_cube_is_one_sided_and_a_missed_double_counts_however_large(data):
    """The page: within [-0.16, +0.16] around the doubling point."""
    code, page = (QUESTIONS["Q02"].answers[name].value for name in ("gnubg", "window-0.16"))
    missed = view(0.0, 0.6)
    assert code(missed)[0]
    assert not page(missed)[0]
    match = real_statistics("real/match_with_comment.xg", "gnubg")
    lost = match.scored.error[len(match.match.plays) :]
    both = [
        rule(match.scored.view) & (match.match.cubes.kind == Kind.NO_DOUBLE)
        for rule in (code, page)
    ]
    only = np.flatnonzero(both[0] & ~both[1])
    (row,) = only.tolist()
    place = match.match.cubes.game[row] + 1, match.match.cubes.turn[row]
    assert (*place, round(float(lost[row]), 3)) == (8, 9, 0.218)
    assert not (both[1] & ~both[0]).any()


@pytest.mark.parametrize(
    "path", cases("real/*_0ply.sgf", "real/*_2ply.sgf", "real/test.sgf", "gnubg/m0*.sgf")
)
def test_forced_moves_can_be_told_from_an_sgf(path):
    """The page: an SGF does not allow it. One legal play is a list of one; no legal play is an
    empty move without a list."""
    computed = statistics_of(path)
    table = computed.match.plays
    rolled = table.validity == Validity.VALID
    exact = legal_plays(table)
    from reconcile.match.board.play import count_legal_plays

    for row in np.flatnonzero(rolled).tolist()[:400]:
        first, second = table.dice[row].tolist()
        true = count_legal_plays(table.position[row].tolist(), first, second, stop_after=2)
        # A dance leads to one position as well: the one there was.
        assert min(int(exact[row]), 2) == true or {int(exact[row]), true} == {0, 1}, row
    lines = rolled & (table.legal >= 0)
    assert lines.sum() == rolled.sum()


@pytest.mark.parametrize("path", cases("gnubg/m0[2-5]*.sgf"))
def test_cached_counters_of_an_sgf_hold_no_count_of_close_cubes(path):
    """What the page takes for missing data: `GS` has errors and numbers of doubles, takes, passes,
    but not how many were close."""
    computed = statistics_of(path)
    table = GnubgTable(computed)
    blocks = re.findall(r"GS\[M:[^\]]*\]\[C:([^\]]*)\]", path.read_text("utf-8"))
    assert len(blocks) == len(computed.match.games)
    for game, block in enumerate(blocks):
        words = block.split()
        counters = [
            table.counts.games[name] for name in ("total-cube", "n-doubles", "n-takes", "n-drops")
        ]
        assert [int(word) for word in words[:8]] == [
            counter[game][seat] for counter in counters for seat in (0, 1)
        ]
        # Then how many were wrong in six ways, and the errors.
        assert all(int(word) <= int(words[index % 2]) for index, word in enumerate(words[8:20]))
        assert all("." in word for word in words[20:])


def test_line_numbers_cited_with_the_rules_are_those_of_the_source_read():
    """Of release 1.07.001 (71d14bc6); the page cites those of 1.08.003."""
    for rules, code, line in cases_of(__file__, "line_numbers_cited"):
        assert line in (RULE_SETS[rules].evidence[code].source or ""), code


def test_residuals_of_blunderdb_are_one_decision_each_and_follow_from_the_file(data):
    """Charlot2: rounding every equity to the thousandth leaves two plays out that XG counts; XG's
    byte gives XG's count."""
    match = real_statistics("real/charlot1*.xg").match
    by_rule: dict[str, Any] = {}
    for name in ("xg-flag", "blunderdb"):
        rules: Any = RULE_SETS["xg"].switched("Q01", name)
        by_rule[name] = figures(match, rules, 1)["decisions.checker"]
    assert by_rule["xg-flag"] == 64
    assert 0 < by_rule["xg-flag"] - by_rule["blunderdb"] <= 5
