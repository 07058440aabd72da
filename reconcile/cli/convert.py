"""`reconcile convert`."""

from __future__ import annotations

import click

from reconcile.cli.common import say


@click.command()
@click.argument("file")
@click.option("-o", "--output", default="-", metavar="OUT.json|OUT.mat", help="Where to write (default: JSON to standard output).")
def convert(file: str, output: str) -> None:
    """Write a match with all its decisions as JSON, or its transcript as .mat.

    A transcript holds rolls, plays, cube actions and results. Anything in FILE that it cannot express is reported on standard error.

    Example: reconcile convert match.xg -o match.mat
    """
    from reconcile.adapters import load_match
    from reconcile.files.output import STANDARD, write

    if output != STANDARD and not output.lower().endswith((".json", ".mat")):
        raise click.BadParameter(f"expected a name ending in .json or .mat, found {output!r}", param_hint="-o")
    match = load_match(file)
    if output.lower().endswith(".mat"):
        from reconcile.adapters.mat.writer import transcript

        written = transcript(match)
        write(output, written.text)
        for change in written.changes:
            say(f"{output}: {change}")
    else:
        from reconcile.results.documents import dumps
        from reconcile.results.match import match_document

        write(output, dumps(match_document(match)))
    if output != STANDARD:
        say(f"wrote {output}")
