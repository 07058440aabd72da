"""Runs the work on a cluster: batches go to the workers of a Dask scheduler, which read the
files and store what they make themselves."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from reconcile.corpus.tables import LOCK, WORK
from reconcile.corpus.work import BatchResult
from reconcile.errors import MissingPackage, UnreadableFile
from reconcile.files.processes import by_executor
from reconcile.files.storage import is_remote
from reconcile.formats.archives import Unit

WAITING = 3
"""Batches in flight per thread of the cluster."""
PATIENCE = "30s"

Units = tuple[Unit, ...]
Work = Callable[[Units], BatchResult]


def on_cluster(
    batches: Iterator[Units],
    work: Work,
    died: Callable[[Unit], BatchResult],
    folder: Path,
    scheduler: str,
) -> Generator[BatchResult, None, None]:
    """Batches in order, done by a cluster.

    Raises `MissingPackage`, and `UnreadableFile` if no scheduler answers or a worker does not
    see the folder.
    """
    client, killed = _connected(scheduler)
    room = WAITING * max(1, sum(client.nthreads().values()))
    here = (tuple(map(_anywhere, batch)) for batch in batches)
    with client:
        # `pure=False`: each batch is a separate task, even if two are identical.
        executor = client.get_executor(pure=False, retries=3)
        seeing = partial(work_seeing, folder, work)
        yield from by_executor(executor, here, seeing, died, room, killed)


def _connected(scheduler: str) -> tuple[Any, type[Exception]]:
    """The client of a scheduler, and what it raises for a task whose workers died."""
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise MissingPackage(
            "--scheduler needs Dask: pip install 'gammon-reconcile[cluster]'"
        ) from None
    try:
        client = Client(scheduler, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        problem = str(error)[:200] or "no answer"
        raise UnreadableFile(
            f"{scheduler}: expected a Dask scheduler, found {problem}; check the address"
        ) from None
    return client, KilledWorker


def work_seeing(folder: Path, work: Work, batch: Units) -> BatchResult:
    """Do the work of a batch, if this machine sees the folder of the archive that is being made."""
    if not (folder / WORK / LOCK).exists():
        raise UnreadableFile(
            "a worker does not see this folder: --scheduler needs one that all machines have",
            folder,
        )
    return work(batch)


def _anywhere(unit: Unit) -> Unit:
    """The unit by paths that do not depend on the folder in which a worker was started."""
    if is_remote(unit.path):
        return unit
    pages = unit.pages if unit.member else tuple(str(Path(page).absolute()) for page in unit.pages)
    return replace(unit, path=str(Path(unit.path).absolute()), pages=pages)
