"""The sentence that every output begins with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reconcile.gap.comparison import compare
from reconcile.gap.naming import pair_labels
from reconcile.gap.tolerances import load_tolerances
from reconcile.gap.verdict import Figure
from reconcile.match.match import Match
from reconcile.report.verdict import Verdict, verdict_of
from reconcile.report.words import file_name, skill
from reconcile.scoring.statistics import statistics
from tests.report import samples
from tests.report.samples import figure

SNOWIE = figure("snowie_er", 3.0, 3.1, tolerance=0.5, verdict="within")
UNGATED = figure("cube_pr", 3.0, 9.0, tolerance=None, verdict="ungated")


def verdict(*figures: Figure, **changes: Any) -> Verdict:
    """Of the demonstration, two engines, with these figures, by a table that somebody chose."""
    return verdict_of(
        replace(
            samples.with_figures(samples.demonstration(), figures), **{"named": True, **changes}
        )
    )


def sentence(*figures: Figure) -> str:
    return verdict(*figures).sentence


def word(*figures: Figure) -> str:
    return verdict(*figures).word


def test_one_failure_is_named_with_what_was_allowed() -> None:
    assert (
        sentence(figure(), SNOWIE, UNGATED)
        == "1 of 2 figures within tolerance; PR of Black differs by 0.31 (allowed 0.10)."
    )


def test_gap_between_two_engines_is_no_alarm_and_says_what_the_tolerance_is_for() -> None:
    judgement = verdict(figure(), SNOWIE, named=False)
    assert (judgement.word, judgement.label, judgement.tone) == ("outside", "Two engines", "noted")
    assert judgement.sentence == (
        "PR of Black differs by 0.31; the documented 0.10 is for one analysis that is read twice. "
        "1 of 2 figures within tolerance."
    )
    assert verdict(SNOWIE, named=False).tone == "within"
    comparison = samples.demonstration()
    judgement = verdict(figure(), named=False, left=comparison.right)
    assert (judgement.label, judgement.tone) == ("Two analyses", "noted")
    assert judgement.sentence.endswith(
        "is for one analysis that is read twice. 0 of 1 figure within tolerance."
    )


def test_table_that_somebody_chose_and_two_readings_of_one_analysis_keep_their_alarm() -> None:
    left, right = samples.matches()
    tolerances = load_tolerances()
    chosen = [
        compare(left, right, tolerances),
        compare(left, right, table="xg-reported", need_verdict=False),
    ]
    assert [alarm.named for alarm in chosen] == [True, True]
    assert all(alarm.is_alarm for alarm in chosen)
    assert not compare(left, right).is_alarm
    read_again = compare(left, thousandths(left), left_rules="xg", right_rules="gnubg")
    assert read_again.is_alarm
    assert verdict_of(read_again).tone == verdict_of(read_again).word


def thousandths(match: Match) -> Match:
    """The match as a program that keeps the errors alone, in thousandths, reads it."""
    errors = statistics(match).scored.error.round(3)
    rows = len(match.plays)
    plays = match.plays.replaced(stored_error=errors[:rows])
    cubes = match.cubes.replaced(stored_error=errors[rows : rows + len(match.cubes)])
    return replace(
        match, plays=plays, cubes=cubes, source=replace(match.source, tool="Another reader")
    )


def test_worst_of_several_failures_is_the_one_that_exceeds_its_bound_most() -> None:
    mwc = figure("mwc_loss_percent.total", 1.0, 9.0, tolerance=1.0)
    assert sentence(figure(), mwc) == (
        "0 of 2 figures within tolerance. Worst of the 2 outside: MWC lost, all classes of Black "
        "differs by 8.00 pp (allowed 1.00)."
    )
    count = figure("decisions.counted", 10, 11, tolerance=0)
    assert "Decisions of Black differs by 1 (allowed 0)" in sentence(figure(), count)


def test_all_within_names_the_gap_nearest_to_its_bound() -> None:
    near = figure(left=4.12, right=4.19, verdict="within")
    assert (
        sentence(near, SNOWIE)
        == "All 2 figures within tolerance; nearest to its bound is PR of Black with a gap of 0.07 "
        "(allowed 0.10)."
    )
    assert (
        sentence(figure(right=4.12, verdict="within"), figure(right=4.12, verdict="within"))
        == "All 2 figures within tolerance."
    )


def test_incomplete_figures_are_counted_and_not_judged_and_nothing_to_judge_is_no_pass() -> None:
    missing = replace(figure(verdict="incomplete"), coverage="right: 27 of 94 cube decisions")
    assert sentence(SNOWIE, missing) == (
        "1 of 2 figures within tolerance; 1 incomplete and not judged (right: 27 of 94 cube "
        "decisions analysed)."
    )
    assert word(missing) == "incomparable"
    assert (
        sentence(missing) == "Not judged: PR of Black rests on an incomplete analysis "
        "(right: 27 of 94 cube decisions analysed)."
    )
    assert word(UNGATED) == "incomparable"
    assert (
        sentence(UNGATED)
        == "Not judged: the table documented names no figure that both sides have."
    )


def test_warning_does_not_fail_and_does_not_hide() -> None:
    warned = replace(figure(), level="warn")
    assert word(warned, SNOWIE) == "warned"
    assert sentence(warned, SNOWIE).endswith(
        "PR of Black differs by 0.31 (allowed 0.10, a warning only)."
    )


def test_each_side_is_rated_in_the_words_of_its_own_rules() -> None:
    left, right = samples.demonstration().left, samples.demonstration().right
    assert skill(left, 4.85, 9.7) == "World Class, XG's scale"
    assert skill(right, 4.85, 9.7) == "Advanced, gnuBG's scale"
    assert skill(left, None, None) == skill(right, None, None) == ""


def test_two_files_of_one_tool_have_two_labels() -> None:
    comparison = samples.demonstration()
    assert comparison.labels == ("XG", "gnuBG")
    assert pair_labels(("XG", "XG")) == ("XG (left)", "XG (right)")
    assert pair_labels(("XG", "XG"), ("3-ply", "XG Roller")) == ("XG 3-ply", "XG Roller")


@pytest.mark.parametrize(
    "path", ["/home/a/match.xg", "C:\\Users\\a\\match.xg", "match.xg", "a/match.xg"]
)
def test_file_name_keeps_no_folder(path: str) -> None:
    assert file_name(path) == "match.xg"
