"""What two commits make of the same inputs, compared byte by byte: the oracle of a change that
should change nothing.

    python -m tests.support.baseline OLD                    # a commit against the working tree
    python -m tests.support.baseline OLD NEW -o DIR         # two commits; the outputs are kept in
    DIR/old and DIR/new
    python -m tests.support.baseline OLD --only figures     # columns, figures, json, text or pages

The inputs are the bundled matches of the old commit and every match in the folder that
RECONCILE_DATA names. Compared are

- columns: every column of every table of every file that can be read, by digest
- figures: `stats` of every file under every rule set, for the match and its games, and pooled by
  folder
- json: every `--json` of comparisons of two and of several files, of investigations, of a pack
- text: what every command prints for bundled matches, with its exit code
- pages: HTML, Markdown, JUnit and ledgers of bundled matches

Nothing of ours is kept as truth. Printed are the outputs that differ, each with the first line in
which it does; the exit code is 1 if any.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.data import FOLDER, PROJECT

PARTS: Final = ("columns", "figures", "json", "text", "pages")
SUFFIXES: Final = (".xg", ".sgf", ".bgf", ".mat", ".txt")
LEFT_OUT: Final = {"damaged", "hostile", "pyodide", "benchmark"}
"""Folders of what is no match."""
RULE_SETS: Final = "xg gnubg gnubg-manual blunderdb blunderdb-2026 backgammondb gammonview bgblitz"
COLUMNS: Final = """
import hashlib, sys
import numpy as np
import reconcile
for path in sys.argv[1:]:
    try:
        match = reconcile.load_match(path)
    except reconcile.ReconcileError as error:
        print(path, "refused", error)
        continue
    for name in ("plays", "cubes", "resignations", "games"):
        table = getattr(match, name)
        for column in sorted(type(table).names()):
            values = getattr(table, column, None)
            if isinstance(values, np.ndarray):
                digest = hashlib.sha256(values.tobytes()).hexdigest()[:16]
                print(path, name, column, values.dtype, values.shape, digest)
            elif values is not None and not column.startswith("_"):
                shown = repr(list(values) if hasattr(values, "__len__") else values)
                print(path, name, column, hashlib.sha256(shown.encode()).hexdigest()[:16])
"""
FIXED: Final = {
    "text": """\
stats LEFT
stats LEFT RIGHT --format csv
stats LEFT --per-game
compare LEFT RIGHT
compare LEFT RIGHT --github
compare LEFT RIGHT LEFT
investigate LEFT --player NORA --reported pr=7.16
investigate LEFT --player NORA --reported pr=7.23 --reported decisions=121
explain --rules
explain
explain Q02
validate PACK
validate --measure PACK
convert LEFT -o -
--help
stats absent.xg""",
    "json": "validate PACK --json out.json",
    "pages": """\
compare LEFT RIGHT --html a.html --markdown a.md --junit a.xml --quiet
compare LEFT RIGHT LEFT --html a.html --markdown a.md --quiet
investigate LEFT --player NORA --reported pr=7.16 --html a.html --markdown a.md --json a.json
validate PACK --html pages --markdown a.md --junit a.xml""",
}
"""Commands on the demonstration and the pack, by part."""
FIRST: Final = 300
"""Characters of a differing line that are printed."""
Job = tuple[str, tuple[str, ...]]
"""The folder of an output, and the words behind the name of Python."""


def run(root: Path, folder: Path, words: tuple[str, ...]) -> None:
    """Runs the program of a checkout in a new folder, where what it prints is put beside every file
    that it writes."""
    folder.mkdir(parents=True)
    own = {"PYTHONPATH": str(root), "COLUMNS": "100", "PYTHONHASHSEED": "0"}
    command, settings = [sys.executable, "-B", *words], {**os.environ, **own}
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True)
    text = f"exit {done.returncode}\n{done.stdout}\n-- standard error\n{done.stderr}"
    (folder / "printed").write_text(text.replace(str(root), "ROOT"), encoding="utf-8")


def matches_in(folder: Path) -> list[Path]:
    """Every file below a folder that may be a match."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in SUFFIXES
        and not LEFT_OUT & {*path.relative_to(folder).parts}
        and not path.name.endswith(".stats.txt")
    ]


def analyses_of_one_match(files: list[Path]) -> list[list[str]]:
    """Files whose names begin alike, or that lie in one folder of a bundled match."""
    groups: dict[tuple[Path, str], list[str]] = {}
    for path in files:
        folder = path.parent.parent if path.parent.name in {"xg", "bgf", "mat"} else path.parent
        stem = re.sub(r"_[02]ply$", "", path.stem)
        if path.suffix in {".xg", ".sgf", ".bgf"}:
            groups.setdefault((folder, stem), []).append(str(path))
    return [group for group in groups.values() if len(group) > 1]


