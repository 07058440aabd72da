"""The best of several runs, tables of times and ratios, and the machine."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import process_time

PROJECT = Path(__file__).parents[1]
ROUNDS = 5
"""Ours and the others take turns so often: a machine may be slower for seconds on end."""

Seconds = float | None
"""`None` where the other program is not here."""


def best_of(
    times: int, work: Callable[[], object], clock: Callable[[], float] = process_time
) -> float:
    """Seconds of the quickest run."""
    best = float("inf")
    for _ in range(times):
        start = clock()
        work()
        best = min(best, clock() - start)
    return best


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; the first column is text, the others are numbers."""
    head = [f"| {' | '.join(columns)} |", "|---" + "|---:" * (len(columns) - 1) + "|"]
    return "\n".join([*head, *(f"| {' | '.join(row)} |" for row in rows), ""])


def ratio_row(name: str, ours: float, other: str, theirs: Seconds) -> list[str]:
    """A row with two times and the ratio of the first to the second."""
    return [
        f"{name}: {milliseconds(ours)}",
        f"{other}: {milliseconds(theirs)}",
        ratio(ours, theirs),
    ]


def milliseconds(seconds: Seconds) -> str:
    return "not here" if seconds is None else f"{1000 * seconds:.2f} ms"


def ratio(ours: float, theirs: Seconds) -> str:
    if theirs is None:
        return "-"
    return f"{ours / theirs:.2f}" if ours / theirs > 0.1 else f"1/{theirs / ours:.0f}"


def machine() -> str:
    """The class of the machine, without its name."""
    try:
        model = re.search(
            r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE
        )
    except OSError:
        model = None
    processor = " ".join(model[1].split()) if model else platform.machine()
    return f"{os.cpu_count()} cores of {processor}, Python {platform.python_version()}"
