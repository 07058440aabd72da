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
from pathlib import Path
from typing import Any

import click

from reconcile.cli.common import Decorator, echo, inputs, once_standard, option, output, refuse, say
from reconcile.files.output import STANDARD, Output, check_not_read, write_all
from reconcile.language import LANGUAGES
from reconcile.wording import harmless

Makers = Mapping[str, Callable[..., Any]]
"""By form a function that makes it: text, bytes, or the pages of a folder by their names."""
HTML = ("--html FILE", "Write an HTML report.")
JSON = ("--json FILE", "Write the result as JSON.")
MARKDOWN = ("--markdown FILE", "Write the result as Markdown.")
JUNIT = ("--junit FILE", "Write JUnit XML with a test case for every judged figure.")
LANGUAGE = option(
    "--language",
    "Language of the page.",
    type=click.Choice(LANGUAGES),
    default=LANGUAGES[0],
)
FAIL_ON = option(
    "--fail-on",
    "Lowest level that fails.",
    type=click.Choice(["error", "warn"]),
    default="error",
)
GATE = (
    option("--github", "Print GitHub Actions annotations and append to the step summary."),
    option(
        "--strict",
        "Also fail for open and incomplete figures, what could not be compared, and a "
        "transformation that a diagnosis names.",
    ),
    FAIL_ON,
)
ONLY_ASKED = "Print only errors and the outputs asked for."


def check_language(language: str, html: str | None) -> None:
    """Refuse a language without a page."""
    unused = "--language is that of the page: add --html, or leave it out"
    refuse((language != LANGUAGES[0] and html is None, unused))


def writes(
    *forms: tuple[str, str], gate: bool = False, quiet: str = "Print only errors."
) -> Decorator:
    """Give a command the options of its outputs; the function gets what was asked for as `outputs`.

    A form is an option and its help. `gate` adds the options of a command that judges: JUnit,
    GitHub Actions, what fails. `quiet` is the help of `--quiet`.
    """
    forms = (*forms, JUNIT) if gate else forms
    flags = [declaration.split()[-2] for declaration, _ in forms]
    options = [*(output(*form) for form in forms), *GATE * gate, option("--quiet", quiet)]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(*args: Any, **asked: Any) -> None:
            paths = {name: asked.pop(name) for name in (flag.strip("-") for flag in flags)}
            judging = {name: asked.pop(name) for name in ("github", "strict", "fail_on") if gate}
            named = {name: path for name, path in paths.items() if path is not None}
            outputs = Outputs(named, asked.pop("quiet"), **judging)
            _check(outputs, [*flags, "the annotations of --github"] if gate else flags)
            command(*args, outputs=outputs, **asked)

        for add in reversed(options):
            run = add(run)
        return run

    return decorate


def _check(outputs: Outputs, names: Sequence[str]) -> None:
    """Refuse outputs before work that may take long; what else is read is known when everything is
    written."""
    annotations = [STANDARD] * outputs.github
    once_standard(f"{', '.join(names[:-1])} and {names[-1]}", *outputs.paths.values(), *annotations)
    for path in outputs.paths.values():
        check_not_read(path, inputs())


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a run was asked to write."""

    paths: Mapping[str, str]
    """By the name of the form."""
    quiet: bool
    github: bool = False
    strict: bool = False
    fail_on: str = "error"

    def path(self, form: str) -> str | None:
        """Where a form of the result goes; `None` where it was not asked for."""
        return self.paths.get(form)

    def write_result(
        self,
        result: object,
        *,
        suite: str = "",
        needs: Mapping[str, tuple[object, ...]] | None = None,
        shown: Mapping[str, object] | None = None,
        read: Iterable[str] = (),
        **more: Callable[[], Any],
    ) -> None:
        """Write every form of a result that was asked for, as `write` does; `more` makes those that
        `reconcile.report.forms` has not, `needs` is what a form takes beside the result, `shown`
        what every form is to show, and `read` files that were read beside those that the command
        names."""
        from reconcile.report.forms import FORMS, in_form

        needs, shown = needs or {}, shown or {}
        forms = {
            form: partial(in_form, result, form, *needs.get(form, ()), **shown) for form in FORMS
        }
        self.write(forms | more, suite, read)

    def write(self, makers: Makers, suite: str = "", read: Iterable[str] = ()) -> None:
        """Write every form that was asked for, all or none, then print the text.

        `terminal` among the makers shows the text in colour. `suite` names the run and `judged`
        makes its judged figures, for JUnit and GitHub Actions.
        """
        summary: list[Output] = []
        if self.github or ("junit" in self.paths and "junit" not in makers):
            makers, summary = self._with_judged(makers, suite)
        contents: list[Output] = []
        names: list[str] = []
        paths = {**self.paths, "github": STANDARD} if self.github else self.paths
        for form, path in paths.items():
            content = makers[form]()
            if isinstance(content, str | bytes | Iterator):
                contents.append((path, content))
                names += [path] if path != STANDARD else []
            else:
                contents += [(str(Path(path) / name), page) for name, page in content.items()]
                names.append(f"{path}/index.html")
        write_all(contents, summary, inputs(*read))
        if self.quiet:
            return
        stream = sys.stderr if STANDARD in paths.values() else sys.stdout
        if "terminal" in makers and not self.github:
            makers["terminal"](stream)
        else:
            text = makers["text"]()
            echo(harmless(text) if self.github else text, nl=False, err=stream is sys.stderr)
        for name in names:
            say(f"wrote {name}")

    def _with_judged(self, makers: Makers, suite: str) -> tuple[Makers, list[Output]]:
        """The makers with those of JUnit and annotations, and what is added to the step summary."""
        from reconcile.report.ci import junit, step_summary, workflow_commands

        judged = list(makers["judged"]())
        settings: dict[str, Any] = {
            "strict": self.strict,
            "fail_on": self.fail_on,
            "environment": os.environ,
        }
        of_judged: dict[str, Callable[..., Any]] = {
            "junit": partial(junit, suite, judged, **settings),
            "github": partial(workflow_commands, judged, **settings),
        }
        summary = (
            step_summary(lambda: str(makers["markdown"]()), os.environ) if self.github else None
        )
        return {**makers, **of_judged}, [summary] if summary else []
