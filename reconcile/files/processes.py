"""Ends another program together with everything it started."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a program that leads its own process group, and the whole group; only the program on systems without groups.

    Call this only before the program has been waited for, since after that its process id may be reused.
    """
    with suppress(OSError):
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
