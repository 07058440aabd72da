"""A program under test, run for the matches of a pack: how often, and when its output is reused."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reconcile.engines.analysis_cache import keep, key_of, place_of, read
from reconcile.errors import ReconcileError
from reconcile.files.bundled import cache_folder
from reconcile.files.output import CannotWrite
from reconcile.files.wording import listed
from reconcile.gate.candidates.claims import Candidate
from reconcile.gate.candidates.command import TIMEOUT, Command, Unsupported, values_of
from reconcile.gate.candidates.harness import HarnessCommand
from reconcile.gate.candidates.read import read_printed
from reconcile.gate.candidates.references import Reference
from reconcile.gate.match_results import not_used
from reconcile.scoring.metrics import metric, short_metric
from reconcile.version import __version__

if TYPE_CHECKING:
    from reconcile.gate.candidates.judge import Judge, Outcome

SHOWN: Final = 3
"""Figures that are named where more changed."""


@dataclass(frozen=True, slots=True)
class Runs:
    """How a program is run for a match."""

    command: Command | HarnessCommand
    timeout: float = TIMEOUT
    repeat: int = 1
    """How often, at most: it must give the same figures each time."""
    cached: bool = False
    """Whether output is stored, and taken again for the same program and the same file."""

    def ask(self, reference: Reference, judge: Judge) -> Iterator[Outcome]:
        """Run it for one match, or for each of its players: what comes of it."""
        own = self.command.name
        handles = filter(reference.available.__contains__, reference.handles())
        handle = next(handles, None)
        if handle is None:
            yield not_used(own, reference.lacking, reference.id)
            return
        match = reference.available[handle]
        path = str(Path(match.path).resolve())
        values = values_of(path, reference.id, match.players, match.length)
        for player in match.players if self.command.per_player else ("",):
            try:
                candidate, changed = self._printed({**values, "player": player})
            except Unsupported as error:
                why = f"does not support it: {error.reason}"
                yield not_used(own, why, reference.id, is_unsupported=True)
                continue
            except ReconcileError as error:
                yield not_used(own, error.apart_from(own), reference.id, is_failure=True)
                continue
            if changed:
                why = f"changes from run to run: {changed}"
                yield not_used(candidate.name, why, reference.id, is_failure=True)
            yield from judge.outcomes(candidate, [reference], is_command=True)

    def _printed(self, values: Mapping[str, str]) -> tuple[Candidate, str]:
        """What the first run gives, and how another differs from it. Raises `ReconcileError`."""
        key = self._key(values) if self.cached else ""
        place = place_of(cache_folder() if key else None, "runs", key)
        stored = read(place, key)
        printed = self.command.run(values, self.timeout) if stored is None else stored
        candidate = read_printed(self.command.name, printed)
        if stored is None:
            with suppress(CannotWrite):  # then it is run again next time
                keep(place, key, printed)
        for _ in range(1, self.repeat):
            again = self.command.run(values, self.timeout)
            changed = []
            if again != printed:
                changed = list(_changed(candidate, read_printed(self.command.name, again)))
            if changed:
                more = [f"{len(changed) - SHOWN} more"] if len(changed) > SHOWN else []
                return candidate, listed([*changed[:SHOWN], *more])
        return candidate, ""

    def _key(self, values: Mapping[str, str]) -> str:
        """What names the output: the content of each file in the command line, and other words."""
        assert isinstance(self.command, Command)
        words = self.command.filled(values)
        program = shutil.which(words[0]) or words[0]
        facts = [__version__, *(_content(word) or word for word in (program, *words[1:]))]
        return key_of(facts, "")


def _changed(first: Candidate, second: Candidate) -> Iterator[str]:
    """The figures that two runs give differently, as `PR of Nora 3.1, then 3.2`."""
    before, after = (
        {
            (index, figure.player, figure.metric): figure.text
            for index, claim in enumerate(candidate.claims)
            for figure in claim.figures
        }
        for candidate in (first, second)
    )
    for key in before | after:
        old, new = before.get(key) or "nothing", after.get(key) or "nothing"
        if old != new:
            _, player, name = key
            whose = f"player {player + 1}" if isinstance(player, int) else player
            yield f"{short_metric(metric(name).name)} of {whose} {old}, then {new}"
    if not before and not after:
        yield "what it prints of its decisions"


def _content(word: str) -> str:
    """The SHA-256 of a file that a word names, with the file's own name; empty if it names none."""
    with suppress(OSError, ValueError):
        path = Path(word)
        status = path.stat()
        if path.is_file():
            return f"{path.name} {_digest(word, status.st_mtime_ns, status.st_size)}"
    return ""


@lru_cache(maxsize=4096)
def _digest(path: str, _changed_at: int, _size: int) -> str:
    with Path(path).open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
