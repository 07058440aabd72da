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
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException

from reconcile.errors import ReconcileError
from reconcile.files.processes import started, stop
from reconcile.serve.work import EXAMPLES, Progress, Result, Task, example, run

MOST_MEMORY: Final = 2 * 2**30
"""Bytes of address space of a worker, where the system can bound it."""
TIME: Final = 60.0
"""Seconds for anything but an engine."""
ENGINE_TIME: Final = 3600.0
REMOVALS: Final = 100
"""How often a worker that ends tries to remove its folder; one that cannot be removed stays."""
REFUSED, FAILED, STOPPED = 422, 500, 499
"""Status of work that cannot be done, that broke off, and that somebody stopped."""


class Workers:
    """The workers of a page."""

    def __init__(self) -> None:
        self.forks = "forkserver" in multiprocessing.get_all_start_methods()
        method = "forkserver" if self.forks else "spawn"
        self.context: Any = multiprocessing.get_context(method)
        self.running: set[Any] = set()

    def prepare(self) -> None:
        """Start what starts workers, which imports everything once, before it is needed."""
        if self.forks:
            from multiprocessing.forkserver import ensure_running

            self.context.set_forkserver_preload([f"{__package__}.warm"])
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
        limit = ENGINE_TIME if task.kind == "analyse" else TIME
        try:
            return _answer(ours, time.monotonic() + limit, progress, stopped)
        except (EOFError, OSError):
            raise HTTPException(FAILED, "the analysis stopped; try again") from None
        finally:
            ours.close()  # the worker ends its engines when this closes
            process.join(2.0)
            process.kill()
            process.join()
            self.running.discard(process)
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """End every worker."""
        for process in list(self.running):
            process.kill()


def _answer(ours: Connection, until: float, progress: Progress, stopped: threading.Event) -> Result:
    while not stopped.is_set():
        if time.monotonic() > until:
            late = "this takes longer than it may; the file is not like any known match"
            raise HTTPException(FAILED, late)
        if ours.poll(0.1):
            message = ours.recv()
            if isinstance(message, Result):
                return message
            if isinstance(message, HTTPException):
                raise message
            progress(*message)
    raise HTTPException(STOPPED, "the analysis was stopped")


def _work(theirs: Connection, folder: str, task: Task) -> None:
    """The whole life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # interrupts are the page's
    with suppress(ImportError):  # on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    started(_until_closed, theirs, folder)
    try:
        _say(theirs, run(task, lambda *numbers: _say(theirs, numbers)))
    except ReconcileError as error:
        text = " ".join(str(error).split()).replace(f"{folder}{os.sep}", "").replace(folder, "")
        _say(theirs, HTTPException(REFUSED, text))
    except MemoryError:
        text = "the file needs more memory than it may; it is not like any known match"
        _say(theirs, HTTPException(FAILED, text))
    except Exception:
        traceback.print_exc()
        text = "this is a bug of the program; the window in which it was started shows where"
        _say(theirs, HTTPException(FAILED, text))


_sending: Final = threading.Lock()


def _say(theirs: Connection, message: object) -> None:
    with _sending, suppress(OSError):  # the page has gone
        theirs.send(message)


def _until_closed(theirs: Connection, folder: str) -> None:
    """End this process and its engines, and remove what they left, when the page closes the
    connection or ends."""
    with suppress(OSError):
        theirs.poll(None)
    stop()
    for _ in range(REMOVALS):  # the work itself may still write there
        shutil.rmtree(folder, ignore_errors=True)
        if not Path(folder).is_dir():
            break
    os.kill(os.getpid(), signal.SIGTERM)


def warm() -> None:
    """Make the pages of the bundled examples once, so that everything that is loaded on first use
    is loaded."""
    for name in EXAMPLES:
        run(Task("open", example(name)))
