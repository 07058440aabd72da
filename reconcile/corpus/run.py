"""Runs the work: units go in batches to workers on this machine, which store parts themselves, or to a cluster; tables at the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from reconcile.corpus.assembly import MANIFEST, SHARD, UNFINISHED, Corpus, already_made, assemble, is_sound, vacuum
from reconcile.corpus.contents import Contents, Known, Outcome, Outcomes, Part
from reconcile.corpus.parts import (
    DIED,
    FOLDER,
    Batch,
    DamagedPart,
    index,
    process,
    remove,
    revised,
    same_maker,
    settings_key,
    stored,
    waiting,
)
from reconcile.corpus.parts import SUFFIX as PART
from reconcile.corpus.shards import KEYS, SHARDED
from reconcile.corpus.unchanged import Unchanged
from reconcile.errors import NothingToCompare, UnknownName, reason_of
from reconcile.files.inputs import note
from reconcile.files.output import CannotWrite, check_not_read
from reconcile.files.regular import LockHeld, locked
from reconcile.files.workers import in_order
from reconcile.formats.archives import Unit, units
from reconcile.match.tools import ANALYSERS
from reconcile.rules.rulesets import RULE_SETS, is_rule_file, rule_set

BATCH: Final = 64
LARGEST_BATCH: Final = 512
"""Files in a batch: a shard of few matches is hardly more than the list of its columns."""
SHARE: Final = 4
"""A batch has at most one of so many files before it, so that no process waits long for the last one."""
LARGEST_CONTENT: Final = 16 << 20
"""Bytes that a batch may carry, of files that were read here."""
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
    partition_by: Sequence[str] = KEYS,
) -> Corpus:
    """Make or complete the corpus of these paths in `folder`, the large tables in folders by `partition_by`, some of `shards.KEYS`.

    `jobs` is the number of processes, by default one per core; `scheduler` the address of a Dask scheduler whose workers do the
    work instead. Raises `UnreadableFile` for a missing path, `CannotWrite`, `UnknownName`, and `NothingToCompare` without any file.
    """
    _check(rules)
    if not set(partition_by) <= set(KEYS) or len(set(partition_by)) != len(partition_by):
        raise UnknownName(f"expected partitions by some of {', '.join(KEYS)}, found {', '.join(partition_by)}")
    target = Path(folder)
    for path in paths:
        note(path)
    for made in (str(target / MANIFEST), *(path for path in paths if SHARD.fullmatch(Path(path).name))):
        check_not_read(made)
    kept, jobs = target / FOLDER, jobs or os.cpu_count() or 1
    try:
        kept.mkdir(parents=True, exist_ok=True)
        with locked(kept / LOCK):
            for stale in [*target.glob(f"*{UNFINISHED}"), *kept.glob(".*")]:
                remove(stale)
            return _Run(paths, target, Unchanged(kept), rules, jobs, scheduler, progress, tuple(partition_by)).built()
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
    keys: tuple[str, ...]
    sound: set[str] = field(default_factory=set)
    """Parts of which every file is known to be as it was made."""

    def built(self) -> Corpus:
        """The corpus."""
        while True:
            try:
                outcomes, contents = self.settled(*self.read())
                self.place(contents)
                made_of = outcomes.digest([settings_key(self.rules), *self.keys, *(part.name for part in contents.parts)])
                shards = {path for part in contents.parts for path in part.shards}
                if (corpus := already_made(self.folder, made_of, shards)) is None:
                    corpus = assemble(self.folder, outcomes, contents, self.rules, self.keys, made_of=made_of)
                vacuum(corpus)
                return corpus
            except DamagedPart as damaged:
                for name in damaged.args:
                    remove(self.folder / FOLDER / name)

    def read(self) -> tuple[Outcomes, Contents]:
        """What became of every file, and what the parts hold."""
        kept, settings = self.folder / FOLDER, settings_key(self.rules)
        contents = index(kept, settings)
        known, outcomes, new = contents.known, Outcomes(), False
        begin = partial(self.unchanged.begin, known=known)
        found = self.unchanged.passing(units(self.paths, preload=self.scheduler is not None, known=begin))
        if self.scheduler is not None:
            from reconcile.corpus.cluster import on_cluster

            done = on_cluster(_batches(found), self.rules, self.keys, known, self.folder, self.scheduler)
        else:
            done = _local(_batches(found), self.rules, self.keys, known, self.folder, self.jobs)
        try:
            for arrived in map(same_maker, done):
                batch = stored(arrived, self.folder, self.rules)
                if batch.name:
                    self.sound.add(batch.name)
                    new = True
                for one in batch.outcomes:
                    outcomes.append(one)
                    self.unchanged.arrived(one)
                self.progress(len(outcomes), len(batch.outcomes))
        finally:
            done.close()
        if not outcomes:
            raise NothingToCompare(f"{', '.join(self.paths)}: expected matches or archives of matches, found none")
        self.unchanged.finish()
        return outcomes, index(kept, settings) if new else contents

    def settled(self, outcomes: Outcomes, contents: Contents) -> tuple[Outcomes, Contents]:
        """The same, when the parts hold what is wanted and nothing else, and every shard is as it was made. Raises `DamagedPart`."""
        kept, settings, made = self.folder / FOLDER, settings_key(self.rules), set[str]()
        every = zip(contents.parts, contents.wanted(outcomes.contents(contents.known), self.keys), strict=True)
        used = [(part, times, as_held) for part, (times, as_held) in every if any(times)]
        others = {path.name for path in kept.glob(f"*{PART}")} - {part.name for part, *_ in used}
        damaged = [part.name for part, *_ in used if part.name not in self.sound and not self.is_sound(part)]
        if damaged:
            raise DamagedPart(*damaged)
        for part, times, as_held in used:
            self.sound.add(part.name)
            if not as_held:
                made.add(revised(self.folder, part, times, self.rules, self.keys))
                others.add(part.name)
        for name in others - made:
            remove(kept / name)
        self.sound.update(made)
        return outcomes, index(kept, settings) if others else contents

    def is_sound(self, part: Part) -> bool:
        """Whether the shards of a part are as they were made."""
        with suppress(OSError):
            return all(is_sound(waiting(self.folder, path), digest) for path, digest in part.shards.items())
        return False

    def place(self, contents: Contents) -> None:
        """Move the shards that wait to their tables; delete what no part has."""
        kept = self.folder / FOLDER
        for path in (path for part in contents.parts for path in part.shards):
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
    known = index(Path(folder) / FOLDER, settings_key(rules)).known
    made = (stored(process(batch, rules, KEYS, known), Path(folder), rules) for batch in _batches(units(paths)))
    return sum(len(batch.outcomes) for batch in made)


_known: Container[str] = frozenset()


def _begin(known: Container[str]) -> None:
    """Prepare a worker process: one core, and the contents already known."""
    global _known
    import pyarrow as pa

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    _known = known


def _work(batch: tuple[Unit, ...], rules: Sequence[str], keys: Sequence[str], folder: Path) -> Batch:
    return stored(process(batch, rules, keys, _known), folder, rules)


def _known_before(batch: tuple[Unit, ...]) -> Batch | None:
    """The result of a batch of which nothing is to be read."""
    return Batch(tuple(Outcome(unit.name, unit.sha256) for unit in batch)) if all(unit.sha256 for unit in batch) else None


def _local(
    batches: Iterator[tuple[Unit, ...]], rules: Sequence[str], keys: Sequence[str], known: Known, folder: Path, jobs: int
) -> Generator[Batch, None, None]:
    """Batches in order, done by processes on this machine, which store the parts, or by this process if there is one job."""
    if jobs > 1:
        work = partial(_work, rules=rules, keys=keys, folder=folder)
        begin, died = partial(_begin, known), lambda unit: Batch((Outcome(unit.name, None, DIED),))
        yield from in_order(batches, work, died, jobs, begin, _known_before)
        return
    for batch in batches:
        yield _known_before(batch) or process(batch, rules, keys, known)
