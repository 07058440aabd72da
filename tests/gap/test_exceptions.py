"""Overrides and known gaps hold for one match, player and figure, up to their day, and are told."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from reconcile.gap.bounds import Gate
from reconcile.gap.tolerances import load_tolerances
from reconcile.gap.verdict import INCOMPLETE, OUTSIDE, WITHIN, gate_findings, judged
from tests.support.tolerance_files import OVERRIDE, TABLES, figure, refused

KNOWN = (
    "known_gaps:\n  - {table: documented, match: one, player: Nora, metric: pr, gap: -1.25, cause: rule.Q02, until: 2027-03-31, "
    'reason: "closed no-doubles", evidence: ["issue 12"]}\n'
)
IN_TIME, LAST_DAY, TOO_LATE = date(2026, 11, 21), date(2027, 3, 31), date(2027, 4, 1)


def gate(written: Path, text: str, match: str | None = "one", today: date = IN_TIME) -> Gate:
    written.write_text(TABLES + text)
    return load_tolerances(written).gate("documented", match, today)


@pytest.mark.parametrize(
    ("today", "verdict", "bound"),
    [(IN_TIME, WITHIN, 2.0), (LAST_DAY, WITHIN, 2.0), (TOO_LATE, OUTSIDE, 0.5)],
)
def test_override_holds_up_to_its_day(
    written: Path, today: date, verdict: str, bound: float
) -> None:
    here = gate(written, OVERRIDE, today=today)
    seen = judged(figure(7.0, 8.5), here)
    assert (seen.verdict, seen.tolerance) == (verdict, bound)
    assert seen.note == ("override until 2027-03-31: net" if verdict == WITHIN else "")
    told = [
        (finding.code, finding.severity, finding.evidence)
        for finding in gate_findings([seen], here)
    ]
    expired = [
        ("override-expired", "warning", "pr of Nora in one: 2 allowed, held until 2027-03-31: net")
    ]
    assert told == ([] if verdict == WITHIN else expired)


@pytest.mark.parametrize(
    ("match", "player", "metric", "overridden"),
    [
        ("one", "Nora", "pr", True),
        ("one", "NÓRA ", "pr", True),
        ("other", "Nora", "pr", False),
        (None, "Nora", "pr", False),
        ("one", "Tomas", "pr", False),
        ("one", "Nora", "decisions.counted", False),
    ],
)
def test_override_is_about_one_match_player_and_figure(
    written: Path, match: str | None, player: str, metric: str, overridden: bool
) -> None:
    bound = gate(written, OVERRIDE, match).of(metric, player)
    assert bound is not None
    assert (bound.abs == 2.0) is overridden


def test_override_of_several_figures_is_about_those_that_the_table_bounds_and_a_narrower_one_wins(
    written: Path,
) -> None:
    lines = [
        f'  - {{table: documented, match: one, metric: "{name}", abs: {size}, level: error, until: 2027-03-31, reason: "r"}}\n'
        for name, size in (("*", 3.0), ("decisions*", 4.0), ("decisions.counted", 5.0))
    ]
    widest = {"pr": 3.0, "decisions.counted": 3.0, "pr@engine": 0.2, "snowie_er": None}
    for count, more in enumerate(
        ({}, {"decisions.counted": 4.0}, {"decisions.counted": 5.0}), start=1
    ):
        here = gate(written, "overrides:\n" + "".join(lines[:count]))
        assert {
            name: bound and bound.abs for name in widest for bound in (here.of(name, "Nora"),)
        } == widest | more


def test_override_of_a_share_leaves_the_whole_alone(written: Path) -> None:
    here = gate(written, OVERRIDE.replace("metric: pr", "metric: pr@engine"))
    assert [
        bound and bound.abs for bound in (here.of("pr", "Nora"), here.of("pr@engine", "Nora"))
    ] == [0.5, 2.0]


@pytest.mark.parametrize(
    ("right", "verdict", "known", "gone"),
    [
        (5.75, WITHIN, -1.25, False),  # just the gap that is known
        (5.25, WITHIN, -1.25, False),  # 0.5 beyond it
        (5.2, OUTSIDE, -1.25, False),
        (6.25, WITHIN, -1.25, False),  # -0.75: 0.5 less than known, and too much without it
        (6.4, OUTSIDE, -1.25, False),  # -0.6: neither with nor without it
        (6.6, WITHIN, None, True),
        (7.0, WITHIN, None, True),
        (7.5, WITHIN, None, True),
        (7.6, OUTSIDE, -1.25, False),
        (8.25, OUTSIDE, -1.25, False),  # as large to the other side: the sign counts
    ],
)
def test_known_gap_is_taken_off_before_judging(
    written: Path, right: float, verdict: str, known: float | None, gone: bool
) -> None:
    here = gate(written, KNOWN)
    seen = judged(figure(7.0, right), here)
    assert (seen.verdict, seen.known_gap) == (verdict, known)
    assert seen.gap == pytest.approx(right - 7.0)
    assert [finding.code for finding in gate_findings([seen], here)] == (
        ["known-gap-gone"] if gone else []
    )


@pytest.mark.parametrize(("right", "known"), [(6.8, -0.2), (6.6, -0.2), (7.0, None), (7.2, None)])
def test_known_gap_smaller_than_the_bound_is_gone_only_where_the_figure_is_nearer_without_it(
    written: Path, right: float, known: float | None
) -> None:
    here = gate(written, KNOWN.replace("-1.25", "-0.2"))
    seen = judged(figure(7.0, right), here)
    assert (seen.verdict, seen.known_gap) == (WITHIN, known)
    assert [finding.code for finding in gate_findings([seen], here)] == (
        [] if known else ["known-gap-gone"]
    )


def test_known_gap_is_told_with_cause_day_and_reason(written: Path) -> None:
    here = gate(written, KNOWN)
    assert (
        judged(figure(7.0, 5.75), here).note
        == "known gap -1.25 (rule.Q02) until 2027-03-31: closed no-doubles"
    )
    (finding,) = gate_findings([judged(figure(7.0, 7.0), here)], here)
    assert (finding.severity, finding.player) == ("warning", "Nora")
    assert finding.evidence == "pr of Nora: expected a gap of -1.25 (rule.Q02), found +0"


def test_known_gap_no_longer_holds_after_its_day(written: Path) -> None:
    here = gate(written, KNOWN, today=TOO_LATE)
    seen = judged(figure(7.0, 5.75), here)
    assert (seen.verdict, seen.known_gap) == (OUTSIDE, None)
    (finding,) = gate_findings([seen], here)
    assert (finding.code, finding.evidence) == (
        "known-gap-expired",
        "pr of Nora in one: a gap of -1.25 (rule.Q02), held until 2027-03-31: closed no-doubles",
    )


def test_known_gap_of_an_incomplete_figure_is_neither_used_nor_gone(written: Path) -> None:
    here = gate(written, KNOWN)
    seen = judged(figure(7.0, 7.0), here, "right: 3 of 9 cube decisions")
    assert (seen.verdict, seen.known_gap) == (INCOMPLETE, None)
    assert list(gate_findings([seen], here)) == []


def test_without_a_day_the_exceptions_are_held_against_this_one(written: Path) -> None:
    written.write_text(TABLES + OVERRIDE.replace("2027-03-31", "2000-01-01"))
    (entry,) = load_tolerances(written).gate("documented", "one").expired
    assert entry.until == date(2000, 1, 1)
    written.write_text(TABLES + OVERRIDE.replace("2027-03-31", "9999-12-31"))
    assert list(load_tolerances(written).gate("documented", "one").expired) == []


def test_no_clock_is_read_where_nothing_can_run_out() -> None:
    assert load_tolerances().gate("documented").today == date.min


@pytest.mark.parametrize(
    ("text", "keys", "said"),
    [
        (
            OVERRIDE.replace("2027-03-31", "31.3.2027"),
            "overrides.0.until",
            "expected a day as YYYY-MM-DD, found '31.3.2027'",
        ),
        (
            OVERRIDE.replace("2027-03-31", "2027-02-30"),
            "overrides.0.until",
            "expected a day that exists",
        ),
        (
            OVERRIDE.replace("2027-03-31", "20270331"),
            "overrides.0.until",
            "expected a day as YYYY-MM-DD",
        ),
        (
            OVERRIDE.replace("2027-03-31", "never"),
            "overrides.0.until",
            "expected a day as YYYY-MM-DD",
        ),
        (
            OVERRIDE.replace("until: 2027-03-31, ", ""),
            "overrides.0.until",
            "expected this key, found none",
        ),
        (
            OVERRIDE.replace('reason: "net"', 'reason: ""'),
            "overrides.0.reason",
            "at least 1 character",
        ),
        (
            OVERRIDE.replace(', reason: "net"', ""),
            "overrides.0.reason",
            "expected this key, found none",
        ),
        (
            OVERRIDE.replace("table: documented", "table: documentd"),
            "overrides.0.table",
            "no table 'documentd'; there are documented",
        ),
        (
            OVERRIDE.replace("metric: pr", "metric: prr"),
            "overrides.0.metric",
            "unknown metric 'prr'",
        ),
        (
            OVERRIDE.replace("metric: pr", "metric: snowie_er"),
            "overrides.0.metric",
            "has no bound for snowie_er; add one there first",
        ),
        (
            OVERRIDE.replace("metric: pr", "metric: pr@rules"),
            "overrides.0.metric",
            "has no bound for pr@rules",
        ),
        (
            OVERRIDE.replace("match: one, player: Nora, ", ""),
            "overrides.0",
            "expected a match, a player or both",
        ),
        (OVERRIDE.replace("abs: 2.0, ", ""), "overrides.0", "expected one of abs, rel and within"),
        (OVERRIDE.replace("abs: 2.0", "abs: true"), "overrides.0.abs", "expected a number"),
        (
            OVERRIDE + OVERRIDE.splitlines(keepends=True)[1].replace("Nora", "nora"),
            "overrides.1",
            "pr of nora in one is given twice",
        ),
        (
            OVERRIDE.replace("metric: pr", "metric: prr*"),
            "overrides.0.metric",
            "no metric begins with 'prr'",
        ),
        (
            OVERRIDE.replace("metric: pr", "metric: snow*"),
            "overrides.0.metric",
            "has no bound for snow*; add one there first",
        ),
        (KNOWN.replace("metric: pr", 'metric: "*"'), "known_gaps.0.metric", "expected one figure"),
        (KNOWN.replace("gap: -1.25", "gap: 0"), "known_gaps.0.gap", "expected the signed gap"),
        (KNOWN.replace("gap: -1.25", "gap: .nan"), "known_gaps.0.gap", "finite"),
        (KNOWN.replace("gap: -1.25, ", ""), "known_gaps.0.gap", "expected this key, found none"),
        (
            KNOWN.replace("rule.Q02", "rule.Q99"),
            "known_gaps.0.cause",
            "unknown cause, expected one of rule.Q01",
        ),
        (
            KNOWN.replace("until: 2027-03-31, ", ""),
            "known_gaps.0.until",
            "expected this key, found none",
        ),
        (KNOWN.replace("player: Nora", "abs: 3"), "known_gaps.0.abs", "no such key is known here"),
    ],
)
def test_bad_exception_is_refused_with_line_and_key(
    written: Path, text: str, keys: str, said: str
) -> None:
    message = refused(written, TABLES + text)
    line = len(TABLES.splitlines()) + 2 + (1 if keys == "overrides.1" else 0)
    assert message.startswith(f":{line}: {keys}: ")
    assert said in message


def test_bundled_file_makes_no_exceptions() -> None:
    assert (load_tolerances().overrides, load_tolerances().known_gaps) == ((), ())


def test_exception_for_the_match_comes_before_one_for_the_player_in_any_match(
    written: Path,
) -> None:
    def override(where: str, bound: float) -> str:
        return f'  - {{table: documented, {where}, metric: pr, abs: {bound}, level: error, until: 9999-12-31, reason: "r"}}\n'

    given = [
        override("match: one", 2),
        override("player: Nora", 3),
        override("match: one, player: Nora", 4),
    ]
    for chosen, bound in ((given[:2], 2), (given[1::-1], 2), (given[1:], 4), (given, 4)):
        assert (
            judged(figure(7.0, 7.0), gate(written, "overrides:\n" + "".join(chosen))).tolerance
            == bound
        )
    text = "overrides:\n" + "".join(given)
    elsewhere = [("one", "Tomas"), ("two", "Nora"), (None, "Nora"), ("two", "Tomas")]
    found = [gate(written, text, match).of("pr", player) for match, player in elsewhere]
    assert [bound and bound.abs for bound in found] == [2.0, 3.0, 3.0, 0.5]


def test_relative_bound_that_has_expired_is_told_in_per_cent(written: Path) -> None:
    text = 'overrides:\n  - {table: documented, player: Nora, metric: pr, rel: 0.125, level: error, until: 2026-11-20, reason: "r"}\n'
    here = gate(written, text)
    (finding,) = gate_findings([judged(figure(7.0, 7.0), here)], here)
    assert (
        finding.evidence
        == "pr of Nora: 12.5 % of the left figure allowed, held until 2026-11-20: r"
    )
