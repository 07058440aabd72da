"""The command line as scripts use it: exit codes, what goes to which stream, and every way of getting it wrong."""

from __future__ import annotations

import csv
import inspect
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from click.testing import CliRunner, Result

from reconcile import __version__
from reconcile.cli import COMMANDS, command, main
from reconcile.files.bundled import bundled
from reconcile.scoring.metrics import METRICS
from tests.support.data import PROJECT

PACK = bundled("reference_matches")
XG = str(PACK / "demonstration" / "nora-lindqvist-tomas-beck.xg")
SGF = str(PACK / "demonstration" / "nora-lindqvist-tomas-beck.sgf")
OTHER = str(PACK / "gnubg-7pt-0ply" / "alice-bob-7pt-0ply.sgf")
CUBE_RICH = PACK / "gnubg-11pt-cube-rich"
WITHIN, OUTSIDE, ERROR = 0, 1, 2


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RECONCILE_DATA", raising=False)


def run(*arguments: str, stdin: bytes = b"") -> Result:
    """Run the command in this process; anything but an exit is raised."""
    result = CliRunner().invoke(main, arguments, input=stdin, prog_name="reconcile", catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


def process(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command as a shell does."""
    path = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"}
    return subprocess.run([sys.executable, "-m", "reconcile", *arguments], input=stdin, capture_output=True, env=environment, timeout=120)


def strict(text: str) -> Any:
    """JSON without NaN and the like."""

    def refuse(constant: str) -> Any:
        raise AssertionError(f"{constant} in JSON")

    return json.loads(text, parse_constant=refuse)


def tolerances(path: Path, **options: Any) -> str:
    """A tolerance file with one entry, for PR."""
    entry = {"abs": 100.0, "level": "error", "reason": "r", "source": "s"} | options
    path.write_text(yaml.safe_dump({"schema_version": 1, "tables": {"documented": {"title": "t", "entries": {"pr": entry}}}}))
    return str(path)


# What is wrong with what was given: exit code 2, one line on standard error, nothing on standard output.

WRONG: dict[str, list[str]] = {
    "missing file": ["stats", "absent.xg"],
    "missing file of several": ["stats", XG, "absent.xg", "--format", "json"],
    "missing left file": ["compare", "absent.xg", SGF],
    "missing right file": ["compare", XG, "absent.sgf"],
    "folder for a file": ["stats", str(PACK)],
    "empty name": ["stats", ""],
    "missing aliases": ["stats", "--pool", "--aliases", "absent.yaml", XG],
    "aliases that are a match": ["compare", "--aliases", XG, XG, SGF],
    "no match": ["stats", __file__],
    "unknown rule set": ["stats", "--rules", "snowflake", XG],
    "unknown left rule set": ["compare", "--left-rules", "snowflake", XG, SGF],
    "unknown right rule set": ["compare", "--right-rules", "snowflake", XG, SGF],
    "unknown match equity table": ["stats", "--met", "snowflake", XG],
    "missing match equity table": ["stats", "--met", "absent.xml", XG],
    "unknown table of tolerances": ["compare", "--table", "snowflake", XG, SGF],
    "missing tolerances": ["compare", "--tolerances", "absent.yaml", XG, SGF],
    "tolerances that are a match": ["compare", "--tolerances", XG, XG, SGF],
    "unknown player": ["compare", "--player", "Cleo", XG, SGF],
    "another match": ["compare", XG, OTHER],
    "nothing to judge": ["compare", "--table", "nothing", "--tolerances", "nothing.yaml", XG, SGF],
    "output into a file as if it were a folder": ["stats", XG, "-o", f"{XG}/stats.txt"],
    "output onto a folder": ["stats", XG, "-o", "."],
    "HTML onto a folder": ["compare", XG, SGF, "--html", "."],
    "HTML that cannot be written beside JSON that could": ["compare", XG, SGF, "--json", "-", "--html", f"{XG}/page.html"],
    "output without a name": ["compare", XG, SGF, "--json", ""],
    "missing pack": ["validate", "absent"],
    "pack that is a file": ["validate", XG],
    "folder that is no pack": ["validate", "."],
    "missing tolerances of a pack": ["validate", "--tolerances", "absent.yaml"],
    "exit-zero does not hide it": ["validate", "--exit-zero", "absent"],
    "pack pages onto a file": ["validate", "--json", "-", "--html", XG],
    "missing file to investigate": ["investigate", "absent.xg", "--player", "Nora", "--reported", "pr=7.16"],
    "unknown player to investigate": ["investigate", XG, "--player", "Cleo", "--reported", "pr=7.16"],
    "unknown metric to investigate": ["investigate", XG, "--player", "Nora", "--reported", "prr=7.16"],
    "metric that no rule changes": ["investigate", XG, "--player", "Nora", "--reported", "moves.total=101"],
    "figure that is no number": ["investigate", XG, "--player", "Nora", "--reported", "pr=many"],
    "figure without end": ["investigate", XG, "--player", "Nora", "--reported", "pr=Infinity"],
    "game that was not played": ["investigate", XG, "--player", "Nora", "--reported", "pr=7.16", "--game", "9"],
    "investigation onto a folder": ["investigate", XG, "--player", "Nora", "--reported", "pr=7.16", "--json", "."],
    "missing file to convert": ["convert", "absent.xg"],
    "unknown code": ["explain", "Q99"],
    "unknown answer": ["explain", "Q01:snowflake"],
}


@pytest.mark.parametrize("wrong", WRONG)
def test_mistake_is_one_line_and_exit_code_2(wrong: str, tmp_path: Path) -> None:
    (tmp_path / "nothing.yaml").write_text(
        'schema_version: 1\ntables: {nothing: {title: t, entries: {pr: {abs: 1, level: "off", reason: r, source: s}}}}\n'
    )
    result = run(*WRONG[wrong])
    assert result.exit_code == ERROR
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("reconcile: ")


USAGE: dict[str, list[str]] = {
    "no file": ["stats"],
    "one file to compare": ["compare", XG],
    "three files to compare": ["compare", XG, SGF, SGF],
    "unknown option": ["stats", "--snowflake", XG],
    "unknown command": ["snowflake"],
    "unknown format": ["stats", "--format", "xml", XG],
    "unknown level": ["compare", "--fail-on", "info", XG, SGF],
    "unknown order": ["compare", "--order", "random", XG, SGF],
    "option without value": ["compare", XG, SGF, "--json"],
    "two results on standard output": ["compare", XG, SGF, "--json", "-", "--html", "-"],
    "two results of a pack on standard output": ["validate", "--json", "-", "--markdown", "-"],
    "both files on standard input": ["compare", "-", "-"],
    "nobody to investigate": ["investigate", XG, "--reported", "pr=7.16"],
    "nothing to investigate": ["investigate", XG, "--player", "Nora"],
    "figure without metric": ["investigate", XG, "--player", "Nora", "--reported", "7.16"],
    "figure given twice": ["investigate", XG, "--player", "Nora", "--reported", "pr=7.16", "--reported", "pr=7.09"],
    "file that is no JSON": ["convert", XG, "-o", "match.docx"],
}


@pytest.mark.parametrize("wrong", USAGE)
def test_wrong_usage_is_exit_code_2_with_a_hint(wrong: str) -> None:
    result = run(*USAGE[wrong])
    assert result.exit_code == ERROR
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("reconcile: ")


def test_one_file_to_compare_is_told_both_ways_to_a_second() -> None:
    told = run("compare", XG).stderr
    assert "expected a second file, or --analyse PLIES" in told
    assert told.endswith("see `reconcile compare --help`\n")


def examples() -> list[tuple[str, str]]:
    return [(name, line) for name in COMMANDS for line in re.findall(r"(?m)^Example: (.*)$", inspect.cleandoc(command(name).help or ""))]


@pytest.mark.parametrize(("name", "line"), examples())
def test_example_of_a_command_is_one(name: str, line: str) -> None:
    program, given, *arguments = shlex.split(line)
    assert (program, given) == ("reconcile", name)
    command(name).make_context(name, arguments, parent=click.Context(main, **main.context_settings))


def test_unwritable_folder_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    if os.access(folder, os.W_OK):
        pytest.skip("this user may write everywhere")
    result = run("stats", XG, "-o", str(folder / "stats.txt"))
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "permission denied" in result.stderr


def test_output_folder_is_made() -> None:
    assert run("compare", XG, SGF, "--json", "new/deep/result.json", "--quiet").exit_code == OUTSIDE
    assert strict(Path("new/deep/result.json").read_text("utf-8"))["verdict"] == "outside"


def test_failed_output_leaves_no_file_behind(tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    assert run("stats", XG, "-o", "target").exit_code == ERROR
    assert [path.name for path in tmp_path.iterdir()] == ["target"]


def test_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_path: str) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("reconcile.adapters.load_match", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        run("stats", XG)


# stats


def test_table_shows_both_players_and_what_is_analysed() -> None:
    result = run("stats", XG)
    assert result.exit_code == WITHIN
    assert "Nora Lindqvist" in result.stdout
    assert "PR  " in result.stdout
    assert "101 of 101" in result.stdout


def test_one_file_is_an_object_and_several_are_a_list() -> None:
    one = strict(run("stats", "--format", "json", XG).stdout)
    assert (one["rules"], one["match"]["players"]) == ("xg", ["Nora Lindqvist", "Tomas Beck"])
    several = strict(run("stats", "--format", "json", XG, SGF).stdout)
    assert several[0] == one
    assert [each["rules"] for each in several] == ["xg", "gnubg"]


def test_games_add_up_to_the_match() -> None:
    document = strict(run("stats", "--format", "json", "--per-game", XG).stdout)
    for player in document["players"]:
        assert [game["game"] for game in player["games"]] == [1, 2, 3, 4, 5]
        for group in ("decisions", "moves", "equity_error", "mwc_loss_percent", "luck"):
            for part, whole in player[group].items():
                assert sum(game[group][part] for game in player["games"]) == pytest.approx(whole, abs=1e-9), (group, part)
        for part, coverage in player["completeness"].items():
            assert sum(game["completeness"][part]["expected"] for game in player["games"]) == coverage["expected"]


def test_games_are_left_out_unless_asked_for() -> None:
    assert all("games" not in player for player in strict(run("stats", "--format", "json", XG).stdout)["players"])
    assert "Game 5" in run("stats", "--per-game", XG).stdout
    assert "Game 5" not in run("stats", XG).stdout


def test_transcript_has_moves_and_no_other_number_in_its_table(tmp_path: Path) -> None:
    transcript = tmp_path / "match.mat"
    assert run("convert", SGF, "-o", str(transcript)).exit_code == WITHIN
    _, _, table = run("stats", str(transcript)).stdout.partition("Match")
    numbers = {line.strip().partition("  ")[0] for line in table.splitlines() if re.search(r"\d$", line) and " of " not in line}
    assert numbers == {"Moves", "Unforced moves", "Forced moves"}


def test_gnubg_s_own_table_comes_with_its_rules_alone() -> None:
    for rules, there in (("gnubg", True), ("xg", False)):
        document = strict(run("stats", "--format", "json", "--rules", rules, SGF).stdout)
        assert all(("gnubg" in player) == there for player in document["players"])


def test_csv_has_a_row_per_player_and_game() -> None:
    result = run("stats", "--format", "csv", "--per-game", XG)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert list(rows[0]) == ["path", "rules", "met", "player", "game", *METRICS]
    assert [(row["player"], row["game"]) for row in rows[:6]] == [("Nora Lindqvist", game) for game in ("", "1", "2", "3", "4", "5")]
    assert len(rows) == 12
    document = strict(run("stats", "--format", "json", XG).stdout)
    assert float(rows[0]["pr"]) == document["players"][0]["pr"]


def test_csv_leaves_unknown_figures_empty(data: Path) -> None:
    (row, _) = csv.DictReader(io.StringIO(run("stats", "--format", "csv", str(data / "gnubg" / "m14_5pt_unanalysed.sgf")).stdout))
    assert (row["pr"], row["luck.equity"]) == ("", "")


def test_unanalysed_match_is_no_failure_and_has_no_pr(data: Path) -> None:
    result = run("stats", "--format", "json", str(data / "gnubg" / "m14_5pt_unanalysed.sgf"))
    assert result.exit_code == WITHIN
    document = strict(result.stdout)
    assert [player["pr"] for player in document["players"]] == [None, None]
    assert "not-analysed" in {finding["code"] for finding in document["findings"]}
    assert "not analysed" in result.stderr


def test_pool_adds_the_matches_of_a_player_up() -> None:
    one = strict(run("stats", "--format", "json", SGF).stdout)["players"]
    pooled = strict(run("stats", "--format", "json", "--pool", SGF, SGF).stdout)["players"]
    assert [player["name"] for player in pooled] == [player["name"] for player in one]
    for player, single in zip(pooled, one, strict=True):
        assert (player["matches"], player["games"]) == (2, 10)
        assert player["decisions"]["counted"] == 2 * single["decisions"]["counted"]
        assert player["pr"] == pytest.approx(single["pr"], rel=1e-6)
        assert player["interval95"]["pr"][0] <= player["pr"] <= player["interval95"]["pr"][1]


def test_pool_is_a_table_and_csv_as_well() -> None:
    assert "Nora" in run("stats", "--pool", XG, SGF).stdout
    rows = list(csv.DictReader(io.StringIO(run("stats", "--format", "csv", "--pool", XG, SGF).stdout)))
    assert len(rows) == 4  # two players under two rule sets


def test_standard_input_is_a_file() -> None:
    result = run("stats", "--format", "json", "-", stdin=Path(XG).read_bytes())
    document, named = strict(result.stdout), strict(run("stats", "--format", "json", XG).stdout)
    assert document["source"].pop("path") == "-"
    named["source"].pop("path")
    assert document == named


def test_empty_standard_input_is_told() -> None:
    result = run("stats", "-")
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "an empty file" in result.stderr


@pytest.mark.parametrize("name", ["-dash.xg", "--help", "--rules"])
def test_name_that_begins_with_a_dash_follows_two_dashes(tmp_path: Path, name: str) -> None:
    shutil.copy(XG, tmp_path / name)
    result = run("stats", "--format", "json", "--", name)
    assert strict(result.stdout)["source"]["path"] == name
    assert run("stats", f"./{name}").exit_code == WITHIN
    assert run("compare", "--quiet", "--", name, name).exit_code == WITHIN


@pytest.mark.parametrize("name", ["spaced name.xg", "žluťoučký-кубик-🎲.xg", "new\nline.xg", "100%.xg", "$(id).xg"])
def test_odd_names_are_names(tmp_path: Path, name: str) -> None:
    shutil.copy(XG, tmp_path / name)
    assert strict(run("stats", "--format", "json", name).stdout)["source"]["path"] == name
    broken = run("stats", f"{name}.absent")
    assert (broken.exit_code, len(broken.stderr.splitlines())) == (ERROR, 1)


def test_file_is_recognised_by_content_and_not_by_name(tmp_path: Path) -> None:
    shutil.copy(XG, tmp_path / "match.sgf")
    assert strict(run("stats", "--format", "json", "match.sgf").stdout)["source"]["format"] == "xg"


# compare


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


# investigate


@pytest.mark.parametrize(("reported", "code"), [("pr=7.16", WITHIN), ("decisions=105", WITHIN), ("pr=99.9", OUTSIDE)])
def test_figure_is_explained_or_it_is_exit_code_1(reported: str, code: int) -> None:
    result = run("investigate", XG, "--player", "nora", "--reported", reported)
    assert result.exit_code == code
    assert "Nora Lindqvist" in result.stdout


def test_investigation_on_standard_output_is_alone_there() -> None:
    result = run("investigate", XG, "--player", "nora", "--reported", "pr=7.09", "--reported", "decisions=105", "--json", "-")
    document = strict(result.stdout)
    first = document["explanations"][0]
    assert [difference["question"] for difference in first["differences"]] == ["Q01"]
    assert document["reported"] == {"pr": "7.09", "decisions": "105"}
    assert "Nora Lindqvist" in result.stderr
    assert run("investigate", XG, "--player", "nora", "--reported", "pr=7.09", "--quiet").output == ""


# validate


def test_bundled_pack_is_the_default_and_passes() -> None:
    result = run("validate")
    assert result.exit_code == WITHIN
    assert "108 of 108 figures within tolerance" in result.stdout
    assert "not compared" in result.stdout


def test_strict_fails_on_absent_files() -> None:
    assert run("validate", "--strict").exit_code == OUTSIDE
    assert run("validate", "--strict", str(CUBE_RICH)).exit_code == WITHIN


@pytest.fixture
def falsified(tmp_path: Path) -> str:
    """A pack of one match with one figure that is not gnuBG's."""
    folder = tmp_path / "pack" / CUBE_RICH.name
    shutil.copytree(CUBE_RICH, folder)
    manifest = (folder / "match.yaml").read_text("utf-8")
    (folder / "match.yaml").write_text(manifest.replace('error_rate_memg: "92.7927"', 'error_rate_memg: "92.8927"'), "utf-8")
    return str(tmp_path / "pack")


def test_falsified_figure_fails_and_is_named(falsified: str) -> None:
    result = run("validate", falsified)
    assert result.exit_code == OUTSIDE
    (line,) = (line for line in result.stdout.splitlines() if "outside:" in line)
    assert "Error rate (mEMG)  Ann  expected 92.8927" in line
    document = strict(run("validate", falsified, "--json", "-").stdout)
    assert (document["verdict"], document["summary"]["outside"]) == ("outside", 1)
    assert "92.8927" in run("validate", falsified, "--markdown", "-").stdout


def test_exit_zero_hides_1(falsified: str) -> None:
    result = run("validate", falsified, "--exit-zero")
    assert result.exit_code == WITHIN
    assert "outside:" in result.stdout


def test_changed_bundled_file_is_exit_code_2(falsified: str) -> None:
    (path,) = Path(falsified).glob("*/*.sgf")
    path.write_bytes(path.read_bytes() + b"\n")
    result = run("validate", falsified, "--exit-zero")
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "expected SHA-256" in result.stderr


def test_pack_on_standard_output_is_alone_there() -> None:
    result = run("validate", "--json", "-")
    assert strict(result.stdout)["summary"]["outside"] == 0
    assert "figures within tolerance" in result.stderr
    assert run("validate", "--markdown", "-").stdout.startswith("## ")


def test_pack_pages_are_an_index_a_page_per_match_and_one_per_pair() -> None:
    result = run("validate", "--html", "pages")
    assert result.exit_code == WITHIN
    ids = {path.name for path in PACK.iterdir() if path.is_dir()}
    assert {path.name for path in Path("pages").iterdir()} == {"index.html", "demonstration.pair-1.html"} | {f"{name}.html" for name in ids}
    for name in ("demonstration.html", "demonstration.pair-1.html"):
        assert name in Path("pages/index.html").read_text("utf-8")
        assert "ynthetic" in Path("pages", name).read_text("utf-8")


# convert, explain, rules and the program itself


def test_convert_writes_json_to_a_file_or_standard_output() -> None:
    result = run("convert", XG)
    assert result.exit_code == WITHIN
    assert strict(result.stdout)
    assert run("convert", XG, "-o", "match.json").exit_code == WITHIN
    assert Path("match.json").read_text("utf-8") == result.stdout


def test_explain_without_code_lists_and_with_code_prints_the_page() -> None:
    listed = run("explain")
    assert listed.exit_code == WITHIN
    for code in ("Q01", "Q14", "incomplete-analysis", "pr", "gnubg"):
        assert code in listed.stdout
        assert len(run("explain", code).stdout) > 20


@pytest.mark.parametrize(("wrong", "near"), [("snowie-er", "snowie_er"), ("incomplete", "incomplete-analysis"), ("Q99", "Q09")])
def test_unknown_code_gets_a_hint(wrong: str, near: str) -> None:
    assert near in run("explain", wrong).stderr


def test_rules_are_a_table() -> None:
    lines = run("rules").stdout.splitlines()
    assert lines[0].split()[:2] == ["xg", "gnubg"]
    assert [line[:3] for line in lines[1:15]] == [f"Q{number:02}" for number in range(1, 15)]


def test_version_and_help_are_printed() -> None:
    assert run("--version").stdout == f"reconcile, version {__version__}\n"
    short = run("-h")
    assert (short.exit_code, short.stderr) == (WITHIN, "")
    assert run("--help").stdout == short.stdout
    assert run("--help").stdout.startswith("Usage: reconcile [OPTIONS] COMMAND")


# As a process


def test_process_ends_with_the_same_codes() -> None:
    assert process("compare", "--quiet", XG, XG).returncode == WITHIN
    assert process("compare", "--quiet", XG, SGF).returncode == OUTSIDE
    broken = process("stats", "absent.xg")
    assert (broken.returncode, broken.stdout) == (ERROR, b"")
    assert broken.stderr.count(b"\n") == 1


def test_process_prints_pure_json_in_utf_8() -> None:
    done = process("compare", "-", SGF, "--json", "-", stdin=Path(XG).read_bytes())
    assert strict(done.stdout.decode("utf-8"))["left"]["path"] == "-"
    assert b"figures within tolerance" in done.stderr


def test_reader_who_has_seen_enough_is_no_error() -> None:
    path = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH")]))
    with subprocess.Popen(
        [sys.executable, "-m", "reconcile", "convert", XG],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.read(10)
        child.stdout.close()
        assert b"Traceback" not in child.stderr.read()
        assert child.wait(timeout=60) in (141, 0)


def test_program_starts_without_what_it_does_not_need() -> None:
    # pandas and deepdiff take a third of a second each, and most commands need neither.
    code = (
        "import sys, reconcile.cli; from click.testing import CliRunner; CliRunner().invoke(reconcile.cli.main, ['stats', sys.argv[1]]); "
        "print([name for name in ('pandas', 'deepdiff', 'jinja2', 'pydantic', 'yaml') if name in sys.modules])"
    )
    path = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run([sys.executable, "-c", code, XG], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert done.stdout.strip() == "[]"


def test_first_word_of_causes_leads_to_all_of_them() -> None:
    told = run("explain", "engine")
    assert told.exit_code == ERROR
    assert all(code in told.stderr for code in ("engine.other-best-move", "engine.error-size", "engine.level"))


def test_help_shows_no_word_of_the_library_that_reads_options() -> None:
    assert "FLOAT RANGE" not in run("validate", "--help").stdout


def test_worst_figure_of_a_match_is_off_by_a_size_without_sign() -> None:
    assert not [line for line in run("validate", "--markdown", "-").stdout.splitlines() if "off by -" in line]
