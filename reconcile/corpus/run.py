"""Makes an archive: units go in batches to workers here or on a cluster, the tables come at the
end.

What the workers store is added to the catalogue batch by batch. Then rows that no file asks for
are taken out, small shards are merged, and the tables of the archive as a whole are made.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from filelock import FileLock, Timeout

from reconcile.corpus.assembly import LOCK, SHARD, Corpus, assemble, vacuum
from reconcile.corpus.catalogue import NAME as CATALOGUE
from reconcile.corpus.catalogue import Catalogue
from reconcile.corpus.settings import WORK, Settings, program
from reconcile.corpus.shards import SUFFIX, write_table
from reconcile.corpus.tables import SHARDED
from reconcile.corpus.work import DIED, BatchResult, outcome_for, process, receipt_at, write_receipt
from reconcile.errors import NothingToCompare, UnreadableFile, reason_of
from reconcile.files.inputs import note
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
LARGEST: Final = "decisions"
ROWS_AT_ONCE: Final = 1 << 16
"""Rows of a shard that are in memory when it is rewritten."""

Units = tuple[Unit, ...]
Work = Callable[..., BatchResult]
"""`process` without its batch and what is stored."""
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
    for path in paths:
        note(path)
    shards = [path for path in paths if SHARD.fullmatch(Path(path).name)]
    for output in (str(target / CATALOGUE), *shards):
        check_not_read(output)
    with _writing(target):
        settings = settings.in_folder(target)
        with closing(Catalogue(target, settings)) as catalogue:
            _read(catalogue, paths, jobs or os.cpu_count() or 1, scheduler, progress)
            files = catalogue.end_of_files()
            for receipt in catalogue.unfit():
                catalogue.replace([receipt], _merged(catalogue, [receipt]))
            for group in [*_groups(catalogue)]:
                catalogue.replace(group, _merged(catalogue, group))
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
    """Read every file that is not stored, and add what the workers stored to the catalogue."""
    batches = _batches(units(paths, unchanged=catalogue.unchanged))
    work = partial(process, settings=catalogue.settings, folder=catalogue.folder)
    if scheduler is not None:
        from reconcile.corpus.cluster import on_cluster

        done = on_cluster(batches, work, catalogue.stored, catalogue.folder, scheduler)
    else:
        done = _local(batches, work, catalogue.stored, jobs)
    number = 0
    with closing(done):
        for result in done:
            if result.maker != program():
                raise UnreadableFile(
                    f"a worker has reconcile {result.maker}: expected {program()}, as here; "
                    "install the same one on every machine"
                )
            catalogue.arrived(result)
            number += len(result.outcomes)
            progress(number, len(result.outcomes))
    if not number:
        names = ", ".join(paths)
        raise NothingToCompare(f"{names}: expected matches or archives of matches, found none")


def _groups(catalogue: Catalogue) -> Iterator[list[str]]:
    """The receipts to merge with each other, in their order; none while few are small."""
    sizes = {
        receipt: sum(shard.size for shard in catalogue.shards(receipt) if shard.table == LARGEST)
        for receipt in catalogue.receipts()
    }
    small = [receipt for receipt in sizes if sizes[receipt] <= SMALL]
    group: list[str] = []
    for receipt in small if len(small) > MOST_SMALL else ():
        group.append(receipt)
        if sum(sizes[each] for each in group) > ENOUGH:
            yield group
            group = []
    if len(group) > 1:
        yield group


def _merged(catalogue: Catalogue, receipts: Sequence[str]) -> str:
    """Write a receipt that has what files ask for of these, and its shards; its path, empty if they
    ask for nothing."""
    settings, work = catalogue.settings, catalogue.folder / WORK
    contents = [content for receipt in receipts for content in catalogue.asked(receipt)]
    if not contents:
        return ""
    matches = pa.concat_tables(pq.read_table(work / receipt) for receipt in receipts)
    asked = pa.array([digest for digest, *_ in contents])
    matches = matches.filter(pc.is_in(matches.column("sha256"), value_set=asked))
    numbers = matches.column("match").combine_chunks()
    shards = [shard for receipt in receipts for shard in catalogue.shards(receipt)]
    merged = []
    for table in SHARDED:
        paths = [catalogue.place(shard.path) for shard in shards if shard.table == table]
        if paths:
            merged.append(write_table(work, table, _rows(paths, numbers), settings))
    return write_receipt(catalogue.folder, settings, matches, contents, merged)


def _rows(paths: Iterable[Path], numbers: pa.Array) -> Iterator[pa.Table]:
    """The rows of shards, of the matches with these numbers."""
    for path in paths:
        for piece in pq.ParquetFile(path).iter_batches(ROWS_AT_ONCE):
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
    settings = settings.in_folder(target)
    done = (target / WORK / settings.digest).glob(f"*{SUFFIX}")
    receipts = (receipt_at(target, f"{settings.digest}/{path.name}") for path in done)
    stored = {digest for receipt in receipts if receipt for digest, *_ in receipt.contents}
    try:
        return sum(
            len(process(batch, settings, stored, target).outcomes)
            for batch in _batches(units(paths))
        )
    except OSError as error:
        raise _cannot_write(error, target) from None


_stored: Container[str] = frozenset()


def _begin(stored: Container[str]) -> None:
    """Prepare a worker process: one core, and the contents that are stored already."""
    global _stored
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    _stored = stored


def _work(batch: Units, work: Work) -> BatchResult:
    return work(batch, stored=_stored)


def _died(unit: Unit) -> BatchResult:
    return BatchResult((outcome_for(unit, None, DIED),))


def _local(
    batches: Iterator[Units], work: Work, stored: Container[str], jobs: int
) -> Generator[BatchResult, None, None]:
    """Batches in order, done by processes of this machine, or by this one if there is one job."""
    if jobs > 1:
        here = partial(_work, work=work)
        yield from in_order(batches, here, _died, jobs, partial(_begin, stored))
        return
    for batch in batches:
        yield work(batch, stored=stored)
