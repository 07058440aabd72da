"""Batches of work done by processes of this machine, with the results in order; an item that ends its process is found."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, Final, NoReturn, TypeVar

from reconcile.errors import ReconcileError

WAITING: Final = 2
"""Batches in flight per worker: enough that none is idle, few enough that memory use stays constant."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_batches(items: Iterable[Item], size: int) -> Iterator[tuple[Item, ...]]:
    """The items in their order, some at a time."""
    source = iter(items)
    while batch := tuple(islice(source, size)):
        yield batch


_RESTING: Final[ContextVar[dict[int, ProcessPoolExecutor] | None]] = ContextVar(
    "resting", default=None
)


@contextmanager
def kept_ready() -> Iterator[None]:
    """Within it processes that have nothing left to do wait for the next work of `in_order`, since each takes a second to start."""
    pools: dict[int, ProcessPoolExecutor] = {}
    token = _RESTING.set(pools)
    try:
        yield
    finally:
        _RESTING.reset(token)
        for pool in pools.values():
            _end(pool)


def in_order(
    batches: Iterator[tuple[Item, ...]],
    work: Callable[[tuple[Item, ...]], Result],
    died: Callable[[Item], Result],
    jobs: int,
    begin: Callable[[], None] | None = None,
    at_once: Callable[[tuple[Item, ...]], Result | None] = lambda batch: None,
) -> Generator[Result, None, None]:
    """The result of every batch, in order, made by this many processes; they end when the generator is closed, but see `kept_ready`.

    `work` and `begin`, which every process calls once before its first batch, are sent to the processes. `died` gives the result of an item
    that ended its process, `at_once` that of a batch which no process needs to see, if it has one. What `work` raises is raised here, in
    the place of the result.
    """

    def submitted(batch: tuple[Item, ...]) -> Future[Result]:
        if (result := at_once(batch)) is None:
            return pool.submit(work, batch)
        done: Future[Result] = Future()
        done.set_result(result)
        return done

    resting = _RESTING.get()
    pool = (_rested(resting.pop(jobs, None)) if resting and begin is None else None) or _pool(
        jobs, begin
    )
    waiting: deque[tuple[tuple[Item, ...], Future[Result]]] = deque()
    try:
        while True:
            for batch in islice(batches, max(0, WAITING * jobs - len(waiting))):
                waiting.append((batch, submitted(batch)))
            if not waiting:
                return
            batch, future = waiting.popleft()
            try:
                yield future.result()
            except BrokenProcessPool:
                # A worker died. Its batch is done again one item at a time, to find the one that caused it, and the rest is restarted.
                pool.shutdown(wait=False, cancel_futures=True)
                yield from (_alone(item, work, died, begin) for item in batch)
                pool = _pool(jobs, begin)
                waiting = deque((other, submitted(other)) for other, _ in waiting)
    finally:
        if resting is None or begin is not None or waiting or jobs in resting:
            _end(pool)
        else:
            resting[jobs] = pool


def mapped(
    function: Callable[[Item], Result], items: Sequence[Item], *, jobs: int, size: int
) -> Iterable[Result]:
    """What `map` gives, made by this many processes, `size` items at a time; fewer items are not worth a process.

    Raises `ReconcileError` if an item ends its process.
    """
    if jobs == 1 or len(items) <= size:
        return map(function, items)
    return chain.from_iterable(
        in_order(in_batches(items, size), partial(_each, function), _no_memory, jobs)
    )


def _each(function: Callable[[Item], Result], batch: tuple[Item, ...]) -> list[Result]:
    return list(map(function, batch))


def _no_memory(_item: object) -> NoReturn:
    raise ReconcileError("a process ended, as it does without enough memory; use fewer --jobs")


def _rested(pool: ProcessPoolExecutor | None) -> ProcessPoolExecutor | None:
    """A pool that has waited, if its processes are still there."""
    try:
        return None if pool is None or pool.submit(int).result() else pool
    except BrokenProcessPool:
        return None


def _alone(
    item: Item,
    work: Callable[[tuple[Item, ...]], Result],
    died: Callable[[Item], Result],
    begin: Callable[[], None] | None,
) -> Result:
    """One item in a separate process."""
    pool = _pool(1, begin)
    try:
        return pool.submit(work, (item,)).result()
    except BrokenProcessPool:
        return died(item)
    finally:
        _end(pool)


def _pool(workers: int, begin: Callable[[], None] | None) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(begin,)
    )


def _begin(begin: Callable[[], None] | None) -> None:
    """Prepare a worker: it ends with the process that started it, and leaves an interruption to that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    if begin is not None:
        begin()


def _end_with_parent() -> None:
    """End a worker whose parent was killed; it holds both ends of its queue, so it would wait for ever."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _end(pool: ProcessPoolExecutor) -> None:
    """Stop at once: drop tasks that have not started, and do not wait for the others."""
    processes: dict[int, Any] = dict(getattr(pool, "_processes", None) or {})
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in processes.values():
        worker.terminate()
