"""A match analysed again by gnuBG, whatever tool its file came from, and the game record that it is given: SGF without an analysis.

The same record, settings and version of gnuBG give the same file, so analyses are cached. The result is read and compared with the
input: gnuBG must have replayed the match as it was played, and any difference is reported.

A transcript (`.mat`) is not enough: gnuBG's import of one supports no automatic doubles, no match without the Crawford rule and
no position set up by hand, stops at an impossible play, and plays a forced last roll that was never played. A record states all
of this, and gnuBG replays its plays without checking them. Players are named `PLAYERS`, which gnuBG can handle; `renamed` restores the
real names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from reconcile.adapters import read_match
from reconcile.adapters.mat.game import STARTS
from reconcile.adapters.mat.writer import Event, differences, events, steps
from reconcile.board.play import carried_out
from reconcile.board.position import BAR, Counts, swap
from reconcile.columns import Kind, Validity
from reconcile.engines.analysis_cache import keep, key_of, place_of, read
from reconcile.engines.gnubg import Gnubg, scratch
from reconcile.errors import EngineError, UnreadableFile
from reconcile.match import Match, Note

PLAYERS: Final = ("seat-0", "seat-1")
VARIATIONS: Final = {
    "backgammon": "",
    "nackgammon": "Nackgammon",
    "hypergammon1": "Hypergammon1",
    "hypergammon2": "Hypergammon2",
    "hypergammon3": "Hypergammon3",
}
"""gnuBG's names in `RU`."""
COLOURS: Final = ("W", "B")
BAR_LETTER, OFF_LETTER = "y", "z"
LONGEST_EVENT: Final = 200


def game_record(match: Match) -> str:
    """The match as SGF. Raises `EngineError` for a variation that gnuBG does not support."""
    if match.rules.variation not in VARIATIONS:
        raise EngineError(f"{match.source.path}: gnuBG does not support the variation {match.rules.variation!r}")
    games = events(match)
    return "".join(f"({''.join(_nodes(match, index, game))})\n" for index, game in enumerate(games))


def renamed(record: bytes, players: tuple[str, str]) -> bytes:
    """A record that gnuBG saved, with the players' own names."""
    for seat, name in enumerate(players):
        placeholder = f"P{COLOURS[seat]}[{PLAYERS[seat]}]".encode()
        record = record.replace(placeholder, f"P{COLOURS[seat]}[{_escaped(name)}]".encode())
    return record


def _nodes(match: Match, index: int, game: list[Event]) -> Iterator[str]:
    yield _root(match, index)
    plays = match.plays
    board = STARTS[match.rules.variation]
    """In seat 0's view."""
    first = True
    for event in game:
        if event.row >= 0:
            table = plays if event.kind is Kind.PLAY else match.cubes
            position: Counts = tuple(table.position[event.row].tolist())
            here = position if event.player == 0 else swap(position)
            cube = _cube(match, index, event) if first else ""
            if here != board or cube:
                yield f";PL[W]{_set_up(here)}{cube}"
                board = here
        first = False
        if event.kind is not Kind.PLAY:
            words = {Kind.TAKE: "take", Kind.PASS: "drop"}
            yield f";{COLOURS[event.player]}[{words.get(event.kind, 'double')}]"
            continue
        dice = "".join(map(str, plays.dice[event.row].tolist()))
        if plays.validity[event.row] == Validity.UNPLAYED:
            yield f";PL[{COLOURS[event.player]}]DI[{dice}]"
            continue
        made = steps(match, event.row)
        letters = "".join(_letter(place, event.player) for step in made for place in step)
        yield f";{COLOURS[event.player]}[{dice}{letters}]"
        after = carried_out(position, made)
        board = after if event.player == 0 else swap(after)


def _root(match: Match, index: int) -> str:
    games, rules = match.games, match.rules
    white, black = games.score[index].tolist()
    words = [VARIATIONS[rules.variation]]
    words += ["Crawford"] * (rules.crawford and not match.is_money) + ["CrawfordGame"] * bool(games.crawford[index])
    words += ["Jacoby"] * (rules.jacoby and match.is_money) + ["NoCube"] * (not rules.cube)
    automatic = int(games.automatic_doubles[index])
    winner = int(games.winner[index])
    return "".join(
        (
            ";FF[4]GM[6]CA[UTF-8]",
            f"MI[length:{match.length or 0}][game:{int(games.number[index]) - 1}][ws:{white}][bs:{black}]",
            f"PW[{PLAYERS[0]}]PB[{PLAYERS[1]}]",
            f"EV[{_escaped(match.event[:LONGEST_EVENT])}]" if match.event and index == 0 else "",
            f"RU[{':'.join(filter(None, words))}]",
            f"CV[{1 << automatic}]" if automatic else "",
            f"RE[{COLOURS[winner]}+{int(games.points[index])}{'R' if games.resigned[index] else ''}]" if winner >= 0 else "",
        )
    )


