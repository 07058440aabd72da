"""A range is judged as a range: within, outside, or open where it reaches across the bound."""

from __future__ import annotations

import re
from io import StringIO

import pytest

from reconcile.document import document as as_document
from reconcile.gap.bounds import Table, Tolerance
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.folders import FolderResult, MatchFiles
from reconcile.gap.verdict import UNGATED, Figure, judged
from reconcile.match.match import Match
from reconcile.report.ci.github import workflow_commands
from reconcile.report.ci.judged import junit
from reconcile.report.forms import in_form
from reconcile.report.html.folders import folder_pages
from reconcile.report.html.render import comparison_page
from reconcile.report.text.folders import rows_of
from reconcile.report.text.pack import part_of
from reconcile.results.comparison import comparison_document
from tests.support.hand_made import cubes, plays
from tests.support.hand_made_levels import turned, with_levels
from tests.support.tolerance_files import bounds

COUNTED = "decisions.counted"
TABLE = Table(title="t", entries={"pr": Tolerance(abs=0.1, level="error", reason="r", source="s")})


def figure(*gaps: float) -> Figure:
    return Figure(
        "pr", "Ann", 5.0, 5.0 + gaps[0], None, None, None, UNGATED, gap_range=(gaps[0], gaps[-1])
    )


@pytest.mark.parametrize(
    ("gaps", "verdict"),
    [
        ((-0.1, 0.1), "within"),
        ((-0.1, 0.11), "open"),
        ((-0.11, 0.0), "open"),
        ((-0.2, 0.2), "open"),
        ((0.1, 0.3), "open"),
        ((0.11, 0.3), "outside"),
        ((-0.3, -0.11), "outside"),
    ],
)
def test_range_of_gaps_is_within_outside_or_open(gaps: tuple[float, float], verdict: str) -> None:
    assert judged(figure(*gaps), TABLE).verdict == verdict


def test_open_figure_fails_with_strict_only() -> None:
    found = judged(figure(0.0, 0.2), TABLE)
    assert (found.failing(), found.failing(fail_on="warn"), found.failing(strict=True)) == (
        False,
        False,
        True,
    )


def losing(error: float = 0.125) -> Match:
    """A play, and a close no-double of a side that is losing: the answers to Q03 that XG may use count it or not."""
    return with_levels(
        plays(stored_error=[error]),
        cubes(no_double=[-0.7], double_take=[-0.75], stored_error=[0.0]),
    )


def compared(allowed: float, right_rules: str = "gnubg") -> Comparison:
    return compare(
        losing(),
        losing(0.25),
        bounds("error", {COUNTED: allowed}),
        left_rules="xg",
        right_rules=right_rules,
    )


def counted(comparison: Comparison) -> Figure:
    (found,) = (one for one in comparison.judged if one.player == "Ann")
    return found


def test_gap_of_a_range_is_that_from_its_ends() -> None:
    found = counted(compared(0.5))
    assert (found.left_range, found.right, found.gap_range) == ((1, 2), 2, (0, 1))
    assert found.verdict == "open"
    assert counted(compared(1)).verdict == "within"
    comparison = compared(0.5)  # is a warning, and with strict a failure
    assert (comparison.verdict, comparison.exit_code(), comparison.exit_code(strict=True)) == (
        "within",
        0,
        1,
    )


def test_range_of_the_right_side_is_that_of_the_player_in_whichever_seat() -> None:
    found = counted(
        compare(
            losing(),
            turned(losing(0.25)),
            bounds("error", {COUNTED: 0.5}),
            left_rules="gnubg",
            right_rules="xg",
        )
    )
    assert (found.left, found.left_range, found.right_range) == (2, None, (1, 2))


def test_two_files_of_one_tool_have_its_answer_in_common() -> None:
    found = counted(compared(0.5, right_rules="xg"))
    assert (found.left_range, found.right_range, found.gap_range) == ((1, 2), (1, 2), (0, 0))
    assert found.verdict == "within"


def test_every_form_shows_the_range_the_figure_and_the_word() -> None:
    comparison = compared(0.5)
    part = part_of(comparison)
    forms = {
        "text": in_form(comparison, "text"),
        "markdown": in_form(comparison, "markdown"),
        "junit": junit("run", [part], environment={}).decode(),
        "github": workflow_commands([part], environment={}),
    }
    for name, form in forms.items():
        assert "(1 to 2)" in form, name
        assert "0 to +1" in form, name
    assert re.search(r"^Decisions +Ann .* 0 \(0 to \+1\) +0\.5 +open$", forms["text"], re.MULTILINE)
    assert "⚠️ open" in forms["markdown"]
    assert forms["github"].startswith("::warning ")
    (document,) = (
        one
        for one in as_document(comparison_document(comparison))["figures"]
        if one["verdict"] == "open"
    )
    assert tuple(document["gap_range"]) == (0, 1)
    terminal = StringIO()
    in_form(comparison, "terminal", terminal)
    (row,) = (line for line in terminal.getvalue().splitlines() if "2 (1 to 2)" in line)
    assert "open" in row
    assert "since a rule is not known" in " ".join(terminal.getvalue().split())
    page = comparison_page(comparison, ())
    (row,) = (one for one in page.split("<tr>") if ">1 to 2<" in one)
    assert (
        re.sub(r"<[^>]+>", " ", row.partition('<span class="badge warned">')[2]).split()[0]
        == "open"
    )
    assert "badge outside" not in page


def test_open_pairs_of_folders_are_counted_and_fail_with_strict() -> None:
    pairs = tuple(
        MatchFiles((f"{name}.xg", f"{name}.sgf"), ("Ann", "Ben"), compared(allowed))
        for name, allowed in (("a", 0.5), ("b", 1))
    )
    result = FolderResult(("one", "two"), pairs, (), "documented")
    assert (result.summary.open, result.summary.within, result.verdict) == (1, 2, "within")
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)
    assert "2 of 2 pairs within tolerance (1 with open figures)" in in_form(result, "text")
    assert [row.word for row in rows_of(result)] == ["warned", "within"]
    assert "⚠️" in in_form(result, "markdown")
    assert "1 with open figures" in str(folder_pages(result, "out"))


def test_page_says_in_which_direction_the_steps_are_taken() -> None:
    page = comparison_page(
        compare(losing(), losing(0.25), bounds("error", {COUNTED: 1}), right_rules="gnubg"), ()
    )
    assert page.count("The steps are taken from left to right and back") == 2


def test_folders_count_a_pair_as_open_only_where_nothing_of_it_is_outside() -> None:
    both = bounds("error", {COUNTED: 0.5, "pr": 0})
    outside = compare(losing(), losing(0.25), both, left_rules="xg", right_rules="gnubg")
    assert {figure.verdict for figure in outside.judged if figure.player == "Ann"} == {
        "open",
        "outside",
    }
    for comparison, counts in ((outside, (0, 0, 1)), (compared(0.5), (1, 1, 0))):
        summary = FolderResult(
            ("one", "two"), (MatchFiles(("a", "b"), ("Ann", "Ben"), comparison),), (), "documented"
        ).summary
        assert (summary.within, summary.open, summary.outside) == counts
