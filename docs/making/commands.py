"""The help of every command, and the exit codes."""

from __future__ import annotations

from typing import Final

import click

from docs.making.markdown import code, fenced, heading, page, table
from reconcile.cli import COMMANDS, command, main
from reconcile.cli.common import ERROR, OUTSIDE, WITHIN

WIDTH: Final = 100
EXIT_CODES: Final = {
    WITHIN: "within tolerance, or nothing to judge; incomplete figures are reported as findings",
    OUTSIDE: "at least one figure of level `error` out of tolerance; with `--strict` also incomplete figures and missing files, with "
    "`--fail-on warn` also level `warn`; no rules found that give the figures (`investigate`); a verdict that got worse (`diff`)",
    ERROR: "could not compare: unreadable file, not the same match, unknown name, bad tolerances, output not writable, nothing to judge",
}


def help_of(name: str = "") -> str:
    """The `--help` text of the program or of a command, at a fixed width."""
    context = click.Context(main, info_name="reconcile", terminal_width=WIDTH, max_content_width=WIDTH, **main.context_settings)
    if name:
        context = click.Context(command(name), parent=context, info_name=name)
    return context.get_help()


def commands_page() -> str:
    """The page of the command line."""
    summaries = ((name, command(name).get_short_help_str(WIDTH)) for name in COMMANDS)
    parts = [
        "One program, `reconcile`, with a command for each task: look at one match, compare two files of it, judge a pack of "
        "reference matches, ask which rules give a figure you saw. `python -m reconcile` is the same program.",
        "Machine output goes to standard output or into the file you name; what people should read goes to standard error where standard "
        "output is data. `-` as a file is standard input or output.",
        table(["command", "what it does"], ((f"[{code(name)}](#{name})", summary) for name, summary in summaries)),
        heading(2, "Exit codes", "exit-codes"),
        table(["code", "meaning"], EXIT_CODES.items(), "rl"),
        "Code 2 comes with one line on standard error and nothing on standard output; `--exit-zero` never hides it. A bug keeps its "
        "traceback.",
        heading(2, "The program", "program"),
        fenced(help_of()),
    ]
    for name in COMMANDS:
        parts += [heading(2, code(name), name), fenced(help_of(name))]
    return page("Command line", *parts)
