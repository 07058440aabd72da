"""`reconcile compare`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from reconcile.cli.common import Grouped, Seconds, first_asked, once_standard, progress, say
from reconcile.cli.outputs import JSON, Form, Outputs, writes

if TYPE_CHECKING:
    from reconcile.gap.comparison import Comparison
    from reconcile.gap.folders import FolderResult
    from reconcile.gap.review import Review
    from reconcile.gap.settle import Settlement
    from reconcile.match.match import Match


@click.command(
    cls=Grouped,
    groups={
        "Files": "--analyse --player --aliases --anonymise",
        "Outputs": "--html --json --markdown --ledger --most",
        "Rules": "--left-rules --right-rules --met",
        "Judging": "--tolerances --table --strict --fail-on --corpus --junit --github",
        "Rollouts": "--settle --trials --settle-time",
        "Other": "--quiet --help",
    },
)
@click.argument("files", nargs=-1, required=True, metavar="LEFT [RIGHT] [MORE]...")
@click.option(
    "--analyse",
    metavar="ENGINE:PLIES",
    help="Also analyse the transcript of the first file, by gnubg:PLIES or bgsage:PLIES; PLIES alone means gnuBG. "
    "Several are separated by commas, as gnubg:2,bgsage:3.",
)
@click.option(
    "--left-rules",
    metavar="NAME|FILE",
    help="Rule set for LEFT, or a .yaml file of one (default: that of its tool).",
)
@click.option(
    "--right-rules",
    metavar="NAME|FILE",
    help="Rule set for RIGHT, or a .yaml file of one (default: that of its tool).",
)
@click.option("--met", metavar="NAME|FILE", help="Match equity table for all sides.")
@click.option(
    "--tolerances",
    metavar="FILE",
    help="File of tolerance tables (default: the one bundled with the program).",
)
@click.option(
    "--table",
    default="documented",
    show_default=True,
    metavar="ID",
    help="Table of tolerances to use.",
)
@click.option(
    "--player",
    metavar="NAME",
    help="Only this player's figures: any part of the name that only one player has; NAME#1 or NAME#2 where both have one name.",
)
@click.option("--aliases", metavar="FILE", help="YAML file of players' name variants.")
@click.option(
    "--corpus",
    metavar="DIR|FILE",
    help="Say how large the gap is beside those of your own archive: tables of `reconcile corpus`, or a file of `corpus-report --usual` "
    "(default: the program's own table).",
)
@click.option(
    "--anonymise",
    is_flag=True,
    help="Remove names of players, events and files, and SHA-256 sums, from all outputs.",
)
@click.option(
    "--settle",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Have gnuBG roll out the N decisions in dispute with most at stake: who is right.",
)
@click.option(
    "--trials",
    type=click.IntRange(36, 100_000),
    default=1296,
    show_default=True,
    metavar="N",
    help="Games of each rollout of --settle.",
)
@click.option(
    "--settle-time",
    type=Seconds(),
    default=600,
    show_default=True,
    metavar="S",
    help="Seconds that all rollouts may take.",
)
@writes(
    Form(
        "html",
        "Write an HTML report; for folders, an index and a page per pair into DIR.",
        "FILE|DIR",
    ),
    JSON,
    Form("markdown", "Write a Markdown report."),
    Form(
        "ledger",
        "Write each decision's share of every gap, as .csv or .parquet; as .txt the decisions that move PR most "
        "(PR of checker plays where it is unknown), one per line with XGID and gnuBG ID.",
        "FILE.csv|FILE.txt",
    ),
    gate=True,
    quiet="Print only errors and the outputs asked for.",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    metavar="N",
    help="Number of lines of --ledger FILE.txt.",
)
@click.pass_context
def compare(
    ctx: click.Context,
    files: tuple[str, ...],
    analyse: str | None,
    left_rules: str | None,
    right_rules: str | None,
    met: str | None,
    tolerances: str | None,
    table: str,
    player: str | None,
    aliases: str | None,
    corpus: str | None,
    anonymise: bool,
    most: int,
    settle: int | None,
    trials: int,
    settle_time: float,
    outputs: Outputs,
) -> None:
    """Compare analyses of one match, or folders of matches.

    Each is counted under its own rules, and the gaps are judged.

    `-` as a file or an output means standard input or output. The files of two folders are paired by their rolls, not by their
    names. A zip file, a tar file or a database counts as a folder.

    With more than two files the result names the outlier and the decisions in dispute, and judges nothing. One folder, or more than
    two, give this for every match with several analyses. An OGXM document counts as a file for each of its analyses.

    Example: reconcile compare match.xg match.sgf --html gap.html
    """
    from dataclasses import replace

    from reconcile.files.aliases import load_aliases
    from reconcile.formats import files_given, load_match
    from reconcile.gap.comparison import compare as compare_matches
    from reconcile.gap.pairing import PLAYERS, anonymised, seat_of
    from reconcile.gap.review import review
    from reconcile.gap.tolerances import load_tolerances
    from reconcile.report.ledger_file import check_ledger_path

    once_standard("LEFT, RIGHT and the files after them", *files)
    groups = load_aliases(aliases).groups
    options: dict[str, Any] = {"met": met, "player": player, "aliases": groups}
    of_two: dict[str, Any] = {"table": table, "left_rules": left_rules, "right_rules": right_rules}
    for_two, for_files = first_asked(ctx, FOR_TWO), first_asked(ctx, FOR_FILES)
    if (ledger := outputs.path("ledger")) is not None:
        check_ledger_path(ledger)
    chosen = (
        tolerances is not None
        or ctx.get_parameter_source("table") is click.core.ParameterSource.COMMANDLINE
    )
    of_two["tolerances"] = load_tolerances(tolerances) if chosen else None
    given = files_given(files, folders=analyse is None)
    if given.are_folders and for_files:
        raise click.UsageError(
            f"{for_files} is for two files; with folders use --html or --json, or name the two files"
        )
    if given.are_folders and outputs.path("html") == "-":
        raise click.UsageError(
            "--html needs a folder for its pages when folders are compared, not -"
        )
    if len(given.paths) < 2 and not given.are_folders and analyse is None:
        raise click.UsageError(
            f"expected a second file, or --analyse ENGINE:PLIES to make one, found only {files[0]}"
        )
    matches = [] if analyse is None else _analysed(given.paths, analyse, met, quiet=outputs.quiet)
    sides = len(matches or given.paths)
    if sides != 2 and for_two:
        raise click.UsageError(
            f"{for_two} is for two files: with more nothing is judged; compare two of them, or leave it out"
        )
    options |= of_two if sides == 2 else {}
    result: Comparison | Review | FolderResult
    suite, trouble = "reconcile compare", ""
    needs: dict[str, tuple[object, ...]] = {"ledger": (ledger, most)}
    if not given.are_folders:
        matches = matches or [load_match(path, met=met) for path in given.paths]
        if corpus is not None:
            options["usual"] = _usual(corpus, matches)
        named = matches
        if anonymise:
            options["player"] = None if player is None else PLAYERS[seat_of(matches[0], player)]
            matches = list(anonymised(*matches, aliases=groups))
        twice = _given_twice(named, [match.source.path for match in matches])
        if twice and not outputs.quiet and not (left_rules or right_rules):
            say(f"reconcile: {twice}")
        result = (
            compare_matches(matches[0], matches[1], **options)
            if sides == 2
            else review(*matches, **options)
        )
        if settle is not None:
            from reconcile.engines.rollout import other_table

            if (table := other_table(options["met"])) and not outputs.quiet:
                say(f"reconcile: {table}")
            result = replace(
                result,
                settlement=_rolled_out(result, settle, trials, settle_time, quiet=outputs.quiet),
            )
    else:
        from reconcile.gap.folders import compare_folders

        with progress(quiet=outputs.quiet) as show:
            folders = compare_folders(*given.paths, **options, progress=show)
        result, suite, trouble = folders, f"{suite} {' '.join(folders.folders)}", folders.trouble
        needs["html"] = (outputs.path("html"),)
    outputs.write_result(result, suite=suite, needs=needs)
    if trouble:
        say(f"reconcile: {trouble}")
    ctx.exit(result.exit_code(strict=outputs.strict, fail_on=outputs.fail_on))


FOR_TWO: Final = (
    "left_rules",
    "right_rules",
    "tolerances",
    "table",
    "corpus",
    "most",
    "strict",
    "fail_on",
    "github",
    "junit_",
    "ledger_",
)
"""Options of a comparison of two files, as parameters of the command: with more nothing is judged, and nothing is left or right."""
FOR_FILES: Final = ("ledger_", "anonymise", "corpus", "settle")
"""Options of a comparison of files, which folders do not have."""


def _given_twice(matches: Sequence[Match], names: Sequence[str]) -> str:
    """That files are one file, byte for byte, where two are; a match of a database is another file for every number."""
    first: dict[tuple[str, str], str] = {}
    for match, name in zip(matches, names, strict=True):
        key = match.source.sha256, match.source.path.partition("#")[2]
        if key in first:
            return f"{first[key]} and {name} are one file, byte for byte, so nothing between them can differ; give another analysis"
        first[key] = name
    return ""


def _usual(corpus: str, pair: Sequence[Match]) -> tuple[float, ...]:
    """The gaps between two such analyses in a user's archive."""
    from pathlib import Path

    from reconcile.gap.usual import analysis_of, load_usual

    left, right = (analysis_of(match) for match in pair)
    if not Path(corpus).is_dir():
        return load_usual(corpus).between(left, right)
    from reconcile.corpus import needs_pyarrow

    needs_pyarrow()
    from reconcile.corpus.assembly import load_corpus
    from reconcile.corpus.study.gaps import measured_gaps

    return measured_gaps(load_corpus(corpus), left, right)


