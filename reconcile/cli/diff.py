"""`reconcile diff`."""

from __future__ import annotations

import click

from reconcile.cli.common import once_standard, say
from reconcile.cli.streams import echo


@click.command()
@click.argument("old", metavar="OLD.json")
@click.argument("new", metavar="NEW.json")
@click.option("--json", "json_", metavar="FILE", help="Write the changes as JSON.")
@click.option("--markdown", metavar="FILE", help="Write the changes as Markdown.")
@click.option("--fail-on", type=click.Choice(["error", "warn"]), default="error", show_default=True, help="Lowest level that fails.")
@click.option("--quiet", is_flag=True, help="Print only errors.")
@click.pass_context
def diff(ctx: click.Context, old: str, new: str, json_: str | None, markdown: str | None, fail_on: str, quiet: bool) -> None:
    """Show what changed between two results: verdicts, figures, findings and more.

    Both files must come from the same command: `validate --json`, `compare --json` or `stats --format json`. Exits with 1 when a verdict
    got worse, a new figure is out of tolerance, or a figure that was within tolerance is gone.

    Example: reconcile diff old.json new.json
    """
    from reconcile.cli.gate import Outputs
    from reconcile.files.output import write_all
    from reconcile.gate.changes import changes
    from reconcile.report.ci.markdown.changes import changes_markdown
    from reconcile.report.text.changes import changes_text
    from reconcile.results.flat import read_result

    once_standard("OLD.json and NEW.json", old, new)
    once_standard("--json and --markdown", json_, markdown)
    found = changes(read_result(old), read_result(new))
    outputs = Outputs()
    if json_ is not None:
        from reconcile.gate.documents import changes_document
        from reconcile.results.documents import dumps

        outputs.add(json_, lambda: dumps(changes_document(found)))
    outputs.add(markdown, lambda: changes_markdown(found, fail_on=fail_on))
    write_all(outputs.written)
    if not quiet:
        echo(changes_text(found, fail_on=fail_on), nl=False, err=outputs.standard)
        for path in outputs.files:
            say(f"wrote {path}")
    ctx.exit(found.exit_code(fail_on=fail_on))
