"""How a corpus grows with its archive: time, memory and bytes, what an interruption costs, and what
a million matches would take.

    python -m benchmarks.generated_matches --count 100000 -o DIR
    python -m benchmarks.scale --archive DIR [--counts 11000,33000,100000] [--one 11000] [--work
    DIR] [--docs]

runs `reconcile corpus` on so many matches of the archives that `generated_matches` wrote, with two
processes and, for `--one`, with one; kills a run of the smallest count in the middle and runs it
again; makes the report. `--docs` writes what was measured into docs/corpus.md.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

import pyarrow.parquet as pq

from benchmarks.generated_matches import PER_ARCHIVE
from benchmarks.timing import PROJECT, machine, table
from benchmarks.watched import Watched, reconcile, watch
from reconcile.corpus.run import load_corpus
from reconcile.corpus.tables import WORK
from reconcile.corpus.work import SUFFIX, UNFINISHED

PAGE = PROJECT / "docs" / "corpus.md"
PART = re.compile(r"(?<=<!-- scale -->\n).*(?=<!-- /scale -->)", re.DOTALL)
COUNTS = "11000,33000,100000"
PROCESSES = 2
MILLION = 1_000_000
MACHINES = (1, 4, 16)
BLUNDERDB = (33_319, 16_584_350, 513.0, 5.4e9)
"""Matches, moves, seconds and bytes of memory of blunderDB's statistics of the public BMAB base,
from its repository (before 0.37.0)."""


@dataclass(frozen=True, slots=True)
class Run:
    """One finished corpus."""

    watched: Watched
    processes: int
    matches: int
    decisions: int
    scored: float
    """Seconds until the last shard is written and the small tables begin."""
    archive_bytes: int
    part_bytes: int
    table_bytes: int
    folder: Path

    @property
    def milliseconds(self) -> float:
        """Processor time per match."""
        return 1000 * self.watched.processor_seconds / self.matches

    @property
    def tables(self) -> float:
        """Seconds from there to the end, which one process works on."""
        return self.watched.seconds - self.scored


def corpus(archives: Sequence[Path], folder: Path, processes: int) -> Run:
    """Make a corpus in an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    start, scored = perf_counter(), 0.0

    def note() -> bool:
        nonlocal scored
        if not scored and next((folder / WORK).glob(f".files{UNFINISHED}"), None):
            scored = perf_counter() - start
        return False

    watched = watch(_command(archives, folder, processes), note)
    finished = load_corpus(str(folder))
    if finished.duplicates or finished.errors:
        raise SystemExit(
            f"{folder}: expected {finished.files} different matches, "
            f"found {finished.duplicates} duplicates"
        )
    return Run(
        watched,
        processes,
        finished.matches,
        sum(pq.ParquetFile(path).metadata.num_rows for path in finished.paths("decisions")),
        scored,
        sum(path.stat().st_size for path in archives),
        sum(path.stat().st_size for path in (folder / WORK).rglob("*") if path.is_file()),
        sum(path.stat().st_size for name in finished.tables for path in finished.paths(name)),
        folder,
    )


def _batches(folder: Path) -> list[Path]:
    """The batches that are done."""
    return [*(folder / WORK).glob(f"*/*/files{SUFFIX}")]


def _command(archives: Sequence[Path], folder: Path, processes: int) -> list[str]:
    return reconcile("corpus", *archives, "-o", folder, "--jobs", str(processes), "--quiet")


def interrupted(archives: Sequence[Path], folder: Path, clean: Run) -> float:
    """Seconds until a run that was killed in the middle and started again stores new work. Raises
    `SystemExit` if its tables are other ones in the end."""
    shutil.rmtree(folder, ignore_errors=True)
    half = len(_batches(clean.folder)) // 2
    command = _command(archives, folder, PROCESSES)
    watch(command, lambda: len(_batches(folder)) >= half)
    done = set(_batches(folder))
    start, resumed = perf_counter(), 0.0

    def note() -> bool:
        nonlocal resumed
        if not resumed and not done.issuperset(_batches(folder)):
            resumed = perf_counter() - start
        return False

    watch(command, note)
    if load_corpus(str(folder)).tables != load_corpus(str(clean.folder)).tables:
        raise SystemExit(f"{folder}: expected the tables of {clean.folder}, found others")
    return resumed


def megabytes(size: float) -> str:
    return f"{size / 1e6:,.0f} MB" if size < 1e9 else f"{size / 1e9:,.1f} GB"


def long(seconds: float) -> str:
    return f"{seconds:,.0f} s" if seconds < 3600 else f"{seconds / 3600:,.1f} h"


def growth(runs: Sequence[Run]) -> str:
    """The table of runs, with what is above one per match."""
    columns = (
        *(
            "matches",
            "processes",
            "time",
            "of it tables",
            "processor time per match",
            "main process",
            "largest worker",
        ),
        *("archive", "tables", "work in `.work`"),
    )
    rows = [
        (
            *(
                f"{run.matches:,}",
                str(run.processes),
                long(run.watched.seconds),
                long(run.tables),
                f"{run.milliseconds:.1f} ms",
            ),
            *(
                megabytes(run.watched.main_peak),
                megabytes(run.watched.worker_peak) if run.watched.worker_peak else "-",
            ),
            *(megabytes(run.archive_bytes), megabytes(run.table_bytes), megabytes(run.part_bytes)),
        )
        for run in runs
    ]
    return table(columns, rows)


