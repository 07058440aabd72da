"""`reconcile explain`."""

from __future__ import annotations

import json

import click

from reconcile.cli.common import HAS_TEXTS, WITHOUT_TEXTS, echo, option
from reconcile.errors import ReconcileError


@click.command()
@click.argument("code", required=False)
@option(
    "--rules",
    "Print how each rule set answers each question; with a rule set's name or .yaml file as CODE, "
    "how it differs from each known one.",
)
@option("--schema KIND", "Print the schema of a JSON document.")
def explain(code: str | None, rules: bool, schema: str | None) -> None:
    """Print the page of a question, rule, finding or figure.

    Without CODE, a list.

    Example: reconcile explain Q02
    """
    if not HAS_TEXTS:
        raise ReconcileError(WITHOUT_TEXTS)
    from reconcile.report.explain import page, rule_differences, rule_matrix, table_of_contents

    if schema is not None:
        from reconcile.cli.schemas import schema_of

        echo(json.dumps(schema_of(schema), indent=2, ensure_ascii=False))
    elif not rules:
        echo(page(code) if code else table_of_contents())
    elif code is None:
        echo(rule_matrix())
    else:
        from reconcile.rules.rulesets import rule_set

        echo(rule_differences(rule_set(code)))
