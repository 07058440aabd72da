"""The tolerance file: every way of getting it wrong is one line that names file, line and key."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from reconcile.adapters import load_match
from reconcile.cli import main
from reconcile.errors import InvalidConfiguration, UnknownName
from reconcile.files.bundled import bundled
from reconcile.gap.bridge import SHARES
from reconcile.gap.comparison import INCOMPLETE, OUTSIDE, UNGATED, WITHIN, Figure, compare, judged
from reconcile.gap.tolerances import Gate, Table, Tolerance, load_tolerances
from reconcile.gap.verdict import gate_findings
from reconcile.gap.walk import Walk
from reconcile.scoring.metrics import METRICS

GOOD = 'schema_version: 1\ntables:\n  one:\n    title: t\n    entries:\n      pr: {abs: 0.1, level: error, reason: "r", source: "s"}\n'


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return tmp_path / "tolerances.yaml"


def refused(path: Path, text: str | bytes) -> str:
    """The message for a file with this text."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(InvalidConfiguration) as caught:
        load_tolerances(path)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(path))
    return message.removeprefix(str(path))


def entry(text: str, name: str = "pr") -> str:
    return GOOD.replace('      pr: {abs: 0.1, level: error, reason: "r", source: "s"}', f"      {name}: {text}")


def test_a_good_file_is_read(written: Path) -> None:
    written.write_text(GOOD)
    tolerance = load_tolerances(written).table("one").of("pr")
    assert tolerance is not None
    assert (tolerance.bound(9.0), tolerance.level) == (0.1, "error")


def test_bundled_file_has_the_documented_bounds() -> None:
    table = load_tolerances().table("documented")
    bounds = {name: tolerance.abs for name, tolerance in table.entries.items()}
    assert bounds == {"pr": 0.10, "mwc_loss_percent.total": 1.0, "snowie_er": 0.50}


def test_every_bundled_entry_gives_reason_and_source() -> None:
    tables = load_tolerances().tables
    assert all(table.entries for table in tables.values())
    assert tables
    for table in tables.values():
        for tolerance in table.entries.values():
            assert tolerance.reason
            assert tolerance.source


def test_short_names_mean_the_total(written: Path) -> None:
    written.write_text(entry('{abs: 5, level: warn, reason: "r", source: "s"}', "decisions"))
    assert list(load_tolerances(written).table("one").entries) == ["decisions.counted"]


@pytest.mark.parametrize("share", SHARES)
def test_a_share_of_a_figure_can_be_bounded(written: Path, share: str) -> None:
    written.write_text(entry('{abs: 5, level: warn, reason: "r", source: "s"}', f"equity_error@{share}"))
    assert list(load_tolerances(written).table("one").entries) == [f"equity_error.total@{share}"]


def test_off_is_a_word_and_a_date_is_text(written: Path) -> None:
    written.write_text(entry('{abs: 1e-4, level: off, reason: "r", source: "s", measured: 2026-11-21}'))
    tolerance = load_tolerances(written).table("one").of("pr")
    assert tolerance is not None
    assert (tolerance.abs, tolerance.level, tolerance.measured) == (0.0001, "off", "2026-11-21")


def test_relative_bound_is_a_share_of_the_left_figure() -> None:
    tolerance = Tolerance(rel=0.1, level="error", reason="r", source="s")
    assert tolerance.bound(-4.0) == 0.4


