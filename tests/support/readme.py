"""Write the generated parts of README.md again: what commands print, measured accuracy.

    python -m tests.support.readme

A generated part stands between `<!-- name -->` and `<!-- /name -->`. `<!-- output 12: reconcile ...
-->` holds a command and the first 12 lines that it prints in a copy of
`reference_matches/demonstration`.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.validate import validate
from reconcile.scoring.gnubg_table import GnubgTable
from reconcile.scoring.statistics import statistics
from tests.support.data import FOLDER, PROJECT, VARIABLE, matching, present

README: Final = PROJECT / "README.md"
PACK: Final = PROJECT / "reference_matches"
WIDTH: Final = 100
LONGEST: Final = 120
"""Longer lines of an output are cut."""
PART: Final = re.compile(
    r"<!-- (?P<head>(?P<name>[a-z]+)(?: [^\n]*)?) -->\n(?P<body>.*?)<!-- /(?P=name) -->", re.DOTALL
)


def _output(argument: str) -> str:
    count, _, commands = argument.partition(":")
    lines = printed(commands.strip()).splitlines()
    shown = [
        line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."
        for line in lines[: int(count)]
    ]
    more = ["..."] if len(lines) > len(shown) else []
    return "\n".join(["```console", f"$ {commands.strip()}", *shown, *more, "```"]) + "\n"


def printed(commands: str) -> str:
    """What `reconcile ...`, or the last of several with `&&` between them, prints where there are
    no real matches."""
    environment = {
        **os.environ,
        "COLUMNS": str(WIDTH),
        "PYTHONUTF8": "1",
        "PYTHONPATH": str(PROJECT),
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
    }
    environment.pop(VARIABLE, None)
    with tempfile.TemporaryDirectory() as folder:
        pack = shutil.copytree(PACK, Path(folder) / PACK.name)
        place = shutil.copytree(pack / "demonstration", Path(folder) / "try")
        environment["RECONCILE_CACHE"] = str(Path(folder) / "cache")
        for command in commands.split(" && "):
            name, *arguments = shlex.split(command)
            if name != "reconcile":
                raise ValueError(f"expected a command of reconcile, found {command!r}")
            words = [sys.executable, "-m", "reconcile", *arguments]
            done = subprocess.run(
                words, cwd=place, env=environment, capture_output=True, text=True, encoding="utf-8"
            )
            if done.returncode not in (0, 1) or not done.stdout + done.stderr:
                raise RuntimeError(f"{command}: {done.stderr}")
    return done.stdout


def _accuracy() -> str:
    """Our figures against those of the tools, counted on the real matches. Only where these are."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(FOLDER)
    try:
        pack = validate(PACK, load_tolerances())
    finally:
        os.environ.pop(VARIABLE) if before is None else os.environ.update({VARIABLE: before})
    by_match = [
        [figure for part in match.reported if part.rules == "xg" for figure in part.figures]
        for match in pack.matches
    ]
    window = [figure for figures in by_match for figure in figures]
    within = sum(figure.verdict == "within" for figure in window)
    matches = f"{sum(map(bool, by_match))} public matches"
    counters, equal, sums, near, files = _gnubg_counts()
    rows = [
        (
            "eXtreme Gammon's statistics window",
            matches,
            "every figure, rounded to the digits printed",
            within,
            len(window),
        ),
        ("GNU Backgammon's statistics, counters", f"{files} matches", "equal", equal, counters),
        (
            "GNU Backgammon's statistics, sums and rates",
            f"{files} matches",
            "within 1e-6, absolute or relative",
            near,
            sums,
        ),
    ]
    table = "| figures of | on | ours are | agree |\n| --- | --- | --- | ---: |\n"
    return table + "".join(
        f"| {a} | {b} | {c} | {good} of {total} |\n" for a, b, c, good, total in rows
    )


def _gnubg_counts() -> tuple[int, int, int, int, int]:
    """Counters and how many are equal, sums and how many are near, and the files."""
    counters, equal, sums, near, files = 0, 0, 0, 0, 0
    for path in matching("gnubg/*.stats.json", "real/*.stats.json"):
        files += 1
        for ours, theirs in _gnubg_figures(path):
            if isinstance(theirs, int):
                counters, equal = counters + 1, equal + (ours == theirs)
            else:
                sums, near = (
                    sums + 1,
                    near
                    + (ours is not None and abs(ours - theirs) <= max(1e-6, 1e-6 * abs(theirs))),
                )
    return counters, equal, sums, near, files


def _gnubg_figures(path: Path) -> Iterator[tuple[Any, int | float]]:
    from reconcile.formats import load_match
    from tests.support.reported import met_of

    table = GnubgTable(
        statistics(
            load_match(path.with_name(path.name.replace(".stats.json", ".sgf"))),
            "gnubg",
            met_of(path),
        )
    )
    printed = json.loads(path.read_text("utf-8"))
    for seat, name in enumerate("XO"):
        for game, part in [(None, printed), *enumerate(printed["games"])]:
            ours = dict(_leaves(table.table(seat, game)))
            for key, value in _leaves(part["stats"][name]):
                # gnuBG shows the first player's marked rolls for both players; FIBS ratings follow
                # from the sums.
                if (
                    "marked-rolls" not in key
                    and not key[-1].startswith("fibs")
                    and key[0] != "error-based-fibs-rating"
                ):
                    yield ours.get(key), value


def _leaves(
    table: Mapping[str, Any], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], int | float]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*path, key))
        else:
            yield (*path, key), value


def fresh(text: str) -> str:
    """The text with every generated part as it should be now; accuracy stays where there are no
    real matches."""
    makers: dict[str, Callable[[str], str]] = {"output": _output}
    if present():
        makers["accuracy"] = lambda _: _accuracy()

    def again(part: re.Match[str]) -> str:
        name, head = part["name"], part["head"]
        if name not in makers:
            return part[0]
        return f"<!-- {head} -->\n{makers[name](head.removeprefix(name).strip())}<!-- /{name} -->"

    return PART.sub(again, text)


if __name__ == "__main__":
    README.write_text(fresh(README.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
