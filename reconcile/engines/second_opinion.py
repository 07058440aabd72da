"""The engines that analyse a match for a user: which there are, how deep each goes, and one way
to ask any of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reconcile.engines import analysis, bgsage, gnubg
from reconcile.engines.analysis import LONGEST, Analysed, Progress
from reconcile.errors import InvalidConfiguration
from reconcile.match.match import Match


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine and the plies it can be asked for, as it counts them itself."""

    fewest: int
    deepest: int
    usual: int
    ending: str
    """Of the file that its analysis is kept in."""


ENGINES: Final = {
    "gnubg": Engine(0, analysis.DEEPEST, 2, ".sgf"),
    "bgsage": Engine(1, bgsage.DEEPEST, 3, ".json"),
}
"""gnuBG's 2-ply and bgsage's 3-ply look equally far ahead."""
_ASKED: Final = re.compile(r"(?:([a-z]+):)?([0-9]{1,2})", re.ASCII)


def engines_asked(text: str) -> tuple[tuple[str, int], ...]:
    """Engines and plies, from `gnubg:2,bgsage:3`; a number alone is gnuBG's. Raises
    `InvalidConfiguration`."""
    names = []
    for word in text.split(","):
        match = _ASKED.fullmatch(word.strip())
        engine = (match[1] or "gnubg") if match else ""
        if match is None or engine not in ENGINES:
            raise InvalidConfiguration(
                f"--analyse: expected plies or ENGINE:PLIES, as gnubg:2 or bgsage:3, found "
                f"{word.strip()[:40]!r}"
            )
        names.append((engine, checked_plies(engine, int(match[2]))))
    if len(set(names)) < len(names):
        raise InvalidConfiguration(
            "--analyse: the same engine at the same depth twice; name each once"
        )
    return tuple(names)


def checked_plies(engine: str, plies: int) -> int:
    """Plies that an engine can be asked for. Raises `InvalidConfiguration`."""
    module = ENGINES[engine]
    if not module.fewest <= plies <= module.deepest:
        raise InvalidConfiguration(
            f"{engine}: expected {module.fewest} to {module.deepest} plies, found {plies}"
        )
    return plies


def analysed(
    match: Match,
    engine: str,
    plies: int,
    *,
    threads: int = 1,
    timeout: float = LONGEST,
    cache: Path | None = None,
    progress: Progress = lambda done, total: None,
) -> Analysed:
    """A match as an engine analyses it, see `analysis.analyse` and `bgsage.analyse`. Raises
    `EngineError`, `MissingPackage`."""
    if engine == "gnubg":
        return analysis.analyse(
            match,
            gnubg.find(),
            plies=plies,
            threads=threads,
            timeout=timeout,
            cache=cache,
            progress=progress,
        )
    return bgsage.analyse(
        match,
        bgsage.find(),
        plies=plies,
        threads=threads,
        timeout=timeout,
        cache=cache,
        progress=progress,
    )
