"""The outputs of a gate, which `compare` and `validate` have in common: JUnit, and what GitHub Actions shows."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from reconcile.files.output import Output
    from reconcile.gate.judged_figures import Part


@dataclass(slots=True)
class Outputs:
    """What a run writes: contents with their paths, and what goes to the end of a file that others write to as well."""

    written: list[Output] = field(default_factory=list)
    appended: list[Output] = field(default_factory=list)

    def add(self, path: str | None, content: Callable[[], str | bytes]) -> None:
        """One output, made only where it was asked for."""
        if path is not None:
            self.written.append((path, content()))

    @property
    def standard(self) -> bool:
        """Whether standard output is taken."""
        from reconcile.files.output import STANDARD

        return any(path == STANDARD for path, _ in self.written)

    @property
    def files(self) -> list[str]:
        """The files among them."""
        from reconcile.files.output import STANDARD

        return [path for path, _ in self.written if path != STANDARD]


def gate_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a gate, for a command."""
    level = click.Choice(["error", "warn"])
    options = (
        click.option("--junit", metavar="FILE", help="Write every judged figure as a test case, in JUnit XML."),
        click.option("--github", is_flag=True, help="Print annotations for GitHub Actions, and add to the summary of the step."),
        click.option("--strict", is_flag=True, help="Incomplete figures fail, too, and so does what could not be compared."),
        click.option("--fail-on", type=level, default="error", show_default=True, help="Lowest level that fails."),
        click.option("--quiet", is_flag=True, help="Print nothing but errors and what was asked for."),
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
    """Add JUnit and annotations of judged parts; `markdown` makes the summary of the step."""
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
