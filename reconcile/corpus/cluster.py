"""Runs the work on a cluster: batches go to the workers of a Dask scheduler, with the bytes of their files.

Workers that see the archive's folder store what they made there; from the others it comes back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Generator, Iterator, Sequence
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

from reconcile.corpus.contents import Outcome
from reconcile.corpus.parts import DIED, FOLDER, Batch, process, stored
from reconcile.errors import MissingPackage, UnreadableFile
from reconcile.formats.archives import Unit

WAITING: Final = 3
"""Batches in flight per thread of the cluster."""
PATIENCE: Final = "30s"

Work = Callable[[tuple[Unit, ...], Container[str]], Batch]


def on_cluster(
    batches: Iterator[tuple[Unit, ...]], rules: Sequence[str], keys: Sequence[str], known: Container[str], folder: Path, scheduler: str
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
    with client, NamedTemporaryFile(dir=folder / FOLDER, prefix=".") as mark:
        work = partial(_work, rules=tuple(rules), keys=tuple(keys), folder=folder.resolve(), mark=Path(mark.name).resolve())
        waiting: deque[tuple[tuple[Unit, ...], Any]] = deque()
        room = WAITING * max(1, sum(client.nthreads().values()))
        while True:
            for batch in islice(batches, max(0, room - len(waiting))):
                waiting.append((batch, _submitted(client, batch, work, known)))
            if not waiting:
                return
            batch, future = waiting.popleft()
            yield from _results(client, batch, future, work)


def _work(batch: tuple[Unit, ...], known: Container[str], rules: Sequence[str], keys: Sequence[str], folder: Path, mark: Path) -> Batch:
    made = process(batch, rules, keys, known)
    return stored(made, folder, rules) if mark.exists() else made


def _submitted(client: Any, batch: tuple[Unit, ...], work: Work, known: Container[str]) -> Any:
    held = frozenset(digest for unit in batch if unit.content is not None and (digest := sha256(unit.content).hexdigest()) in known)
    # `pure=False`: each batch is a separate task, even if two are identical.
    return client.submit(work, batch, held, pure=False, retries=3)


def _results(client: Any, batch: tuple[Unit, ...], future: Any, work: Work) -> Iterator[Batch]:
    """The result of a batch; if its workers keep dying, its files are done one at a time."""
    from distributed import KilledWorker

    try:
        yield future.result()
    except KilledWorker:
        if len(batch) == 1:
            yield Batch((Outcome(batch[0].name, None, DIED),))
        else:
            for unit in batch:
                yield from _results(client, (unit,), _submitted(client, (unit,), work, frozenset()), work)