def sentences(runs: Sequence[Run], resumed: float, report: tuple[Run, Watched, int]) -> list[str]:
    """What the runs show."""
    several = [run for run in runs if run.processes == PROCESSES]
    first, last = several[0], several[-1]
    clock = [run.watched.seconds / run.matches for run in (first, last)]
    lines = [
        f"From {first.matches:,} to {last.matches:,} matches the processor time per match "
        f"changes by "
        f"{100 * (last.milliseconds / first.milliseconds - 1):+.1f} %, time on the clock per "
        f"match by "
        f"{100 * (clock[1] / clock[0] - 1):+.1f} %."
    ]
    for timed in runs:
        other = next((run for run in several if run.matches == timed.matches), None)
        if timed.processes == 1 and other:
            lines.append(
                f"Two processes are {timed.watched.seconds / other.watched.seconds:.2f} times as "
                f"fast as one ({timed.matches:,} matches)."
            )
    run, watched, size = report
    return [
        *lines,
        f"Killed with `kill -9` in the middle of {first.matches:,} matches and started again, a "
        f"run stores new work after {resumed:.1f} s.",
        f"`corpus-report` of {run.matches:,} matches takes {watched.seconds:.1f} s and "
        f"{megabytes(watched.main_peak)}; the page has "
        f"{size / 1e6:.2f} MB.",
    ]


def million(runs: Sequence[Run]) -> str:
    """What a million matches would take, by the largest run."""
    several = [run for run in runs if run.processes == PROCESSES]
    run = several[-1]
    times = MILLION / run.matches
    memory = run.watched.main_peak
    if len(several) > 1:
        before = several[-2]
        memory += int(
            (memory - before.watched.main_peak)
            / (run.matches - before.matches)
            * (MILLION - run.matches)
        )
    rows = [
        ("the archive", megabytes(run.archive_bytes * times)),
        ("the tables", megabytes(run.table_bytes * times)),
        ("work in progress, deleted with `.work`", megabytes(run.part_bytes * times)),
        ("decisions", f"{run.decisions * times / 1e6:,.0f} million"),
        ("processor time", long(run.watched.processor_seconds * times)),
        ("memory of the main process", megabytes(memory)),
    ]
    for count in MACHINES:
        name = "this machine" if count == 1 else f"{count} such machines, by Dask"
        rows.append((f"time on {name}", long((run.scored / count + run.tables) * times)))
    return table(("a million such matches", "take"), rows)


def blunderdb(runs: Sequence[Run]) -> str:
    """The published measurement of another program beside the run of most nearly as many
    matches."""
    run = min(
        (run for run in runs if run.processes == PROCESSES),
        key=lambda run: abs(run.matches - BLUNDERDB[0]),
    )
    memory = run.watched.main_peak + PROCESSES * run.watched.worker_peak
    columns = ("", "matches", "decisions", "time", "per decision", "memory")
    rows = [
        (
            name,
            f"{matches:,}",
            f"{decisions / 1e6:.1f} million",
            long(seconds),
            f"{1e6 * seconds / decisions:.0f} µs",
            megabytes(size),
        )
        for name, (matches, decisions, seconds, size) in {
            "`reconcile corpus`, from the files": (
                run.matches,
                run.decisions,
                run.watched.seconds,
                memory,
            ),
            "blunderDB's `list --type stats`, published": BLUNDERDB,
        }.items()
    ]
    return table(columns, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description="How a corpus grows with its archive.")
    parser.add_argument("--archive", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--counts", default=COUNTS, help=f"matches, multiples of {PER_ARCHIVE:,} (default {COUNTS})"
    )
    parser.add_argument(
        "--one",
        default="",
        help="counts that are also run with one process (default: the smallest)",
    )
    parser.add_argument(
        "--work",
        type=Path,
        help="folder for the tables, three times the archive's size (default: a temporary one)",
    )
    parser.add_argument("--docs", action="store_true", help="write the tables into docs/corpus.md")
    chosen = parser.parse_args()
    counts = sorted(map(int, chosen.counts.split(",")))
    single_counts = [int(count) for count in chosen.one.split(",") if count] or counts[:1]
    every = sorted(chosen.archive.glob("*.tar"))
    if len(every) * PER_ARCHIVE < counts[-1]:
        raise SystemExit(
            f"{chosen.archive}: expected {counts[-1]:,} matches, found {len(every)} archives "
            f"of {PER_ARCHIVE:,}"
        )
    with tempfile.TemporaryDirectory(dir=chosen.work) as name:
        work = Path(name)
        runs: list[Run] = []
        resumed = 0.0
        for count in counts:
            archives = every[: count // PER_ARCHIVE]
            for processes in (1, PROCESSES) if count in single_counts else (PROCESSES,):
                runs.append(corpus(archives, work / f"{count}-{processes}", processes))
                print(growth(runs[-1:]), flush=True)
            if count == counts[0]:
                resumed = interrupted(archives, work / "interrupted", runs[-1])
                shutil.rmtree(work / "interrupted")
            for run in runs[:-1]:
                shutil.rmtree(run.folder, ignore_errors=True)
        watched = watch(reconcile("corpus-report", runs[-1].folder, "--quiet"))
        report = runs[-1], watched, (runs[-1].folder / "report.html").stat().st_size
    when = (
        f"Measured by `python -m benchmarks.scale --docs` on {machine()}, "
        f"{datetime.now(UTC):%Y-%m-%d}."
    )
    listed = "\n".join(f"- {sentence}" for sentence in sentences(runs, resumed, report))
    text = f"{when}\n\n{growth(runs)}\n{listed}\n\n{million(runs)}\n{blunderdb(runs)}\n"
    print(text)
    if chosen.docs:
        PAGE.write_text(PART.sub(lambda _: text, PAGE.read_text("utf-8")), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
