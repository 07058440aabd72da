"""`reconcile corpus-report`."""

from __future__ import annotations

import click

from reconcile.cli.common import needs_pyarrow, once_standard, say
from reconcile.cli.streams import echo


@click.command("corpus-report")
@click.argument("folder", metavar="DIR")
@click.option("--aliases", metavar="FILE", help="YAML file of players' name variants.")
@click.option("--html", metavar="FILE", help="Where to write the page (default: `report.html` in DIR).")
@click.option(
    "--usual",
    metavar="FILE",
    help="Write how large the gaps between tools are in this archive, by level, as JSON; `reconcile compare --corpus FILE` reads it.",
)
@click.option("--quiet", is_flag=True, help="Print only errors.")
def corpus_report(folder: str, aliases: str | None, html: str | None, usual: str | None, quiet: bool) -> None:
    """Summarise an archive: players, gaps between tools, disputed decisions, errors by phase, luck, time, rules.

    DIR is a folder written by `reconcile corpus`.

    Example: reconcile corpus-report tables
    """
    once_standard("--html and --usual", html, usual)
    needs_pyarrow()
    from pathlib import Path

    from reconcile.corpus.assembly import load_corpus
    from reconcile.corpus.study import study
    from reconcile.corpus.study.gaps import usual_pairs
    from reconcile.files.aliases import load_aliases
    from reconcile.files.output import STANDARD, write_all
    from reconcile.gap.usual_table import usual_document
    from reconcile.report.html.corpus import corpus_page
    from reconcile.report.text.corpus import corpus_text

    corpus = load_corpus(folder)
    found = study(corpus, load_aliases(aliases))
    outputs = [(html or str(Path(folder) / "report.html"), corpus_page(found))]
    if usual is not None:
        outputs.append((usual, usual_document(usual_pairs(corpus))))
    write_all(outputs)
    if not quiet:
        if STANDARD not in (html, usual):
            echo(corpus_text(found), nl=False)
        for path, _ in outputs:
            if path != STANDARD:
                say(f"wrote {path}")
