"""`reconcile benchmark-make`."""

from __future__ import annotations

import click

from reconcile.cli.common import progress, say
from reconcile.cli.seconds import Seconds


@click.command("benchmark-make")
@click.argument("file")
@click.option("-o", "--output", required=True, metavar="OUT.bm", help="File to write; an existing one is continued.")
@click.option("--games", type=click.IntRange(36, 1_000_000), default=1296, show_default=True, metavar="N", help="Games per rollout.")
@click.option(
    "--plies", type=click.IntRange(0, 3), default=2, show_default=True, metavar="N", help="Plies at which the plays to roll out are chosen."
)
@click.option("--moves", type=click.IntRange(2, 20), default=5, show_default=True, metavar="N", help="Plays rolled out for each roll.")
@click.option("--positions", type=click.IntRange(min=1), metavar="N", help="At most this many rolls, spread over the match.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True, metavar="N", help="Seed of the rollouts.")
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Number of gnuBG processes in parallel (default: one per core).")
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
    from reconcile.benchmark.make import Settings, make_benchmark
    from reconcile.files.output import STANDARD

    if output == STANDARD:
        raise click.BadParameter("expected the name of a file, which can be continued", param_hint="-o")
    settings = Settings(games=games, plies=plies, moves=moves, seed=seed, positions=positions)
    with progress(quiet=quiet) as show:
        made = make_benchmark(
            file,
            output,
            settings,
            jobs=jobs,
            time_limit=time_limit,
            progress=lambda done, total: show("rolls", done, total),
        )
    if not quiet:
        kept = f", {made.kept} of them from earlier runs" if made.kept else ""
        say(f"wrote {output}: {made.lines} m lines{kept}")
