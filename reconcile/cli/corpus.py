"""`reconcile corpus`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from reconcile.cli.common import needs_pyarrow, say
from reconcile.files.wording import plural
from reconcile.tools import ANALYSERS

if TYPE_CHECKING:
    from reconcile.corpus.run import Progress

EVERY_TOOL: Final = ",".join(tool.rules for tool in ANALYSERS.values())


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "-o", "--output", metavar="DIR", required=True, help="Folder or s3:// address for the tables; unfinished work in it is resumed."
)
@click.option("--work", metavar="DIR", help="Folder for unfinished work, and for the tables until they are copied to an s3:// address.")
@click.option("--rules", metavar="NAME,NAME", default=EVERY_TOOL, show_default=True, help="Rule sets under which every match is scored.")
@click.option(
    "--partition-by", metavar="KEY,KEY", default="", help="Write large tables in folders by `tool`, `year` or both, for other engines."
)
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Number of processes (default: one per core).")
@click.option("--scheduler", metavar="ADDRESS", help="Address of a Dask scheduler; its workers do the work instead.")
@click.option("--quiet", is_flag=True, help="Print only errors.")
def corpus(
    paths: Sequence[str],
    output: str,
    work: str | None,
    rules: str,
    partition_by: str,
    jobs: int | None,
    scheduler: str | None,
    quiet: bool,
) -> None:
    """Score an archive of matches into Parquet tables: files, folders, zip and tar files, patterns, s3:// addresses.

    A file that cannot be read is listed in the table of files and does not stop the run. A match that one tool analysed twice
    counts once. Interrupted runs are resumed: files already read are recognised by their content.

    Example: reconcile corpus archive/ more.zip -o tables
    """
    needs_pyarrow()
    from reconcile.corpus.publish import publish
    from reconcile.corpus.run import build
    from reconcile.files.storage import check_writable, is_remote

    remote = is_remote(output)
    if remote != (work is not None):
        raise click.UsageError("--work names the folder for unfinished work if --output is an s3:// address, and only then")
    if remote:
        check_writable(output)
    names, keys = (tuple(name.strip() for name in listed.split(",") if name.strip()) for listed in (rules, partition_by))
    with _progress(paths, quiet=quiet) as progress:
        made = build(paths, work or output, rules=names, jobs=jobs, scheduler=scheduler, progress=progress, partition_by=keys)
    if remote:
        publish(made, output)
    if not quiet:
        read = plural(made.files - made.without_match - made.errors, "file")
        more = {
            f"{plural(made.duplicates, 'duplicate')} left out": made.duplicates,
            f"{made.without_match:,} without a match": made.without_match,
            f"{made.errors:,} could not be read (see files.parquet)": made.errors,
        }
        say(
            ", ".join(
                [f"{output}: {plural(made.played, 'match', 'matches')} in {read}", *(words for words, number in more.items() if number)]
            )
        )


@contextmanager
def _progress(paths: Sequence[str], *, quiet: bool) -> Iterator[Progress]:
    """Files done, rate and time left, if standard error is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, batch: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from reconcile.adapters.archives import count

    total = count(paths)
    of = "" if total is None else f" of {total:,}"
    with Bar(
        BarColumn(),
        TextColumn("{task.completed:,}" + of + " files"),
        TextColumn("{task.fields[rate]:,.0f} a second"),
        TimeElapsedColumn() if total is None else TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("", total=total, rate=0.0)
        yield lambda done, batch: bar.update(task, completed=done, rate=bar.tasks[0].speed or 0.0)
