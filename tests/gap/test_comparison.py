"""Two files compared: what is judged, what is incomplete, and what swapping the sides does."""

import pytest

from reconcile.errors import NothingToCompare, UnknownName
from reconcile.formats import load_match
from reconcile.gap.comparison import compare
from reconcile.gap.verdict import INCOMPARABLE, INCOMPLETE, OUTSIDE, UNGATED, WITHIN
from reconcile.scoring.figures import METRICS
from tests.support.loaded import loaded
from tests.support.several import bundled_sgf, bundled_xg
from tests.support.tolerance_files import bounds

CHARLOT = "charlot1-charlot2_7p_2025-11-08-2305"


def test_incomplete_figures_are_never_judged_nor_a_failure_unless_strict(data):
    """XG's analysis against a match that gnuBG played and saved without analysing it."""
    left, right = (loaded(data / "real" / f"{CHARLOT}.{suffix}") for suffix in ("xg", "sgf"))
    result = compare(left, right)
    evidence = {finding.code: finding.evidence for finding in result.findings}
    assert "27 of 94 cube decisions" in evidence["incomplete-analysis"]
    assert {(figure.verdict, figure.coverage) for figure in result.judged} == {
        (INCOMPLETE, "right: 9 of 50 cube decisions"),
        (INCOMPLETE, "right: 18 of 44 cube decisions"),
    }
    codes = result.exit_code(), result.exit_code(fail_on="warn"), result.exit_code(strict=True)
    assert (result.verdict, codes) == (INCOMPARABLE, (0, 0, 1))
    complete = compare(left, right, bounds("error", {"checker_pr": 10.0}))
    assert {figure.verdict for figure in complete.judged} == {WITHIN}
    with pytest.raises(NothingToCompare, match="0 of 189 checker plays"):
        compare(left, loaded(data / "real" / f"{CHARLOT}.mat"))


def test_gap_is_right_minus_left_and_swapped_sides_negate_it():
    figures = compare(bundled_xg(), bundled_sgf()).figures
    assert [figure.metric for figure in figures] == [*METRICS, *METRICS]
    for figure, back in zip(figures, compare(bundled_sgf(), bundled_xg()).figures, strict=True):
        assert figure.right is not None
        # XG has no grade of doubtful decisions.
        assert (figure.left is None) == figure.metric.startswith("doubtful.")
        # Counts by other borders have no gap.
        is_graded = figure.metric.partition(".")[0] in {"errors", "blunders", "doubtful"}
        gap = None if is_graded or figure.left is None else figure.right - figure.left
        assert (figure.gap, back.gap) == (gap, gap and -gap)
        assert (figure.left, figure.right, figure.verdict) == (back.right, back.left, back.verdict)
    ungated = [figure.tolerance for figure in figures if figure.verdict == UNGATED]
    assert ungated == [None] * 2 * (len(METRICS) - 3)


def test_each_side_keeps_its_own_rules_unless_told():
    own = compare(bundled_xg(), bundled_sgf())
    assert (own.left.rules, own.right.rules) == ("xg", "gnubg")
    same = compare(bundled_xg(), bundled_sgf(), left_rules="gnubg", right_rules="gnubg")
    names = "decisions.checker", "moves.unforced"
    assert [figure.gap for figure in same.figures if figure.metric in names] == [0] * 4


@pytest.mark.parametrize(
    ("level", "fail_on", "code"),
    [("error", "error", 1), ("warn", "error", 0), ("warn", "warn", 1), ("error", "warn", 1)],
)
def test_level_decides_what_fails(level, fail_on, code):
    result = compare(bundled_xg(), bundled_sgf(), bounds(level, {"pr": 0.1}))
    assert {figure.verdict for figure in result.judged} == {OUTSIDE}
    assert result.exit_code(fail_on=fail_on) == code
    assert result.verdict == (OUTSIDE if level == "error" else WITHIN)


def test_bound_that_is_off_judges_nothing_and_unknown_names_are_refused():
    files = bundled_xg(), bundled_sgf()
    with pytest.raises(NothingToCompare):
        compare(*files, bounds("off", {"pr": 0.1}))
    for option in ("table", "left_rules", "right_rules", "met", "player"):
        with pytest.raises(UnknownName):
            compare(*files, **{option: "x"})  # type: ignore[arg-type]


def test_money_session_has_no_mwc_to_judge(data):
    match = load_match(data / "gnubg" / "m10_money_nojacoby_nobeaver.sgf")
    result = compare(match, match)
    verdicts = {figure.metric: figure.verdict for figure in result.figures}
    assert (verdicts["mwc_loss_percent.total"], verdicts["pr"]) == (UNGATED, WITHIN)
    assert result.exit_code(strict=True) == 0
    assert not any("mwc" in bridge.metric for bridge in result.bridges)