LINE = 6
"""Line of the one entry in GOOD."""


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ('{abs: 0.1, level: error, reason: "r", source: "s"}', "prr", "unknown metric 'prr'"),
        ('{abs: 0.1, level: error, reason: "r", source: "s"}', "PR", "unknown metric 'PR'"),
        ('{abs: 0.1, level: error, reason: "r", source: "s"}', "pr@motor", "unknown share 'motor'"),
        ('{abs: 0.1, level: error, reason: "r", source: "s"}', "pr@", "unknown share"),
        ('{abs: 0.1, level: error, reason: "r", source: "s"}', "pr.total", "unknown metric 'pr.total'"),
        ('{abs: 0.1, rel: 0.1, level: error, reason: "r", source: "s"}', "pr", "expected either abs or rel"),
        ('{level: error, reason: "r", source: "s"}', "pr", "expected either abs or rel"),
        ('{abs: -0.1, level: error, reason: "r", source: "s"}', "pr", "greater than or equal to 0"),
        ('{rel: -0.1, level: error, reason: "r", source: "s"}', "pr", "greater than or equal to 0"),
        ('{abs: .nan, level: error, reason: "r", source: "s"}', "pr", "finite"),
        ('{abs: .inf, level: error, reason: "r", source: "s"}', "pr", "finite"),
        ('{abs: "much", level: error, reason: "r", source: "s"}', "pr", "number"),
        ('{abs: 0.1, level: fatal, reason: "r", source: "s"}', "pr", "'error', 'warn' or 'off'"),
        ('{abs: 0.1, level: false, reason: "r", source: "s"}', "pr", "level"),
        ('{abs: 0.1, level: error, source: "s"}', "pr", "reason"),
        ('{abs: 0.1, level: error, reason: "", source: "s"}', "pr", "reason"),
        ('{abs: 0.1, level: error, reason: "r"}', "pr", "source"),
        ('{abs: 0.1, level: error, reason: "r", source: "s", absolute: 2}', "pr", "absolute"),
    ],
)
def test_bad_entry_is_refused_with_file_line_and_key(written: Path, text: str, name: str, said: str) -> None:
    message = refused(written, entry(text, name))
    line = int(message.split(":")[1])
    # A name among the entries is told with the line of `entries`, everything else with its own.
    assert line in (LINE, LINE - 1)
    assert "one" in message
    assert said in message


def test_nan_and_infinity_are_refused_whatever_writes_them() -> None:
    for value in (float("nan"), float("inf"), float("-inf")):
        with pytest.raises(ValueError, match=r"finite|greater"):
            Tolerance(abs=value, level="error", reason="r", source="s")


def test_unknown_keys_are_refused_at_every_depth(written: Path) -> None:
    assert ":1: surprise" in refused(written, "surprise: 1\n" + GOOD)
    assert ":6: tables.one.surprise" in refused(
        written, GOOD.replace("    entries:", "    surprise: 1\n    entries:").replace("t\n", "t\n\n", 1)
    )


def test_metric_under_two_names_is_bounded_twice(written: Path) -> None:
    more = '      decisions: {abs: 1, level: error, reason: "r", source: "s"}\n'
    assert "bounded twice" in refused(written, GOOD + more + more.replace("decisions", "decisions.counted"))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (GOOD + GOOD.splitlines(keepends=True)[-1], 7, "'pr' is given twice"),
        (GOOD.replace("    title: t\n", "    title: t\n    title: u\n"), 5, "'title' is given twice"),
        (GOOD + "  one:\n    title: t\n    entries: {}\n", 7, "'one' is given twice"),
        (GOOD.replace("{abs: 0.1", "&x {abs: 0.1") + "      snowie_er: *x\n", 7, "aliases are not allowed"),
    ],
)
def test_duplicates_and_aliases_are_refused_with_their_line(written: Path, text: str, line: int, said: str) -> None:
    message = refused(written, text)
    assert message.startswith(f":{line}: ")
    assert said in message


def test_merge_key_is_no_way_round(written: Path) -> None:
    refused(written, GOOD + "      snowie_er:\n        <<: {abs: 0.1, level: error}\n        reason: r\n        sauce: s\n")


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object/apply:os.system ['touch {marker}']",
        "!!python/object/new:os.system ['touch {marker}']",
        "!!python/name:os.system",
        "!!python/module:os",
        "!include /etc/passwd",
        "!!binary notbase64!",
        "!!timestamp nonsense",
        "!!int nonsense",
        "!!set {{a, b}}",
        "!!str t",
        "! t",
    ],
)
def test_hostile_tags_are_refused_and_run_nothing(written: Path, tmp_path: Path, tag: str) -> None:
    marker = tmp_path / "marker"
    refused(written, GOOD.replace("title: t", f"title: {tag.format(marker=marker)}"))
    assert not marker.exists()


