"""`reconcile compare`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from reconcile.cli.common import WITHIN, Seconds, needs_pyarrow, once_standard, progress, say
from reconcile.cli.many import compare_folders_of_several, compare_several, ogxm_of, only_for_many, only_for_two
from reconcile.cli.outputs import JSON, Form, Outputs, writes

if TYPE_CHECKING:
    from reconcile.gap.comparison import Comparison
    from reconcile.gap.folders import FolderResult
    from reconcile.gate.judged_figures import Part
    from reconcile.match import Match


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="LEFT [RIGHT] [MORE]...")
@click.option(
    "--analyse",
    metavar="ENGINE:PLIES",
    help="Beside the files: the analysis of the first one's transcript by gnubg:PLIES or bgsage:PLIES; PLIES alone means gnuBG's. "
    "Several are separated by commas, as gnubg:2,bgsage:3.",
)
@click.option("--left-rules", metavar="NAME|FILE", help="Rule set for LEFT, or a .yaml file of one (default: that of its tool).")
@click.option("--right-rules", metavar="NAME|FILE", help="Rule set for RIGHT, or a .yaml file of one (default: that of its tool).")
@click.option("--consensus-rules", metavar="NAME|FILE", help="Rule set of the consensus of more than two files (default: xg).")
@click.option("--met", metavar="NAME|FILE", help="Match equity table for all sides.")
@click.option("--tolerances", metavar="FILE", help="File of tolerance tables (default: the one bundled with the program).")
@click.option("--table", default="documented", show_default=True, metavar="ID", help="Table of tolerances to use.")
@click.option("--player", metavar="NAME", help="Only this player's figures; NAME#1 or NAME#2 where both have one name.")
@click.option("--aliases", metavar="FILE", help="YAML file of players' name variants.")
@click.option(
    "--corpus",
    metavar="DIR|FILE",
    help="Say how large the gap is beside those of your own archive: tables of `reconcile corpus`, or a file of `corpus-report --usual` "
    "(default: the program's own table).",
)
@click.option("--anonymise", is_flag=True, help="Remove names of players, events and files, and SHA-256 sums, from all outputs.")
@click.option(
    "--order",
    type=click.Choice(["symmetric", "documented", "shapley"]),
    default="symmetric",
    show_default=True,
    help="How a bridge is walked: symmetric is the mean of both directions, documented goes from left to right, shapley is the mean of "
    "both directions and of all orders of the rules.",
)
@click.option(
    "--settle",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Have gnuBG roll out the N decisions in dispute with most at stake: who is right.",
)
@click.option(
    "--trials", type=click.IntRange(36, 100_000), default=1296, show_default=True, metavar="N", help="Games of each rollout of --settle."
)
@click.option("--settle-time", type=Seconds(), default=600, show_default=True, metavar="S", help="Seconds that all rollouts may take.")
@writes(
    Form("html", "Write an HTML report; for folders, an index and a page per pair into DIR.", "FILE|DIR"),
    JSON,
    Form("markdown", "Write a Markdown report."),
    Form("ledger", "Write each decision's share of every gap, as .csv or .parquet."),
    Form("positions", "Write the decisions that move PR most, one per line with XGID and gnuBG ID."),
    Form("ogxm", "Write all the analyses into one OGXM document (needs the package ogxm)."),
    gate=True,
    quiet="Print only errors and the outputs asked for.",
)
@click.option(
    "--most", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="Number of lines that --positions writes."
)
@click.pass_context
def compare(
    ctx: click.Context,
    files: tuple[str, ...],
    analyse: str | None,
    left_rules: str | None,
    right_rules: str | None,
    consensus_rules: str | None,
    met: str | None,
    tolerances: str | None,
    table: str,
    player: str | None,
    aliases: str | None,
    corpus: str | None,
    anonymise: bool,
    order: str,
    most: int,
    settle: int | None,
    trials: int,
    settle_time: float,
    outputs: Outputs,
) -> None:
    """Compare two files of one match, each under its own rules, and judge the gaps; or compare two folders of matches.

    `-` as a file or an output means standard input or output. The files of two folders are paired by the rolls in them, whatever
    their names. A zip file, a tar file or a database counts as a folder.

    With more than two files: who is the outlier, which decisions are in dispute, and a consensus. Nothing is judged then. One folder, or
    more than two: the same for every match of which they have several analyses. An OGXM document counts as a file for each of its analyses.

    Example: reconcile compare match.xg match.sgf --html gap.html
    """
    from reconcile.adapters import analyses_in
    from reconcile.files.aliases import load_aliases
    from reconcile.gap.comparison import compare as compare_matches
    from reconcile.gap.folders import compare_folders, hold_several
    from reconcile.gap.tolerances import load_tolerances

    files = tuple(address for path in files for address in analyses_in(path))
    several = len(files) != 2 and analyse is None and hold_several(*files)
    if len(files) == 1 and analyse is None and not several:
        raise click.UsageError(f"expected a second file, or --analyse ENGINE:PLIES to make one, found only {files[0]}")
    once_standard("LEFT, RIGHT and the files after them", *files)
    groups = load_aliases(aliases).groups
    options: dict[str, Any] = {"met": met, "player": player, "order": order}
    of_two: dict[str, Any] = {"table": table, "left_rules": left_rules, "right_rules": right_rules, "aliases": groups}
    if several or len(files) > 2:
        only_for_two(ctx)
    elif analyse is None:
        only_for_many(consensus_rules)
    if several:
        _for_two_files(outputs, anonymise, corpus, settle)
        ctx.exit(compare_folders_of_several(files, outputs, groups, consensus_rules=consensus_rules, **options))
    left, right = files[0], files[1] if len(files) == 2 and analyse is None else None
    chosen = tolerances is not None or ctx.get_parameter_source("table") is click.core.ParameterSource.COMMANDLINE
    bounds = load_tolerances(tolerances) if chosen else None
    if right is not None and hold_several(left, right):
        _for_two_files(outputs, anonymise, corpus, settle)
        with progress(quiet=outputs.quiet) as show:
            folders = compare_folders(left, right, bounds, **of_two, **options, progress=show)
        _write_folders(folders, outputs)
        ctx.exit(folders.exit_code(strict=outputs.strict, fail_on=outputs.fail_on))
    if (ledger := outputs.path("ledger")) is not None:
        from reconcile.report.ledger_file import check_ledger_path

        check_ledger_path(ledger)
    matches = _loaded(files, analyse, quiet=outputs.quiet)
    if len(matches) > 2:
        only_for_two(ctx)
        rollouts = None if settle is None else (settle, trials, settle_time)
        several_options = {"consensus_rules": consensus_rules, **options}
        compare_several(matches, outputs, groups, anonymise=anonymise, settle=rollouts, **several_options)
        ctx.exit(WITHIN)
    only_for_many(consensus_rules)
    pair = (matches[0], matches[1])
    if anonymise:
        from reconcile.gap.naming import PLAYERS, anonymised
        from reconcile.gap.pairing import seat_of

        options["player"] = None if player is None else PLAYERS[seat_of(pair[0], player)]
        left_match, right_match = anonymised(*pair, aliases=groups)
        pair = (left_match, right_match)
    usual = None if corpus is None else _usual(corpus, pair)
    result = compare_matches(pair[0], pair[1], bounds, **of_two, **options, usual=usual)
    if settle is not None:
        from reconcile.cli.many import settle as settled_by_gnubg

        result = settled_by_gnubg(result, settle, trials, settle_time, quiet=outputs.quiet)
    _write(result, outputs, most, ogxm_of(pair, groups))
    ctx.exit(result.exit_code(strict=outputs.strict, fail_on=outputs.fail_on))


def _usual(corpus: str, pair: tuple[Match, Match]) -> tuple[float, ...]:
    """The gaps between two such analyses in a user's archive."""
    from pathlib import Path

    from reconcile.gap.usual import analysis_of

    left, right = (analysis_of(match) for match in pair)
    if not Path(corpus).is_dir():
        from reconcile.gap.usual_table import load_usual

        return load_usual(corpus).between(left, right)
    from reconcile.corpus.assembly import load_corpus
    from reconcile.corpus.study.gaps import measured_gaps

    needs_pyarrow()
    return measured_gaps(load_corpus(corpus), left, right)


