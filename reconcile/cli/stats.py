"""`reconcile stats`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from reconcile.cli.common import (
    OUTPUT,
    STANDARD_OUTPUT,
    Grouped,
    each_match_once,
    progress,
    refuse,
    say,
)
from reconcile.files.output import STANDARD, check_not_read, write, write_all

if TYPE_CHECKING:
    from reconcile.rules.rulesets import RuleSet
    from reconcile.scoring.statistics import Statistics

BATCH: Final = 16
FILES_PER_PROCESS: Final = 150
"""A process that starts takes as long as so many files."""


@click.command(
    cls=Grouped,
    groups={
        "What is shown": "--per-game --pool --aliases --decisions",
        "Rules": "--rules --met",
        "Outputs": "--html --player --format --output",
        "Other": "--jobs --help",
    },
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, callback=each_match_once)
@click.option(
    "--rules",
    metavar="NAME|FILE",
    help="Rule set, or a .yaml file of one (default: that of the tool that wrote the file).",
)
@click.option(
    "--met",
    metavar="NAME|FILE",
    help="Match equity table: a gnuBG table name, or a path ending in .xml.",
)
@click.option("--per-game", is_flag=True, help="Also show every game.")
@click.option(
    "--pool", is_flag=True, help="Pool all files by player: sums over sums, with 95 % intervals."
)
@click.option(
    "--aliases",
    metavar="FILE",
    help="YAML file of players' name variants, for --pool and players' pages.",
)
@click.option(
    "--decisions",
    is_flag=True,
    help="Write every decision of one file instead, as CSV or JSON, in the form that `validate` "
    "reads.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Number of processes that read the files (default: one for every 150 files, at most one "
    "per core). Not used with --pool, --decisions, standard input, and tables on a terminal.",
)
@click.option(
    "--html",
    metavar="FILE|DIR",
    help="Write the page of one match instead: what cost most, with boards, curve and all figures. "
    "For a folder, an archive or several files, write a page for every player and every match into "
    "DIR.",
    **OUTPUT,
)
@click.option(
    "--player",
    metavar="NAME",
    help="With --html DIR, only this player's page: any part of the name that no other player has.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write to this file instead of standard output.",
    **STANDARD_OUTPUT,
)
def stats(
    files: Sequence[str], form: str, output: str, html: str | None, jobs: int | None, **asked: Any
) -> None:
    """Show the statistics of matches, or write their pages.

    The figures are decisions, equity and MWC lost, PR, error rates and luck. A folder stands for
    the matches in it.

    Example: reconcile stats match.xg --rules gnubg --html match.html

    Example: reconcile stats matches/ --html pages --player 'Nora Lindqvist'
    """
    from reconcile.report.forms import in_form

    of_players = html is not None and _are_of_players(files, asked["player"])
    _check(files, output, html, of_players=of_players, **asked)
    if html is not None:
        _write_pages(files, html, of_players=of_players, **asked)
        return
    check_not_read(output)
    files = files if asked["decisions"] else _match_files(files)
    form = form.replace("table", "text")
    scored = partial(_scored, rules=_rules(asked["rules"]), met=asked["met"])
    if asked["pool"]:
        from reconcile.files.aliases import load_aliases
        from reconcile.scoring.pool import pool

        write(output, in_form(pool([*map(scored, files)], load_aliases(asked["aliases"])), form))
    elif asked["decisions"]:
        write(output, in_form(scored(files[0]), "decisions", form))
    elif form == "text" and output == STANDARD and sys.stdout.isatty():
        for statistics in [*map(scored, files)]:
            in_form(statistics, "terminal", per_game=asked["per_game"])
    else:
        described = partial(_described, scored=scored, form=form, per_game=asked["per_game"])
        _write_each(files, described, output, form, jobs)
    if output != STANDARD:
        say(f"wrote {output}")


def _match_files(files: Sequence[str]) -> Sequence[str]:
    """The files, each folder as the matches in it."""
    if not any(map(os.path.isdir, files)):
        return files
    from reconcile.formats.archives import match_files

    return match_files(files)


def _are_of_players(files: Sequence[str], player: str | None) -> bool:
    from reconcile.formats import are_folders

    return player is not None or len(files) > 1 or are_folders(files)


def _check(
    files: Sequence[str], output: str, html: str | None, *, of_players: bool, **asked: Any
) -> None:
    """Refuse options that make no sense together."""
    pooled, decisions = asked["pool"], asked["decisions"]
    refuse(
        (
            decisions and (len(files) > 1 or pooled or asked["per_game"]),
            "--decisions lists the decisions of one file, without --pool and --per-game",
        ),
        (
            html is not None and (pooled or decisions),
            "--html writes pages: of one match, or of the players of several; leave out --pool and "
            "--decisions",
        ),
        (
            asked["player"] is not None and html is None,
            "--player names the player whose page --html writes; add --html DIR, or leave it out",
        ),
        (
            html is not None and output != STANDARD,
            "--html writes its own file, --output the table: ask for one of them",
        ),
        (
            of_players and (html == STANDARD or str(html).lower().endswith(".html")),
            f"--html needs a folder for the pages of players, not {html}; for the page of one "
            "match name one file",
        ),
        (
            asked["aliases"] is not None and not (pooled or of_players),
            "--aliases says which names are one player, for --pool and players' pages; add --pool, "
            "or leave it out",
        ),
    )


def _rules(name: str | None) -> RuleSet | None:
    from reconcile.rules.rulesets import rule_set

    return None if name is None else rule_set(name)


def _scored(path: str, rules: RuleSet | None, met: str | None) -> Statistics:
    from reconcile.formats import load_match
    from reconcile.scoring.statistics import statistics

    return statistics(load_match(path, met=met), rules, met)


def _described(
    paths: Sequence[str], scored: Callable[[str], Statistics], form: str, *, per_game: bool
) -> list[tuple[str, list[str]]]:
    """What is written about every file, and the lines for people beside it."""
    from reconcile.report.forms import in_form
    from reconcile.scoring.findings import findings_of

    described = []
    for statistics in map(scored, paths):
        lines = []
        if form != "text":  # a table has them
            path = statistics.match.source.path
            findings = [each for each in findings_of(statistics) if each.severity != "info"]
            lines = [f"{path}: {each.severity}: {each.text}" for each in findings]
        described.append((in_form(statistics, form, per_game=per_game), lines))
    return described


def _write_each(
    paths: Sequence[str],
    described: Callable[[tuple[str, ...]], list[tuple[str, list[str]]]],
    output: str,
    form: str,
    jobs: int | None,
) -> None:
    """Write every file's part in order; the same whatever the number of processes.

    By default there is one process for every few files, at most one per core. Raises what reading
    and scoring a file raises.
    """
    jobs = jobs or max(1, min(os.cpu_count() or 1, len(paths) // FILES_PER_PROCESS))
    # No other process can read standard input.
    if jobs == 1 or any(path.partition("#")[0] == STANDARD for path in paths):
        batches: Iterable[list[tuple[str, list[str]]]] = (described((path,)) for path in paths)
    else:
        from reconcile.files.processes import in_batches, in_order

        batches = in_order(in_batches(paths, BATCH), described, _died, jobs)
    parts = [part for batch in batches for part in batch]
    texts = [text for text, _ in parts]
    if form == "csv":
        from reconcile.report.text.statistics import CSV_HEAD

        write(output, CSV_HEAD + "".join(texts))
    elif form == "json" and len(texts) > 1:
        from reconcile.document import in_list

        write(output, in_list(texts))
    else:
        write(output, "\n".join(texts))
    for line in (line for _, lines in parts for line in lines):
        say(line)


def _died(path: str) -> NoReturn:
    from reconcile.errors import UnreadableFile

    raise UnreadableFile(
        "expected its figures, found that the process that read it died; is there enough memory?",
        path,
    )


def _write_pages(
    files: Sequence[str],
    html: str,
    *,
    of_players: bool,
    rules: str | None,
    met: str | None,
    player: str | None,
    aliases: str | None,
    **_: Any,
) -> None:
    """The page of one match, or a folder with those of players and their matches."""
    from reconcile.report.forms import in_form

    chosen = _rules(rules)
    check_not_read(html)
    if of_players:
        from reconcile.corpus.career import careers
        from reconcile.files.aliases import load_aliases

        with progress() as show:
            careers_of = careers(
                files,
                player=player,
                aliases=load_aliases(aliases),
                progress=show,
                rules=chosen,
                met=met,
            )
            write_all(in_form(careers_of, "html", html, player is not None, show))
        say(f"wrote {html}/index.html")
        return
    from reconcile.formats import load_match
    from reconcile.gap.review import review

    write(html, in_form(review(load_match(files[0], met=met), rules=chosen, met=met), "html"))
    if html != STANDARD:
        say(f"wrote {html}")
