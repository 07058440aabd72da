"""`python -m reconcile`, and the console script: an interrupt before or after the work is no traceback and no verdict."""

from __future__ import annotations

import os
import signal
from types import FrameType

INTERRUPTED = 130
"""As `reconcile.cli.common`, which is not imported yet when the first interrupt can come."""


def run() -> None:
    """The program."""
    mine = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if mine:
        signal.signal(signal.SIGINT, _leave)
    from reconcile.cli import run as work

    try:
        if mine:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        work()
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)
    finally:
        if mine:
            signal.signal(signal.SIGINT, _leave)


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
