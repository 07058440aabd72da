"""`reconcile validate` and `reconcile diff`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reconcile.cli.common import (
    ERROR,
    TOLERANCES,
    WITHIN,
    Grouped,
    Seconds,
    aliases,
    echo,
    first_asked,
    jobs,
    once_standard,
    option,
    progress,
    refuse,
    say,
)
from reconcile.cli.outputs import FAIL_ON, JSON, MARKDOWN, ONLY_ASKED, Outputs, writes
from reconcile.files.output import STANDARD

if TYPE_CHECKING:
    from reconcile.gate.measure import Measurement
    from reconcile.gate.pack_results import PackResult

FOR_JUDGING = (
    "candidate_table",
    "update",
    "exit_zero",
    "github",
    "strict",
    "fail_on",
    "html",
    "badge",
    "junit",
)
"""Parameters of the command that have no use beside `--measure`."""


@click.command(
    cls=Grouped,
    groups={
        "Program under test": "--candidate --candidate-command --harness --candidate-timeout "
        "--repeat --cached --candidate-table --candidate-rules --aliases",
        "Judging": "--tolerances --strict --fail-on --exit-zero --update --jobs",
        "Outputs": "--html --json --markdown --junit --badge --github",
        "Measuring": "--measure --yaml",
        "Other": "--quiet --help",
    },
)
@click.argument("pack", required=False)
@TOLERANCES
@option(
    "--candidate FILE",
    "Output of a program under test: a match file, figures or decisions; FILE#MATCH names the "
    "match.",
    multiple=True,
)
@option(
    "--candidate-command CMD",
    "Command to run for every match, without a shell; {file} is the reference file.",
)
@option(
    "--harness CMD",
    "A program that is started once and answers for every match, by the protocol of docs/suite.md.",
)
@option("--candidate-timeout SECONDS", "Time limit for one run (default: 60).", type=Seconds())
@option(
    "--repeat N",
    "Run it N times for every match; it must give the same figures.",
    type=click.IntRange(1, 100),
    default=1,
    show_default=False,
)
@option(
    "--cached",
    "Reuse its output of an earlier run, if neither its file nor the match has changed.",
)
@option(
    "--candidate-table ID",
    "Tolerance table for the candidate figures, instead of the manifest's or the default one.",
)
@option(
    "--candidate-rules RULES",
    "Rule set of the reference figures, by name or as a YAML file, instead of the manifest's.",
)
@jobs("How many processes judge the matches.", default=1)
@aliases(", for the candidate files")
@writes(
    (
        "--html DIR",
        "Write an index page, and a page per pair and per match that is not just within tolerance, "
        "into this folder.",
    ),
    JSON,
    MARKDOWN,
    ("--badge FILE", "Write the verdict as JSON for shields.io's endpoint badge."),
    (
        "--yaml FILE",
        "Write what --measure finds as tolerance tables, with the reasons left for you to fill in.",
    ),
    gate=True,
    quiet=ONLY_ASKED,
)
@option(
    "--update",
    "First correct size and SHA-256 of changed bundled files in the manifests; a run that does so "
    "fails.",
)
@option("--exit-zero", "Exit with 0 even if figures are out of tolerance; never hides 2.")
@option(
    "--measure",
    "Judge nothing; print how wide the gaps are, for each tolerance table and figure, to choose "
    "bounds.",
)
@click.pass_context
def validate(ctx: click.Context, /, pack: str | None, outputs: Outputs, **asked: Any) -> None:
    """Judge a pack of reference matches and your program.

    The figures that tools reported are compared with ours, and the figures of a program under test
    with both.

    PACK is a folder of reference matches (default: the one bundled with the program).

    --measure leaves out synthetic matches and incomplete figures. It also measures pairs without a
    tolerance table, so you can choose bounds for them. With a candidate it measures only the
    candidate's gaps. Its --yaml writes a table for `--tolerances FILE --candidate-table`.

    Example: reconcile validate --candidate figures.json --html report

    Example: reconcile validate --measure --candidate-command "prog {file}" --yaml tolerances.yaml
    """
    from reconcile.files.bundled import bundled
    from reconcile.files.processes import mapped
    from reconcile.gate.measure import Measurement
    from reconcile.gate.validate import BATCH
    from reconcile.match.names import load_aliases

    _check(ctx, outputs, asked)
    exit_zero = asked.pop("exit_zero")
    folder = Path(pack) if pack else bundled("reference_matches")
    asked["aliases"] = load_aliases(asked["aliases"]).groups
    asked["candidates"] = asked.pop("candidate")
    asked["command"] = asked.pop("candidate_command")
    asked["command_timeout"] = asked.pop("candidate_timeout")
    asked["to_measure"] = asked.pop("measure")
    result = _result(folder, asked, quiet=outputs.quiet)
    # What has no bridges is not worth a process.
    has_bridges = any(match.pairs or match.candidates for match in result.matches)
    processes = partial(mapped, jobs=asked["jobs"] if has_bridges else 1, size=BATCH)
    outputs.write_result(
        result,
        suite=f"reconcile validate {folder.resolve().name}",
        needs={"json": (processes,)},
        read=(str(folder), *result.inputs),
    )
    if isinstance(result, Measurement) and not outputs.quiet:
        echo(result.declares, nl=False, err=STANDARD in outputs.paths.values())
    for line in result.remarks(quiet=outputs.quiet):
        say(line)
    code = result.exit_code(strict=outputs.strict, fail_on=outputs.fail_on)
    ctx.exit(WITHIN if exit_zero and code != ERROR else code)


def _result(folder: Path, asked: Mapping[str, Any], *, quiet: bool) -> PackResult | Measurement:
    from reconcile.gate.validate import validate_pack

    with progress(quiet=quiet) as show:
        return validate_pack(folder, **asked, say=say, progress=show)


def _check(ctx: click.Context, outputs: Outputs, asked: Mapping[str, Any]) -> None:
    """Refuse options that do not go together."""
    command, harness = asked["candidate_command"], asked["harness"]
    runs = first_asked(ctx, ("cached",) if harness else ("repeat", "cached"))
    judges = first_asked(ctx, FOR_JUDGING) if asked["measure"] else ""
    is_tested = asked["candidate"] or command or harness
    refuse(
        (
            None not in (command, harness),
            "give a program with --candidate-command CMD or with --harness CMD, one of them",
        ),
        (
            command is None and runs,
            f"{runs} is for a program that is run; add --candidate-command, or leave it out",
        ),
        (
            asked["repeat"] > 1 and asked["cached"],
            "--repeat runs the program again, and --cached does not; leave one of them out",
        ),
        (judges, f"{judges} is for judging, and --measure judges nothing; leave it out"),
        (
            asked["measure"] and is_tested and asked["tolerances"] is not None,
            "--tolerances has no use beside a candidate, whose bounds are to be measured; leave it "
            "out",
        ),
        (
            outputs.path("yaml") is not None and not asked["measure"],
            "--yaml is for --measure; leave it out, or add --measure",
        ),
    )


@click.command()
@click.argument("old", metavar="OLD.json")
@click.argument("new", metavar="NEW.json")
@writes(
    ("--json FILE", "Write the changes as JSON."),
    ("--markdown FILE", "Write the changes as Markdown."),
)
@FAIL_ON
@click.pass_context
def diff(ctx: click.Context, old: str, new: str, fail_on: str, outputs: Outputs) -> None:
    """Show the figures that differ between two results.

    Both files must come from the same command: `validate --json`, `compare --json` or
    `stats --format json`. Exits with 1 when a verdict got worse, a new figure is out of tolerance,
    or a figure is gone.

    Example: reconcile diff old.json new.json
    """
    from reconcile.gate.changes import changes, read_result

    once_standard("OLD.json and NEW.json", old, new)
    changed = changes(read_result(old), read_result(new))
    outputs.write_result(changed, shown={"fail_on": fail_on})
    ctx.exit(changed.exit_code(fail_on=fail_on))
