"""A program under test, run for the matches of a pack: how often, and when its output is reused."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from reconcile.engines.analysis_cache import keep, key_of, place_of, read
from reconcile.errors import ReconcileError
from reconcile.files.bundled import cache_folder
from reconcile.files.output import CannotWrite
from reconcile.gate.candidates.claims import Candidate
from reconcile.gate.candidates.command import TIMEOUT, Command, Unsupported, values_of
from reconcile.gate.candidates.harness import Harness
from reconcile.gate.candidates.read import read_printed
from reconcile.gate.candidates.references import Reference
from reconcile.gate.match_results import NotCompared, not_used
from reconcile.scoring.metrics import short_metric
from reconcile.version import __version__
from reconcile.wording import listed, summary

SHOWN: Final = 3
"""Figures that are named where more changed."""
MOST_CRASHES: Final = 10
"""After so many in a row a program is asked for nothing more."""
NOT_ASKED: Final = f"not asked: it failed {MOST_CRASHES} times in a row"


@dataclass(frozen=True, slots=True)
class Runs:
    """How a program is run for a match."""

    command: Command | Harness
    timeout: float = TIMEOUT
    repeat: int = 1
    """How often, at most: it must give the same figures each time."""
    cached: bool = False
    """Whether output is stored, and taken again for the same program and the same file."""

    def given(
        self, reference: Reference, *, is_given_up: bool = False
    ) -> Iterator[Candidate | NotCompared]:
        """Run it for one match, or for each of its players: what it gives, or why it does not."""
        name = self.command.name
        files = [file for key in reference.handles() if (file := reference.available.get(key))]
        if not files:
            yield not_used(name, reference.lacking, reference.id, is_absent=True)
            return
        if is_given_up:
            yield not_used(name, NOT_ASKED, reference.id, is_failure=True)
            return
        file = files[0]
        path = str(Path(file.path).resolve())
        values = values_of(path, reference.id, file.players, file.length)
        for player in file.players if self.command.per_player else ("",):
            try:
                candidate, changed = self._printed({**values, "player": player})
            except Unsupported as error:
                why = f"does not support it: {error.reason}"
                yield not_used(name, why, reference.id, is_unsupported=True)
            except ReconcileError as error:
                yield not_used(name, error.apart_from(name), reference.id, is_failure=True)
            else:
                if changed:
                    why = f"changes from run to run: {changed}"
                    yield not_used(candidate.name, why, reference.id, is_failure=True)
                yield candidate

    def inputs(self, references: Iterable[Reference]) -> list[str]:
        """What the words of a command line name that is filled in for every match."""
        words = self.command.words if isinstance(self.command, Command) else ()
        return [word.replace("{match}", each.id) for each in references for word in words]

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
            if again != printed:
                changed = _changed(candidate, read_printed(self.command.name, again))
                if changed:
                    return candidate, listed(summary(changed, SHOWN))
        return candidate, ""

    def _key(self, values: Mapping[str, str]) -> str:
        """What names the output: the content of each file in the command line, and other words."""
        assert isinstance(self.command, Command)
        first, *words = self.command.filled(values)
        facts = [__version__]
        for word in (shutil.which(first) or first, *words):
            with suppress(OSError, ValueError):
                word = f"{Path(word).name} {sha256(Path(word).read_bytes()).hexdigest()}"
            facts.append(word)
        return key_of(facts, "")


def crashes_after(before: int, outcomes: Iterable[object]) -> int:
    """The number of crashes in a row after what came of one more match."""
    parts = [each if isinstance(each, NotCompared) else None for each in outcomes]
    if all(part is not None and part.is_absent for part in parts):
        return before
    return before + 1 if all(part is not None and part.is_failure for part in parts) else 0


def _changed(*runs: Candidate) -> list[str]:
    """The figures that two runs give differently, as `PR of Nora 3.1, then 3.2`."""
    before, after = (
        {
            (index, figure.player, figure.metric): figure.text or "nothing"
            for index, claim in enumerate(candidate.claims)
            for figure in claim.figures
        }
        for candidate in runs
    )
    changed = []
    for key in before | after:
        old, new = before.get(key, "nothing"), after.get(key, "nothing")
        if old != new:
            changed.append(f"{short_metric(key[2])} of {key[1]} {old}, then {new}")
    return changed if before or after else ["what it prints of its decisions"]
