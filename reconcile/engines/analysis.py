"""A match analysed again by gnuBG, from a file of any tool.

The same record, settings and version of gnuBG give the same file, so analyses are cached. The
result is read and compared with the input: gnuBG must have replayed the match as it was played,
and any difference is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from reconcile.engines.analysis_cache import keep, key_of, place_of, read
from reconcile.engines.gnubg import Gnubg, scratch
from reconcile.engines.record import game_record, renamed
from reconcile.errors import EngineError, UnreadableFile
from reconcile.formats import read_match
from reconcile.formats.mat.writer import differences
from reconcile.match.columns import Validity
from reconcile.match.match import Match, Note

DEEPEST: Final = 4
"""Plies; a match takes gnuBG about a second at 0, some ten at 2, hours at 4."""
LONGEST: Final = 3600.0
"""Default time limit for a match, in seconds."""
RECORD, ANALYSED = "record.sgf", "analysed.sgf"
FORMAT: Final = 2
"""Version of the commands and of the cached form; changing it invalidates every cached analysis."""

_GAME_DONE: Final = "reconcile: game "
_SCRIPT: Final = """
gnubg.command("set threads {threads}")
for player in (0, 1):
    gnubg.command("set player %d human" % player)
for what in ("chequerplay", "cubedecision"):
    gnubg.command("set analysis %s evaluation plies {plies}" % what)
gnubg.command("load match {record}")
gnubg.command("first game")
for game in range({games}):
    gnubg.command("analyse game")
    gnubg.command("next game")
    print("{done}%d" % (game + 1))
gnubg.command("save match {analysed}")
"""

Progress = Callable[[int, int], None]
"""Called with the number of games done and the total."""


@dataclass(frozen=True, slots=True)
class Analysed:
    """What an engine made of a match."""

    content: bytes
    """The file to keep it in, under the players' own names: SGF of gnuBG, a kept analysis (JSON)
    of bgsage."""
    match: Match
    """The same, read; its notes say which program analysed it at which depth, and what it
    replayed differently."""
    how: str
    """Which program analysed it, and how deep."""
    changes: tuple[str, ...]
    """Where the engine did not replay what was played, or cannot evaluate it; one line each."""
    from_cache: bool
    """Whether it comes from an earlier run."""


def analyse(
    match: Match,
    program: Gnubg,
    *,
    plies: int,
    threads: int = 1,
    timeout: float = LONGEST,
    cache: Path | None = None,
    progress: Progress = lambda done, total: None,
) -> Analysed:
    """Analyse a match with gnuBG at a number of plies; `timeout` is in seconds, `cache` a folder
    for cached analyses.

    Checker plays and cube decisions are evaluated at `plies`, everything else with gnuBG's
    defaults: move filter "normal", luck at 0 plies, the match equity table Kazaross-XG2. Raises
    `EngineError` if gnuBG fails or takes too long.
    """
    record = game_record(match)
    settings = {"engine": "gnubg", "version": program.version, "plies": plies, "format": FORMAT}
    key = key_of(settings, record)
    place = place_of(cache, "analyses", f"{key}.sgf")
    content = read(place, key)
    back = None if content is None else _understood(content)
    if content is None or back is None:
        content = _analysis(match, record, program, plies, threads, timeout, progress)
        back = _understood(content)
        if back is None:
            problem = f"gnuBG {program.version} saved a file that cannot be read"
            raise EngineError(f"{problem}; is there room on the disk?", match.source.path)
        keep(place, key, content)
        there = False
    else:
        there = True
        progress(len(match.games), len(match.games))
    changes = (*_unjudged(match), *(f"{text} after gnuBG" for text in differences(match, back)))
    how = f"analysed by gnuBG {program.version} at {plies} plies"
    return read_back(
        match, renamed(content, match.players), how, f"gnubg:{plies}", changes, from_cache=there
    )


def read_back(
    match: Match,
    content: bytes,
    how: str,
    asked: str,
    changes: tuple[str, ...],
    *,
    from_cache: bool,
) -> Analysed:
    """A match as an engine analysed it, read from the bytes that are kept, with a note on how it
    was made.

    `asked` is what the command line calls the engine and its depth.
    """
    analysed = read_match(f"{match.source.path}, {how}", content)
    noted = {note.evidence for note in analysed.notes}
    notes = [
        Note("analysed-here", how),
        *(Note("engine-changed", text) for text in changes if text not in noted),
    ]
    source = replace(analysed.source, analysed_by=asked, transcript=match.source.path)
    return Analysed(
        content,
        replace(analysed, source=source, notes=(*analysed.notes, *notes)),
        how,
        changes,
        from_cache,
    )


def _understood(content: bytes) -> Match | None:
    try:
        return read_match("analysed", content)
    except UnreadableFile:
        return None


def _analysis(
    match: Match,
    record: str,
    program: Gnubg,
    plies: int,
    threads: int,
    timeout: float,
    progress: Progress,
) -> bytes:
    games = len(match.games)

    def on_line(line: str) -> None:
        if done := re.fullmatch(rf"{_GAME_DONE}(\d+)", line):
            progress(int(done[1]), games)

    script = _SCRIPT.format(
        threads=threads, plies=plies, record=RECORD, games=games, done=_GAME_DONE, analysed=ANALYSED
    )
    progress(0, games)
    with scratch() as folder:
        (folder / RECORD).write_text(record, encoding="utf-8")
        try:
            printed = program.run(script, folder=folder, timeout=timeout, on_line=on_line)
            return (folder / ANALYSED).read_bytes()
        except EngineError as error:
            raise EngineError(f"{error}", match.source.path) from None
        except OSError:
            last = next(
                (line.strip() for line in reversed(printed.splitlines()) if line.strip()), "nothing"
            )
            raise EngineError(
                f"gnuBG {program.version} saved no analysis; it printed last: {last[:200]}",
                match.source.path,
            ) from None


def _unjudged(match: Match) -> list[str]:
    """Plays that the dice do not allow, which gnuBG replays as plays without error."""
    rows = np.flatnonzero(match.plays.validity == Validity.ILLEGAL).tolist()
    return [
        f"game {int(match.games.number[match.plays.game[row]])}, turn "
        f"{int(match.plays.turn[row])}: a play that the dice do not allow; "
        "gnuBG replays it as a play without error"
        for row in rows
    ]
