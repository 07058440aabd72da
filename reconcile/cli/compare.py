"""`reconcile compare`."""

from __future__ import annotations

import sys

import click

from reconcile.cli.common import once_standard, say
from reconcile.cli.gate import Outputs, gate_options, gate_outputs


@click.command()
@click.argument("left")
@click.argument("right")
@click.option("--left-rules", metavar="NAME", help="Rule set for LEFT; by default that of its tool.")
@click.option("--right-rules", metavar="NAME", help="Rule set for RIGHT; by default that of its tool.")
@click.option("--met", metavar="NAME|FILE", help="Match equity table for both sides.")
@click.option("--tolerances", metavar="FILE", help="File of tolerance tables; by default the one that comes with the program.")
@click.option("--table", default="documented", show_default=True, metavar="ID", help="Table of tolerances to judge by.")
@click.option("--player", metavar="NAME", help="Only this player's figures.")
@click.option("--aliases", metavar="FILE", help="YAML file of players' name variants.")
@click.option("--html", metavar="FILE", help="Write a report in HTML.")
@click.option("--json", "json_", metavar="FILE", help="Write the result as JSON.")
@click.option("--markdown", metavar="FILE", help="Write a report in Markdown.")
@click.option("--ledger", metavar="FILE", help="Write every decision's share of every gap, as .csv or .parquet.")
@click.option("--positions", metavar="FILE", help="Write the decisions that move PR most, one a line with XGID and gnuBG ID.")
@click.option("--most", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="How many lines --positions has.")
@click.option("--anonymise", is_flag=True, help="Leave names of players, events and files and their SHA-256 out of every output.")
@click.option(
    "--order",
    type=click.Choice(["documented", "shapley"]),
    default="documented",
    show_default=True,
    help="Order in which a bridge switches the rules; shapley is the average over all orders.",
)
@gate_options
@click.pass_context
def compare(
    ctx: click.Context,
    left: str,
    right: str,
    left_rules: str | None,
    right_rules: str | None,
    met: str | None,
    tolerances: str | None,
    table: str,
    player: str | None,
    aliases: str | None,
    html: str | None,
    json_: str | None,
    markdown: str | None,
    ledger: str | None,
    positions: str | None,
    most: int,
    anonymise: bool,
    order: str,
    junit: str | None,
    github: bool,
    strict: bool,
    fail_on: str,
    quiet: bool,
) -> None:
    """Compare two files of one match, each under its own rules, and judge the gaps.

    `-` as a file or an output means standard input or output.
    """
    from reconcile.adapters import load_match
    from reconcile.aliases import load_aliases
    from reconcile.comparison import compare as compare_matches
    from reconcile.output import STANDARD, write_all
    from reconcile.tolerances import load_tolerances
    from reconcile.walk import Walk, bridges_of

    once_standard("LEFT and RIGHT", left, right)
    annotated = STANDARD if github else None
    once_standard(
        "--json, --markdown, --html, --ledger, --positions, --junit and the annotations of --github",
        *(json_, markdown, html, ledger, positions, junit, annotated),
    )
    if ledger is not None:
        from reconcile.ledger_file import check_ledger_path

        check_ledger_path(ledger)
    bounds = load_tolerances(tolerances)
    groups = load_aliases(aliases).groups
    pair = load_match(left), load_match(right)
    if anonymise:
        from reconcile.anonymise import PLAYERS, anonymised
        from reconcile.pairing import seat_of

        player = None if player is None else PLAYERS[seat_of(pair[0], player)]
        pair = anonymised(*pair, groups)
    result = compare_matches(
        *pair,
        bounds,
        table=table,
        left_rules=left_rules,
        right_rules=right_rules,
        met=met,
        aliases=groups,
        player=player,
    )
    walk = Walk(result, order)
    bridges = bridges_of(walk)
    outputs = Outputs()

    def in_markdown() -> str:
        from reconcile.report.markdown import comparison_markdown

        return comparison_markdown(result, bridges)

    if html is not None:
        from reconcile.report.html import walked_page

        outputs.add(html, lambda: walked_page(walk, tolerances=bounds))
    if json_ is not None:
        from reconcile.documents import comparison_document, dumps

        outputs.add(json_, lambda: dumps(comparison_document(result, walk)))
    outputs.add(markdown, in_markdown)
    if ledger is not None:
        from reconcile.ledger_file import ledger_content, ledger_frame

        outputs.add(ledger, lambda: ledger_content(ledger_frame(walk), ledger))
    if positions is not None:
        from reconcile.disagreements import disagreements, disagreements_text

        outputs.add(positions, lambda: disagreements_text(disagreements(walk, most)))
    if junit is not None or github:
        from reconcile.report.judged import Bridges, part_of

        gate_outputs(
            outputs,
            "reconcile compare",
            [part_of(result)],
            Bridges({id(result): bridges}),
            junit=junit,
            github=github,
            strict=strict,
            fail_on=fail_on,
            markdown=in_markdown,
        )
    write_all(outputs.written, outputs.appended)
    if not quiet:
        from reconcile.report.text import comparison_text, print_comparison

        if github:
            from reconcile.report.github import harmless

            click.echo(harmless(comparison_text(result, bridges)), nl=False, err=True)
        else:
            print_comparison(result, bridges, file=sys.stderr if outputs.standard else sys.stdout)
        for path in outputs.files:
            say(f"wrote {path}")
    ctx.exit(result.exit_code(strict=strict, fail_on=fail_on))
