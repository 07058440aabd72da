"""`reconcile validate` and `reconcile diff`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from reconcile.cli.common import (
    ERROR,
    OUTSIDE,
    WITHIN,
    Grouped,
    candidate_timeout,
    first_asked,
    once_standard,
    progress,
    say,
)
from reconcile.cli.outputs import JSON, MARKDOWN, Form, Outputs, writes

if TYPE_CHECKING:
    from reconcile.gate.match_results import MatchResult, NotCompared
    from reconcile.gate.pack_results import PackResult
    from reconcile.infer.program import Diagnosis
    from reconcile.suite.documents import SuiteRun


@click.command(
    cls=Grouped,
    groups={
        "Program under test": "--candidate --candidate-command --harness --candidate-timeout --repeat --cached --candidate-table "
        "--candidate-rules --suite-result --no-suite --aliases",
        "Judging": "--tolerances --strict --fail-on --exit-zero --update --jobs",
        "Outputs": "--html --json --markdown --junit --badge --github",
        "Measuring": "--measure --yaml",
        "Other": "--quiet --help",
    },
)
@click.argument("pack", required=False)
@click.option(
    "--tolerances",
    metavar="FILE",
    help="File of tolerance tables (default: the one bundled with the program).",
)
@click.option(
    "--candidate",
    "candidates",
    multiple=True,
    metavar="FILE",
    help="Output of a program under test: a match file, figures or decisions; FILE#MATCH names the match.",
)
@click.option(
    "--candidate-command",
    "command",
    metavar="CMD",
    help="Command to run for every match, without a shell; {file} is the reference file.",
)
@click.option(
    "--harness",
    metavar="CMD",
    help="A program that is started once and answers for every match, by the protocol of docs/suite.md.",
)
@candidate_timeout
@click.option(
    "--repeat",
    type=click.IntRange(1, 100),
    default=1,
    metavar="N",
    help="Run it N times for every match; it must give the same figures.",
)
@click.option(
    "--cached",
    is_flag=True,
    help="Reuse its output of an earlier run, if neither its file nor the match has changed.",
)
@click.option(
    "--candidate-table",
    metavar="ID",
    help="Tolerance table for the candidate figures, instead of the manifest's or the default one.",
)
@click.option(
    "--candidate-rules",
    metavar="RULES",
    help="Rule set of the reference figures, by name or as a YAML file, instead of the manifest's.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="How many processes judge the matches.",
)
@click.option(
    "--suite-result",
    metavar="FILE",
    help="Result of `suite run --json` for the program, to say which cases it fails.",
)
@click.option(
    "--no-suite",
    is_flag=True,
    help="Do not run the conformance suite on a command that gives wrong figures.",
)
@click.option(
    "--aliases",
    metavar="FILE",
    help="YAML file of players' name variants, for the candidate files.",
)
@writes(
    Form(
        "html", "Write an index page, and a page per match and per pair, into this folder.", "DIR"
    ),
    JSON,
    MARKDOWN,
    Form("badge", "Write the verdict as JSON for shields.io's endpoint badge."),
    Form(
        "yaml",
        "Write what --measure finds as tolerance tables, with the reasons left for you to fill in.",
    ),
    gate=True,
    quiet="Print only errors and the outputs asked for.",
)
@click.option(
    "--update",
    is_flag=True,
    help="First correct size and SHA-256 of changed bundled files in the manifests; a run that does so fails.",
)
@click.option(
    "--exit-zero",
    is_flag=True,
    help="Exit with 0 even if figures are out of tolerance; never hides 2.",
)
@click.option(
    "--measure",
    is_flag=True,
    help="Judge nothing; print how wide the gaps are, for each tolerance table and figure, to choose bounds.",
)
@click.pass_context
def validate(
    ctx: click.Context,
    pack: str | None,
    tolerances: str | None,
    candidates: Sequence[str],
    command: str | None,
    harness: str | None,
    timeout: float,
    repeat: int,
    cached: bool,
    candidate_table: str | None,
    candidate_rules: str | None,
    jobs: int,
    suite_result: str | None,
    no_suite: bool,
    aliases: str | None,
    update: bool,
    exit_zero: bool,
    measure: bool,
    outputs: Outputs,
) -> None:
    """Judge a pack of reference matches and your program.

    The figures that tools reported are compared with ours, and the figures of a program under test with both.

    PACK is a folder of reference matches (default: the one bundled with the program).

    A command that gives wrong figures is also run on the conformance suite, whose cases say what it does differently.

    --measure leaves out synthetic matches and incomplete figures. It also measures pairs without a tolerance table, so you can choose
    bounds for them. With a candidate it measures only the candidate's gaps. Its --yaml writes a table for `--tolerances FILE
    --candidate-table`.

    Example: reconcile validate --candidate figures.json --html report

    Example: reconcile validate --measure --candidate-command "prog {file}" --yaml tolerances.yaml
    """
    if command is not None and harness is not None:
        raise click.UsageError(
            "give a program with --candidate-command CMD or with --harness CMD, one of them"
        )
    if command is None and (
        unfit := first_asked(ctx, ("cached",) if harness else ("repeat", "cached"))
    ):
        raise click.UsageError(
            f"{unfit} is for a program that is run; add --candidate-command, or leave it out"
        )
    if repeat > 1 and cached:
        raise click.UsageError(
            "--repeat runs the program again, and --cached does not; leave one of them out"
        )
    program: dict[str, Any] = {
        "candidates": candidates,
        "command": command,
        "harness": harness,
        "command_timeout": timeout,
        "repeat": repeat,
        "cached": cached,
        "candidate_rules": candidate_rules,
        "jobs": jobs,
    }
    if measure:
        if unfit := first_asked(ctx, FOR_JUDGING):
            raise click.UsageError(
                f"{unfit} is for judging, and --measure judges nothing; leave it out"
            )
        ctx.exit(_measure(pack, tolerances, program, aliases, outputs))
    if outputs.path("yaml") is not None:
        raise click.UsageError("--yaml is for --measure; leave it out, or add --measure")
    from reconcile.document import dumps, pieces
    from reconcile.files.aliases import load_aliases
    from reconcile.files.bundled import bundled
    from reconcile.files.workers import mapped
    from reconcile.gap.tolerances import load_tolerances
    from reconcile.gate.pack_results import by_reason
    from reconcile.gate.validate import BATCH
    from reconcile.gate.validate import validate as validate_pack
    from reconcile.report.ci.github import badge
    from reconcile.suite.documents import read_run as read_suite_run

    asked = None if suite_result is None else read_suite_run(suite_result)
    changed: list[str] = []
    if update:
        from pathlib import Path

        from reconcile.gate.manifest import refresh

        changed = refresh(Path(pack) if pack else bundled("reference_matches"))
        for line in changed:
            say(f"updated {line}")
    with progress(quiet=outputs.quiet) as show:
        result = validate_pack(
            pack or bundled("reference_matches"),
            load_tolerances(tolerances),
            **program,
            candidate_table=candidate_table,
            aliases=load_aliases(aliases).groups,
            progress=show,
        )
        if not no_suite and (candidates or command is not None or harness is not None):
            result = _with_suite(
                result, {"command": command, "harness": harness}, asked, timeout, show
            )
    has_bridges = any(
        match.pairs or match.candidates for match in result.matches
    )  # the rest is not worth a process
    outputs.write_result(
        result,
        suite=f"reconcile validate {result.name}",
        needs={"html": (outputs.path("html"),)},
        json=lambda: pieces(result, partial(mapped, jobs=jobs if has_bridges else 1, size=BATCH)),
        badge=lambda: dumps(badge(result)),
    )
    for line in by_reason(result.failed):
        say(f"error: {line}")
    code = result.exit_code(strict=outputs.strict, fail_on=outputs.fail_on)
    if changed:
        # A gate that corrects its own manifests must not pass unnoticed.
        say(
            "manifests were updated: review the changes, read the reported figures of changed files again, and run again without --update"
        )
        code = max(code, OUTSIDE)
    ctx.exit(WITHIN if exit_zero and code != ERROR else code)


def _with_suite(
    result: PackResult,
    program: Mapping[str, str | None],
    given: SuiteRun | None,
    timeout: float,
    show: Callable[[str, int, int], None],
) -> PackResult:
    """A result whose diagnosis begins with the cases that a program fails, or how to find them; as it is without a wrong figure."""
    from reconcile.gap.verdict import OUTSIDE as WRONG
    from reconcile.gate.candidates.command import CommandFailed
    from reconcile.suite.documents import document_of, found_by
    from reconcile.suite.run import run

    wrong = {
        one.program
        for match in result.matches
        for one in match.candidates
        if any(figure.verdict == WRONG for figure in one.figures)
    }
    told = [one for one in result.diagnoses if one.candidate in wrong or one.faults]
    if not told:
        return result
    if given is None and any(program.values()):
        try:
            given = document_of(
                run(
                    harness=program["harness"],
                    command=program["command"],
                    timeout=min(timeout, LONGEST_CASE),
                    progress=show,
                    hopeless=HOPELESS,
                )
            )
        except CommandFailed:  # it gives figures of the matches of the pack, and of no others
            return result

    def said(one: Diagnosis) -> str:
        return (
            f"{found_by(given)} {one.sentence}".strip()
            if given is not None
            else one.sentence
            if one.faults
            else f"{one.sentence} {ASK}"
        )

    return replace(
        result,
        diagnoses=tuple(
            replace(one, sentence=said(one)) if one in told else one for one in result.diagnoses
        ),
    )


HOPELESS: Final = 20
"""Cases, the first: if a program fails them all, the others would say nothing new."""
LONGEST_CASE: Final = 5.0
"""Seconds for a case, which is far shorter than a match; a program that takes longer is soon asked for no more."""
ASK: Final = "`reconcile suite run` on the program shows in which cases it differs."
FEW = 5
"""A bound that rests on fewer matches says little about the next one."""


FOR_JUDGING: Final = (
    *(
        "candidate_table",
        "suite_result",
        "no_suite",
        "update",
        "exit_zero",
        "github",
        "strict",
        "fail_on",
    ),
    *("html_", "badge_", "junit_"),
)
"""Parameters of the command that have no use beside `--measure`."""


def _measure(
    pack: str | None,
    tolerances: str | None,
    program: Mapping[str, Any],
    aliases: str | None,
    outputs: Outputs,
) -> int:
    """Print how wide the gaps of a pack are, or those of a program under test; the exit code."""
    from pathlib import Path

    from reconcile.document import dumps
    from reconcile.errors import NothingToCompare
    from reconcile.files.aliases import load_aliases
    from reconcile.files.bundled import bundled
    from reconcile.files.wording import plural
    from reconcile.gap.tolerances import load_tolerances
    from reconcile.gate.measure import (
        Measurement,
        candidate_samples,
        figures_line,
        measured,
        samples,
    )
    from reconcile.gate.validate import match_results
    from reconcile.gate.validate import validate as validate_pack
    from reconcile.report.blocks import text
    from reconcile.report.markdown import markdown
    from reconcile.report.text.pack import measurement_blocks, measurement_yaml

    folder = Path(pack) if pack else bundled("reference_matches")
    of_program = bool(program["candidates"]) or bool(program["command"] or program["harness"])
    declares = ""
    failed: tuple[NotCompared, ...] = ()
    matches: Sequence[MatchResult]
    if of_program:
        if tolerances is not None:
            raise click.UsageError(
                "--tolerances has no use beside a candidate, whose bounds are to be measured; leave it out"
            )
        with progress(quiet=outputs.quiet) as show:
            result = validate_pack(
                folder,
                load_tolerances(),
                **program,
                candidate_table="printed",
                aliases=load_aliases(aliases).groups,
                progress=show,
            )
        matches, failed, rows = result.matches, result.failed, measured(candidate_samples(result))
        declares = figures_line(result)
    else:
        matches = match_results(folder, load_tolerances(tolerances))
        rows = measured(samples(matches, explained=True))
    if not rows:
        remedy = (
            "add matches that are not synthetic"
            if of_program
            else "fetch the files, or add figures or pairs to the manifests"
        )
        raise NothingToCompare(f"no figure could be measured; {remedy}", folder)
    name = folder.resolve().name
    outputs.write(
        {
            "json": lambda: dumps(Measurement(pack=name, measured=rows)),
            "markdown": lambda: markdown(measurement_blocks(rows)),
            "yaml": lambda: measurement_yaml(rows, name, of_program=of_program),
        },
        lambda: text(measurement_blocks(rows)) + declares,
    )
    for match in matches if not outputs.quiet else ():
        for reason in match.not_compared:
            if not reason.is_failure:
                say(f"not measured: {match.id}: {reason}")
        if of_program and match.synthetic:
            say(f"not measured: {match.id}: the match is synthetic")
    most = max(row.matches for row in rows)
    if of_program and most < FEW and not outputs.quiet:
        say(
            f"these bounds rest on {plural(most, 'match', 'matches')}: add more, of players of every strength, before you rely on them"
        )
    for line in failed:
        say(f"error: {line}")
    return ERROR if failed else WITHIN


@click.command()
@click.argument("old", metavar="OLD.json")
@click.argument("new", metavar="NEW.json")
@writes(
    Form("json", "Write the changes as JSON."), Form("markdown", "Write the changes as Markdown.")
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warn"]),
    default="error",
    show_default=True,
    help="Lowest level that fails.",
)
@click.pass_context
def diff(ctx: click.Context, old: str, new: str, fail_on: str, outputs: Outputs) -> None:
    """Show what changed between two results.

    Verdicts, figures, findings and more.

    Both files must come from the same command: `validate --json`, `compare --json` or `stats --format json`. Exits with 1 when a verdict
    got worse, a new figure is out of tolerance, or a figure that was within tolerance is gone.

    Example: reconcile diff old.json new.json
    """
    from reconcile.document import dumps
    from reconcile.gate.changes import changes, read_result
    from reconcile.report.blocks import text
    from reconcile.report.markdown import markdown
    from reconcile.report.text.changes import changes_blocks

    once_standard("OLD.json and NEW.json", old, new)
    found = changes(read_result(old), read_result(new))
    outputs.write(
        {
            "json": lambda: dumps(found),
            "markdown": lambda: markdown(changes_blocks(found, fail_on=fail_on)),
        },
        lambda: text(changes_blocks(found, fail_on=fail_on)),
    )
    ctx.exit(found.exit_code(fail_on=fail_on))
