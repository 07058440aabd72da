"""`reconcile validate`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from reconcile.cli.common import ERROR, OUTSIDE, WITHIN, progress, say
from reconcile.cli.outputs import JSON, MARKDOWN, Form, Outputs, writes
from reconcile.cli.seconds import candidate_timeout


@click.command()
@click.argument("pack", required=False)
@click.option("--tolerances", metavar="FILE", help="File of tolerance tables (default: the one bundled with the program).")
@click.option(
    "--candidate",
    "candidates",
    multiple=True,
    metavar="FILE",
    help="Output of a program under test: a database, a listing, an export or figures; FILE#MATCH names the match.",
)
@click.option(
    "--candidate-command", "command", metavar="CMD", help="Command to run for every match, without a shell; {file} is the reference file."
)
@candidate_timeout
@click.option(
    "--candidate-table", metavar="ID", help="Tolerance table for the candidate figures, instead of the manifest's or the default one."
)
@click.option("--aliases", metavar="FILE", help="YAML file of players' name variants, for the candidate files.")
@click.option(
    "--history",
    multiple=True,
    metavar="FILE",
    help="Result of an earlier `validate --json`; give several, oldest first, and the index shows the trend.",
)
@writes(
    Form("html", "Write an index page, and a page per match and per pair, into this folder.", "DIR"),
    JSON,
    MARKDOWN,
    Form("badge", "Write the verdict as JSON for shields.io's endpoint badge."),
    gate=True,
    quiet="Print only errors and the outputs asked for.",
)
@click.option(
    "--update", is_flag=True, help="First correct size and SHA-256 of changed bundled files in the manifests; a run that does so fails."
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if figures are out of tolerance; never hides 2.")
@click.pass_context
def validate(
    ctx: click.Context,
    pack: str | None,
    tolerances: str | None,
    candidates: Sequence[str],
    command: str | None,
    timeout: float,
    candidate_table: str | None,
    aliases: str | None,
    history: Sequence[str],
    update: bool,
    exit_zero: bool,
    outputs: Outputs,
) -> None:
    """Judge a pack of reference matches: the figures that tools reported against ours, and a program under test against both.

    PACK is a folder of reference matches (default: the one bundled with the program).

    Example: reconcile validate --candidate figures.json --html report
    """
    from reconcile.files.aliases import load_aliases
    from reconcile.files.bundled import bundled
    from reconcile.gap.tolerances import load_tolerances
    from reconcile.gate.documents import pack_document
    from reconcile.gate.failures import by_reason
    from reconcile.gate.judged_figures import pack_parts
    from reconcile.gate.validate import validate as validate_pack
    from reconcile.report.ci.badge import badge
    from reconcile.report.ci.markdown.pack import pack_markdown
    from reconcile.report.html.pack import pack_pages, read_run
    from reconcile.report.text.pack import pack_text
    from reconcile.results.documents import dumps

    earlier = [read_run(path) for path in history]
    changed: list[str] = []
    if update:
        from pathlib import Path

        from reconcile.gate.manifest import refresh

        changed = refresh(Path(pack) if pack else bundled("reference_matches"))
        for line in changed:
            say(f"updated {line}")
    with progress(quiet=outputs.quiet) as show:
        result = validate_pack(
            pack or bundled("reference_matches"),
            load_tolerances(tolerances),
            candidates=candidates,
            command=command,
            command_timeout=timeout,
            candidate_table=candidate_table,
            aliases=load_aliases(aliases).groups,
            progress=show,
        )
    outputs.write(
        {
            "html": lambda: pack_pages(result, outputs.paths["html"], earlier),
            "json": lambda: dumps(pack_document(result)),
            "markdown": lambda: pack_markdown(result),
            "badge": lambda: dumps(badge(result)),
        },
        lambda: pack_text(result),
        suite=f"reconcile validate {result.name}",
        parts=lambda: pack_parts(result),
    )
    for line in by_reason(result.failed):
        say(f"error: {line}")
    code = result.exit_code(strict=outputs.strict, fail_on=outputs.fail_on)
    if changed:
        # A gate that corrects its own manifests must not pass unnoticed.
        say("manifests were updated: review the changes, read the reported figures of changed files again, and run again without --update")
        code = max(code, OUTSIDE)
    ctx.exit(WITHIN if exit_zero and code != ERROR else code)
