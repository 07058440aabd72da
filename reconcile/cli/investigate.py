"""`reconcile investigate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from reconcile.cli.common import OUTSIDE, WITHIN, once_standard, option, refuse
from reconcile.cli.outputs import HTML, JSON, LANGUAGE, MARKDOWN, Outputs, check_language, writes


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
@option(
    "--player NAME",
    "The player of the figures: any part of the name that no other player has. A pasted text that "
    "names both players needs none.",
)
@option(
    "--reported METRIC=FIGURE",
    "A figure as the tool prints it, for example pr=9.23 or decisions=121; repeat the option to "
    "narrow the answer down.",
    multiple=True,
)
@option(
    "--paste FILE",
    "Text of gnuBG's statistics (text or HTML) or of XG's summary, instead of single figures.",
)
@option("--game N", "The figures are for this game only.", type=int)
@option(
    "--rules NAME|FILE",
    "First say whether these rules give the figures: a rule set, or a .yaml file of rules.",
)
@option("--met NAME|FILE", "Match equity table.")
@writes(HTML, JSON, MARKDOWN)
@LANGUAGE
@click.pass_context
def investigate(
    ctx: click.Context,
    /,
    file: str,
    player: str | None,
    reported: Sequence[str],
    paste: str | None,
    outputs: Outputs,
    **asked: Any,
) -> None:
    """Find the rules that give a figure you saw.

    It says which rules give all the figures, and what the file's own rules give. Then it says what
    else fits: the other player, one digit mistyped, another game or a factor.

    Exits with 0 if some rules give all the figures, with 1 if none do, even if something else fits.

    Example: reconcile investigate match.xg --player Nora --reported pr=9.23
    """
    from reconcile.infer.investigation import investigate_file

    once_standard("FILE and --paste", file, paste)
    _check(player, reported, paste, outputs.path("html"))
    check_language(language := asked.pop("language"), outputs.path("html"))
    typed = _figures(reported)
    results, notes = investigate_file(file, typed, player=player, paste=paste, **asked)
    _write(outputs, results, notes, language, (paste, reported, asked["rules"]))
    ctx.exit(WITHIN if all(result.explanations for result in results) else OUTSIDE)


def _check(
    player: str | None, reported: Sequence[str], paste: str | None, html: str | None
) -> None:
    """Refuse options that make no sense together."""
    refuse(
        (
            not reported and paste is None,
            "give a figure with --reported METRIC=FIGURE, or a text with --paste FILE",
        ),
        (
            player is None and (reported or paste is None),
            "--reported has figures of one player: name the player with --player NAME",
        ),
        (
            player is None and html is not None,
            "--html makes the page of one player: name the player with --player NAME",
        ),
    )


def _figures(reported: Sequence[str]) -> dict[str, str]:
    """Figures as they were typed, by metric. Raises a usage error."""
    figures: dict[str, str] = {}
    for text in reported:
        name, equals, figure = text.partition("=")
        if not equals or not name.strip() or name.strip() in figures:
            raise click.BadParameter(
                f"expected METRIC=FIGURE such as pr=9.23, each metric once, found {text!r}",
                param_hint="--reported",
            )
        figures[name.strip()] = figure
    return figures


def _write(
    outputs: Outputs,
    results: Sequence[Any],
    notes: tuple[str, ...],
    language: str,
    asked: Any,
) -> None:
    """Write one result, or that of each player. `asked` is what the command of a page repeats."""
    from reconcile.document import dumps, in_list
    from reconcile.report.forms import in_form
    from reconcile.report.html.page import command_of

    commands = [command_of(result, *asked) for result in results]

    outputs.write(
        {
            "html": lambda: in_form(results[0], "html", language, notes=notes, command=commands[0]),
            "json": lambda: in_list(map(dumps, results)),
            "markdown": lambda: "\n".join(
                in_form(result, "markdown", command=command)
                for result, command in zip(results, commands, strict=True)
            ),
            "text": lambda: "\n".join(in_form(result, "text", notes=notes) for result in results),
        }
    )
