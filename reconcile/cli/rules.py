"""`reconcile rules`."""

from __future__ import annotations

import click


@click.command()
def rules() -> None:
    """Print how each rule set answers each question."""
    from reconcile.report.explain import rule_matrix

    click.echo(rule_matrix())
