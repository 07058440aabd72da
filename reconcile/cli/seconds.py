"""The type of options that are a time limit."""

from __future__ import annotations

import math
from typing import Any

import click

from reconcile.files.limits import LONGEST_WAIT


class Seconds(click.FloatRange):
    """A number of seconds that ends: not nan, infinite, zero or negative."""

    def __init__(self, least: float = 0.0) -> None:
        super().__init__(min=least, min_open=not least, max=LONGEST_WAIT)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, or a usage error."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return number


candidate_timeout = click.option(
    "--candidate-timeout", "timeout", type=Seconds(), default=60, show_default=True, metavar="SECONDS", help="Time limit for one run."
)
"""The option of every command that runs a program under test."""
