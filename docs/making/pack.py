"""The bundled reference matches, read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from reconcile.adapters import load_match
from reconcile.gate.manifest import Manifest, Reported, load_pack
from reconcile.match import Match
from reconcile.scoring.statistics import Statistics, statistics

PROJECT: Final = Path(__file__).parents[2]
PACK: Final = PROJECT / "reference_matches"


@dataclass(frozen=True, eq=False)
class Bundled:
    """One bundled file of the pack."""

    manifest: Manifest
    handle: str
    name: str
    match: Match

    @property
    def reported(self) -> Reported | None:
        """The figures its own tool reported, if any."""
        return next((entry for entry in self.manifest.reported if entry.file == self.handle), None)


@cache
def bundled() -> tuple[Bundled, ...]:
    """Every bundled file, in order of the manifests."""
    return tuple(
        Bundled(manifest, handle, file.name, load_match(folder / file.name))
        for folder, manifest in load_pack(PACK)
        for handle, file in manifest.files.items()
        if file.bundled
    )


def analysed_by_gnubg() -> tuple[Bundled, ...]:
    """The bundled files saved by gnuBG."""
    return tuple(one for one in bundled() if one.match.source.format == "sgf")


@cache
def scored(one: Bundled, rules: str) -> Statistics:
    """The figures of a bundled file under a rule set."""
    return statistics(one.match, rules)
