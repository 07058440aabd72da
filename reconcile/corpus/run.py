"""Runs the work: units go in batches to workers on this machine, which store parts themselves, or to a cluster; tables at the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

from reconcile.corpus.assembly import MANIFEST, UNFINISHED, Corpus, already_made, assemble
from reconcile.corpus.contents import Contents, Outcome, Outcomes
from reconcile.corpus.partitions import KEYS, Partitions
from reconcile.corpus.parts import (
    DIED,
    FOLDER,
    SUFFIX,
    Batch,
    DamagedPart,
    Parts,
    index,
    process,
    remove,
    same_maker,
    settings_key,
    stored,
)
from reconcile.corpus.unchanged import Unchanged
from reconcile.errors import NothingToCompare, UnknownName, reason_of
from reconcile.files.inputs import note
from reconcile.files.output import CannotWrite, check_not_read
from reconcile.files.regular import LockHeld, locked
from reconcile.files.workers import in_batches, in_order
from reconcile.formats.archives import Unit, units
from reconcile.match.tools import ANALYSERS
from reconcile.rules.rulesets import RULE_SETS, is_rule_file, rule_set

BATCH: Final = 64
RULES: Final = tuple(tool.rules for tool in ANALYSERS.values())
"""Those of every program that analyses."""
LOCK: Final = "lock"

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
    partition_by: Sequence[str] = (),
) -> Corpus:
    """Make or complete the corpus of these paths in `folder`, the large tables in folders by some of `partitions.KEYS` if any are given.

    `jobs` is the number of processes, by default one per core; `scheduler` the address of a Dask scheduler whose workers do the
    work instead. Raises `UnreadableFile` for a missing path, `CannotWrite`, `UnknownName`, and `NothingToCompare` without any file.
    """
    _check(rules)
    if not set(partition_by) <= set(KEYS) or len(set(partition_by)) != len(partition_by):
        raise UnknownName(f"expected partitions by some of {', '.join(KEYS)}, found {', '.join(partition_by)}")
    target = Path(folder)
    for path in paths:
        note(path)
    for made in (target / MANIFEST, *target.rglob("*.parquet")):
        check_not_read(str(made))
    kept = target / FOLDER
    try:
        kept.mkdir(parents=True, exist_ok=True)
        with locked(kept / LOCK):
            for stale in [*target.glob(f"*{UNFINISHED}"), *kept.glob(".*")]:
                remove(stale)
            with closing(Unchanged(kept)) as unchanged:
                return _built(paths, target, unchanged, rules, jobs or os.cpu_count() or 1, scheduler, progress, partition_by)
    except LockHeld as error:
        raise CannotWrite(f"another run is writing it: {error}; wait for it, or use another folder", target) from None
    except OSError as error:
        raise CannotWrite(f"cannot be written: {reason_of(error)}; check the folder", target) from None


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


def _built(
    paths: Sequence[str],
    target: Path,
    unchanged: Unchanged,
    rules: Sequence[str],
    jobs: int,
    scheduler: str | None,
    progress: Progress,
    partition_by: Sequence[str],
) -> Corpus:
    """The corpus, in a folder that is ours alone."""
    kept = target / FOLDER
    sound: set[str] = set()
    while True:
        try:
            outcomes, contents = _read(paths, kept, unchanged, rules, jobs, scheduler, progress, sound)
            made_of = outcomes.digest(contents, [settings_key(rules), *partition_by])
            if (corpus := already_made(target, made_of)) is None:
                parts = Parts(kept, rules, frozenset(sound))
                divided = Partitions(partition_by)
                corpus = assemble(target, outcomes, contents, parts, rules, divided, threads=jobs, made_of=made_of)
            used = set(contents.parts_of(outcomes.contents(contents.known)))
            for path in kept.glob(f"*{SUFFIX}"):  # of files that are no longer in the archive, or of older settings
                if path.name not in used:
                    remove(path)
            return corpus
        except DamagedPart as damaged:
            remove(kept / str(damaged))


def _read(
    paths: Sequence[str],
    kept: Path,
    unchanged: Unchanged,
    rules: Sequence[str],
    jobs: int,
    scheduler: str | None,
    progress: Progress,
    sound: set[str],
) -> tuple[Outcomes, Contents]:
    """What became of every file, and what the parts hold; parts made here are added to `sound`."""
    settings = settings_key(rules)
    known = index(kept, settings).known
    outcomes = Outcomes()
    found = unchanged.passing(units(paths, preload=scheduler is not None, known=lambda path: unchanged.begin(path, known)))
    if scheduler is not None:
        from reconcile.corpus.cluster import on_cluster

        done = on_cluster(in_batches(found, BATCH), rules, known, scheduler)
    else:
        done = _local(in_batches(found, BATCH), rules, known, kept, jobs)
    try:
        for arrived in map(same_maker, done):
            batch = stored(arrived, kept, rules)
            if batch.name:
                sound.add(batch.name)
            for one in batch.outcomes:
                outcomes.append(one)
                unchanged.arrived(one)
            progress(len(outcomes), len(batch.outcomes))
    finally:
        done.close()
    if not outcomes:
        raise NothingToCompare(f"{', '.join(paths)}: expected matches or archives of matches, found none")
    unchanged.finish()
    return outcomes, index(kept, settings)


def prepare(paths: Sequence[str], folder: str | Path, *, rules: Sequence[str] = RULES) -> int:
    """Read and score some files of an archive for `build`, which then finds them done; the number of files.

    Any engine that maps a function over lists of files shares the work out with it. Nothing of a match passes from one process to another:
    each writes what it made to `folder`, which all of them and `build` see. Raises `UnreadableFile` for a missing path, `UnknownName`, and
    `CannotWrite`.
    """
    _check(rules)
    kept, files = Path(folder) / FOLDER, 0
    try:
        kept.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"cannot be written: {reason_of(error)}; check the folder", folder) from None
    known = index(kept, settings_key(rules)).known
    for batch in in_batches(units(paths), BATCH):
        files += len(stored(process(batch, rules, known), kept, rules).outcomes)
    return files


_known: Container[str] = frozenset()


def _begin(known: Container[str]) -> None:
    """Prepare a worker process: one core, and the contents already known."""
    global _known
    import pyarrow as pa

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    _known = known


def _work(batch: tuple[Unit, ...], rules: Sequence[str], kept: Path) -> Batch:
    return stored(process(batch, rules, _known), kept, rules)


def _known_before(batch: tuple[Unit, ...], rules: Sequence[str]) -> Batch | None:
    """The result of a batch of which nothing is to be read."""
    return process(batch, rules) if all(unit.sha256 for unit in batch) else None


def _died(unit: Unit) -> Batch:
    return Batch((Outcome(unit.name, None, DIED),), b"")


def _local(
    batches: Iterator[tuple[Unit, ...]], rules: Sequence[str], known: Container[str], kept: Path, jobs: int
) -> Generator[Batch, None, None]:
    """Batches in order, done by processes on this machine, which store the parts, or by this process if there is one job."""
    if jobs > 1:
        work, before = partial(_work, rules=rules, kept=kept), partial(_known_before, rules=rules)
        yield from in_order(batches, work, _died, jobs, partial(_begin, known), before)
        return
    for batch in batches:
        yield process(batch, rules, known)
