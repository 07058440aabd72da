"""`reconcile analyse` and `reconcile convert`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from reconcile.cli.common import ERROR, OUTSIDE, WITHIN, Seconds, first_asked, progress, say
from reconcile.cli.outputs import Form, Outputs, writes
from reconcile.files.wording import plural

if TYPE_CHECKING:
    from reconcile.engines.analysis import Analysed
    from reconcile.errors import ReconcileError


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    metavar="OUT.sgf|OUT.json|DIR",
    help="Where to write; for several files a folder.",
)
@click.option(
    "--plies",
    type=click.IntRange(0, 4),
    metavar="N",
    help="Analysis depth as the engine counts it (default: gnubg 2, bgsage 3, which look equally far ahead).",
)
@click.option(
    "--engine",
    type=click.Choice(["gnubg", "bgsage"]),
    default="gnubg",
    show_default=True,
    help="Program that makes the analysis.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="How many matches at a time.",
)
@click.option("--no-cache", is_flag=True, help="Analyse again; neither read nor write the cache.")
@click.option(
    "--timeout",
    type=Seconds(),
    default=3600,
    show_default=True,
    metavar="S",
    help="Seconds a match may take.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Instead compare gnuBG's own statistics of files that gnuBG analysed with ours, figure by figure: 1 if one differs.",
)
@writes(Form("json", "Write every figure of --check as JSON."))
@click.pass_context
def analyse(
    ctx: click.Context,
    files: Sequence[str],
    output: str | None,
    plies: int | None,
    engine: str,
    jobs: int,
    no_cache: bool,
    timeout: float,
    check: bool,
    outputs: Outputs,
) -> None:
    """Analyse matches with gnuBG or bgsage.

    The files are .xg, .sgf or .bgf files, or transcripts.

    gnuBG writes an .sgf file. bgsage (pip install 'gammon-reconcile[bgsage]') writes a .json file that the other commands read.
    gnuBG is looked up in RECONCILE_GNUBG, in PATH and in /usr/games. Analyses are cached in the folder RECONCILE_CACHE (by default the
    system's cache folder), so each is made only once. With several files, each is written as NAME_Nply.sgf or
    NAME_bgsage_Nply.analysis.json as soon as it is done. A file that fails is reported and does not stop the others.

    Example: reconcile analyse match.xg -o match.sgf --plies 2

    Example: reconcile analyse --check match.sgf
    """
    from reconcile.engines.second_opinion import ENGINES, analysed, checked_plies
    from reconcile.errors import ReconcileError
    from reconcile.files.bundled import cache_folder
    from reconcile.files.output import STANDARD, check_not_read, write
    from reconcile.formats import load_match
    from reconcile.formats.mat.writer import lost_words

    if check:
        if unfit := first_asked(ctx, FOR_ANALYSES):
            raise click.UsageError(
                f"{unfit} is for making an analysis, and --check makes none; leave it out"
            )
        ctx.exit(_check(files, outputs))
    if output is None:
        raise click.UsageError("expected -o with a file or a folder to write to, found none")
    if outputs.path("json") is not None:
        raise click.UsageError("--json is for --check; name the analysis with -o")
    depth = checked_plies(engine, ENGINES[engine].usual if plies is None else plies)
    ending = ENGINES[engine].ending
    name = f"_{depth}ply.sgf" if engine == "gnubg" else f"_{engine}_{depth}ply.analysis.json"
    targets = _targets(files, output, name, ending)
    for target in targets.values():
        check_not_read(target)
    cache = None if no_cache else cache_folder()
    threads = max(
        1, (os.cpu_count() or 1) // min(jobs, len(files))
    )  # of each process: one per core in total

    with progress(quiet=outputs.quiet) as show:

        def one(path: str) -> Analysed:
            match = load_match(path)
            made = analysed(
                match,
                engine,
                depth,
                threads=threads,
                timeout=timeout,
                cache=cache,
                progress=lambda done, total: show(path, done, total),
            )
            write(targets[path], made.content)
            return replace(made, changes=(*made.changes, *lost_words(match, made.match)))

        results = _side_by_side(one, list(targets), jobs)
    failed = False
    for path, result in results.items():
        if isinstance(result, ReconcileError):
            failed = True
            say(f"reconcile: {' '.join(str(result).split())}")
        elif not outputs.quiet:
            for change in result.changes:
                say(f"{path}: {change}")
            if targets[path] != STANDARD:
                how = f"{plural(len(result.match.games), 'game')} {result.how}{', from an earlier run' if result.kept else ''}"
                say(f"wrote {targets[path]}: {how}")
    ctx.exit(ERROR if failed else WITHIN)


FOR_ANALYSES: Final = ("output", "plies", "engine", "jobs", "no_cache", "timeout")
"""Parameters of the command that say how an analysis is made."""


def _check(files: Sequence[str], outputs: Outputs) -> int:
    """Compare gnuBG's own statistics of these files with ours; the exit code."""
    from reconcile.document import dumps
    from reconcile.engines.gnubg import find
    from reconcile.engines.selfcheck import Engine, SelfCheck, selfcheck
    from reconcile.errors import ReconcileError
    from reconcile.formats import load_match
    from reconcile.report.text.program import selfcheck_text

    program = find()
    checks, failed = [], False
    with progress(quiet=outputs.quiet) as show:
        for done, path in enumerate(files):
            show("checked", done, len(files))
            try:
                checks.append(selfcheck(load_match(path), program))
            except ReconcileError as error:
                failed = True
                say(f"reconcile: {' '.join(str(error).split())}")
        show("checked", len(files), len(files))
    if not checks:
        return ERROR
    found = SelfCheck(Engine("gnubg", program.version), tuple(checks))
    outputs.write({"json": lambda: dumps(found)}, lambda: selfcheck_text(found))
    return ERROR if failed else OUTSIDE if found.verdict == "outside" else WITHIN


def _targets(files: Sequence[str], output: str, name: str, ending: str) -> dict[str, str]:
    """The output file of each match; in a folder its name, then `name`."""
    from pathlib import Path

    from reconcile.files.output import STANDARD

    folder = len(files) > 1 or (output and Path(output).is_dir()) or output.endswith(("/", "\\"))
    if not folder:
        if output != STANDARD and not output.lower().endswith(ending):
            raise click.BadParameter(
                f"expected a name ending in {ending}, or a folder, found {output!r}",
                param_hint="-o",
            )
        return {files[0]: output}
    if output in ("", STANDARD) or output.lower().endswith(ending):
        raise click.BadParameter(
            f"expected a folder for {len(files)} files, found {output!r}", param_hint="-o"
        )
    targets: dict[str, str] = {}
    for file in files:
        target = str(
            Path(output) / f"{Path(file).stem if file != STANDARD else 'standard-input'}{name}"
        )
        if file in targets or target in targets.values():
            raise click.BadParameter(
                f"two files would be written to {target}; analyse them in separate runs",
                param_hint="FILE",
            )
        targets[file] = target
    return targets


def _side_by_side(
    work: Callable[[str], Analysed], files: Sequence[str], jobs: int
) -> dict[str, Analysed | ReconcileError]:
    """The results by file, in the order given; a file that could not be analysed yields the error. An interrupt ends every engine."""
    from reconcile.errors import ReconcileError
    from reconcile.files.processes import threads

    with threads(jobs) as pool:
        futures = {file: pool.submit(work, file) for file in files}
        for future in futures.values():
            future.exception()
    results: dict[str, Analysed | ReconcileError] = {}
    for file, future in futures.items():
        error = future.exception()
        if error is not None and not isinstance(error, ReconcileError):
            raise error
        results[file] = future.result() if error is None else error
    return results


@click.command()
@click.argument("file")
@click.option(
    "-o",
    "--output",
    default="-",
    metavar="OUT.json|OUT.mat",
    help="Where to write (default: JSON to standard output).",
)
def convert(file: str, output: str) -> None:
    """Write a match as JSON, or its transcript.

    JSON has all its decisions, a .mat file is a transcript.

    The JSON is for your own programs: reconcile reads .mat back, and not its own results.
    A transcript holds rolls, plays, cube actions and results. Anything in FILE that it cannot express is reported on standard error.

    Example: reconcile convert match.xg -o match.mat
    """
    from reconcile.files.output import STANDARD, write
    from reconcile.formats import load_match

    if output != STANDARD and not output.lower().endswith((".json", ".mat")):
        raise click.BadParameter(
            f"expected a name ending in .json or .mat, found {output!r}", param_hint="-o"
        )
    match = load_match(file)
    if output.lower().endswith(".mat"):
        from reconcile.formats.mat.writer import transcript

        written = transcript(match)
        write(output, written.text)
        for change in written.changes:
            say(f"{output}: {change}")
    else:
        from reconcile.document import dumps
        from reconcile.results.match import match_document

        write(output, dumps(match_document(match)))
    if output != STANDARD:
        say(f"wrote {output}")
