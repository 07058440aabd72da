"""`python -m reconcile`, and the console script: an interrupt before or after the work is no traceback and no verdict.

Nothing but `os`, which Python itself has loaded by then, is imported before the first line that handles an interrupt.
"""

import os

INTERRUPTED = 130
"""As `reconcile.cli.common`, which is not imported yet when the first interrupt can come."""
_AT_EXIT = frozenset(
    {
        "multiprocessing",
        "concurrent.futures",
        "logging",
        "pyarrow",
        "duckdb",
        "distributed",
        "coverage",
    }
)
"""Modules that have work of their own, or threads, at the end of Python."""


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
        if isinstance(ended.code, int) and _is_all_done():
            os._exit(ended.code)
        raise


def _is_all_done() -> bool:
    """Whether nothing is left for Python to do at its end, or something that it would wait for in vain.

    To give every object back takes a twelfth of a comparison's time. The streams are written by now, and this program leaves nothing to
    the end itself; what libraries and an observer (a profiler, a debugger, `python -i`) leave to it is done.
    """
    import sys

    from reconcile.files.patience import unanswered

    if unanswered.is_set():
        return True
    observed = sys.getprofile() is not None or sys.gettrace() is not None or sys.flags.inspect
    return not observed and _AT_EXIT.isdisjoint(sys.modules)


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
