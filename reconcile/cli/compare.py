"""`reconcile compare`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from reconcile.cli.common import once_standard, progress, say
from reconcile.cli.gate import Outputs, gate_options, gate_outputs
from reconcile.cli.streams import echo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reconcile.gap.tolerances import Tolerances
    from reconcile.match import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The options of one run of `compare`."""

    left: str
    right: str
    analyse: int | None
    left_rules: str | None
    right_rules: str | None
    met: str | None
    tolerances: str | None
    table: str
    player: str | None
    aliases: str | None
    html: str | None
    json: str | None
    markdown: str | None
    ledger: str | None
    positions: str | None
    most: int
    anonymise: bool
    order: str
    junit: str | None
    github: bool
    strict: bool
    fail_on: str
    quiet: bool


@click.command()
@click.argument("left")
@click.argument("right", required=False)
@click.option(
    "--analyse", type=click.IntRange(0, 4), metavar="PLIES", help="Instead of RIGHT: compare with gnuBG's analysis of LEFT's transcript."
)
@click.option("--left-rules", metavar="NAME", help="Rule set for LEFT (default: that of its tool).")
@click.option("--right-rules", metavar="NAME", help="Rule set for RIGHT (default: that of its tool).")
@click.option("--met", metavar="NAME|FILE", help="Match equity table for both sides.")
@click.option("--tolerances", metavar="FILE", help="File of tolerance tables (default: the one bundled with the program).")
@click.option("--table", default="documented", show_default=True, metavar="ID", help="Table of tolerances to use.")
@click.option("--player", metavar="NAME", help="Only this player's figures.")
@click.option("--aliases", metavar="FILE", help="YAML file of players' name variants.")
@click.option("--html", metavar="FILE|DIR", help="Write an HTML report; for folders, an index and a page per pair into DIR.")
@click.option("--json", metavar="FILE", help="Write the result as JSON.")
@click.option("--markdown", metavar="FILE", help="Write a Markdown report.")
@click.option("--ledger", metavar="FILE", help="Write each decision's share of every gap, as .csv or .parquet.")
@click.option("--positions", metavar="FILE", help="Write the decisions that move PR most, one per line with XGID and gnuBG ID.")
@click.option(
    "--most", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="Number of lines that --positions writes."
)
@click.option("--anonymise", is_flag=True, help="Remove names of players, events and files, and SHA-256 sums, from all outputs.")
@click.option(
    "--order",
    type=click.Choice(["documented", "shapley"]),
    default="documented",
    show_default=True,
    help="Order in which a bridge switches the rules; shapley averages over all orders.",
)
@gate_options
@click.pass_context
def compare(ctx: click.Context, /, **options: Any) -> None:
    """Compare two files of one match, each under its own rules, and judge the gaps; or compare two folders of matches.

    `-` as a file or an output means standard input or output. The files of two folders are paired by the rolls in them, whatever
    their names. A zip file, a tar file or a database counts as a folder.

    Example: reconcile compare match.xg match.sgf --html gap.html
    """
    from reconcile.files.aliases import load_aliases
    from reconcile.gap.folders import hold_several
    from reconcile.gap.tolerances import load_tolerances

    if (options["right"] is None) == (options["analyse"] is None):
        found = "both" if options["right"] else f"only {options['left']}"
        raise click.UsageError(f"expected a second file, or --analyse PLIES to make one with gnuBG, found {found}")
    asked = Asked(**options | {"right": options["right"] or ""})
    once_standard("LEFT and RIGHT", asked.left, asked.right)
    once_standard(
        "--json, --markdown, --html, --ledger, --positions, --junit and the annotations of --github",
        *(asked.json, asked.markdown, asked.html, asked.ledger, asked.positions, asked.junit, "-" if asked.github else None),
    )
    run = _folders if asked.analyse is None and hold_several(asked.left, asked.right) else _files
    ctx.exit(run(asked, load_tolerances(asked.tolerances), load_aliases(asked.aliases).groups))


