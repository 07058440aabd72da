"""`reconcile validate`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from reconcile.cli.common import WITHIN, once_standard, say


@click.command()
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

    once_standard("--json and --markdown", json_, markdown)
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
        say(f"wrote {html}/index.html")
    write_all(outputs)
    click.echo(pack_text(result), nl=False, err=STANDARD in (json_, markdown))
    code = result.exit_code(strict=strict)
    ctx.exit(WITHIN if exit_zero else code)
