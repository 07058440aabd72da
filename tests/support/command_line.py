"""The program run as scripts run it, in this process or as one of its own, and bundled files to
give it."""

import csv
import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import click
from click.testing import CliRunner

from reconcile.cli import main
from reconcile.files.bundled import bundled
from tests.support.data import PROJECT
from tests.support.processes import LONGEST

WITHIN, OUTSIDE, ERROR = 0, 1, 2
"""Exit codes of a gate."""
PACK = bundled("reference_matches")
XG, SGF = (
    str(PACK / "demonstration" / f"nora-lindqvist-tomas-beck.{ending}") for ending in ("xg", "sgf")
)
"""One match, analysed by two tools whose figures differ."""
CUBE_RICH = PACK / "gnubg-11pt-cube-rich"
"""A match with figures that gnuBG reported, all of which agree."""


OUTPUTS = {
    "--json": "result.json",
    "--markdown": "result.md",
    "--junit": "junit.xml",
    "--badge": "badge.json",
    "--html": "site",
}
"""The outputs of a gate that are files, and where they go."""


def every_command(group=main, names=()):
    """Every command with its words, but for those with an old name."""
    context = click.Context(group)
    for name in sorted(group.list_commands(context)):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from every_command(command, (*names, name))
        elif command is not None:
            yield (*names, name), command


def run(*arguments, stdin=b"", **environment):
    """Run the command in this process; anything but an exit is raised."""
    words = [str(argument) for argument in arguments]
    result = CliRunner(env=environment).invoke(
        main, words, input=stdin, prog_name="reconcile", catch_exceptions=False
    )
    assert "Traceback" not in result.output
    return result


def environment(**more):
    """Of a program that runs this checkout, without what tests and workflows set."""
    own = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("RECONCILE_", "GITHUB_"))
    }
    return own | {"PYTHONPATH": str(PROJECT), "PYTHONUTF8": "1"} | more


def process(*arguments, stdin=b"", python=("-m", "reconcile"), **more):
    """Run the command as a shell does, or what else Python is told to run."""
    words, variables = [sys.executable, *python, *arguments], environment(**more)
    return subprocess.run(words, input=stdin, capture_output=True, env=variables, timeout=LONGEST)


def refused(*arguments, **more):
    """The line of error of a command that could not do its work and printed nothing else."""
    done = run(*arguments, **more)
    assert (done.exit_code, done.stdout) == (ERROR, ""), done.output
    (line,) = done.stderr.splitlines()
    assert line.startswith("reconcile: ")
    return line


def first_lines(output, count, width):
    """The first lines of an output; what is cut ends in `...`."""
    lines = [line.rstrip() for line in output.splitlines()]
    cut = [line if len(line) <= width else f"{line[: width - 3]}..." for line in lines[:count]]
    return [*cut, *["..."][: len(lines) > count]]


def strict(text):
    """JSON without NaN and the like."""

    def refuse(constant):
        raise AssertionError(f"{constant} in JSON")

    return json.loads(text, parse_constant=refuse)


def json_of(*arguments, **more):
    """The JSON that a command prints."""
    return strict(run(*arguments, **more).stdout)


def json_in(path):
    """The JSON that a file has."""
    return strict(Path(path).read_text("utf-8"))


def csv_of(*arguments):
    """The rows of the table that a command prints as CSV."""
    return list(csv.DictReader(StringIO(run(*arguments, "--format", "csv").stdout)))