def jobs(inputs: Path) -> Iterator[Job]:
    """Everything that is run; the first part of a folder's name is one of `PARTS`."""
    every = matches_in(inputs) + (matches_in(FOLDER) if FOLDER.is_dir() else [])
    folders: dict[Path, list[str]] = {}
    for path in every:
        folders.setdefault(path.parent, []).append(str(path))
    groups = analyses_of_one_match(every)
    for number, files in enumerate(folders.values()):
        yield f"columns/{number}", ("-c", COLUMNS, *files)
    for key, words in commands(inputs, [*folders.values()], groups):
        yield key, ("-m", "reconcile", *words)


def commands(inputs: Path, folders: list[list[str]], groups: list[list[str]]) -> Iterator[Job]:
    """The folder and the words of every command; `groups` are analyses of one match."""
    for rules in RULE_SETS.split():
        for number, files in enumerate(folders):
            stats = ("stats", *files, "--rules", rules, "--format", "json")
            yield f"figures/{rules}-{number}", (*stats, "--per-game")
            yield f"figures/{rules}-{number}-pool", (*stats, "--pool")
    outputs = ("--json", "out.json", "--quiet")
    for number, group in enumerate(groups):
        for (first, left), (second, right) in combinations(enumerate(group), 2):
            pair = ("compare", left, right, *outputs, "--ledger", "ledger.csv")
            yield f"json/pair-{number}-{first}-{second}", pair
        if len(group) > 2:
            yield f"json/several-{number}", ("compare", *group, *outputs)
        yield f"pages/pair-{number}", ("compare", *group[:2], "--html", "a.html", "--quiet")
    right, left = sorted(next(group for group in groups if "demonstration" in group[0]))
    places = {"LEFT": left, "RIGHT": right, "NORA": "Nora Lindqvist", "PACK": str(inputs)}
    for part, lines in FIXED.items():
        for line in lines.splitlines():
            key = re.sub(r"\W+", "-", line)
            yield f"{part}/{key}", tuple(places.get(word, word) for word in line.split())


def differences(old: Path, new: Path) -> Iterator[str]:
    """Every output that is not the same, with where it begins to differ."""
    paths = {path.relative_to(side) for side in (old, new) for path in side.rglob("*")}
    for name in sorted(paths):
        sides = [side / name for side in (old, new)]
        if any(path.is_dir() for path in sides):
            continue
        texts = [path.read_text("utf-8", "replace") if path.exists() else "" for path in sides]
        if texts[0] != texts[1]:
            letters = enumerate(zip(*texts, strict=False))
            at = next((at for at, pair in letters if pair[0] != pair[1]), min(map(len, texts)))
            start = max(at - FIRST // 3, texts[0].rfind("\n", 0, at) + 1)
            shown = [text[start : start + FIRST].partition("\n")[0] for text in texts]
            line = texts[0].count("\n", 0, at) + 1
            yield f"{name}: line {line}\n  - {shown[0]}\n  + {shown[1]}"


def checked_out(commit: str, folder: Path) -> Path:
    """The files of a commit."""
    folder.mkdir()
    archive = ["git", "archive", commit]
    packed = subprocess.run(archive, cwd=PROJECT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x"], cwd=folder, input=packed, check=True)
    return folder


def main() -> int:
    """Runs both, compares, prints what differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old")
    parser.add_argument("new", nargs="?", help="by default the working tree")
    parser.add_argument("--only", action="append", choices=PARTS, help="a part; may be given again")
    parser.add_argument("-o", type=Path, metavar="DIR", help="keep the outputs here")
    asked = parser.parse_args()
    with TemporaryDirectory() as temporary, ThreadPoolExecutor(os.cpu_count()) as pool:
        work = Path(temporary)
        outputs = asked.o or work / "outputs"
        old = checked_out(asked.old, work / "old")
        new = checked_out(asked.new, work / "new") if asked.new else PROJECT
        inputs = Path(shutil.copytree(old / "reference_matches", work / "inputs"))
        parts = tuple(asked.only or PARTS)
        wanted = [job for job in jobs(inputs) if job[0].startswith(parts)]
        keys, words = zip(*wanted, strict=True)
        for root, name in ((old, "old"), (new, "new")):
            places = [outputs / name / key for key in keys]
            list(pool.map(run, [root] * len(keys), places, words))
        results = list(differences(outputs / "old", outputs / "new"))
    print(*results, sep="\n")
    print(f"{len(wanted)} runs of either, {len(results)} outputs differ")
    return 1 if results else 0


if __name__ == "__main__":
    sys.exit(main())
