"""Runs the work: units go in batches to workers on this machine or of a cluster, which store what they make; tables at the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import pyarrow as pa
from filelock import FileLock, Timeout

from reconcile.corpus.assembly import (
    MANIFEST,
    SHARD,
    UNFINISHED,
    Corpus,
    assemble,
    is_sound,
    listed_files,
    vacuum,
)
from reconcile.corpus.merge import groups, merge
from reconcile.corpus.parts import (
    DIED,
    FOLDER,
    Batch,
    Known,
    Outcome,
    Part,
    process,
    remove,
    same_maker,
    settings_key,
)
from reconcile.corpus.parts import SUFFIX as PART
from reconcile.corpus.shards import SHARDED
from reconcile.corpus.unchanged import Unchanged
from reconcile.errors import NothingToCompare, UnknownName, reason_of
from reconcile.files.inputs import note
from reconcile.files.output import CannotWrite, check_not_read
from reconcile.files.workers import in_order
from reconcile.formats.archives import Unit, units
from reconcile.match.tools import ANALYSERS
from reconcile.rules.rulesets import RULE_SETS, is_rule_file, rule_set

BATCH: Final = 128
LARGEST_BATCH: Final = 512
"""Files in a batch: a shard of few matches is hardly more than the list of its columns."""
SHARE: Final = 4
"""A batch has at most one of so many files before it, so that no process waits long for the last one."""
LARGEST_CONTENT: Final = 16 << 20
"""Bytes that a batch may carry, of files that were read here."""
RULES: Final = tuple(tool.rules for tool in ANALYSERS.values())
"""Those of every program that analyses."""
LOCK: Final = "lock"
OUTCOMES: Final = ("name", "sha256", "error")
FOUND: Final = ("file", *OUTCOMES[1:])
"""The columns of what `read` found."""

Work = Callable[..., Batch]
"""`process` without its batch and what is known."""
Progress = Callable[[int, int], None]
"""Called with the number of files handled and the number in all batches."""


def build(
    paths: Sequence[str],
    folder: str | Path,
    *,
    rules: Sequence[str] = RULES,
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: Progress = lambda done, batch: None,
) -> Corpus:
    """Make or complete the corpus of these paths in `folder`.

    `jobs` is the number of processes, by default one per core; `scheduler` the address of a Dask scheduler whose workers do the
    work instead. Raises `UnreadableFile` for a missing path, `CannotWrite`, `UnknownName`, and `NothingToCompare` without any file.
    """
    _check(rules)
    target = Path(folder)
    for path in paths:
        note(path)
    for made in (
        str(target / MANIFEST),
        *(path for path in paths if SHARD.fullmatch(Path(path).name)),
    ):
        check_not_read(made)
    kept, jobs = target / FOLDER, jobs or os.cpu_count() or 1
    fresh = [one for one in (kept, *kept.parents) if not one.exists()]
    try:
        kept.mkdir(parents=True, exist_ok=True)
        with FileLock(kept / LOCK, timeout=0):
            try:
                for stale in [*target.glob(f"*{UNFINISHED}"), *kept.glob(".*")]:
                    remove(stale)
                return _Run(
                    paths,
                    target,
                    Unchanged(kept),
                    rules,
                    jobs,
                    scheduler,
                    progress,
                ).built()
            finally:
                (kept / LOCK).unlink()
    except Timeout:
        raise CannotWrite(
            "another run is writing it; wait for it, or use another folder", target
        ) from None
    except OSError as error:
        raise CannotWrite(
            f"cannot be written: {reason_of(error)}; check the folder", target
        ) from None
    finally:
        with suppress(OSError):  # the first that is not empty, or was not made
            for one in fresh:
                one.rmdir()


def _check(rules: Sequence[str]) -> None:
    """Raise `UnknownName` for rule sets that no corpus is made with."""
    for name in rules:
        if is_rule_file(name):
            raise UnknownName(
                f"{name}: a corpus is completed later, when a file may have changed, so it has only rule sets that come with the program: "
                f"expected some of {', '.join(RULE_SETS)}; score single matches with `reconcile stats --rules {name}`"
            )
        rule_set(name)
    if not rules or len(set(rules)) != len(rules):
        raise UnknownName(f"expected different rule sets, found {', '.join(rules) or 'none'}")


@dataclass(frozen=True, slots=True)
class _Run:
    """What a run is asked for, in a folder that is ours alone."""

    paths: Sequence[str]
    folder: Path
    unchanged: Unchanged
    rules: Sequence[str]
    jobs: int
    scheduler: str | None
    progress: Progress
    sound: set[str] = field(default_factory=set)
    """Parts of which every shard is known to be as it was made."""

    def built(self) -> Corpus:
        """The corpus, when the parts hold what is wanted and nothing else: others are removed, and what is left of them is made again."""
        kept, settings = self.folder / FOLDER, settings_key(self.rules)
        while True:
            known, stored = Known(kept, settings), len(self.sound)
            files = self.read(known)
            if len(self.sound) > stored:
                known = Known(kept, settings)
            rows = known.rows(files.column("sha256"))
            damaged = [part for part in known.parts if not self.is_sound(part)]
            unfit = damaged or known.unfit(rows)
            for part in unfit:
                wanted = known.asked(rows, part)
                if part in damaged or not any(wanted):
                    remove(kept / part.name)
                else:
                    self.sound.add(merge(kept, [part], self.waiting, settings, self.rules, wanted))
            if not unfit:
                break
        for path in {*kept.glob(f"*{PART}")} - {kept / part.name for part in known.parts}:
            remove(path)
        for group in list(groups(known.parts, self.waiting)):
            self.sound.add(merge(kept, group, self.waiting, settings, self.rules))
            known = Known(kept, settings)
        self.place(known)
        listed = self.folder / MANIFEST
        before = listed_files(listed.read_bytes() if listed.is_file() else b"")
        corpus = assemble(self.folder, files, known, settings, self.rules)
        vacuum(corpus, before)
        return corpus

    def read(self, known: Known) -> pa.Table:
        """Every file with its SHA-256, or why it could not be read; what is in it and not `known` is stored."""
        found = units(self.paths, unchanged=partial(self.unchanged.begin, known=known.digests))
        work = partial(process, rules=tuple(self.rules), folder=self.folder)
        if self.scheduler is not None:
            from reconcile.corpus.cluster import on_cluster

            done = on_cluster(_batches(found), work, known.digests, self.folder, self.scheduler)
        else:
            done = _local(_batches(found), work, known.digests, self.jobs)
        arrived, number = [], 0
        with closing(done):
            for batch in map(same_maker, done):
                if batch.part:
                    self.sound.add(batch.part)
                columns = [[getattr(one, name) for one in batch.outcomes] for name in OUTCOMES]
                arrived.append(
                    pa.record_batch([pa.array(column, pa.string()) for column in columns], FOUND)
                )
                for one in batch.outcomes:
                    self.unchanged.arrived(one)
                number += len(batch.outcomes)
                self.progress(number, len(batch.outcomes))
        if not arrived:
            raise NothingToCompare(
                f"{', '.join(self.paths)}: expected matches or archives of matches, found none"
            )
        self.unchanged.finish()
        return pa.Table.from_batches(arrived)

    def is_sound(self, part: Part) -> bool:
        """Whether the shards of a part are as they were made."""
        if part.name not in self.sound:
            with suppress(OSError):
                if all(
                    is_sound(self.waiting(path), digest) for path, digest in part.shards.items()
                ):
                    self.sound.add(part.name)
        return part.name in self.sound

    def waiting(self, path: str) -> Path:
        """Where a shard is, which waits beside the parts until the archive lists it."""
        return here if (here := self.folder / FOLDER / path).exists() else self.folder / path

    def place(self, known: Known) -> None:
        """Move the shards that wait to their tables; delete what no part has."""
        kept = self.folder / FOLDER
        for path in (path for part in known.parts for path in part.shards):
            if (here := kept / path).exists():
                (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
                here.replace(self.folder / path)
        for name in SHARDED:
            remove(kept / name)


def _batches(units: Iterable[Unit]) -> Iterator[tuple[Unit, ...]]:
    """The units in their order, more at a time the more there are."""
    batch: list[Unit] = []
    seen = size = 0
    for unit in units:
        batch.append(unit)
        size += len(unit.content or b"")
        if len(batch) >= max(BATCH, min(LARGEST_BATCH, seen // SHARE)) or size > LARGEST_CONTENT:
            yield tuple(batch)
            seen += len(batch)
            batch, size = [], 0
    if batch:
        yield tuple(batch)


def prepare(paths: Sequence[str], folder: str | Path, *, rules: Sequence[str] = RULES) -> int:
    """Read and score some files of an archive for `build`, which then finds them done; the number of files.

    Any engine that maps a function over lists of files shares the work out with it. Nothing of a match passes from one process to another:
    each writes what it made to `folder`, which all of them and `build` see. Raises `UnreadableFile` for a missing path, `UnknownName`, and
    `CannotWrite`.
    """
    _check(rules)
    known = Known(Path(folder) / FOLDER, settings_key(rules)).digests
    return sum(
        len(process(batch, rules, known, Path(folder)).outcomes) for batch in _batches(units(paths))
    )


_known: Container[str] = frozenset()


def _begin(known: Container[str]) -> None:
    """Prepare a worker process: one core, and the contents already known."""
    global _known
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    _known = known


def _work(batch: tuple[Unit, ...], work: Work) -> Batch:
    return _known_before(batch) or work(batch, known=_known)


def _died(unit: Unit) -> Batch:
    return Batch((Outcome.of(unit, None, DIED),))


def _known_before(batch: tuple[Unit, ...]) -> Batch | None:
    """The result of a batch of which nothing is to be read."""
    return (
        Batch(tuple(Outcome.of(unit, unit.sha256) for unit in batch))
        if all(unit.sha256 for unit in batch)
        else None
    )


def _local(
    batches: Iterator[tuple[Unit, ...]], work: Work, known: Container[str], jobs: int
) -> Generator[Batch, None, None]:
    """Batches in order, done by processes on this machine, or by this process if there is one job."""
    if jobs > 1:
        yield from in_order(batches, partial(_work, work=work), _died, jobs, partial(_begin, known))
        return
    for batch in batches:
        yield _known_before(batch) or work(batch, known=known)
