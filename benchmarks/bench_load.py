"""How long loading and scoring take, against the unavoidable, a peer and gnuBG, in one run.

    python -m benchmarks.bench_load [--times N] [--docs] [FILE.xg | FILE.sgf]...

Every time but that of a process is the best of N of processor time, so that what else the machine
does matters least:

* `.xg`: inflating the same member with zlib-ng and nothing more, and GammonView, against reading
  the bytes and computing every figure;
* `.sgf`: gnuBG's own `load match` and statistics inside one gnuBG process, against ours;
* whole processes on the clock: Python importing NumPy, against `reconcile stats FILE.xg` and
  `reconcile compare A B --html`;
* `reconcile stats` of a hundred files: reading and scoring them one after another in one process
  and nothing more, against what every further file adds to the processor time of the command;
* a corpus: reading and scoring its matches once, against the command;
* the stages of both commands: what of them is NumPy, imports of ours, reading, scoring, the rest.

Ours and the others take turns. Processes run with the bytecode that an installed program has.
`--docs` writes the table into docs/performance.md. Without files it takes the real matches in the
folder that RECONCILE_DATA names.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter

from zlib_ng import zlib_ng

from benchmarks.bench_corpus import TIMES as CORPUS_TIMES
from benchmarks.bench_corpus import measured as measure_corpus
from benchmarks.peers import GAMMONVIEW, NoPeer, gammonview_times
from benchmarks.timing import (
    PROJECT,
    ROUNDS,
    Seconds,
    best_of,
    machine,
    ratio_row,
    table,
)
from reconcile.formats import load_match, read_match
from reconcile.formats.xg.records import open_archive
from reconcile.scoring.gnubg_table import GnubgTable
from reconcile.scoring.statistics import statistics
from tests.support.data import FOLDER

PAGE = PROJECT / "docs" / "performance.md"
PART = re.compile(r"(?<=<!-- performance -->\n).*(?=<!-- /performance -->)", re.DOTALL)
RECORDS = "temp.xg"
GNUBG = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")
TIMES = 50
PROCESS_TIMES = 10
VERDICTS = (0, 1)
"""Exit codes of a comparison that was made."""
MANY = 100
IMPORT = '`python -c "import numpy"`'

GNUBG_SCRIPT = """
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
"""Boards and the analysis of every move, which gnuBG would copy into Python too, are left out."""


def score_xg(path: str, content: bytes) -> None:
    """Everything between the bytes and the figures of both players."""
    computed = statistics(read_match(path, content))
    for seat in (0, 1):
        computed.figures(seat)