def _analysed(files: Sequence[str], asked: str, met: str | None, *, quiet: bool) -> list[Match]:
    """The matches of the files, and after them the first as engines analyse it.

    A single file without an analysis is not among them if two engines analyse it.
    """
    import os

    from reconcile.engines.second_opinion import analysed, engines_asked
    from reconcile.files.bundled import cache_folder
    from reconcile.formats import load_match

    matches = [load_match(path, met=met) for path in files]
    engines = engines_asked(asked)
    match = matches[0]
    with progress(quiet=quiet) as show:

        def by(engine: str, plies: int) -> Match:
            def shown(done: int, total: int) -> None:
                show(f"{engine} analyses", done, total)

            return analysed(
                match,
                engine,
                plies,
                threads=os.cpu_count() or 1,
                cache=cache_folder(),
                progress=shown,
            ).match

        made = [by(*engine) for engine in engines]
    alone = (
        len(matches) == 1
        and len(made) > 1
        and not (match.plays.analysed.any() or match.cubes.analysed.any())
    )
    return made if alone else [*matches, *made]


def _rolled_out(
    result: Comparison | Review, most: int, trials: int, seconds: float, *, quiet: bool
) -> Settlement:
    """The first `most` decisions in dispute, rolled out by gnuBG within a number of seconds. Raises `EngineError`."""
    import os

    from reconcile.engines.gnubg import find
    from reconcile.engines.rollout import Question, can_be_rolled_out, roll_out
    from reconcile.files.bundled import cache_folder
    from reconcile.gap.settle import settlement, with_rollout

    program = find()
    asked = [(one, Question(one.asked, one.plays)) for one in result.to_settle]
    chosen = [(one, question) for one, question in asked if can_be_rolled_out(question)][:most]
    with progress(quiet=quiet) as show:
        values = roll_out(
            [question for _, question in chosen],
            program,
            trials=trials,
            timeout=seconds,
            jobs=os.cpu_count() or 1,
            cache=cache_folder(),
            progress=lambda done, total: show("rolling out", done, total),
        )
    decisions = [
        with_rollout(one, (value.equities, value.errors) if value else None)
        for (one, _), value in zip(chosen, values, strict=True)
    ]
    return settlement("gnuBG", program.version, trials, decisions, result.labels)
