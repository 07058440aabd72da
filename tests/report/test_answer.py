"""The answer of an investigation in sentences: what it says first, what would decide, what it never
says.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from reconcile.infer.investigation import investigate
from reconcile.infer.reported import Reported, read_reported
from reconcile.report.answer import answer, headline, side_by_side, verdict_of
from reconcile.report.blocks import text
from reconcile.report.text.investigation import investigation_blocks
from tests.report import samples
from tests.support.data import FOLDER
from tests.support.hand_made import NAN, cubes, match_of, plays
from tests.support.loaded import DEMONSTRATION, loaded, real
from tests.support.long import long_but_first

XG = Path(f"{DEMONSTRATION}.xg")


def test_figure_that_no_rules_give_has_the_reach_of_counting() -> None:
    investigation = samples.nora(pr="9.23")
    assert headline(investigation) == (
        "Nora Lindqvist: no rules give PR 9.23. Counting alone reaches 6.47 to 7.68, so the "
        "analysis or the match differs. "
        "The nearest known rules, those of bgblitz, give PR 7.52 (1.71 less)."
    )
    assert side_by_side(investigation) == [("PR", "9.23", "7.16", "7.68", "6.47 to 7.68")]
    written = text(investigation_blocks(investigation))
    assert written.startswith(headline(investigation))
    assert not re.search(r"off by|digits", written)
    investigation = samples.nora(pr="7.30", decisions="106")
    assert headline(investigation) == (
        "Nora Lindqvist: no rules give PR 7.30 and 106 decisions together, although counting "
        "alone reaches PR 6.47 to 7.68 "
        "and decisions 97 to 115. The nearest known rules, those of gnubg, give PR 7.23 (0.07 "
        "less) and 103 decisions (3 less)."
    )


def test_one_figure_alone_names_how_many_rules_give_it_and_what_decides(data: Path) -> None:
    """XG's number of double decisions is what settles the open point of this match: 13 or 10."""
    investigation = investigate(
        real("real/match_with_comment.xg"), "Nicolas", {"pr": "6.51", "decisions.checker": "66"}
    )
    (first,) = answer(investigation)
    assert re.search(
        r" PR 6\.51 and 66 checker decisions are exactly what XG's own rules give\. PR of "
        r"Nicolas HARMAND is 6\.51 to 6\.75: .*"
        r"\. \d+ of \d+ known rule sets and [\d,]+ of the [\d,]+ combinations of answers give "
        r"them\.$",
        first,
    )
    alone = answer(investigate(real("real/match_with_comment.xg"), "Nicolas", {"pr": "6.51"}))
    assert re.match(
        r"Nicolas HARMAND: PR 6\.51 is exactly what XG's own rules give\. PR of Nicolas HARMAND "
        r"is 6\.51 to 6\.75: .*"
        r"\. One figure alone proves little: \d+ of \d+ known rule sets and [\d,]+ of the "
        r"[\d,]+ combinations of answers give it\.$",
        alone[0],
    )
    assert re.search(
        r"would narrow it down: 13 for xg \(and \d+ more\), 11 for a variant of gnubg",
        alone[1],
    )


@pytest.mark.parametrize(
    "hundredths", long_but_first([range(603, 625, 7), range(600, 690)], 0, 1), ids=str
)
def test_many_changes_are_said_to_be_chance(data: Path, hundredths: range) -> None:
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


def test_zero_of_what_is_not_analysed_says_nothing() -> None:
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
        "Ann: this file has 0 of 1 cube decisions analysed. A program prints 0 for the others or "
        "counts only these: "
        "error rate (mEMG) 100.0, equity lost (doubles and no-doubles) 0.000, PR of cube "
        "decisions 0.00 and equity lost 0.100 say nothing."
    )
    assert set(investigation.blank) == {figure.metric for figure in investigation.reported}
    assert not any(rule_set.fits for rule_set in investigation.rule_sets)
    plays_alone = investigate(match, "Ann", {"checker_pr": "50.00", "cube_pr": "0.00"})
    assert "exactly" in headline(plays_alone)
    assert plays_alone.blank == ("cube_pr",)
    assert "PR of cube decisions 0.00 says nothing." in answer(plays_alone)[1]
    only = investigate(match, "Ann", {"equity_error.double": "0.000"})
    assert "exactly" not in headline(only)
    assert headline(only).endswith("equity lost (doubles and no-doubles) 0.000 says nothing.")
    assert answer(only) == [headline(only)]
    asked = investigate(match, "Ann", {"cube_pr": "8.22"})
    assert (
        headline(asked)
        == "Ann: this file has 0 of 1 cube decisions analysed, so it has no PR of cube decisions "
        "8.22."
    )
    assert sum("0 of 1 cube decisions" in sentence for sentence in answer(asked)) == 1


def test_file_that_is_analysed_only_in_part_is_named(data: Path) -> None:
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
    "figures",
    long_but_first(
        [
            {"pr": "7.09", "decisions": "105"},
            {"pr": "7.23"},
            {"equity_error": "1.49"},
            {"decisions": "99"},
        ]
    ),
    ids=str,
)
def test_decisions_of_every_explanation_make_its_whole_difference_to_the_tool_s_own_rules(
    figures: dict[str, str],
) -> None:
    investigation = samples.nora(**figures)
    assert investigation.explanations
    own: dict[str, Any] = dict(investigation.own.figures)
    for explanation in investigation.explanations:
        counted = sum(
            decision.counted_to - decision.counted_from for decision in explanation.decisions
        )
        lost = sum(decision.error_to - decision.error_from for decision in explanation.decisions)
        assert counted == (explanation.figures["decisions.counted"] or 0) - own["decisions.counted"]
        assert lost == pytest.approx(
            (explanation.figures["equity_error.total"] or 0) - own["equity_error.total"], abs=1e-9
        )


