"""How long loading and scoring take, against what cannot be avoided, a peer and gnuBG itself, measured in one run.

    python -m benchmarks.bench_load [--times N] [--docs] [FILE.xg | FILE.sgf]...

Four tables. Every time but that of a process is the best of N of processor time, so that what else the machine does matters least:

* `.xg`: inflating the same member with zlib-ng and nothing more, and GammonView, against reading the bytes and computing every figure;
* `.sgf`: gnuBG's own `load match` and statistics inside one gnuBG process, against ours from the same file;
* whole processes on the clock: Python importing NumPy, against `reconcile stats FILE.xg` and `reconcile compare A B --html`;
* `reconcile stats` of a hundred files (those measured, several times, under other names): reading and scoring them one after another in one
  process and nothing more, against what every further file adds to the processor time of the command.

Ours and the others take turns. Processes run with the bytecode that an installed program has: it is written before the first is measured.
Then the sums, which `--docs` writes into docs/performance.md. Without files it takes the real matches in the folder that RECONCILE_DATA names.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter
from typing import Final

from zlib_ng import zlib_ng

from benchmarks.bench_corpus import TIMES as CORPUS_TIMES
from benchmarks.bench_corpus import measured as measure_corpus
from benchmarks.peers import GAMMONVIEW, NoPeer, gammonview_times
from benchmarks.timing import PROJECT, ROUNDS, Seconds, best_of, machine, milliseconds, ratio, table
from reconcile.formats import load_match, read_match
from reconcile.formats.xg.container import open_archive
from reconcile.scoring.gnubg_table import GnubgTable
from reconcile.scoring.statistics import statistics
from tests.support.data import FOLDER

PAGE: Final = PROJECT / "docs" / "performance.md"
PART: Final = re.compile(r"(?<=<!-- performance -->\n).*(?=<!-- /performance -->)", re.DOTALL)
RECORDS: Final = "temp.xg"
GNUBG: Final = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")
TIMES: Final = 50
PROCESS_TIMES: Final = 10
VERDICTS: Final = (0, 1)
"""Exit codes of a comparison that was made."""
MANY: Final = 100
IMPORT: Final = '`python -c "import numpy"`'

GNUBG_SCRIPT: Final = """
import time
for path in {paths!r}:
    best = None
    for _ in range({times}):
        start = time.process_time()
        gnubg.command('load match "%s"' % path)
        match = gnubg.match(analysis=0, boards=0, statistics=1)
        taken = time.process_time() - start
        best = taken if best is None else min(best, taken)
    moves = [match["stats"][seat]["moves"]["total-moves"] for seat in ("X", "O")]
    print("BEST %.9f %d %d" % (best, moves[0], moves[1]))
"""
"""Boards and the analysis of every move are left out, which gnuBG would otherwise copy into Python as well."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One file: best seconds of ours and of each other."""

    path: Path
    ours: float
    others: tuple[Seconds, ...]


def score_xg(path: str, content: bytes) -> None:
    """Everything between the bytes and the figures of both players."""
    computed = statistics(read_match(path, content))
    for seat in (0, 1):
        computed.figures(seat)


