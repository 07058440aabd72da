"""`reconcile stats`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NoReturn

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
from reconcile.files.output import STANDARD, check_not_read, write, write_all

if TYPE_CHECKING:
    from reconcile.errors import UnreadableFile
    from reconcile.formats.archives import Unit
    from reconcile.rules.rulesets import RuleSet
    from reconcile.scoring.statistics import Statistics

    Source = str | Unit
    """A file as it was named, or one in a folder or an archive."""

BATCH: Final = 16
FILES_PER_PROCESS: Final = 150
"""A process that starts takes as long as so many files."""


@click.command(
    cls=Grouped,
    groups={
        "What is shown": "--per-game --costliest --pool --aliases --decisions --candidates",
        "Rules": "--rules --met",
        "Outputs": "--html --player --format --output",
        "Other": "--jobs --help",
    },
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, callback=each_match_once)
@option(
    "--rules NAME|FILE",
    "Rule set, or a .yaml file of one (default: that of the tool that wrote the file).",
)
@option("--met NAME|FILE", "Match equity table: a gnuBG table name, or a path ending in .xml.")
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
    "DIR.",
)
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
    from reconcile.report.forms import in_form
    from reconcile.rules.rulesets import rule_set

    of_players = html is not None and _are_of_players(files, asked["player"])
    _check(files, output, html, of_players=of_players, **asked)
    rules, met = asked["rules"] and rule_set(asked["rules"]), asked["met"]
    check_not_read(html or output, inputs())
    if html is not None:
        _write_pages(files, html, asked, rules, of_players=of_players)
        return
    form = asked["format"].replace("table", "text")
    named = ("per_game", "costliest")
    shown = {name: asked[name] for name in named if asked[name] is not None}
    scored = partial(_scored, rules=rules, met=met)
    if asked["decisions"]:
        listed, *others = _readable(scored(_sources(files)))
        refuse((others, f"--decisions lists the decisions of one match, {files[0]} has several"))
        write(output, in_form(listed, "decisions", form, candidates=asked["candidates"]), inputs())
    elif asked["pool"]:
        _write_pool(_readable(scored(_sources(files))), asked["aliases"], output, form)
    elif form == "text" and output == STANDARD and sys.stdout.isatty():
        for statistics in _readable(scored(_sources(files))):
            in_form(statistics, "terminal", **shown)
    else:
        described = partial(_described, scored=scored, form=form, shown=shown)
        _write_each(_sources(files), described, output, form, asked["jobs"])
    if output != STANDARD:
        say(f"wrote {output}")


def _write_pool(scored: Iterable[Statistics], aliases: str | None, output: str, form: str) -> None:
    from reconcile.match.aliases import load_aliases
    from reconcile.report.forms import in_form
    from reconcile.scoring.pool import pool

    write(output, in_form(pool([*scored], load_aliases(aliases)), form), inputs())


def _sources(files: Sequence[str]) -> Sequence[Source]:
    """The files, each folder and archive as the files in it."""
    from reconcile.errors import UnreadableFile
    from reconcile.formats import is_folder

    if not any(map(is_folder, files)):
        return files
    from reconcile.formats.archives import units

    sources: list[Source] = []
    for path in files:
        inside = [*units([path])] if is_folder(path) else [path]
        if not inside:
            raise UnreadableFile("expected matches in this folder, found none", path)
        sources += inside
    return sources


def _are_of_players(files: Sequence[str], player: str | None) -> bool:
    from reconcile.formats import has_many

    return player is not None or len(files) > 1 or has_many(files[0])


PAGES_ALONE: Final = (
    "--html writes pages: of one match, or of the players of several; leave out --pool and "
    "--decisions"
)


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
            asked["candidates"] and not (decisions and asked["format"] == "json"),
            "--candidates is for --decisions --format json; add them, or leave it out",
        ),
        (
            asked["costliest"] is not None
            and (pooled or decisions or html is not None or asked["format"] != "table"),
            "--costliest is for the table of each file; leave it out",
        ),
        (html is not None and (pooled or decisions), PAGES_ALONE),
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


def _scored(
    sources: Sequence[Source], rules: RuleSet | None, met: str | None
) -> Iterator[Statistics | UnreadableFile]:
    """The statistics of every match; of a file in a folder or an archive that cannot be read,
    why."""
    from reconcile.errors import UnreadableFile
    from reconcile.formats import load_match
    from reconcile.scoring.statistics import statistics

    for source in sources:
        if isinstance(source, str):
            yield statistics(load_match(source, met=met), rules, met)
            continue
        try:
            yield from [statistics(match, rules, met) for match in source.matches(met=met)]
        except UnreadableFile as error:
            yield error


def _readable(each: Iterable[Statistics | UnreadableFile]) -> list[Statistics]:
    """Those of the matches that can be read; the others are reported. Raises `UnreadableFile`
    where there is none."""
    from reconcile.scoring.statistics import Statistics

    read = list(each)
    matches = [statistics for statistics in read if isinstance(statistics, Statistics)]
    _report(matches, [f"{error}; left out" for error in read if isinstance(error, Exception)])
    return matches


def _report(matches: Sequence[object], lines: Sequence[str]) -> None:
    """Lines for people, beside matches. Raises `UnreadableFile` where there is none."""
    if not matches:
        from reconcile.errors import UnreadableFile

        found = "; ".join(["expected a match that can be read, found none", *lines[:1]])
        raise UnreadableFile(found)
    for line in lines:
        say(line)


def _described(
    sources: Sequence[Source],
    scored: Callable[[Sequence[Source]], Iterable[Statistics | UnreadableFile]],
    form: str,
    shown: Mapping[str, int],
) -> list[tuple[str, list[str]]]:
    """What is written about every match, and the lines for people beside it; a table has them, but
    not what cannot be read."""
    from reconcile.report.forms import in_form
    from reconcile.scoring.findings import findings_of
    from reconcile.scoring.statistics import Statistics

    return [
        (
            in_form(statistics, form, **shown),
            [
                f"{statistics.match.source.path}: {finding.severity}: {finding.text}"
                for finding in findings_of(statistics)
                if form != "text" and finding.severity != "info"
            ],
        )
        if isinstance(statistics, Statistics)
        else ("", [f"{statistics}; left out"])
        for statistics in scored(sources)
    ]


def _write_each(
    sources: Sequence[Source],
    described: Callable[[tuple[Source, ...]], list[tuple[str, list[str]]]],
    output: str,
    form: str,
    jobs: int | None,
) -> None:
    """Write every file's part in order; the same whatever the number of processes, but for
    standard input, which only this one can read.

    Raises what reading and scoring a file raises.
    """
    jobs = jobs or max(1, min(os.cpu_count() or 1, len(sources) // FILES_PER_PROCESS))
    if jobs == 1 or any(str(source).partition("#")[0] == STANDARD for source in sources):
        parts = [part for source in sources for part in described((source,))]
    else:
        from reconcile.files.processes import in_batches, in_order

        batches = in_order(in_batches(sources, BATCH), described, _died, jobs)
        parts = [part for batch in batches for part in batch]
    texts = [text for text, _ in parts if text]
    lines = [line for _, lines in parts for line in lines]
    if not texts:
        _report(texts, lines)
    content = "\n".join(texts)
    if form == "csv":
        from reconcile.report.text.statistics import CSV_HEAD

        content = CSV_HEAD + "".join(texts)
    elif form == "json" and len(texts) > 1:
        from reconcile.document import in_list

        content = in_list(texts)
    write(output, content, inputs())
    _report(texts, lines)


def _died(source: Source) -> NoReturn:
    from reconcile.errors import UnreadableFile

    raise UnreadableFile(
        "expected its figures, found that the process that read it died; is there enough memory?",
        source if isinstance(source, str) else source.name,
    )


def _write_pages(
    files: Sequence[str],
    html: str,
    asked: dict[str, Any],
    rules: RuleSet | None,
    *,
    of_players: bool,
) -> None:
    """The page of one match, or a folder with those of players and their matches."""
    from reconcile.report.forms import in_form

    met, player = asked["met"], asked["player"]
    if not of_players:
        from reconcile.formats import load_match
        from reconcile.gap.review import review

        match = load_match(files[0], met=met)
        write(html, in_form(review(match, rules=rules, met=met), "html"), inputs())
        if html != STANDARD:
            say(f"wrote {html}")
        return
    from reconcile.corpus.career import careers
    from reconcile.match.aliases import load_aliases

    names = load_aliases(asked["aliases"])
    with progress() as show:
        several = careers(files, player=player, aliases=names, progress=show, rules=rules, met=met)
        write_all(in_form(several, "html", html, player is not None, show), inputs=inputs())
    say(f"wrote {html}/index.html")
