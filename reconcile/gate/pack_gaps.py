"""How wide the gaps of a pack are, or those of a program under test: what bounds are chosen by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from reconcile.document import HIDDEN
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PackGaps(Measurement):
    """The gaps that were measured, and what was not."""

    matches: Annotated[Sequence[MatchResult], HIDDEN]
    of_program: Annotated[bool, HIDDEN] = False
    inputs: Annotated[Sequence[str], HIDDEN] = ()
    failed: Annotated[Sequence[NotCompared], HIDDEN] = ()
    """What keeps the program from being measured."""
    declares: Annotated[str, HIDDEN] = ""
    """What the program gives, as the lines of a `pack.yaml`."""

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """0, since nothing is judged; 2 if the program failed."""
        return 2 if self.failed else 0

    def remarks(self, *, quiet: bool = False) -> Iterator[str]:
        """What was not measured, and on how few matches the bounds rest; if `quiet` only what
        failed."""
        yield from () if quiet else self._unmeasured()
        yield from (f"error: {failure}" for failure in self.failed)

    def _unmeasured(self) -> Iterator[str]:
        for match in self.matches:
            for part in match.not_compared:
                if not part.is_failure:
                    yield f"not measured: {match.id}: {part}"
            if self.of_program and match.synthetic:
                yield f"not measured: {match.id}: the match is synthetic"
        most = max(row.matches for row in self.measured)
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
        return PackGaps(pack=name, measured=rows, matches=matches)
    result = validate(pack, load_tolerances(), **program, candidate_table="printed")
    rows = measured(candidate_samples(result))
    if not rows:
        raise _nothing(pack, "add matches that are not synthetic")
    figures = ", ".join(always_given(result.cells))
    declares = f"\nFor pack.yaml:\ncandidates:\n  figures: [{figures}]\n" if figures else ""
    return PackGaps(
        pack=name,
        measured=rows,
        matches=result.matches,
        of_program=True,
        inputs=result.inputs,
        failed=result.failed,
        declares=declares,
    )


def _nothing(pack: Path, remedy: str) -> NothingToCompare:
    return NothingToCompare(f"no figure could be measured; {remedy}", pack)
