"""Work done by several processes: the order of the results, errors, a process that dies, and
nothing left over."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from multiprocessing import active_children
from time import sleep

import pytest

from reconcile.errors import UnreadableFile
from reconcile.files.workers import in_order
from tests.support.processes import wait_until

DEADLY, REFUSED = 7, 11


def work(batch: tuple[int, ...]) -> list[tuple[int, int]]:
    """Every number and the process that saw it; the first batches take longest."""
    sleep(0.2 if 0 in batch else 0)
    for number in batch:
        if number == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        if number == REFUSED:
            raise UnreadableFile(f"{number}: expected another")
    return [(number, os.getpid()) for number in batch]


def died(number: int) -> list[tuple[int, int]]:
    return [(number, 0)]


def batches(numbers: range, size: int = 3) -> Iterator[tuple[int, ...]]:
    return iter([tuple(numbers[at : at + size]) for at in range(0, len(numbers), size)])


def test_results_come_in_order_from_several_processes_which_end_with_the_generator() -> None:
    results = in_order(batches(range(7)), work, died, 2)
    pairs = next(results) + next(results)
    assert [number for number, _ in pairs] == list(range(6))
    assert os.getpid() not in {process for _, process in pairs}
    results.close()
    wait_until(lambda: not active_children())


def test_what_is_raised_there_is_raised_here_in_its_place() -> None:
    results = in_order(batches(range(8, 20), 2), work, died, 2)
    assert [number for number, _ in next(results)] == [8, 9]
    with pytest.raises(UnreadableFile, match=r"^11: expected another$"):
        next(results)


@pytest.mark.long
def test_item_that_ends_its_process_is_found_and_the_others_are_done() -> None:
    processes = dict(
        pair for part in in_order(batches(range(6, 9), 2), work, died, 2) for pair in part
    )
    assert list(processes) == [6, 7, 8]
    assert [number for number, process in processes.items() if not process] == [DEADLY]
