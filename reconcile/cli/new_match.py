"""`reconcile new-match`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from reconcile.cli.streams import echo


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="DIR", help="Folder of the match (default: one in reference_matches, named after the players).")
def new_match(files: Sequence[str], output: str | None) -> None:
    """Start a reference match: copy its files and write a manifest from them.

    What only people know is left empty: licence, provenance, the figures that the tools showed and who read them. `validate` rejects the
    manifest until it is filled in. Existing files are never overwritten.

    Example: reconcile new-match match.xg match.sgf
    """
    from reconcile.files.output import write_all
    from reconcile.gate.new_match import skeleton

    folder, outputs = skeleton(files, output)
    write_all(outputs)
    for path, _ in outputs:
        echo(f"wrote {path}")
    echo(f"Now fill in the empty fields, then run: reconcile validate {folder}")
