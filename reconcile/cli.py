"""The command line: arguments in, one function of the library called, results out, an exit code.

Exit codes: 0 within tolerance, 1 a figure out of tolerance, 2 could not compare. A mistake in what was given is one line on
standard error; a bug of ours keeps its traceback. Everything heavy is imported by the command that needs it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from reconcile import __version__
from reconcile.errors import ReconcileError

if TYPE_CHECKING:
    from reconcile.figures import Statistics

WITHIN, OUTSIDE, ERROR = 0, 1, 2
PIPE_CLOSED: Final = 141
INTERRUPTED: Final = 130
BUG: Final = 70
"""`EX_SOFTWARE` of sysexits."""


class _Tool(click.Group):
    """Turns what a user got wrong into one line and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ReconcileError as error:
            click.echo(f"reconcile: {' '.join(str(error).split())}", err=True)
            ctx.exit(ERROR)


@click.group(cls=_Tool, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="reconcile")
def main() -> None:
    """Recompute backgammon statistics under each tool's own rules, and compare them.

    Exit codes: 0 within tolerance, 1 a figure out of tolerance, 2 could not compare.
    """


def _say(text: str) -> None:
    click.echo(text, err=True)


def _once_standard(names: str, *paths: str | None) -> None:
    from reconcile.output import STANDARD

    if paths.count(STANDARD) > 1:
        raise click.UsageError(f"only one of {names} can be {STANDARD}")


@main.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--rules", metavar="NAME", help="Rule set to score by; by default that of the tool that wrote the file.")
@click.option("--met", metavar="NAME|FILE", help="Match equity table: a name of gnuBG's, or a path ending in .xml.")
@click.option("--per-game", is_flag=True, help="Show every game as well.")
@click.option("--pool", "pooled", is_flag=True, help="Put all files together by player: sums over sums, with 95 % intervals.")
@click.option("--aliases", metavar="FILE", help="YAML file of players' name variants, for --pool.")
@click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True)
@click.option("-o", "--output", default="-", metavar="FILE", help="Write there instead of to standard output.")
def stats(
    files: Sequence[str],
    rules: str | None,
    met: str | None,
    per_game: bool,
    pooled: bool,
    aliases: str | None,
    form: str,
    output: str,
) -> None:
    """Show the statistics of matches: decisions, equity and MWC lost, PR, error rates, luck."""
    from reconcile.adapters import load_match
    from reconcile.figures import statistics
    from reconcile.findings import findings_of
    from reconcile.output import write

    scored = [statistics(load_match(path), rules, met) for path in files]
    if pooled:
        _show_pool(scored, aliases, form, output)
        return
    if form == "table":
        _show_tables(scored, per_game, output)
        return
    if form == "json":
        from reconcile.documents import dumps, statistics_document

        documents = [statistics_document(one, per_game=per_game) for one in scored]
        write(output, dumps(documents[0] if len(documents) == 1 else documents))
    else:
        from reconcile.report.table import statistics_csv

        write(output, statistics_csv(scored, per_game=per_game))
    for one in scored:
        for finding in findings_of(one):
            if finding.severity != "info":
                _say(f"{one.match.source.path}: {finding.severity}: {finding.title}: {finding.evidence}")


def _show_pool(scored: Sequence[Statistics], aliases: str | None, form: str, output: str) -> None:
    from reconcile.aliases import load_aliases
    from reconcile.output import write
    from reconcile.pool import pool
    from reconcile.report.pool import pool_csv, pool_text

    players = pool(scored, load_aliases(aliases))
    if form == "json":
        from reconcile.documents import dumps, pool_document

        write(output, dumps(pool_document(players)))
    else:
        write(output, pool_csv(players) if form == "csv" else pool_text(players))


