"""`python -m reconcile`, and the console script: an interrupt is no traceback and no verdict."""

import atexit
import gc
import sys

INTERRUPTED = 128
"""Added to the number of the signal that ends the program, as a shell does."""


def run() -> None:
    """The program."""
    atexit.register(gc.freeze)  # what is there at the end ends with the process
    try:
        import signal

        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # no SIGHUP on Windows
            if number and signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL):
                signal.signal(number, _end)
        from reconcile.cli import run as work

        work()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED + 2)


def _end(number: int, frame: object) -> None:
    sys.exit(INTERRUPTED + number)


if __name__ == "__main__":
    run()