def _files(asked: Asked, bounds: Tolerances, groups: Sequence[Sequence[str]]) -> int:
    """Two files of one match."""
    from reconcile.adapters import load_match
    from reconcile.files.output import write_all
    from reconcile.gap.comparison import compare as compare_matches

    if asked.ledger is not None:
        from reconcile.report.ledger_file import check_ledger_path

        check_ledger_path(asked.ledger)
    player = asked.player
    left = load_match(asked.left)
    pair = left, load_match(asked.right) if asked.analyse is None else _analysed(left, asked.analyse, quiet=asked.quiet)
    if asked.anonymise:
        from reconcile.gap.anonymise import PLAYERS, anonymised
        from reconcile.gap.pairing import seat_of

        player = None if player is None else PLAYERS[seat_of(pair[0], player)]
        pair = anonymised(*pair, groups)
    result = compare_matches(
        *pair,
        bounds,
        table=asked.table,
        left_rules=asked.left_rules,
        right_rules=asked.right_rules,
        met=asked.met,
        aliases=groups,
        player=player,
        order=asked.order,
    )
    outputs = Outputs()

    def in_markdown() -> str:
        from reconcile.report.ci.markdown.comparison import comparison_markdown

        return comparison_markdown(result)

    if asked.html is not None:
        from reconcile.report.html.render import comparison_page

        outputs.add(asked.html, lambda: comparison_page(result, tolerances=bounds))
    if asked.json is not None:
        from reconcile.results.comparison import comparison_document
        from reconcile.results.documents import dumps

        outputs.add(asked.json, lambda: dumps(comparison_document(result)))
    outputs.add(asked.markdown, in_markdown)
    if asked.ledger is not None:
        from reconcile.report.ledger_file import ledger_content, ledger_frame

        ledger = asked.ledger
        outputs.add(ledger, lambda: ledger_content(ledger_frame(result.walk), ledger))
    if asked.positions is not None:
        from reconcile.gap.disagreements import disagreements, disagreements_text

        outputs.add(asked.positions, lambda: disagreements_text(disagreements(result.walk, asked.most)))
    if asked.junit is not None or asked.github:
        from reconcile.report.text.judged import part_of

        gate_outputs(
            outputs,
            "reconcile compare",
            [part_of(result)],
            junit=asked.junit,
            github=asked.github,
            strict=asked.strict,
            fail_on=asked.fail_on,
            markdown=in_markdown,
        )
    write_all(outputs.written, outputs.appended)
    if not asked.quiet:
        from reconcile.report.text.comparison import comparison_text, print_comparison

        if asked.github:
            from reconcile.report.ci.github import harmless

            echo(harmless(comparison_text(result)), nl=False, err=True)
        else:
            print_comparison(result, file=sys.stderr if outputs.standard else sys.stdout)
        for path in outputs.files:
            say(f"wrote {path}")
    return result.exit_code(strict=asked.strict, fail_on=asked.fail_on)


def _analysed(left: Match, plies: int, *, quiet: bool) -> Match:
    """The match as gnuBG analyses it."""
    import os

    from reconcile.engines.analysis import analyse
    from reconcile.engines.gnubg import find
    from reconcile.files.cache import cache_folder

    with progress(quiet=quiet) as show:
        return analyse(
            left,
            find(),
            plies=plies,
            threads=os.cpu_count() or 1,
            cache=cache_folder(),
            progress=lambda done, total: show("analysing", done, total),
        ).match


def _folders(asked: Asked, bounds: Tolerances, groups: Sequence[Sequence[str]]) -> int:
    """Two folders of matches."""
    from reconcile.files.output import write_all
    from reconcile.gap.folders import compare_folders
    from reconcile.report.ci.markdown.folders import folder_markdown
    from reconcile.report.html.folders import folder_pages
    from reconcile.report.text.folders import folder_text, print_folders

    for name, given in (("--ledger", asked.ledger), ("--positions", asked.positions), ("--anonymise", asked.anonymise)):
        if given:
            raise click.UsageError(f"{name} is for two files; with folders use --html or --json, or name the two files")
    if asked.html == "-":
        raise click.UsageError("--html needs a folder for its pages when folders are compared, not -")
    with progress(quiet=asked.quiet) as show:
        result = compare_folders(
            asked.left,
            asked.right,
            bounds,
            table=asked.table,
            left_rules=asked.left_rules,
            right_rules=asked.right_rules,
            met=asked.met,
            aliases=groups,
            player=asked.player,
            order=asked.order,
            progress=show,
        )
    outputs = Outputs()
    if asked.json is not None:
        from reconcile.results.comparison import folder_document
        from reconcile.results.documents import dumps

        outputs.add(asked.json, lambda: dumps(folder_document(result)))
    outputs.add(asked.markdown, lambda: folder_markdown(result))
    if asked.junit is not None or asked.github:
        from reconcile.gate.judged_figures import folder_parts

        gate_outputs(
            outputs,
            f"reconcile compare {result.left} {result.right}",
            list(folder_parts(result)),
            junit=asked.junit,
            github=asked.github,
            strict=asked.strict,
            fail_on=asked.fail_on,
            markdown=lambda: folder_markdown(result),
        )
    pages = [] if asked.html is None else folder_pages(result, asked.html, tolerances=bounds)
    write_all([*outputs.written, *pages], outputs.appended)
    if not asked.quiet:
        if asked.github:
            from reconcile.report.ci.github import harmless

            echo(harmless(folder_text(result)), nl=False, err=True)
        else:
            print_folders(result, file=sys.stderr if outputs.standard else sys.stdout)
        for path in [*outputs.files, *([f"{asked.html}/index.html"] if asked.html is not None else [])]:
            say(f"wrote {path}")
    if result.trouble:
        say(f"reconcile: {result.trouble}")
    return result.exit_code(strict=asked.strict, fail_on=asked.fail_on)
