"""A gap is held against its bound: in full, less what is known, as a range, and share by share;
what is incomplete, off or without an entry is not judged."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from reconcile.gap.comparison import compare
from reconcile.gap.tolerances import Tolerances, load_tolerances
from reconcile.gap.verdict import (
    INCOMPLETE,
    OPEN,
    OUTSIDE,
    UNGATED,
    WITHIN,
    Figure,
    gate_findings,
    judged,
)
from reconcile.gap.walk import SHARES
from reconcile.scoring.figures import METRICS
from tests.support.command_line import SGF, XG, run
from tests.support.hand_made import NAN, cubes, plays
from tests.support.hand_made_levels import turned, with_levels
from tests.support.loaded import beginning
from tests.support.tables import cases_of
from tests.support.tolerance_files import KNOWN, OVERRIDE, TABLES, bounds, of_pr

COUNTED = "decisions.counted"


def table(**facts):
    """A table with a bound of PR."""
    return Tolerances.from_mapping(of_pr(**facts)).gate("one")


def figure(left, right, metric="pr"):
    """A figure of Nora's that nobody has judged yet."""
    return Figure(metric, "Nora", left, right, None, None, None, UNGATED)


# -- bounds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "bound", "half", "verdict", "tolerance"),
    cases_of(__file__, "gap_is_held_against_the_bound_at_both_ends"),
)
def test_gap_is_held_against_the_bound_at_both_ends(
    left,
    right,
    bound,
    half,
    verdict,
    tolerance,
):
    result = judged(figure(left, right), table(**bound), half=half)
    gap = None if left is None or right is None else right - left
    assert (result.verdict, result.tolerance, result.gap) == (verdict, tolerance, gap)


def test_missing_analysis_is_never_judged_nor_a_figure_without_an_entry():
    missing = "right: 27 of 94 cube decisions"
    result = judged(figure(0.0, 9.0), table(abs=0.5), missing)
    assert (result.verdict, result.coverage) == (INCOMPLETE, missing)
    rest = (figure(0.0, 9.0, name) for name in METRICS if name != "pr")
    assert {judged(other, table(abs=0.5)).verdict for other in rest} == {UNGATED}


def test_figures_that_are_complete_decide_where_others_are_incomplete():
    unknown: dict[str, Any] = {
        name: [NAN] for name in ("stored_error", "no_double", "double_take", "double_pass")
    }
    left, right = (
        with_levels(plays(), cube) for cube in (cubes(), cubes(analysed=[False], **unknown))
    )
    result = compare(left, right, bounds("error", {"pr": 9, "checker_pr": 9}), player="Ann")
    verdicts = {figure.metric: figure.verdict for figure in result.judged}
    assert verdicts == {"pr": INCOMPLETE, "checker_pr": WITHIN}
    assert (result.verdict, result.exit_code(), result.exit_code(strict=True)) == (WITHIN, 0, 1)


@pytest.mark.parametrize(
    ("bound", "right", "excess"),
    cases_of(__file__, "excess_is_the_gap_in_bounds_and_of_what_must_be_exact_worse_than_any"),
)
def test_excess_is_the_gap_in_bounds_and_of_what_must_be_exact_worse_than_any(bound, right, excess):
    assert judged(figure(8.0, right), table(abs=bound)).excess == excess


# -- overrides and known gaps ----------------------------------------------------------------------

IN_TIME, LAST_DAY, TOO_LATE = date(2026, 11, 21), date(2027, 3, 31), date(2027, 4, 1)


def gate(written, text, match="one", today=IN_TIME):
    written.write_text(TABLES + text)
    return load_tolerances(written).gate("documented", match, today)


def evidence(result, here):
    return [(finding.code, finding.evidence) for finding in gate_findings([result], here)]


def overrides(*entries):
    """A section of overrides, each given as what it is about and its bound."""
    rest = 'level: error, until: 9999-12-31, reason: "r"'
    return "overrides:\n" + "".join(
        f"  - {{table: documented, {each}, {rest}}}\n" for each in entries
    )


