"""A program under test, run for the matches of a pack: how often, and from when its output is taken that is kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import file_digest
from pathlib import Path
from typing import Final

from reconcile.engines.analysis_cache import keep, key_of, place_of, read
from reconcile.errors import ReconcileError
from reconcile.files.bundled import cache_folder
from reconcile.files.output import CannotWrite
from reconcile.files.wording import listed
from reconcile.gate.candidates.claims import Candidate
from reconcile.gate.candidates.command import TIMEOUT, Command, Unsupported, values_of
from reconcile.gate.candidates.harness import HarnessCommand
from reconcile.gate.candidates.judge import Judge
from reconcile.gate.candidates.judgement import Reference
from reconcile.gate.candidates.read import read_printed
from reconcile.scoring.metrics import metric, short_metric
from reconcile.version import __version__

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
    """Whether output is kept, and taken again for the same program and the same file."""

    def ask(self, reference: Reference, judge: Judge) -> None:
        """Run it for one match, or for each of its players, and judge what it gives."""
        chosen = reference.manifest.candidates
        handles = [chosen.file] if chosen and chosen.file else reference.analysed()
        handle = next((handle for handle in handles if handle in reference.available), None)
        if handle is None:
            judge.judgement.refuse(self.command.name, reference.lacking, reference)
            return
        match = reference.available[handle]
        values = values_of(
            str(Path(match.path).resolve()), reference.id, match.players, match.length
        )
        for player in match.players if self.command.per_player else ("",):
            try:
                candidate, changed = self._given({**values, "player": player})
            except Unsupported as error:
                judge.judgement.refuse(
                    self.command.name,
                    f"does not support it: {error.reason}",
                    reference,
                    is_unsupported=True,
                )
                continue
            except ReconcileError as error:
                judge.judgement.refuse(
                    self.command.name,
                    error.apart_from(self.command.name),
                    reference,
                    is_failure=True,
                )
                continue
            judge.judgement.names.add(candidate.name)
            if changed:
                judge.judgement.refuse(
                    candidate.name,
                    f"changes from run to run: {changed}",
                    reference,
                    is_failure=True,
                )
            judge.consider(candidate, reference)

    def _given(self, values: Mapping[str, str]) -> tuple[Candidate, str]:
        """What the first run gives, and how another differs from it, in words. Raises `ReconcileError`."""
        key = self._key(values) if self.cached else ""
        place = place_of(cache_folder() if key else None, "runs", key)
        known = read(place, key)
        printed = self.command.run(values, self.timeout) if known is None else known
        candidate = read_printed(self.command.name, printed)
        if known is None:
            with suppress(CannotWrite):  # then it is run again next time
                keep(place, key, printed)
        for _ in range(1, self.repeat):
            again = self.command.run(values, self.timeout)
            changed = (
                []
                if again == printed
                else list(_changed(candidate, read_printed(self.command.name, again)))
            )
            if changed:
                more = [f"{len(changed) - SHOWN} more"] if len(changed) > SHOWN else []
                return candidate, listed([*changed[:SHOWN], *more])
        return candidate, ""

    def _key(self, values: Mapping[str, str]) -> str:
        """What the output is kept by: the content of every file in the command line, and its other words."""
        assert isinstance(self.command, Command)
        words = self.command.filled(values)
        program = shutil.which(words[0]) or words[0]
        known = [__version__, *(_content(word) or word for word in (program, *words[1:]))]
        return key_of(known, "")


def _changed(first: Candidate, other: Candidate) -> Iterator[str]:
    """The figures that two runs give differently, as `PR of Nora 3.1, then 3.2`."""
    before, after = _figures(first), _figures(other)
    for key in before | after:
        old, new = before.get(key, ""), after.get(key, "")
        if old != new:
            _, player, name = key
            whose = f"player {player + 1}" if isinstance(player, int) else player
            yield f"{short_metric(metric(name).name)} of {whose} {old or 'nothing'}, then {new or 'nothing'}"
    if not before and not after:
        yield "what it prints of its decisions"


def _figures(candidate: Candidate) -> dict[tuple[int, str | int, str], str]:
    """The figures of every claim in it, as printed."""
    claims = enumerate(candidate.claims)
    return {
        (index, figure.player, figure.metric): figure.text
        for index, claim in claims
        for figure in claim.figures
    }


def _content(word: str) -> str:
    """The SHA-256 of a file that a word names, with the file's own name; empty if it names none."""
    with suppress(OSError, ValueError):
        status = Path(word).stat()
        return (
            f"{Path(word).name} {_digest(word, status.st_mtime_ns, status.st_size)}"
            if Path(word).is_file()
            else ""
        )
    return ""


@lru_cache(maxsize=4096)
def _digest(path: str, _changed_at: int, _size: int) -> str:
    with Path(path).open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
