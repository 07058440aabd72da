"""`reconcile rules`."""

from __future__ import annotations

import click


@click.command()
def rules() -> None:
    """Print which rule set answers which question how."""
    from reconcile.report.explain import rule_matrix

    click.echo(rule_matrix())
