"""What the commands share: exit codes and how they speak."""

from __future__ import annotations

from typing import Final

import click

WITHIN, OUTSIDE, ERROR = 0, 1, 2
PIPE_CLOSED: Final = 141
INTERRUPTED: Final = 130
BUG: Final = 70
"""`EX_SOFTWARE` of sysexits."""


def say(text: str) -> None:
    """A line for people, on standard error."""
    click.echo(text, err=True)


def once_standard(names: str, *paths: str | None) -> None:
    """Refuse `-` for more than one of some options."""
    from reconcile.output import STANDARD

    if paths.count(STANDARD) > 1:
        raise click.UsageError(f"only one of {names} can be {STANDARD}")
