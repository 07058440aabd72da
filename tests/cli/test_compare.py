"""`reconcile compare`: exit codes by tolerance, and which results go to which stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.command_line import ERROR, OUTSIDE, SGF, WITHIN, XG, run, strict

pytestmark = pytest.mark.usefixtures("elsewhere")


def tolerances(path: Path, **options: Any) -> str:
    """A tolerance file with one entry, for PR."""
    entry = {"abs": 100.0, "level": "error", "reason": "r", "source": "s"} | options
    path.write_text(yaml.safe_dump({"schema_version": 1, "tables": {"documented": {"title": "t", "entries": {"pr": entry}}}}))
    return str(path)


def test_gap_out_of_tolerance_is_exit_code_1() -> None:
    result = run("compare", XG, SGF)
    assert result.exit_code == OUTSIDE
    assert "2 of 6 figures within tolerance" in result.stdout


def test_identical_files_are_within() -> None:
    assert run("compare", XG, XG).exit_code == WITHIN


def test_wide_tolerances_pass(tmp_path: Path) -> None:
    assert run("compare", "--tolerances", tolerances(tmp_path / "wide.yaml"), XG, SGF).exit_code == WITHIN


@pytest.mark.parametrize(("fail_on", "code"), [("error", WITHIN), ("warn", OUTSIDE)])
def test_warnings_fail_where_asked(tmp_path: Path, fail_on: str, code: int) -> None:
    path = tolerances(tmp_path / "warn.yaml", abs=0.1, level="warn")
    assert run("compare", "--tolerances", path, "--fail-on", fail_on, XG, SGF).exit_code == code


@pytest.mark.parametrize("entry", ["prr: {abs: 1}", "pr: {abs: -1, level: error, reason: r, source: s}", "pr: *x"])
def test_bad_tolerances_are_told_with_file_and_line(tmp_path: Path, entry: str) -> None:
    (tmp_path / "bad.yaml").write_text(f"schema_version: 1\ntables:\n  documented:\n    title: t\n    entries:\n      {entry}\n")
    result = run("compare", "--tolerances", "bad.yaml", XG, SGF)
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert result.stderr.startswith(("reconcile: bad.yaml:6: ", "reconcile: bad.yaml:5: "))
    assert len(result.stderr.splitlines()) == 1


def test_json_on_standard_output_is_alone_there() -> None:
    result = run("compare", XG, SGF, "--json", "-")
    assert result.exit_code == OUTSIDE
    document = strict(result.stdout)
    assert document["verdict"] == "outside"
    assert "figures within tolerance" in result.stderr


@pytest.mark.parametrize(("option", "start"), [("--html", "<!doctype html>"), ("--markdown", "")])
def test_other_results_on_standard_output_are_alone_there(option: str, start: str) -> None:
    result = run("compare", XG, SGF, option, "-")
    Path("file").unlink(missing_ok=True)
    assert run("compare", XG, SGF, option, "file", "--quiet").exit_code == OUTSIDE
    assert result.stdout == Path("file").read_text("utf-8")
    assert result.stdout.lower().startswith(start)


def test_several_results_come_from_one_run() -> None:
    result = run("compare", XG, SGF, "--html", "a.html", "--json", "a.json", "--markdown", "a.md")
    assert {path.name for path in Path().iterdir()} == {"a.html", "a.json", "a.md"}
    assert all(f"wrote a.{suffix}" in result.stderr for suffix in ("html", "json", "md"))


def test_quiet_prints_nothing() -> None:
    result = run("compare", XG, SGF, "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (OUTSIDE, "", "")


def test_same_input_gives_the_same_bytes() -> None:
    for option in ("--html", "--json", "--markdown"):
        assert run("compare", XG, SGF, option, "-").stdout == run("compare", XG, SGF, option, "-").stdout


def test_one_player_can_be_chosen() -> None:
    document = strict(run("compare", "--player", "tomas", XG, SGF, "--json", "-").stdout)
    assert {figure["player"] for figure in document["figures"]} == {"Tomas Beck"}
    assert {bridge["player"] for bridge in document["bridge"]} == {"Tomas Beck"}


def test_either_side_can_be_standard_input() -> None:
    for arguments, path in ((("-", SGF), XG), ((XG, "-"), SGF)):
        assert run("compare", "--quiet", *arguments, stdin=Path(path).read_bytes()).exit_code == OUTSIDE


def test_rules_and_table_of_both_sides_can_be_named() -> None:
    document = strict(run("compare", "--left-rules", "gnubg", "--right-rules", "xg", "--met", "woolsey", XG, SGF, "--json", "-").stdout)
    assert [document[side]["rules"] for side in ("left", "right")] == ["gnubg", "xg"]
    assert [document[side]["met"] for side in ("left", "right")] == ["woolsey", "woolsey"]


def test_incomplete_analysis_is_a_warning_and_an_error_when_strict(data: Path) -> None:
    name = "charlot1-charlot2_7p_2025-11-08-2305"
    pair = [str(data / "real" / f"{name}.{suffix}") for suffix in ("xg", "sgf")]
    result = run("compare", *pair)
    assert result.exit_code == WITHIN
    assert "27 of 94 cube decisions" in result.stdout
    assert run("compare", *pair, "--strict").exit_code == OUTSIDE


def test_transcript_without_analysis_cannot_be_compared(data: Path) -> None:
    result = run("compare", XG, str(data / "real" / "test.mat"))
    assert (result.exit_code, result.stdout) == (ERROR, "")
    result = run("compare", str(data / "real" / "test.xg"), str(data / "real" / "test.mat"))
    assert (result.exit_code, result.stdout) == (ERROR, "")
