"""Makes an archive: units go in batches to workers here or on a cluster, the tables come at the
end.

What the workers store is added to the catalogue batch by batch. Then rows that no file asks for
are taken out, small shards are merged, and the tables of the whole archive are made.
"""

from __future__ import annotations

import os
import secrets
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

from reconcile.corpus.assembly import SHARD, Corpus, assemble, vacuum
from reconcile.corpus.catalogue import NAME as CATALOGUE
from reconcile.corpus.catalogue import Catalogue
from reconcile.corpus.settings import RULES, Settings
from reconcile.corpus.shards import SUFFIX, about, write_shard
from reconcile.corpus.tables import SHARDED
from reconcile.corpus.work import (
    DIED,
    LOCK,
    SECRET,
    WORK,
    Batch,
    Outcome,
    process,
    receipt_at,
    write_receipt,
)
from reconcile.errors import NothingToCompare, reason_of
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

Work = Callable[..., Batch]
"""`process` without its batch and what is known."""
Progress = Callable[[int, int], None]
"""Called with the number of files handled and the number in all batches."""


def build(
    paths: Sequence[str],
    folder: str | Path,
    *,
    rules: Sequence[str] = RULES,
    licence: str = "",
    anonymise: bool = False,
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: Progress = lambda done, batch: None,
) -> Corpus:
    """Make or complete the corpus of these paths in `folder`.

    `licence` is stated in every file. With `anonymise` players have other names, the same for the
    same player. `jobs` is the number of processes, by default one per core; `scheduler` the address
    of a Dask scheduler whose workers do the work instead. Raises `UnreadableFile` for a missing
    path, `CannotWrite`, `UnknownName`, and `NothingToCompare` without any file.
    """
    Settings(tuple(rules)).check()
    target = Path(folder)
    for path in paths:
        note(path)
    for output in (
        str(target / CATALOGUE),
        *(path for path in paths if SHARD.fullmatch(Path(path).name)),
    ):
        check_not_read(output)
    with _writing(target):
        settings = settings_of(target, rules, licence, anonymise=anonymise)
        with closing(Catalogue(target, settings)) as catalogue:
            _read(catalogue, paths, jobs or os.cpu_count() or 1, scheduler, progress)
            _fit(catalogue)
            corpus = assemble(catalogue, settings)
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
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise CannotWrite(f"cannot be written: {reason}; check the folder", target) from None
    finally:
        for inner in (*work.glob("*"), *fresh):
            with suppress(OSError):  # what is not empty, or was not made
                inner.rmdir()


def settings_of(folder: Path, rules: Sequence[str], licence: str, *, anonymise: bool) -> Settings:
    """The settings of an archive; what its names are hidden with is made once and stays here."""
    secret = ""
    if anonymise:
        path = folder / WORK / SECRET
        fresh = path.with_name(f".{secrets.token_hex(8)}")
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.touch(0o600)
        fresh.write_text(secrets.token_hex(32), "ascii")
        with suppress(FileExistsError):  # of an earlier run, or of a process beside this one
            os.link(fresh, path)
        fresh.unlink()
        secret = path.read_text("ascii")
    return Settings(tuple(rules), licence, secret)


def _read(
    catalogue: Catalogue,
    paths: Sequence[str],
    jobs: int,
    scheduler: str | None,
    progress: Progress,
) -> None:
    """Read every file that is not known, and add what the workers stored to the catalogue."""
    batches = _batches(units(paths, unchanged=catalogue.unchanged))
    work = partial(process, settings=catalogue.settings, folder=catalogue.folder)
    if scheduler is not None:
        from reconcile.corpus.cluster import on_cluster

        done = on_cluster(batches, work, catalogue.known, catalogue.folder, scheduler)
    else:
        done = _local(batches, work, catalogue.known, jobs)
    number = 0
    with closing(done):
        for batch in done:
            catalogue.arrived(batch.checked())
            number += len(batch.outcomes)
            progress(number, len(batch.outcomes))
    if not number:
        names = ", ".join(paths)
        raise NothingToCompare(f"{names}: expected matches or archives of matches, found none")
    catalogue.end_of_files()


def _fit(catalogue: Catalogue) -> None:
    """Take out the rows that no file asks for, and merge small shards."""
    for batch, is_wanted in catalogue.unfit():
        catalogue.replace(
            [batch], _merged(catalogue, [batch], only_asked=True) if is_wanted else ""
        )
    for group in list(_groups(catalogue)):
        catalogue.replace(group, _merged(catalogue, group))


