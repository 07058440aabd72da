"""`reconcile compare`."""

from __future__ import annotations

from typing import Any

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
    trouble,
)
from reconcile.cli.outputs import JSON, LANGUAGE, ONLY_ASKED, Outputs, check_language, writes
from reconcile.files.output import STANDARD

FOR_TWO = (
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


def _standard_once(
    _context: click.Context, _parameter: click.Parameter, files: tuple[str, ...]
) -> tuple[str, ...]:
    once_standard("LEFT, RIGHT and the files after them", *files)
    return files


@click.command(
    cls=Grouped,
    groups={
        "Files": "--analyse --player --aliases --anonymise",
        "Outputs": "--html --language --json --markdown --ledger --most",
        "Rules": "--left-rules --right-rules --met",
        "Judging": "--tolerances --table --strict --fail-on --corpus --junit --github",
        "Other": "--quiet --help",
    },
)
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="LEFT [RIGHT] [MORE]...",
    callback=_standard_once,
)
@option(
    "--analyse ENGINE:PLIES",
    "Also analyse the transcript of the first file, by gnubg:PLIES or sage:PLIES. PLIES alone "
    "means gnuBG, or without it Open Sage at one ply more, which looks equally far. Several are "
    "separated by commas, as gnubg:2,sage:3.",
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
@LANGUAGE
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
    from reconcile.gap.folders import FolderResult
    from reconcile.gap.tolerances import load_tolerances
    from reconcile.match.names import load_aliases
    from reconcile.report.decision_files import check_ledger_path
    from reconcile.report.of_files import compare_files

    ledger, html = outputs.path("ledger"), outputs.path("html")
    if ledger is not None:
        check_ledger_path(ledger)
    check_language(language := asked.pop("language"), html)
    needs = {"ledger": (ledger, asked.pop("most")), "html": (language,)}
    asked["for_two"] = first_asked(ctx, FOR_TWO)
    asked["for_files"] = "--html -" if html == STANDARD else first_asked(ctx, ["anonymise"])
    asked["aliases"] = load_aliases(asked["aliases"]).groups
    if asked["tolerances"] is not None or is_asked(ctx, "table"):
        asked["tolerances"] = load_tolerances(asked["tolerances"])
    asked["say"] = (lambda line: None) if outputs.quiet else trouble
    with progress(quiet=outputs.quiet) as show:
        result = compare_files(files, **asked, progress=show)
    outputs.write_result(result, suite="reconcile compare", needs=needs)
    if isinstance(result, FolderResult) and result.trouble:
        trouble(result.trouble)
    ctx.exit(result.exit_code(strict=outputs.strict, fail_on=outputs.fail_on))
