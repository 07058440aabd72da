"""The command line: arguments in, one function of the library called, results out, an exit code.

Exit codes: 0 within tolerance, 1 a figure out of tolerance, 2 could not compare. A user's mistake
is reported in one line on standard error; a bug keeps its traceback. Each command is a module,
loaded only when it runs; anything slow to import is imported by the command that needs it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from itertools import takewhile
from pathlib import Path
from typing import NoReturn

import click

from reconcile.cli.common import (
    BUG,
    ERROR,
    HAS_TEXTS,
    INTERRUPTED,
    PIPE_CLOSED,
    WITHOUT_TEXTS,
    echo,
    open_streams,
)
from reconcile.errors import NOWHERE, At, ReconcileError
from reconcile.files.output import CannotWrite, standard
from reconcile.version import __version__

COMMANDS = (
    "analyse", "benchmark", "benchmark-make", "compare", "convert", "corpus", "corpus-query",
    "corpus-report", "diff", "exercises", "explain", "fetch", "init", "investigate",
    "new-match", "page", "stats", "suite", "validate",
)  # fmt: skip
GITHUB = "reconcile.github"
"""Where the context keeps whether annotations were asked for, before the words are understood."""


def command(name: str) -> click.Command:
    """A command by its name; its module is imported now. Raises `KeyError`."""
    return {str(each.name): each for each in _beside(name)}[name]


def _beside(name: str) -> Sequence[click.Command]:
    """A command and those of the same module."""
    match name:
        case "analyse" | "convert":
            from reconcile.cli.analyse import analyse, convert

            return analyse, convert
        case "benchmark" | "benchmark-make":
            from engine_benchmark.commands import benchmark, benchmark_make

            return benchmark, benchmark_make
        case "compare":
            from reconcile.cli.compare import compare

            return [compare]
        case "corpus" | "corpus-query" | "corpus-report":
            from reconcile.cli.corpus import corpus, corpus_query, corpus_report

            return corpus, corpus_query, corpus_report
        case "exercises":
            from reconcile.cli.exercises import exercises

            return [exercises]
        case "explain":
            from reconcile.cli.explain import explain

            return [explain]
        case "fetch" | "init" | "new-match":
            from reconcile.cli.init import fetch, init, new_match

            return fetch, init, new_match
    return _of_results(name)


def _of_results(name: str) -> Sequence[click.Command]:
    match name:
        case "diff" | "validate":
            from reconcile.cli.validate import diff, validate

            return diff, validate
        case "investigate":
            from reconcile.cli.investigate import investigate

            return [investigate]
        case "page":
            from reconcile.cli.page import page

            return [page]
        case "stats":
            from reconcile.cli.stats import stats

            return [stats]
        case "suite":
            from reconcile.cli.suite import suite

            return [suite]
    raise KeyError(name)


def command_for(args: Sequence[str]) -> list[str]:
    """The command that is meant where only files are named: `compare` for several of them, `stats`
    for one."""
    if not args or args[0] in COMMANDS or not (Path(args[0]).suffix or Path(args[0]).exists()):
        return []
    files = list(takewhile(lambda word: not word.startswith("-"), args))
    return ["compare" if len(files) > 1 or "--analyse" in args else "stats"] if files else []


class _Tool(click.Group):
    """Turns a user's mistake into one line and exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            named = command(cmd_name)
            for each in (named, *getattr(named, "commands", {}).values()):
                each.epilog = None if HAS_TEXTS else WITHOUT_TEXTS
            return named
        if not ctx.resilient_parsing:  # as a shell does that completes a word
            from reconcile.wording import did_you_mean

            ctx.fail(f"No such command {cmd_name[:60]!r}{did_you_mean(cmd_name, COMMANDS)}")
        return None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = list(takewhile(lambda word: word != "--", args))
        ctx.meta[GITHUB] = "--github" in options
        with _reported(ctx):
            # An empty variable of a script, mostly.
            if any(word == "" or re.fullmatch("--[a-z-]+=", word) for word in args):
                expected = "a name or a value, found an empty one"
                if args[0] == "corpus-query" and args[2:3] == [""] and args[1][:1] != "-":
                    expected = "a SELECT, found an empty text"
                raise click.UsageError(f"expected {expected}; check the command")
            return super().parse_args(ctx, [*command_for(args), *args])

    def invoke(self, ctx: click.Context) -> object:
        with _reported(ctx):
            return super().invoke(ctx)


@contextmanager
def _reported(ctx: click.Context) -> Iterator[None]:
    try:
        with _own_output():
            yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        path = "reconcile" if error.ctx is None else error.ctx.command_path
        text = " ".join(error.format_message().split()).rstrip(".")
        _refuse(ctx, f"{text}; see `{path} --help`")
    except ReconcileError as error:
        _refuse(ctx, " ".join(str(error).split()), error.at)
    except MemoryError:
        _refuse(ctx, "not enough memory for this; give it more, or fewer files at once")
    except BrokenPipeError:  # click would exit with 1, which is a verdict here
        ctx.exit(PIPE_CLOSED)


def _refuse(ctx: click.Context, message: str, at: At = NOWHERE) -> None:
    """Exit with 2 after one line on standard error, and with `--github` an annotation."""
    with suppress(CannotWrite):
        echo(f"reconcile: {message}", err=True)
    if ctx.meta.get(GITHUB):
        from reconcile.report.ci import error_command

        with suppress(CannotWrite):
            echo(error_command(message, at, os.environ))
    ctx.exit(ERROR)


@contextmanager
def _own_output() -> Iterator[None]:
    """Help and version, which click prints itself, fail like other output."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError:
        # Fails again if that was it; else it is a bug, whose traceback begins on its own line.
        with standard("standard output"):
            click.echo()
        raise


@click.group(cls=_Tool, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="reconcile")
def main() -> None:
    """Recompute backgammon statistics under each tool's own rules, and compare them.

    Without a command, one file gets its statistics, and several files are compared.

    Exit codes: 0 within tolerance, 1 a figure out of tolerance, 2 could not compare.
    """


if not HAS_TEXTS:
    main.epilog = WITHOUT_TEXTS


def run() -> None:
    """The console script: `main`, handling broken streams as a shell expects.

    A console that cannot show a letter of a name, as on some Windows systems, shows a question
    mark.
    """
    open_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        try:
            main.main(prog_name="reconcile", standalone_mode=True)
        finally:
            with standard("standard output"):
                sys.stdout.flush()
    except BrokenPipeError:
        _leave(PIPE_CLOSED)
    except CannotWrite as error:
        with suppress(CannotWrite):
            echo(f"reconcile: {error}", err=True)
        _leave(ERROR)
    except Exception as error:
        if isinstance(error.__cause__ or error.__context__, SystemExit):
            raise SystemExit(INTERRUPTED) from None  # as Python 3.11 wraps it where a class is made
        # A bug: print the traceback and exit with a code that no gate mistakes for a verdict.
        from traceback import print_exc

        try:
            with standard("standard error"):
                print_exc()
                sys.stderr.flush()
        except CannotWrite:  # so could click's own message not
            _leave(ERROR)
        sys.exit(BUG)


def _leave(code: int) -> NoReturn:
    """Exit without what an output still waits to write: Python would try again, and exit with
    120."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)
    sys.exit(code)
