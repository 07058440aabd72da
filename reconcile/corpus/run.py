"""Makes an archive: units go in batches to workers here or on a cluster, the tables come at the
end.

Workers store rows and receipts. Then rows that no file asks for are taken out, small shards are
merged, and the tables of the archive as a whole are made.
"""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from filelock import FileLock, Timeout

from reconcile.corpus.assembly import Corpus, assemble, vacuum
from reconcile.corpus.catalogue import NAME as CATALOGUE
from reconcile.corpus.catalogue import RECEIPTS, Catalogue
from reconcile.corpus.settings import LOCK, WORK, Settings, program
from reconcile.corpus.shards import place_of, write_shard
from reconcile.corpus.tables import SHARDED, schemas
from reconcile.corpus.work import DIED, BatchResult, process, write_receipt
from reconcile.errors import NothingToCompare, UnreadableFile, reason_of
from reconcile.files.output import CannotWrite, check_not_read
from reconcile.files.processes import in_order
from reconcile.formats.archives import Unit, units

BATCH: Final = 128
LARGEST_BATCH: Final = 512
"""Files in a batch: a shard of few matches is hardly more than the list of its columns."""
SHARE: Final = 4
"""A batch has at most one of so many files before it, so that no process waits long for the last
one."""
LARGEST_CONTENT: Final = 16 << 20
"""Bytes that a batch may carry, of files that were read here."""
MOST_SMALL: Final = 8
"""Small receipts that stay as they are."""
SMALL: Final = 32 << 20
"""Bytes of the largest shard of a receipt that is rewritten."""
ENOUGH: Final = 64 << 20
"""Bytes of a shard to which nothing is added."""
ROWS_AT_ONCE: Final = 1 << 14
"""Rows of a shard that are in memory when it is rewritten."""

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
    check_not_read(str(target / CATALOGUE), paths)
    with _writing(target):
        settings = settings.in_folder(target)
        with closing(Catalogue(target, settings)) as catalogue:
            _read(catalogue, paths, jobs or os.cpu_count() or 1, scheduler, progress)
            files = catalogue.end_of_files()
            for group in _groups(catalogue):  # the next one when the last is rewritten
                _merge(catalogue, group)
            corpus = assemble(catalogue, files)
            vacuum(corpus, catalogue)
            return corpus


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
    catalogue: Catalogue,
    paths: Sequence[str],
    jobs: int,
    scheduler: str | None,
    progress: Progress,
) -> None:
    """Read every file that is not stored, and note in the catalogue what became of it."""
    begun = deque[Unit]()

    def noted() -> Iterator[Units]:
        for batch in _batches(units(paths, unchanged=catalogue.unchanged)):
            begun.extend(Unit(unit.path, unit.member) for unit in batch)
            yield batch

    settings, folder = catalogue.settings, catalogue.folder.absolute()
    work = partial(process, settings=settings, folder=folder, run=catalogue.began)
    if scheduler is not None:
        from reconcile.corpus.cluster import on_cluster

        results = on_cluster(noted(), work, _died, folder, scheduler)
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
            size = len(result.outcomes)
            catalogue.arrived((begun.popleft() for _ in range(size)), result.outcomes)
            number += size
            progress(number, size)
    if not number:
        names = ", ".join(paths)
        raise NothingToCompare(f"{names}: expected matches or archives of matches, found none")


def _groups(catalogue: Catalogue) -> Iterator[list[str]]:
    """The receipts that are rewritten: first each of which not all is asked for, then, where many
    are small, these with each other in their order."""
    yield from ([batch] for batch, _, is_unfit in catalogue.rows(RECEIPTS) if is_unfit)
    small = [row for row in catalogue.rows(RECEIPTS) if row[1] <= SMALL]
    group: list[str] = []
    total = 0
    for batch, size, _ in small if len(small) > MOST_SMALL else ():
        group.append(batch)
        total += size
        if total > ENOUGH:
            yield group
            group, total = [], 0
    if len(group) > 1:
        yield group


def _merge(catalogue: Catalogue, receipts: Sequence[str]) -> None:
    """Put one receipt in the place of some, with what files ask for of them, and its shards; none
    if they ask for nothing."""
    settings, folder, work = catalogue.settings, catalogue.folder, catalogue.folder / WORK
    contents = [content for receipt in receipts for content in catalogue.asked(receipt)]
    asked = pa.array([digest for digest, *_ in contents], pa.string())

    def matches(*columns: str) -> Iterator[pa.Table]:
        for receipt in receipts:
            rows = pq.ParquetFile(work / receipt).read([*columns] or None)
            yield rows.filter(pc.is_in(rows.column("sha256"), value_set=asked))

    place = ""
    if contents:
        numbers = pa.concat_tables(matches("match", "sha256")).column("match").combine_chunks()
        shards = [path for receipt in receipts for path in catalogue.shards(receipt)]
        merged = []
        for table in SHARDED:
            paths = [place_of(folder, path) for path in shards if path.startswith(f"{table}/")]
            if paths:
                schema = schemas(settings.rules)[table]
                rows = _rows(paths, numbers)
                merged.append(write_shard(work, table, schema, rows, settings))
        place = write_receipt(folder, settings, matches(), contents, merged)
    catalogue.remove(receipt for receipt in receipts if receipt != place)


def _rows(paths: Iterable[Path], numbers: pa.Array) -> Iterator[pa.Table]:
    """The rows of shards, of the matches with these numbers."""
    for path in paths:
        for piece in pq.ParquetFile(path).iter_batches(ROWS_AT_ONCE, use_threads=False):
            rows = pa.Table.from_batches([piece])
            yield rows.filter(pc.is_in(rows.column("match"), value_set=numbers))


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
    return BatchResult(((None, DIED),), program())


def _local(batches: Iterator[Units], work: Work, jobs: int) -> Generator[BatchResult, None, None]:
    """Batches in order, done by processes of this machine, or by this one if there is one job."""
    if jobs > 1:
        yield from in_order(batches, work, _died, jobs, _begin)
        return
    yield from map(work, batches)
