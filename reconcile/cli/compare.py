"""`reconcile compare`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from reconcile.cli.common import (
    TOLERANCES,
    Grouped,
    aliases,
    first_asked,
    is_asked,
    once_standard,
    option,
    progress,
    refuse,
    say,
)
from reconcile.cli.outputs import JSON, ONLY_ASKED, Outputs, writes
from reconcile.files.output import STANDARD

if TYPE_CHECKING:
    from reconcile.gap.comparison import Comparison
    from reconcile.gap.folders import FolderResult
    from reconcile.gap.review import Review
    from reconcile.match.match import Match

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
    "junit",
    "ledger",
)
"""Options of a comparison of two files, as parameters of the command: with more nothing is judged,
and nothing is left or right."""


@click.command(
    cls=Grouped,
    groups={
        "Files": "--analyse --player --aliases --anonymise",
        "Outputs": "--html --json --markdown --ledger --most",
        "Rules": "--left-rules --right-rules --met",
        "Judging": "--tolerances --table --strict --fail-on --corpus --junit --github",
        "Other": "--quiet --help",
    },
)
@click.argument("files", nargs=-1, required=True, metavar="LEFT [RIGHT] [MORE]...")
@option(
    "--analyse ENGINE:PLIES",
    "Also analyse the transcript of the first file, by gnubg:PLIES or bgsage:PLIES; PLIES alone "
    "means gnuBG. Several are separated by commas, as gnubg:2,bgsage:3.",
)
@option(
    "--left-rules NAME|FILE",
    "Rule set for LEFT, or a .yaml file of one (default: that of its tool).",
)
@option(
    "--right-rules NAME|FILE",
    "Rule set for RIGHT, or a .yaml file of one (default: that of its tool).",
)
@option("--met NAME|FILE", "Match equity table for all sides.")
@TOLERANCES
@option("--table ID", "Table of tolerances to use.", default="documented")
@option(
    "--player NAME",
    "Only this player's figures: any part of the name that no other player has; NAME#1 or NAME#2 "
    "if both players have the same name.",
)
@aliases()
@option(
    "--corpus DIR|FILE",
    "Compare the size of the gap with your own archive: tables of `reconcile corpus`, or a file of "
    "`corpus-report --usual` (default: the program's own table).",
)
@option(
    "--anonymise",
    "Remove names of players, events and files, and SHA-256 sums, from all outputs.",
)
@writes(
    (
        "--html FILE|DIR",
        "Write an HTML report; for a folder, an index and a page per match into DIR.",
    ),
    JSON,
    ("--markdown FILE", "Write a Markdown report."),
    (
        "--ledger FILE.csv|FILE.txt",
        "Write each decision's share of every gap, as .csv or .parquet; as .txt the decisions that "
        "move PR most (PR of checker plays where it is unknown), one per line with XGID and gnuBG "
        "ID.",
    ),
    gate=True,
    quiet=ONLY_ASKED,
)
@option(
    "--most N",
    "Number of lines of --ledger FILE.txt.",
    type=click.IntRange(min=1),
    default=20,
)
@click.pass_context
def compare(ctx: click.Context, /, files: tuple[str, ...], outputs: Outputs, **asked: Any) -> None:
    """Compare analyses of one match, or of matches in a folder.

    Each analysis is counted under the rules of its program, and the gaps are judged.

    `-` as a file or an output means standard input or output.

    With more than two files the result names the outlier and the decisions in dispute, and judges
    nothing. A folder, alone, gives this for every match with several analyses, which are found by
    their rolls, not by their names; a zip file, a tar file or a database counts as a folder. Each
    analysis in an OGXM document counts as a file.

    Example: reconcile compare match.xg match.sgf --html gap.html
    """
    from reconcile.formats import analyses_in
    from reconcile.match.aliases import load_aliases
    from reconcile.report.ledger_file import check_ledger_path

    once_standard("LEFT, RIGHT and the files after them", *files)
    options = {name: asked[name] for name in ("met", "player")}
    options["aliases"] = load_aliases(asked["aliases"]).groups
    judging, ledger = _judging(ctx, asked), outputs.path("ledger")
    if ledger is not None:
        check_ledger_path(ledger)
    paths = [address for path in files for address in analyses_in(path)]
    folder = _folder(paths, outputs, asked)
    matches = _analysed(paths, asked, quiet=outputs.quiet) if asked["analyse"] else []
    options |= judging if len(matches or paths) == 2 else _nothing_judged(ctx)
    result: Comparison | Review | FolderResult
    if folder:
        result = _folder_compared(folder, options, outputs)
    else:
        result = _compared(matches, paths, options, asked, quiet=outputs.quiet)
        needs = {"ledger": (ledger, asked["most"])}
        outputs.write_result(result, suite="reconcile compare", needs=needs)
    ctx.exit(result.exit_code(strict=outputs.strict, fail_on=outputs.fail_on))


def _folder_compared(path: str, options: Mapping[str, Any], outputs: Outputs) -> FolderResult:
    """The matches of a folder compared, the result written."""
    from reconcile.gap.folders import compare_folder

    with progress(quiet=outputs.quiet) as show:
        result = compare_folder(path, **options, progress=show)
    outputs.write_result(result, needs={"html": (outputs.path("html"),)})
    if result.trouble:
        say(f"reconcile: {result.trouble}")
    return result


def _nothing_judged(ctx: click.Context) -> dict[str, Any]:
    """Nothing, as more than two sides have it. Raises a usage error for an option of two."""
    unfit = first_asked(ctx, FOR_TWO)
    remedy = "with more nothing is judged; compare two of them, or leave it out"
    refuse((unfit, f"{unfit} is for two files: {remedy}"))
    return {}


def _judging(ctx: click.Context, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What judges two sides."""
    from reconcile.gap.tolerances import load_tolerances

    chosen = asked["tolerances"] is not None or is_asked(ctx, "table")
    tolerances = load_tolerances(asked["tolerances"]) if chosen else None
    rules = {side: asked[side] for side in ("left_rules", "right_rules")}
    return {"tolerances": tolerances, "table": asked["table"], **rules}


