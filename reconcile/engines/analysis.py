"""A match analysed again by gnuBG, from a file of any tool.

The same record, settings and version of gnuBG give the same file, so analyses are cached. The
result is read and compared with the input: gnuBG must have replayed the match as it was played,
and any difference is reported.

Results of engines and of programs in the cache folder, each sealed with its key: a damaged or
exchanged file is made again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from reconcile.engines.gnubg import Gnubg, game_record, last_line, renamed, scratch
from reconcile.errors import EngineError, UnreadableFile
from reconcile.files.inputs import open_regular
from reconcile.files.output import write
from reconcile.formats import read_match
from reconcile.formats.mat.writer import differences
from reconcile.match.columns import Validity
from reconcile.match.match import Match, Note

LONGEST_SEAL = 100
LARGEST_KEPT = 128 * 2**20
"""Bytes; no match file is larger."""


def key_of(settings: object, question: str) -> str:
    """The key of a result: the settings of the engine, which JSON can express, and what it was
    asked."""
    return sha256((json.dumps(settings, sort_keys=True) + question).encode()).hexdigest()


def place_of(cache: Path | None, kind: str, name: str) -> Path | None:
    """Where a result of a kind is kept; `None` without a cache."""
    return None if cache is None else cache / kind / name


def read(path: Path | None, key: str) -> bytes | None:
    """A kept result; `None` if there is none, if it is damaged, or if it belongs to another key."""
    if path is None:
        return None
    try:
        with open_regular(path) as file:
            seal, content = file.readline(LONGEST_SEAL), file.read(LARGEST_KEPT)
    except OSError:
        return None
    return content if seal == _seal(key, content) else None


def keep(path: Path | None, key: str, content: bytes) -> None:
    """Keep a result. Raises `CannotWrite`."""
    if path is not None:
        write(str(path), _seal(key, content) + content)


def _seal(key: str, content: bytes) -> bytes:
    """The first line of a kept result: what it is the result of, and of which bytes."""
    return sha256(key.encode() + content).hexdigest().encode() + b"\n"


DEEPEST = 4
"""Plies; a match takes gnuBG about a second at 0, some ten at 2, hours at 4."""
LONGEST = 3600.0
"""Default time limit for a match, in seconds."""
RECORD, ANALYSED = "record.sgf", "analysed.sgf"
FORMAT = 2
"""Version of the commands and of the cached form; changing it invalidates every cached analysis."""

_GAME_DONE = "reconcile: game "
_SCRIPT = """
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How an engine analyses a match: options of every `analyse`."""

    plies: int
    threads: int = 1
    timeout: float = LONGEST
    """Seconds."""
    cache: Path | None = None
    """A folder for cached analyses."""
    progress: Progress = lambda done, total: None


@dataclass(frozen=True, slots=True)
class Analysed:
    """What an engine made of a match."""

    content: bytes
    """The file to keep it in, under the players' own names: SGF of gnuBG, a kept analysis (JSON)
    of Open Sage."""
    match: Match
    """The same, read; its notes say which program analysed it at which depth, and what it
    replayed differently."""
    how: str
    """Which program analysed it, and how deep."""
    changes: tuple[str, ...]
    """Where the engine did not replay what was played, or cannot evaluate it; one line each."""
    from_cache: bool
    """Whether it comes from an earlier run."""


def analyse(match: Match, program: Gnubg, **options: Any) -> Analysed:
    """Analyse a match with gnuBG; `options` are those of `Effort`.

    Checker plays and cube decisions are evaluated at `plies`, everything else with gnuBG's
    defaults: move filter "normal", luck at 0 plies, the match equity table Kazaross-XG2. Raises
    `EngineError` if gnuBG fails or takes too long.
    """
    effort = Effort(**options)
    record = game_record(match)
    settings = {"engine": "gnubg", "version": program.version, "plies": effort.plies}
    content, from_cache = kept_or_made(
        effort.cache,
        ".sgf",
        settings | {"format": FORMAT},
        record,
        lambda: _analysis(match, record, program, effort),
    )
    illegal = (
        f"game {int(match.games.number[match.plays.game[row]])}, turn "
        f"{int(match.plays.turn[row])}: a play that the dice do not allow; "
        "gnuBG replays it as a play without error"
        for row in np.flatnonzero(match.plays.validity == Validity.ILLEGAL).tolist()
    )
    replayed = differences(match, read_match("analysed", content))
    changes = (*illegal, *(f"{text} after gnuBG" for text in replayed))
    how = f"analysed by gnuBG {program.version} at {effort.plies} plies"
    content = renamed(content, match.players)
    return read_back(match, content, how, f"gnubg:{effort.plies}", changes, from_cache=from_cache)


def kept_or_made(
    cache: Path | None,
    ending: str,
    settings: dict[str, object],
    question: str,
    make: Callable[[], bytes],
) -> tuple[bytes, bool]:
    """An analysis from the cache, or made now and kept; whether it comes from an earlier run."""
    key = key_of(settings, question)
    place = place_of(cache, "analyses", f"{key}{ending}")
    if (earlier := read(place, key)) is not None:
        return earlier, True
    content = make()
    keep(place, key, content)
    return content, False


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
    changed = (Note("engine-changed", text) for text in changes if text not in noted)
    analysed = replace(
        analysed,
        source=replace(analysed.source, analysed_by=asked, transcript=match.source.path),
        notes=(*analysed.notes, Note("analysed-here", how), *changed),
    )
    return Analysed(content, analysed, how, changes, from_cache)


def _analysis(match: Match, record: str, program: Gnubg, effort: Effort) -> bytes:
    games = len(match.games)

    def on_line(line: str) -> None:
        if done := re.fullmatch(rf"{_GAME_DONE}(\d+)", line):
            effort.progress(int(done[1]), games)

    script = _SCRIPT.format(
        threads=effort.threads,
        plies=effort.plies,
        record=RECORD,
        games=games,
        done=_GAME_DONE,
        analysed=ANALYSED,
    )
    effort.progress(0, games)
    path = match.source.path
    with scratch() as folder:
        (folder / RECORD).write_text(record, encoding="utf-8")
        try:
            printed = program.run(script, folder=folder, timeout=effort.timeout, on_line=on_line)
            content = (folder / ANALYSED).read_bytes()
            read_match("analysed", content)
        except EngineError as error:
            raise EngineError(f"{error}", path) from None
        except OSError:
            text = f"saved no analysis; it printed last: {last_line(printed)[:200]}"
            raise EngineError(f"gnuBG {program.version} {text}", path) from None
        except UnreadableFile:
            text = "saved a file that cannot be read; is there room on the disk?"
            raise EngineError(f"gnuBG {program.version} {text}", path) from None
    return content