def test_override_holds_up_to_its_day(written):
    expired = "pr of Nora in one: 2 allowed, held until 2027-03-31: net"
    for today, verdict, bound, note, findings in (
        (LAST_DAY, WITHIN, 2.0, "override until 2027-03-31: net", []),
        (TOO_LATE, OUTSIDE, 0.5, "", [("override-expired", expired)]),
    ):
        here = gate(written, OVERRIDE, today=today)
        result = judged(figure(7.0, 8.5), here)
        assert (result.verdict, result.tolerance, result.note) == (verdict, bound, note)
        assert evidence(result, here) == findings


@pytest.mark.parametrize(
    ("match", "player", "metric", "bound"),
    cases_of(__file__, "override_is_about_one_match_player_and_figure"),
)
def test_override_is_about_one_match_player_and_figure(written, match, player, metric, bound):
    tolerance = gate(written, OVERRIDE, match).of(metric, player)
    assert tolerance is not None
    assert tolerance.abs == bound


@pytest.mark.parametrize(
    ("entries", "match", "player", "bounds_of"),
    cases_of(__file__, "narrower_override_wins_and_one_of_a_share_leaves_the_figure_alone"),
)
def test_narrower_override_wins_and_one_of_a_share_leaves_the_figure_alone(
    written,
    entries,
    match,
    player,
    bounds_of,
):
    here = gate(written, overrides(*entries), match)
    limits = {name: here.of(name, player) for name in bounds_of}
    assert {name: limit and limit.abs for name, limit in limits.items()} == bounds_of


@pytest.mark.parametrize(
    ("gap", "right", "verdict", "expected"),
    cases_of(__file__, "known_gap_is_taken_off_before_judging_or_gone"),
)
def test_known_gap_is_taken_off_before_judging_or_gone(written, gap, right, verdict, expected):
    here = gate(written, KNOWN.replace("-1.25", gap))
    result = judged(figure(7.0, right), here)
    assert (result.verdict, result.known_gap) == (verdict, expected)
    assert result.gap == pytest.approx(right - 7.0)
    words = f"pr of Nora: expected a gap of {gap} (rule.Q02), found {right - 7:+.4g}"
    assert evidence(result, here) == ([] if expected else [("known-gap-gone", words)])
    note = f"known gap {gap} (rule.Q02) until 2027-03-31: closed no-doubles"
    assert result.note == (note if expected else "")


def test_known_gap_ends_with_its_day_and_is_nothing_to_an_incomplete_figure(written):
    here = gate(written, KNOWN, today=TOO_LATE)
    result = judged(figure(7.0, 5.75), here)
    assert (result.verdict, result.known_gap) == (OUTSIDE, None)
    words = "a gap of -1.25 (rule.Q02), held until 2027-03-31: closed no-doubles"
    assert evidence(result, here) == [("known-gap-expired", f"pr of Nora in one: {words}")]
    here = gate(written, KNOWN)
    result = judged(figure(7.0, 7.0), here, "right: 3 of 9 cube decisions")
    assert (result.verdict, result.known_gap, evidence(result, here)) == (INCOMPLETE, None, [])


def test_without_a_day_exceptions_are_held_against_this_one_and_else_no_clock_is_read(
    written,
):
    for day, expired in (("2000-01-01", 1), ("9999-12-31", 0)):
        written.write_text(TABLES + OVERRIDE.replace("2027-03-31", day))
        assert len(list(load_tolerances(written).gate("documented", "one").expired)) == expired
    assert load_tolerances().gate("documented").today == date.min


# -- ranges ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    cases_of(__file__, "range_of_gaps_is_within_outside_or_open"),
)
def test_range_of_gaps_is_within_outside_or_open(low, high, verdict):
    gap = Figure("pr", "Ann", 5.0, 5.0 + low, gap_range=(low, high))
    result = judged(gap, table(abs=0.1))
    assert result.verdict == verdict
    fails = [result.failing(), result.failing(fail_on="warn"), result.failing(strict=True)]
    assert fails == [verdict == OUTSIDE, verdict == OUTSIDE, verdict != WITHIN]


def losing(error=0.125):
    """A play, and a close no-double of a side that is losing: the answers to Q03 that XG may use
    count it or not."""
    cube = cubes(no_double=[-0.7], double_take=[-0.75], stored_error=[0.0])
    return with_levels(plays(stored_error=[error]), cube)


def compared(
    allowed,
    rules=("xg", "gnubg"),
    right=None,
    **more,
):
    return compare(
        losing(),
        right or losing(0.25),
        bounds("error", {COUNTED: allowed, **more}),
        left_rules=rules[0],
        right_rules=rules[1],
    )


