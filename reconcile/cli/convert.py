"""`reconcile convert`."""

from __future__ import annotations

import click

from reconcile.cli.common import say


@click.command()
@click.argument("file")
@click.option("-o", "--output", default="-", metavar="OUT.json|OUT.mat|OUT.ogxm", help="Where to write (default: JSON to standard output).")
def convert(file: str, output: str) -> None:
    """Write a match with all its decisions as JSON or OGXM, or its transcript as .mat.

    A transcript holds rolls, plays, cube actions and results. Anything in FILE that it cannot express is reported on standard error. An
    OGXM document (needs the package ogxm) also has the analysis; several in one document: `reconcile compare --ogxm`.

    Example: reconcile convert match.xg -o match.mat
    """
    from reconcile.adapters import load_match
    from reconcile.files.output import STANDARD, write

    if output != STANDARD and not output.lower().endswith((".json", ".mat", ".ogxm")):
        raise click.BadParameter(f"expected a name ending in .json, .mat or .ogxm, found {output!r}", param_hint="-o")
    match = load_match(file)
    if output.lower().endswith(".mat"):
        from reconcile.adapters.mat.writer import transcript

        written = transcript(match)
        write(output, written.text)
        for change in written.changes:
            say(f"{output}: {change}")
    elif output.lower().endswith(".ogxm"):
        from reconcile.results.ogxm import ogxm_document

        document = ogxm_document([match])
        write(output, document.content)
        for change in document.changes:
            say(f"{output}: {change}")
    else:
        from reconcile.results.documents import dumps
        from reconcile.results.match import match_document

        write(output, dumps(match_document(match)))
    if output != STANDARD:
        say(f"wrote {output}")
