"""The outputs that `compare` and `validate` share for CI: JUnit, and annotations and summaries for GitHub Actions."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from reconcile.files.output import Output
    from reconcile.gate.judged_figures import Part


@dataclass(slots=True)
class Outputs:
    """What a run writes: contents with their paths, and text to append to files that others write to as well."""

    written: list[Output] = field(default_factory=list)
    appended: list[Output] = field(default_factory=list)

    def add(self, path: str | None, content: Callable[[], str | bytes]) -> None:
        """Add an output, made only if its path was given."""
        if path is not None:
            self.written.append((path, content()))

    @property
    def standard(self) -> bool:
        """Whether an output goes to standard output."""
        from reconcile.files.output import STANDARD

        return any(path == STANDARD for path, _ in self.written)

    @property
    def files(self) -> list[str]:
        """The outputs that are files."""
        from reconcile.files.output import STANDARD

        return [path for path, _ in self.written if path != STANDARD]


def gate_options(function: Callable[..., object]) -> Callable[..., object]:
    """The options of a gate, for a command."""
    level = click.Choice(["error", "warn"])
    options = (
        click.option("--junit", metavar="FILE", help="Write JUnit XML with a test case for every judged figure."),
        click.option("--github", is_flag=True, help="Print GitHub Actions annotations and append to the step summary."),
        click.option("--strict", is_flag=True, help="Also fail for incomplete figures and for anything that could not be compared."),
        click.option("--fail-on", type=level, default="error", show_default=True, help="Lowest level that fails."),
        click.option("--quiet", is_flag=True, help="Print only errors and the outputs asked for."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def gate_outputs(
    outputs: Outputs,
    name: str,
    parts: Sequence[Part],
    *,
    junit: str | None,
    github: bool,
    strict: bool,
    fail_on: str,
    markdown: Callable[[], str],
) -> None:
    """Add JUnit and annotations for the judged parts; `markdown` makes the step summary."""
    if junit is not None:
        from reconcile.report.ci.junit import junit as document

        outputs.written.append((junit, document(name, parts, strict=strict, fail_on=fail_on)))
    if github:
        from reconcile.files.output import STANDARD
        from reconcile.report.ci.github import step_summary, workflow_commands

        commands = workflow_commands(parts, strict=strict, fail_on=fail_on, environment=os.environ)
        outputs.written.append((STANDARD, commands))
        summary = step_summary(markdown, os.environ)
        outputs.appended += [summary] if summary else []
