"""Two files compared: what is judged, what is incomplete, and what swapping the sides does."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from reconcile.errors import NothingToCompare, UnknownName
from reconcile.files.bundled import bundled
from reconcile.formats import load_match, read_match
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.tolerances import load_tolerances
from reconcile.gap.verdict import INCOMPARABLE, INCOMPLETE, OUTSIDE, UNGATED, WITHIN
from reconcile.match.match import Match
from reconcile.scoring.metrics import METRICS
from tests.support.data import cases
from tests.support.loaded import DEMONSTRATION, loaded
from tests.support.tolerance_files import bounds

PACK = bundled("reference_matches")
CHARLOT = "charlot1-charlot2_7p_2025-11-08-2305"


@cache
def xg() -> Match:
    return loaded(DEMONSTRATION.with_suffix(".xg"))


@cache
def sgf() -> Match:
    return loaded(DEMONSTRATION.with_suffix(".sgf"))


@cache
def demonstration() -> Comparison:
    return compare(xg(), sgf())


def test_incomplete_figures_are_told_and_never_judged_nor_a_failure_unless_strict(
    data: Path,
) -> None:
    """XG's analysis against a match that gnuBG played and saved without analysing it."""
    left, right = (loaded(data / "real" / f"{CHARLOT}.{suffix}") for suffix in ("xg", "sgf"))
    result = compare(left, right)
    (evidence,) = (
        finding.evidence for finding in result.findings if finding.code == "incomplete-analysis"
    )
    assert "27 of 94 cube decisions" in evidence
    assert {figure.verdict for figure in result.judged} == {INCOMPLETE}
    assert {figure.coverage for figure in result.judged} == {
        "right: 9 of 50 cube decisions",
        "right: 18 of 44 cube decisions",
    }
    assert result.verdict == INCOMPARABLE
    assert (
        result.exit_code(),
        result.exit_code(fail_on="warn"),
        result.exit_code(strict=True),
    ) == (0, 0, 1)
    complete = compare(left, right, bounds("error", {"checker_pr": 10.0}))
    assert {figure.verdict for figure in complete.judged} == {WITHIN}
    with pytest.raises(NothingToCompare, match="0 of 189 checker plays"):
        compare(left, loaded(data / "real" / f"{CHARLOT}.mat"))


@pytest.mark.parametrize(
    "path", [*sorted(PACK.glob("*/*.xg")), *cases("real/test.xg", "gnubg/m0*.sgf", short=2, most=4)]
)
def test_identical_files_have_no_gap(path: Path) -> None:
    result = compare(load_match(path), load_match(path), bounds("error", {"moves.total": 0.0}))
    assert {figure.gap for figure in result.figures} <= {0.0, None}
    assert all((figure.left is None) == (figure.gap is None) for figure in result.figures)
    assert {figure.gap for _, figures in result.by_game for figure in figures} <= {0.0, None}
    assert (result.verdict, result.pairing.differences, result.exit_code(strict=True)) == (
        WITHIN,
        (),
        0,
    )
    assert result.paired[0] == result.paired[1]


def test_gap_is_right_minus_left_of_every_metric_and_swapped_sides_negate_it() -> None:
    figures = demonstration().figures
    assert [figure.metric for figure in figures] == [*METRICS, *METRICS]
    for figure, back in zip(figures, compare(sgf(), xg()).figures, strict=True):
        assert figure.right is not None
        # XG has no grade of doubtful decisions.
        assert (figure.left is None) == figure.metric.startswith("doubtful.")
        assert figure.gap == (None if figure.left is None else figure.right - figure.left)
        assert (figure.left, figure.right, figure.verdict) == (back.right, back.left, back.verdict)
        assert back.gap == (None if figure.gap is None else -figure.gap)
    ungated = [figure for figure in figures if figure.verdict == UNGATED]
    assert len(ungated) == 2 * (len(METRICS) - 3)
    assert all(figure.tolerance is None for figure in ungated)
    explicit = compare(xg(), sgf(), load_tolerances(), table="documented")
    assert [figure.verdict for figure in explicit.figures] == [figure.verdict for figure in figures]


def test_each_side_keeps_its_own_rules_unless_told() -> None:
    assert (demonstration().left.rules, demonstration().right.rules) == ("xg", "gnubg")
    same = compare(xg(), sgf(), left_rules="gnubg", right_rules="gnubg")
    moves = [
        figure.gap
        for figure in same.figures
        if figure.metric in ("decisions.checker", "moves.unforced")
    ]
    assert moves == [0] * 4


@pytest.mark.parametrize(
    ("level", "fail_on", "code"),
    [("error", "error", 1), ("warn", "error", 0), ("warn", "warn", 1), ("error", "warn", 1)],
)
def test_level_decides_what_fails(level: str, fail_on: str, code: int) -> None:
    result = compare(xg(), sgf(), bounds(level, {"pr": 0.1}))
    assert {figure.verdict for figure in result.judged} == {OUTSIDE}
    assert result.exit_code(fail_on=fail_on) == code
    assert result.verdict == (OUTSIDE if level == "error" else WITHIN)


def test_level_off_leaves_nothing_to_judge() -> None:
    with pytest.raises(NothingToCompare):
        compare(xg(), sgf(), bounds("off", {"pr": 0.1}))


def test_one_player_can_be_chosen_and_unknown_names_are_refused() -> None:
    for name in ("Tomas Beck", "tomas_beck", "TOMAS", "beck"):
        assert {figure.player for figure in compare(xg(), sgf(), player=name).figures} == {
            "Tomas Beck"
        }
    for name in ("Thomas", ""):
        with pytest.raises(UnknownName, match="'Nora Lindqvist' and 'Tomas Beck'"):
            compare(xg(), sgf(), player=name)
    for options in ({"table": "x"}, {"left_rules": "x"}, {"right_rules": "x"}, {"met": "x"}):
        with pytest.raises(UnknownName):
            compare(xg(), sgf(), **options)  # type: ignore[arg-type]


def test_money_session_has_no_mwc_to_judge(data: Path) -> None:
    match = load_match(data / "gnubg" / "m10_money_nojacoby_nobeaver.sgf")
    result = compare(match, match)
    verdicts = {figure.metric: figure.verdict for figure in result.figures}
    assert verdicts["mwc_loss_percent.total"] == UNGATED
    assert verdicts["pr"] == WITHIN
    assert result.exit_code(strict=True) == 0


def test_games_add_up_to_the_match() -> None:
    result = demonstration()
    for name in (
        "decisions.counted",
        "equity_error.total",
        "mwc_loss_percent.total",
        "moves.total",
        "luck.equity",
    ):
        for seat in (0, 1):
            whole = result.figures[seat * len(METRICS) + list(METRICS).index(name)]
            games = [
                figures[seat * len(METRICS) + list(METRICS).index(name)]
                for _, figures in result.by_game
            ]
            assert sum(game.gap or 0 for game in games) == pytest.approx(whole.gap, abs=1e-6)


def test_transcript_that_differs_is_told_with_its_first_difference() -> None:
    games = Path(f"{DEMONSTRATION}.sgf").read_text("utf-8").split("(;FF[4]")[1:]
    without = read_match(
        "without.sgf",
        "".join("(;FF[4]" + game for index, game in enumerate(games) if index != 2).encode(),
    )
    result = compare(xg(), without)
    (finding,) = (finding for finding in result.findings if finding.code == "transcript-differs")
    assert finding.evidence.startswith("1 difference, the first in game 3")
    assert {figure.right for figure in dict(result.by_game)[3]} == {None}
