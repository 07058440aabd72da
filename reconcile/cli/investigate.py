"""`reconcile investigate`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from reconcile.cli.common import OUTSIDE, WITHIN, once_standard
from reconcile.cli.outputs import HTML, JSON, MARKDOWN, Outputs, writes


class _Figures(click.Command):
    """Leads to `--reported` where a figure is given as an option of its own, as `--pr 3`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.possibilities:
                raise
            raise click.UsageError(
                f"No such option '{error.option_name}'; give a figure as --reported pr=9.23", ctx
            ) from None


@click.command(cls=_Figures)
@click.argument("file")
@click.option(
    "--player",
    metavar="NAME",
    help="The player whose figures they are: any part of the name that only one player has. Both, where a pasted text names them and this is left out.",
)
@click.option(
    "--reported",
    multiple=True,
    metavar="METRIC=FIGURE",
    help="A figure as the tool prints it, for example pr=9.23 or decisions=121; give several to narrow the answer down.",
)
@click.option(
    "--paste",
    metavar="FILE",
    help="Text of gnuBG's statistics (text or HTML) or of XG's summary, instead of single figures.",
)
@click.option("--game", type=int, metavar="N", help="The figures are for this game only.")
@click.option(
    "--rules",
    metavar="NAME|FILE",
    help="Say first whether these rules give the figures: a rule set, or a .yaml file of one.",
)
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
    rules: str | None,
    met: str | None,
    outputs: Outputs,
) -> None:
    """Find the rules that give a figure you saw.

    Ordinary mistakes are looked for first, such as the other player, one game or a factor; another program, match equity table or level where nothing else gives the figures.

    Exits with 0 if some rules give all the figures, with 1 if none do, even where a mistake accounts for them.

    Example: reconcile investigate match.xg --player Nora --reported pr=9.23
    """
    from reconcile.document import dumps, in_list
    from reconcile.formats import load_match, read_bytes
    from reconcile.infer.investigation import investigate as investigate_match
    from reconcile.infer.reported import read_reported, reported_by
    from reconcile.report.blocks import text
    from reconcile.report.html.investigation_page import command_of, investigation_page
    from reconcile.report.markdown import markdown
    from reconcile.report.text.investigation import investigation_blocks, paste_notes

    once_standard("FILE and --paste", file, paste)
    if not reported and paste is None:
        raise click.UsageError(
            "give a figure with --reported METRIC=FIGURE, or a text with --paste FILE"
        )
    if player is None and (reported or paste is None):
        raise click.UsageError(
            "--reported has figures of one player: name the player with --player NAME"
        )
    if player is None and outputs.path("html") is not None:
        raise click.UsageError(
            "--html makes the page of one player: name the player with --player NAME"
        )
    figures = {}
    for given_as in reported:
        name, equals, figure = given_as.partition("=")
        if not equals or not name.strip() or name.strip() in figures:
            raise click.BadParameter(
                f"expected METRIC=FIGURE such as pr=9.23, each metric once, found {given_as!r}",
                param_hint="--reported",
            )
        figures[name.strip()] = figure
    match = load_match(file, met=met)
    wanted = read_reported(figures) if figures else ()
    notes: tuple[str, ...] = ()
    program = None
    given = {player: wanted} if player is not None else {}
    if paste is not None:
        from reconcile.formats.printed import read_pasted

        pasted = read_pasted(paste, read_bytes(paste), game)
        if player is None and len(pasted.players) != len(match.players):
            raise click.UsageError(
                f"{paste} does not name both players: say whose figures they are with --player {match.players[0]!r} or {match.players[1]!r}"
            )
        given = {
            name: (*wanted, *reported_by(pasted, match, name))
            for name in ([player] if player is not None else match.players)
        }
        notes, program = paste_notes(pasted, match.players), pasted.program
    results = [
        investigate_match(match, name, figures, rules=rules, met=met, game=game, program=program)
        for name, figures in given.items()
    ]
    documents = [dumps(one) for one in results]
    outputs.write(
        {
            "html": lambda: investigation_page(
                results[0], notes=notes, command=command_of(results[0], paste, reported, rules)
            ),
            "json": lambda: documents[0] if len(documents) == 1 else in_list(documents),
            "markdown": lambda: "\n".join(
                markdown(investigation_blocks(one, command=command_of(one, paste, reported, rules)))
                for one in results
            ),
        },
        lambda: "\n".join(text(investigation_blocks(one, notes=notes)) for one in results),
    )
    ctx.exit(WITHIN if all(one.explanations for one in results) else OUTSIDE)
