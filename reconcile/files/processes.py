"""Runs programs and workers, in time and with bounded output, and ends them with what they started.

A program has a session of its own; its process group is killed when it ends and when its block is
left. What leaves the group escapes. On Windows the program alone is ended.
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, islice
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, NoReturn, Self, TypeVar

from reconcile.errors import ReconcileError
from reconcile.files.limits import LONGEST_WAIT

PIECE = 2**16
TICK = 0.05
GRACE = 1.0
"""Seconds that a pipe may stay open and silent when its program has ended."""
LONGEST_LINE = 2**22
AHEAD = 2
"""Batches for each worker at once: none is idle, and few are in memory."""
_running: set[Program] = set()
Item = TypeVar("Item")
Result = TypeVar("Result")


class TooLate(Exception):
    """A program has not ended in its time."""


class TooMuch(Exception):
    """A program has printed more than it may."""


class Program:
    """A program that was started; to be used in a `with` block."""

    code: int | None = None
    """Its exit code, negative for a signal; `None` until its output was read to the end."""
    complaint = b""
    """The end of what it printed to standard error."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        questions: Iterable[bytes] | None = None,
        most: int = 2**28,
        terminal: bool = False,
        **settings: Any,
    ) -> None:
        """Start it without a shell: its input, the bytes that it may print, settings of `Popen`.

        With `terminal` its output is a pseudo-terminal. Raises `OSError`, and `ValueError` for a
        word that no program can be given.
        """
        self._pieces, self._left = SimpleQueue[bytes](), most
        self.allow(LONGEST_WAIT)
        screen, written = os.openpty() if terminal else (-1, subprocess.PIPE)
        asked = subprocess.DEVNULL if questions is None else subprocess.PIPE
        pipes = {"stdin": asked, "stdout": written, "stderr": subprocess.PIPE} | settings
        try:
            process = subprocess.Popen(words, start_new_session=True, **pipes)  # noqa: S603
        finally:
            if terminal:
                os.close(written)
        self._process = process
        started(self._read, os.fdopen(screen, "rb") if terminal else process.stdout)
        self._listening = started(self._listen, process.stderr)
        if questions is not None:
            started(self._write, process.stdin, questions)
        _running.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        self._process.wait()
        _running.discard(self)

    def allow(self, seconds: float) -> None:
        """Give it so many seconds from now."""
        self._until = time.monotonic() + min(seconds, LONGEST_WAIT)

    def cut(self) -> None:
        """End it and its process group, from any thread, without waiting."""
        with suppress(OSError):
            if not hasattr(os, "killpg"):
                self._process.kill()
            elif self.code is None:  # later the number may be another's
                os.killpg(self._process.pid, signal.SIGKILL)

    def output(self) -> Iterator[bytes]:
        """What it prints, as it comes, until it has ended. Raises `TooLate`, `TooMuch`."""
        silent = math.inf
        while (now := time.monotonic()) < self._until:
            if silent == math.inf and self._process.poll() is not None:
                self.cut()
                silent = now + GRACE
                self._until = max(self._until, silent + GRACE)
            try:
                piece = self._pieces.get(timeout=TICK)
            except Empty:
                if now > silent:
                    break
                continue
            if self._left < 0:
                raise TooMuch
            if not piece:
                break
            yield piece
        else:
            raise TooLate
        try:
            code = self._process.wait(max(self._until - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            raise TooLate from None
        self.cut()
        self._listening.join(GRACE)
        self.code = code

    def lines(self) -> Iterator[bytes]:
        """The same line by line, without the line ends."""
        rest = b""
        for piece in self.output():
            *lines, rest = (rest + piece).split(b"\n")
            yield from lines
            if len(rest) > LONGEST_LINE:
                raise TooMuch
        if rest:
            yield rest

    def _read(self, file: IO[bytes]) -> None:
        with suppress(OSError), file:  # how a pseudo-terminal reports its end
            while self._left >= 0 and (piece := os.read(file.fileno(), PIECE)):
                self._left -= len(piece)
                self._pieces.put(piece)
        self._pieces.put(b"")

    def _listen(self, file: IO[bytes] | None) -> None:
        while file and (piece := os.read(file.fileno(), PIECE)):
            self.complaint = (self.complaint + piece)[-PIECE:]
        if file:
            file.close()

    def _write(self, file: IO[bytes], questions: Iterable[bytes]) -> None:
        with suppress(OSError), file:  # the program has ended or reads no more
            for question in questions:
                file.write(question)
                file.flush()


def started(task: Callable[..., object], *arguments: object) -> Thread:
    """A thread that nobody waits for at the end."""
    thread = Thread(target=task, args=arguments, daemon=True)
    thread.start()
    return thread


def stop() -> None:
    """End every program started by any thread of this process; their output ends."""
    for program in list(_running):
        program.cut()


@contextmanager
def threads(jobs: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that run programs. If the block raises, every program is ended and none begins."""
    pool = ThreadPoolExecutor(jobs)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        ending = started(pool.shutdown)
        while ending.is_alive():  # a thread may have been about to start its program
            stop()
            ending.join(0.1)
        raise
    pool.shutdown()


def awaited(futures: Iterable[Future[Result]]) -> Iterator[Result]:
    """The results in order, waited for in turns: Python may miss a signal that comes as it begins
    to wait, until it waits again."""
    for future in futures:
        while not wait([future], GRACE).done:
            pass
        yield future.result()


def in_batches(items: Iterable[Item], size: int) -> Iterator[tuple[Item, ...]]:
    """The items in their order, some at a time."""
    source = iter(items)
    while batch := tuple(islice(source, size)):
        yield batch


def in_order(
    batches: Iterator[tuple[Item, ...]],
    work: Callable[[tuple[Item, ...]], Result],
    died: Callable[[Item], Result],
    jobs: int,
    begin: Callable[[], object] = int,
) -> Generator[Result, None, None]:
    """The result of every batch, in order, made by so many processes, or what `work` raises.

    Every process calls `begin` first. `died` gives the result of an item that ended its process.
    """
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
    from multiprocessing import get_context

    new_pool = partial(ProcessPoolExecutor, jobs, get_context("spawn"), _begin, (begin,))
    pool, waiting = new_pool(), deque[Any]()
    try:
        while True:
            for batch in islice(batches, AHEAD * jobs - len(waiting)):
                waiting.append((batch, pool.submit(work, batch)))
            if not waiting:
                return
            batch, future = waiting.popleft()
            try:
                yield next(awaited([future]))
            except BrokenProcessPool:  # find the item, and do the others again
                if jobs == len(batch) == 1:
                    yield died(batch[0])
                else:
                    for item in batch:
                        yield from in_order(iter([(item,)]), work, died, 1, begin)
                pool = new_pool()
                waiting = deque((batch, pool.submit(work, batch)) for batch, _ in waiting)
    finally:
        workers = [*(getattr(pool, "_processes", None) or {}).values()]
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()


def by_executor(
    executor: Executor,
    batches: Iterator[tuple[Item, ...]],
    work: Callable[[tuple[Item, ...]], Result],
    died: Callable[[Item], Result],
    room: int,
    killed: type[Exception],
) -> Generator[Result, None, None]:
    """The same by an executor that starts its processes anew by itself, and raises `killed` for a
    task whose processes died; it has so many batches at a time."""
    waiting = deque[tuple[tuple[Item, ...], Future[Result]]]()
    while True:
        for batch in islice(batches, room - len(waiting)):
            waiting.append((batch, executor.submit(work, batch)))
        if not waiting:
            return
        batch, future = waiting.popleft()
        try:
            yield next(awaited([future]))
        except killed:
            if len(batch) == 1:
                yield died(batch[0])
            else:
                each = ((item,) for item in batch)
                yield from by_executor(executor, each, work, died, room, killed)


def _begin(begin: Callable[[], object]) -> None:
    """Leave an interrupt to the process that started this one, and end by a signal when that was
    killed: a worker has both ends of its queue."""
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent := parent_process():
        started(_end_after, parent)
    begin()


def _end_after(parent: Any) -> None:
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def mapped(
    function: Callable[[Item], Result], items: Sequence[Item], *, jobs: int, size: int
) -> Iterator[Result]:
    """What `map` gives, made `size` items at a time; fewer are not worth a process."""
    if jobs == 1 or len(items) <= size:
        return map(function, items)
    each = partial(_each, function)
    return chain.from_iterable(in_order(in_batches(items, size), each, _died, jobs))


def _each(function: Callable[[Item], Result], items: tuple[Item, ...]) -> list[Result]:
    return list(map(function, items))


def _died(item: object) -> NoReturn:
    remedy = "try again, with fewer --jobs if memory is short"
    raise ReconcileError(f"a process ended before its work was done; {remedy}")