def test_billion_laughs_are_refused_at_once(written: Path) -> None:
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    assert "aliases are not allowed" in refused(written, "\n".join(lines))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file"),
        ("# only a comment\n", "the file"),
        ("[]", "the file"),
        ("42", "the file"),
        ("just words", "the file"),
        ("schema_version: 2\ntables: {}", "schema_version"),
        ("schema_version: 1\ntables: {}", "tables"),
        ("schema_version: 1", "tables"),
        ("tables:\n  one", "correct the file"),
        ("a: b: c", "correct the file"),
        ("a:\n\t- b", "correct the file"),
        (b"\xff\xfe\x00", "correct the file"),
        (b"title: \xe9\n", "correct the file"),
        ("a: " + "[" * 5000, "correct the file"),
        ("? [a, b]\n: 1\n", "correct the file"),
        ("? {a: b}\n: 1\n", "correct the file"),
        ("---\nschema_version: 1\n---\nschema_version: 1\n", "correct the file"),
        ("1: 2\nnull: 3\n", "correct the file"),
    ],
)
def test_file_that_is_no_tolerance_file_is_refused_in_one_line(written: Path, text: str | bytes, said: str) -> None:
    assert said in refused(written, text)


def test_huge_file_is_not_parsed(written: Path) -> None:
    assert "at most 256 KB" in refused(written, b"#" * (256 * 2**10 + 1))


def test_missing_file_and_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidConfiguration, match="no such file"):
        load_tolerances(tmp_path / "absent.yaml")
    with pytest.raises(InvalidConfiguration, match="is a directory"):
        load_tolerances(tmp_path)


def test_unknown_table_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="no table of tolerances 'documentd'; there are documented"):
        load_tolerances().table("documentd")


def table(**bounds: float | str) -> Table:
    options = {"level": "error", "reason": "r", "source": "s"} | bounds
    return Table.model_validate({"title": "t", "entries": {"pr": options}})


def figure(left: float | None, right: float | None, metric: str = "pr") -> Figure:
    return Figure(metric, "Nora", left, right, None, None, None, UNGATED)


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        (9.0, 9.5, WITHIN),
        (9.0, 8.5, WITHIN),
        (9.0, 9.500001, OUTSIDE),
        (9.28, 9.285, WITHIN),
        (None, 9.0, INCOMPLETE),
        (9.0, None, INCOMPLETE),
        (None, None, UNGATED),
        (0.0, 0.0, WITHIN),
    ],
)
def test_gap_is_held_against_the_bound_at_both_ends(left: float | None, right: float | None, verdict: str) -> None:
    assert judged(figure(left, right), table(abs=0.5)).verdict == verdict


def test_binary_fractions_do_not_push_a_figure_out() -> None:
    assert judged(figure(9.28, 9.285), table(abs=0.005)).verdict == WITHIN
    assert judged(figure(0.3, 0.1 + 0.2), table(abs=0)).verdict == WITHIN


def test_missing_analysis_is_never_judged() -> None:
    seen = judged(figure(0.0, 9.0), table(abs=0.5), "right: 27 of 94 cube decisions")
    assert (seen.verdict, seen.coverage) == (INCOMPLETE, "right: 27 of 94 cube decisions")


def test_level_off_shows_and_does_not_judge() -> None:
    seen = judged(figure(0.0, 9.0), table(abs=0.5, level="off"))
    assert (seen.verdict, seen.gap, seen.tolerance) == (UNGATED, 9.0, None)


def test_figure_without_an_entry_is_ungated() -> None:
    assert {judged(figure(0.0, 9.0, name), table(abs=0.5)).verdict for name in METRICS if name != "pr"} == {UNGATED}


TABLES = """schema_version: 1
tables:
  documented:
    title: t
    entries:
      pr: {abs: 0.5, level: error, reason: "r", source: "s"}
      decisions: {abs: 0, level: error, reason: "r", source: "s"}
      pr@engine: {abs: 0.2, level: warn, reason: "r", source: "s"}
"""
OVERRIDE = (
    'overrides:\n  - {table: documented, match: one, player: Nora, metric: pr, abs: 2.0, level: error, until: 2027-03-31, reason: "net"}\n'
)
KNOWN = (
    "known_gaps:\n  - {table: documented, match: one, player: Nora, metric: pr, gap: -1.25, cause: rule.Q02, until: 2027-03-31, "
    'reason: "closed no-doubles", evidence: ["issue 12"]}\n'
)
IN_TIME, LAST_DAY, TOO_LATE = date(2026, 11, 21), date(2027, 3, 31), date(2027, 4, 1)


