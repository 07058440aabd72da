"""Work done by processes of this machine: results in order, and an item that ends a process
found."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import Final, TypeVar

from reconcile.errors import ReconcileError
from reconcile.files.processes import started

AHEAD: Final = 2
"""Batches for each worker at once: none is idle, and few are in memory."""
Item = TypeVar("Item")
Result = TypeVar("Result")


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
    begin: Callable[[], None] | None = None,
) -> Generator[Result, None, None]:
    """The result of every batch, in order, made by so many processes, or what `work` raises.

    Every process calls `begin` first. `died` gives the result of an item that ended its process.
    """
    pool = _pool(jobs, begin)
    waiting: deque[tuple[tuple[Item, ...], Future[Result]]] = deque()
    try:
        while True:
            for batch in islice(batches, AHEAD * jobs - len(waiting)):
                waiting.append((batch, pool.submit(work, batch)))
            if not waiting:
                return
            batch, future = waiting.popleft()
            try:
                yield future.result()
            except BrokenProcessPool:  # find the item, and do the others again
                if jobs == len(batch) == 1:
                    yield died(batch[0])
                else:
                    for item in batch:
                        yield from in_order(iter([(item,)]), work, died, 1, begin)
                pool = _pool(jobs, begin)
                waiting = deque((batch, pool.submit(work, batch)) for batch, _ in waiting)
    finally:
        workers = dict(getattr(pool, "_processes", None) or {})
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers.values():
            worker.terminate()


def mapped(
    function: Callable[[Item], Result], items: Sequence[Item], *, jobs: int, size: int
) -> Iterator[Result]:
    """What `map` gives, made `size` items at a time; fewer are not worth a process."""
    if jobs == 1 or len(items) <= size:
        yield from map(function, items)
        return
    try:
        with _pool(jobs, None) as pool:
            yield from pool.map(function, items, chunksize=size)
    except BrokenProcessPool:
        raise ReconcileError(
            "a process ended before its work was done; try again, with fewer --jobs if memory "
            "is short"
        ) from None


def _pool(jobs: int, begin: Callable[[], None] | None) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (begin,))


def _begin(begin: Callable[[], None] | None) -> None:
    """Leave an interrupt to the process that started this one, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    started(_end_with_parent)
    if begin is not None:
        begin()


def _end_with_parent() -> None:
    """End by a signal when the parent was killed: a worker has both ends of its queue."""
    if (parent := parent_process()) is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
