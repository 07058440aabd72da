"""`reconcile investigate`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from reconcile.cli.common import OUTSIDE, WITHIN, once_standard, say
from reconcile.cli.streams import echo


@click.command()
@click.argument("file")
@click.option("--player", required=True, metavar="NAME", help="The player whose figures they are; the start of the name is enough.")
@click.option(
    "--reported",
    multiple=True,
    metavar="METRIC=FIGURE",
    help="A figure as the tool prints it, for example pr=9.23 or decisions=121; give several to narrow the answer down.",
)
@click.option("--paste", metavar="FILE", help="File with text copied from gnuBG's or XG's statistics, instead of single figures.")
@click.option("--game", type=int, metavar="N", help="The figures are for this game only.")
@click.option("--met", metavar="NAME|FILE", help="Match equity table.")
@click.option("--html", metavar="FILE", help="Write an HTML report.")
@click.option("--json", "json_", metavar="FILE", help="Write the result as JSON.")
@click.option("--quiet", is_flag=True, help="Print only errors.")
@click.pass_context
def investigate(
    ctx: click.Context,
    file: str,
    player: str,
    reported: Sequence[str],
    paste: str | None,
    game: int | None,
    met: str | None,
    html: str | None,
    json_: str | None,
    quiet: bool,
) -> None:
    """Find the rules that give a figure you saw.

    Exits with 0 if some rules give all the figures, with 1 if none do.

    Example: reconcile investigate match.xg --player Nora --reported pr=9.23
    """
    from reconcile.adapters import load_match, read_bytes
    from reconcile.diagnosis.investigation import investigate as investigate_match
    from reconcile.diagnosis.reported import read_reported, reported_by
    from reconcile.files.output import STANDARD, write_all
    from reconcile.report.text.investigation import investigation_text, paste_notes

    once_standard("FILE and --paste", file, paste)
    once_standard("--json and --html", json_, html)
    if not reported and paste is None:
        raise click.UsageError("give a figure with --reported METRIC=FIGURE, or a text with --paste FILE")
    figures = {}
    for text in reported:
        name, equals, figure = text.partition("=")
        if not equals or not name.strip() or name.strip() in figures:
            raise click.BadParameter(f"expected METRIC=FIGURE, each metric once, found {text!r}", param_hint="--reported")
        figures[name.strip()] = figure
    match = load_match(file)
    wanted = read_reported(figures) if figures else ()
    notes: tuple[str, ...] = ()
    if paste is not None:
        from reconcile.adapters.printed import read_pasted

        pasted = read_pasted(paste, read_bytes(paste), game)
        wanted = *wanted, *reported_by(pasted, match, player)
        notes = paste_notes(pasted, match.players)
    result = investigate_match(match, player, wanted, met=met, game=game)
    outputs = []
    if html is not None:
        from reconcile.report.html.investigation_page import command_of, investigation_page

        outputs.append((html, investigation_page(result, notes=notes, command=command_of(result, paste, reported))))
    if json_ is not None:
        from reconcile.results.documents import dumps
        from reconcile.results.investigation import investigation_document

        outputs.append((json_, dumps(investigation_document(result))))
    write_all(outputs)
    if not quiet:
        echo(investigation_text(result, notes=notes), nl=False, err=STANDARD in (json_, html))
        for path, _ in outputs:
            if path != STANDARD:
                say(f"wrote {path}")
    ctx.exit(WITHIN if result.explanations else OUTSIDE)
