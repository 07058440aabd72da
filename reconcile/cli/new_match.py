"""`reconcile new-match`."""

from __future__ import annotations

from collections.abc import Sequence

import click


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="DIR", help="Folder of the match; by default one in reference_matches, named after the players.")
def new_match(files: Sequence[str], output: str | None) -> None:
    """Begin a reference match: a manifest with all that its files tell, and copies of the files beside it.

    What only people know is left empty: licence, provenance, the figures that the tools showed and who read them. `validate` refuses the
    manifest until it is filled in. Nothing is ever overwritten.

    Example: reconcile new-match match.xg match.sgf
    """
    from reconcile.files.output import write_all
    from reconcile.gate.new_match import skeleton

    folder, outputs = skeleton(files, output)
    write_all(outputs)
    for path, _ in outputs:
        click.echo(f"wrote {path}")
    click.echo(f"Now fill in what is empty, then run: reconcile validate {folder}")
