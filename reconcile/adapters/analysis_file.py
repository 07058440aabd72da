"""An analysis kept by this program, for engines that have no match file of their own: a transcript and what the engine says of it.

The transcript is a game record (SGF without an analysis), so every rule of the game is read by one reader. The file names engine, version,
platform and depth, and its numbers are those of the engine, to the last digit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, Final

from reconcile.adapters.bgblitz.values import Damaged, flag, parts, shown, text, whole
from reconcile.adapters.evaluated import Cube, Place, Roll, evaluated
from reconcile.adapters.gnubg import read_sgf
from reconcile.board.play import parse_play
from reconcile.errors import UnreadableFile
from reconcile.files.limits import LARGEST_JSON, MOST_DECISIONS
from reconcile.match import Candidate, Level, Match, Note, Source

VERSION: Final = 1
FORMAT: Final = "analysis"
LARGEST: Final = 1000.0
"""No equity is larger, not even a backgammon at a high cube."""
MOST_PLAYS: Final = 10_000
"""More positions than any roll can lead to."""
MOST_NOTES: Final = 1000
CHANCES: Final = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


def read_analysis(path: str, content: bytes) -> Match:
    """The match of a kept analysis. Raises `UnreadableFile`."""
    if len(content) > LARGEST_JSON:
        raise UnreadableFile(f"{path}: expected an analysis of at most {LARGEST_JSON >> 20} MB, found more; is it one match?")
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise UnreadableFile(f"{path}: damaged analysis: not JSON to its end; make it again with `reconcile analyse`") from None
    try:
        return _match(path, content, document)
    except Damaged as error:
        raise UnreadableFile(f"{path}: damaged analysis: {error}; make it again with `reconcile analyse`") from None


def _match(path: str, content: bytes, document: dict[str, Any]) -> Match:
    if document["analysis_version"] != VERSION:
        raise Damaged(f"expected version {VERSION}, found {shown(document['analysis_version'])}")
    record = document.get("transcript")
    if type(record) is not str:
        raise Damaged(f"expected transcript to be a game record, found {shown(record)}")
    rolls: dict[Place, Roll] = {}
    for one in parts(document, "plays", MOST_DECISIONS):
        rolls[_place(one)] = Roll(tuple(_candidates(one)), _number(one, "luck", optional=True), every=True)
    cubes = {
        _place(one): Cube(*(_number(one, name) for name in ("no_double", "double_take", "double_pass")))
        for one in parts(document, "cubes", MOST_DECISIONS)
    }
    level = Level(text(document, "level"), whole(document, "lookahead", 0, 100))
    source = Source(path, FORMAT, text(document, "tool"), text(document, "tool_version"), content)
    notes = tuple(Note("engine-changed", text(one, "change")) for one in parts(document, "changes", MOST_NOTES))
    return evaluated(read_sgf(path, record.encode("utf-8", "replace")), source, level, rolls, cubes, notes=notes)


def _place(one: dict[str, Any]) -> Place:
    return whole(one, "game", 1, 2**31), whole(one, "turn", 1, 2**31)


def _candidates(one: dict[str, Any]) -> Iterator[Candidate]:
    for listed in parts(one, "candidates", MOST_PLAYS):
        try:
            play = parse_play(text(listed, "play"))
        except ValueError as error:
            raise Damaged(str(error)) from None
        chances = tuple(_number(listed, name) for name in CHANCES)
        yield Candidate(play, _number(listed, "equity"), text(listed, "level"), chances, made=flag(listed, "made", False))


def _number(one: dict[str, Any], key: str, *, optional: bool = False) -> float:
    """A finite number of an object; NaN if it is null and may be. Raises `Damaged`."""
    value: Any = one.get(key)
    if value is None and optional:
        return math.nan
    if type(value) not in (int, float) or not abs(value) <= LARGEST:
        raise Damaged(f"expected {key} to be a number up to {LARGEST:.0f}, found {shown(value)}")
    return float(value)
