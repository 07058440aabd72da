"""`reconcile corpus-query`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from reconcile.cli.common import ERROR, needs_pyarrow, say
from reconcile.cli.seconds import Seconds

GRACE: Final = 5.0
"""Seconds for ending a statement after its time limit; some functions on a single huge text take minutes to notice."""


@click.command("corpus-query")
@click.argument("folder", metavar="DIR")
@click.argument("sql", metavar="[SQL]", required=False)
@click.option("--timeout", type=Seconds(), default=60, show_default=True, metavar="SECONDS", help="Time limit for the answer.")
@click.option("--format", "form", type=click.Choice(["table", "csv", "json", "markdown"]), default="table", show_default=True)
@click.option("--aliases", metavar="FILE", help="YAML file of players' name variants, for the column `person`.")
@click.option("-o", "--output", default="-", metavar="FILE", help="Write to this file instead of standard output.")
def corpus_query(folder: str, sql: str | None, timeout: float, form: str, aliases: str | None, output: str) -> None:
    """Answer a question in SQL about an archive; without SQL, list what can be asked.

    DIR is a folder or an s3:// address written by `reconcile corpus`. DuckDB answers, with views that have the players' names,
    tool, file and date beside every figure. A query only reads these tables: no other file, no network.

    Example: reconcile corpus-query tables "select person, count(*) from player_matches where once group by person"
    """
    needs_pyarrow()
    from shutil import get_terminal_size

    from reconcile.corpus.publish import fetched
    from reconcile.corpus.query import ask
    from reconcile.files.aliases import load_aliases
    from reconcile.files.output import STANDARD, write
    from reconcile.report.text import query

    groups = load_aliases(aliases)
    with fetched(folder) as corpus:
        if sql is None and form == "table":
            write(output, query.views_text(list(corpus.tables)))
            return
        with _ended_after(timeout + GRACE):
            answer = query.views_answer() if sql is None else ask(corpus, sql, timeout, groups)
    if form == "table":
        text = query.answer_text(answer, get_terminal_size().columns if output == STANDARD and sys.stdout.isatty() else None)
    else:
        text = {"csv": query.answer_csv, "json": query.answer_json, "markdown": query.answer_markdown}[form](answer)
    if not answer.rows:
        say("no rows")
    write(output, text)
    if output != STANDARD:
        say(f"wrote {output}")


@contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """End this process if the block takes longer, whatever it does."""
    import os
    from threading import Timer

    def end() -> None:
        say(f"reconcile: expected an answer within {seconds:g} s, found none; ask for less, or allow more with --timeout")
        os._exit(ERROR)

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
