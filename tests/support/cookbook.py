"""The files that the cookbook names, and what its commands print there.

python -m tests.support.cookbook        # writes the outputs in docs/cookbook again
"""

import os
import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import reconcile
from tests.match.met.table_files import GOOD
from tests.support.command_line import first_lines, run
from tests.support.data import PROJECT

PAGES = sorted((PROJECT / "docs" / "cookbook").glob("*.md"))
TASK = re.compile(
    r"^## (?P<title>.+)\n\n```sh\n(?P<sh>.+)\n```\n\n"
    r"(?:```text\n(?P<output>(?:.*\n)*?)```\n\n)?"
    r"```python\n(?P<python>(?:.*\n)+?)```$",
    re.MULTILINE,
)
LINES, WIDTH = 4, 96
"""An output is shown up to so many lines and characters a line; what is cut ends in `...`. What a
page has shown already is not shown again."""
PROGRAM = f"""#!{sys.executable}
import json, sys
import reconcile
scored = reconcile.statistics(reconcile.load_match(sys.argv[1]))
players = dict(zip(scored.match.players, (scored.figures(seat) for seat in (0, 1))))
print(json.dumps({{"schema_version": 1, "matches": [{{"players": players}}]}}))
"""


BEGINNING = "from pathlib import Path\n\nimport reconcile\n\n"
"""Of every program, said once on a page."""


class Task(NamedTuple):
    """A recipe: its heading, the command, the output shown (None if there is none) and the
    Python."""

    title: str
    sh: str
    output: str | None
    python: str


def tasks(page):
    """The recipes of a page, in its order."""
    return [Task(*match.groups()) for match in TASK.finditer(page.read_text("utf-8"))]


def make_files(folder):
    """Write every file that a recipe names."""
    samples = reconcile.samples()
    xg, sgf = (samples[f"nora-lindqvist-tomas-beck.{ending}"] for ending in ("xg", "sgf"))
    for source, names in {
        xg: "mine.xg match.xg matches/a.xg both/a.xg",
        sgf: "match.sgf other.sgf both/b.sgf",
        samples["alice-bob-3pt-2ply.sgf"]: "matches/b.sgf",
        PROJECT / "tolerances.yaml": "tolerances.yaml",
    }.items():
        for name in names.split():
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(source, folder / name)
    pack = PROJECT / "reference_matches" / "gnubg-3pt-2ply"
    shutil.copytree(pack, folder / "pack" / pack.name)
    for name, text in {
        "mine.yaml": "schema_version: 1\ntitle: Mine\nextends: xg\nanswers: {Q02: gnubg}\n",
        "mine.xml": GOOD,
        "names.yaml": 'schema_version: 1\nplayers: {"Nora Lindqvist": ["N. Lindqvist"]}\n',
        "prog": PROGRAM,
    }.items():
        (folder / name).write_text(text)
    (folder / "prog").chmod(0o755)


def search_path(folder):
    """PATH on which `prog` and this Python stand first."""
    return os.pathsep.join((str(folder), str(Path(sys.executable).parent), os.environ["PATH"]))


def printed(sh):
    """What the command of a recipe prints on standard output in the current folder."""
    command, _, file = sh.partition(" < ")
    stdin = Path(file).read_bytes() if file else b""
    result = run(*shlex.split(command)[1:], stdin=stdin, COLUMNS=str(WIDTH))
    assert result.exit_code in (0, 1), result.output
    return result.stdout


def shown(output):
    """The first lines of an output as a recipe shows them."""
    return "".join(f"{line}\n" for line in first_lines(output, LINES, WIDTH))


def with_outputs(page):
    """The text of a page with what each command prints below it, run in the current folder."""
    before = {""}

    def block(match):
        task = Task(*match.groups())
        output = shown(printed(task.sh))
        output = "" if output in before else output
        before.add(output)
        result = f"```text\n{output}```\n\n" if output else ""
        return f"## {task.title}\n\n```sh\n{task.sh}\n```\n\n{result}```python\n{task.python}```"

    return TASK.sub(block, page.read_text("utf-8"))


def main():
    """Write the outputs of every page again."""
    with tempfile.TemporaryDirectory() as name:
        make_files(Path(name))
        os.environ |= {"PATH": search_path(Path(name)), "PYTHONPATH": str(PROJECT)}
        os.environ.pop("RECONCILE_DATA", None)
        os.chdir(name)
        for page in PAGES:
            page.write_text(with_outputs(page), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