def _groups(catalogue: Catalogue) -> Iterator[list[str]]:
    """The receipts to merge with each other, in their order; none while few are small."""
    sizes = {
        batch: sum(shard.size for shard in catalogue.shards(batch) if shard.table == LARGEST)
        for batch in catalogue.batches()
    }
    small = [batch for batch in sizes if sizes[batch] <= SMALL]
    group: list[str] = []
    size = 0
    for batch in small if len(small) > MOST_SMALL else ():
        group.append(batch)
        size += sizes[batch]
        if size > ENOUGH:
            yield group
            group, size = [], 0
    if len(group) > 1:
        yield group


def _merged(catalogue: Catalogue, batches: Sequence[str], *, only_asked: bool = False) -> str:
    """Write a receipt that has what these have, and its shards; its path."""
    settings, work = catalogue.settings, catalogue.folder / WORK
    contents = [content for batch in batches for content in catalogue.contents(batch)]
    matches = pa.concat_tables(pq.read_table(work / batch) for batch in batches)
    if only_asked:
        asked = [digest for batch in batches for digest in catalogue.asked(batch)]
        contents = [content for content in contents if content[0] in asked]
        here = pc.is_in(matches.column("sha256"), value_set=pa.array(asked, pa.string()))
        matches = matches.filter(here)
    numbers = matches.column("match").combine_chunks()
    shards = []
    for table in SHARDED:
        paths = [
            catalogue.place(shard.path)
            for batch in batches
            for shard in catalogue.shards(batch)
            if shard.table == table
        ]
        if paths:
            schema, metadata = pq.read_schema(paths[0]), about(table, settings)
            shards.append(write_shard(work, table, schema, _rows(paths, numbers), metadata))
    return write_receipt(catalogue.folder, settings, [matches], contents, shards)


def _rows(paths: Iterable[Path], numbers: pa.Array) -> Iterator[pa.Table]:
    """The rows of shards, of the matches with these numbers."""
    for path in paths:
        for piece in pq.ParquetFile(path).iter_batches(ROWS_AT_ONCE):
            rows = pa.Table.from_batches([piece])
            yield rows.filter(pc.is_in(rows.column("match"), value_set=numbers))


def _batches(files: Iterable[Unit]) -> Iterator[tuple[Unit, ...]]:
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
    *,
    rules: Sequence[str] = RULES,
    licence: str = "",
    anonymise: bool = False,
) -> int:
    """Read and score some files of an archive for `build`, which then finds them done.

    Any engine that maps a function over lists of files shares the work out with it. Nothing of a
    match passes from one process to another: each writes its rows to `folder`, which all of them
    and `build` see. Returns the number of files. Raises `UnreadableFile` for a missing path,
    `UnknownName`, and `CannotWrite`.
    """
    Settings(tuple(rules)).check()
    target = Path(folder)
    settings = settings_of(target, rules, licence, anonymise=anonymise)
    done = (target / WORK / settings.digest).glob(f"*{SUFFIX}")
    receipts = (receipt_at(target, f"{settings.digest}/{path.name}") for path in done)
    stored = {digest for receipt in receipts if receipt for digest, *_ in receipt.contents}
    try:
        return sum(
            len(process(batch, settings, stored, target).outcomes)
            for batch in _batches(units(paths))
        )
    except OSError as error:
        reason = reason_of(error)
        raise CannotWrite(f"cannot be written: {reason}; check the folder", target) from None


_stored: Container[str] = frozenset()


def _begin(stored: Container[str]) -> None:
    """Prepare a worker process: one core, and the contents already known."""
    global _stored
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    _stored = stored


def _work(batch: tuple[Unit, ...], work: Work) -> Batch:
    return _unread(batch) or work(batch, stored=_stored)


def _died(unit: Unit) -> Batch:
    return Batch((Outcome.for_unit(unit, None, DIED),))


def _unread(batch: tuple[Unit, ...]) -> Batch | None:
    """The result of a batch of which nothing is to be read."""
    if not all(unit.sha256 for unit in batch):
        return None
    return Batch(tuple(Outcome.for_unit(unit, unit.sha256) for unit in batch))


def _local(
    batches: Iterator[tuple[Unit, ...]], work: Work, stored: Container[str], jobs: int
) -> Generator[Batch, None, None]:
    """Batches in order, done by processes of this machine, or by this one if there is one job."""
    if jobs > 1:
        yield from in_order(
            batches, partial(_work, work=work), _died, jobs, partial(_begin, stored)
        )
        return
    for batch in batches:
        yield _unread(batch) or work(batch, stored=stored)
