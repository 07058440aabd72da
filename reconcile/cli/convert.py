"""`reconcile convert`."""

from __future__ import annotations

import click


@click.command()
@click.argument("file")
@click.option("-o", "--output", default="-", metavar="OUT.json", help="Where to write; standard output by default.")
def convert(file: str, output: str) -> None:
    """Write a match with all its decisions as JSON."""
    from reconcile.adapters import load_match
    from reconcile.convert import match_document
    from reconcile.documents import dumps
    from reconcile.output import STANDARD, write

    if output != STANDARD and not output.endswith(".json"):
        raise click.BadParameter(f"expected a name ending in .json, found {output!r}", param_hint="-o")
    write(output, dumps(match_document(load_match(file))))