def gate(written: Path, text: str, match: str | None = "one", today: date = IN_TIME) -> Gate:
    written.write_text(TABLES + text)
    return load_tolerances(written).gate("documented", match, today)


@pytest.mark.parametrize(("today", "verdict", "bound"), [(IN_TIME, WITHIN, 2.0), (LAST_DAY, WITHIN, 2.0), (TOO_LATE, OUTSIDE, 0.5)])
def test_override_holds_up_to_its_day(written: Path, today: date, verdict: str, bound: float) -> None:
    here = gate(written, OVERRIDE, today=today)
    seen = judged(figure(7.0, 8.5), here)
    assert (seen.verdict, seen.tolerance) == (verdict, bound)
    assert seen.note == ("override until 2027-03-31: net" if verdict == WITHIN else "")
    told = [(finding.code, finding.severity, finding.evidence) for finding in gate_findings([seen], here)]
    expired = [("override-expired", "warning", "pr of Nora in one: 2 allowed, held until 2027-03-31: net")]
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


def test_most_particular_override_wins(written: Path) -> None:
    rows = [("match: one, ", 3.0), ("player: Nora, ", 4.0), ("match: one, player: Nora, ", 2.0)]
    lines = [
        f'  - {{table: documented, {who}metric: pr, abs: {size}, level: error, until: 2027-03-31, reason: "r"}}\n' for who, size in rows
    ]
    written.write_text(TABLES + "overrides:\n" + "".join(lines))
    tolerances = load_tolerances(written)
    found = [
        tolerances.gate("documented", match, IN_TIME).of("pr", player)
        for match, player in [("one", "Nora"), ("one", "Tomas"), ("two", "Nora"), ("two", "Tomas"), (None, "Nora")]
    ]
    assert [bound and bound.abs for bound in found] == [2.0, 3.0, 4.0, 0.5, 4.0]


def test_override_of_a_share_leaves_the_whole_alone(written: Path) -> None:
    here = gate(written, OVERRIDE.replace("metric: pr", "metric: pr@engine"))
    assert [bound and bound.abs for bound in (here.of("pr", "Nora"), here.of("pr@engine", "Nora"))] == [0.5, 2.0]


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
def test_known_gap_is_taken_off_before_judging(written: Path, right: float, verdict: str, known: float | None, gone: bool) -> None:
    here = gate(written, KNOWN)
    seen = judged(figure(7.0, right), here)
    assert (seen.verdict, seen.known_gap) == (verdict, known)
    assert seen.gap == pytest.approx(right - 7.0)
    assert [finding.code for finding in gate_findings([seen], here)] == (["known-gap-gone"] if gone else [])


