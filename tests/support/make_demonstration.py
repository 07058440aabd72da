"""Make the demonstration pair: one match, two analyses, one of them in the clothes of an `.xg` file. Needs gnubg.

    python -m tests.support.make_demonstration reference_matches/demonstration

Two players of GNU Backgammon's, both at 0 plies with a little noise so that they err, play seven points. The match
is then analysed twice:

    nora-lindqvist-tomas-beck.sgf   at 0 plies, saved by GNU Backgammon: the right side
    nora-lindqvist-tomas-beck.xg    at 2 plies, written from GNU Backgammon's file by `reconcile.formats.xg.writer`: the left side

The `.xg` says in its event and in its site that no eXtreme Gammon made it. Sizes, SHA-256 and the statistics that
GNU Backgammon prints for each analysis are shown at the end; the manifest holds them. It is run by hand: another version
of GNU Backgammon plays another match.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from reconcile.formats.xg.writer import write
from tests.support.gnubg_to_xg import Table, match_from_sgf

NAME = "nora-lindqvist-tomas-beck"
PLAYERS = ("Nora_Lindqvist", "Tomas_Beck")
LENGTH = 7
SEED = 207
NOISE = {"chequerplay": (0.012, 0.0168), "cubedecision": (0.006, 0.0084)}
"""Standard deviation of the noise on each player's evaluations; more on the cube and nobody takes any more."""
SYNTHETIC = "Synthetic: written from a GNU Backgammon analysis, not by eXtreme Gammon"

SETTINGS = [
    *(
        f"set {setting}"
        for setting in (
            "automatic roll on",
            "automatic move on",
            "automatic bearoff off",
            "display off",
        )
    ),
    *(f"set confirm {question} off" for question in ("new", "save")),
    "set rng mersenne",
]


def players() -> list[str]:
    """The commands that seat two noisy players."""
    commands = []
    for seat in (0, 1):
        commands.append(f"set player {seat} gnubg")
        for part, noise in NOISE.items():
            commands += [
                f"set player {seat} {part} evaluation plies 0",
                f"set player {seat} {part} evaluation noise {noise[seat]:g}",
            ]
    return commands


def analysis(plies: int, target: Path) -> list[str]:
    """The commands that analyse the match at hand and save it."""
    return [
        f"set analysis chequerplay evaluation plies {plies}",
        f"set analysis cubedecision evaluation plies {plies}",
        "analyse match",
        f"save match {target}",
    ]


def run_gnubg(commands: list[str], *, then: str = "") -> None:
    """Run gnuBG on a list of commands; `then` is Python for its interpreter."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "commands.py"
        lines = [f"gnubg.command({command!r})" for command in commands]
        script.write_text("\n".join([*lines, then, ""]), encoding="utf-8")
        subprocess.run(
            ["gnubg", "-t", "-q", "-r", "-p", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=True,
        )


def dumped(commands: list[str], expression: str) -> Any:
    """The value of a Python expression inside gnuBG, after the commands."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "value.json"
        run_gnubg(
            commands,
            then=f"import json\nwith open({str(target)!r}, 'w') as target:\n    json.dump({expression}, target)",
        )
        return json.loads(target.read_text(encoding="utf-8"))


def play_and_analyse(target: Path) -> None:
    """Play the match and save it with the 0-ply analysis."""
    names = [f"set player {seat} name {name}" for seat, name in enumerate(PLAYERS)]
    info = [
        "set matchinfo event Demonstration match of GNU Backgammon against itself",
        "set matchinfo date 2026-11-21",
    ]
    run_gnubg(
        [
            *SETTINGS,
            *players(),
            f"set seed {SEED}",
            f"new match {LENGTH}",
            *names,
            *info,
            *analysis(0, target),
        ]
    )


def main(folder: Path) -> None:
    """Write the two files and tell what they hold."""
    folder.mkdir(parents=True, exist_ok=True)
    right, left = folder / f"{NAME}.sgf", folder / f"{NAME}.xg"
    play_and_analyse(right)
    with tempfile.TemporaryDirectory() as work:
        deeper = Path(work) / "deeper.sgf"
        run_gnubg([*SETTINGS, f"load match {right}", "analyse clear match", *analysis(2, deeper)])
        table: Table = dumped(
            SETTINGS, f"gnubg.met({LENGTH})[:2]"
        )  # Kazaross-XG2 unless the user changed it
        match = match_from_sgf(deeper.read_text(encoding="utf-8"), table)
        left.write_bytes(
            write(replace(match, event=SYNTHETIC, location=SYNTHETIC, transcriber="GNU Backgammon"))
        )
        for label, source in (("0 plies", right), ("2 plies", deeper)):
            statistics = dumped(
                [*SETTINGS, f"load match {source}"],
                "gnubg.match(statistics=1, analysis=0, boards=0)['stats']",
            )
            print(label, json.dumps(statistics, indent=1))
    for path in (left, right):
        print(path.name, path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
