"""`reconcile validate` and `reconcile diff`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
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
    from reconcile.gate.measure import Measured
    from reconcile.gate.pack_results import PackResult
    from reconcile.suite.documents import SuiteRun


@click.command(
    cls=Grouped,
    groups={
        "Program under test": "--candidate --candidate-command --harness --candidate-timeout "
        "--repeat --cached --candidate-table --candidate-rules --suite-result --no-suite --aliases",
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
    help="Output of a program under test: a match file, figures or decisions; "
    "FILE#MATCH names the match.",
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
    help="A program that is started once and answers for every match, by the protocol "
    "of docs/suite.md.",
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
    help="First correct size and SHA-256 of changed bundled files in the manifests; a "
    "run that does so fails.",
)
@click.option(
    "--exit-zero",
    is_flag=True,
    help="Exit with 0 even if figures are out of tolerance; never hides 2.",
)
@click.option(
    "--measure",
    is_flag=True,
    help="Judge nothing; print how wide the gaps are, for each tolerance table and "
    "figure, to choose bounds.",
)
@click.pass_context
def validate(ctx: click.Context, /, pack: str | None, outputs: Outputs, **options: Any) -> None:
    """Judge a pack of reference matches and your program.

    The figures that tools reported are compared with ours, and the figures of a program under test
    with both.

    PACK is a folder of reference matches (default: the one bundled with the program).

    A command that gives wrong figures is also run on the conformance suite, whose cases say what it
    does differently.

    --measure leaves out synthetic matches and incomplete figures. It also measures pairs without a
    tolerance table, so you can choose bounds for them. With a candidate it measures only the
    candidate's gaps. Its --yaml writes a table for `--tolerances FILE --candidate-table`.

    Example: reconcile validate --candidate figures.json --html report

    Example: reconcile validate --measure --candidate-command "prog {file}" --yaml tolerances.yaml
    """
    judging = {name: options.pop(name) for name in JUDGING}
    _check_options(ctx, options)
    program = {**options, "aliases": _groups(options["aliases"])}
    program["command_timeout"] = program.pop("timeout")
    if judging["measure"]:
        ctx.exit(_measure(ctx, pack, judging["tolerances"], program, outputs))
    if outputs.path("yaml") is not None:
        raise click.UsageError("--yaml is for --measure; leave it out, or add --measure")
    code = _judge(pack, judging, program, outputs)
    ctx.exit(WITHIN if judging["exit_zero"] and code != ERROR else code)


JUDGING: Final = (
    "tolerances",
    "candidate_table",
    "suite_result",
    "no_suite",
    "update",
    "exit_zero",
    "measure",
)
"""Parameters that are not about the program under test."""


def _judge(
    pack: str | None, judging: Mapping[str, Any], program: Mapping[str, Any], outputs: Outputs
) -> int:
    """Judge a pack and a program, and write the outputs; the exit code."""
    from reconcile.gap.tolerances import load_tolerances
    from reconcile.gate.pack_results import by_reason
    from reconcile.gate.validate import validate as validate_pack
    from reconcile.suite.documents import read_run

    run = None if judging["suite_result"] is None else read_run(judging["suite_result"])
    changed = _refreshed(pack) if judging["update"] else []
    tolerances, table = load_tolerances(judging["tolerances"]), judging["candidate_table"]
    with progress(quiet=outputs.quiet) as show:
        result = validate_pack(
            _folder(pack), tolerances, **program, candidate_table=table, progress=show
        )
        is_tested = program["candidates"] or program["command"] or program["harness"]
        if is_tested and not judging["no_suite"]:
            result = _with_suite(result, program, run, show)
    _write(result, program["jobs"], outputs)
    for line in by_reason(result.failed):
        say(f"error: {line}")
    code = result.exit_code(strict=outputs.strict, fail_on=outputs.fail_on)
    if changed:
        # A gate that corrects its own manifests must not pass unnoticed.
        say(
            "manifests were updated: review the changes, read the reported figures of changed "
            "files again, and run again without --update"
        )
        code = max(code, OUTSIDE)
    return code


def _check_options(ctx: click.Context, program: Mapping[str, Any]) -> None:
    """Raise `UsageError` for options that do not go together."""
    command, harness = program["command"], program["harness"]
    if command is not None and harness is not None:
        raise click.UsageError(
            "give a program with --candidate-command CMD or with --harness CMD, one of them"
        )
    unfit = first_asked(ctx, ("cached",) if harness else ("repeat", "cached"))
    if command is None and unfit:
        remedy = "add --candidate-command, or leave it out"
        raise click.UsageError(f"{unfit} is for a program that is run; {remedy}")
    if program["repeat"] > 1 and program["cached"]:
        raise click.UsageError(
            "--repeat runs the program again, and --cached does not; leave one of them out"
        )


def _groups(aliases: str | None) -> Sequence[Sequence[str]]:
    from reconcile.files.aliases import load_aliases

    return load_aliases(aliases).groups


def _folder(pack: str | None) -> Path:
    from reconcile.files.bundled import bundled

    return Path(pack) if pack else bundled("reference_matches")


def _refreshed(pack: str | None) -> list[str]:
    """Correct the manifests; a line for each change."""
    from reconcile.gate.manifest import refresh

    changed = refresh(_folder(pack))
    for line in changed:
        say(f"updated {line}")
    return changed


def _write(result: PackResult, jobs: int, outputs: Outputs) -> None:
    from reconcile.document import dumps, pieces
    from reconcile.files.processes import mapped
    from reconcile.gate.validate import BATCH
    from reconcile.report.ci.github import badge

    # What has no bridges is not worth a process.
    has_bridges = any(match.pairs or match.candidates for match in result.matches)
    processes = partial(mapped, jobs=jobs if has_bridges else 1, size=BATCH)
    outputs.write_result(
        result,
        suite=f"reconcile validate {result.name}",
        needs={"html": (outputs.path("html"),)},
        json=lambda: pieces(result, processes),
        badge=lambda: dumps(badge(result)),
    )


def _with_suite(
    result: PackResult,
    program: Mapping[str, Any],
    run: SuiteRun | None,
    show: Callable[[str, int, int], None],
) -> PackResult:
    """The result with the failed cases of the suite, or how to find them, before each diagnosis."""
    from reconcile.gap.verdict import OUTSIDE as WRONG
    from reconcile.suite.documents import found_by

    wrong = {
        candidate.program
        for match in result.matches
        for candidate in match.candidates
        if any(figure.verdict == WRONG for figure in candidate.figures)
    }
    concerned = [
        diagnosis
        for diagnosis in result.diagnoses
        if diagnosis.candidate in wrong or diagnosis.faults
    ]
    if not concerned:
        return result
    if run is None and (program["command"] or program["harness"]):
        run = _suite_run(program, show)
        if run is None:
            return result
    diagnoses = []
    for diagnosis in result.diagnoses:
        sentence = diagnosis.sentence
        if diagnosis in concerned and run is not None:
            sentence = f"{found_by(run)} {sentence}".strip()
        elif diagnosis in concerned and not diagnosis.faults:
            sentence = f"{sentence} {ASK}"
        diagnoses.append(replace(diagnosis, sentence=sentence))
    return replace(result, diagnoses=tuple(diagnoses))


def _suite_run(
    program: Mapping[str, Any], show: Callable[[str, int, int], None]
) -> SuiteRun | None:
    """A run of the suite; `None` if the program gives figures of no other matches "
    "than the pack's."""
    from reconcile.gate.candidates.command import CommandFailed
    from reconcile.suite.documents import document_of
    from reconcile.suite.run import run

    try:
        return document_of(
            run(
                harness=program["harness"],
                command=program["command"],
                timeout=min(program["command_timeout"], LONGEST_CASE),
                progress=show,
                hopeless=HOPELESS,
            )
        )
    except CommandFailed:
        return None


