"""Write the generated parts of README.md again: the help, the table of rules, what commands print, measured accuracy.

    python -m tests.support.readme

A generated part stands between `<!-- name -->` and `<!-- /name -->`; `<!-- output 12: reconcile ... -->` holds the first 12 lines
that a command prints in the project's folder.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click

from reconcile.cli import COMMANDS, command, main
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.validate import validate
from reconcile.report.explain import rule_matrix
from reconcile.scoring.gnubg_table import GnubgTable
from reconcile.scoring.statistics import statistics
from tests.support.data import FOLDER, PROJECT, VARIABLE, matching, present

README: Final = PROJECT / "README.md"
WIDTH: Final = 100
LONGEST: Final = 110
"""Longer lines of an output are cut."""
PART: Final = re.compile(r"<!-- (?P<head>(?P<name>[a-z]+)(?: [^\n]*)?) -->\n(?P<body>.*?)<!-- /(?P=name) -->", re.DOTALL)
LEFT_ALONE: Final = ("performance",)
"""Parts that are measured by hand."""


def help_of(name: str = "") -> str:
    """What `--help` prints of the program or of one of its commands, at a width of its own."""
    # With the settings of the program, since click keeps the help option that it makes first.
    context = click.Context(main, info_name="reconcile", terminal_width=WIDTH, max_content_width=WIDTH, **main.context_settings)
    if name:
        context = click.Context(command(name), parent=context, info_name=name)
    return context.get_help()


def _fenced(text: str, language: str = "text") -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def _help() -> str:
    parts = [f"<details><summary><code>reconcile {name}</code></summary>\n\n{_fenced(help_of(name))}\n</details>\n" for name in COMMANDS]
    return "\n".join([_fenced(help_of()), *parts])


def _rules() -> str:
    """What `reconcile rules` prints, as a table of Markdown."""
    matrix, _, note = rule_matrix().partition("\n\n")
    head, *lines = [re.split(r" {2,}", line) for line in matrix.splitlines()]
    rows = [["question", *(f"`{name}`" for name in head[1:])], ["---"] * len(head)]
    rows += [[question, *(re.sub(r"^\S+", r"`\g<0>`", answer) for answer in answers)] for question, *answers in lines]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows) + (f"\n{note.strip()}\n" if note else "")


def _output(argument: str) -> str:
    count, _, command = argument.partition(":")
    done = run(command.strip())
    if not done.stdout:
        raise RuntimeError(f"{command}: {done.stderr}")
    printed = [line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..." for line in done.stdout.splitlines()]
    return _fenced("\n".join([*printed[: int(count)], *(["..."] if len(printed) > int(count) else [])]))


def run(command: str) -> subprocess.CompletedProcess[str]:
    """Run `reconcile ...` in the project's folder, without real matches."""
    name, *arguments = shlex.split(command)
    if name != "reconcile":
        raise ValueError(f"expected a command of reconcile, found {command!r}")
    environment = {**os.environ, "COLUMNS": str(WIDTH), "PYTHONUTF8": "1"}
    environment.pop(VARIABLE, None)
    return subprocess.run(
        [sys.executable, "-m", "reconcile", *arguments], cwd=PROJECT, env=environment, capture_output=True, text=True, encoding="utf-8"
    )


def _accuracy() -> str:
    """Our figures against those of the tools, counted on the real matches. Only where these are."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(FOLDER)
    try:
        pack = validate(PROJECT / "reference_matches", load_tolerances())
    finally:
        os.environ.pop(VARIABLE) if before is None else os.environ.update({VARIABLE: before})
    by_match = [[figure for part in match.reported if part.rules == "xg" for figure in part.figures] for match in pack.matches]
    window = [figure for figures in by_match for figure in figures]
    within = sum(figure.verdict == "within" for figure in window)
    matches = f"{sum(map(bool, by_match))} public matches"
    counters, equal, sums, near, files = 0, 0, 0, 0, 0
    for path in matching("gnubg/*.stats.json", "real/*.stats.json"):
        files += 1
        for ours, theirs in _gnubg_figures(path):
            if isinstance(theirs, int):
                counters, equal = counters + 1, equal + (ours == theirs)
            else:
                sums, near = sums + 1, near + (ours is not None and abs(ours - theirs) <= max(1e-6, 1e-6 * abs(theirs)))
    rows = [
        ("eXtreme Gammon's statistics window", matches, "every figure, rounded to the digits printed", within, len(window)),
        ("GNU Backgammon's statistics, counters", f"{files} matches", "equal", equal, counters),
        ("GNU Backgammon's statistics, sums and rates", f"{files} matches", "within 1e-6, absolute or relative", near, sums),
    ]
    table = "| figures of | on | ours are | agree |\n| --- | --- | --- | ---: |\n"
    return table + "".join(f"| {a} | {b} | {c} | {good} of {total} |\n" for a, b, c, good, total in rows)


def _gnubg_figures(path: Path) -> Iterator[tuple[Any, int | float]]:
    from reconcile.adapters import load_match
    from tests.support.reported import met_of

    table = GnubgTable(statistics(load_match(path.with_name(path.name.replace(".stats.json", ".sgf"))), "gnubg", met_of(path)))
    printed = json.loads(path.read_text("utf-8"))
    for seat, name in enumerate("XO"):
        for game, part in [(None, printed), *enumerate(printed["games"])]:
            ours = dict(_leaves(table.table(seat, game)))
            for key, value in _leaves(part["stats"][name]):
                # gnuBG shows the first player's marked rolls for both players; FIBS ratings follow from the sums.
                if "marked-rolls" not in key and not key[-1].startswith("fibs") and key[0] != "error-based-fibs-rating":
                    yield ours.get(key), value


def _leaves(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], int | float]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*path, key))
        else:
            yield (*path, key), value


def fresh(text: str) -> str:
    """The text with every generated part as it should be now; accuracy stays where there are no real matches."""
    makers: dict[str, Callable[[str], str]] = {"help": lambda _: _help(), "rules": lambda _: _rules(), "output": _output}
    if present():
        makers["accuracy"] = lambda _: _accuracy()

    def again(part: re.Match[str]) -> str:
        name, head = part["name"], part["head"]
        if name in LEFT_ALONE or (name == "accuracy" and name not in makers):
            return part[0]
        return f"<!-- {head} -->\n{makers[name](head.removeprefix(name).strip())}<!-- /{name} -->"

    return PART.sub(again, text)


if __name__ == "__main__":
    README.write_text(fresh(README.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
