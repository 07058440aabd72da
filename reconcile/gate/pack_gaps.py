"""How wide the gaps of a pack are, or those of a program under test: what bounds are chosen by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from reconcile.errors import NothingToCompare
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.cells import always_given
from reconcile.gate.manifest import pack_manifest
from reconcile.gate.match_results import MatchResult, NotCompared
from reconcile.gate.measure import Measurement, candidate_samples, measured, samples
from reconcile.gate.validate import match_results, validate
from reconcile.wording import plural

FEW: Final = 5
"""A bound that rests on fewer matches says little about the next one."""


@dataclass(frozen=True, slots=True)
class PackGaps:
    """The gaps that were measured, and what was not."""

    measurement: Measurement
    matches: Sequence[MatchResult]
    of_program: bool
    failed: Sequence[NotCompared] = ()
    """What keeps the program from being measured."""
    declares: str = ""
    """What the program gives, as the lines of a `pack.yaml`."""

    def remarks(self) -> Iterator[str]:
        """What was not measured, and on how few matches the bounds rest."""
        for match in self.matches:
            for part in match.not_compared:
                if not part.is_failure:
                    yield f"not measured: {match.id}: {part}"
            if self.of_program and match.synthetic:
                yield f"not measured: {match.id}: the match is synthetic"
        most = max(row.matches for row in self.measurement.measured)
        if self.of_program and most < FEW:
            yield (
                f"these bounds rest on {plural(most, 'match', 'matches')}: add more, of players of "
                "every strength, before you rely on them"
            )


def measure(pack: Path, tolerances: str | None = None, **program: Any) -> PackGaps:
    """The gaps of a pack; of a program under test, which is given as to `validate`, only its own.

    Raises `NothingToCompare` if no figure can be measured, and what `validate` raises.
    """
    name, own = pack.resolve().name, pack_manifest(pack).tolerances
    if not any(map(program.get, ("candidates", "command", "harness"))):
        matches = match_results(pack, load_tolerances(tolerances or own))
        rows = measured(samples(matches, explained=True))
        if not rows:
            raise _nothing(pack, "fetch the files, or add figures or pairs to the manifests")
        return PackGaps(Measurement(pack=name, measured=rows), matches, of_program=False)
    result = validate(pack, load_tolerances(), **program, candidate_table="printed")
    rows = measured(candidate_samples(result))
    if not rows:
        raise _nothing(pack, "add matches that are not synthetic")
    figures = ", ".join(always_given(result.cells))
    declares = f"\nFor pack.yaml:\ncandidates:\n  figures: [{figures}]\n" if figures else ""
    measurement = Measurement(pack=name, measured=rows)
    return PackGaps(measurement, result.matches, True, result.failed, declares)


def _nothing(pack: Path, remedy: str) -> NothingToCompare:
    return NothingToCompare(f"no figure could be measured; {remedy}", pack)
