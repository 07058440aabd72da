"""Runs the work on a cluster: batches go to the workers of a Dask scheduler, which read the
files and store what they make themselves."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Generator, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

from reconcile.corpus.settings import WORK
from reconcile.corpus.work import DIED, BatchResult, outcome_for
from reconcile.errors import MissingPackage, UnreadableFile
from reconcile.files.storage import is_remote
from reconcile.formats.archives import Unit

WAITING: Final = 3
"""Batches in flight per thread of the cluster."""
PATIENCE: Final = "30s"

Units = tuple[Unit, ...]


def on_cluster(
    batches: Iterator[Units],
    work: Callable[..., BatchResult],
    stored: Container[str],
    folder: Path,
    scheduler: str,
) -> Generator[BatchResult, None, None]:
    """Batches in order, done by a cluster.

    Raises `MissingPackage`, and `UnreadableFile` if no scheduler answers or a worker does not
    see the folder.
    """
    try:
        from distributed import Client
    except ImportError:
        raise MissingPackage(
            "--scheduler needs Dask: pip install 'gammon-reconcile[cluster]'"
        ) from None
    try:
        client: Any = Client(scheduler, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        problem = str(error)[:200] or "no answer"
        raise UnreadableFile(
            f"{scheduler}: expected a Dask scheduler, found {problem}; check the address"
        ) from None
    with client, NamedTemporaryFile(dir=folder / WORK, prefix=".") as mark:
        (everywhere,) = client.scatter([stored], broadcast=True)
        here = partial(
            _work, work=partial(work, folder=folder.absolute()), mark=Path(mark.name).absolute()
        )
        # `pure=False`: each batch is a separate task, even if two are identical.
        submit = partial(client.submit, here, stored=everywhere, pure=False, retries=3)
        waiting: deque[tuple[Units, Any]] = deque()
        room = WAITING * max(1, sum(client.nthreads().values()))
        while True:
            for batch in islice(batches, max(0, room - len(waiting))):
                waiting.append((batch, submit(tuple(map(_anywhere, batch)))))
            if not waiting:
                return
            yield from _results(*waiting.popleft(), submit)


def _work(
    batch: Units, stored: Container[str], work: Callable[..., BatchResult], mark: Path
) -> BatchResult:
    if not mark.exists():
        raise UnreadableFile(
            "a worker does not see this folder: --scheduler needs one that all machines have",
            mark.parents[1],
        )
    return work(batch, stored=stored)


def _anywhere(unit: Unit) -> Unit:
    """The unit by paths that do not depend on the folder in which a worker was started."""
    if is_remote(unit.path):
        return unit
    pages = unit.pages if unit.member else tuple(str(Path(page).absolute()) for page in unit.pages)
    return replace(unit, path=str(Path(unit.path).absolute()), pages=pages)


def _results(batch: Units, future: Any, submit: Callable[[Units], Any]) -> Iterator[BatchResult]:
    """The result of a batch; if its workers keep dying, its files are done one at a time."""
    from distributed import KilledWorker

    try:
        done: BatchResult = future.result()
    except KilledWorker:
        if len(batch) == 1:
            yield BatchResult((outcome_for(batch[0], None, DIED),))
        else:
            for unit in batch:
                yield from _results((unit,), submit((_anywhere(unit),)), submit)
    else:
        named = zip(batch, done.outcomes, strict=True)
        yield replace(
            done,
            outcomes=tuple(
                outcome_for(unit, outcome.sha256, outcome.error) for unit, outcome in named
            ),
        )
