"""`reconcile benchmark` and `reconcile benchmark-make`, which the command line of `reconcile` loads
by name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, islice
from typing import TYPE_CHECKING

import click

from reconcile.cli.common import OUTSIDE, WITHIN, Seconds, once_standard, progress, say
from reconcile.cli.outputs import JSON, MARKDOWN, Form, Outputs, writes

if TYPE_CHECKING:
    from engine_benchmark.results import Score


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.bm...")
@click.option(
    "--engine",
    "player",
    required=True,
    metavar="ENGINE",
    help=(
        "gnubg, gnubg-nn or bgsage, each with :PLIES, or a command that reads lines 'b KEY D1 "
        "D2' and writes 'b KEY D1 D2 ANSWER'."
    ),
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Read only the first N checker plays (lines `m`) of each file.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Number of engine processes in parallel.",
)
@click.option(
    "--silence",
    type=Seconds(0.1),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="Longest time to wait for an answer.",
)
@click.option("--table", metavar="ID", help="Judge against the published scores of this table.")
@click.option(
    "--published",
    metavar="FILE",
    help="File of published scores (default: the one bundled with the program).",
)
@writes(Form("html", "Write an HTML report, with the costliest positions."), JSON, MARKDOWN)
@click.pass_context
def benchmark(
    ctx: click.Context,
    files: Sequence[str],
    player: str,
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
    from engine_benchmark.engines import engine
    from engine_benchmark.page import command_of
    from engine_benchmark.published import judged, load_published
    from engine_benchmark.score import score

    once_standard("the files", *files)
    if len(set(files)) < len(files):
        raise click.UsageError("a file is named twice")
    scores = load_published(published)
    if table is not None:
        scores.table(table)
    asked = engine(player, silence=silence, jobs=jobs)
    answers = count(1)
    with progress(quiet=outputs.quiet) as show:

        def answered(number: int) -> None:
            for done in islice(answers, number):
                show(f"{asked.name}: answers", done, done)

        result = judged(score(asked, files, limit=limit, progress=answered), scores, table)
    command = command_of(files, player, limit, table)
    _write(outputs, result, command)
    ctx.exit(OUTSIDE if result.verdict == "outside" else WITHIN)


def _write(outputs: Outputs, result: Score, command: str) -> None:
    from engine_benchmark.page import benchmark_page
    from engine_benchmark.text import benchmark_blocks
    from reconcile.document import dumps
    from reconcile.report.blocks import text
    from reconcile.report.markdown import markdown

    outputs.write(
        {
            "html": lambda: benchmark_page(result, command),
            "json": lambda: dumps(result),
            "markdown": lambda: markdown(benchmark_blocks(result)),
        },
        lambda: text(benchmark_blocks(result)),
    )


@click.command("benchmark-make")
@click.argument("file")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT.bm",
    help="File to write; an existing one is continued.",
)
@click.option(
    "--games",
    type=click.IntRange(36, 1_000_000),
    default=1296,
    show_default=True,
    metavar="N",
    help="Games per rollout.",
)
@click.option(
    "--plies",
    type=click.IntRange(0, 3),
    default=2,
    show_default=True,
    metavar="N",
    help="Plies at which the plays to roll out are chosen.",
)
@click.option(
    "--moves",
    type=click.IntRange(2, 20),
    default=5,
    show_default=True,
    metavar="N",
    help="Plays rolled out for each roll.",
)
@click.option(
    "--positions",
    type=click.IntRange(min=1),
    metavar="N",
    help="Largest number of rolls, spread over the match.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**31 - 1),
    default=1,
    show_default=True,
    metavar="N",
    help="Seed of the rollouts.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Number of gnuBG processes in parallel (default: one per core).",
)
@click.option("--time-limit", type=Seconds(1), metavar="SECONDS", help="Time limit for one roll.")
@click.option("--quiet", is_flag=True, help="Print only errors.")
def benchmark_make(
    file: str,
    output: str,
    games: int,
    plies: int,
    moves: int,
    positions: int | None,
    seed: int,
    jobs: int | None,
    time_limit: float | None,
    quiet: bool,
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
    settings = Settings(games=games, plies=plies, moves=moves, seed=seed, positions=positions)
    with progress(quiet=quiet) as show:
        result = make_benchmark(
            file,
            output,
            settings,
            jobs=jobs,
            time_limit=time_limit,
            progress=lambda done, total: show("rolls", done, total),
        )
    if not quiet:
        earlier = f", {result.earlier} of them from earlier runs" if result.earlier else ""
        say(f"wrote {output}: {result.lines} m lines{earlier}")
