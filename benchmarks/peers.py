"""Other programs that load and score `.xg` files, from PyPI: for speed, and as oracles of tests.

    python -m benchmarks.peers

makes an environment of their own and prints what is in it. Nothing of it is ever imported here.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from reconcile.files.bundled import cache_folder

GAMMONVIEW = "gammonview==3.1.0"
ANKIGAMMON = "ankigammon==1.19.1"
Totals = dict[str, float | None]
"""Figures by GammonView's own names; `None` for a rate without decisions."""

READ_WITH_ANKIGAMMON = """
import json, sys
from ankigammon.parsers.xg_text_parser import XGTextParser
sys.stdin.reconfigure(encoding="utf-8")
print(json.dumps([
    {
        "points": list(each.position.points), "roller": each.on_roll.name, "dice": each.dice,
        "cube": each.cube_value, "owner": each.cube_owner.name, "length": each.match_length,
        "crawford": each.crawford, "chances": each.player_win_pct, "comment": each.note,
        "moves": [[move.notation, move.equity, move.rank, move.player_win_pct]
                  for move in each.candidate_moves],
    }
    for each in XGTextParser.parse_string(sys.stdin.read())
]))
"""
"""Of every decision in XG's text from standard input: position, dice, cube, score, candidates."""
TIME_GAMMONVIEW = """
import json, sys, time
from gvformat import compute_aggregates, convert_xg
seconds = []
for path in sys.argv[2:]:
    with open(path, "rb") as file:
        content = file.read()
    best = float("inf")
    for _ in range(int(sys.argv[1])):
        start = time.process_time()
        compute_aggregates(convert_xg(content))
        best = min(best, time.process_time() - start)
    seconds.append(best)
print(json.dumps(seconds))
"""
"""From the bytes in memory to the figures of both players, as ours is timed."""
SCORE_WITH_GAMMONVIEW = """
import json, sys
from gvformat import compute_aggregates, convert_xg, read_gvab
result = []
for path in sys.argv[1:]:
    read = convert_xg if path.endswith(".xg") else read_gvab
    with open(path, "rb") as file:
        match = (json.loads if path.endswith(".gva") else read)(file.read())
    totals = compute_aggregates(match)
    scopes = [totals["match"], *totals["games"]]
    names = {colour: match["player_" + colour] for colour in ("white", "black")}
    result.append([{names[colour]: scope[colour] for colour in names} for scope in scopes])
print(json.dumps(result))
"""
"""The totals of both players by name, of the match and then of every game; of `.xg` or OGXM, of
which the first analysis."""


class NoPeer(Exception):
    """A peer cannot be had here; the text says why."""


def python(package: str = GAMMONVIEW, *alone: str) -> Path:
    """The interpreter of a peer's environment, made where it is not there; `alone` is
    `--no-deps` for a peer of which only a part is asked. Raises `NoPeer`."""
    folder = cache_folder() / "peers" / package.replace("==", "-")
    interpreter = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (folder / "complete").exists():
        venv.create(folder, with_pip=True, clear=True)
        done = subprocess.run(
            [interpreter, "-m", "pip", "install", "--quiet", *alone, package],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise NoPeer(f"pip cannot install {package}: {_last_line(done.stderr)}")
        (folder / "complete").touch()
    return interpreter


def gammonview_sources() -> Path:
    """The folder with the source distribution of GammonView, which has documents. Raises
    `NoPeer`."""
    folder = python().parents[1] / "sources"
    if not folder.is_dir():
        with TemporaryDirectory() as download:
            command = [str(python()), "-m", "pip", "download", "--no-deps", "--no-binary", ":all:"]
            done = subprocess.run(
                [*command, "--dest", download, GAMMONVIEW],
                capture_output=True,
                text=True,
                check=False,
            )
            packed = next(Path(download).glob("*.tar.gz"), None)
            if packed is None:
                raise NoPeer(f"no sources of {GAMMONVIEW}: {_last_line(done.stderr)}")
            shutil.unpack_archive(packed, folder, filter="data")
    return folder


def ankigammon_reads(text: str) -> list[dict[str, Any]]:
    """What AnkiGammon's own parser of XG's text makes of every decision in a text. Raises
    `NoPeer`."""
    decisions: list[dict[str, Any]] = _asked(
        READ_WITH_ANKIGAMMON, interpreter=python(ANKIGAMMON, "--no-deps"), stdin=text
    )
    return decisions


def gammonview_times(paths: Sequence[Path], times: int) -> list[float]:
    """Best seconds of processor time that GammonView takes for each file. Raises `NoPeer`."""
    seconds: list[float] = _asked(TIME_GAMMONVIEW, str(times), *map(str, paths))
    return seconds


def gammonview_totals(paths: Sequence[Path]) -> list[list[dict[str, Totals]]]:
    """GammonView's totals of each file: of the match, then of every game, by player's name.

    Raises `NoPeer`.
    """
    totals: list[list[dict[str, Totals]]] = _asked(SCORE_WITH_GAMMONVIEW, *map(str, paths))
    return totals


def _asked(
    script: str, *arguments: str, interpreter: Path | None = None, stdin: str | None = None
) -> Any:
    done = subprocess.run(
        [str(interpreter or python()), "-c", script, *arguments],
        input=stdin,
        encoding="utf-8",
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode:
        raise NoPeer(f"a peer fails: {_last_line(done.stderr)}")
    return json.loads(done.stdout)


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no reason given"])[-1]


if __name__ == "__main__":
    print(
        subprocess.run(
            [python(), "-m", "pip", "list"], capture_output=True, text=True, check=True
        ).stdout,
        end="",
    )
