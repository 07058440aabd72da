"""`reconcile stats`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from reconcile.cli.common import each_match_once, say

if TYPE_CHECKING:
    from reconcile.scoring.statistics import Statistics


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, callback=each_match_once)
@click.option("--rules", metavar="NAME|FILE", help="Rule set, or a .yaml file of one (default: that of the tool that wrote the file).")
@click.option("--met", metavar="NAME|FILE", help="Match equity table: a gnuBG table name, or a path ending in .xml.")
@click.option("--per-game", is_flag=True, help="Also show every game.")
@click.option("--pool", "pooled", is_flag=True, help="Pool all files by player: sums over sums, with 95 % intervals.")
@click.option("--aliases", metavar="FILE", help="YAML file of players' name variants, used with --pool.")
@click.option(
    "--decisions", is_flag=True, help="Write every decision of one file instead, as CSV or JSON: a list such as `validate` compares."
)
@click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True)
@click.option("-o", "--output", default="-", metavar="FILE", help="Write to this file instead of standard output.")
def stats(
    files: Sequence[str],
    rules: str | None,
    met: str | None,
    per_game: bool,
    pooled: bool,
    aliases: str | None,
    decisions: bool,
    form: str,
    output: str,
) -> None:
    """Show the statistics of matches: decisions, equity and MWC lost, PR, error rates, luck.

    Example: reconcile stats match.xg --rules gnubg --per-game
    """
    from reconcile.adapters import load_match
    from reconcile.files.output import STANDARD, write
    from reconcile.rules.rulesets import rule_set
    from reconcile.scoring.findings import findings_of
    from reconcile.scoring.statistics import statistics

    if decisions and (len(files) > 1 or pooled or per_game):
        raise click.UsageError("--decisions lists the decisions of one file, without --pool and --per-game")
    chosen = None if rules is None else rule_set(rules)
    scored = [statistics(load_match(path), chosen, met) for path in files]
    if decisions:
        _write_decisions(scored[0], form, output)
    elif pooled:
        _show_pool(scored, aliases, form, output)
    elif form == "table":
        _show_tables(scored, per_game, output)
    elif form == "json":
        from reconcile.results.documents import dumps
        from reconcile.results.statistics import statistics_document

        documents = [statistics_document(one, per_game=per_game) for one in scored]
        write(output, dumps(documents[0] if len(documents) == 1 else documents))
    else:
        from reconcile.report.text.statistics import statistics_csv

        write(output, statistics_csv(scored, per_game=per_game))
    if form != "table" and not pooled and not decisions:
        for one in scored:
            for finding in findings_of(one):
                if finding.severity != "info":
                    say(f"{one.match.source.path}: {finding.severity}: {finding.text}")
    if output != STANDARD:
        say(f"wrote {output}")


def _write_decisions(scored: Statistics, form: str, output: str) -> None:
    from reconcile.files.output import write
    from reconcile.report.text.decisions import decisions_csv
    from reconcile.results.decisions import decisions_document
    from reconcile.results.documents import dumps

    document = decisions_document(scored)
    write(output, dumps(document) if form == "json" else decisions_csv(document, scored.match.players))


def _show_pool(scored: Sequence[Statistics], aliases: str | None, form: str, output: str) -> None:
    from reconcile.files.aliases import load_aliases
    from reconcile.files.output import write
    from reconcile.report.text.pool import pool_csv, pool_text
    from reconcile.scoring.pool import pool

    players = pool(scored, load_aliases(aliases))
    if form == "json":
        from reconcile.results.documents import dumps
        from reconcile.results.statistics import pool_document

        write(output, dumps(pool_document(players)))
    else:
        write(output, pool_csv(players) if form == "csv" else pool_text(players))


def _show_tables(scored: Sequence[Statistics], per_game: bool, output: str) -> None:
    from reconcile.files.output import STANDARD, write
    from reconcile.report.text.statistics import print_statistics, statistics_text

    if output == STANDARD and sys.stdout.isatty():
        for one in scored:
            print_statistics(one, per_game=per_game)
    else:
        write(output, "\n".join(statistics_text(one, per_game=per_game) for one in scored))
