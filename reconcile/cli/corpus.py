"""`reconcile corpus`, `reconcile corpus-report` and `reconcile corpus-query`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from reconcile.cli.common import Seconds, echo, once_standard, say
from reconcile.files.wording import plural
from reconcile.match.tools import ANALYSERS

if TYPE_CHECKING:
    from reconcile.corpus.run import Progress


EVERY_TOOL: Final = ",".join(tool.rules for tool in ANALYSERS.values())


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    required=True,
    help="Folder or s3:// address for the tables; unfinished work in it is resumed.",
)
@click.option(
    "--work",
    metavar="DIR",
    help="Folder for unfinished work, and for the tables until they are copied to an s3:// "
    "address.",
)
@click.option(
    "--rules",
    metavar="NAME,NAME",
    default=EVERY_TOOL,
    show_default=True,
    help="Rule sets under which every match is scored.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Number of processes (default: one per core).",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Address of a Dask scheduler; its workers do the work instead.",
)
@click.option(
    "--licence", default="", metavar="TEXT", help="Licence, which every file of the tables states."
)
@click.option(
    "--anonymise",
    is_flag=True,
    help="Give players other names, the same for the same player, and leave out events and "
    "names of files.",
)
@click.option("--quiet", is_flag=True, help="Print only errors.")
def corpus(
    paths: Sequence[str],
    output: str,
    work: str | None,
    rules: str,
    licence: str,
    anonymise: bool,
    jobs: int | None,
    scheduler: str | None,
    quiet: bool,
) -> None:
    """Score an archive of matches into Parquet tables.

    A PATH is a file, a folder, a zip or tar file, a pattern or an s3:// address.

    A file that cannot be read is listed in the table of files and does not stop the run. A match
    that one tool analysed twice at one depth counts once. Interrupted runs are resumed: files
    already read are recognised by their content.

    Example: reconcile corpus archive/ more.zip -o tables
    """
    from reconcile.corpus import needs_pyarrow

    needs_pyarrow()
    from reconcile.corpus.publish import publish
    from reconcile.corpus.run import build
    from reconcile.files.storage import check_writable, is_remote

    remote = is_remote(output)
    if remote != (work is not None):
        raise click.UsageError(
            "--work names the folder for unfinished work if --output is an s3:// address, and "
            "only then"
        )
    if remote:
        check_writable(output)
    names = tuple(name.strip() for name in rules.split(",") if name.strip())
    with _progress(paths, quiet=quiet) as progress:
        archive = build(
            paths,
            work or output,
            rules=names,
            licence=licence,
            anonymise=anonymise,
            jobs=jobs,
            scheduler=scheduler,
            progress=progress,
        )
    if remote:
        publish(archive, output)
    if not quiet:
        read = plural(archive.files - archive.without_match - archive.errors, "file")
        more = {
            f"{plural(archive.duplicates, 'duplicate')} flagged": archive.duplicates,
            f"{archive.without_match:,} without a match": archive.without_match,
            f"{archive.errors:,} could not be read (see the table `files`)": archive.errors,
        }
        say(
            ", ".join(
                [
                    f"{output}: {plural(archive.played, 'match', 'matches')} in {read}",
                    *(words for words, number in more.items() if number),
                ]
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

    from reconcile.formats.archives import count

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


@click.command("corpus-report")
@click.argument("folder", metavar="DIR")
@click.option("--aliases", metavar="FILE", help="YAML file of players' name variants.")
@click.option(
    "--html", metavar="FILE", help="Where to write the page (default: `report.html` in DIR)."
)
@click.option(
    "--usual",
    metavar="FILE",
    help="Write how large the gaps between tools are in this archive, by level, as JSON; "
    "`reconcile compare --corpus FILE` reads it.",
)
@click.option("--quiet", is_flag=True, help="Print only errors.")
def corpus_report(
    folder: str, aliases: str | None, html: str | None, usual: str | None, quiet: bool
) -> None:
    """Summarise an archive of matches.

    Players, gaps between tools, disputed decisions, errors by phase, luck, time, rules.

    DIR is a folder written by `reconcile corpus`.

    Example: reconcile corpus-report tables
    """
    once_standard("--html and --usual", html, usual)
    from reconcile.corpus import needs_pyarrow

    needs_pyarrow()
    from pathlib import Path

    from reconcile.corpus.assembly import load_corpus
    from reconcile.corpus.study import study, usual_pairs
    from reconcile.files.aliases import load_aliases
    from reconcile.files.output import STANDARD, write_all
    from reconcile.gap.usual import usual_document
    from reconcile.report.html.corpus import corpus_page
    from reconcile.report.text.corpus import corpus_text

    corpus = load_corpus(folder)
    result = study(corpus, load_aliases(aliases))
    outputs = [(html or str(Path(folder) / "report.html"), corpus_page(result))]
    if usual is not None:
        outputs.append((usual, usual_document(usual_pairs(corpus))))
    write_all(outputs)
    if not quiet:
        if STANDARD not in (html, usual):
            echo(corpus_text(result), nl=False)
        for path, _ in outputs:
            if path != STANDARD:
                say(f"wrote {path}")


@click.command("corpus-query")
@click.argument("folder", metavar="DIR")
@click.argument("sql", metavar="[SQL]", required=False)
@click.option(
    "--timeout",
    type=Seconds(),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for the answer.",
)
@click.option(
    "--memory",
    type=click.FloatRange(0.5, 1024),
    default=1,
    show_default=True,
    metavar="GB",
    help="Memory that the answer may use.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=1,
    metavar="N",
    help="Number of threads. With 1 (the default) sums have the same digits every time.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json", "markdown"]),
    default="table",
    show_default=True,
)
@click.option(
    "--aliases",
    metavar="FILE",
    help="YAML file of players' name variants, for the column `person`.",
)
@click.option(
    "-o",
    "--output",
    default="-",
    metavar="FILE",
    help="Write to this file instead of standard output.",
)
@click.option(
    "--html",
    metavar="FILE",
    help="Write a page with a picture of the columns that --draw names, and the table.",
)
@click.option(
    "--draw",
    multiple=True,
    metavar="COLUMN",
    help="A column of numbers for the picture; repeatable, up to three times.",
)
def corpus_query(
    folder: str,
    sql: str | None,
    timeout: float,
    memory: float,
    threads: int,
    form: str,
    aliases: str | None,
    output: str,
    html: str | None,
    draw: tuple[str, ...],
) -> None:
    """Answer a question in SQL about an archive.

    Without SQL, list what can be asked.

    DIR is a folder or an s3:// address written by `reconcile corpus`. DuckDB answers, with views
    that have the players' names, tool, file and date beside every figure. A query only reads these
    tables: no other file, no network.

    Example: reconcile corpus-query tables "select person, tool from player_matches where once"
    """
    from reconcile.corpus import needs_pyarrow

    needs_pyarrow()
    from shutil import get_terminal_size

    from reconcile.corpus.publish import fetched
    from reconcile.corpus.query import ask_apart
    from reconcile.corpus.views import VIEWS
    from reconcile.files.aliases import load_aliases
    from reconcile.files.output import STANDARD, write, write_all
    from reconcile.report.forms import in_form
    from reconcile.report.text import query

    if bool(draw) != bool(html) or (html and sql is None):
        raise click.UsageError(
            "expected --html with SQL and at least one --draw; a page needs a question and what "
            "to draw of its answer"
        )
    groups = load_aliases(aliases)
    with fetched(folder) as corpus:
        if sql is None and form == "table":
            write(output, query.views_text([name for name in corpus.tables if name not in VIEWS]))
            return
        answer = (
            query.views_answer()
            if sql is None
            else ask_apart(corpus, sql, timeout, groups, threads=threads, memory=memory)
        )
    outputs = []
    if html != STANDARD or output != STANDARD:
        columns = (
            get_terminal_size().columns if output == STANDARD and sys.stdout.isatty() else None
        )
        outputs.append(
            (
                output,
                in_form(answer, "text", width=columns)
                if form == "table"
                else in_form(answer, form),
            )
        )
    if html:
        outputs.append((html, in_form(answer, "html", sql or "", draw)))
    if not answer.rows:
        say("no rows")
    write_all(outputs)
    for path, _ in outputs:
        if path != STANDARD:
            say(f"wrote {path}")