def _for_two_files(outputs: Outputs, anonymise: bool, corpus: str | None, settle: int | None) -> None:
    """Raise a usage error where two folders are asked for what only two files give."""
    asked = {
        "ledger": outputs.path("ledger"),
        "positions": outputs.path("positions"),
        "ogxm": outputs.path("ogxm"),
        "anonymise": anonymise,
        "corpus": corpus,
        "settle": settle,
    }
    for name, given in asked.items():
        if given:
            raise click.UsageError(f"--{name} is for two files; with folders use --html or --json, or name the two files")
    if outputs.path("html") == "-":
        raise click.UsageError("--html needs a folder for its pages when folders are compared, not -")


def _loaded(files: Sequence[str], asked: str | None, *, quiet: bool) -> list[Match]:
    """The matches of the files, and after them the first as engines analyse it, where that is asked for.

    A single file without an analysis is not among them if two engines analyse it.
    """
    from reconcile.adapters import load_match

    matches = [load_match(path) for path in files]
    if asked is None:
        return matches
    import os

    from reconcile.engines.second_opinion import analysed, engines_asked
    from reconcile.files.bundled import cache_folder

    engines = engines_asked(asked)
    match = matches[0]
    with progress(quiet=quiet) as show:

        def by(engine: str, plies: int) -> Match:
            def shown(done: int, total: int) -> None:
                show(f"{engine} analyses", done, total)

            return analysed(match, engine, plies, threads=os.cpu_count() or 1, cache=cache_folder(), progress=shown).match

        made = [by(*engine) for engine in engines]
    alone = len(matches) == 1 and len(made) > 1 and not (match.plays.analysed.any() or match.cubes.analysed.any())
    return made if alone else [*matches, *made]


