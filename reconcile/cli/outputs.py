"""The outputs of a command: the options that ask for them, and how all of them are written at once.

`writes` gives a command the options of its forms and passes what was asked for as `outputs`; the
command hands `Outputs.write` a maker for each form, or `Outputs.write_result` a result whose makers
`reconcile.report.forms` lists.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from typing import IO, TYPE_CHECKING, Any, Final

import click

from reconcile.cli.common import OUTPUT, echo, note_named, once_standard, say
from reconcile.files.output import STANDARD, Content, Output, check_not_read, write_all
from reconcile.files.wording import harmless

if TYPE_CHECKING:
    from reconcile.gate.judged_figures import Part

    Command = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Form:
    """A form in which a result can be written: an option that takes a path."""

    name: str
    """The option, without its hyphens."""
    help: str
    metavar: str = "FILE"
    short: str = ""
    """The same with one letter, `-o`."""


HTML: Final = Form("html", "Write an HTML report.")
JSON: Final = Form("json", "Write the result as JSON.")
MARKDOWN: Final = Form("markdown", "Write the result as Markdown.")
JUNIT: Final = Form("junit", "Write JUnit XML with a test case for every judged figure.")

GATE: Final = (
    click.option(
        "--github",
        is_flag=True,
        help="Print GitHub Actions annotations and append to the step summary.",
    ),
    click.option(
        "--strict",
        is_flag=True,
        help="Also fail for open and incomplete figures, what could not be compared, and a mistake "
        "that a diagnosis names.",
    ),
    click.option(
        "--fail-on",
        type=click.Choice(["error", "warn"]),
        default="error",
        show_default=True,
        help="Lowest level that fails.",
    ),
)


def writes(
    *forms: Form, gate: bool = False, quiet: str = "Print only errors."
) -> Callable[[Command], Command]:
    """Give a command the options of its outputs; the function gets what was asked for as `outputs`.

    `gate` adds the options of a command that judges: JUnit, GitHub Actions, what fails. `quiet` is
    the help of `--quiet`.
    """
    forms = (*forms, JUNIT) if gate else forms

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(*args: Any, **options: Any) -> None:
            paths = {form.name: options.pop(f"{form.name}_") for form in forms}
            judging = {name: options.pop(name) for name in ("github", "strict", "fail_on") if gate}
            outputs = Outputs(
                {name: path for name, path in paths.items() if path is not None},
                options.pop("quiet"),
                **judging,
            )
            _check(outputs, options, [f"--{form.name}" for form in forms])
            command(*args, outputs=outputs, **options)

        run = click.option("--quiet", is_flag=True, help=quiet)(run)
        for option in reversed(GATE if gate else ()):
            run = option(run)
        for form in reversed(forms):
            names = filter(None, (form.short, f"--{form.name}", f"{form.name}_"))
            run = click.option(*names, metavar=form.metavar, help=form.help, **OUTPUT)(run)
        return run

    return decorate


def _check(outputs: Outputs, options: Mapping[str, Any], names: list[str]) -> None:
    """Refuse outputs before work that may take long; what else is read is known when everything is
    written."""
    annotations = [STANDARD] if outputs.github else []
    if "github" in click.get_current_context().params:
        names = [*names, "the annotations of --github"]
    once_standard(f"{', '.join(names[:-1])} and {names[-1]}", *outputs.paths.values(), *annotations)
    for parameter in click.get_current_context().command.params:
        if isinstance(parameter, click.Argument) and (named := options[str(parameter.name)]):
            note_named([named] if isinstance(named, str) else named)
    for path in outputs.paths.values():
        check_not_read(path)


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a run was asked to write."""

    paths: Mapping[str, str]
    """By the name of the form."""
    quiet: bool
    github: bool = False
    strict: bool = False
    fail_on: str = "error"

    def path(self, name: str) -> str | None:
        """Where a form of the result goes; `None` where it was not asked for."""
        return self.paths.get(name)

    def write_result(
        self,
        result: object,
        *,
        suite: str = "",
        needs: Mapping[str, tuple[object, ...]] | None = None,
        **more: Callable[[], Any],
    ) -> None:
        """Write every form of a result that was asked for, as `write` does; `more` makes those that
        `reconcile.report.forms` has not."""
        from reconcile.report.forms import FORMS, in_form

        needs = needs or {}
        makers: dict[str, Callable[..., Any]] = {
            form: partial(in_form, result, form, *needs.get(form, ())) for form in FORMS
        }
        self.write(
            makers | more,
            makers["text"],
            printed=makers["terminal"],
            suite=suite,
            parts=makers["judged"],
        )

    def write(
        self,
        makers: Mapping[str, Callable[[], Content | Sequence[Output]]],
        text: Callable[[], str],
        *,
        printed: Callable[[IO[str]], None] | None = None,
        suite: str = "",
        parts: Callable[[], Iterable[Part]] | None = None,
    ) -> None:
        """Write every form that was asked for, all or none, then print the text.

        `makers` makes each form by name; a list of paths and contents is the pages of a folder.
        `text` is for people, `printed` shows it on a terminal in colour. `suite` names the run and
        `parts` are its judged figures, for JUnit and GitHub Actions.
        """
        makers, summary = self._with_judged(makers, suite, parts)
        outputs: list[Output] = []
        names: list[str] = []
        paths = {**self.paths, "github": STANDARD} if self.github else self.paths
        for form, path in paths.items():
            content = makers[form]()
            if isinstance(content, (str, bytes, Iterator)):
                outputs.append((path, content))
                names += [path] if path != STANDARD else []
            else:
                outputs += content
                names.append(f"{path}/index.html")
        write_all(outputs, summary)
        if self.quiet:
            return
        stream = sys.stderr if STANDARD in paths.values() else sys.stdout
        if printed is not None and not self.github:
            printed(stream)
        else:
            shown = harmless(text()) if self.github else text()
            echo(shown, nl=False, err=stream is sys.stderr)
        for name in names:
            say(f"wrote {name}")

    def _with_judged(
        self,
        makers: Mapping[str, Callable[[], Any]],
        suite: str,
        parts: Callable[[], Iterable[Part]] | None,
    ) -> tuple[Mapping[str, Callable[[], Any]], list[Output]]:
        """The makers with those of JUnit and annotations, and what is added to the step summary."""
        if parts is None or not (self.github or "junit" in self.paths):
            return makers, []
        from reconcile.report.ci.github import step_summary, workflow_commands
        from reconcile.report.ci.judged import junit

        judged = list(parts())
        settings: dict[str, Any] = {
            "strict": self.strict,
            "fail_on": self.fail_on,
            "environment": os.environ,
        }
        of_judged = {
            "junit": lambda: junit(suite, judged, **settings),
            "github": lambda: workflow_commands(judged, **settings),
        }
        summary = (
            step_summary(lambda: str(makers["markdown"]()), os.environ) if self.github else None
        )
        return {**makers, **of_judged}, [summary] if summary else []