def test_known_gap_is_told_with_cause_day_and_reason(written: Path) -> None:
    here = gate(written, KNOWN)
    assert judged(figure(7.0, 5.75), here).note == "known gap -1.25 (rule.Q02) until 2027-03-31: closed no-doubles"
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
        (OVERRIDE.replace("2027-03-31", "31.3.2027"), "overrides.0.until", "expected a day as YYYY-MM-DD, found '31.3.2027'"),
        (OVERRIDE.replace("2027-03-31", "2027-02-30"), "overrides.0.until", "expected a day that exists"),
        (OVERRIDE.replace("2027-03-31", "20270331"), "overrides.0.until", "expected a day as YYYY-MM-DD"),
        (OVERRIDE.replace("2027-03-31", "never"), "overrides.0.until", "expected a day as YYYY-MM-DD"),
        (OVERRIDE.replace("until: 2027-03-31, ", ""), "overrides.0.until", "expected this key, found none"),
        (OVERRIDE.replace('reason: "net"', 'reason: ""'), "overrides.0.reason", "at least 1 character"),
        (OVERRIDE.replace(', reason: "net"', ""), "overrides.0.reason", "expected this key, found none"),
        (OVERRIDE.replace("table: documented", "table: documentd"), "overrides.0.table", "no table 'documentd'; there are documented"),
        (OVERRIDE.replace("metric: pr", "metric: prr"), "overrides.0.metric", "unknown metric 'prr'"),
        (OVERRIDE.replace("metric: pr", "metric: snowie_er"), "overrides.0.metric", "has no bound for snowie_er; add one there first"),
        (OVERRIDE.replace("metric: pr", "metric: pr@rules"), "overrides.0.metric", "has no bound for pr@rules"),
        (OVERRIDE.replace("match: one, player: Nora, ", ""), "overrides.0", "expected a match, a player or both"),
        (OVERRIDE.replace("abs: 2.0, ", ""), "overrides.0", "expected either abs or rel"),
        (OVERRIDE.replace("abs: 2.0", "abs: true"), "overrides.0.abs", "expected a number"),
        (OVERRIDE + OVERRIDE.splitlines(keepends=True)[1].replace("Nora", "nora"), "overrides.1", "pr of nora in one is given twice"),
        (KNOWN.replace("gap: -1.25", "gap: 0"), "known_gaps.0.gap", "expected the signed gap"),
        (KNOWN.replace("gap: -1.25", "gap: .nan"), "known_gaps.0.gap", "finite"),
        (KNOWN.replace("gap: -1.25, ", ""), "known_gaps.0.gap", "expected this key, found none"),
        (KNOWN.replace("rule.Q02", "rule.Q99"), "known_gaps.0.cause", "unknown cause, expected one of rule.Q01"),
        (KNOWN.replace("until: 2027-03-31, ", ""), "known_gaps.0.until", "expected this key, found none"),
        (KNOWN.replace("player: Nora", "abs: 3"), "known_gaps.0.abs", "no such key is known here"),
    ],
)
def test_bad_exception_is_refused_with_line_and_key(written: Path, text: str, keys: str, said: str) -> None:
    message = refused(written, TABLES + text)
    line = len(TABLES.splitlines()) + 2 + (1 if keys == "overrides.1" else 0)
    assert message.startswith(f":{line}: {keys}: ")
    assert said in message


def test_share_of_a_figure_without_a_bridge_is_refused(written: Path) -> None:
    for name in ("moves.total@engine", "luck@engine"):
        message = refused(written, entry('{abs: 5, level: warn, reason: "r", source: "s"}', name))
        assert f"{name.partition('@')[0]} has no bridge whose shares could be bounded" in message


def test_file_that_extends_the_bundled_one_has_its_tables_too(written: Path) -> None:
    known = OVERRIDE.replace("table: documented", "table: xg-reported")
    written.write_text("schema_version: 1\nextends: bundled\n" + known)
    tolerances = load_tolerances(written)
    assert tolerances.tables == load_tolerances().tables
    assert len(tolerances.overrides) == 1
    written.write_text(TABLES.replace("tables:", "extends: bundled\ntables:"))
    tolerances = load_tolerances(written)
    assert tolerances.table("documented").entries.keys() == {"pr", "decisions.counted", "pr@engine"}
    assert tolerances.table("xg-reported") == load_tolerances().table("xg-reported")
    assert "extends" in refused(written, TABLES.replace("tables:", "extends: other.yaml\ntables:"))
    assert "tables" in refused(written, "schema_version: 1\n")


def test_bundled_file_makes_no_exceptions() -> None:
    assert (load_tolerances().overrides, load_tolerances().known_gaps) == ((), ())


# Shares of a gap, judged from the bridge.

DEMONSTRATION = bundled("reference_matches") / "demonstration"
FILES = [str(DEMONSTRATION / f"nora-lindqvist-tomas-beck.{ending}") for ending in ("xg", "sgf")]


def shared(written: Path, **bounds: float) -> str:
    """A file that bounds PR amply and shares of it as told."""
    rows = {"pr": 100.0} | {f"pr@{share}": bound for share, bound in bounds.items()}
    lines = [f'      {name}: {{abs: {bound}, level: error, reason: "r", source: "s"}}\n' for name, bound in rows.items()]
    written.write_text(TABLES[: TABLES.index("      pr:")] + "".join(lines))
    return str(written)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="reconcile", catch_exceptions=False)


