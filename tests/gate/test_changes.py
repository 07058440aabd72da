"""`reconcile diff`: what changed between two results is told, and what got worse is exit code 1."""

from __future__ import annotations

import copy
import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from reconcile.document import dumps
from reconcile.gate.candidates.judgement import not_used
from reconcile.gate.changes import ORDER, ChangedFigure, Changes, ChangeSummary, changes
from reconcile.gate.flat import VERDICTS, Result, Value, read_result
from reconcile.report.blocks import text
from reconcile.report.text.changes import changes_blocks
from tests.gate.results import (
    DOCUMENTS,
    SAME,
    WORSE,
    comparison,
    diff,
    figure_of,
    match_of,
    statistics,
    told,
    validation,
    written,
)
from tests.support.command_line import ERROR, SGF, XG, run

pytestmark = pytest.mark.usefixtures("elsewhere")


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_result_against_itself_has_not_changed(kind: str) -> None:
    made = DOCUMENTS[kind]()
    result = diff(made, made, "--json", "changes.json")
    document = json.loads(Path("changes.json").read_text("utf-8"))
    assert [
        document[key] for key in ("figures", "tolerances", "findings", "not_compared", "sources")
    ] == [[]] * 5
    assert document["old"]["figures"] > 40
    assert (result.exit_code, result.stdout.count("\n")) == (SAME, 1)
    assert "nothing changed" in result.stdout


def test_figure_out_of_tolerance_is_worse_and_stands_first() -> None:
    new = validation()
    figure_of(new).update(right=99.0, gap=99.0 - figure_of(new)["left"], verdict="outside")
    figure_of(new, "snowie_memg", "Ben")["right"] += 0.001
    result = diff(validation(), new)
    assert result.exit_code == WORSE
    lines = result.stdout.splitlines()
    assert lines[0] == "reference_matches: 1 verdict got worse; other figures: 1 moved."
    assert lines[3].startswith(
        "  gnubg-11pt-cube-rich, reported gnubg:  Error rate (mEMG)  Ann  within -> outside  ours 92.8 -> 99.0  gap "
    )
    assert "Snowie error rate  Ben" in result.stdout
    assert [one["change"] for one in told(validation(), new)["figures"]] == ["worse", "moved"]


@pytest.mark.parametrize(
    ("now", "change"),
    [
        ({"verdict": "within", "tolerance": 99.0}, "waived"),  # a wider bound
        ({"verdict": "within"}, "waived"),  # a known gap
        ({"verdict": "ungated", "tolerance": None, "level": None}, "waived"),
        ({"verdict": "within", "tolerance": 99.0, "gap": 0.001}, "better"),
        ({"verdict": "incomplete", "gap": None, "right": None}, "better"),
    ],
)
def test_verdict_that_is_better_only_because_more_is_allowed_is_waived(
    now: dict[str, Any], change: str
) -> None:
    old, new = validation(), validation()
    figure_of(old).update(verdict="outside", right=99.0, gap=6.0, tolerance=0.01)
    figure_of(new).update({"right": 99.0, "gap": 6.0, "tolerance": 0.01, **now})
    document = told(old, new)
    assert [one["change"] for one in document["figures"]] == [change]
    assert document["summary"] == {**dict.fromkeys(map(str, ORDER), 0), change: 1}
    said = diff(old, new).stdout
    assert ("only because more is allowed" in said) is (change == "waived")
    assert ("got better" in said) is (change == "better")
    assert diff(new, old).exit_code == WORSE


@pytest.mark.parametrize(
    ("level", "options", "code"),
    [("error", (), WORSE), ("warn", (), SAME), ("warn", ("--fail-on", "warn"), WORSE)],
)
def test_warning_is_told_and_fails_where_asked(
    level: str, options: tuple[str, ...], code: int
) -> None:
    old, new = validation(), validation()
    for document in (old, new):
        figure_of(document)["level"] = level
    figure_of(new)["verdict"] = "outside"
    result = diff(old, new, *options)
    assert result.exit_code == code
    assert "Verdicts that got worse" in result.stdout


@pytest.mark.parametrize("before", VERDICTS)
@pytest.mark.parametrize("after", VERDICTS)
def test_verdict_gets_worse_from_within_to_outside(before: str, after: str) -> None:
    old, new = (
        Result("validation", "pack", figures={("m", "s", "Ann", "pr"): value(0.0, verdict)})
        for verdict in (before, after)
    )
    assert changes(old, new).exit_code() == int(VERDICTS.index(after) > VERDICTS.index(before))


