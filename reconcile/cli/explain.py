"""`reconcile explain` and `reconcile rules`."""

from __future__ import annotations

import click

from reconcile.cli.common import echo


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Print the page of a question, answer, finding or figure; without CODE, a list.

    Example: reconcile explain Q02
    """
    from reconcile.report.explain import page, table_of_contents

    echo(page(code) if code else table_of_contents())


@click.command()
@click.argument("rules_", metavar="[FILE|NAME]", required=False)
def rules(rules_: str | None) -> None:
    """Print how each rule set answers each question; with FILE, how the rules in it differ from each known rule set.

    Example: reconcile rules my-rules.yaml
    """
    from reconcile.report.explain import rule_differences, rule_matrix

    if rules_ is None:
        echo(rule_matrix())
        return
    from reconcile.rules.rulesets import rule_set

    echo(rule_differences(rule_set(rules_)))
