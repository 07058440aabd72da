"""`reconcile analyse` and `reconcile convert`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reconcile.cli.common import (
    ERROR,
    QUIET,
    STANDARD_OUTPUT,
    WITHIN,
    Seconds,
    inputs,
    jobs,
    option,
    output,
    progress,
    say,
    trouble,
)
from reconcile.errors import ReconcileError
from reconcile.files.output import STANDARD, check_not_read, write
from reconcile.wording import plural

if TYPE_CHECKING:
    from reconcile.engines.analysis import Analysed


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@output("-o --output OUT.sgf|OUT.json|DIR", "Where to write; for several files a folder.")
@option(
    "--plies N",
    "Analysis depth as the engine counts it (default: gnubg 2, sage 3, which look equally far "
    "ahead).",
    type=click.IntRange(0, 4),
)
@option(
    "--engine",
    "Program that makes the analysis.",
    type=click.Choice(["gnubg", "sage"]),
    default="gnubg",
)
@jobs("How many matches at a time.", default=1)
@option("--no-cache", "Analyse again; neither read nor write the cache.")
@option("--timeout S", "Seconds a match may take.", type=Seconds(), default=3600)
@QUIET
@click.pass_context
def analyse(ctx: click.Context, /, files: Sequence[str], output: str, **how: Any) -> None:
    """Analyse matches with gnuBG or Open Sage.

    The files are .xg, .sgf or .bgf files, or transcripts.

    gnuBG writes an .sgf file. Open Sage (pip install 'gammon-reconcile[engine]') writes a .json
    file that the other commands read. gnuBG is looked up in RECONCILE_GNUBG, in PATH and in
    /usr/games. Analyses are cached in the folder RECONCILE_CACHE (by default the system's cache
    folder), so each is made only once. With several files, each is written as NAME_Nply.sgf or
    NAME_sage_Nply.analysis.json as soon as it is done. A file that fails is reported and does not
    stop the others.

    Example: reconcile analyse match.xg -o match.sgf --plies 2
    """
    if output is None:
        raise click.UsageError("expected -o with a file or a folder to write to, found none")
    ctx.exit(_analyse(files, output, **how))


def _analyse(
    files: Sequence[str], output: str, quiet: bool, plies: int | None, engine: str, **how: Any
) -> int:
    """Write the analysis of every file; the exit code."""
    from reconcile.engines.second_opinion import ENGINES, checked_plies
    from reconcile.files.bundled import cache_folder
    from reconcile.files.processes import awaited, threads

    depth = checked_plies(engine, ENGINES[engine].usual if plies is None else plies)
    name = f"_{depth}ply.sgf" if engine == "gnubg" else f"_{engine}_{depth}ply.analysis.json"
    targets = _targets(files, output, name, ENGINES[engine].ending)
    for target in targets.values():
        check_not_read(target, inputs())
    settings = {
        "cache": None if how["no_cache"] else cache_folder(),
        "timeout": how["timeout"],
        # Of each process: one per core in total.
        "threads": max(1, (os.cpu_count() or 1) // min(how["jobs"], len(files))),
    }
    with progress(quiet=quiet) as show, threads(how["jobs"]) as pool:
        work = partial(_write_analysis, engine=engine, plies=depth, show=show, settings=settings)
        results = [*awaited([pool.submit(work, *each) for each in targets.items()])]
    for path, result in zip(targets, results, strict=True):
        if isinstance(result, ReconcileError):
            trouble(result)
        elif not quiet:
            for change in result.changes:
                say(f"{path}: {change}")
            if targets[path] != STANDARD:
                games = plural(len(result.match.games), "game")
                earlier = ", from an earlier run" if result.from_cache else ""
                say(f"wrote {targets[path]}: {games} {result.how}{earlier}")
    return ERROR if any(isinstance(each, ReconcileError) for each in results) else WITHIN


def _write_analysis(
    path: str, target: str, *, engine: str, plies: int, show: Any, settings: dict[str, Any]
) -> Analysed | ReconcileError:
    """The analysis of a file, written; or why there is none."""
    from reconcile.engines.second_opinion import analysed
    from reconcile.formats import load_match
    from reconcile.formats.mat.writer import lost_words

    try:
        match = load_match(path)
        analysis = analysed(match, engine, plies, progress=partial(show, path), **settings)
        write(target, analysis.content)
    except ReconcileError as error:
        return error
    return replace(analysis, changes=(*analysis.changes, *lost_words(match, analysis.match)))


def _targets(files: Sequence[str], output: str, name: str, ending: str) -> dict[str, str]:
    """The output file of each match; in a folder its name, then `name`."""

    def wrong(expected: str) -> click.BadParameter:
        return click.BadParameter(f"expected {expected}, found {output!r}", param_hint="-o")

    is_file = output.lower().endswith(ending)
    if len(files) == 1 and not (Path(output).is_dir() or output.endswith(("/", "\\"))):
        if output != STANDARD and not is_file:
            raise wrong(f"a name ending in {ending}, or a folder")
        return {files[0]: output}
    if output == STANDARD or is_file:
        raise wrong(f"a folder for {len(files)} files")
    targets: dict[str, str] = {}
    for file in files:
        stem = Path(file).stem if file != STANDARD else "standard-input"
        target = str(Path(output) / f"{stem}{name}")
        if file in targets or target in targets.values():
            raise click.BadParameter(
                f"two files would be written to {target}; analyse them in separate runs",
                param_hint="FILE",
            )
        targets[file] = target
    return targets


@click.command()
@click.argument("file")
@output(
    "-o --output OUT.mat",
    "Write to this file instead of standard output.",
    **STANDARD_OUTPUT,
)
def convert(file: str, output: str) -> None:
    """Write the transcript of a match.

    A transcript (.mat) holds rolls, plays, cube actions and results. Anything in FILE that it
    cannot express is reported on standard error.

    Example: reconcile convert match.xg -o match.mat
    """
    from reconcile.formats import load_match
    from reconcile.formats.mat.writer import transcript

    if output != STANDARD and not output.lower().endswith(".mat"):
        raise click.BadParameter(
            f"expected a name ending in .mat, found {output!r}", param_hint="-o"
        )
    written = transcript(load_match(file))
    write(output, written.text, inputs())
    for change in written.changes:
        say(f"{file}: {change}")
    if output != STANDARD:
        say(f"wrote {output}")
