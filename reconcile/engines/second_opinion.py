"""The engines that analyse a match for a user: which there are, how deep each goes, and one way
to ask any of them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from reconcile.engines import analysis, bgsage, gnubg
from reconcile.engines.analysis import Analysed
from reconcile.errors import InvalidConfiguration
from reconcile.files.bundled import cache_folder
from reconcile.match.match import Match


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine and the plies it can be asked for, as it counts them itself."""

    fewest: int
    deepest: int
    usual: int
    ending: str
    """Of the file that its analysis is kept in."""
    find: Callable[[], Any]
    analyse: Callable[..., Analysed]


ENGINES: Final = {
    "gnubg": Engine(0, analysis.DEEPEST, 2, ".sgf", gnubg.find, analysis.analyse),
    "bgsage": Engine(1, bgsage.DEEPEST, 3, ".json", bgsage.find, bgsage.analyse),
}
"""gnuBG's 2-ply and bgsage's 3-ply look equally far ahead."""
_ASKED: Final = re.compile(r"(?:([a-z]+):)?([0-9]{1,2})", re.ASCII)


def engines_asked(text: str) -> tuple[tuple[str, int], ...]:
    """Engines and plies, from `gnubg:2,bgsage:3`; a number alone is gnuBG's. Raises
    `InvalidConfiguration`."""
    names: dict[tuple[str, int], None] = {}
    for word in map(str.strip, text.split(",")):
        match = _ASKED.fullmatch(word)
        engine = (match[1] or "gnubg") if match else ""
        if match is None or engine not in ENGINES:
            raise InvalidConfiguration(
                f"--analyse: expected plies or ENGINE:PLIES, as gnubg:2 or bgsage:3, found "
                f"{word[:40]!r}"
            )
        asked = engine, checked_plies(engine, int(match[2]))
        if asked in names:
            raise InvalidConfiguration(
                "--analyse: the same engine at the same depth twice; name each once"
            )
        names[asked] = None
    return tuple(names)


def checked_plies(engine: str, plies: int) -> int:
    """Plies that an engine can be asked for. Raises `InvalidConfiguration`."""
    fewest, deepest = ENGINES[engine].fewest, ENGINES[engine].deepest
    if not fewest <= plies <= deepest:
        raise InvalidConfiguration(f"{engine}: expected {fewest} to {deepest} plies, found {plies}")
    return plies


def analysed(match: Match, engine: str, plies: int, **options: Any) -> Analysed:
    """A match as an engine analyses it; `options` are those of `analysis.Effort`. Raises
    `EngineError`, `MissingPackage`."""
    chosen = ENGINES[engine]
    return chosen.analyse(match, chosen.find(), plies=plies, **options)


def with_opinions(
    matches: list[Match], engines: str, progress: Callable[[str, int, int | None], None]
) -> list[Match]:
    """The matches, and after them the first as engines analyse it, named as `engines_asked` takes
    them; a single match without an analysis is not among them if two engines analyse it."""
    settings = {"threads": os.cpu_count() or 1, "cache": cache_folder()}
    opinions = [
        analysed(
            matches[0], engine, plies, progress=partial(progress, f"{engine} analyses"), **settings
        ).match
        for engine, plies in engines_asked(engines)
    ]
    plain = not (matches[0].plays.analysed.any() or matches[0].cubes.analysed.any())
    return opinions if plain and len(matches) == 1 < len(opinions) else [*matches, *opinions]