HOPELESS: Final = 20
"""Cases, the first: if a program fails them all, the others would say nothing new."""
LONGEST_CASE: Final = 5.0
"""Seconds for a case, far shorter than a match; a slower program is soon asked for no more."""
ASK: Final = "`reconcile suite run` on the program shows in which cases it differs."
FEW = 5
"""A bound that rests on fewer matches says little about the next one."""
FOR_JUDGING: Final = (
    "candidate_table",
    "suite_result",
    "no_suite",
    "update",
    "exit_zero",
    "github",
    "strict",
    "fail_on",
    "html_",
    "badge_",
    "junit_",
)
"""Parameters of the command that have no use beside `--measure`."""


def _measure(
    ctx: click.Context,
    pack: str | None,
    tolerances: str | None,
    program: Mapping[str, Any],
    outputs: Outputs,
) -> int:
    """Print how wide the gaps of a pack are, or those of a program under test; the exit code."""
    from reconcile.document import dumps
    from reconcile.errors import NothingToCompare
    from reconcile.gate.measure import Measurement
    from reconcile.report.blocks import text
    from reconcile.report.markdown import markdown
    from reconcile.report.text.pack import measurement_blocks, measurement_yaml

    if unfit := first_asked(ctx, FOR_JUDGING):
        wrong = f"{unfit} is for judging, and --measure judges nothing"
        raise click.UsageError(f"{wrong}; leave it out")
    folder = _folder(pack)
    of_program = bool(program["candidates"] or program["command"] or program["harness"])
    gaps = _gaps_of_program if of_program else _gaps_of_pack
    rows, matches, failed, declares = gaps(folder, tolerances, program, outputs)
    if not rows:
        remedy = "fetch the files, or add figures or pairs to the manifests"
        remedy = "add matches that are not synthetic" if of_program else remedy
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
    if not outputs.quiet:
        _say_what_is_not_measured(matches, rows, of_program=of_program)
    for line in failed:
        say(f"error: {line}")
    return ERROR if failed else WITHIN


