"""`reconcile explain` and `reconcile serve`."""

from __future__ import annotations

import json

import click

from reconcile.cli.common import HAS_TEXTS, WITHOUT_TEXTS, echo, option, say
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


@click.command()
@option(
    "--host HOST",
    "Address; 0.0.0.0 lets other computers of your network in.",
    default="127.0.0.1",
)
@option(
    "--port N",
    "Port (default: a free one).",
    type=click.IntRange(0, 65535),
    default=0,
    show_default=False,
)
@option("--no-browser", "Do not open a browser.")
def serve(host: str, port: int, no_browser: bool) -> None:
    """Open a page on this computer to drop match files on.

    Statistics, comparisons, investigations without a command line.

    Nothing leaves the computer. The address has a token, so no other page can use it. Ctrl-C stops
    it.

    Example: reconcile serve
    """
    from importlib.util import find_spec

    from reconcile.errors import MissingPackage

    if not all(map(find_spec, ("starlette", "uvicorn", "python_multipart"))):
        raise MissingPackage(
            "the page needs starlette, uvicorn and python-multipart; pip install "
            "'gammon-reconcile[serve]'"
        )
    from reconcile.serve.server import LOCAL, browser
    from reconcile.serve.server import serve as run

    def ready(address: str) -> None:
        echo(f"serving {address}")
        if host != LOCAL:
            say("everybody who can reach this computer and knows the token can use the page")
        if not no_browser:
            start(address)

    with browser() as start:
        run(host, port, ready)
