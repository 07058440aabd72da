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
        from reconcile.cli.common import open_streams

        try:
            if mine:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            if not mine or os.name != "posix":
                work()
            else:
                open_streams()  # so that the pipe does not take the place of a closed one
                # Python itself writes there the number of every signal: a handler of ours would be in tracebacks.
                came, to = os.pipe()
                os.set_blocking(came, False)
                os.set_blocking(to, False)
                signal.set_wakeup_fd(to, warn_on_full_buffer=False)
                work(lambda: _has(came, signal.SIGINT))
        finally:
            if mine:
                signal.signal(signal.SIGINT, _leave)
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)
    except SystemExit as ended:
        from reconcile.files.patience import unanswered

        if unanswered.is_set() and isinstance(ended.code, int):  # the streams are written by now
            os._exit(ended.code)
        raise


def _has(pipe: int, number: int) -> bool:
    """Whether a pipe that does not wait has a byte of this number."""
    try:
        return number in os.read(pipe, 1 << 16)
    except BlockingIOError:
        return False


def _leave(number: int, frame: object) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
