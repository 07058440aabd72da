"""`reconcile compare`."""

from __future__ import annotations

import sys

import click

from reconcile.cli.common import once_standard, say


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
@click.option("--strict", is_flag=True, help="Incomplete figures fail, too.")
@click.option("--fail-on", type=click.Choice(["error", "warn"]), default="error", show_default=True, help="Lowest level that fails.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
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
    once_standard("--json, --markdown, --html, --ledger and --positions", json_, markdown, html, ledger, positions)
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
    outputs: list[tuple[str, str | bytes]] = []
    if html is not None:
        from reconcile.report.html import walked_page

        outputs.append((html, walked_page(walk, tolerances=bounds)))
    if json_ is not None:
        from reconcile.documents import comparison_document, dumps

        outputs.append((json_, dumps(comparison_document(result, walk))))
    if markdown is not None:
        from reconcile.report.markdown import comparison_markdown

        outputs.append((markdown, comparison_markdown(result, bridges)))
    if ledger is not None:
        from reconcile.ledger_file import ledger_content, ledger_frame

        outputs.append((ledger, ledger_content(ledger_frame(walk), ledger)))
    if positions is not None:
        from reconcile.disagreements import disagreements, disagreements_text

        outputs.append((positions, disagreements_text(disagreements(walk, most))))
    write_all(outputs)
    if not quiet:
        from reconcile.report.text import print_comparison

        taken = STANDARD in [path for path, _ in outputs]
        print_comparison(result, bridges, file=sys.stderr if taken else sys.stdout)
        for path, _ in outputs:
            if path != STANDARD:
                say(f"wrote {path}")
    ctx.exit(result.exit_code(strict=strict, fail_on=fail_on))
