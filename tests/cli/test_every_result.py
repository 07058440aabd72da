"""Every result of every command: a file, or alone on standard output to the byte; what people read
goes to standard error, or nowhere."""

from pathlib import Path

import click
import pytest

from tests.support.claims import some
from tests.support.command_line import CUBE_RICH, PACK, every_command, run
from tests.support.long import long_but_first

pytestmark = pytest.mark.usefixtures("elsewhere")
RESULTS = {
    "--html": "a.html", "--json": "a.json", "--markdown": "a.md", "--ledger": "a.csv",
    "--junit": "a.xml",
    "--badge": "badge.json", "--yaml": "a.yaml", "--output": "a.out",
}  # fmt: skip
"""Options that name a result, and files to name."""
ALICE = str(PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf")
LINES = {
    "stats": (ALICE,),
    "compare": (ALICE, ALICE, "--right-rules", "xg"),
    "investigate": (ALICE, "--player", "Alice", "--reported", "decisions=1"),
    "validate": (str(CUBE_RICH),),
    "diff": ("before.json", "before.json"),
    "convert": (ALICE,),
}
"""A run of each; the other commands need an engine, a program, tables or a while, and are held to
it in their own files."""
ELSEWHERE = {
    "analyse", "benchmark", "benchmark-make", "corpus", "corpus-query", "corpus-report",
    "exercises", "fetch", "init", "new-match", "page", "suite",
}  # fmt: skip
ONLY_SOME = {
    ("validate", "--html"),
    ("validate", "--yaml"),
    ("stats", "--html"),
    ("convert", "--output"),
}
"""A folder, the result of another task, an output in place of the text, and one whose ending is its
format."""
COMMANDS = {names[0]: command for names, command in every_command() if len(names) == 1}


def results(name):
    """The options of a command that name a result, each with a file."""
    named = {
        opt for each in COMMANDS[name].params if isinstance(each, click.Option) for opt in each.opts
    }
    return {
        option: file
        for option, file in RESULTS.items()
        if option in named and (name, option) not in ONLY_SOME
    }


def test_every_command_with_a_result_is_here_or_elsewhere():
    assert {name for name in COMMANDS if name not in ELSEWHERE and results(name)} == set(LINES) - {
        "convert"
    }


@pytest.mark.parametrize("name", long_but_first(LINES))
def test_it_is_a_file_or_alone_on_standard_output(name):
    if name == "diff":
        run("compare", ALICE, ALICE, "--json", "before.json")
    files = {"--output": "a.mat"} if name == "convert" else results(name)
    arguments = [word for pair in files.items() for word in pair]
    before = {*Path().iterdir()}
    shown = run(name, *LINES[name], *arguments)
    assert {path.name for path in {*Path().iterdir()} - before} == {*files.values()}
    for option, file in some(files.items()):
        alone = run(name, *LINES[name], *((option, "-") if option != "--output" else ()))
        assert (alone.exit_code, alone.stdout) == (
            shown.exit_code,
            Path(file).read_text("utf-8"),
        ), option
        assert option == "--output" or (alone.stderr and f"wrote {file}" in shown.stderr), option
    quiet = run(name, *LINES[name], *arguments, *["--quiet"] * ("--output" not in files))
    assert quiet.stdout == ""
    assert not quiet.stderr or "--output" in files