def measure_xg(paths: Sequence[Path], times: int) -> Iterator[list[str]]:
    """Rows against bare inflate and against GammonView."""
    contents = [path.read_bytes() for path in paths]
    packed = []
    for content in contents:
        member = open_archive(content).members[RECORDS]
        packed.append((content[member.start : member.start + member.stored_size], member.size))

    def inflate() -> None:
        # The quickest of zlib-ng's calls, twice as fast as `decompress`: the size is known.
        for blob, size in packed:
            zlib_ng.decompressobj().decompress(blob, size)

    def score() -> None:
        for path, content in zip(paths, contents, strict=True):
            score_xg(path.name, content)

    bare = ours = float("inf")
    for _ in range(ROUNDS):
        bare = min(bare, best_of(times // ROUNDS, inflate))
        ours = min(ours, best_of(times // ROUNDS, score))
    name = f"load and score `.xg`, {len(paths)} files"
    yield ratio_row(name, ours, "only inflating, by zlib-ng (ours: libdeflate)", bare)
    peer: Seconds = None
    try:
        peer = sum(gammonview_times(paths, max(1, times // 5)))
    except NoPeer as error:
        print(f"GammonView is left out: {error}", file=sys.stderr)
    yield ratio_row(name, ours, f"GammonView {GAMMONVIEW.partition('==')[2]}", peer)


def score_sgf(path: Path) -> list[int]:
    """gnuBG's table for both players, the match and every game, as `match(statistics=1)` has it."""
    tables = GnubgTable(statistics(load_match(path), "gnubg"))
    scopes = (None, *range(tables.games))
    parts = [[tables.table(seat, game) for seat in (0, 1)] for game in scopes]
    return [seat["moves"]["total-moves"] for seat in parts[0]]


def gnubg_times(paths: Sequence[Path], times: int) -> list[tuple[float, list[int]]]:
    """Best seconds of gnuBG for each file inside one process, and the moves it counted; empty where
    it did not answer."""
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
    lines = re.findall(rb"^BEST ([\d.]+) (\d+) (\d+)", ran.stdout, re.MULTILINE)
    return [(float(best), [int(first), int(second)]) for best, first, second in lines]


def measure_sgf(paths: Sequence[Path], times: int) -> list[str]:
    """A row against gnuBG, whose counts must be ours."""
    ours = [float("inf")] * len(paths)
    theirs = [float("inf")] * len(paths)
    for _ in range(ROUNDS):
        for number, (seconds, moves) in enumerate(gnubg_times(paths, times // ROUNDS)):
            if moves != score_sgf(paths[number]):
                raise SystemExit(f"{paths[number].name}: gnuBG counts {moves} moves, not as we do")
            theirs[number] = min(seconds, theirs[number])
        for number, path in enumerate(paths):
            seconds_by_name = best_of(times // ROUNDS, partial(score_sgf, path))
            ours[number] = min(ours[number], seconds_by_name)
    total = None if GNUBG is None else sum(theirs)
    name = f"load and score `.sgf`, {len(paths)} files"
    return ratio_row(name, sum(ours), "gnuBG, load and statistics", total)


@contextmanager
def installed() -> Iterator[dict[str, str]]:
    """The environment of processes that share bytecode, as those of an installed program do."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        yield environment


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
            best[name] = min(best[name], best_of(1, partial(run, command), clock))
    return best


def measure_programs(first: Path, second: Path | None, times: int) -> list[list[str]]:
    """Rows of whole processes against Python importing NumPy."""
    with installed() as environment, tempfile.TemporaryDirectory() as folder:
        ours = ["-m", "reconcile"]
        commands = {
            IMPORT: ["-c", "import numpy"],
            "`reconcile stats A.xg`": [*ours, "stats", str(first.resolve())],
        }
        if second is not None:
            files = [str(path.resolve()) for path in (first, second)]
            page = ["--html", f"{folder}/page.html"]
            commands["`reconcile compare A.xg A.sgf --html`"] = [*ours, "compare", *files, *page]
        seconds = measure_processes(commands, times, environment)
    least = seconds.pop(IMPORT)
    return [
        ratio_row(f"{name}, on the clock", seconds_by_name, IMPORT, least)
        for name, seconds_by_name in seconds.items()
    ]


STAGES = """
import sys, time
def clock(work, times=1):
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best
def command():
    try:
        main(sys.argv[1:])
    except SystemExit:
        pass
start = time.perf_counter()
import numpy
numpy_seconds = time.perf_counter() - start
start = time.perf_counter()
from reconcile.cli import main
command()
first = time.perf_counter() - start
again = clock(command, 3)
import reconcile
paths = [path for path in sys.argv[2:] if path.endswith((".xg", ".sgf"))]
matches = [reconcile.load_match(path) for path in paths]
reading = clock(lambda: [reconcile.load_match(path) for path in paths], 3)
scoring = clock(lambda: [reconcile.statistics(match).figures(0) for match in matches], 3)
print(numpy_seconds, first - again, reading, scoring, again - reading - scoring, file=sys.stderr)
"""
"""A command twice in one process: what the first run takes longer is imports of ours."""


def measure_stages(files: Sequence[str], times: int) -> str:
    """The best milliseconds of every stage of `stats` and of a page for two files."""
    rows = []
    with installed() as environment:
        run = partial(subprocess.run, env=environment, cwd=PROJECT, capture_output=True)
        for words in (["stats", files[0]], ["compare", *files, "--html", os.devnull]):
            runs = [run([sys.executable, "-c", STAGES, *words]) for _ in range(times)]
            stages = zip(*(map(float, ran.stderr.split()[-5:]) for ran in runs), strict=True)
            rows.append([words[0], *(f"{1000 * min(stage):.0f} ms" for stage in stages)])
    return table(("command", "NumPy", "our imports", "reading", "scoring", "the rest"), rows)


def measure_many(paths: Sequence[Path], times: int) -> list[str]:
    """A row for a hundred files: what each adds to `reconcile stats`, and to a loop."""
    with installed() as environment, tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{at:03}{paths[at % len(paths)].suffix}" for at in range(MANY)]
        for at, path in enumerate(files):
            shutil.copy(paths[at % len(paths)], path)
        command = ["-m", "reconcile", "stats", "--jobs", "1"]
        commands = {"first": [*command, str(files[0])], "all": [*command, *map(str, files)]}
        seconds_by_name = measure_processes(commands, times, environment, processor_time)

        def score_all() -> None:
            for path in files[1:]:
                score_xg(str(path), path.read_bytes())

        loop = best_of(times, score_all) / (MANY - 1)
    ours = (seconds_by_name["all"] - seconds_by_name["first"]) / (MANY - 1)
    name = f"`reconcile stats` of {MANY} files, without the start, a file"
    return ratio_row(name, ours, "load and score in a loop", loop)


def measure_archives(kinds: Sequence[Sequence[Path]], times: int) -> list[list[str]]:
    """A row for a corpus of each format, per match."""
    return [
        ratio_row(
            f"`reconcile corpus` of {corpus.matches} `{corpus.kind}`, three rule sets, a match",
            corpus.seconds,
            "load and score once",
            corpus.once,
        )
        for corpus in measure_corpus(kinds, min(times, CORPUS_TIMES))
    ]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How long loading and scoring take.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument(
        "--times",
        type=int,
        default=TIMES,
        help=f"runs of which the best counts, in {ROUNDS} rounds (default {TIMES})",
    )
    parser.add_argument("--docs", action="store_true", help="write into docs/performance.md")
    return parser.parse_args()


def main() -> None:
    chosen = options()
    times = max(chosen.times, ROUNDS)
    files: list[Path] = chosen.files or sorted(
        path for pattern in ("real/*.xg", "real/*.sgf") for path in FOLDER.glob(pattern)
    )
    if not files:
        raise SystemExit("nothing to measure: name files, or a folder with RECONCILE_DATA")
    xg, sgf = ([path for path in files if path.suffix == ending] for ending in (".xg", ".sgf"))
    rows: list[list[str]] = []
    if xg:
        rows += measure_xg(xg, times)
    if sgf:
        rows.append(measure_sgf(sgf, times))
    few = min(times, PROCESS_TIMES)
    if xg:
        second = next((path for path in sgf if path.stem.startswith(xg[0].stem)), None)
        rows += measure_programs(xg[0], second, few)
    rows.append(measure_many(files, few))
    rows += measure_archives([some for some in (xg, sgf) if some], times)
    sums = table(("ours", "against", "ours / theirs"), rows)
    if xg and second is not None:
        sums += "\n\n" + measure_stages([str(xg[0]), str(second)], few)
    print(sums)
    if chosen.docs:
        how = (
            f"`python -m benchmarks.bench_load --docs` measured these in one run, best of {times}."
        )
        text = f"{how} On {machine()}, {datetime.now(UTC):%Y-%m-%d}:\n\n{sums}"
        PAGE.write_text(PART.sub(lambda _: text, PAGE.read_text("utf-8")), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
