"""`reconcile investigate`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from reconcile.cli.common import OUTSIDE, WITHIN, once_standard
from reconcile.cli.outputs import HTML, JSON, MARKDOWN, Outputs, writes


@click.command()
@click.argument("file")
@click.option(
    "--player",
    required=True,
    metavar="NAME",
    help="The player whose figures they are; the start of the name is enough, NAME#1 or NAME#2 where both have one.",
)
@click.option(
    "--reported",
    multiple=True,
    metavar="METRIC=FIGURE",
    help="A figure as the tool prints it, for example pr=9.23 or decisions=121; give several to narrow the answer down.",
)
@click.option("--paste", metavar="FILE", help="Text of gnuBG's statistics (text or HTML) or of XG's summary, instead of single figures.")
@click.option("--game", type=int, metavar="N", help="The figures are for this game only.")
@click.option("--met", metavar="NAME|FILE", help="Match equity table.")
@writes(HTML, JSON, MARKDOWN)
@click.pass_context
def investigate(
    ctx: click.Context,
    file: str,
    player: str,
    reported: Sequence[str],
    paste: str | None,
    game: int | None,
    met: str | None,
    outputs: Outputs,
) -> None:
    """Find the rules that give a figure you saw.

    Ordinary mistakes are looked for first: the other player, one game, a factor, another program, match equity table or level.

    Exits with 0 if some rules give all the figures, with 1 if none do.

    Example: reconcile investigate match.xg --player Nora --reported pr=9.23
    """
    from reconcile.adapters import load_match, read_bytes
    from reconcile.diagnosis.investigation import investigate as investigate_match
    from reconcile.diagnosis.reported import read_reported, reported_by
    from reconcile.report.ci.markdown.investigation import investigation_markdown
    from reconcile.report.html.investigation_page import command_of, investigation_page
    from reconcile.report.text.investigation import investigation_text, paste_notes
    from reconcile.results.documents import dumps
    from reconcile.results.investigation import investigation_document

    once_standard("FILE and --paste", file, paste)
    if not reported and paste is None:
        raise click.UsageError("give a figure with --reported METRIC=FIGURE, or a text with --paste FILE")
    figures = {}
    for text in reported:
        name, equals, figure = text.partition("=")
        if not equals or not name.strip() or name.strip() in figures:
            raise click.BadParameter(f"expected METRIC=FIGURE such as pr=9.23, each metric once, found {text!r}", param_hint="--reported")
        figures[name.strip()] = figure
    match = load_match(file)
    wanted = read_reported(figures) if figures else ()
    notes: tuple[str, ...] = ()
    program = None
    if paste is not None:
        from reconcile.adapters.printed import read_pasted

        pasted = read_pasted(paste, read_bytes(paste), game)
        wanted = *wanted, *reported_by(pasted, match, player)
        notes, program = paste_notes(pasted, match.players), pasted.program
    result = investigate_match(match, player, wanted, met=met, game=game, program=program)
    outputs.write(
        {
            "html": lambda: investigation_page(result, notes=notes, command=command_of(result, paste, reported)),
            "json": lambda: dumps(investigation_document(result)),
            "markdown": lambda: investigation_markdown(result, command_of(result, paste, reported)),
        },
        lambda: investigation_text(result, notes=notes),
    )
    ctx.exit(WITHIN if result.explanations else OUTSIDE)
