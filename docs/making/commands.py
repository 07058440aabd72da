"""The help of every command, what can be given to it, the environment variables and the exit
codes."""

from __future__ import annotations

from typing import Final

import click

from docs.making.markdown import code, fenced, heading, page, table
from reconcile.cli import COMMANDS, command, main
from reconcile.cli.common import BUG, ERROR, INTERRUPTED, OUTSIDE, PIPE_CLOSED, WITHIN

WIDTH: Final = 100
EXIT_CODES: Final = {
    WITHIN: "within tolerance, or nothing was asked to be judged; incomplete figures are never "
    "judged",
    OUTSIDE: "at least one figure of level `error` out of tolerance; with `--strict` also missing, "
    "incomplete and unjudged figures and absent files, with `--fail-on warn` also level `warn`; no "
    "rules found that give the figures (`investigate`); a verdict that got worse (`diff`)",
    ERROR: "could not compare: unreadable file, not the same match, unknown name, bad tolerances, "
    "output not writable, nothing to judge",
    BUG: "a bug in this program; please report it",
    INTERRUPTED: "stopped with Ctrl-C",
    PIPE_CLOSED: "the reader of the output stopped reading, as `head` does",
}
TASKS: Final = (
    ("no wish to use a command line", "a page on which match files are dropped", "page"),
    (
        "a match from XG and from gnuBG",
        "why their rates differ, decision by decision",
        "compare match.xg match.sgf --html gap.html",
    ),
    (
        "only the `.xg`",
        "the other side as well",
        "compare match.xg --analyse 2 --html gap.html",
    ),
    (
        "only a transcript",
        "two engines' opinions of it",
        "compare match.mat --analyse gnubg:0,sage:1",
    ),
    (
        "a match from XG, BGBlitz and gnuBG",
        "who is the outlier, and on which decisions",
        "compare match.xg match.bgf match.sgf --html many.html",
    ),
    (
        "a figure somebody saw",
        "the rules that give it",
        "investigate match.xg --player Nora --reported pr=9.23",
    ),
    (
        "a statistics program to release",
        "whether it still agrees with XG and gnuBG",
        "validate --candidate figures.json",
    ),
    ("a folder of analyses", "those of each match compared", "compare matches/ --html report/"),
    (
        "a player's analysed matches",
        "the errors as exercises: a page, a deck for Anki, text, a lesson sheet",
        "exercises matches/ --player Nora --html practice.html",
    ),
    ("two runs of a gate", "what changed", "diff old.json new.json"),
    (
        "an archive of any size",
        "players pooled, the gap between the tools, which rules matter",
        "corpus archive/ -o tables",
    ),
    (
        "an engine",
        "its score on gnuBG's benchmark databases",
        "benchmark contact.bm --engine gnubg:0",
    ),
)
"""What somebody has, what they want, and the command that does it."""
FILES: Final = (
    ("`.xg`", "eXtreme Gammon 2, file versions 30 and 32 verified", "[.xg](formats/xg.md)"),
    (
        "`.sgf`",
        "GNU Backgammon 1.07 and 1.08, a match or a money session",
        "[.sgf](formats/sgf.md)",
    ),
    (
        "`.txt`",
        "GNU Backgammon's `export match text` with its analysis; `X.txt` is read with `X_002.txt` "
        "and so on beside it",
        "[text](formats/gnubg-text.md)",
    ),
    ("`.bgf`", "BGBlitz, file version 1.0, a match or a money session", "[.bgf](formats/bgf.md)"),
    (
        "`.ogxm`, `.gvab`, `.gva`",
        "OGXM documents of both versions, those of GammonView in bytes and JSON; "
        "one analysis is `FILE.ogxm#2`",
        "[extra `ogxm`](install.md#extras)",
    ),
    ("`.mat`, `.txt`", "transcripts without an analysis", "[.mat](formats/mat.md)"),
    (
        "`.json`",
        "an analysis by Open Sage, as `reconcile analyse --engine sage` keeps it",
        "[Open Sage](engine.md#sage)",
    ),
    (
        "`.db`",
        "blunderDB, every schema so far; one match is `FILE.db#ID` or `FILE.db#player/opponent`",
        "[.db](formats/blunderdb.md)",
    ),
)
ENVIRONMENT: Final = {
    "RECONCILE_DATA": "a folder in which copies of files that do not come with a pack are looked "
    "for, by name, size and SHA-256",
    "RECONCILE_CACHE": "the folder for what `fetch` downloads, for analyses; by default where "
    "the system keeps such files",
    "RECONCILE_GNUBG": "the gnuBG to run; by default the one in `PATH` or in `/usr/games`",
    "RECONCILE_WEIGHTS": "the folder of an unpacked wheel of bgsage, where it is not installed",
}
OVERVIEW: Final = """\
One program, `reconcile`, with a command for each task: look at one match, compare two files of \
it, judge a pack of reference matches, ask which rules give a figure you saw. `python -m \
reconcile` is the same program.

Machine output goes to standard output or into the file you name; messages go to standard error \
where standard output holds data. `-` as a file is standard input or output."""
COMPLETION: Final = """\
bash, in `~/.bashrc`:

    eval "$(_RECONCILE_COMPLETE=bash_source reconcile)"

zsh, in `~/.zshrc`:

    eval "$(_RECONCILE_COMPLETE=zsh_source reconcile)"

fish, in `~/.config/fish/config.fish`:

    _RECONCILE_COMPLETE=fish_source reconcile | source"""


def help_of(name: str = "") -> str:
    """The `--help` text of the program or of a command, at a fixed width."""
    context = click.Context(
        main,
        info_name="reconcile",
        terminal_width=WIDTH,
        max_content_width=WIDTH,
        **main.context_settings,
    )
    if name:
        context = click.Context(command(name), parent=context, info_name=name)
    return context.get_help()


def commands_page() -> str:
    """The page of the command line."""
    summaries = ((name, command(name).get_short_help_str(WIDTH)) for name in COMMANDS)
    parts = [
        OVERVIEW,
        table(
            ["you have", "you want", "command"],
            ((have, want, code(f"reconcile {line}")) for have, want, line in TASKS),
        ),
        heading(2, "Commands", "commands"),
        table(
            ["command", "what it does"],
            ((f"[{code(name)}](#{name})", summary) for name, summary in summaries),
        ),
        heading(2, "Files", "files"),
        "A match is read from any of these. Files are recognised by content, never by name.",
        table(["file", "from", "details"], FILES),
        "`-` is standard input or standard output. Players are matched by name, never by seat; "
        "decisions by game, turn, dice and position. The figures of a program under test are read "
        "from [more formats](candidates.md).",
        "Where a command takes the name of a figure, as in `--reported pr=9.23`, it is one of "
        "[these](figures.md), long or short.",
        heading(2, "Exit codes", "exit-codes"),
        table(["code", "meaning"], EXIT_CODES.items(), "rl"),
        "Code 2 comes with one line on standard error and nothing on standard output; "
        "`--exit-zero` never hides it. A bug keeps its traceback.",
        heading(2, "Environment variables", "environment"),
        table(
            ["variable", "meaning"],
            ((code(name), meaning) for name, meaning in ENVIRONMENT.items()),
        ),
        heading(2, "Shell completion", "completion"),
        COMPLETION,
        heading(2, "The program", "program"),
        fenced(help_of()),
    ]
    for name in COMMANDS:
        parts += [heading(2, code(name), name), fenced(help_of(name))]
    return page("Command line", *parts)
