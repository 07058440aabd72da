"""`reconcile explain`."""

from __future__ import annotations

import click

from reconcile.cli.streams import echo


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Print the page of a question, answer, finding or figure; without CODE, a list.

    Example: reconcile explain Q02
    """
    from reconcile.report.explain import page, table_of_contents

    echo(page(code) if code else table_of_contents())
