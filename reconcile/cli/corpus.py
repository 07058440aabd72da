"""`reconcile corpus`, `reconcile corpus-report` and `reconcile corpus-query`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reconcile.cli.common import (
    QUIET,
    STANDARD_OUTPUT,
    Seconds,
    aliases,
    inputs,
    jobs,
    once_standard,
    option,
    output,
    progress,
    refuse,
    say,
)
from reconcile.files.output import STANDARD, Output, write, write_all
from reconcile.match.tools import ANALYSERS
from reconcile.wording import nearest, plural

if TYPE_CHECKING:
    from reconcile.corpus.query import Answer
    from reconcile.corpus.run import Corpus

NO_WORK = (
    "--work names the folder for unfinished work if --output is an s3:// address, and only then"
)
NOTHING_DRAWN = (
    "expected --html with SQL and at least one --draw, or with the name of a question alone; a "
    "page needs a question and what to draw of its answer"
)
NOBODY = (
    "expected --player with this question, found none; name whom it is about: any part of the name "
    "that no other player has"
)
INTERRUPTED = (
    "interrupted; what was scored is kept, but for the last batches, and the tables are those of "
    "before: run the same command again to go on"
)
EVERY_TOOL = ",".join(tool.rules for tool in ANALYSERS.values())


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@output(
    "-o --output DIR",
    "Folder or s3:// address for the tables; unfinished work in it is resumed.",
    required=True,
)
@output(
    "--work DIR",
    "Folder for unfinished work, and for the tables until they are copied to an s3:// address.",
)
@option(
    "--rules NAME,NAME",
    "Rule sets under which every match is scored.",
    default=EVERY_TOOL,
)
@jobs("Number of processes (default: one per core).")
@option("--scheduler ADDRESS", "Address of a Dask scheduler; its workers do the work instead.")
@option(
    "--licence TEXT",
    "Licence, which every file of the tables states.",
    default="",
    show_default=False,
)
@option(
    "--anonymise",
    "Give players other names, the same for the same player, and leave out events and names of "
    "files.",
)
@QUIET
def corpus(
    paths: Sequence[str], output: str, work: str | None, rules: str, quiet: bool, **asked: Any
) -> None:
    """Score an archive of matches into Parquet tables.

    A PATH is a file, a folder, a zip or tar file, a pattern or an s3:// address.

    A file that cannot be read is listed in the table of files and does not stop the run. A match
    that one tool analysed twice at one depth counts once. Interrupted runs are resumed: files
    already scored are recognised by their content.

    Example: reconcile corpus archive/ more.zip -o tables
    """
    from reconcile.corpus import needs_pyarrow

    needs_pyarrow()
    from reconcile.corpus.archive import publish
    from reconcile.corpus.run import build
    from reconcile.corpus.tables import Settings
    from reconcile.files.storage import check_writable, is_remote
    from reconcile.formats.archives import count

    remote = is_remote(output)
    refuse((remote != (work is not None), NO_WORK))
    if remote:
        check_writable(output)
    names = tuple(name.strip() for name in rules.split(",") if name.strip())
    settings = Settings(names, asked.pop("licence"), asked.pop("anonymise"))
    with progress(quiet=quiet) as show:
        total = count(paths) if sys.stderr.isatty() else None
        asked["progress"] = lambda done, batch: show("files", done, total)
        try:
            archive = build(paths, work or output, settings, **asked)
        except (KeyboardInterrupt, SystemExit):
            say(f"{work or output}: {INTERRUPTED}")
            raise
    if remote:
        publish(archive, output)
    if not quiet:
        say(f"{output}: {_counts(archive)}")


def _counts(archive: Corpus) -> str:
    """How many matches an archive has, in how many files, and what of them it has not."""
    read = plural(archive.files - archive.without_match - archive.errors, "file")
    more = {
        f"{plural(archive.duplicates, 'duplicate')} flagged": archive.duplicates,
        f"{archive.without_match:,} without a match": archive.without_match,
        f"{archive.errors:,} could not be read (see the table `files`)": archive.errors,
    }
    matches = f"{plural(archive.played, 'match', 'matches')} in {read}"
    return ", ".join([matches, *(words for words, number in more.items() if number)])


@click.command("corpus-report")
@click.argument("folder", metavar="DIR")
@aliases()
@output("--html FILE", "Where to write the page (default: `report.html` in DIR).")
@output(
    "--usual FILE",
    "Write how large the gaps between tools are in this archive, by level, as JSON; `reconcile "
    "compare --corpus FILE` reads it.",
)
@QUIET
def corpus_report(
    folder: str, aliases: str | None, html: str | None, usual: str | None, quiet: bool
) -> None:
    """Summarise an archive of matches.

    The answers to the questions that matter most: tools, disputes, players, phases, luck, time,
    rules. `reconcile corpus-query` asks each of them, and more, by its name.

    DIR is a folder written by `reconcile corpus`.

    Example: reconcile corpus-report tables
    """
    once_standard("--html and --usual", html, usual)
    from reconcile.corpus import needs_pyarrow

    needs_pyarrow()
    from reconcile.corpus.query import study, usual_pairs
    from reconcile.corpus.run import CARD, load_corpus
    from reconcile.gap.comparison import usual_document
    from reconcile.match.names import load_aliases
    from reconcile.report.forms import in_form

    archive = load_corpus(folder)
    result = study(archive, load_aliases(aliases))
    outputs: list[Output] = [(html or str(Path(folder) / "report.html"), in_form(result, "html"))]
    if usual is not None:
        outputs.append((usual, usual_document(usual_pairs(archive))))
    write_all(outputs, inputs=inputs(f"{folder}/{CARD}"))
    if not quiet:
        if STANDARD not in (html, usual):
            in_form(result, "terminal")
        _say_written(outputs)


def _say_written(outputs: Sequence[Output]) -> None:
    for path, _ in outputs:
        if path != STANDARD:
            say(f"wrote {path}")


@click.command("corpus-query")
@click.argument("folder", metavar="DIR")
@click.argument("question", metavar="[QUESTION]", required=False)
@option(
    "--also DIR",
    "Another archive, asked together with it: a match that both have counts once; repeatable.",
    multiple=True,
)
@option("--timeout SECONDS", "Time limit for the answer.", type=Seconds(), default=60)
@option(
    "--memory GB", "Memory that the answer may use.", type=click.FloatRange(0.5, 1024), default=1
)
@option(
    "--threads N",
    "Number of threads. With 1 (the default) sums have the same digits every time.",
    type=click.IntRange(1, 256),
    default=1,
    show_default=False,
)
@option(
    "--player NAME",
    "Whom the question is about: any part of the name that no other player has.",
)
@option("--format", "", type=click.Choice(["table", "csv", "json", "markdown"]), default="table")
@aliases(", for the column `person`")
@output("-o --output FILE", "Write to this file instead of standard output.", **STANDARD_OUTPUT)
@output(
    "--html FILE",
    "Write a page with a picture of the columns that --draw names, and the table.",
)
@option(
    "--draw COLUMN",
    "A column of numbers for the picture; repeatable, up to three times.",
    multiple=True,
)
def corpus_query(
    folder: str,
    question: str | None,
    output: str,
    html: str | None,
    draw: tuple[str, ...],
    **asked: Any,
) -> None:
    """Answer a question about an archive, in SQL or by its name.

    Without one, list what can be asked.

    DIR is a folder or an s3:// address written by `reconcile corpus`. DuckDB answers, with views
    that have the players' names, tool, file and date beside every figure. A query only reads these
    tables: no other file, no network.

    Example: reconcile corpus-query tables players --html players.html
    """
    from reconcile.corpus import needs_pyarrow

    needs_pyarrow()
    from reconcile.corpus.archive import fetched
    from reconcile.corpus.query import QUESTIONS, ask_apart
    from reconcile.corpus.tables import VIEWS
    from reconcile.match.names import load_aliases
    from reconcile.report.text import query

    name = question if question in QUESTIONS else ""
    sql = QUESTIONS[name].sql if name else question
    unknown = ""
    if question and not name and re.fullmatch(r"[\w-]+", question):
        hint = nearest(question, QUESTIONS, "without one, corpus-query lists them")
        unknown = f"expected SELECT or the name of a question, found {question[:60]!r}; {hint}"
    refuse(
        (unknown, unknown),
        (asked["player"] is None and "= getvariable('player')" in (sql or ""), NOBODY),
        (bool(draw) != bool(html and not name) or (html and sql is None), NOTHING_DRAWN),
    )
    names, form = load_aliases(asked["aliases"]), asked["format"]
    with ExitStack() as stack:
        archive, *also = [stack.enter_context(fetched(each)) for each in (folder, *asked["also"])]
        if sql is None and form == "table":
            text = query.views_text([name for name in archive.tables if name not in VIEWS])
            write(output, text, inputs())
            return
        settings = {name: asked[name] for name in ("threads", "memory", "player")}
        settings["also"] = also
        answer = (
            query.views_answer()
            if sql is None
            else ask_apart(archive, sql, asked["timeout"], names, **settings)
        )
    if not answer.rows:
        say("no rows")
    page = {"sql": sql or "", "drawn": draw, "name": name}
    _write(list(_forms(answer, form, output, html, page)), folder)


def _write(outputs: Sequence[Output], folder: str) -> None:
    """Write the outputs of a query."""
    from reconcile.corpus.run import CARD

    write_all(outputs, inputs=inputs(f"{folder}/{CARD}"))
    _say_written(outputs)


def _forms(
    answer: Answer, form: str, output: str, html: str | None, page: Mapping[str, Any]
) -> Iterator[Output]:
    """The answer as a text and as a page, where they are asked for."""
    from reconcile.report.forms import in_form

    if html != STANDARD or output != STANDARD:
        options = {"name": page["name"]} if form in ("table", "markdown") else {}
        if form == "table" and output == STANDARD and sys.stdout.isatty():
            in_form(answer, "terminal", **options)
        else:
            yield output, in_form(answer, form.replace("table", "text"), **options)
    if html:
        yield html, in_form(answer, "html", **page)