def _cube(match: Match, index: int, event: Event) -> str:
    """The cube of a game that begins with a turned cube, as in a position set up by hand."""
    table = match.plays if event.kind is Kind.PLAY else match.cubes
    value, owner = int(table.cube[event.row]), int(table.owner[event.row])
    if not owner:
        return "" if value in (1, 1 << int(match.games.automatic_doubles[index])) else f"CV[{value}]CP[c]"
    on_roll = event.player if event.kind is Kind.PLAY or event.kind <= Kind.DOUBLE else 1 - event.player
    return f"CV[{value}]CP[{'wb'[on_roll if owner > 0 else 1 - on_roll]}]"


def _set_up(board: Counts) -> str:
    """Checkers set up by hand, in White's letters for both players."""
    white = [chr(ord("a") + place - 1) * count for place, count in enumerate(board) if 0 < place <= BAR and count > 0]
    black = [BAR_LETTER if place == 0 else chr(ord("a") + place - 1) for place, count in enumerate(board) for _ in range(-count)]
    sides = (("AW", "".join(white)), ("AB", "".join(black)))
    return "AE[a:y]" + "".join(name + "".join(f"[{letter}]" for letter in letters) for name, letters in sides if letters)


def _letter(place: int, seat: int) -> str:
    if place in (0, BAR):
        return BAR_LETTER if place else OFF_LETTER
    return chr(ord("a") + (place - 1 if seat == 0 else 24 - place))


def _escaped(text: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", "".join(letter for letter in text if letter.isprintable()))


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
    """The file to keep it in, under the players' own names: SGF of gnuBG, a kept analysis (JSON) of bgsage."""
    match: Match
    """The same, read; its notes say which program analysed it at which depth, and what it replayed differently."""
    how: str
    """Which program analysed it, and how deep."""
    changes: tuple[str, ...]
    """Where the engine did not replay what was played, or cannot evaluate it; one line each."""
    kept: bool
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
    """Analyse a match with gnuBG at a number of plies; `timeout` is in seconds, `cache` a folder for cached analyses.

    Checker plays and cube decisions are evaluated at `plies`, everything else with gnuBG's defaults: move filter "normal", luck at 0 plies,
    the match equity table Kazaross-XG2. Raises `EngineError` if gnuBG fails or takes too long.
    """
    record = game_record(match)
    key = key_of({"engine": "gnubg", "version": program.version, "plies": plies, "format": FORMAT}, record)
    kept = place_of(cache, "analyses", f"{key}.sgf")
    content = read(kept, key)
    back = None if content is None else _understood(content)
    if content is None or back is None:
        content = _made(match, record, program, plies, threads, timeout, progress)
        back = _understood(content)
        if back is None:
            raise EngineError(f"{match.source.path}: gnuBG {program.version} saved a file that cannot be read; is there room on the disk?")
        keep(kept, key, content)
        there = False
    else:
        there = True
        progress(len(match.games), len(match.games))
    changes = (*_unjudged(match), *(f"{text} after gnuBG" for text in differences(match, back)))
    how = f"analysed by gnuBG {program.version} at {plies} plies"
    return read_back(match, renamed(content, match.players), how, f"gnubg:{plies}", changes, kept=there)


def read_back(match: Match, content: bytes, how: str, asked: str, changes: tuple[str, ...], *, kept: bool) -> Analysed:
    """A match as an engine analysed it, read from the bytes that are kept, with a note on how it was made.

    `asked` is what the command line calls the engine and its depth.
    """
    analysed = read_match(f"{match.source.path}, {how}", content)
    noted = {note.evidence for note in analysed.notes}
    notes = [Note("analysed-here", how), *(Note("engine-changed", text) for text in changes if text not in noted)]
    source = replace(analysed.source, analysed_by=asked)
    return Analysed(content, replace(analysed, source=source, notes=(*analysed.notes, *notes)), how, changes, kept)


def _understood(content: bytes) -> Match | None:
    try:
        return read_match("analysed", content)
    except UnreadableFile:
        return None


def _made(match: Match, record: str, program: Gnubg, plies: int, threads: int, timeout: float, progress: Progress) -> bytes:
    games = len(match.games)

    def on_line(line: str) -> None:
        if found := re.fullmatch(rf"{_GAME_DONE}(\d+)", line):
            progress(int(found[1]), games)

    script = _SCRIPT.format(threads=threads, plies=plies, record=RECORD, games=games, done=_GAME_DONE, analysed=ANALYSED)
    progress(0, games)
    with scratch() as folder:
        (folder / RECORD).write_text(record, encoding="utf-8")
        try:
            printed = program.run(script, folder=folder, timeout=timeout, on_line=on_line)
            return (folder / ANALYSED).read_bytes()
        except EngineError as error:
            raise EngineError(f"{match.source.path}: {error}") from None
        except OSError:
            last = next((line.strip() for line in reversed(printed.splitlines()) if line.strip()), "nothing")
            raise EngineError(f"{match.source.path}: gnuBG {program.version} saved no analysis; it printed last: {last[:200]}") from None


def _unjudged(match: Match) -> list[str]:
    """Plays that the dice do not allow, which gnuBG replays as plays without error."""
    rows = np.flatnonzero(match.plays.validity == Validity.ILLEGAL).tolist()
    return [
        f"game {int(match.games.number[match.plays.game[row]])}, turn {int(match.plays.turn[row])}: a play that the dice do not allow; "
        "gnuBG replays it as a play without error"
        for row in rows
    ]
