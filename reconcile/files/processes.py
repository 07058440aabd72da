"""Ending another program together with whatever it started."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from typing import Any


def end_group(process: subprocess.Popen[Any]) -> None:
    """Kill a program that leads a group of its own, and those of its group that live on after it. Where there are no groups, it alone.

    To be called only while the program has not been waited for: until then its number is nobody else's.
    """
    with suppress(OSError):
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