def _show_tables(scored: Sequence[Statistics], per_game: bool, output: str) -> None:
    from reconcile.output import STANDARD, write
    from reconcile.report.table import print_statistics, statistics_text

    if output == STANDARD and sys.stdout.isatty():
        for one in scored:
            print_statistics(one, per_game=per_game)
    else:
        write(output, "\n".join(statistics_text(one, per_game=per_game) for one in scored))


@main.command()
@click.argument("left")
@click.argument("right")
@click.option("--left-rules", metavar="NAME", help="Rule set for LEFT; by default that of its tool.")
@click.option("--right-rules", metavar="NAME", help="Rule set for RIGHT; by default that of its tool.")
@click.option("--met", metavar="NAME|FILE", help="Match equity table for both sides.")
@click.option("--tolerances", metavar="FILE", help="File of tolerance tables; by default the one that comes with the program.")
@click.option("--table", default="documented", show_default=True, metavar="ID", help="Table of tolerances to judge by.")
@click.option("--player", metavar="NAME", help="Only this player's figures.")
@click.option("--aliases", metavar="FILE", help="YAML file of players' name variants.")
@click.option("--html", metavar="FILE", help="Write a report in HTML.")
@click.option("--json", "json_", metavar="FILE", help="Write the result as JSON.")
@click.option("--markdown", metavar="FILE", help="Write a report in Markdown.")
@click.option("--ledger", metavar="FILE", help="Write every decision's share of every gap, as .csv or .parquet.")
@click.option("--positions", metavar="FILE", help="Write the decisions that move PR most, one a line with XGID and gnuBG ID.")
@click.option("--most", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="How many lines --positions has.")
@click.option("--anonymise", is_flag=True, help="Leave names of players, events and files and their SHA-256 out of every output.")
@click.option(
    "--order",
    type=click.Choice(["documented", "shapley"]),
    default="documented",
    show_default=True,
    help="Order in which a bridge switches the rules; shapley is the average over all orders.",
)
@click.option("--strict", is_flag=True, help="Incomplete figures fail, too.")
@click.option("--fail-on", type=click.Choice(["error", "warn"]), default="error", show_default=True, help="Lowest level that fails.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@click.pass_context
def compare(
    ctx: click.Context,
    left: str,
    right: str,
    left_rules: str | None,
    right_rules: str | None,
    met: str | None,
    tolerances: str | None,
    table: str,
    player: str | None,
    aliases: str | None,
    html: str | None,
    json_: str | None,
    markdown: str | None,
    ledger: str | None,
    positions: str | None,
    most: int,
    anonymise: bool,
    order: str,
    strict: bool,
    fail_on: str,
    quiet: bool,
) -> None:
    """Compare two files of one match, each under its own rules, and judge the gaps.

    `-` as a file or an output means standard input or output.
    """
    from reconcile.adapters import load_match
    from reconcile.aliases import load_aliases
    from reconcile.comparison import compare as compare_matches
    from reconcile.output import STANDARD, write_all
    from reconcile.tolerances import load_tolerances
    from reconcile.walk import Walk, bridges_of

    _once_standard("LEFT and RIGHT", left, right)
    _once_standard("--json, --markdown, --html, --ledger and --positions", json_, markdown, html, ledger, positions)
    if ledger is not None:
        from reconcile.ledger_file import check_ledger_path

        check_ledger_path(ledger)
    bounds = load_tolerances(tolerances)
    groups = load_aliases(aliases).groups
    pair = load_match(left), load_match(right)
    if anonymise:
        from reconcile.anonymise import PLAYERS, anonymised
        from reconcile.pairing import seat_of

        player = None if player is None else PLAYERS[seat_of(pair[0], player)]
        pair = anonymised(*pair, groups)
    result = compare_matches(
        *pair,
        bounds,
        table=table,
        left_rules=left_rules,
        right_rules=right_rules,
        met=met,
        aliases=groups,
        player=player,
    )
    walk = Walk(result, order)
    bridges = bridges_of(walk)
    outputs: list[tuple[str, str | bytes]] = []
    if html is not None:
        from reconcile.report.html import walked_page

        outputs.append((html, walked_page(walk, tolerances=bounds)))
    if json_ is not None:
        from reconcile.documents import comparison_document, dumps

        outputs.append((json_, dumps(comparison_document(result, walk))))
    if markdown is not None:
        from reconcile.report.markdown import comparison_markdown

        outputs.append((markdown, comparison_markdown(result, bridges)))
    if ledger is not None:
        from reconcile.ledger_file import ledger_content, ledger_frame

        outputs.append((ledger, ledger_content(ledger_frame(walk), ledger)))
    if positions is not None:
        from reconcile.disagreements import disagreements, disagreements_text

        outputs.append((positions, disagreements_text(disagreements(walk, most))))
    write_all(outputs)
    if not quiet:
        from reconcile.report.text import print_comparison

        taken = STANDARD in [path for path, _ in outputs]
        print_comparison(result, bridges, file=sys.stderr if taken else sys.stdout)
        for path, _ in outputs:
            if path != STANDARD:
                _say(f"wrote {path}")
    ctx.exit(result.exit_code(strict=strict, fail_on=fail_on))


@main.command()
@click.argument("file")
@click.option("--player", required=True, metavar="NAME", help="Whose figures they are; the beginning of the name is enough.")
@click.option(
    "--reported",
    multiple=True,
    metavar="METRIC=FIGURE",
    help="A figure as the tool prints it, such as pr=9.23 or decisions=121; give several to narrow the answer.",
)
@click.option("--paste", metavar="FILE", help="Text copied from gnuBG's or XG's statistics, instead of figures typed one by one.")
@click.option("--game", type=int, metavar="N", help="The figures are those of one game.")
@click.option("--met", metavar="NAME|FILE", help="Match equity table.")
@click.option("--html", metavar="FILE", help="Write a report in HTML.")
@click.option("--json", "json_", metavar="FILE", help="Write the result as JSON.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@click.pass_context
def investigate(
    ctx: click.Context,
    file: str,
    player: str,
    reported: Sequence[str],
    paste: str | None,
    game: int | None,
    met: str | None,
    html: str | None,
    json_: str | None,
    quiet: bool,
) -> None:
    """Find the rules that would have given a figure somebody saw.

    Exits with 0 when some rules give all of the figures, with 1 when none do.
    """
    from reconcile.adapters import load_match, read_bytes
    from reconcile.investigation import investigate as investigate_match
    from reconcile.investigation import read_reported, reported_by
    from reconcile.output import STANDARD, write_all
    from reconcile.report.investigation import investigation_text, paste_notes

    _once_standard("FILE and --paste", file, paste)
    _once_standard("--json and --html", json_, html)
    if not reported and paste is None:
        raise click.UsageError("give a figure with --reported METRIC=FIGURE, or a text with --paste FILE")
    figures = {}
    for text in reported:
        name, equals, figure = text.partition("=")
        if not equals or not name.strip() or name.strip() in figures:
            raise click.BadParameter(f"expected METRIC=FIGURE, each metric once, found {text!r}", param_hint="--reported")
        figures[name.strip()] = figure
    match = load_match(file)
    wanted = read_reported(figures) if figures else ()
    notes: tuple[str, ...] = ()
    if paste is not None:
        from reconcile.adapters.pasted import read_pasted

        pasted = read_pasted(paste, read_bytes(paste), game)
        wanted = *wanted, *reported_by(pasted, match, player)
        notes = paste_notes(pasted, match.players)
    result = investigate_match(match, player, wanted, met=met, game=game)
    outputs = []
    if html is not None:
        from reconcile.report.investigation_page import command_of, investigation_page

        outputs.append((html, investigation_page(result, notes=notes, command=command_of(result, paste, reported))))
    if json_ is not None:
        from reconcile.documents import dumps, investigation_document

        outputs.append((json_, dumps(investigation_document(result))))
    write_all(outputs)
    if not quiet:
        click.echo(investigation_text(result, notes=notes), nl=False, err=STANDARD in (json_, html))
        for path, _ in outputs:
            if path != STANDARD:
                _say(f"wrote {path}")
    ctx.exit(WITHIN if result.explanations else OUTSIDE)


@main.command()
@click.argument("pack", required=False)
@click.option("--tolerances", metavar="FILE", help="File of tolerance tables; by default the one that comes with the program.")
@click.option("--strict", is_flag=True, help="Absent files and incomplete figures fail, too.")
@click.option("--html", metavar="DIR", help="Write an index page and a page per pair into this folder.")
@click.option(
    "--history", multiple=True, metavar="FILE", help="Result of an earlier `validate --json`, oldest first: the index shows the trend."
)
@click.option("--json", "json_", metavar="FILE", help="Write the result as JSON.")
@click.option("--markdown", metavar="FILE", help="Write the result in Markdown.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 although figures are out of tolerance; never hides 2.")
@click.pass_context
def validate(
    ctx: click.Context,
    pack: str | None,
    tolerances: str | None,
    strict: bool,
    html: str | None,
    history: Sequence[str],
    json_: str | None,
    markdown: str | None,
    exit_zero: bool,
) -> None:
    """Judge a pack of reference matches: the tools' own reported figures against ours.

    PACK is a folder of reference matches; by default the one that comes with the program.
    """
    from reconcile.bundled import bundled
    from reconcile.output import STANDARD, write_all
    from reconcile.reference import validate as validate_pack
    from reconcile.report.pack import pack_markdown, pack_text, read_run, write_pack_pages
    from reconcile.tolerances import load_tolerances

    _once_standard("--json and --markdown", json_, markdown)
    earlier = [read_run(path) for path in history]
    result = validate_pack(pack or bundled("reference_matches"), load_tolerances(tolerances))
    outputs = []
    if json_ is not None:
        from reconcile.documents import dumps, pack_document

        outputs.append((json_, dumps(pack_document(result))))
    if markdown is not None:
        outputs.append((markdown, pack_markdown(result)))
    if html is not None:
        write_pack_pages(result, html, earlier)
        _say(f"wrote {html}/index.html")
    write_all(outputs)
    click.echo(pack_text(result), nl=False, err=STANDARD in (json_, markdown))
    code = result.exit_code(strict=strict)
    ctx.exit(WITHIN if exit_zero else code)


@main.command()
@click.argument("file")
@click.option("-o", "--output", default="-", metavar="OUT.json", help="Where to write; standard output by default.")
def convert(file: str, output: str) -> None:
    """Write a match with all its decisions as JSON."""
    from reconcile.adapters import load_match
    from reconcile.convert import match_document
    from reconcile.documents import dumps
    from reconcile.output import STANDARD, write

    if output != STANDARD and not output.endswith(".json"):
        raise click.BadParameter(f"expected a name ending in .json, found {output!r}", param_hint="-o")
    write(output, dumps(match_document(load_match(file))))


@main.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Print the page of a question, an answer, a finding or a figure; without CODE a list of all."""
    from reconcile.explain import page, table_of_contents

    click.echo(page(code) if code else table_of_contents())


@main.command()
def rules() -> None:
    """Print which rule set answers which question how."""
    from reconcile.explain import rule_matrix

    click.echo(rule_matrix())


def run() -> None:
    """The console script: `main`, with a closed pipe and an interrupt as a shell expects them."""
    try:
        main.main(prog_name="reconcile", standalone_mode=True)
    except BrokenPipeError:
        # The reader has seen enough; keep Python from complaining when it flushes at exit.
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(PIPE_CLOSED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception:
        # A bug of ours: its traceback, and a code that no gate takes for a verdict.
        import traceback

        traceback.print_exc()
        sys.exit(BUG)
