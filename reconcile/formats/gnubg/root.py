"""What nodes say of a whole game: the root with match, score, rules and result, and settings that
gnuBG reads in another way.

A file with a node that gnuBG reads and never writes was damaged or edited: gnuBG makes something
else of it than its properties say, or leaves it to chance, so figures may differ from those that
gnuBG shows. Each is noted, none is imitated.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from reconcile.errors import UnreadableFile
from reconcile.formats.follow import HIGHEST_CUBE
from reconcile.formats.gnubg import replay
from reconcile.formats.gnubg.collection import Node, value, values
from reconcile.formats.rows import missing_games
from reconcile.match.board.position import STARTS
from reconcile.match.match import LONGEST_MATCH, Note, Rules

LONGEST_RULES: Final = 1000
LONGEST_NUMBER: Final = 100
"""Bytes, including leading blanks."""
MOST_INFORMATION: Final = 100
"""Values of `MI`; gnuBG writes four."""


@dataclass(frozen=True, slots=True)
class Root:
    """The root of one game."""

    length: int
    """0 for money."""
    number: int
    """From 0."""
    score: tuple[int, int]
    rules: Rules
    crawford_game: bool
    cube: int
    winner: int
    """Seat, -1 without a winner."""
    points: int
    resigned: bool


def integer(text: bytes, default: int) -> int:
    """The integer at the start of a text, as C's `atoi` reads it."""
    if (
        len(text) < 10 and text.isdigit()
    ):  # nearly always the case; a regular expression takes ten times as long
        return int(text)
    digits = re.match(rb"\s*([+-]?\d{1,9})", text[:LONGEST_NUMBER])
    return int(digits[1]) if digits else default


def cube_value(text: bytes, default: int) -> int:
    """A value of the cube: a power of two up to gnuBG's largest, otherwise `default`."""
    cube = integer(text, 0)
    return cube if 1 <= cube <= HIGHEST_CUBE and cube & (cube - 1) == 0 else default


def read_root(path: str, index: int, node: Node) -> Root:
    """Read a root node, of the game at an index of the file. Raises `UnreadableFile` for a match
    beyond gnuBG's tables.

    A game without match information is one of a money session, as in gnuBG.
    """
    length, number, score = 0, 0 if b"MI" in node else index, [0, 0]
    for text in values(node, b"MI")[:MOST_INFORMATION]:
        key, _, rest = text.partition(b":")
        if key == b"length":
            length = max(integer(rest, 0), 0)
        elif key == b"game":
            number = integer(rest, 0)
        elif key in (b"ws", b"bs"):
            points = integer(rest, 0)
            # As in gnuBG, a score outside the match is ignored, whatever the order of the values.
            score[key == b"bs"] = max(points, 0)
    if length and max(score) >= length:
        score = [points if points < length else 0 for points in score]
    if length > LONGEST_MATCH:
        raise UnreadableFile(
            f"expected a match of at most {LONGEST_MATCH} points, found {length}; gnuBG's tables "
            "end there too",
            path,
        )
    words = value(node, b"RU")[:LONGEST_RULES].split(b":")
    result = re.match(rb"([BW])\+(\d{0,6})(R?)", value(node, b"RE"))
    return Root(
        length=length,
        number=number,
        score=(score[0], score[1]),
        rules=_rules(words),
        crawford_game=b"CrawfordGame" in words,
        cube=cube_value(value(node, b"CV"), 1),
        winner=-1 if result is None else int(result[1] == b"B"),
        points=0 if result is None else max(int(result[2] or b"1"), 1),
        resigned=result is not None and bool(result[3]),
    )


def _rules(words: list[bytes]) -> Rules:
    named = (word for word in words if word.startswith((b"Nack", b"Hyper")))
    variation = next(named, b"").decode("ascii", "replace").lower()
    return Rules(
        variation=variation if variation in STARTS else "backgammon",
        crawford=b"Crawford" in words,
        jacoby=b"Jacoby" in words,
        cube=b"NoCube" not in words,
    )


def check_games(path: str, roots: list[Root]) -> list[Note]:
    """Check that the games belong to one match. Raises `UnreadableFile`; missing games are
    noted."""
    lengths = sorted({root.length for root in roots})
    if len(lengths) > 1:
        raise UnreadableFile(
            f"expected the games of one match, found match lengths {lengths}; save each match to "
            "its own file",
            path,
        )
    numbers = [root.number for root in roots]
    twice, times = Counter(numbers).most_common(1)[0]
    if times > 1:
        raise UnreadableFile(
            f"expected every game once, found game {twice + 1} twice; does the file hold two "
            "matches, or one match twice?",
            path,
        )
    return missing_games(numbers, "", "file")


ACTIONS: Final = frozenset((b"W", b"B"))
SETTINGS: Final = frozenset((b"AE", b"AW", b"AB", b"CV", b"CP", b"DI"))
"""What sets the board, the cube or the dice; gnuBG writes each to a node of its own."""
NOT_IN_ROOT: Final = ACTIONS | SETTINGS - {b"CV"}
RESULT: Final = re.compile(rb"[BW]\+\d{1,6}R?")


def odd_root(root: Node) -> list[str]:
    """What is odd about the root of a game."""
    oddities = []
    if not NOT_IN_ROOT.isdisjoint(root):
        oddities.append(
            "a play, a cube action or a position in the root of the game, where gnuBG reads none"
        )
    result = value(root, b"RE")
    if result[:1].upper() in (b"B", b"W") and not RESULT.fullmatch(result):
        oddities.append("a result that is not written as W+1 or B+2R")
    return oddities


def odd_settings(node: Node) -> str:
    """What is odd about a node with one of `SETTINGS`; empty if nothing is."""
    if not ACTIONS.isdisjoint(node):
        return (
            "the dice, the cube or the position set in the node of a play or cube action, which "
            "gnuBG may leave out"
        )
    if b"DI" in node and (replay.is_set_up(node) or len(value(node, b"DI")) < 2):
        return (
            "dice that are incomplete or set together with a position, of which gnuBG reads one "
            "or neither"
        )
    return ""
