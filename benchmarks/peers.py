"""Other programs that load and score `.xg` files, from PyPI, in an environment of their own: for speed, and as oracles of tests.

    python -m benchmarks.peers

makes the environment and prints what is in it; whoever needs it makes it as well. Nothing of it is ever imported here.
"""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from reconcile.files.bundled import cache_folder

GAMMONVIEW: Final = "gammonview==3.1.0"
Totals = dict[str, float | None]
"""Figures by GammonView's own names; `None` for a rate without decisions."""

TIME_GAMMONVIEW: Final = """
import json, sys, time
from gvformat import compute_aggregates, convert_xg
found = []
for path in sys.argv[2:]:
    with open(path, "rb") as file:
        content = file.read()
    best = float("inf")
    for _ in range(int(sys.argv[1])):
        start = time.process_time()
        compute_aggregates(convert_xg(content))
        best = min(best, time.process_time() - start)
    found.append(best)
print(json.dumps(found))
"""
"""From the bytes in memory to the figures of both players, as ours is timed."""
SCORE_WITH_GAMMONVIEW: Final = """
import json, sys
from gvformat import compute_aggregates, convert_xg, read_gvab
found = []
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        match = (convert_xg if path.endswith(".xg") else read_gvab)(file.read())
    totals = compute_aggregates(match)
    scopes = [totals["match"], *totals["games"]]
    found.append([{match["player_" + colour]: scope[colour] for colour in ("white", "black")} for scope in scopes])
print(json.dumps(found))
"""
"""The totals of both players by name, of the match first and then of every game; of an `.xg` or of GammonView's own format, OGXM."""


class NoPeer(Exception):
    """A peer cannot be had here; the text says why."""


def python() -> Path:
    """The interpreter of the peers' environment, made where it is not there. Raises `NoPeer`."""
    folder = cache_folder() / "peers" / GAMMONVIEW.replace("==", "-")
    found = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (folder / "complete").exists():
        venv.create(folder, with_pip=True, clear=True)
        done = subprocess.run(
            [found, "-m", "pip", "install", "--quiet", GAMMONVIEW],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise NoPeer(
                f"pip cannot install {GAMMONVIEW}: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}"
            )
        (folder / "complete").touch()
    return found


def gammonview_times(paths: Sequence[Path], times: int) -> list[float]:
    """Best seconds of processor time that GammonView takes for each file. Raises `NoPeer`."""
    found: list[float] = _asked(TIME_GAMMONVIEW, str(times), *map(str, paths))
    return found


def gammonview_totals(paths: Sequence[Path]) -> list[list[dict[str, Totals]]]:
    """GammonView's own totals of each file: of the match, then of every game, each by player's name. Raises `NoPeer`."""
    found: list[list[dict[str, Totals]]] = _asked(SCORE_WITH_GAMMONVIEW, *map(str, paths))
    return found


def _asked(script: str, *arguments: str) -> Any:
    done = subprocess.run(
        [str(python()), "-c", script, *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode:
        raise NoPeer(
            f"{GAMMONVIEW} fails: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}"
        )
    return json.loads(done.stdout)


if __name__ == "__main__":
    print(
        subprocess.run(
            [python(), "-m", "pip", "list"], capture_output=True, text=True, check=True
        ).stdout,
        end="",
    )
