"""The help of every command, what can be given to it, the environment variables and the exit
codes."""

from __future__ import annotations

import click

from docs.making.markdown import code, coded, fenced, filled, page, table
from reconcile.cli import COMMANDS, command, main

WIDTH = 100
TEXT = """\
One program, `reconcile`, with a command for each task: look at one match, compare two files of \
it, judge a pack of reference matches, ask which rules give a figure you saw. `python -m \
reconcile` is the same program.

Machine output goes to standard output or into the file you name; messages go to standard error \
where standard output holds data. `-` as a file is standard input or output.

| you have | you want | command |
| --- | --- | --- |
| no wish to use a command line | a page on which match files are dropped | `reconcile page` |
| a match from XG and from gnuBG | why their rates differ, decision by decision | `reconcile \
compare match.xg match.sgf --html gap.html` |
| only the `.xg` | the other side as well | `reconcile compare match.xg --analyse 2 --html \
gap.html` |
| only a transcript | two engines' opinions of it | `reconcile compare match.mat --analyse \
gnubg:0,sage:1` |
| a match from XG, BGBlitz and gnuBG | who is the outlier, and on which decisions | `reconcile \
compare match.xg match.bgf match.sgf --html many.html` |
| a figure somebody saw | the rules that give it | `reconcile investigate match.xg --player Nora \
--reported pr=9.23` |
| a statistics program to release | whether it still agrees with XG and gnuBG | `reconcile \
validate --candidate figures.json` |
| a folder of analyses | those of each match compared | `reconcile compare matches/ --html \
report/` |
| a player's analysed matches | the errors as exercises: a page, a deck for Anki, text, a lesson \
sheet | `reconcile exercises matches/ --player Nora --html practice.html` |
| two runs of a gate | what changed | `reconcile diff old.json new.json` |
| an archive of any size | players pooled, the gap between the tools, which rules matter | \
`reconcile corpus archive/ -o tables` |
| an engine | its score on gnuBG's benchmark databases | `reconcile benchmark contact.bm --engine \
gnubg:0` |

## Commands {#commands}

[[commands]]

## Files {#files}

A match is read from any of these. Files are recognised by content, never by name.

| file | from | details |
| --- | --- | --- |
| `.xg` | eXtreme Gammon 2, file versions 30 and 32 verified | [.xg](formats/xg.md) |
| `.sgf` | GNU Backgammon 1.07 and 1.08, a match or a money session | [.sgf](formats/sgf.md) |
| `.txt` | GNU Backgammon's `export match text` with its analysis; `X.txt` is read with \
`X_002.txt` and so on beside it | [text](formats/gnubg-text.md) |
| `.bgf` | BGBlitz, file version 1.0, a match or a money session | [.bgf](formats/bgf.md) |
| `.ogxm`, `.gvab`, `.gva` | OGXM documents of both versions, those of GammonView in bytes and \
JSON; one analysis is `FILE.ogxm#2` | [extra `ogxm`](install.md#extras) |
| `.mat`, `.txt` | transcripts without an analysis | [.mat](formats/mat.md) |
| `.json` | an analysis by Open Sage, as `reconcile analyse --engine sage` keeps it | [Open \
Sage](engine.md#sage) |
| `.db` | blunderDB, every schema so far; one match is `FILE.db#ID` or `FILE.db#player/opponent` \
| [.db](formats/blunderdb.md) |

`-` is standard input or standard output. Players are matched by name, never by seat; decisions \
by game, turn, dice and position. The figures of a program under test are read from [more \
formats](candidates.md).

Where a command takes the name of a figure, as in `--reported pr=9.23`, it is one of \
[these](figures.md), long or short.

## Exit codes {#exit-codes}

| code | meaning |
| ---: | --- |
| 0 | within tolerance, or nothing was asked to be judged; incomplete figures are never judged |
| 1 | at least one figure of level `error` out of tolerance; with `--strict` also missing, \
incomplete and unjudged figures and absent files, with `--fail-on warn` also level `warn`; no \
rules found that give the figures (`investigate`); a verdict that got worse (`diff`) |
| 2 | could not compare: unreadable file, not the same match, unknown name, bad tolerances, \
output not writable, nothing to judge |
| 70 | a bug in this program; please report it |
| 130 | stopped with Ctrl-C |
| 141 | the reader of the output stopped reading, as `head` does |

Code 2 comes with one line on standard error and nothing on standard output; `--exit-zero` never \
hides it. A bug keeps its traceback.

## Environment variables {#environment}

| variable | meaning |
| --- | --- |
| `RECONCILE_DATA` | a folder in which copies of files that do not come with a pack are looked \
for, by name, size and SHA-256 |
| `RECONCILE_CACHE` | the folder for what `fetch` downloads, for analyses; by default where the \
system keeps such files |
| `RECONCILE_GNUBG` | the gnuBG to run; by default the one in `PATH` or in `/usr/games` |
| `RECONCILE_WEIGHTS` | the folder of an unpacked wheel of bgsage, where it is not installed |

## Shell completion {#completion}

bash, in `~/.bashrc`:

    eval "$(_RECONCILE_COMPLETE=bash_source reconcile)"

zsh, in `~/.zshrc`:

    eval "$(_RECONCILE_COMPLETE=zsh_source reconcile)"

fish, in `~/.config/fish/config.fish`:

    _RECONCILE_COMPLETE=fish_source reconcile | source

## The program {#program}

[[program]]

[[each]]"""


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
    rows = (
        (f"[{code(name)}](#{name})", command(name).get_short_help_str(WIDTH)) for name in COMMANDS
    )
    helped = (f"{coded(2, name)}\n\n{fenced(help_of(name))}" for name in COMMANDS)
    text = filled(
        TEXT,
        commands=table(["command", "what it does"], rows),
        program=fenced(help_of()),
        each="\n\n".join(helped),
    )
    return page("Command line", text)