@pytest.mark.parametrize(
    ("allowed", "rules", "exchanged", "ranges", "verdict"),
    cases_of(__file__, "gap_of_a_range_is_that_from_its_ends"),
)
def test_gap_of_a_range_is_that_from_its_ends(allowed, rules, exchanged, ranges, verdict):
    """`exchanged`: whichever seat the right file has the player in."""
    comparison = compared(allowed, rules, turned(losing(0.25)) if exchanged else None)
    (counted,) = (figure for figure in comparison.judged if figure.player == "Ann")
    assert (counted.left_range, counted.right_range, counted.gap_range) == ranges
    assert counted.verdict == verdict
    strict = comparison.exit_code(strict=True)
    assert (comparison.verdict, comparison.exit_code(), strict) == (WITHIN, 0, verdict == OPEN)


# -- shares of a gap -------------------------------------------------------------------------------


def shared(written, with_figure=True, **limits):
    """A file that bounds PR amply, and shares of it as given."""
    rows = {"pr": 100.0} if with_figure else {}
    rows |= {f"pr@{share}": limit for share, limit in limits.items()}
    lines = [
        f'      {name}: {{abs: {limit}, level: error, reason: "r", source: "s"}}\n'
        for name, limit in rows.items()
    ]
    written.write_text(TABLES[: TABLES.index("      pr:")] + "".join(lines))
    return load_tolerances(written)


def test_shares_of_a_gap_are_those_of_its_bridge_and_add_up(written):
    tolerances = shared(written, rules=100, engine=100, coverage=100, reporting=100)
    result = compare(beginning(".xg"), beginning(".sgf"), tolerances)
    for seat, player in enumerate(result.left.players):
        own = {part.share: part for part in result.shares if part.player == player}
        steps = result.walk.bridge("pr", seat).steps
        starts = {"rules": "Q", "engine": "engine", "coverage": "coverage", "reporting": "reported"}
        assert own.keys() == SHARES.keys() == starts.keys()
        for share, start in starts.items():
            total = sum(step.change for step in steps if step.code.startswith(start))
            assert own[share].gap == pytest.approx(total, abs=1e-12)
            facts = own[share].left, own[share].right, own[share].verdict
            assert facts == (None, None, WITHIN)
        (pr,) = (each for each in result.figures if (each.metric, each.player) == ("pr", player))
        assert sum(part.gap or 0.0 for part in own.values()) == pytest.approx(pr.gap, abs=1e-9)


@pytest.mark.parametrize(
    ("limits", "with_figure", "code"),
    cases_of(__file__, "share_is_judged_with_its_figure_and_alone"),
)
def test_share_is_judged_with_its_figure_and_alone(written, limits, with_figure, code):
    tolerances = shared(written, with_figure, **limits)
    assert compare(beginning(".xg"), beginning(".sgf"), tolerances).exit_code() == code


def test_share_of_an_incomplete_figure_is_incomplete(written):
    left = beginning(".xg")
    part = replace(left, cubes=left.cubes.replaced(analysed=left.cubes.analysed & False))
    result = compare(part, beginning(".sgf"), shared(written, engine=100))
    assert {share.verdict for share in result.shares} == {INCOMPLETE}
    assert all("cube decisions" in share.coverage for share in result.shares)


def test_exceptions_of_a_player_hold_in_a_plain_comparison(written):
    plain = TABLES.replace("abs: 0.5", "abs: 0.001").replace(
        "decisions: {abs: 0", "decisions: {abs: 9"
    )
    override = overrides("player: nora lindqvist, metric: pr, abs: 50")
    late = override.replace("9999-12-31", "2001-01-01")
    expiry = "pr of nora lindqvist: 50 allowed, held until 2001-01-01: r"
    for text, code, words in (
        (plain, 1, ""),
        (plain + override, 0, "PR of Nora Lindqvist: override until 9999-12-31: r"),
        (plain + late, 1, f"warning: An override has expired: {expiry}"),
    ):
        written.write_text(text)
        result = run("compare", XG, SGF, "--tolerances", str(written), "--player", "Nora")
        assert (result.exit_code, words in result.stdout) == (code, True), result.stdout
