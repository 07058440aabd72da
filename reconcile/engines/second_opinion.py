"""The engines that analyse a match for a user: which there are, how deep each goes, and one way
to ask any of them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from reconcile.engines import analysis, gnubg, sage
from reconcile.engines.analysis import Analysed
from reconcile.errors import InvalidArgument, InvalidConfiguration, expect
from reconcile.files.bundled import cache_folder
from reconcile.match.match import Match

Progress = Callable[[str, int, int | None], None]


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


ENGINES = {
    "gnubg": Engine(0, analysis.DEEPEST, 2, ".sgf", gnubg.find, analysis.analyse),
    "sage": Engine(1, sage.DEEPEST, 3, ".json", sage.Sage, sage.analyse),
}
"""gnuBG's 2-ply and Open Sage's 3-ply look equally far ahead."""
_ASKED = re.compile(r"(?:([a-z]+):)?([0-9]{1,2})", re.ASCII)


def engines_asked(text: str) -> tuple[tuple[str, int], ...]:
    """Engines and plies, from `gnubg:2,sage:3`; a number alone is gnuBG's plies, and where gnuBG is
    not found Open Sage at one ply more, which looks equally far. Raises `InvalidConfiguration`."""
    names: dict[tuple[str, int], None] = {}
    for word in map(str.strip, text.split(",")):
        match = _ASKED.fullmatch(word)
        if match is None or (match[1] or "gnubg") not in ENGINES:
            raise InvalidConfiguration(
                f"--analyse: expected plies or ENGINE:PLIES, as gnubg:2 or sage:3, found "
                f"{word[:40]!r}"
            )
        engine, plies = match[1] or "gnubg", int(match[2])
        if match[1] is None and gnubg.look_up() is None and gnubg.VARIABLE not in os.environ:
            if plies >= ENGINES["sage"].deepest:
                raise InvalidConfiguration(
                    f"--analyse: expected at most {ENGINES['sage'].deepest - 1} plies where gnuBG "
                    f"is not found, found {plies}; install gnuBG, or choose fewer"
                )
            engine, plies = "sage", plies + 1
        asked = engine, checked_plies(engine, plies)
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


def opinions(match: Match, engines: str, progress: Progress) -> list[Match]:
    """The match as each of these engines analyses it; analyses are cached. Raises
    `InvalidConfiguration`, `EngineError`, `MissingPackage`."""
    return [
        analysed(
            match, engine, plies, progress=partial(progress, f"{engine} analyses"), **_settings()
        ).match
        for engine, plies in engines_asked(engines)
    ]


def _settings() -> dict[str, Any]:
    return {"threads": os.cpu_count() or 1, "cache": cache_folder()}


def analyse(
    match: Match, engine: str = "gnubg", *, plies: int | None = None, timeout: float = 36000.0
) -> Match:
    """The match as gnuBG (`gnubg`) or Open Sage (`sage`) analyses it; `timeout` is in seconds,
    `plies` by default 2 or 3.

    Raises `InvalidArgument`, `InvalidConfiguration`, `EngineError` and `MissingPackage`.
    """
    expect("match", match, Match, "a Match")
    if engine not in ENGINES:
        raise InvalidArgument("engine", f"one of {', '.join(ENGINES)}", engine)
    depth = checked_plies(engine, ENGINES[engine].usual if plies is None else plies)
    return analysed(match, engine, depth, timeout=timeout, **_settings()).match
