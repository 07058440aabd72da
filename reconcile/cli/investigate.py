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
    metavar="NAME",
    help="The player whose figures they are; the start of the name is enough. Both, where a pasted text names them and this is left out.",
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
    player: str | None,
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
    from reconcile.results.documents import dumps, in_list
    from reconcile.results.investigation import investigation_document

    once_standard("FILE and --paste", file, paste)
    if not reported and paste is None:
        raise click.UsageError("give a figure with --reported METRIC=FIGURE, or a text with --paste FILE")
    if player is None and (reported or paste is None):
        raise click.UsageError("--reported has figures of one player: name the player with --player NAME")
    if player is None and outputs.path("html") is not None:
        raise click.UsageError("--html makes the page of one player: name the player with --player NAME")
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
    given = {player: wanted} if player is not None else {}
    if paste is not None:
        from reconcile.adapters.printed import read_pasted

        pasted = read_pasted(paste, read_bytes(paste), game)
        if player is None and len(pasted.players) != len(match.players):
            raise click.UsageError(
                f"{paste} does not name both players: say whose figures they are with --player {match.players[0]!r} or {match.players[1]!r}"
            )
        given = {name: (*wanted, *reported_by(pasted, match, name)) for name in ([player] if player is not None else match.players)}
        notes, program = paste_notes(pasted, match.players), pasted.program
    results = [investigate_match(match, name, figures, met=met, game=game, program=program) for name, figures in given.items()]
    documents = [dumps(investigation_document(one)) for one in results]
    outputs.write(
        {
            "html": lambda: investigation_page(results[0], notes=notes, command=command_of(results[0], paste, reported)),
            "json": lambda: documents[0] if len(documents) == 1 else in_list(documents),
            "markdown": lambda: "\n".join(investigation_markdown(one, command_of(one, paste, reported)) for one in results),
        },
        lambda: "\n".join(investigation_text(one, notes=notes) for one in results),
    )
    ctx.exit(WITHIN if all(one.explanations for one in results) else OUTSIDE)
