"""Every way of getting a command wrong: exit code 2, one line on standard error, nothing on standard output."""

from __future__ import annotations

import inspect
import os
import re
import shlex
from pathlib import Path

import click
import pytest

from reconcile.cli import COMMANDS, command, main
from tests.support.command_line import ERROR, OUTSIDE, SGF, XG, run, strict

pytestmark = pytest.mark.usefixtures("elsewhere")

WRONG: dict[str, list[str]] = {
    "missing file of several": ["stats", XG, "absent.xg", "--format", "json"],
    "aliases that are a match": ["compare", "--aliases", XG, XG, SGF],
    "no match": ["stats", __file__],
    "missing file of rules": ["stats", "--rules", "absent.yaml", XG],
    "file of rules that is a match": ["rules", XG],
    "missing file of right rules": ["compare", "--right-rules", "absent.yaml", XG, SGF],
    "missing file of rules to print": ["rules", "absent.yaml"],
    "unknown left rule set": ["compare", "--left-rules", "snowflake", XG, SGF],
    "unknown right rule set": ["compare", "--right-rules", "snowflake", XG, SGF],
    "missing match equity table": ["stats", "--met", "absent.xml", XG],
    "tolerances that are a match": ["compare", "--tolerances", XG, XG, SGF],
    "nothing to judge": ["compare", "--table", "nothing", "--tolerances", "nothing.yaml", XG, SGF],
    "output into a file as if it were a folder": ["stats", XG, "-o", f"{XG}/stats.txt"],
    "output onto a folder": ["stats", XG, "-o", "."],
    "HTML onto a folder": ["compare", XG, SGF, "--html", "."],
    "HTML that cannot be written beside JSON that could": ["compare", XG, SGF, "--json", "-", "--html", f"{XG}/page.html"],
    "missing pack": ["validate", "absent"],
    "pack that is a file": ["validate", XG],
    "missing tolerances of a pack": ["validate", "--tolerances", "absent.yaml"],
    "exit-zero does not hide it": ["validate", "--exit-zero", "absent"],
    "pack pages onto a file": ["validate", "--json", "-", "--html", XG],
    "unknown player to investigate": ["investigate", XG, "--player", "Cleo", "--reported", "pr=7.16"],
    "metric that no rule changes": ["investigate", XG, "--player", "Nora", "--reported", "moves.total=101"],
    "figure that is no number": ["investigate", XG, "--player", "Nora", "--reported", "pr=many"],
    "figure without end": ["investigate", XG, "--player", "Nora", "--reported", "pr=Infinity"],
    "game that was not played": ["investigate", XG, "--player", "Nora", "--reported", "pr=7.16", "--game", "9"],
    "investigation onto a folder": ["investigate", XG, "--player", "Nora", "--reported", "pr=7.16", "--json", "."],
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
    "rules of a side of three files": ["compare", XG, SGF, SGF, "--left-rules", "xg"],
    "three files to be judged": ["compare", XG, SGF, SGF, "--strict"],
    "rules of a consensus of two files": ["compare", XG, SGF, "--consensus-rules", "xg"],
    "unknown format": ["stats", "--format", "xml", XG],
    "unknown level": ["compare", "--fail-on", "info", XG, SGF],
    "unknown order": ["compare", "--order", "random", XG, SGF],
    "two results on standard output": ["compare", XG, SGF, "--json", "-", "--html", "-"],
    "two results of a pack on standard output": ["validate", "--json", "-", "--markdown", "-"],
    "both files on standard input": ["compare", "-", "-"],
    "nothing to investigate": ["investigate", XG, "--player", "Nora"],
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
    assert "expected a second file, or --analyse ENGINE:PLIES" in told
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

    monkeypatch.setattr("reconcile.formats.load_match", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        run("stats", XG)
