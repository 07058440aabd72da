"""What the commands share: what is printed for people, exit codes, messages, progress, options."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from reconcile.files.limits import LONGEST_WAIT
from reconcile.files.output import STANDARD, check_place, standard
from reconcile.wording import one_line, printable, words_of

WITHIN, OUTSIDE, ERROR = 0, 1, 2
PIPE_CLOSED = 141
INTERRUPTED = 130
BUG = 70
"""`EX_SOFTWARE` of sysexits."""
HAS_TEXTS = sys.flags.optimize < 2
WITHOUT_TEXTS = (
    "the texts of help and pages are missing, because Python was started with -OO; start it without"
)
Decorator = Callable[[Any], Any]
PAGE = ".txt"
"""Ending of a page of gnuBG's text export."""
OTHER_INPUTS = ("match.yaml", "pack.yaml", "archive.json", ".parquet", "views.sql")
"""What commands read in folders beside matches: of packs and of archives."""


def echo(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Print text on standard output or standard error, with control characters shown. Raises
    `CannotWrite`."""
    with standard("standard error" if err else "standard output"):
        click.echo(printable(text), nl=nl, err=err)


def say(text: str) -> None:
    """Print a line for people on standard error."""
    echo(one_line(text), err=True)


def open_streams() -> None:
    """Give every standard stream that the caller closed something to refer to, so that no file that
    is opened takes its place.

    Reading finds nothing, writing to standard output fails; messages are lost, as somebody who
    closes standard error wants it.
    """
    for number, mode in enumerate("rww"):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR if number == 2 else os.O_RDONLY)
        name = ("stdin", "stdout", "stderr")[number]
        if getattr(sys, name) is None:
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files that a run may read, each time they are asked for: those that its words name, with
    what belongs to them, and in a folder every file of a kind that commands read."""

    words: tuple[str, ...]

    def __iter__(self) -> Iterator[str]:
        for word in self.words:
            if Path(word).is_dir():
                yield from _files_in(word)
                continue
            parts = word.split("#")  # FILE.db#ID
            for end in range(1, len(parts) + 1):
                name = "#".join(parts[:end])
                yield from (name, f"{name}-wal")
            if word.endswith(PAGE):
                from reconcile.formats.gnubg_text.lines import beside

                yield from beside(word)


def _files_in(folder: str) -> Iterator[str]:
    from reconcile.formats.interface import MATCHES, TAR, ZIP

    endings = (*MATCHES, *ZIP, *TAR, *OTHER_INPUTS)
    for inner, _, names in os.walk(folder):
        yield from (f"{inner}{os.sep}{name}" for name in names if name.lower().endswith(endings))


def inputs(*more: str) -> Inputs:
    """What the arguments and options of this run name but for outputs, the words of command lines
    among them, and `more`."""
    ctx = click.get_current_context()
    words = list(more)
    for parameter in ctx.command.params:
        value = None if parameter.callback is _one_path else ctx.params.get(parameter.name or "")
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str):
                words.append(text)
                with suppress(ValueError):  # quotes that do not match
                    words += words_of(text)
    return Inputs(tuple(dict.fromkeys(words)))


class Grouped(click.Command):
    """A command whose help shows the options in groups: `groups` has those of each by its title,
    the most used first."""

    def __init__(self, *args: Any, groups: Mapping[str, str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.groups = groups

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write every group as a section."""
        records = {
            max(option.opts, key=len): record
            for option in self.get_params(ctx)
            if (record := option.get_help_record(ctx))
        }
        for title, names in self.groups.items():
            with formatter.section(title):
                formatter.write_dl([records[name] for name in names.split()])


def option(declaration: str, text: str, **settings: Any) -> Decorator:
    """An option of a command, declared as its help shows it: `-o --output FILE`.

    Without a value and a type it is a flag. A default is shown unless `settings` say otherwise.
    """
    names = declaration.split()
    metavar = None if names[-1].startswith("-") else names.pop()
    if metavar is None and "type" not in settings:
        settings["is_flag"] = True
    settings.setdefault("show_default", "default" in settings)
    return click.option(*names, metavar=metavar, help=text, **settings)


def output(declaration: str, text: str, **settings: Any) -> Decorator:
    """An option that names an output. Given twice it is an error, since only the last would be
    written."""
    return option(declaration, text, multiple=True, callback=_one_path, **settings)


def _one_path(ctx: click.Context, parameter: click.Parameter, paths: Sequence[str]) -> str | None:
    if len(paths) > 1:
        raise click.UsageError(
            f"{max(parameter.opts, key=len)} names {len(paths)} outputs, {', '.join(paths)}: "
            "name one, and run the command again for another",
            ctx,
        )
    for path in paths:
        check_place(path)
    return next(iter(paths), None)


def jobs(text: str, **settings: Any) -> Decorator:
    """The option of how many processes there are, or matches at a time."""
    return option("--jobs N", text, type=click.IntRange(1, 256), **settings)


def aliases(purpose: str = "") -> Decorator:
    """The option of a file with the names that each player has."""
    return option("--aliases FILE", f"YAML file of players' name variants{purpose}.")


STANDARD_OUTPUT: Mapping[str, Any] = {"default": [STANDARD], "show_default": False}
"""Settings of an output that is standard output by default."""
QUIET = option("--quiet", "Print only errors.")
TOLERANCES = option(
    "--tolerances FILE", "File of tolerance tables (default: the one bundled with the program)."
)


def is_asked(ctx: click.Context, name: str) -> bool:
    """Whether somebody gave this parameter on the command line."""
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def first_asked(ctx: click.Context, names: Iterable[str]) -> str:
    """The first of these parameters that somebody asked for, as an option; empty where none."""
    asked = (name for name in names if is_asked(ctx, name))
    return next(("--" + name.replace("_", "-") for name in asked), "")


def refuse(*mistakes: tuple[object, str]) -> None:
    """Raise a usage error for the first of these that applies, each with what to do about it."""
    for applies, text in mistakes:
        if applies:
            raise click.UsageError(text)


def once_standard(names: str, *paths: str | None) -> None:
    """Raise a usage error if more than one of these options is `-`."""
    refuse((paths.count(STANDARD) > 1, f"only one of {names} can be {STANDARD}"))


def trouble(error: object) -> None:
    """Print what is wrong with one of several inputs."""
    say(f"reconcile: {' '.join(str(error).split())}")


def each_match_once(
    _context: click.Context, _parameter: click.Parameter, files: Sequence[str]
) -> tuple[str, ...]:
    """Files without the further pages of a match whose first page is among them, as when a shell
    names all of a folder.
    """
    if any(path.endswith(PAGE) for path in files):
        from reconcile.formats.gnubg_text.lines import first_pages

        files = first_pages(files)
    return tuple(files)


@contextmanager
def progress(
    *, quiet: bool = False, in_bytes: bool = False
) -> Iterator[Callable[[str, int, int | None], None]]:
    """A callback that takes a task, the amount done and the total, if it is known, and shows a
    progress bar if standard error is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda task, done, total: None
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn("{task.description}", markup=False),
        bars.BarColumn(),
        bars.DownloadColumn() if in_bytes else bars.MofNCompleteColumn(),
        bars.TimeElapsedColumn(),
    )
    tasks: dict[str, bars.TaskID] = {}
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as shown:

        def show(task: str, done: int, total: int | None) -> None:
            if task not in tasks:
                tasks[task] = shown.add_task(printable(task))
            shown.update(tasks[task], completed=done, total=total)

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