def measure_xg(paths: Sequence[Path], times: int) -> list[Measured]:
    """Against bare inflate and against GammonView."""
    try:
        peers: Sequence[Seconds] = gammonview_times(paths, max(1, times // 5))
    except NoPeer as error:
        print(f"GammonView is left out: {error}", file=sys.stderr)
        peers = [None] * len(paths)
    found = []
    for path, peer in zip(paths, peers, strict=True):
        content = path.read_bytes()
        member = open_archive(path.name, content).members[RECORDS]
        packed = content[member.start : member.start + member.stored_size]
        ours = bare = float("inf")
        for _ in range(ROUNDS):
            # The quickest of zlib-ng's calls, more than twice as fast as `decompress`: the size is known.
            inflate = best_of(
                times // ROUNDS,
                lambda packed=packed, size=member.size: zlib_ng.decompressobj().decompress(  # type: ignore[misc]
                    packed, size
                ),
            )
            bare = min(bare, inflate)
            ours = min(
                ours,
                best_of(
                    times // ROUNDS,
                    lambda name=path.name, content=content: score_xg(name, content),  # type: ignore[misc]
                ),
            )
        found.append(Measured(path, ours, (bare, peer)))
    return found


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
        script.write_text(
            GNUBG_SCRIPT.format(paths=[str(path.resolve()) for path in paths], times=times), "utf-8"
        )
        ran = subprocess.run(
            [GNUBG, "-t", "-q", "-r", "-p", str(script)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=600,
            check=False,
        )
    found = re.findall(rb"^BEST ([\d.]+) (\d+) (\d+)", ran.stdout, re.MULTILINE)
    return [(float(best), [int(first), int(second)]) for best, first, second in found]


def measure_sgf(paths: Sequence[Path], times: int) -> list[Measured]:
    """Against gnuBG, whose counts must be ours."""
    ours = [float("inf")] * len(paths)
    theirs: list[Seconds] = [None] * len(paths)
    for _ in range(ROUNDS):
        for number, (seconds, moves) in enumerate(gnubg_times(paths, times // ROUNDS)):
            if moves != score_sgf(paths[number]):
                raise SystemExit(
                    f"{paths[number].name}: gnuBG counts {moves} moves, we {score_sgf(paths[number])}: not the same work"
                )
            theirs[number] = min(seconds, theirs[number] or seconds)
        for number, path in enumerate(paths):
            ours[number] = min(
                ours[number],
                best_of(times // ROUNDS, lambda path=path: score_sgf(path)),  # type: ignore[misc]
            )
    return [
        Measured(path, mine, (other,))
        for path, mine, other in zip(paths, ours, theirs, strict=True)
    ]


@contextmanager
def installed() -> Iterator[dict[str, str]]:
    """The environment of processes that find bytecode where the first of them wrote it, as those of an installed program do."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {
            name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
        }
        yield kept | {"PYTHONPYCACHEPREFIX": folder}


def processor_time() -> float:
    """Seconds of processor time of all processes that were started and have ended."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure_processes(
    commands: Mapping[str, Sequence[str]],
    times: int,
    environment: Mapping[str, str],
    clock: Callable[[], float] = perf_counter,
) -> dict[str, float]:
    """The best seconds of every command, from the shell's point of view; they take turns."""

    def run(command: Sequence[str]) -> None:
        ran = subprocess.run(
            [sys.executable, *command],
            cwd=PROJECT,
            env=environment,
            capture_output=True,
            check=False,
        )
        if ran.returncode not in VERDICTS:
            raise SystemExit(f"{' '.join(command)}: {ran.stderr.decode(errors='replace')}")

    for command in commands.values():
        run(command)
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(times):
        for name, command in commands.items():
            best[name] = min(best[name], best_of(1, lambda command=command: run(command), clock))  # type: ignore[misc]
    return best


def measure_programs(first: Path, second: Path | None, times: int) -> dict[str, float]:
    """Python importing NumPy, then ours: the statistics of a file, and the report of two."""
    with installed() as environment, tempfile.TemporaryDirectory() as folder:
        ours = ["-m", "reconcile"]
        commands = {
            IMPORT: ["-c", "import numpy"],
            "`reconcile stats A.xg`": [*ours, "stats", str(first.resolve())],
        }
        if second is not None:
            page = str(Path(folder) / "page.html")
            files = [str(path.resolve()) for path in (first, second)]
            commands["`reconcile compare A.xg A.sgf --html`"] = [
                *ours,
                "compare",
                *files,
                "--html",
                page,
            ]
        return measure_processes(commands, times, environment)


def measure_many(paths: Sequence[Path], times: int) -> list[list[str]]:
    """A row for a hundred files: what each adds to `reconcile stats`, and to a loop that reads and scores."""
    with installed() as environment, tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{at:03}{paths[at % len(paths)].suffix}" for at in range(MANY)]
        for at, path in enumerate(files):
            shutil.copy(paths[at % len(paths)], path)
        command = ["-m", "reconcile", "stats", "--jobs", "1"]
        commands = {"one": [*command, str(files[0])], "all": [*command, *map(str, files)]}
        taken = measure_processes(commands, times, environment, processor_time)

        def score_all() -> None:
            for path in files[1:]:
                score_xg(str(path), path.read_bytes())

        loop = best_of(times, score_all)
    ours = taken["all"] - taken["one"]
    name = f"`reconcile stats` of {MANY} files, without the start: {milliseconds(ours / (MANY - 1))} a file"
    return [
        [name, f"load and score in a loop: {milliseconds(loop / (MANY - 1))}", ratio(ours, loop)]
    ]


def per_file(measured: Iterable[Measured]) -> list[list[str]]:
    """Rows: name, size, ours, and for each other its time and ours over it."""
    rows = []
    for one in measured:
        others = [
            cell
            for seconds in one.others
            for cell in (milliseconds(seconds), ratio(one.ours, seconds))
        ]
        rows.append(
            [
                one.path.name,
                f"{one.path.stat().st_size // 1024} KB",
                milliseconds(one.ours),
                *others,
            ]
        )
    return rows


def summed(what: str, others: Sequence[str], measured: Sequence[Measured]) -> list[list[str]]:
    """A row for each other program: the sums over all files."""
    if not measured:
        return []
    ours = sum(one.ours for one in measured)
    rows = []
    for index, name in enumerate(others):
        seconds = [one.others[index] for one in measured]
        theirs = None if None in seconds else sum(value for value in seconds if value is not None)
        rows.append(
            [
                f"{what}, {len(measured)} files: {milliseconds(ours)}",
                f"{name}: {milliseconds(theirs)}",
                ratio(ours, theirs),
            ]
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description="How long loading and scoring take.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument(
        "--times",
        type=int,
        default=TIMES,
        help=f"runs of which the best counts, in {ROUNDS} rounds (default {TIMES})",
    )
    parser.add_argument(
        "--docs", action="store_true", help="write the sums into docs/performance.md"
    )
    chosen = parser.parse_args()
    chosen.times = max(chosen.times, ROUNDS)
    files: list[Path] = chosen.files or sorted(
        path for pattern in ("real/*.xg", "real/*.sgf") for path in FOLDER.glob(pattern)
    )
    if not files:
        raise SystemExit(
            "nothing to measure: name files, or a folder of matches with RECONCILE_DATA"
        )
    xg = [path for path in files if path.suffix == ".xg"]
    sgf = [path for path in files if path.suffix == ".sgf"]
    rows: list[list[str]] = []
    if xg:
        found = measure_xg(xg, chosen.times)
        columns = ("file", "size", "ours", "inflate", "x", "GammonView", "x")
        print(table("Loading and scoring `.xg`, from bytes in memory", columns, per_file(found)))
        rows += summed(
            "load and score `.xg`",
            (
                "only inflating, by zlib-ng (ours: libdeflate)",
                f"GammonView {GAMMONVIEW.partition('==')[2]}",
            ),
            found,
        )
    if sgf:
        found = measure_sgf(sgf, chosen.times)
        print(
            table(
                "Loading and scoring `.sgf`, in one process each",
                ("file", "size", "ours", "gnuBG", "x"),
                per_file(found),
            )
        )
        rows += summed("load and score `.sgf`", ("gnuBG, load and statistics",), found)
    if xg:
        second = next((path for path in sgf if path.stem.startswith(xg[0].stem)), None)
        (other, least), *programs = measure_programs(
            xg[0], second, min(chosen.times, PROCESS_TIMES)
        ).items()
        measured = [
            [name, milliseconds(taken), milliseconds(least), ratio(taken, least)]
            for name, taken in programs
        ]
        print(table("Processes, on the clock", ("process", "ours", other, "x"), measured))
        rows += [
            [
                f"{name}, on the clock: {milliseconds(taken)}",
                f"{other}: {milliseconds(least)}",
                ratio(taken, least),
            ]
            for name, taken in programs
        ]
    rows += measure_many(files, min(chosen.times, PROCESS_TIMES))
    for of_corpus in measure_corpus(
        [some for some in (xg, sgf) if some], min(chosen.times, CORPUS_TIMES)
    ):
        name = f"`reconcile corpus` of {of_corpus.matches} `{of_corpus.kind}`, three rule sets: {milliseconds(of_corpus.whole)} a match"
        rows.append(
            [
                name,
                f"load and score once: {milliseconds(of_corpus.once)}",
                ratio(of_corpus.whole, of_corpus.once),
            ]
        )
    sums = table("", ("ours", "against", "ours / theirs"), rows)
    print(sums)
    if chosen.docs:
        when = f"On {machine()}, {datetime.now(UTC):%Y-%m-%d}:"
        how = f"`python -m benchmarks.bench_load --docs` measured these in one run, best of {chosen.times}."
        text = f"{how} {when}\n\n{sums}"
        PAGE.write_text(PART.sub(lambda _: text, PAGE.read_text("utf-8")), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
