"""Processes that do the work of requests: one for each piece of work, bounded in time and memory.

A worker that hangs or grows is killed without harm to the page, which only waits for messages. When
the page's process ends in any way, its workers end, and with them every engine that they run.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import shutil
import signal
import tempfile
import threading
import time
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final

from starlette.exceptions import HTTPException

from reconcile.errors import ReconcileError
from reconcile.files.processes import started, stop
from reconcile.serve.tasks import Progress, Result, Task
from reconcile.serve.work import run

MOST_MEMORY: Final = 2 * 2**30
"""Bytes of address space of a worker, where the system can bound it."""
TIME: Final = 60.0
"""Seconds for anything but an engine."""
ENGINE_TIME: Final = 3600.0
ENGINES: Final = ("analyse", "roll")
"""The kinds of work that an engine does."""
REFUSED, FAILED, STOPPED = 422, 500, 499
"""Status of work that cannot be done, that broke off, and that somebody stopped."""
BUG: Final = "this is a bug of the program; the window in which it was started shows where"


class Workers:
    """The workers of a page."""

    def __init__(self) -> None:
        methods = multiprocessing.get_all_start_methods()
        method = "forkserver" if "forkserver" in methods else "spawn"
        self.context: Any = multiprocessing.get_context(method)
        if method == "forkserver":  # everything is imported once, before it is needed
            self.context.set_forkserver_preload(["reconcile.serve.warm"])
        self.running: set[Any] = set()

    def prepare(self) -> None:
        """Start what starts workers."""
        if hasattr(self.context, "set_forkserver_preload"):
            from multiprocessing.forkserver import ensure_running

            ensure_running()

    async def do(self, task: Task, progress: Progress, stopped: threading.Event) -> Result:
        """The result of a task, or soon after `stopped` is set none.

        Raises `HTTPException` with a sentence for the person who asked.
        """
        return await asyncio.to_thread(self._do, task, progress, stopped)

    def _do(self, task: Task, progress: Progress, stopped: threading.Event) -> Result:
        folder = tempfile.mkdtemp(prefix="reconcile-serve-")
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=_work, args=(theirs, folder, task), daemon=True)
        process.start()
        theirs.close()
        self.running.add(process)
        until = time.monotonic() + (ENGINE_TIME if task.kind in ENGINES else TIME)
        try:
            return _answer(ours, until, progress, stopped)
        except (EOFError, OSError):
            raise HTTPException(FAILED, "the analysis stopped; try again") from None
        finally:
            ours.close()  # the worker ends its engines when this closes
            process.join(2.0)
            if process.is_alive():
                process.kill()
                process.join()
            self.running.discard(process)
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """End every worker."""
        for process in list(self.running):
            process.kill()


def _answer(ours: Connection, until: float, progress: Progress, stopped: threading.Event) -> Result:
    while True:
        if stopped.is_set():
            raise HTTPException(STOPPED, "the analysis was stopped")
        if time.monotonic() > until:
            late = "this takes longer than it may; the file is not like any known match"
            raise HTTPException(FAILED, late)
        if not ours.poll(0.1):
            continue
        kind, *rest = ours.recv()
        if kind == "progress":
            progress(*rest)
        elif kind == "done":
            result: Result = rest[0]
            return result
        else:
            raise HTTPException(*rest)


def _work(theirs: Connection, folder: str, task: Task) -> None:
    """The whole life of a worker process."""
    _bound()
    tempfile.tempdir = folder
    os.environ["TMPDIR"] = folder
    started(_until_closed, theirs, folder)
    sending = threading.Lock()

    def say(*message: object) -> None:
        with sending, suppress(OSError):  # the page has gone
            theirs.send(message)

    try:
        say("done", run(task, lambda *numbers: say("progress", *numbers)))
    except ReconcileError as error:
        text = " ".join(str(error).split())
        say("failed", REFUSED, text.replace(f"{folder}{os.sep}", "").replace(folder, ""))
    except MemoryError:
        text = "the file needs more memory than it may; it is not like any known match"
        say("failed", FAILED, text)
    except Exception:
        traceback.print_exc()
        say("failed", FAILED, BUG)


def _until_closed(theirs: Connection, folder: str) -> None:
    """End this process and its engines, and remove what they left, when the page closes the
    connection or ends."""
    with suppress(OSError):
        theirs.poll(None)
    stop()
    shutil.rmtree(folder, ignore_errors=True)
    os.kill(os.getpid(), signal.SIGTERM)


def _bound() -> None:
    """Leave interrupts to the page's process, and bound the memory where the system can."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        import resource
    except ImportError:  # on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
