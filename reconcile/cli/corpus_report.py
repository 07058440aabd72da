"""`reconcile corpus-report`."""

from __future__ import annotations

import click

from reconcile.cli.common import needs_pyarrow, say
from reconcile.cli.streams import echo


@click.command("corpus-report")
@click.argument("folder", metavar="DIR")
@click.option("--aliases", metavar="FILE", help="YAML file of players' name variants.")
@click.option("--html", metavar="FILE", help="Where to write the page (default: `report.html` in DIR).")
@click.option("--quiet", is_flag=True, help="Print only errors.")
def corpus_report(folder: str, aliases: str | None, html: str | None, quiet: bool) -> None:
    """Summarise an archive: players, gaps between XG and gnuBG, effect of each rule.

    DIR is a folder written by `reconcile corpus`.

    Example: reconcile corpus-report tables
    """
    needs_pyarrow()
    from pathlib import Path

    from reconcile.corpus.assembly import load_corpus
    from reconcile.corpus.study import study
    from reconcile.files.aliases import load_aliases
    from reconcile.files.output import write
    from reconcile.report.html.corpus import corpus_page
    from reconcile.report.text.corpus import corpus_text

    found = study(load_corpus(folder), load_aliases(aliases))
    path = html or str(Path(folder) / "report.html")
    write(path, corpus_page(found))
    if not quiet:
        echo(corpus_text(found), nl=False)
        say(f"wrote {path}")
