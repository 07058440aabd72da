"""`reconcile benchmark`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from reconcile.cli.common import OUTSIDE, WITHIN, once_standard, progress, say
from reconcile.cli.seconds import Seconds
from reconcile.cli.streams import echo


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.bm...")
@click.option(
    "--engine",
    "player",
    required=True,
    metavar="ENGINE",
    help="gnubg, gnubg-nn, either with :PLIES, or a command that reads lines 'b KEY D1 D2' and writes 'b KEY D1 D2 ANSWER'.",
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Read only the first N m lines of each file.")
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Number of engine processes in parallel.")
@click.option(
    "--silence",
    type=Seconds(0.1),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="Longest time to wait for an answer.",
)
@click.option("--table", metavar="ID", help="Judge against the published scores of this table.")
@click.option("--published", metavar="FILE", help="File of published scores (default: the one bundled with the program).")
@click.option("--html", metavar="FILE", help="Write an HTML report, with the costliest positions.")
@click.option("--json", "json_", metavar="FILE", help="Write the result as JSON.")
@click.option("--markdown", metavar="FILE", help="Write the result as Markdown.")
@click.option("--quiet", is_flag=True, help="Print only errors.")
@click.pass_context
def benchmark(
    ctx: click.Context,
    files: Sequence[str],
    player: str,
    limit: int | None,
    jobs: int | None,
    silence: float,
    table: str | None,
    published: str | None,
    html: str | None,
    json_: str | None,
    markdown: str | None,
    quiet: bool,
) -> None:
    """Score an engine on gnuBG's benchmark databases.

    Exits with 1 when --table is given and the score of a whole database is out of tolerance.

    Example: reconcile benchmark contact.bm --engine gnubg:0 --html score.html
    """
    from threading import Lock

    from reconcile.benchmark.engines import engine
    from reconcile.benchmark.findings import benchmark_findings
    from reconcile.benchmark.published import load_published, references, verdict_of
    from reconcile.benchmark.score import score
    from reconcile.files.output import STANDARD, write_all
    from reconcile.report.ci.markdown.benchmark import benchmark_markdown
    from reconcile.report.text.benchmark import benchmark_text

    once_standard("the files", *files)
    once_standard("--json, --html and --markdown", json_, html, markdown)
    if len(set(files)) < len(files):
        raise click.UsageError("a file is named twice")
    scores = load_published(published)
    if table is not None:
        scores.table(table)
    asked = engine(player, silence=silence, jobs=jobs)
    done, lock = 0, Lock()
    with progress(quiet=quiet) as show:

        def answered(count: int) -> None:
            nonlocal done
            with lock:
                done += count
                show(f"{asked.name}: answers", done, done)

        result = score(asked, files, limit=limit, progress=answered)
    compared = references(result, scores, table)
    verdict = verdict_of(compared, table)
    findings = benchmark_findings(result, compared)
    outputs = []
    if html is not None:
        from reconcile.report.html.benchmark import benchmark_page, command_of

        command = command_of(files, player, limit, table)
        outputs.append((html, benchmark_page(result, compared, findings, verdict=verdict, command=command)))
    if json_ is not None:
        from reconcile.results.benchmark import benchmark_document
        from reconcile.results.documents import dumps

        outputs.append((json_, dumps(benchmark_document(result, compared, findings, table=table, verdict=verdict))))
    if markdown is not None:
        outputs.append((markdown, benchmark_markdown(result, compared, findings)))
    write_all(outputs)
    if not quiet:
        echo(benchmark_text(result, compared, findings), nl=False, err=STANDARD in (json_, html, markdown))
        for path, _ in outputs:
            if path != STANDARD:
                say(f"wrote {path}")
    ctx.exit(OUTSIDE if verdict == "outside" else WITHIN)
