"""`reconcile suite write`, `list`, `show` and `run`."""

from __future__ import annotations

from typing import Any

import click

from reconcile.cli.common import OUTSIDE, WITHIN, Seconds, option, progress, refuse, say
from reconcile.cli.outputs import HTML, JSON, JUNIT, Outputs, writes


@click.group()
def suite() -> None:
    """Test a program with tiny matches, each about one edge case.

    This is the conformance suite.

    Example: reconcile suite run --harness 'python harness.py'
    """


@suite.command()
@click.argument("place", metavar="DIR|FILE.zip")
def write(place: str) -> None:
    """Write the cases as files that need no Python.

    They are matches, expected figures and an index in JSON.

    DIR must be empty or not exist; a name that ends in .zip makes an archive of it.
    """
    from pathlib import Path

    from reconcile.files.output import check_place
    from reconcile.suite.cases import write_suite

    check_place(place)
    say(f"wrote {write_suite(Path(place))} files to {place}")


@suite.command("list")
@writes(JSON)
def list_cases(outputs: Outputs) -> None:
    """List every case with what it tests."""
    from reconcile.document import dumps
    from reconcile.suite.cases import index, list_text

    outputs.write({"json": lambda: dumps(index()), "text": list_text})


@suite.command()
@click.argument("name", metavar="ID")
def show(name: str) -> None:
    """Show a case and its figures under every rule set."""
    from reconcile.cli.common import echo
    from reconcile.errors import UnknownName
    from reconcile.suite.cases import by_id, show_text
    from reconcile.wording import nearest

    cases = by_id()
    if name not in cases:
        hint = nearest(name, cases, "`reconcile suite list` has every id")
        raise UnknownName(f"no case {name[:60]!r}; {hint}")
    echo(show_text(cases[name]), nl=False)


@suite.command()
@click.argument("results", nargs=-1, required=True, metavar="RESULT.json...")
@writes(HTML, ("--badge FILE", "Write the last result as JSON for a badge of shields.io."))
def matrix(results: tuple[str, ...], outputs: Outputs) -> None:
    """Put results of programs, or versions, side by side.

    A result is what `suite run --json` wrote. Versions of a program are compared in the order in
    which they are given: the oldest first.

    Example: reconcile suite matrix prog-1.json prog-2.json other.json --html matrix.html
    """
    from reconcile.document import dumps
    from reconcile.report.blocks import text
    from reconcile.report.ci import suite_badge
    from reconcile.report.html.look import page
    from reconcile.report.text.suite import matrix_blocks
    from reconcile.suite.cases import read_run

    runs = [read_run(path) for path in results]
    outputs.write(
        {
            "html": lambda: page(matrix_blocks(runs)),
            "badge": lambda: dumps(suite_badge(runs[-1])),
            "text": lambda: text(matrix_blocks(runs)),
        }
    )


@suite.command("run")
@option(
    "--harness CMD",
    "A program that is started once and answers for every case, by the protocol of docs/suite.md.",
)
@option(
    "--candidate-command CMD",
    "Command to run for every case, without a shell; {file} is the match.",
)
@option(
    "--candidate FILE",
    "Figures that name their match by the id of the case; give it several times for several files.",
    multiple=True,
)
@option("--timeout SECONDS", "Time limit for one case.", type=Seconds(), default=60)
@option(
    "--format",
    "Format of the matches (default: what the harness reads; xg).",
    type=click.Choice(["xg", "sgf"]),
)
@option(
    "--only PREFIX",
    "Only the cases whose id begins with this, e.g. redouble.",
    default="",
    show_default=False,
)
@writes(
    (
        "-o --rules FILE",
        "Write the program's answers as a YAML file of rules, for --rules of other commands.",
    ),
    JSON,
    HTML,
    JUNIT,
)
@click.pass_context
def run_suite(ctx: click.Context, /, outputs: Outputs, **asked: Any) -> None:
    """Run a program on every case, and say which it fails.

    The cases that fail are listed by area.

    Exits with 0 if all cases passed or are unsupported, with 1 if one failed or crashed.

    Example: reconcile suite run --candidate-command 'prog stats {file}'
    """
    from reconcile.report.ci import suite_junit
    from reconcile.report.forms import in_form
    from reconcile.suite.cases import CRASHED, FAILED
    from reconcile.suite.run import read_back, rules_yaml
    from reconcile.suite.run import run_suite as ask

    program = {"harness": asked["harness"], "command": asked["candidate_command"]}
    program["files"] = asked["candidate"] or None
    one_of_them = "give a program with --harness CMD, with --candidate-command CMD or its figures "
    one_of_them += "with --candidate FILE, one of them"
    refuse((list(program.values()).count(None) != 2, one_of_them))
    settings = {"timeout": asked["timeout"], "form": asked["format"], "only": asked["only"]}
    with progress(quiet=outputs.quiet) as show_progress:
        result = ask(**program, **settings, progress=show_progress)
    outputs.write(
        {
            "rules": lambda: rules_yaml(read_back(result.program, result.cases)),
            "json": lambda: in_form(result, "json"),
            "html": lambda: in_form(result, "html"),
            "junit": lambda: suite_junit(result),
            "text": lambda: in_form(result, "text"),
        }
    )
    ctx.exit(OUTSIDE if result.counts[FAILED] or result.counts[CRASHED] else WITHIN)