def _write(result: Comparison, outputs: Outputs, most: int, ogxm: Callable[[], bytes]) -> None:
    """Every output of two files."""
    from reconcile.document import dumps
    from reconcile.gap.contributions import disagreements, disagreements_text
    from reconcile.report.ci.markdown.comparison import comparison_markdown
    from reconcile.report.html.render import comparison_page
    from reconcile.report.ledger_file import ledger_content, ledger_frame
    from reconcile.report.text.comparison import comparison_text, print_comparison
    from reconcile.results.comparison import comparison_document

    def parts() -> list[Part]:
        from reconcile.report.text.pack import part_of

        return [part_of(result)]

    outputs.write(
        {
            "html": lambda: comparison_page(result),
            "ogxm": ogxm,
            "json": lambda: dumps(comparison_document(result)),
            "markdown": lambda: comparison_markdown(result),
            "ledger": lambda: ledger_content(ledger_frame(result.walk), outputs.paths["ledger"]),
            "positions": lambda: disagreements_text(disagreements(result.walk, most)),
        },
        lambda: comparison_text(result),
        printed=lambda file: print_comparison(result, file),
        suite="reconcile compare",
        parts=parts,
    )


def _write_folders(result: FolderResult, outputs: Outputs) -> None:
    """Every output of two folders."""
    from reconcile.document import dumps
    from reconcile.gate.judged_figures import folder_parts
    from reconcile.report.ci.markdown.pack import folder_markdown
    from reconcile.report.html.many import folder_pages
    from reconcile.report.text.folders import folder_text, print_folders
    from reconcile.results.review import folder_document

    outputs.write(
        {
            "html": lambda: folder_pages(result, outputs.paths["html"]),
            "json": lambda: dumps(folder_document(result)),
            "markdown": lambda: folder_markdown(result),
        },
        lambda: folder_text(result),
        printed=lambda file: print_folders(result, file),
        suite=f"reconcile compare {result.left} {result.right}",
        parts=lambda: folder_parts(result),
    )
    if result.trouble:
        say(f"reconcile: {result.trouble}")
