"""How much longer a corpus takes than reading and scoring its matches once, measured in one run.

For `.xg` and `.sgf` apart: `read_match`, `statistics` and the figures of both players under the
rules of the file's own tool, against everything that `reconcile corpus --jobs 1` does with them.
Best of N of processor time, taking turns. Each file is taken several times with a few dice changed
(`tests.support.variants`), so that nothing in the archive is a duplicate.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import pyarrow as pa

from benchmarks.timing import best_of
from reconcile.corpus.run import build
from reconcile.formats import read_match
from reconcile.scoring.statistics import statistics
from tests.support.variants import variant

TIMES = 8
MATCHES = 512


def archive_of(files: Sequence[Path], folder: Path, matches: int) -> list[Path]:
    """So many copies of these files that are no duplicates, in a folder."""
    folder.mkdir()
    paths = [folder / f"{number:05}{files[0].suffix}" for number in range(matches)]
    for number, path in enumerate(paths):
        path.write_bytes(variant(files[number % len(files)].read_bytes(), number))
    return paths


def load_and_score(files: Sequence[tuple[str, bytes]]) -> None:
    """What cannot be avoided: each match read and scored once."""
    for name, content in files:
        scored = statistics(read_match(name, content))
        scored.figures(0)
        scored.figures(1)


def corpus(source: Path, target: Path) -> float:
    """Seconds of making a corpus."""
    shutil.rmtree(target, ignore_errors=True)
    start = process_time()
    result = build([str(source)], target, jobs=1)
    end = process_time()
    if result.matches != result.files:
        raise SystemExit(f"{result.duplicates} duplicates among {result.files} files")
    return end - start


@dataclass(frozen=True, slots=True)
class Measured:
    """Best seconds per match of one format."""

    kind: str
    matches: int
    once: float
    """Loading and scoring once."""
    seconds: float
    """Of the command."""


def measured(kinds: Iterable[Sequence[Path]], times: int, matches: int = MATCHES) -> list[Measured]:
    """Each format by itself; the files of one are of the same format."""
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    with tempfile.TemporaryDirectory() as folder:
        return [measure(some, Path(folder), times, matches) for some in kinds]


def measure(files: Sequence[Path], folder: Path, times: int, matches: int) -> Measured:
    """Loading and scoring against a corpus, taking turns."""
    kind = files[0].suffix
    paths = archive_of(files, folder / f"in{kind}", matches)
    contents = [(str(path), path.read_bytes()) for path in paths]
    once = seconds = float("inf")
    for _ in range(times):
        once = min(once, best_of(1, lambda: load_and_score(contents)))
        seconds = min(seconds, corpus(paths[0].parent, folder / "out"))
    return Measured(kind, len(paths), once / len(paths), seconds / len(paths))
