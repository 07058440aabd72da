"""Other processes of a test: whether they are still there, and waiting for what they do."""

import os
import sys
import time
from pathlib import Path

LONGEST = 600.0
"""Seconds after which nobody waits any longer; no computer is so slow."""


NOTES = """\
import os, signal, sys, time
def here(path='child'):
    pid = os.readlink('/proc/self') if sys.platform == 'linux' else os.getpid()
    with open(f'{path}.new', 'w') as file: file.write(f'{pid}\\n')
    os.rename(f'{path}.new', path)
"""
"""Of a process that notes its number as a test knows it, which is another within a process
namespace of its own."""


def waiting(path="child"):
    """A program that notes its number in a file and then waits for ever."""
    return [sys.executable, "-c", f"{NOTES}here({str(path)!r})\ntime.sleep(1e6)"]


def wait_until(condition):
    """Wait for something to become true; it fails only where it never does."""
    end = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def alive(pid):
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
