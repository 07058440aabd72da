"""`reconcile rules`."""

from __future__ import annotations

import click

from reconcile.cli.streams import echo


@click.command()
def rules() -> None:
    """Print how each rule set answers each question."""
    from reconcile.report.explain import rule_matrix

    echo(rule_matrix())
