"""How much longer a corpus takes than reading and scoring its matches once, measured in one run.

For `.xg` and `.sgf` apart: `read_match`, `statistics` and the figures of both players under the rules of the file's own tool, against
everything that `reconcile corpus --jobs 1` does with the same files: reading them from the disk and scoring them under every rule set into
shards, and making the small tables. Best of N of processor time, taking turns.

Each file is taken several times with a few dice changed (`tests.support.variants`), so that an archive is measured in which nothing is a
duplicate.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Final

import pyarrow as pa

from benchmarks.timing import best_of
from reconcile.corpus.run import build
from reconcile.formats import read_match
from reconcile.scoring.statistics import statistics
from tests.support.variants import variant

TIMES: Final = 8
MATCHES: Final = 512


def archive_of(files: Sequence[Path], folder: Path, matches: int) -> list[Path]:
    """So many copies of these files that are no duplicates, in a folder."""
    folder.mkdir()
    made = [folder / f"{number:05}{files[0].suffix}" for number in range(matches)]
    for number, path in enumerate(made):
        path.write_bytes(variant(files[number % len(files)].read_bytes(), number))
    return made


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
    found = build([str(source)], target, jobs=1)
    end = process_time()
    if found.matches != found.files:
        raise SystemExit(
            f"{found.duplicates} duplicates among {found.files} files: not the same work"
        )
    return end - start


@dataclass(frozen=True, slots=True)
class Measured:
    """Best seconds per match of one format."""

    kind: str
    files: int
    matches: int
    once: float
    """Loading and scoring once."""
    whole: float


def measured(kinds: Iterable[Sequence[Path]], times: int, matches: int = MATCHES) -> list[Measured]:
    """Each format by itself; the files of one are of the same format."""
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    with tempfile.TemporaryDirectory() as folder:
        return [measure(some, Path(folder), times, matches) for some in kinds]


def measure(files: Sequence[Path], folder: Path, times: int, matches: int) -> Measured:
    """Loading and scoring against a corpus, taking turns."""
    kind = files[0].suffix
    made = archive_of(files, folder / f"in{kind}", matches)
    contents = [(str(path), path.read_bytes()) for path in made]
    once = whole = float("inf")
    for _ in range(times):
        once = min(once, best_of(1, lambda: load_and_score(contents)))
        whole = min(whole, corpus(made[0].parent, folder / "out"))
    return Measured(
        kind, len(files), len(made), *(seconds / len(made) for seconds in (once, whole))
    )
