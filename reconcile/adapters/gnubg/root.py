"""The root node of a game: match, score, rules, result."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from reconcile.adapters.gnubg import replay
from reconcile.adapters.gnubg.collection import Node, value, values
from reconcile.errors import UnreadableFile
from reconcile.match import LONGEST_MATCH, Note, Rules

HIGHEST_CUBE: Final = 4096
LONGEST_RULES: Final = 1000
LONGEST_NUMBER: Final = 100
"""Bytes, including leading blanks."""
MOST_INFORMATION: Final = 100
"""Values of `MI`; gnuBG writes four."""
MOST_LISTED: Final = 5
"""Most missing games listed in a note."""


@dataclass(slots=True)
class Root:
    """The root of one game; winner and points are corrected while the nodes are read."""

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
    automatic_doubles: int = 0
    """How often the cube was turned before the first roll."""


def integer(text: bytes, default: int) -> int:
    """The integer at the start of a text, as C's `atoi` reads it."""
    if len(text) < 10 and text.isdigit():  # nearly always the case; a regular expression takes ten times as long
        return int(text)
    digits = re.match(rb"\s*([+-]?\d{1,9})", text[:LONGEST_NUMBER])
    return int(digits[1]) if digits else default


def cube_value(text: bytes, default: int) -> int:
    """A value of the cube: a power of two up to gnuBG's largest, otherwise `default`."""
    cube = integer(text, 0)
    return cube if 1 <= cube <= HIGHEST_CUBE and cube & (cube - 1) == 0 else default


def read_root(path: str, node: Node) -> Root:
    """Read a root node. Raises `UnreadableFile` without a match length, and for one beyond gnuBG's tables."""
    if b"MI" not in node:
        # gnuBG treats such a game as money play and its match winning chances as equities.
        raise UnreadableFile(
            f"{path}: expected the match information MI in every game, found none; without it the length of the match is unknown, "
            "save it again in gnuBG"
        )
    length, number, score = 0, 0, [0, 0]
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
        raise UnreadableFile(f"{path}: expected a match of at most {LONGEST_MATCH} points, found {length}; gnuBG's tables end there too")
    words = value(node, b"RU")[:LONGEST_RULES].split(b":")
    variation = next((word.decode("ascii", "replace").lower() for word in words if word.startswith((b"Nack", b"Hyper"))), "backgammon")
    cube = cube_value(value(node, b"CV"), 1)
    result = re.match(rb"([BW])\+(\d{0,6})(R?)", value(node, b"RE"))
    return Root(
        length=length,
        number=number,
        score=(score[0], score[1]),
        rules=Rules(
            variation=variation if variation in replay.STARTS else "backgammon",
            crawford=b"Crawford" in words,
            jacoby=b"Jacoby" in words,
            cube=b"NoCube" not in words,
        ),
        crawford_game=b"CrawfordGame" in words,
        cube=cube,
        winner=-1 if result is None else int(result[1] == b"B"),
        points=0 if result is None else max(int(result[2] or b"1"), 1),
        resigned=result is not None and bool(result[3]),
        automatic_doubles=cube.bit_length() - 1,
    )


def check_games(path: str, roots: list[Root]) -> list[Note]:
    """Check that the games belong to one match. Raises `UnreadableFile`; missing games are noted."""
    lengths = sorted({root.length for root in roots})
    if len(lengths) > 1:
        raise UnreadableFile(f"{path}: expected the games of one match, found match lengths {lengths}; save each match to its own file")
    numbers = [root.number for root in roots]
    twice, times = Counter(numbers).most_common(1)[0]
    if times > 1:
        raise UnreadableFile(
            f"{path}: expected every game once, found game {twice + 1} twice; does the file hold two matches, or one match twice?"
        )
    present = set(numbers)
    games = max(numbers) + 1
    lacking = games - len([number for number in present if number >= 0])
    if lacking <= 0:
        return []
    named = [str(number + 1) for number in range(min(games, 2 * MOST_LISTED + len(present))) if number not in present][:MOST_LISTED]
    more = f" and {lacking - len(named)} more" if lacking > len(named) else ""
    return [Note("games-missing", f"game {', '.join(named)}{more} of {games} not in the file")]
