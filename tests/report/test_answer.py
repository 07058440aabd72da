"""The answer of an investigation in sentences: what it says first, what would decide, what it never
says.
"""

import re
from pathlib import Path

import pytest

from reconcile.infer.investigation import investigate
from reconcile.infer.reported import Reported, read_reported
from reconcile.report.blocks import text
from reconcile.report.text.investigation import answer, headline, investigation_blocks, mark_of
from tests.report import samples
from tests.support.data import FOLDER
from tests.support.hand_made import NAN, cubes, match_of, plays
from tests.support.loaded import DEMONSTRATION, loaded, real
from tests.support.long import long_but_first
from tests.support.tables import beside

XG = Path(f"{DEMONSTRATION}.xg")
CASES = beside(__file__, "answers.yaml")


@pytest.mark.parametrize("case", long_but_first(CASES, 9), ids=lambda case: str(case["figures"]))
def test_answer_of_figures(case):
    investigation = samples.nora(**case["figures"])
    first, *more = sentences = answer(investigation)
    assert first == headline(investigation) == case.get("headline", first)
    assert sentences == case.get("answer", sentences)
    assert [words for words in case.get("says", ()) if words not in first] == []
    assert [words for words in case.get("lacks", ()) if words in first] == []
    assert "second" not in case or more[0] == case["second"]
    assert mark_of(investigation) == tuple(case.get("verdict", mark_of(investigation)))
    checks = [check.code for check in investigation.checks]
    assert checks == case.get("checks", checks)
    assert case.get("not") not in checks


def test_reach_of_counting_is_beside_the_figure_and_the_text_begins_with_the_answer():
    investigation = samples.nora(pr="9.23")
    written = text(investigation_blocks(investigation))
    assert re.search(r"\nPR +9\.23 +7\.16 +7\.68 +6\.47 to 7\.68\n", written)
    assert "\nClosest:\n" in written
    assert written.startswith(headline(investigation))
    assert not re.search(r"off by|digits", written)


def test_one_figure_alone_proves_little_and_says_how_many_rules_give_it(data):
    match = real("real/match_with_comment.xg")
    (first,) = answer(investigate(match, "Nicolas", {"pr": "6.51", "decisions.checker": "66"}))
    number = r"[\d,]+ of the [\d,]+ combinations of answers give the same\.$"
    own = r": XG's own rules give PR 6\.51 and 66 checker decisions exactly\. "
    assert re.search(own + number, first)
    (alone,) = answer(investigate(match, "Nicolas", {"pr": "6.51"}))
    assert re.search(rf"\. One figure alone proves little: {number}", alone)


@pytest.mark.parametrize(
    "hundredths", long_but_first([range(603, 625, 7), range(600, 690)], 0, 1), ids=str
)
def test_many_changes_are_said_to_be_chance(data, hundredths):
    match = real("real/match_with_comment.xg")
    judged = set()
    for printed in (f"{hundredth / 100:.2f}" for hundredth in hundredths):
        investigation = investigate(match, "Nicolas", {"pr": printed})
        if (
            investigation.explanations
            and not investigation.checks
            and not any(rule_set.fits for rule_set in investigation.rule_sets)
        ):
            many = len(investigation.explanations[0].differences) > 2
            assert many == ("With so many changes that can be chance." in headline(investigation))
            assert "exactly" not in headline(investigation)
            judged.add(many)
    assert judged == {True, False}


def test_zero_of_what_is_not_analysed_says_nothing():
    """gnuBG prints 0.000 for the cube of a match that was analysed for moves only."""
    blank = cubes(
        analysed=[False], no_double=[NAN], double_take=[NAN], double_pass=[NAN], stored_error=[NAN]
    )
    match = match_of(plays(), blank, tool="GNU Backgammon")
    investigation = investigate(
        match,
        "Ann",
        {
            "error_rate_memg": "100.0",
            "equity_error.double": "0.000",
            "cube_pr": "0.00",
            "equity_error": "0.100",
        },
    )
    assert headline(investigation) == (
        "Ann: this file has 0 of 1 cube decisions analysed: "
        "error rate (mEMG) 100.0, equity lost (doubles and no-doubles) 0.000, PR of cube "
        "decisions 0.00 and equity lost 0.100 say nothing."
    )
    assert set(investigation.blank) == {figure.metric for figure in investigation.reported}
    assert not any(rule_set.fits for rule_set in investigation.rule_sets)
    plays_alone = investigate(match, "Ann", {"checker_pr": "50.00", "cube_pr": "0.00"})
    assert "exactly" in headline(plays_alone)
    assert plays_alone.blank == ("cube_pr",)
    assert "PR of cube decisions 0.00 says nothing." in answer(plays_alone)[1]
    asked = investigate(match, "Ann", {"cube_pr": "8.22"})
    assert (
        headline(asked)
        == "Ann: this file has 0 of 1 cube decisions analysed, so it has no PR of cube decisions "
        "8.22."
    )
    assert sum("0 of 1 cube decisions" in sentence for sentence in answer(asked)) == 1


def test_file_that_is_analysed_only_in_part_is_named(data):
    """gnuBG saved this match without analysing it: only the cubes that its own bot considered have
    numbers.
    """
    match = loaded(
        next(path for path in FOLDER.glob("real/charlot1*.sgf") if "ply" not in path.name)
    )
    for printed in ("2.0", "0.0"):
        sentences = answer(investigate(match, "charlot1", {"error_rate_memg": printed}))
        assert "9 of 50 cube decisions" in sentences[0]
        assert "exactly" not in sentences[0]
    assert not any("completely" in sentence for sentence in answer(samples.nora(pr="9.23")))


# -- how far apart, and which decisions --------------------------------------------------------


@pytest.mark.parametrize(
    ("ending", "program", "first"),
    [
        ("xg", "gnuBG", "The figures are gnuBG's, the file has XG's analysis. "),
        ("sgf", "XG", "The figures are XG's, the file has gnuBG's analysis. "),
        ("xg", "XG", "Nora Lindqvist: "),
        ("sgf", "gnuBG", "Nora_Lindqvist: "),
        ("xg", None, "Nora Lindqvist: "),
    ],
)
@pytest.mark.parametrize("pr", long_but_first(["7.16", "4.76", "9.23"]))
def test_program_of_the_figures_is_named_first_where_the_file_is_another_s(
    ending, program, first, pr
):
    match = loaded(XG.with_suffix(f".{ending}"))
    assert headline(investigate(match, "nora", {"pr": pr}, program=program)).startswith(first)


def test_other_figures_of_a_text_that_differ_are_named():
    luck = Reported("luck.jokers", "6", 6, 0.0), Reported("luck.equity", "-0.594", -0.594, 0.0005)
    investigation = investigate(
        loaded(XG), "nora", [*read_reported({"pr": "7.16", "decisions": "104"}), *luck]
    )
    assert answer(investigation)[1:] == [
        "Of 2 figures that were not searched for, 1 differs: 6 jokers; here 5 jokers (1 less)."
    ]
    assert mark_of(investigation) == ("explained", "What rules decide agrees")
