"""The sentence that every output begins with."""

from dataclasses import replace

import pytest

from reconcile.gap.comparison import compare
from reconcile.gap.rows import pair_labels
from reconcile.gap.tolerances import load_tolerances
from reconcile.report.words import file_name, verdict_of
from reconcile.scoring.statistics import statistics
from tests.report import samples
from tests.report.samples import figure
from tests.support.tables import beside

CASES = beside(__file__, "verdicts.yaml")


def verdict(*figures, **changes):
    """Of the demonstration, two engines, with these figures."""
    comparison = samples.with_figures(samples.demonstration(), figures)
    return verdict_of(replace(comparison, **changes))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.get("sentence", "within")[:60])
def test_sentence_about_judged_figures(case):
    figures = []
    for settings in case["figures"]:
        more = {name: settings[name] for name in ("coverage", "level") if name in settings}
        plain = {name: settings[name] for name in settings if name not in more}
        figures.append(replace(figure(**plain), **more))
    judgement = verdict(*figures, named=case.get("named", True))
    looks = judgement.word, judgement.label, judgement.tone
    assert looks == tuple(case.get("is", looks))
    assert judgement.sentence == case.get("sentence", judgement.sentence)


def test_two_analyses_by_one_program_are_called_so():
    judgement = verdict(figure(), named=False, left=samples.demonstration().right)
    assert (judgement.label, judgement.tone) == ("Two analyses", "noted")


def test_table_that_somebody_chose_and_two_readings_of_one_analysis_keep_their_alarm():
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


def thousandths(match):
    """The match as a program that keeps the errors alone, in thousandths, reads it."""
    errors = statistics(match).scored.error.round(3)
    rows = len(match.plays)
    plays = match.plays.replaced(stored_error=errors[:rows])
    cubes = match.cubes.replaced(stored_error=errors[rows : rows + len(match.cubes)])
    return replace(
        match, plays=plays, cubes=cubes, source=replace(match.source, tool="Another reader")
    )


def test_two_files_of_one_tool_have_two_labels():
    comparison = samples.demonstration()
    assert comparison.labels == ("XG", "gnuBG")
    assert pair_labels(("XG", "XG")) == ("left XG", "right XG")
    assert pair_labels(("XG", "XG"), ("3-ply", "XG Roller")) == ("XG 3-ply", "XG Roller")


@pytest.mark.parametrize(
    "path", ["/home/a/match.xg", "C:\\Users\\a\\match.xg", "match.xg", "a/match.xg"]
)
def test_file_name_keeps_no_folder(path):
    assert file_name(path) == "match.xg"
