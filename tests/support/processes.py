"""Other processes of a test: whether they are still there, and waiting for what they do."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

LONGEST = 600.0
"""Seconds after which nobody waits any longer; no computer is so slow."""


def wait_until(condition: Callable[[], object]) -> None:
    """Wait for something to become true; it fails only where it never does."""
    end = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and that nobody has asked about is no more."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text("utf-8", "replace").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return not stat.parent.parent.is_dir()
