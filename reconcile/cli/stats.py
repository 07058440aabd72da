"""`reconcile stats`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from reconcile.cli.common import (
    STANDARD_OUTPUT,
    Grouped,
    aliases,
    each_match_once,
    inputs,
    jobs,
    option,
    output,
    progress,
    refuse,
    say,
)
from reconcile.cli.outputs import LANGUAGE, check_language
from reconcile.files.output import STANDARD, check_not_read, write, write_all


@click.command(
    cls=Grouped,
    groups={
        "What is shown": "--per-game --costliest --pool --aliases --decisions --candidates",
        "Rules": "--rules --met --analyse",
        "Outputs": "--html --language --player --format --output",
        "Other": "--jobs --help",
    },
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, callback=each_match_once)
@option(
    "--rules NAME|FILE",
    "Rule set, or a .yaml file of one (default: that of the tool that wrote the file).",
)
@option("--met NAME|FILE", "Match equity table: a gnuBG table name, or a path ending in .xml.")
@option(
    "--analyse ENGINE:PLIES",
    "Analyse a file that has no analysis, by gnubg:PLIES or sage:PLIES. PLIES alone means gnuBG, "
    "or without it Open Sage at one ply more, which looks equally far.",
)
@option("--per-game", "Also show every game.")
@option(
    "--costliest N",
    "Name the N costliest decisions of each player in the table (default: 3).",
    type=click.IntRange(min=1),
)
@option("--pool", "Pool all files by player: sums over sums, with 95 % intervals.")
@aliases(", for --pool and players' pages")
@option(
    "--decisions",
    "Write every decision of one file instead, as CSV or JSON, in the form that `validate` reads.",
)
@option(
    "--candidates",
    "With --decisions --format json, also write the plays that the tool considered: play, equity, "
    "chances, level.",
)
@option("--format", "", type=click.Choice(["table", "json", "csv"]), default="table")
@jobs(
    "Number of processes that read the files (default: one for every 150 files, at most one per "
    "core). Not used with --pool, --decisions, standard input, and tables on a terminal."
)
@output(
    "--html FILE|DIR",
    "Write the page of one match instead: what cost most, with boards, curve and all figures. For "
    "a folder, an archive or several files, write a page for every player and every match into "
    "DIR, which takes the extra `corpus`.",
)
@LANGUAGE
@option(
    "--player NAME",
    "With --html DIR, only this player's page: any part of the name that no other player has.",
)
@output("-o --output FILE", "Write to this file instead of standard output.", **STANDARD_OUTPUT)
def stats(files: Sequence[str], output: str, html: str | None, **asked: Any) -> None:
    """Show the statistics of matches, or write their pages.

    The figures are decisions, equity and MWC lost, PR, error rates and luck. A folder, a zip file
    or a tar file stands for the matches in it; what of it cannot be read is named and left out.

    Example: reconcile stats match.xg --rules gnubg --html match.html

    Example: reconcile stats matches/ --html pages --player 'Nora Lindqvist'
    """
    from reconcile.formats import has_many
    from reconcile.report.of_files import pages_of_files, stats_files
    from reconcile.rules.rulesets import rule_set

    check_language(language := asked.pop("language"), html)
    player, form = asked.pop("player"), asked.pop("format").replace("table", "text")
    of_players = html is not None and (player is not None or len(files) > 1 or has_many(files[0]))
    _check(files, html=html, of_players=of_players, player=player, form=form, **asked)
    if html is not None:
        _check_pages(html, output, asked["analyse"], of_players=of_players)
    shared = {name: asked.pop(name) for name in ("rules", "met", "aliases", "analyse")}
    shared["rules"] = shared["rules"] and rule_set(shared["rules"])
    check_not_read(html or output, inputs())
    options = {name: value for name, value in asked.items() if value is not None}
    is_plain = form != "text" or asked["pool"] or asked["decisions"] or output != STANDARD
    if not is_plain and sys.stdout.isatty():
        form = "terminal"
    if html is None:
        with progress() as show:
            content, lines = stats_files(files, form, progress=show, **shared, **options)
        write(output, content, inputs())
        for line in lines:
            say(line)
    else:
        output = f"{html}/index.html" if of_players else html
        shared |= {"of_players": of_players, "player": player, "language": language}
        with progress() as show:
            write_all(pages_of_files(files, html, progress=show, **shared), inputs=inputs())
    if output != STANDARD:
        say(f"wrote {output}")


PAGES_ALONE = (
    "--html writes pages: of one match, or of the players of several; leave out --pool and "
    "--decisions"
)


def _check(files: Sequence[str], *, html: str | None, of_players: bool, **asked: Any) -> None:
    """Refuse options about figures that make no sense together."""
    pooled, decisions = asked["pool"], asked["decisions"]
    refuse(
        (
            decisions and (len(files) > 1 or pooled or asked["per_game"]),
            "--decisions lists the decisions of one file, without --pool and --per-game",
        ),
        (
            asked["candidates"] and not (decisions and asked["form"] == "json"),
            "--candidates is for --decisions --format json; add them, or leave it out",
        ),
        (
            asked["costliest"] is not None
            and (pooled or decisions or html is not None or asked["form"] != "text"),
            "--costliest is for the table of each file; leave it out",
        ),
        (html is not None and (pooled or decisions), PAGES_ALONE),
        (
            asked["player"] is not None and html is None,
            "--player names the player whose page --html writes; add --html DIR, or leave it out",
        ),
        (
            asked["aliases"] is not None and not (pooled or of_players),
            "--aliases says which names are one player, for --pool and players' pages; add --pool, "
            "or leave it out",
        ),
    )


def _check_pages(html: str, output: str, analyse: str | None, *, of_players: bool) -> None:
    """The same about pages."""
    refuse(
        (
            output != STANDARD,
            "--html writes its own file, --output the table: ask for one of them",
        ),
        (
            of_players and (html == STANDARD or html.lower().endswith(".html")),
            f"--html needs a folder for the pages of players, not {html}; for the page of one "
            "match name one file",
        ),
        (
            of_players and analyse is not None,
            "--analyse is for figures, and for the page of one match; for pages of players analyse "
            "the files with `reconcile analyse`",
        ),
    )