def test_shares_of_a_gap_are_those_of_its_bridge_and_add_up(written: Path) -> None:
    bounds = load_tolerances(shared(written, rules=100, engine=100, coverage=100, reporting=100))
    result = compare(load_match(FILES[0]), load_match(FILES[1]), bounds)
    walk = Walk(result)
    for seat, player in enumerate(result.left.players):
        own = {part.share: part for part in result.shares if part.player == player}
        assert set(own) == set(SHARES)
        steps = walk.bridge("pr", seat).steps
        assert own["engine"].gap == next(step.change for step in steps if step.code == "engine")
        assert own["rules"].gap == pytest.approx(sum(step.change for step in steps if step.code.startswith("Q")), abs=1e-12)
        assert own["coverage"].gap == pytest.approx(sum(step.change for step in steps if step.code.startswith("coverage")), abs=1e-12)
        whole = next(one for one in result.figures if (one.metric, one.player) == ("pr", player))
        assert sum(part.gap or 0.0 for part in own.values()) == pytest.approx(whole.gap, abs=1e-9)
        assert {part.verdict for part in own.values()} == {WITHIN}


def test_too_tight_share_fails_the_gate_while_the_figure_passes(written: Path, tmp_path: Path) -> None:
    assert run("compare", *FILES, "--tolerances", shared(written, engine=100)).exit_code == 0
    outputs = {name: tmp_path / f"out.{name}" for name in ("json", "html", "markdown")}
    told = [argument for name, path in outputs.items() for argument in (f"--{name}", str(path))]
    result = run("compare", *FILES, "--tolerances", shared(written, engine=0.01), *told)
    assert result.exit_code == 1
    figures = {(one["metric"], one["player"]): one for one in json.loads(outputs["json"].read_text())["figures"]}
    whole, part = (figures[name, "Nora Lindqvist"] for name in ("pr", "pr@engine"))
    assert (whole["verdict"], part["verdict"], part["left"], part["right"], part["tolerance"]) == (WITHIN, OUTSIDE, None, None, 0.01)
    line = next(line for line in result.stdout.splitlines() if line.startswith("PR, analysis") and "expected" in line)
    assert re.fullmatch(r"PR, analysis +(Nora Lindqvist|Tomas Beck) +expected <= 0\.01 +found \d\.\d\d +of the gap", line)
    assert "PR, analysis" in outputs["markdown"].read_text()
    page = outputs["html"].read_text()
    assert "Shares of a gap" in page
    assert "PR, analysis" in page
    assert run("compare", *FILES, "--tolerances", shared(written, reporting=0)).exit_code == 0


def test_share_of_an_incomplete_figure_is_incomplete(written: Path) -> None:
    path = shared(written, engine=100)
    left = load_match(FILES[0])
    cubes = left.cubes.replaced(analysed=np.zeros_like(left.cubes.analysed))
    result = compare(replace(left, cubes=cubes), load_match(FILES[1]), load_tolerances(path))
    assert {part.verdict for part in result.shares} == {INCOMPLETE}
    assert all("cube decisions" in part.coverage for part in result.shares)


def test_share_alone_in_a_table_is_judged(written: Path) -> None:
    text = Path(shared(written, engine=0.01)).read_text()
    written.write_text("".join(line for line in text.splitlines(keepends=True) if "pr:" not in line))
    assert run("compare", *FILES, "--tolerances", str(written)).exit_code == 1


def test_exceptions_of_a_player_hold_in_a_plain_comparison(written: Path) -> None:
    plain = shared(written, engine=100)
    text = Path(plain).read_text().replace("pr: {abs: 100.0", "pr: {abs: 0.001")
    written.write_text(text)
    assert run("compare", *FILES, "--tolerances", str(written), "--player", "Nora").exit_code == 1
    exception = (
        'overrides:\n  - {table: documented, player: nora lindqvist, metric: pr, abs: 50, level: error, until: 9999-12-31, reason: "why"}\n'
    )
    written.write_text(text + exception)
    result = run("compare", *FILES, "--tolerances", str(written), "--player", "Nora")
    assert result.exit_code == 0
    assert "PR of Nora Lindqvist: override until 9999-12-31: why" in result.stdout
    written.write_text(text + exception.replace("9999-12-31", "2001-01-01"))
    result = run("compare", *FILES, "--tolerances", str(written), "--player", "Nora")
    assert result.exit_code == 1
    assert "warning: An override has run out: pr of nora lindqvist: 50 allowed, held until 2001-01-01: why" in result.stdout
