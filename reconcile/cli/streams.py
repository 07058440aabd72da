"""What is printed for people: the only way to the two streams, besides the outputs of `files/output.py`."""

from __future__ import annotations

import click

from reconcile.files.printable import printable


def echo(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Print text on standard output or standard error, with control characters shown."""
    click.echo(printable(text), nl=nl, err=err)