@pytest.mark.parametrize(
    "absent",
    [
        "reported figures of gnubg: it is not here",
        {"what": "reported figures of gnubg", "why": "it is not here"},
    ],
    ids=["in a line, as version 0.1 wrote it", "part and reason"],
)
def test_match_that_is_no_longer_compared_is_told_in_one_line_and_is_worse(
    absent: str | dict[str, str],
) -> None:
    new = validation()
    match_of(new).update(reported=[], not_compared=[absent])
    result = diff(validation(), new)
    assert result.exit_code == WORSE
    assert "36 figures within tolerance no longer there" in result.stdout
    assert "  gnubg-11pt-cube-rich, reported gnubg:  36 figures (36 within)\n" in result.stdout
    assert "gnubg-11pt-cube-rich, reported figures of gnubg: it is not here" in result.stdout
    back = diff(new, validation())
    assert back.exit_code == SAME
    assert "Figures that are new" in back.stdout
    assert "compared again" in back.stdout


def test_part_with_a_colon_in_its_name_stays_whole(tmp_path: Path) -> None:
    part = json.loads(dumps(not_used("prog: new.json", "has no figures: it is empty")))
    new = validation()
    match_of(new).update(not_compared=[part])
    path = tmp_path / "new.json"
    path.write_text(json.dumps(new), "utf-8")
    assert (
        read_result(str(path)).absent["gnubg-11pt-cube-rich", "candidate prog: new.json"]
        == "has no figures: it is empty"
    )


def test_new_figure_out_of_tolerance_is_worse() -> None:
    old, new = validation(), validation()
    old["matches"] = [match for match in old["matches"] if match["id"] != "gnubg-11pt-cube-rich"]
    assert diff(old, new).exit_code == SAME
    figure_of(new)["verdict"] = "outside"
    result = diff(old, new)
    assert result.exit_code == WORSE
    assert "1 new figure out of tolerance" in result.stdout


def test_wider_tolerance_is_told_even_where_no_figure_moved() -> None:
    new = validation()
    for player in ("Ann", "Ben"):
        figure_of(new, player=player)["tolerance"] = 5.0
    document = told(validation(), new)
    assert document["figures"] == []
    (bound,) = document["tolerances"]
    assert (bound["metric"], bound["new"]["tolerance"], bound["figures"]) == (
        "error_rate_memg",
        5.0,
        2,
    )
    assert "Tolerances that changed:\n  Error rate (mEMG)" in diff(validation(), new).stdout


def test_rounding_is_no_change_nor_is_a_relative_bound_that_moves_with_its_figure() -> None:
    old, new = validation(), validation()
    figure_of(new, player="Ben")["right"] *= 1 + 1e-14
    figure_of(old).update(left=100.0, tolerance=1.0)
    figure_of(new).update(left=200.0, tolerance=2.0)
    found = told(old, new)
    assert found["tolerances"] == []
    assert [one["player"] for one in found["figures"]] == ["Ann"]


def test_moves_of_a_comparison_name_the_steps_that_moved() -> None:
    new = comparison()
    (bridge,) = (
        one for one in new["bridge"] if (one["player"], one["metric"]) == ("Nora Lindqvist", "pr")
    )
    next(step for step in bridge["steps"] if step["code"] == "engine")["change"] -= 0.5
    figure = next(
        one for one in new["figures"] if (one["player"], one["metric"]) == ("Nora Lindqvist", "pr")
    )
    figure["right"] -= 0.5
    figure["gap"] -= 0.5
    result = diff(comparison(), new)
    assert result.exit_code == SAME
    assert (
        "PR  Nora Lindqvist  right 4.85 -> 4.35  gap -2.31 -> -2.81  allowed 0.10  (analysis -0.500)"
        in result.stdout
    )


@pytest.mark.long
def test_tool_rules_findings_and_files_that_changed_are_told() -> None:
    new = comparison()
    new["right"].update(tool_version="1.09", sha256="f" * 64, rules="gnubg-manual")
    new["findings"] = [one for one in new["findings"] if one["code"] != new["findings"][0]["code"]]
    document = told(comparison(), new)
    assert {(one["side"], one["what"]) for one in document["sources"]} == {
        ("right", "tool"),
        ("right", "sha256"),
        ("right", "rules"),
    }
    assert {one["new"] for one in document["findings"]} == {None}
    text = diff(comparison(), new).stdout
    assert "right: rules gnubg -> gnubg-manual" in text
    assert "Findings that are gone" in text


