"""Write the generated parts of README.md again: what commands print, measured accuracy.

    python -m tests.support.readme

A generated part stands between `<!-- name -->` and `<!-- /name -->`. `<!-- output 12: reconcile ...
-->` holds a command and the first 12 lines that it prints in a copy of
`reference_matches/demonstration`.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from docs.making.checked import CHECKS, KEPT
from docs.making.markdown import table
from tests.support.command_line import environment, first_lines
from tests.support.data import PROJECT

README = PROJECT / "README.md"
PACK = PROJECT / "reference_matches"
WIDTH = 100
LONGEST = 120
"""Longer lines of an output are cut."""
PART = re.compile(
    r"<!-- (?P<head>(?P<name>[a-z]+)(?: [^\n]*)?) -->\n(?P<body>.*?)<!-- /(?P=name) -->", re.DOTALL
)


def _output(argument):
    count, _, commands = argument.partition(":")
    lines = first_lines(printed(commands.strip()), int(count), LONGEST)
    return "\n".join(["```console", f"$ {commands.strip()}", *lines, "```\n"])


def printed(commands):
    """What `reconcile ...`, or the last of several with `&&` between them, prints where there are
    no real matches."""
    with tempfile.TemporaryDirectory() as folder:
        pack = shutil.copytree(PACK, Path(folder) / PACK.name)
        place = shutil.copytree(pack / "demonstration", Path(folder) / "try")
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
        own = environment(COLUMNS=str(WIDTH), PATH=path, RECONCILE_CACHE=f"{folder}/cache")
        for command in commands.split(" && "):
            words = [sys.executable, "-m", *shlex.split(command)]
            done = subprocess.run(words, cwd=place, env=own, capture_output=True, encoding="utf-8")
            if done.returncode not in (0, 1) or not done.stdout + done.stderr:
                raise RuntimeError(f"{command}: {done.stderr}")
    return done.stdout


def _accuracy(_):
    """Our figures of real matches against those of other programs, as `docs/checked.json` has
    them."""
    measured = json.loads(KEPT.read_text("utf-8"))
    rows = [
        (
            f"{counts['tool']}: {CHECKS[key].against}",
            f"{counts['files']} files, {counts['games']} games",
            CHECKS[key].tolerance,
            f"{counts['same'] + counts['within']:,} of {counts['figures']:,}",
        )
        for key, counts in measured.items()
        if key != "gnubg-fresh"
    ]
    return table(["figures of", "on", "ours are", "agree"], rows, "lllr") + "\n"


def fresh(text):
    """The text with every generated part as it should be now."""

    def again(part):
        name, head = part["name"], part["head"]
        make = _output if name == "output" else _accuracy
        return f"<!-- {head} -->\n{make(head.removeprefix(name).strip())}<!-- /{name} -->"

    return PART.sub(again, text)


if __name__ == "__main__":
    README.write_text(fresh(README.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
