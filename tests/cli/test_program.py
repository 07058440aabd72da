"""The program itself: version, help, what it loads at the start, and how it ends as a process."""

from pathlib import Path

import pytest

from reconcile import __version__
from tests.support.command_line import (
    ERROR,
    OUTSIDE,
    SGF,
    WITHIN,
    XG,
    process,
    refused,
    run,
    strict,
)
from tests.support.long import long_but_first

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_version_and_help_are_printed():
    assert run("--version").stdout == f"reconcile, version {__version__}\n"
    short = run("-h")
    assert (short.exit_code, short.stderr) == (WITHIN, "")
    assert run("--help").stdout == short.stdout
    assert run("--help").stdout.startswith("Usage: reconcile [OPTIONS] COMMAND")


def test_files_without_a_command_are_compared_or_counted():
    assert run(XG, SGF).stdout == run("compare", XG, SGF).stdout
    assert run(XG, SGF, "--quiet").exit_code == OUTSIDE
    assert run(XG, "--rules", "gnubg").stdout == run("stats", XG, "--rules", "gnubg").stdout
    assert "[3] XG" in run(XG, SGF, XG).stdout
    assert "absent.xg" in refused("absent.xg")
    assert "No such command 'absent'" in refused("absent")


def test_process_ends_with_the_same_codes_and_prints_pure_json_in_utf_8():
    done = process("compare", "-", SGF, "--json", "-", stdin=Path(XG).read_bytes())
    assert done.returncode == OUTSIDE
    assert strict(done.stdout.decode("utf-8"))["left"]["path"] == "-"
    assert b"figures within tolerance" in done.stderr
    broken = process("stats", "absent.xg")
    assert (broken.returncode, broken.stdout) == (ERROR, b"")
    assert broken.stderr.count(b"\n") == 1


WITHOUT = "Python was started with -OO"


@pytest.mark.parametrize(
    ("line", "code", "says"),
    long_but_first(
        [
            ("stats --help", WITHIN, WITHOUT),
            ("explain Q01", ERROR, WITHOUT),
            (f"compare {XG} {SGF} --html a.html --json a.json", OUTSIDE, ""),
            (f"stats {SGF} --rules bgblitz --format json", WITHIN, ""),
            (f"investigate {XG} --player nora --reported pr=7.16", WITHIN, ""),
            ("suite list", WITHIN, ""),
            ("explain --rules", ERROR, WITHOUT),
        ],
        2,
    ),
)
def test_program_without_docstrings_works_and_says_why_there_are_no_texts(line, code, says):
    done = process(*line.split(), python=("-OO", "-m", "reconcile"))
    assert (done.returncode, b"Traceback" in done.stderr) == (code, False), done.stderr
    assert says in " ".join((done.stderr if code == ERROR else done.stdout).decode().split())


@pytest.mark.parametrize(
    ("words", "unneeded"),
    long_but_first(
        [
            (("stats", XG), {"pandas", "deepdiff", "jinja2", "pydantic", "yaml", "rich"}),
            (
                ("compare", XG, SGF, "--html", "page.html"),
                {"pandas", "pydantic", "rich", "deepdiff", "numpy.ma"},
            ),
        ]
    ),
)
def test_program_loads_only_what_it_needs(words, unneeded):
    """Each takes from a tenth to a half of the time of NumPy, which everything needs."""
    code = (
        "import sys, reconcile.cli; from click.testing import CliRunner; "
        "CliRunner().invoke(reconcile.cli.main, sys.argv[1:]); "
        "print(*sys.modules)"
    )
    loaded = process(*words, python=("-c", code)).stdout.decode().split()
    assert unneeded & {*loaded} == set()
    assert "reconcile.cli.stats" in loaded or Path("page.html").exists()


def test_help_shows_no_word_of_the_library_that_reads_options():
    assert "FLOAT RANGE" not in run("validate", "--help").stdout


@pytest.mark.parametrize("shell", long_but_first(["bash", "zsh", "fish"]))
def test_shells_complete_commands(shell):
    assert b"_RECONCILE_COMPLETE" in process(_RECONCILE_COMPLETE=f"{shell}_source").stdout


def test_tab_key_completes_the_name_of_a_command():
    result = process(
        _RECONCILE_COMPLETE="bash_complete", COMP_WORDS="reconcile inv", COMP_CWORD="1"
    )
    assert result.stdout.decode().split() == ["plain,investigate"]
