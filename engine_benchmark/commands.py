"""`reconcile benchmark` and `reconcile benchmark-make`, which the command line of `reconcile` loads
by name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, islice
from typing import TYPE_CHECKING, Any

import click

from reconcile.cli.common import (
    OUTSIDE,
    QUIET,
    WITHIN,
    Seconds,
    jobs,
    once_standard,
    option,
    output,
    progress,
    say,
)
from reconcile.cli.outputs import JSON, MARKDOWN, Outputs, writes

if TYPE_CHECKING:
    from engine_benchmark.results import Score


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.bm...")
@option(
    "--engine ENGINE",
    "gnubg, gnubg-nn or sage, each with :PLIES, or a command that reads lines 'b KEY D1 D2' and "
    "writes 'b KEY D1 D2 ANSWER'.",
    required=True,
)
@option(
    "--limit N",
    "Read only the first N checker plays (lines `m`) of each file.",
    type=click.IntRange(min=1),
)
@jobs("Number of engine processes in parallel.")
@option("--silence SECONDS", "Longest time to wait for an answer.", type=Seconds(0.1), default=600)
@option("--table ID", "Judge against the published scores of this table.")
@option(
    "--published FILE",
    "File of published scores (default: the one bundled with the program).",
)
@writes(("--html FILE", "Write an HTML report, with the costliest positions."), JSON, MARKDOWN)
@click.pass_context
def benchmark(
    ctx: click.Context,
    files: Sequence[str],
    engine: str,
    limit: int | None,
    jobs: int | None,
    silence: float,
    table: str | None,
    published: str | None,
    outputs: Outputs,
) -> None:
    """Score an engine on gnuBG's benchmark databases.

    Exits with 1 when --table is given and the score of a whole database is out of tolerance, and
    when fewer than nine in ten lines are answered with a legal play.

    Example: reconcile benchmark contact.bm --engine gnubg:0 --html score.html
    """
    from engine_benchmark.engines import engine as engine_by_name
    from engine_benchmark.published import judged, load_published
    from engine_benchmark.report import command_of
    from engine_benchmark.score import score

    once_standard("the files", *files)
    if len(set(files)) < len(files):
        raise click.UsageError("a file is named twice")
    scores = load_published(published)
    if table is not None:
        scores.table(table)
    asked = engine_by_name(engine, silence=silence, jobs=jobs)
    answers = count(1)
    with progress(quiet=outputs.quiet) as show:

        def answered(number: int) -> None:
            for done in islice(answers, number):
                show(f"{asked.name}: answers", done, done)

        result = judged(score(asked, files, limit=limit, progress=answered), scores, table)
    _write(outputs, result, command_of(files, engine, limit, table))
    ctx.exit(OUTSIDE if result.verdict == "outside" else WITHIN)


def _write(outputs: Outputs, result: Score, command: str) -> None:
    from engine_benchmark.report import benchmark_blocks, benchmark_page
    from reconcile.document import dumps
    from reconcile.report.blocks import markdown, text

    outputs.write(
        {
            "html": lambda: benchmark_page(result, command),
            "json": lambda: dumps(result),
            "markdown": lambda: markdown(benchmark_blocks(result)),
            "text": lambda: text(benchmark_blocks(result)),
        }
    )


@click.command("benchmark-make")
@click.argument("file")
@output("-o --output OUT.bm", "File to write; an existing one is continued.", required=True)
@option("--games N", "Games per rollout.", type=click.IntRange(36, 1_000_000), default=1296)
@option(
    "--plies N",
    "Plies at which the plays to roll out are chosen.",
    type=click.IntRange(0, 3),
    default=2,
)
@option("--moves N", "Plays rolled out for each roll.", type=click.IntRange(2, 20), default=5)
@option(
    "--positions N",
    "Largest number of rolls, spread over the match.",
    type=click.IntRange(min=1),
)
@option("--seed N", "Seed of the rollouts.", type=click.IntRange(0, 2**31 - 1), default=1)
@jobs("Number of gnuBG processes in parallel (default: one per core).")
@option("--time-limit SECONDS", "Time limit for one roll.", type=Seconds(1))
@QUIET
def benchmark_make(
    file: str,
    output: str,
    jobs: int | None,
    time_limit: float | None,
    quiet: bool,
    **settings: Any,
) -> None:
    """Make a benchmark file from a match with gnuBG rollouts.

    An interrupted run is continued by the same command: rolls already done are kept.

    Example: reconcile benchmark-make match.xg -o match.bm
    """
    from engine_benchmark.make import Settings, make_benchmark
    from reconcile.files.output import STANDARD

    if output == STANDARD:
        raise click.BadParameter(
            "expected the name of a file, which can be continued", param_hint="-o"
        )
    with progress(quiet=quiet) as show:
        lines, before = make_benchmark(
            file,
            output,
            Settings(**settings),
            jobs=jobs,
            time_limit=time_limit,
            progress=lambda done, total: show("rolls", done, total),
        )
    if not quiet:
        earlier = f", {before} of them from earlier runs" if before else ""
        say(f"wrote {output}: {lines} m lines{earlier}")
