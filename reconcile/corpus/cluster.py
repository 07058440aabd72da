"""Runs the work on a cluster: batches go to the workers of a Dask scheduler, with the bytes of their files."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Generator, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from typing import Any, Final

from reconcile.corpus.contents import Outcome
from reconcile.corpus.parts import DIED, Batch, process
from reconcile.errors import MissingPackage, UnreadableFile
from reconcile.formats.archives import Unit

WAITING: Final = 3
"""Batches in flight per thread of the cluster."""
PATIENCE: Final = "30s"


def on_cluster(
    batches: Iterator[tuple[Unit, ...]], rules: Sequence[str], known: Container[str], scheduler: str
) -> Generator[Batch, None, None]:
    """Batches in order, done by a cluster. Raises `MissingPackage`, and `UnreadableFile` if no scheduler answers."""
    try:
        from distributed import Client
    except ImportError:
        raise MissingPackage("--scheduler needs Dask: pip install 'gammon-reconcile[cluster]'") from None
    try:
        client: Any = Client(scheduler, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        found = str(error)[:200] or "no answer"
        raise UnreadableFile(f"{scheduler}: expected a Dask scheduler, found {found}; check the address") from None
    with client:
        waiting: deque[tuple[tuple[Unit, ...], Any]] = deque()
        room = WAITING * max(1, sum(client.nthreads().values()))
        while True:
            for batch in islice(batches, max(0, room - len(waiting))):
                waiting.append((batch, _submitted(client, batch, rules, known)))
            if not waiting:
                return
            batch, future = waiting.popleft()
            yield from _results(client, batch, future, rules)


def _submitted(client: Any, batch: tuple[Unit, ...], rules: Sequence[str], known: Container[str]) -> Any:
    held = frozenset(digest for unit in batch if unit.content is not None and (digest := sha256(unit.content).hexdigest()) in known)
    # `pure=False`: each batch is a separate task, even if two are identical.
    return client.submit(process, batch, tuple(rules), held, pure=False, retries=3)


def _results(client: Any, batch: tuple[Unit, ...], future: Any, rules: Sequence[str]) -> Iterator[Batch]:
    """The result of a batch; if its workers keep dying, its files are done one at a time."""
    from distributed import KilledWorker

    try:
        yield future.result()
    except KilledWorker:
        if len(batch) == 1:
            yield Batch((Outcome(batch[0].name, None, DIED),), b"")
        else:
            for unit in batch:
                yield from _results(client, (unit,), _submitted(client, (unit,), rules, frozenset()), rules)