def _folder(paths: Sequence[str], outputs: Outputs, asked: Mapping[str, Any]) -> str:
    """The folder that is compared; empty for files. Raises a usage error for a folder beside
    anything else, a file alone, and what a folder cannot have."""
    from reconcile.formats import has_many, is_folder

    if asked["analyse"] is not None:
        return ""
    folder = next(filter(is_folder, paths), "")
    alone = has_many(paths[0]) if len(paths) == 1 else False
    refuse(
        (
            folder and not alone,
            f"{folder} is a folder, and a folder is compared alone: put all files into one folder "
            "and compare that, or judge them with `reconcile new-match` and `reconcile validate "
            "--candidate`",
        ),
        (
            len(paths) < 2 and not alone,
            f"expected a second file, or --analyse ENGINE:PLIES to make one, found only {paths[0]}",
        ),
        (alone and asked["anonymise"], "--anonymise is for files; with a folder leave it out"),
        (
            alone and outputs.path("html") == STANDARD,
            "--html needs a folder for its pages when a folder is compared, not -",
        ),
    )
    return paths[0] if alone else ""


def _compared(
    matches: Sequence[Match],
    paths: Sequence[str],
    options: dict[str, Any],
    asked: Mapping[str, Any],
    *,
    quiet: bool,
) -> Comparison | Review:
    """Files compared: the matches if they are read already, else those at the paths."""
    from reconcile.formats import load_match
    from reconcile.gap.comparison import compare as compare_matches
    from reconcile.gap.pairing import PLAYERS, anonymised, seat_of
    from reconcile.gap.review import review

    named = matches = matches or [load_match(path, met=options["met"]) for path in paths]
    if asked["corpus"] is not None:
        options["usual"] = _usual(asked["corpus"], matches)
    if asked["anonymise"]:
        if (player := options["player"]) is not None:
            options["player"] = PLAYERS[seat_of(matches[0], player)]
        matches = list(anonymised(*matches, aliases=options["aliases"]))
    twice = _given_twice(named, [match.source.path for match in matches])
    if twice and not quiet and not (asked["left_rules"] or asked["right_rules"]):
        say(f"reconcile: {twice}")
    if len(matches) == 2:
        return compare_matches(matches[0], matches[1], **options)
    return review(*matches, **options)


def _given_twice(matches: Sequence[Match], names: Sequence[str]) -> str:
    """That files are one file, byte for byte, where two are; a match of a database is another file
    for every number."""
    first: dict[tuple[str, str], str] = {}
    for match, name in zip(matches, names, strict=True):
        key = match.source.sha256, match.source.path.partition("#")[2]
        if key in first:
            return (
                f"{first[key]} and {name} are one file, byte for byte, so nothing between them can "
                "differ; give another analysis"
            )
        first[key] = name
    return ""


def _usual(corpus: str, pair: Sequence[Match]) -> tuple[float, ...]:
    """The gaps between two such analyses in a user's archive."""
    from pathlib import Path

    from reconcile.gap.usual import UsualPair, UsualTable, analysis_of, load_usual

    left, right = (analysis_of(match) for match in pair)
    if not Path(corpus).is_dir():
        return load_usual(corpus).between(left, right)
    from reconcile.corpus import needs_pyarrow

    needs_pyarrow()
    from reconcile.corpus.assembly import load_corpus
    from reconcile.corpus.study import usual_pairs

    pairs = tuple(UsualPair(**pair) for pair in usual_pairs(load_corpus(corpus)))
    return UsualTable(pairs).between(left, right)


def _analysed(files: Sequence[str], asked: Mapping[str, Any], *, quiet: bool) -> list[Match]:
    """The matches of the files, and after them the first as engines analyse it.

    A single file without an analysis is not among them if two engines analyse it.
    """
    from reconcile.engines.second_opinion import analysed, engines_asked
    from reconcile.files.bundled import cache_folder
    from reconcile.formats import load_match

    matches = [load_match(path, met=asked["met"]) for path in files]
    opinions = []
    for engine, plies in engines_asked(asked["analyse"]):
        with progress(quiet=quiet) as show:
            opinion = analysed(
                matches[0],
                engine,
                plies,
                threads=os.cpu_count() or 1,
                cache=cache_folder(),
                progress=partial(show, f"{engine} analyses"),
            )
        opinions.append(opinion.match)
    plain = not (matches[0].plays.analysed.any() or matches[0].cubes.analysed.any())
    return opinions if plain and len(matches) == 1 < len(opinions) else [*matches, *opinions]