Gaps = tuple["tuple[Measured, ...]", "Sequence[MatchResult]", "Sequence[NotCompared]", str]
"""Rows, matches, what failed, and what the program declares in a `pack.yaml`."""


def _gaps_of_program(
    folder: Path, tolerances: str | None, program: Mapping[str, Any], outputs: Outputs
) -> Gaps:
    from reconcile.gap.tolerances import load_tolerances
    from reconcile.gate.measure import candidate_samples, figures_line, measured
    from reconcile.gate.validate import validate as validate_pack

    if tolerances is not None:
        no_use = "--tolerances has no use beside a candidate, whose bounds are to be measured"
        raise click.UsageError(f"{no_use}; leave it out")
    with progress(quiet=outputs.quiet) as show:
        result = validate_pack(
            folder, load_tolerances(), **program, candidate_table="printed", progress=show
        )
    rows = measured(candidate_samples(result))
    return rows, result.matches, result.failed, figures_line(result)


def _gaps_of_pack(
    folder: Path, tolerances: str | None, _program: Mapping[str, Any], _outputs: Outputs
) -> Gaps:
    from reconcile.gap.tolerances import load_tolerances
    from reconcile.gate.measure import measured, samples
    from reconcile.gate.validate import match_results

    matches = match_results(folder, load_tolerances(tolerances))
    return measured(samples(matches, explained=True)), matches, (), ""


def _say_what_is_not_measured(
    matches: Sequence[MatchResult], rows: Sequence[Measured], *, of_program: bool
) -> None:
    from reconcile.files.wording import plural

    for match in matches:
        for part in match.not_compared:
            if not part.is_failure:
                say(f"not measured: {match.id}: {part}")
        if of_program and match.synthetic:
            say(f"not measured: {match.id}: the match is synthetic")
    most = max(row.matches for row in rows)
    if of_program and most < FEW:
        say(
            f"these bounds rest on {plural(most, 'match', 'matches')}: add more, of players of "
            "every strength, before you rely on them"
        )


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

    Both files must come from the same command: `validate --json`, `compare --json` or
    `stats --format json`. Exits with 1 when a verdict got worse, a new figure is out of tolerance,
    or a figure that was within tolerance is gone.

    Example: reconcile diff old.json new.json
    """
    from reconcile.document import dumps
    from reconcile.gate.changes import changes, read_result
    from reconcile.report.blocks import text
    from reconcile.report.markdown import markdown
    from reconcile.report.text.changes import changes_blocks

    once_standard("OLD.json and NEW.json", old, new)
    changed = changes(read_result(old), read_result(new))
    outputs.write(
        {
            "json": lambda: dumps(changed),
            "markdown": lambda: markdown(changes_blocks(changed, fail_on=fail_on)),
        },
        lambda: text(changes_blocks(changed, fail_on=fail_on)),
    )
    ctx.exit(changed.exit_code(fail_on=fail_on))
