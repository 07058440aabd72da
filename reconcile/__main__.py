"""`python -m reconcile`, and the console script: an interrupt before or after the work is no traceback and no verdict.

Nothing but `os`, which Python itself has loaded by then, is imported before the first line that handles an interrupt.
"""

import os

INTERRUPTED = 130
"""As `reconcile.cli.common`, which is not imported yet when the first interrupt can come."""


def run() -> None:
    """The program."""
    try:
        import signal

        mine = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if mine:
            signal.signal(signal.SIGINT, _leave)
        from reconcile.cli import run as work

        try:
            if mine:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            work()
        finally:
            if mine:
                signal.signal(signal.SIGINT, _leave)
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)


def _leave(number: int, frame: object) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
