"""`reconcile diff`."""

from __future__ import annotations

import click

from reconcile.cli.common import once_standard
from reconcile.cli.outputs import Form, Outputs, writes


@click.command()
@click.argument("old", metavar="OLD.json")
@click.argument("new", metavar="NEW.json")
@writes(Form("json", "Write the changes as JSON."), Form("markdown", "Write the changes as Markdown."))
@click.option("--fail-on", type=click.Choice(["error", "warn"]), default="error", show_default=True, help="Lowest level that fails.")
@click.pass_context
def diff(ctx: click.Context, old: str, new: str, fail_on: str, outputs: Outputs) -> None:
    """Show what changed between two results: verdicts, figures, findings and more.

    Both files must come from the same command: `validate --json`, `compare --json` or `stats --format json`. Exits with 1 when a verdict
    got worse, a new figure is out of tolerance, or a figure that was within tolerance is gone.

    Example: reconcile diff old.json new.json
    """
    from reconcile.gate.changes import changes
    from reconcile.gate.documents import changes_document
    from reconcile.report.ci.markdown.pack import changes_markdown
    from reconcile.report.text.changes import changes_text
    from reconcile.results.documents import dumps
    from reconcile.results.flat import read_result

    once_standard("OLD.json and NEW.json", old, new)
    found = changes(read_result(old), read_result(new))
    outputs.write(
        {"json": lambda: dumps(changes_document(found)), "markdown": lambda: changes_markdown(found, fail_on=fail_on)},
        lambda: changes_text(found, fail_on=fail_on),
    )
    ctx.exit(found.exit_code(fail_on=fail_on))
