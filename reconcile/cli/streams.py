"""What is printed for people: the only way to the two streams, besides the outputs of `files/output.py`."""

from __future__ import annotations

import io
import os
import sys

import click

from reconcile.files.output import standard
from reconcile.files.wording import printable


def echo(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Print text on standard output or standard error, with control characters shown. Raises `CannotWrite`."""
    with standard("standard error" if err else "standard output"):
        click.echo(printable(text), nl=nl, err=err)


def open_streams() -> None:
    """Give every standard stream that the caller closed something to refer to, so that no file that is opened takes its place.

    Reading finds nothing, writing to standard output fails; messages are lost, as somebody who closes standard error wants it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR if number == 2 else os.O_RDONLY)
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False))
    if sys.stdout is None:
        sys.stdout = _writer(1)
    if sys.stderr is None:
        sys.stderr = _writer(2)


def _writer(number: int) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedWriter(io.FileIO(number, "w", closefd=False)), encoding="utf-8", line_buffering=True)
