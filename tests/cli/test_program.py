"""The program itself: version, help, what it loads at the start, and how it ends as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reconcile import __version__
from tests.support.command_line import ERROR, OUTSIDE, SGF, WITHIN, XG, process, run, strict
from tests.support.data import PROJECT

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_version_and_help_are_printed() -> None:
    assert run("--version").stdout == f"reconcile, version {__version__}\n"
    short = run("-h")
    assert (short.exit_code, short.stderr) == (WITHIN, "")
    assert run("--help").stdout == short.stdout
    assert run("--help").stdout.startswith("Usage: reconcile [OPTIONS] COMMAND")


def test_files_without_a_command_are_compared_or_counted() -> None:
    assert run(XG, SGF).stdout == run("compare", XG, SGF).stdout
    assert run(XG, SGF, "--quiet").exit_code == OUTSIDE
    assert run(XG).stdout == run("stats", XG).stdout
    assert run(XG, "--rules", "gnubg").stdout == run("stats", XG, "--rules", "gnubg").stdout
    assert run(XG, SGF, XG).stdout == run("compare", XG, SGF, XG).stdout
    assert "absent.xg" in run("absent.xg").stderr
    assert "No such command 'absent'" in run("absent").stderr


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


def test_report_of_two_files_is_made_without_what_it_does_not_need(tmp_path: Path) -> None:
    # Each takes as long as a tenth to a half of NumPy, which everything needs.
    code = (
        "import sys, reconcile.cli; from click.testing import CliRunner; "
        "CliRunner().invoke(reconcile.cli.main, ['compare', *sys.argv[1:3], '--html', sys.argv[3]]); "
        "print([name for name in ('pandas', 'pydantic', 'numpy.ma', 'rich', 'deepdiff') if name in sys.modules])"
    )
    path = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH")]))
    page = tmp_path / "page.html"
    command = [sys.executable, "-c", code, XG, SGF, str(page)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert done.stdout.strip() == "[]"
    assert page.exists()


def test_help_shows_no_word_of_the_library_that_reads_options() -> None:
    assert "FLOAT RANGE" not in run("validate", "--help").stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands(shell: str) -> None:
    assert b"_RECONCILE_COMPLETE" in process(_RECONCILE_COMPLETE=f"{shell}_source").stdout


def test_tab_key_completes_the_name_of_a_command() -> None:
    found = process(_RECONCILE_COMPLETE="bash_complete", COMP_WORDS="reconcile inv", COMP_CWORD="1")
    assert found.stdout.decode().split() == ["plain,investigate"]
