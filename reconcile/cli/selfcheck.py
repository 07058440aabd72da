"""`reconcile selfcheck`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from reconcile.cli.common import ERROR, OUTSIDE, WITHIN, progress, say
from reconcile.cli.streams import echo


@click.command()
@click.argument("files", metavar="FILE.sgf...", nargs=-1, required=True)
@click.option("--json", "json_", metavar="FILE", help="Write every figure as JSON.")
@click.option("--quiet", is_flag=True, help="Print only errors.")
@click.pass_context
def selfcheck(ctx: click.Context, files: Sequence[str], json_: str | None, quiet: bool) -> None:
    """Compare gnuBG's own statistics of analysed matches with ours, figure by figure.

    Needs gnuBG. Exits with 0 if every figure agrees, 1 if one differs, 2 if a file could not be compared.

    Example: reconcile selfcheck match.sgf
    """
    from reconcile.adapters import load_match
    from reconcile.engines.gnubg import find
    from reconcile.engines.selfcheck import selfcheck as check
    from reconcile.errors import ReconcileError
    from reconcile.files.output import STANDARD, write

    program = find()
    checks, failed = [], False
    with progress(quiet=quiet) as show:
        for done, path in enumerate(files):
            show("selfcheck", done, len(files))
            try:
                checks.append(check(load_match(path), program))
            except ReconcileError as error:
                failed = True
                say(f"reconcile: {' '.join(str(error).split())}")
        show("selfcheck", len(files), len(files))
    if json_ is not None and checks:
        from reconcile.report.text.selfcheck import selfcheck_document
        from reconcile.results.documents import dumps

        write(json_, dumps(selfcheck_document(checks)))
    if not quiet and checks:
        from reconcile.report.text.selfcheck import selfcheck_text

        echo(selfcheck_text(checks), nl=False, err=json_ == STANDARD)
    ctx.exit(ERROR if failed or not checks else OUTSIDE if any(check.wrong for check in checks) else WITHIN)
