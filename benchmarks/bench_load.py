"""How long loading and scoring take, against what cannot be avoided and against gnuBG itself, measured in one run.

    python -m benchmarks.bench_load [--times N] [FILE.xg | FILE.sgf]...

Three tables, ready for a README. Every time is the best of N, so that what else the machine does matters least:

* `.xg`: inflating the same member with zlib-ng and nothing more, against reading the bytes and computing every figure;
* `.sgf`: gnuBG's own `load match` and statistics inside one gnuBG process, against ours from the same file;
* a whole process: Python importing NumPy, against `reconcile stats FILE.xg`.

Without files it takes the real matches in the folder that RECONCILE_DATA names.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

from zlib_ng import zlib_ng

from reconcile.adapters import load_match, read_match
from reconcile.adapters.xg.container import open_archive
from reconcile.figures import statistics
from reconcile.gnubg_table import GnubgTable
from tests.support.data import FOLDER

PROJECT: Final = Path(__file__).parents[1]
RECORDS: Final = "temp.xg"
GNUBG: Final = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")
TIMES: Final = 50
PROCESS_TIMES: Final = 10

GNUBG_SCRIPT: Final = """
import time
for path in {paths!r}:
    best = None
    for _ in range({times}):
        start = time.perf_counter()
        gnubg.command('load match "%s"' % path)
        match = gnubg.match(analysis=0, boards=0, statistics=1)
        taken = time.perf_counter() - start
        best = taken if best is None else min(best, taken)
    moves = [match["stats"][seat]["moves"]["total-moves"] for seat in ("X", "O")]
    print("BEST %.9f %d %d" % (best, moves[0], moves[1]))
"""
"""Boards and the analysis of every move are left out, which gnuBG would otherwise copy into Python as well."""


def best_of(times: int, work: Callable[[], object]) -> float:
    """Seconds of the quickest run."""
    best = float("inf")
    for _ in range(times):
        start = perf_counter()
        work()
        best = min(best, perf_counter() - start)
    return best


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table under a line of its own; the first column is text, the others are numbers."""
    lines = [title, "", f"| {' | '.join(columns)} |", "|---" + "|---:" * (len(columns) - 1) + "|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows), ""])


def milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.2f} ms"


def score_xg(path: str, content: bytes) -> None:
    """Everything between the bytes and the figures of both players."""
    computed = statistics(read_match(path, content))
    for seat in (0, 1):
        computed.figures(seat)


def xg_rows(paths: Iterable[Path], times: int) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for path in paths:
        content = path.read_bytes()
        member = open_archive(path.name, content).members[RECORDS]
        packed = content[member.start : member.start + member.stored_size]
        # The quickest of zlib-ng's calls, more than twice as fast as `decompress`: the size is known.
        bare = best_of(times, lambda packed=packed, size=member.size: zlib_ng.decompressobj().decompress(packed, size))  # type: ignore[misc]
        ours = best_of(times, lambda name=path.name, content=content: score_xg(name, content))  # type: ignore[misc]
        rows.append((path.name, f"{len(content) // 1024} KB", milliseconds(bare), milliseconds(ours), f"{ours / bare:.1f}"))
    return rows


def score_sgf(path: Path) -> list[int]:
    """gnuBG's table for both players, the match and every game, as its own `match(statistics=1)` gives it."""
    made = GnubgTable(statistics(load_match(path), "gnubg"))
    parts = [[made.table(seat, game) for seat in (0, 1)] for game in (None, *range(made.games))]
    return [seat["moves"]["total-moves"] for seat in parts[0]]


def gnubg_times(paths: Sequence[Path], times: int) -> list[tuple[float, list[int]]]:
    """Best seconds of gnuBG for each file inside one process, and the moves it counted; nothing where it did not answer."""
    if GNUBG is None or not paths:
        return []
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "time_gnubg.py"
        script.write_text(GNUBG_SCRIPT.format(paths=[str(path.resolve()) for path in paths], times=times), "utf-8")
        ran = subprocess.run(
            [GNUBG, "-t", "-q", "-r", "-p", str(script)], stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False
        )
    found = re.findall(rb"^BEST ([\d.]+) (\d+) (\d+)", ran.stdout, re.MULTILINE)
    return [(float(best), [int(first), int(second)]) for best, first, second in found]


def sgf_rows(paths: Sequence[Path], times: int) -> list[tuple[str, ...]]:
    measured = gnubg_times(paths, times)
    rows: list[tuple[str, ...]] = []
    for number, path in enumerate(paths):
        ours = best_of(times, lambda path=path: score_sgf(path))  # type: ignore[misc]
        size = f"{path.stat().st_size // 1024} KB"
        if len(measured) != len(paths):
            rows.append((path.name, size, "no gnubg here", milliseconds(ours), "-"))
            continue
        theirs, moves = measured[number]
        if moves != score_sgf(path):
            raise SystemExit(f"{path.name}: gnuBG counts {moves} moves, we count {score_sgf(path)}: not the same work")
        rows.append((path.name, size, milliseconds(theirs), milliseconds(ours), f"{ours / theirs:.2f}"))
    return rows


def process_rows(path: Path, times: int) -> list[tuple[str, ...]]:
    """Whole processes, from the shell's point of view."""
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        'python -c "import numpy"': [sys.executable, "-c", "import numpy"],
        f"reconcile stats {path.name}": [sys.executable, "-m", "reconcile", "stats", str(path.resolve())],
    }
    seconds = {}
    for name, command in commands.items():

        def run(command: list[str] = command) -> None:
            subprocess.run(command, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

        seconds[name] = best_of(times, run)
    base = seconds['python -c "import numpy"']
    return [(name, milliseconds(taken), f"{taken / base:.2f}") for name, taken in seconds.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description="How long loading and scoring take.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--times", type=int, default=TIMES, help=f"runs of which the best counts (default {TIMES})")
    chosen = parser.parse_args()
    files: list[Path] = chosen.files or sorted(path for pattern in ("real/*.xg", "real/*.sgf") for path in FOLDER.glob(pattern))
    if not files:
        raise SystemExit("nothing to measure: name files, or a folder of matches with RECONCILE_DATA")
    xg = [path for path in files if path.suffix == ".xg"]
    sgf = [path for path in files if path.suffix == ".sgf"]
    if xg:
        print(table("Loading and scoring `.xg`, from bytes in memory", ("file", "size", "inflate", "ours", "x"), xg_rows(xg, chosen.times)))
    if sgf:
        print(table("Loading and scoring `.sgf`, in one process each", ("file", "size", "gnuBG", "ours", "x"), sgf_rows(sgf, chosen.times)))
    if xg:
        print(table("A whole process", ("command", "time", "x"), process_rows(xg[0], min(chosen.times, PROCESS_TIMES))))


if __name__ == "__main__":
    main()
