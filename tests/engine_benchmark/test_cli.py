"""`reconcile benchmark` and `benchmark-make` as a user meets them: outputs, exit codes, one line
for what is wrong."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine_benchmark.samples import DATABASES, FLAT, LISTED, PUBLISHED, written
from tests.support.command_line import run

PLAYER = "import sys\nfor line in sys.stdin: print(line.strip(), {answer!r})\n"


def player(folder, answer):
    """The command of a program that always answers the same."""
    program = folder / "player.py"
    program.write_text(PLAYER.format(answer=answer))
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(program))}"


def test_score_is_printed_and_written_in_every_format(tmp_path):
    bm = written(tmp_path, f"{PUBLISHED}\n{PUBLISHED}\n")
    names = [str(tmp_path / name) for name in ("a.html", "a.json", "a.md")]
    command = ["benchmark", bm, "--engine", player(tmp_path, LISTED[1])]
    result = run(*command, "--html", names[0], "--json", names[1], "--markdown", names[2])
    assert result.exit_code == 0, result.output
    assert "average loss 83.566 over 2 lines" in result.stdout
    assert "13/11 13/9 loses 0.0836 against 8/4 6/4" in result.stdout
    page, document, markdown = (Path(name).read_text("utf-8") for name in names)
    assert json.loads(document)["total"]["average_loss"] == pytest.approx(83.5662)
    assert "| contact | 2 | 2 | 2 | 83.566 |" in markdown
    for text in (page, markdown):
        assert str(tmp_path) not in text.replace(shlex.quote(str(tmp_path / "player.py")), "")
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg"') == 2
    assert "13/11 13/9 instead of 8/4 6/4" in page
    assert "XGID=" in page
    again = tmp_path / "b.html"
    assert run(*command, "--html", str(again), "--quiet").stdout == ""
    assert again.read_text("utf-8") == page


def test_page_escapes_what_it_is_given(tmp_path):
    bm, page = tmp_path / "<b>.bm", tmp_path / "a.html"
    bm.write_text(f"s <script>alert(1)</script>\n{PUBLISHED}\n")
    command = ["benchmark", str(bm), "--engine", player(tmp_path, LISTED[1]), "--html", str(page)]
    assert run(*command).exit_code == 0
    text = page.read_text("utf-8")
    assert not [part for part in ("<script>alert", "<b>.bm") if part in text]


@pytest.mark.long
def test_standard_input_is_a_file_and_data_on_standard_output_leaves_people_standard_error(
    tmp_path,
):
    words = ["benchmark", "-", "--engine", player(tmp_path, LISTED[0]), "--json", "-"]
    command = [sys.executable, "-m", "reconcile", *words]
    done = subprocess.run(command, input=PUBLISHED, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["files"][0]["sha256"], document["total"]["scored"]) == (None, 1)
    assert "average loss 0.000" in done.stderr


@pytest.mark.parametrize(
    ("table", "code", "words"),
    [
        ("close", 0, "within (allowed"),
        ("far", 1, "outside (allowed"),
        ("hint", 0, "outside (allowed"),
        ("elsewhere", 2, "whole database"),
        ("none", 2, "close, far, hint"),
    ],
)
def test_exit_code_is_that_of_the_table(tmp_path, table, code, words):
    bm = written(tmp_path, f"{PUBLISHED}\n{PUBLISHED}\n")
    published = tmp_path / "published.yaml"
    published.write_text(DATABASES.replace("41.8", "83.57"))
    judging = ["--table", table, "--published", str(published)]
    result = run("benchmark", bm, "--engine", player(tmp_path, LISTED[1]), *judging)
    assert (result.exit_code, words in result.output) == (code, True), result.output
    assert (result.stdout == "", result.stderr.count("\n") == 1) == (code == 2, code == 2)


def test_what_is_wrong_is_one_line_and_nothing_is_written(tmp_path):
    good, bad = written(tmp_path, PUBLISHED), tmp_path / "bad.bm"
    bad.write_text(f"{FLAT}m x\n")
    out = tmp_path / "a.json"
    answers = player(tmp_path, LISTED[0])
    for arguments in (
        [str(bad), "--engine", answers],
        [str(tmp_path / "none.bm"), "--engine", answers],
        [good, "--engine", "no-such-program"],
        [good, "--engine", f"{shlex.quote(sys.executable)} -c 1"],
        [good, "--engine", answers, "--published", str(bad)],
        [good, good, "--engine", answers],
    ):
        result = run("benchmark", *arguments, "--json", str(out))
        assert result.exit_code == 2, arguments
        assert result.stdout == ""
        assert "Traceback" not in result.stderr
    assert not out.exists()


def test_make_refuses_what_cannot_be(tmp_path):
    for arguments in (
        ["none.sgf", "-o", "a.bm"],
        ["none.sgf", "-o", "-"],
        ["none.sgf", "-o", "a.bm", "--games", "1"],
        ["none.sgf"],
    ):
        result = run("benchmark-make", *arguments)
        assert result.exit_code == 2, arguments
        assert "Traceback" not in result.output