def test_statistics_tell_figures_that_moved_and_never_fail() -> None:
    new = statistics()
    new[0]["players"][0]["pr"] += 1
    new[0]["players"][0]["games"][1]["pr"] = None
    result = diff(statistics(), new)
    assert result.exit_code == SAME
    assert "nora-lindqvist-tomas-beck.xg:  PR  Nora Lindqvist  7.16 -> 8.16" in result.stdout
    assert "nora-lindqvist-tomas-beck.xg, game 2:  PR  Nora Lindqvist  " in result.stdout


@pytest.mark.long
def test_renamed_files_of_a_comparison_are_the_same_comparison() -> None:
    for name in ("a.xg", "b.sgf"):
        shutil.copy(XG if name == "a.xg" else SGF, name)
    new = json.loads(run("compare", "a.xg", "b.sgf", "--json", "-").stdout)
    assert told(comparison(), new)["figures"] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [("validation", "comparison"), ("comparison", "statistics"), ("pool", "validation")],
)
def test_results_of_two_commands_cannot_be_compared(old: str, new: str) -> None:
    result = diff(DOCUMENTS[old](), DOCUMENTS[new]())
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "expected two results of one command" in result.stderr


def test_results_without_a_figure_in_common_cannot_be_compared() -> None:
    new = comparison()
    for one in (*new["figures"], *new["bridge"]):
        one["player"] = f"another {one['player']}"
    result = diff(comparison(), new)
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "no figure in common" in result.stderr


def test_outputs_of_one_run_are_the_same_changes() -> None:
    new = validation()
    figure_of(new)["verdict"] = "outside"
    result = diff(validation(), new, "--json", "changes.json", "--markdown", "changes.md")
    assert "wrote changes.json" in result.stderr
    assert (
        Path("changes.md")
        .read_text("utf-8")
        .startswith("### ❌ reference\\_matches: 1 verdict got worse")
    )
    plain = diff(validation(), new, "--json", "-")
    assert plain.stdout == Path("changes.json").read_text("utf-8")
    assert "1 verdict got worse" in plain.stderr
    quiet = diff(validation(), new, "--quiet")
    assert (quiet.exit_code, quiet.output) == (WORSE, "")


def test_standard_input_is_a_result() -> None:
    Path("old.json").write_text(written("validate", "--json", "-"), "utf-8")
    assert (
        run("diff", "old.json", "-", stdin=written("validate", "--json", "-").encode()).exit_code
        == SAME
    )
    assert run("diff", "-", "-").exit_code == ERROR


def test_infinite_moves_sort_without_an_error() -> None:
    old, new = comparison(), copy.deepcopy(comparison())
    for figure in new["figures"][:4]:
        figure["left"] = figure["gap"] = None
    assert all(
        not isinstance(one["new"]["left"], float) or math.isfinite(one["new"]["left"])
        for one in told(old, new)["figures"]
    )


def value(gap: float, verdict: Any) -> Value:
    return Value(left=5.0, right=5.0 + gap, gap=gap, tolerance=0.1, level="error", verdict=verdict)


SUMMARY = ChangeSummary(worse=1, better=0, new=0, gone=0, moved=0)


def line_of(metric: str, old: Value, new: Value) -> str:
    one = ChangedFigure(
        match="m",
        judged="xg against gnubg",
        player="Ann",
        metric=metric,
        change="worse",
        worse=True,
        old=old,
        new=new,
        fails_at="error",
    )
    result = Result("comparison", "m")
    rest: dict[str, Any] = dict.fromkeys(("tolerances", "findings", "not_compared", "sources"), ())
    found = Changes(
        kind="comparison",
        old=result,
        new=result,
        worse=True,
        summary=SUMMARY,
        figures=(one,),
        **rest,
    )
    return next(line for line in text(changes_blocks(found)).splitlines() if "Ann" in line)


def test_gap_share_and_verdict_are_shown_as_in_every_other_form() -> None:
    assert line_of("pr", value(0.0, "within"), value(0.1004, "outside")).endswith(
        "gap 0.00 -> +0.1004  allowed 0.10"
    )
    line = line_of("pr@engine", value(0.0, "ungated"), value(0.2, "outside"))
    assert line.startswith("  m, xg against gnubg:  PR, analysis  Ann  not judged -> outside  ")
