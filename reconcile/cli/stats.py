"""`reconcile stats`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

import click

from reconcile.cli.common import Grouped, each_match_once, progress, say

if TYPE_CHECKING:
    from reconcile.corpus.career import Careers
    from reconcile.gap.review import Review
    from reconcile.rules.rulesets import RuleSet

BATCH: Final = 16
FILES_PER_PROCESS: Final = 150
"""A process that starts takes as long as so many files."""


class Described(NamedTuple):
    """What is written about one file, and the lines for people beside it."""

    text: str
    lines: tuple[str, ...]


def describe(
    paths: Sequence[str],
    jobs: int | None,
    *,
    rules: str | None,
    met: str | None,
    per_game: bool,
    form: str,
) -> Iterator[Described]:
    """Every file in order, as a table (`text`), as a JSON document or as rows of CSV; the same whatever the number of processes.

    By default there is one process for every few files, at most one per core. Raises what reading and scoring a file raises.
    """
    work = partial(_described, rules=rules, met=met, per_game=per_game, form=form)
    jobs = jobs or max(1, min(os.cpu_count() or 1, len(paths) // FILES_PER_PROCESS))
    if jobs == 1 or any(
        path.partition("#")[0] == "-" for path in paths
    ):  # standard input, which no other process can read
        made: Iterable[list[Described]] = (work((path,)) for path in paths)
    else:
        from reconcile.files.workers import in_batches, in_order

        made = in_order(in_batches(paths, BATCH), work, _died, jobs)
    for batch in made:
        yield from batch


def _died(path: str) -> NoReturn:
    from reconcile.errors import UnreadableFile

    raise UnreadableFile(
        "expected its figures, found that the process that read it died; is there enough memory?",
        path,
    )


def _described(
    batch: tuple[str, ...], rules: str | None, met: str | None, per_game: bool, form: str
) -> list[Described]:
    from reconcile.formats import load_match
    from reconcile.report.forms import in_form
    from reconcile.rules.rulesets import rule_set
    from reconcile.scoring.statistics import statistics

    chosen = None if rules is None else rule_set(rules)
    made = []
    for path in batch:
        scored = statistics(load_match(path, met=met), chosen, met)
        lines: tuple[str, ...] = ()
        if form != "text":  # a table has them
            from reconcile.scoring.findings import findings_of

            found = [finding for finding in findings_of(scored) if finding.severity != "info"]
            lines = tuple(
                f"{scored.match.source.path}: {one.severity}: {one.text}" for one in found
            )
        made.append(Described(in_form(scored, form, per_game=per_game), lines))
    return made


def _joined(texts: Sequence[str], form: str) -> str:
    """An output of every file's part."""
    if form == "text":
        return "\n".join(texts)
    if form == "csv":
        from reconcile.report.text.statistics import CSV_HEAD

        return CSV_HEAD + "".join(texts)
    from reconcile.document import in_list

    return texts[0] if len(texts) == 1 else in_list(texts)


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
    "--pool",
    "pooled",
    is_flag=True,
    help="Pool all files by player: sums over sums, with 95 % intervals.",
)
@click.option(
    "--aliases",
    metavar="FILE",
    help="YAML file of players' name variants, for --pool and players' pages.",
)
@click.option(
    "--decisions",
    is_flag=True,
    help="Write every decision of one file instead, as CSV or JSON: a list such as `validate` compares.",
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
    help="Number of processes that read the files (default: one for every 150 files, at most one per core). Not used with --pool, "
    "--decisions, standard input, and tables on a terminal.",
)
@click.option(
    "--html",
    metavar="FILE|DIR",
    help="Write the page of one match instead: what cost most, with boards, curve and all figures. Of a folder, an archive or several "
    "files, write a page for every player into DIR, and one for every match.",
)
@click.option(
    "--player",
    metavar="NAME",
    help="With --html DIR, only the page of this player: any part of the name that only one has.",
)
@click.option(
    "-o",
    "--output",
    default="-",
    metavar="FILE",
    help="Write to this file instead of standard output.",
)
def stats(
    files: Sequence[str],
    rules: str | None,
    met: str | None,
    per_game: bool,
    pooled: bool,
    aliases: str | None,
    decisions: bool,
    form: str,
    jobs: int | None,
    output: str,
    html: str | None,
    player: str | None,
) -> None:
    """Show the statistics of matches, or write their pages.

    Decisions, equity and MWC lost, PR, error rates, luck.

    Example: reconcile stats match.xg --rules gnubg --html match.html

    Example: reconcile stats matches/ --html pages --player 'Nora Lindqvist'
    """
    from reconcile.files.output import STANDARD, check_not_read, write
    from reconcile.formats import are_folders, load_match
    from reconcile.report.forms import in_form
    from reconcile.rules.rulesets import rule_set

    if decisions and (len(files) > 1 or pooled or per_game):
        raise click.UsageError(
            "--decisions lists the decisions of one file, without --pool and --per-game"
        )
    if html is not None and (pooled or decisions):
        raise click.UsageError(
            "--html writes pages: of one match, or of the players of several; leave out --pool and --decisions"
        )
    if player is not None and html is None:
        raise click.UsageError(
            "--player names the player whose page --html writes; add --html DIR, or leave it out"
        )
    if html is not None and output != STANDARD:
        raise click.UsageError(
            "--html writes its own file, --output the table: ask for one of them"
        )
    of_players = html is not None and (player is not None or len(files) > 1 or are_folders(files))
    if of_players and (html == STANDARD or str(html).lower().endswith(".html")):
        raise click.UsageError(
            f"--html needs a folder for the pages of players, not {html}; for the page of one match name one file"
        )
    if aliases is not None and not (pooled or of_players):
        raise click.UsageError(
            "--aliases says which names are one player, for --pool and players' pages; add --pool, or leave it out"
        )
    chosen = None if rules is None else rule_set(rules)
    form = "text" if form == "table" else form
    if html is not None:
        _write_pages(files, html, of_players, chosen, met, player, aliases)
        return
    check_not_read(output)
    if pooled or decisions or (form == "text" and output == STANDARD and sys.stdout.isatty()):
        from reconcile.scoring.statistics import statistics

        scored = [statistics(load_match(path, met=met), chosen, met) for path in files]
        if pooled:
            from reconcile.files.aliases import load_aliases
            from reconcile.scoring.pool import pool

            write(output, in_form(pool(scored, load_aliases(aliases)), form))
        elif decisions:
            write(output, in_form(scored[0], "decisions", form))
        else:
            for one in scored:
                in_form(one, "terminal", per_game=per_game)
    else:
        described = list(describe(files, jobs, rules=rules, met=met, per_game=per_game, form=form))
        write(output, _joined([one.text for one in described], form))
        for line in (line for one in described for line in one.lines):
            say(line)
    if output != STANDARD:
        say(f"wrote {output}")


def _write_pages(
    files: Sequence[str],
    html: str,
    of_players: bool,
    rules: RuleSet | None,
    met: str | None,
    player: str | None,
    aliases: str | None,
) -> None:
    """The page of one match, or a folder with those of players and their matches."""
    from reconcile.files.output import STANDARD, check_not_read, write_all
    from reconcile.report.forms import in_form

    check_not_read(html)
    with progress(quiet=not of_players) as show:
        result: Careers | Review
        needs: tuple[object, ...] = ()
        if of_players:
            from reconcile.corpus.career import careers
            from reconcile.files.aliases import load_aliases

            result = careers(
                files,
                player=player,
                aliases=load_aliases(aliases),
                progress=show,
                rules=rules,
                met=met,
            )
            needs = html, player is not None, show
        else:
            from reconcile.formats import load_match
            from reconcile.gap.review import review

            result = review(load_match(files[0], met=met), rules=rules, met=met)
        made = in_form(result, "html", *needs)
        write_all(made if of_players else [(html, made)])
    if html != STANDARD:
        say(f"wrote {html}/index.html" if of_players else f"wrote {html}")
