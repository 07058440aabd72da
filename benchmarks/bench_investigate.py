"""How long an investigation takes: every combination of answers scored, explained or not.

    python -m benchmarks.bench_investigate [--times N] [FILE]...

Per file: combinations of answers, the time to score them all, the time of a whole investigation whose figures some rules give,
and of one whose figures none give; the largest memory taken meanwhile. Every time is the best of N. Without files it takes the
real matches in the folder that RECONCILE_DATA names, or else those that come with the program.
"""

from __future__ import annotations

import argparse
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Final

from benchmarks.timing import PROJECT, best_of, milliseconds, table
from reconcile.formats import load_match
from reconcile.infer.answer_grid import Combinations
from reconcile.infer.investigation import investigate
from reconcile.match.match import Match
from reconcile.scoring.statistics import statistics
from tests.support.data import FOLDER

TIMES: Final = 5
IMPOSSIBLE: Final = {"pr": "99.99", "decisions": "1"}
MIB: Final = 1 << 20


def peak(work: Callable[[], object]) -> float:
    """The most memory (MiB) that Python and NumPy held at once for some work."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / MIB
    finally:
        tracemalloc.stop()


def row(path: Path, match: Match, times: int) -> tuple[str, ...]:
    """One file, for its first player."""
    player = match.players[0]
    own = statistics(match, "gammonview").figures(0)
    figures = {"pr": f"{own['pr']:.2f}"}
    combinations = Combinations(match, None, 0, None)
    scored = best_of(times, lambda: Combinations(match, None, 0, None).figures())
    explained = best_of(times, lambda: investigate(match, player, figures))
    unexplained = best_of(times, lambda: investigate(match, player, IMPOSSIBLE))
    length = "money" if match.length is None else f"{match.length} points"
    memory = f"{peak(lambda: investigate(match, player, figures)):.1f} MiB"
    return (
        f"{path.name} ({length})",
        str(combinations.size),
        milliseconds(scored),
        milliseconds(explained),
        milliseconds(unexplained),
        memory,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="How long an investigation takes.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument(
        "--times", type=int, default=TIMES, help=f"runs of which the best counts (default {TIMES})"
    )
    chosen = parser.parse_args()
    files: list[Path] = chosen.files or sorted(
        [*FOLDER.glob("real/*.xg"), *FOLDER.glob("real/*.sgf")]
    )
    files = files or sorted((PROJECT / "reference_matches").glob("*/*.[xs]g*"))
    rows = []
    for path in files:
        match = load_match(str(path))
        if statistics(match, "gammonview").figures(0)["pr"] is not None:
            rows.append(row(path, match, chosen.times))
    columns = ("file", "combinations", "scored", "explained", "nothing fits", "memory")
    print(table("Every combination of answers, one player", columns, rows))


if __name__ == "__main__":
    main()
