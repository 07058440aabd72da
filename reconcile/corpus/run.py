"""Makes an archive: files go in batches to workers here or on a cluster, which store their rows;
the tables of the archive as a whole come at the end.

On a cluster batches go to the workers of a Dask scheduler, which read the files and store what they
make themselves.
"""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any

import pyarrow as pa
from filelock import FileLock, Timeout

from reconcile.corpus.assembly import MANIFEST, Corpus, assemble
from reconcile.corpus.tables import LOCK, WORK, Settings, program
from reconcile.corpus.work import (
    DIED,
    BatchResult,
    Listing,
    Outcome,
    batches,
    process,
    remove,
    stored,
)
from reconcile.errors import MissingPackage, NothingToCompare, UnreadableFile, reason_of
from reconcile.files.output import CannotWrite, check_not_read
from reconcile.files.processes import by_executor, in_order
from reconcile.files.storage import is_remote
from reconcile.formats.archives import Unit, units

BATCH = 128
LARGEST_BATCH = 256
"""Files in a batch: a shard of few matches is hardly more than the list of its columns, one of many
is what a process holds."""
SHARE = 4
"""A batch has at most one of so many files before it, so that no process waits long for the last
one."""
LARGEST_CONTENT = 16 << 20
"""Bytes that a batch may carry, of files that were read here."""

Units = tuple[Unit, ...]
Work = Callable[[Units], BatchResult]
Progress = Callable[[int, int], None]
"""Called with the number of files handled and the number in all batches."""


def build(
    paths: Sequence[str],
    folder: str | Path,
    settings: Settings = Settings(),  # noqa: B008 (it never changes)
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: Progress = lambda done, batch: None,
) -> Corpus:
    """Make or complete the archive of these paths in `folder`.

    `jobs` is the number of processes, by default one per core; `scheduler` the address of a Dask
    scheduler whose workers do the work instead. Raises `UnreadableFile` for a missing path,
    `CannotWrite`, `UnknownName`, and `NothingToCompare` without any file.
    """
    settings.check()
    target = Path(folder)
    check_not_read(str(target / MANIFEST), paths)
    with _writing(target):
        settings = settings.in_folder(target)
        for batch in batches(target, settings):
            if not batch.is_sound:
                remove(batch.folder)
        with closing(Listing(target, settings)) as listing:
            _read(listing, target, paths, jobs or os.cpu_count() or 1, scheduler, progress)
            stored.cache_clear()  # what assembles needs the room
            return assemble(target, settings, listing)


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Hold the folder of an archive, and leave no empty folder. Raises `CannotWrite`."""
    work = target / WORK
    fresh = [parent for parent in (work, *work.parents) if not parent.exists()]
    try:
        work.mkdir(parents=True, exist_ok=True)
        with FileLock(work / LOCK, timeout=0):
            try:
                yield
            finally:
                (work / LOCK).unlink()
    except Timeout:
        raise CannotWrite(
            "another run is writing it; wait for it, or use another folder", target
        ) from None
    except (OSError, sqlite3.Error) as error:
        if getattr(error, "sqlite_errorname", "") == "SQLITE_ERROR":  # ours, not the disk's
            raise
        raise _cannot_write(error, target) from None
    finally:
        for inner in (*work.glob("*"), *fresh):
            with suppress(OSError):  # what is not empty, or was not made
                inner.rmdir()


def _cannot_write(error: Exception, folder: Path) -> CannotWrite:
    reason = reason_of(error) if isinstance(error, OSError) else str(error)
    return CannotWrite(f"cannot be written: {reason}; check the folder", folder)


def _read(
    listing: Listing,
    folder: Path,
    paths: Sequence[str],
    jobs: int,
    scheduler: str | None,
    progress: Progress,
) -> None:
    """Read every file that is not stored, and list what became of it."""
    begun = deque[Unit]()
    settings, place = listing.settings, folder.absolute()
    done = stored(place, settings, listing.began)

    def noted() -> Iterator[Units]:
        unchanged = partial(listing.unchanged, stored=done)
        for batch in _batches(units(paths, unchanged=unchanged)):
            begun.extend(Unit(unit.path, unit.member) for unit in batch)
            yield batch

    work = partial(process, settings=settings, folder=place, run=listing.began)
    if scheduler is not None:
        from reconcile.corpus.run import on_cluster

        results = on_cluster(noted(), work, _died, place, scheduler)
    else:
        results = _local(noted(), work, jobs)
    number = 0
    with closing(results):
        for result in results:
            if result.maker != program():
                raise UnreadableFile(
                    f"a worker has reconcile {result.maker}: expected {program()}, as here; "
                    "install the same one on every machine"
                )
            listing.add((begun.popleft() for _ in result.outcomes), result.outcomes)
            number += len(result.outcomes)
            progress(number, len(result.outcomes))
    if not number:
        names = ", ".join(paths)
        raise NothingToCompare(f"{names}: expected matches or archives of matches, found none")


def _batches(files: Iterable[Unit]) -> Iterator[Units]:
    """The units in their order, more at a time the more there are."""
    batch: list[Unit] = []
    before = size = 0
    for unit in files:
        batch.append(unit)
        size += len(unit.content or b"")
        if len(batch) >= max(BATCH, min(LARGEST_BATCH, before // SHARE)) or size > LARGEST_CONTENT:
            yield tuple(batch)
            before += len(batch)
            batch, size = [], 0
    if batch:
        yield tuple(batch)


def prepare(
    paths: Sequence[str],
    folder: str | Path,
    settings: Settings = Settings(),  # noqa: B008 (it never changes)
) -> int:
    """Read and score some files of an archive for `build`, which then finds them done.

    Any engine that maps a function over lists of files shares the work out with it. Nothing of a
    match passes from one process to another: each writes its rows to `folder`, which all of them
    and `build` see. Returns the number of files. Raises `UnreadableFile` for a missing path,
    `UnknownName`, and `CannotWrite`.
    """
    settings.check()
    target = Path(folder)
    place = settings.in_folder(target), target, token_hex()
    try:
        return sum(len(process(batch, *place).outcomes) for batch in _batches(units(paths)))
    except OSError as error:
        raise _cannot_write(error, target) from None


def _begin() -> None:
    """Prepare a worker process, which has one core."""
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)


def _died(unit: Unit) -> BatchResult:
    return BatchResult((Outcome(None, DIED),), program())


def _local(batches: Iterator[Units], work: Work, jobs: int) -> Generator[BatchResult, None, None]:
    """Batches in order, done by processes of this machine, or by this one if there is one job."""
    if jobs > 1:
        yield from in_order(batches, work, _died, jobs, _begin)
        return
    yield from map(work, batches)


# -- on a cluster ----------------------------------------------------------------------------------

WAITING = 3
"""Batches in flight per thread of the cluster."""
PATIENCE = "30s"


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
