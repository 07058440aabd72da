"""A command watched while it runs: time, processor time and peak memory of each process (Linux)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, sleep

PROC = Path("/proc")
PEAK = re.compile(r"^VmHWM:\s*(\d+) kB$", re.MULTILINE)
TICKS = os.sysconf("SC_CLK_TCK")
EVERY = 0.05
"""Seconds between two looks."""


@dataclass(slots=True)
class Watched:
    """What a command took until it ended or was killed."""

    seconds: float = 0.0
    ended: bool = True
    """False if it was killed on request."""
    processor: dict[int, float] = field(default_factory=dict)
    """Seconds by process."""
    peak: dict[int, int] = field(default_factory=dict)
    """Largest resident memory by process, bytes; files that are mapped into memory count."""
    main: int = 0

    @property
    def processor_seconds(self) -> float:
        """Of all processes."""
        return sum(self.processor.values())

    @property
    def main_peak(self) -> int:
        """Of the process that was started."""
        return self.peak[self.main]

    @property
    def worker_peak(self) -> int:
        """The largest of the others; 0 if it has none."""
        return max((peak for process, peak in self.peak.items() if process != self.main), default=0)


def reconcile(*arguments: str | Path) -> list[str]:
    """The command of this program."""
    return [sys.executable, "-m", "reconcile", *map(str, arguments)]


def watch(command: Sequence[str], kill_when: Callable[[], bool] = lambda: False) -> Watched:
    """Run a command to its end, or kill it and its workers with SIGKILL as soon as asked.

    Raises `SystemExit` if it fails.
    """
    usage = Watched()
    start = perf_counter()
    process = subprocess.Popen(command, start_new_session=True)
    usage.main = process.pid
    try:
        while process.poll() is None:
            _look(process.pid, usage)
            if kill_when():
                usage.ended = False
                break
            sleep(EVERY)
        usage.seconds = perf_counter() - start
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if usage.ended and process.returncode:
        raise SystemExit(f"failed with exit code {process.returncode}: {' '.join(command)}")
    return usage


def _look(process: int, usage: Watched) -> None:
    """Add what a process and those below it have used so far."""
    try:
        own = PROC / str(process)
        peak = PEAK.search((own / "status").read_text())
        # The name of the program, in parentheses, may hold blanks.
        times = (own / "stat").read_text().rpartition(")")[2].split()[11:13]
        below = (own / "task" / str(process) / "children").read_text().split()
    except OSError:
        return
    if peak:
        usage.peak[process] = int(peak[1]) * 1024
    usage.processor[process] = sum(map(int, times)) / TICKS
    for child in below:
        _look(int(child), usage)
