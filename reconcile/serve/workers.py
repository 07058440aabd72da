"""Processes that do the work of requests: started ahead, one for each piece of work, bounded in number, time and memory.

A worker that hangs or grows is killed without harm to the page, which only waits for messages. When the page's process ends in any
way, its workers end, and with them every engine that they run.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import shutil
import signal
import tempfile
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from reconcile.errors import ReconcileError
from reconcile.serve.tasks import Progress, Result, Task
from reconcile.serve.work import run

MOST_MEMORY: Final = 2 * 2**30
"""Bytes of address space of a worker, where the system can bound it."""
TIME: Final = 60.0
"""Seconds for anything but an engine."""
ENGINE_TIME: Final = 3600.0
AHEAD: Final = 2
"""Workers that are ready before they are needed."""


class Busy(Exception):
    """As much is being worked on as may be at once."""


class Refused(Exception):
    """The work cannot be done; the text is a sentence for the person who asked."""


class Failed(Exception):
    """The work broke off; the text is a sentence for the person who asked."""


class Cancelled(Exception):
    """Somebody stopped the work."""


class Worker:
    """A process that waits for one task."""

    def __init__(self, context: multiprocessing.context.BaseContext) -> None:
        self.folder = tempfile.mkdtemp(prefix="reconcile-serve-")
        self.ours, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, self.folder), daemon=True)  # type: ignore[attr-defined]
        self.process.start()
        theirs.close()

    def close(self) -> None:
        """End the process and everything that it started, and remove what it left."""
        self.ours.close()  # the worker ends its engines when this closes
        self.process.join(2.0 if self.process.is_alive() else None)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        shutil.rmtree(self.folder, ignore_errors=True)


class Workers:
    """The workers of a page."""

    def __init__(self, most: int, engines: int = 1) -> None:
        methods = multiprocessing.get_all_start_methods()
        self.context = multiprocessing.get_context(
            "forkserver" if "forkserver" in methods else "spawn"
        )
        if "forkserver" in methods:
            self.context.set_forkserver_preload(["reconcile.serve.warm"])
        self.most, self.engines = most, engines
        self.running = self.analysing = 0
        self.threads = ThreadPoolExecutor(most + 1)
        self.lock = threading.Lock()
        self.ready: list[Worker] = []
        self.working: set[Worker] = set()
        self.closed = False

    def prepare(self) -> None:
        """Start workers ahead."""
        while True:
            with self.lock:
                if self.closed or len(self.ready) >= min(AHEAD, self.most):
                    return
            worker = Worker(self.context)
            with self.lock:
                if not self.closed:
                    self.ready.append(worker)
                    continue
            worker.close()

    async def do(self, task: Task, progress: Progress, stopped: threading.Event) -> Result:
        """The result of a task. Raises `Busy`, `Refused`, `Failed`, and `Cancelled` soon after `stopped` is set."""
        engine = task.kind in ("analyse", "roll")
        if self.running >= self.most or (engine and self.analysing >= self.engines):
            raise Busy(
                "gnuBG is at work on something else; try again when it is done"
                if engine and self.analysing
                else ""
            )
        self.running += 1
        self.analysing += engine
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(
                self.threads, self._do, task, ENGINE_TIME if engine else TIME, progress, stopped
            )
        finally:
            self.running -= 1
            self.analysing -= engine

    def _do(
        self, task: Task, seconds: float, progress: Progress, stopped: threading.Event
    ) -> Result:
        with self.lock:
            worker = self.ready.pop() if self.ready else None
        worker = worker or Worker(self.context)
        with self.lock:
            self.working.add(worker)
        try:
            return _answer(worker, task, time.monotonic() + seconds, progress, stopped)
        finally:
            with self.lock:
                self.working.discard(worker)
            worker.close()
            self.prepare()

    def close(self) -> None:
        """End every worker."""
        with self.lock:
            self.closed = True
            waiting, self.ready = self.ready, []
            busy = list(self.working)
        for worker in busy:
            worker.process.kill()
        for worker in waiting:
            worker.close()
        self.threads.shutdown()


def send(connection: Connection, message: object) -> None:
    """Send what `recv` returns at the other end.

    `Connection.send` leaves a view of a `BytesIO` in the traceback where the other end is gone, and Python 3.12.1 crashes
    when it collects the two.
    """
    connection.send_bytes(pickle.dumps(message))


def _answer(
    worker: Worker, task: Task, until: float, progress: Progress, stopped: threading.Event
) -> Result:
    try:
        send(worker.ours, task)
        while True:
            if stopped.is_set():
                raise Cancelled("the work was stopped")
            if time.monotonic() > until:
                raise Failed("this takes longer than it may; the file is not like any known match")
            if not worker.ours.poll(0.1):
                continue
            kind, *rest = worker.ours.recv()
            if kind == "progress":
                progress(*rest)
            elif kind == "done":
                result: Result = rest[0]
                return result
            elif kind == "refused":
                raise Refused(rest[0])
            else:
                raise Failed(rest[0])
    except (EOFError, OSError):
        raise Failed("the analysis stopped; try again") from None


def _work(theirs: Connection, folder: str) -> None:
    """The whole life of a worker process."""
    import reconcile.serve.warm  # noqa: F401  (has been imported already where processes are forked)

    _bound()
    tempfile.tempdir = folder
    os.environ["TMPDIR"] = folder
    sending = threading.Lock()

    def say(*message: object) -> None:
        with sending:
            send(theirs, message)

    try:
        task: Task = theirs.recv()
    except (EOFError, OSError):
        shutil.rmtree(folder, ignore_errors=True)
        return
    threading.Thread(target=_until_closed, args=(theirs, folder), daemon=True).start()
    try:
        say("done", run(task, lambda what, done, total: say("progress", what, done, total)))
    except ReconcileError as error:
        say("refused", _without(folder, " ".join(str(error).split())))
    except MemoryError:
        say("failed", "the file needs more memory than it may; it is not like any known match")
    except OSError:  # the page has gone
        return
    except Exception:
        traceback.print_exc()
        say(
            "failed", "this is a bug of the program; the window in which it was started shows where"
        )


def _without(folder: str, text: str) -> str:
    """A message without the path of the worker's folder."""
    return text.replace(f"{folder}{os.sep}", "").replace(folder, "")


def _until_closed(theirs: Connection, folder: str) -> None:
    """End this process and its engines, and remove what they left, when the page closes the connection or ends."""
    with suppress(OSError):
        theirs.poll(None)
    from reconcile.files.processes import stop

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
