"""What the commands share: what is printed for people, exit codes, messages, progress and time limits."""

from __future__ import annotations

import io
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import click

from reconcile.files.limits import LONGEST_WAIT
from reconcile.files.output import standard
from reconcile.files.wording import one_line, printable


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
    return io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(number, "w", closefd=False)),
        encoding="utf-8",
        line_buffering=True,
    )


WITHIN, OUTSIDE, ERROR = 0, 1, 2
PIPE_CLOSED: Final = 141
INTERRUPTED: Final = 130
BUG: Final = 70
"""`EX_SOFTWARE` of sysexits."""
HAS_TEXTS: Final = sys.flags.optimize < 2
WITHOUT_TEXTS: Final = (
    "the texts of help and pages are missing, because Python was started with -OO; start it without"
)
PAGE: Final = ".txt"
"""Ending of a page of gnuBG's text export."""


def say(text: str) -> None:
    """Print a line for people on standard error."""
    echo(one_line(text), err=True)


def note_named(names: Iterable[str]) -> None:
    """Note files that a command names and may read later, or in another process: `FILE.db#ID` as well."""
    from reconcile.files.inputs import note

    for name in names:
        note(name)
        for end in (at for at, letter in enumerate(name) if letter == "#"):
            note(name[:end])


class Grouped(click.Command):
    """A command whose help shows the options in groups: `groups` has those of each by its title, the most used first."""

    def __init__(self, *args: Any, groups: Mapping[str, str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.groups = groups

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write every group as a section."""
        records = {
            max(one.opts, key=len): record
            for one in self.get_params(ctx)
            if (record := one.get_help_record(ctx))
        }
        for title, names in self.groups.items():
            with formatter.section(title):
                formatter.write_dl([records[name] for name in names.split()])


def first_asked(ctx: click.Context, names: Iterable[str]) -> str:
    """The first of these parameters that somebody asked for, as an option; empty where none."""
    asked = (
        name
        for name in names
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    )
    return next(("--" + name.rstrip("_").replace("_", "-") for name in asked), "")


def once_standard(names: str, *paths: str | None) -> None:
    """Raise a usage error if more than one of these options is `-`."""
    from reconcile.files.output import STANDARD

    if paths.count(STANDARD) > 1:
        raise click.UsageError(f"only one of {names} can be {STANDARD}")


def each_match_once(
    _context: click.Context, _parameter: click.Parameter, files: Sequence[str]
) -> tuple[str, ...]:
    """Files without the further pages of a match whose first page is among them, as when a shell names all of a folder.

    They are noted as those of the run, which nothing may replace.
    """
    if any(path.endswith(PAGE) for path in files):
        from reconcile.formats.gnubg_text.pages import first_pages

        files = first_pages(files)
    note_named(files)
    return tuple(files)


@contextmanager
def progress(
    *, quiet: bool = False, in_bytes: bool = False
) -> Iterator[Callable[[str, int, int], None]]:
    """A callback that takes a task, the amount done and the total, and shows a progress bar if standard error is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda what, done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn() if in_bytes else MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = shown.add_task(printable(what))
            shown.update(tasks[what], completed=done, total=total)

        yield show


class Seconds(click.FloatRange):
    """A number of seconds that ends: not nan, infinite, zero or negative."""

    def __init__(self, least: float = 0.0) -> None:
        super().__init__(min=least, min_open=not least, max=LONGEST_WAIT)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number, or a usage error."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return number


candidate_timeout = click.option(
    "--candidate-timeout",
    "timeout",
    type=Seconds(),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for one run.",
)
"""The option of every command that runs a program under test."""