@pytest.mark.parametrize(
    ("metric", "short", "full"),
    [
        ("pr", "7.2", "7.16"),
        ("pr", "7", "7.16"),
        ("equity_error", "1.49", "1.489"),
        ("mwc_loss_percent", "22.4", "22.35"),
        ("error_rate_memg", "14", "14.3"),
    ],
)
def test_figure_with_fewer_digits_than_programs_print_is_never_exactly_ours(
    metric: str, short: str, full: str
) -> None:
    investigation = samples.nora(**{metric: short})
    assert " is, in the digits given, what XG's own rules give. " in headline(investigation)
    assert verdict_of(investigation) == ("within", "No difference in the digits given")
    assert " is exactly what XG's own rules give. " in headline(samples.nora(**{metric: full}))


@pytest.mark.parametrize(
    ("figures", "count", "users"),
    [
        ({"pr": "7.16", "decisions": "103"}, "103 decisions", "rule sets gnubg and blunderdb give"),
        (
            {"pr": "7.16", "decisions": "103", "equity_error": "1.489"},
            "103 decisions",
            "rule sets gnubg and blunderdb give",
        ),
        (
            {"pr": "7.16", "decisions": "107", "equity_error": "1.489"},
            "107 decisions",
            "rule set gnubg-manual gives",
        ),
        (
            {"pr": "7.16", "decisions.checker": "91", "equity_error": "1.489"},
            "91 checker decisions",
            "rule set bgblitz gives",
        ),
    ],
    ids=str,
)
def test_count_of_another_program_beside_figures_of_the_file_s_own_is_no_misprint(
    figures: dict[str, str], count: str, users: str
) -> None:
    investigation = samples.nora(**figures)
    assert "misprint" not in [check.code for check in investigation.checks]
    assert f" together. {count} are exactly what {users}; XG's own rules give PR 7.16" in headline(
        investigation
    )


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
@pytest.mark.parametrize("pr", ["7.16", "4.76", "9.23"])
def test_program_of_the_figures_is_named_first_where_the_file_is_another_s(
    ending: str, program: str | None, first: str, pr: str
) -> None:
    match = loaded(XG.with_suffix(f".{ending}"))
    assert headline(investigate(match, "nora", {"pr": pr}, program=program)).startswith(first)


@pytest.mark.parametrize(
    ("figures", "sentence"),
    [
        (
            {"pr": "7.17", "decisions": "104"},
            "104 decisions fit, PR 7.17 is off by a digit: Nora Lindqvist has PR 7.16 (0.01 less). "
            "That is a misprint or a slip in copying, or another rounding.",
        ),
        (
            {"pr": "7.61", "decisions": "104", "equity_error": "1.489"},
            "104 decisions and equity lost 1.489 fit, PR 7.61 is off by a digit: Nora Lindqvist "
            "has PR 7.16 (0.45 less). "
            "That is a misprint or a slip in copying.",
        ),
        (
            {"pr": "7.16", "decisions": "14", "equity_error": "1.489"},
            "PR 7.16 and equity lost 1.489 fit, 14 decisions are off by a digit: Nora Lindqvist "
            "has 104 decisions (90 more). "
            "That is a misprint or a slip in copying.",
        ),
        (
            {"pr": "7.16", "decisions": "154", "equity_error": "1.489"},
            "PR 7.16 and equity lost 1.489 fit, 154 decisions are off by a digit: Nora Lindqvist "
            "has 104 decisions (50 less). "
            "That is a misprint or a slip in copying.",
        ),
    ],
    ids=["last digit", "exchanged", "missing", "other digit"],
)
def test_one_digit_of_one_figure_is_a_misprint(figures: dict[str, str], sentence: str) -> None:
    investigation = samples.nora(**figures)
    assert answer(investigation) == [sentence]
    assert verdict_of(investigation) == ("explained", "Probably a misprint")


@pytest.mark.parametrize(
    "figures",
    [
        {"pr": "9.16", "decisions": "104"},  # only a count agrees: another analysis may give that
        {"pr": "9.99", "decisions": "104", "equity_error": "1.489"},
        {"pr": "7.61", "decisions": "401", "equity_error": "1.489"},
        {"pr": "7.17"},
    ],
    ids=str,
)
def test_more_than_one_slip_is_no_misprint(figures: dict[str, str]) -> None:
    assert "misprint" not in [check.code for check in samples.nora(**figures).checks]


def test_other_figures_of_a_text_that_differ_are_named() -> None:
    luck = Reported("luck.jokers", "6", 6, 0.0), Reported("luck.equity", "-0.594", -0.594, 0.0005)
    investigation = investigate(
        loaded(XG), "nora", [*read_reported({"pr": "7.16", "decisions": "104"}), *luck]
    )
    assert answer(investigation)[1:] == [
        "Of 2 figures that were not searched for, 1 differs: 6 jokers; here 5 jokers (1 less)."
    ]
    assert verdict_of(investigation) == ("explained", "What rules decide agrees")
